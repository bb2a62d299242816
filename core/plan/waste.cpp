#include "plan/waste.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "plan/asker.hpp"
#include "plan/weight_choice.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;
using engine::Parallelism;

/// Below it a difference is not worth a line: the rounding of blocks and pages makes as much.
constexpr std::uint64_t kWorthALine = 64ULL << 20U;

/// The share that operators raise to without trouble; beyond it first requests may run out of
/// memory.
constexpr int kSafeHundredths = 95;

/// Looks for what is wasted, one thing after the other.
class WasteFinder {
 public:
  WasteFinder(const Request& request, const MemoryPlan& now)
      : request_(request),
        now_(now),
        levers_(request.engine->levers),
        asker_(request, kWastePlans),
        situation_{request, now, Trouble::requests,
                   std::max<std::uint64_t>(1, request.workload.concurrency.value_or(1))} {}

  std::vector<Waste> find() {
    share();
    length();
    requests_limit();
    steps();
    graphs();
    cards();
    copies();
    cache_format();
    towers();
    std::stable_sort(list_.begin(), list_.end(),
                     [](const Waste& a, const Waste& b) { return a.bytes > b.bytes; });
    return std::move(list_);
  }

 private:
  [[nodiscard]] bool serves_as_asked(const MemoryPlan& plan) const {
    return plan.limit == engine::Limit::none && plan.max_requests.best >= situation_.concurrency &&
           plan.context >= now_.context;
  }

  /// The plan of a change that serves all that is asked; nothing otherwise.
  std::optional<MemoryPlan> tried(const Change& change) {
    auto plan = asker_.ask(change);
    return plan && serves_as_asked(*plan) ? std::move(plan) : std::nullopt;
  }

  static std::uint64_t more_pool(const MemoryPlan& before, const MemoryPlan& after) {
    return after.kv_pool.best > before.kv_pool.best ? after.kv_pool.best - before.kv_pool.best : 0;
  }

  static Change flag(std::string_view name,
                     std::variant<bool, std::int64_t, double, std::string> value) {
    Change change;
    change.set.push_back({std::string(name), std::move(value)});
    return change;
  }

  /// A measured pool stays as it is whatever else is changed: nothing can be learnt from it.
  [[nodiscard]] bool pool_is_fixed() const { return request_.measured.kv_pool_bytes.has_value(); }

  void add(std::string what, std::uint64_t bytes, std::string text, std::optional<Change> edit) {
    if (bytes >= kWorthALine) {
      list_.push_back({std::move(what), bytes, std::move(text), std::move(edit)});
    }
  }

  /// "and holds 96 requests in place of 82".
  [[nodiscard]] std::string held(const MemoryPlan& plan) const {
    return plan.max_requests.best == now_.max_requests.best
               ? "holds " + grouped(plan.max_requests.best) + " requests as before"
               : "holds " + grouped(plan.max_requests.best) + " requests in place of " +
                     grouped(now_.max_requests.best);
  }

  void share() {
    const double now = memory_share(request_, now_);
    if (levers_.memory_share.empty() || now <= 0 || now * 100.0 >= kSafeHundredths ||
        pool_is_fixed() || request_.device.unified_memory) {
      return;
    }
    for (int hundredth = kSafeHundredths; static_cast<double>(hundredth) / 100.0 > now + 1e-6;
         --hundredth) {
      const double raised = static_cast<double>(hundredth) / 100.0;
      const Change change = flag(levers_.memory_share, raised);
      const auto plan = tried(change);
      if (!plan || plan->beside_claim_bytes > plan->left_beside_claim_bytes) {
        continue;
      }
      const std::uint64_t more = more_pool(now_, *plan);
      add("memory_share", more,
          "The engine may fill " + decimal(now) + " of the card. With " +
              typed(request_, levers_.memory_share, decimal(raised)) + " the cache grows by " +
              in_gib(more) + " a GPU and " + held(*plan) +
              ". Less is left for other programs on the card.",
          change);
      return;
    }
  }

  void length() {
    const bool asked = request_.workload.context.has_value();
    if (!asked || levers_.max_length.empty() || now_.max_model_len <= now_.context ||
        given_flag(request_, levers_.max_length) == nullptr || pool_is_fixed()) {
      return;
    }
    const bool divided = request_.engine->name == "llamacpp" &&
                         given_flag(request_, levers_.most_requests) != nullptr;
    const std::uint64_t length = divided ? now_.context * now_.max_num_seqs : now_.context;
    const Change change = flag(levers_.max_length, static_cast<std::int64_t>(length));
    const auto plan = tried(change);
    if (!plan) {
      return;
    }
    // llama.cpp makes a cache of the length; what it does not make is free.
    const bool made = request_.engine->name == "llamacpp";
    const std::uint64_t saved = made ? more_pool(*plan, now_) : more_pool(now_, *plan);
    add("length_limit", saved,
        "The engine is ready for " + grouped(now_.max_model_len) + " tokens and " +
            grouped(now_.context) + " are asked about. " +
            typed(request_, levers_.max_length, std::to_string(length)) +
            (made ? " frees " : " gives the cache ") + in_gib(saved) +
            " a GPU. Longer requests are refused then.",
        change);
  }

  void requests_limit() {
    const std::uint64_t replicas = std::max<std::uint64_t>(1, now_.parallelism.data);
    const std::uint64_t each = now_.max_requests.best / replicas;
    if (levers_.most_requests.empty() || pool_is_fixed() || request_.engine->name == "llamacpp") {
      return;
    }
    if (each >= now_.max_num_seqs) {
      idle_pool(replicas);
    } else {
      unused_slots(
          std::max<std::uint64_t>({1, each, (situation_.concurrency + replicas - 1) / replicas}));
    }
  }

  /// The limit of requests is far above what the cache holds: what is set aside for them is lost.
  void unused_slots(std::uint64_t enough) {
    if (enough * 2 > now_.max_num_seqs) {
      return;
    }
    const Change change = flag(levers_.most_requests, static_cast<std::int64_t>(enough));
    const auto plan = tried(change);
    if (!plan) {
      return;
    }
    const std::uint64_t more = more_pool(now_, *plan);
    add("requests_limit", more,
        "Up to " + grouped(now_.max_num_seqs) + " requests may run at once, and the cache holds " +
            grouped(enough) + " of " + grouped(now_.context) + " tokens. " +
            typed(request_, levers_.most_requests, std::to_string(enough)) + " gives the cache " +
            in_gib(more) + " a GPU. More short requests than that wait then.",
        change);
  }

  /// The limit of requests is below what the cache holds: the rest of it lies idle.
  void idle_pool(std::uint64_t replicas) {
    constexpr std::uint64_t kMany = 8;
    constexpr std::uint64_t kMost = 1ULL << 16U;
    std::optional<MemoryPlan> wide;
    for (std::uint64_t limit = now_.max_num_seqs * kMany; limit <= kMost; limit *= kMany) {
      wide = asker_.ask(flag(levers_.most_requests, static_cast<std::int64_t>(limit)));
      if (!wide || wide->max_requests.best < limit * replicas) {
        break;
      }
    }
    if (!wide || wide->limit != engine::Limit::none ||
        wide->max_requests.best <= now_.max_requests.best || wide->max_requests.best == 0) {
      return;
    }
    const std::uint64_t wanted = wide->max_requests.best / replicas;
    const Change change = flag(levers_.most_requests, static_cast<std::int64_t>(wanted));
    const auto plan = tried(change);
    if (!plan || plan->max_requests.best <= now_.max_requests.best) {
      return;
    }
    const double used =
        static_cast<double>(now_.max_requests.best) / static_cast<double>(plan->max_requests.best);
    const auto idle = static_cast<std::uint64_t>(static_cast<double>(now_.kv_pool.best) *
                                                 (1.0 - std::min(1.0, used)));
    add("idle_cache", idle,
        "At most " + grouped(now_.max_num_seqs) +
            " requests run at once, and the cache has room for more: about " + in_gib(idle) +
            " a GPU lie idle. With " +
            typed(request_, levers_.most_requests, std::to_string(wanted)) + " it holds " +
            grouped(plan->max_requests.best) +
            " requests. Each is answered more slowly when all run.",
        change);
  }

  void steps() {
    constexpr std::uint64_t kUsual = 2048;
    const std::uint64_t now = now_.max_num_batched_tokens;
    const std::uint64_t prompt = request_.workload.prompt.value_or(now_.context);
    if (levers_.batched_tokens.empty() || pool_is_fixed() || now <= kUsual ||
        request_.engine->name == "llamacpp") {
      return;
    }
    const std::uint64_t needed = std::max(kUsual, (std::min(prompt, now) + 255) / 256 * 256);
    const std::uint64_t lower = needed < now ? needed : kUsual;
    const Change change = flag(levers_.batched_tokens, static_cast<std::int64_t>(lower));
    const auto plan = tried(change);
    if (!plan) {
      return;
    }
    const std::uint64_t more = more_pool(now_, *plan);
    add("step_size", more,
        "Steps of " + grouped(now) + " tokens keep " + in_gib(more) +
            " a GPU from the cache over those of " + grouped(lower) + " (" +
            typed(request_, levers_.batched_tokens, std::to_string(lower)) +
            "). The price: prompts are prefilled in smaller steps, so that many at once take "
            "longer to their first token.",
        change);
  }

  void graphs() {
    const std::string_view name = graph_size_flag(*request_.engine);
    const std::uint64_t replicas = std::max<std::uint64_t>(1, now_.parallelism.data);
    const std::uint64_t most = request_.workload.concurrency
                                   ? (*request_.workload.concurrency + replicas - 1) / replicas
                                   : now_.max_requests.best / replicas;
    if (name.empty() || now_.cuda_graphs.best == 0 || most == 0 || most > 4096) {
      return;
    }
    std::uint64_t size = 8;
    while (size < most) {
      size *= 2;
    }
    const Change change = flag(name, static_cast<std::int64_t>(size));
    const auto plan = tried(change);
    if (!plan || plan->cuda_graphs.best >= now_.cuda_graphs.best) {
      return;
    }
    const std::uint64_t saved = now_.cuda_graphs.best - plan->cuda_graphs.best;
    add("graph_sizes", saved,
        "CUDA graphs are recorded for larger batches than the " + grouped(most) +
            " requests that run at once. " + typed(request_, name, std::to_string(size)) +
            " saves " + in_gib(saved) + " a GPU" +
            (more_pool(now_, *plan) != 0
                 ? ", of which the cache gains " + in_gib(more_pool(now_, *plan))
                 : std::string(", outside the cache")) +
            ". Larger batches decode more slowly then.",
        change);
  }

  [[nodiscard]] static std::uint64_t cards_of(const Parallelism& p) {
    return p.tensor * p.pipeline * p.data;
  }

  [[nodiscard]] bool groups_are_cut() const {
    return !levers_.attention_groups.empty() &&
           given_flag(request_, levers_.attention_groups) != nullptr;
  }

  /// Fewer cards that carry all that is asked. Without a number of requests nobody has said how
  /// much that is.
  void cards() {
    if (!request_.workload.concurrency || levers_.tensor_parallel.empty() || groups_are_cut() ||
        pool_is_fixed() || request_.measured.weights_bytes) {
      return;
    }
    const Parallelism& now = now_.parallelism;
    std::optional<Change> best;
    std::optional<MemoryPlan> plan;
    std::uint64_t fewest = cards_of(now);
    const auto consider = [&](const Parallelism& p) {
      if (cards_of(p) >= fewest) {
        return;
      }
      Trial trial;
      trial.parallel = p;
      const Change change = whole_change(situation_, trial);
      if (auto answer = tried(change)) {
        fewest = cards_of(p);
        best = change;
        plan = std::move(answer);
      }
    };
    for (std::uint64_t tensor = now.tensor; tensor >= 1; tensor /= 2) {
      for (std::uint64_t data = now.data; data >= 1; data = data > 16 ? data / 2 : data - 1) {
        Parallelism p = now;
        p.tensor = tensor;
        p.data = data;
        consider(p);
      }
    }
    if (!best) {
      return;
    }
    const std::uint64_t spare = cards_of(now) - fewest;
    add("cards", spare * now_.total_bytes,
        grouped(fewest) + (fewest == 1 ? " card holds" : " cards hold") + " the " +
            grouped(*request_.workload.concurrency) + " requests that are asked for (" +
            grouped(plan->max_requests.best) + " at most): " + grouped(spare) + " of the " +
            grouped(cards_of(now)) + (spare == 1 ? " is" : " are") +
            " not needed for memory. Fewer cards also compute and read more slowly.",
        best);
  }

  /// Keys and values that tensor-parallel ranks hold again and again.
  void copies() {
    const model::Attention* attention = model::first_attention(request_.model);
    const std::uint64_t ranks = now_.parallelism.tensor;
    if (attention == nullptr || ranks < 2 || groups_are_cut()) {
      return;
    }
    const bool latent = request_.model.latent();
    const std::uint64_t heads =
        latent ? 1 : std::max<std::uint64_t>(1, attention->num_key_value_heads);
    if (heads >= ranks) {
      return;
    }
    const std::uint64_t copied = now_.kv_pool.best * (ranks - heads);
    std::string text = (latent ? std::string("The latent rows of every token are")
                               : "The model has " + grouped(heads) + " key-value heads and " +
                                     grouped(ranks) + " ranks: keys and values are") +
                       " kept more than once, " + in_gib(copied) + " of the cache on all " +
                       grouped(ranks) + " GPUs together are copies.";
    for (const Knob& knob : knobs(situation_)) {
      if (knob.level != Level::arrangement) {
        continue;
      }
      const Trial trial = knob.at(1);
      const Change change = whole_change(situation_, trial);
      const auto plan = tried(change);
      if (plan && plan->max_requests.best > now_.max_requests.best) {
        text += " With " + trial.told + " it " + held(*plan) + ". " + trial.cost;
        add("copies", copied, std::move(text), change);
        return;
      }
    }
    add("copies", copied, std::move(text), std::nullopt);
  }

  void cache_format() {
    if (now_.kv_format != precision::KvFormat::model_dtype || pool_is_fixed()) {
      return;
    }
    for (const FormatChoice& choice : kv_choices(request_)) {
      if (choice.change.empty()) {
        continue;
      }
      const auto plan = tried(choice.change);
      const bool fewer = plan && plan->bytes_per_request < now_.bytes_per_request &&
                         plan->max_requests.best >= now_.max_requests.best;
      if (!fewer) {
        continue;
      }
      const double kept = static_cast<double>(plan->bytes_per_request) /
                          static_cast<double>(now_.bytes_per_request);
      const auto saved =
          static_cast<std::uint64_t>(static_cast<double>(now_.kv_pool.best) * (1.0 - kept));
      add("cache_format", saved,
          "The cache is kept in 16 bits. In " + choice.title + " the same requests take " +
              in_gib(saved) + " less a GPU, and it " + held(*plan) + ". " + choice.cost,
          choice.change);
      return;
    }
  }

  void towers() {
    if (pool_is_fixed()) {
      return;
    }
    for (const Knob& knob : knobs(situation_)) {
      if (knob.level != Level::inputs) {
        continue;
      }
      const Trial trial = knob.at(1);
      const Change change = whole_change(situation_, trial);
      const auto plan = tried(change);
      if (!plan) {
        continue;
      }
      const std::uint64_t more =
          std::max(more_pool(now_, *plan),
                   now_.weights.best - std::min(now_.weights.best, plan->weights.best));
      add("towers", more,
          "If only text is served, the parts for pictures and sounds take " + in_gib(more) +
              " a GPU for nothing: " + trial.told + ".",
          change);
      return;
    }
  }

  const Request& request_;
  const MemoryPlan& now_;
  const engine::Levers& levers_;
  Asker asker_;
  Situation situation_;
  std::vector<Waste> list_;
};

}  // namespace

std::vector<Waste> waste(const Request& request, const MemoryPlan& now) {
  if (now.limit != engine::Limit::none) {
    return {};
  }
  return WasteFinder(request, now).find();
}

}  // namespace ridgepoint::plan
