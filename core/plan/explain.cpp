#include "plan/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "json/writer.hpp"
#include "model/tensor.hpp"
#include "plan/cache_kinds.hpp"
#include "plan/step_rules.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;
using engine::Step;
using model::Part;

/// The order in which an engine goes from a model to requests.
using Order = std::array<StepGroup, 9>;

Order order_of(std::string_view engine) {
  using G = StepGroup;
  if (engine == "sglang") {
    // Its terms come out of what the pool has left, and graphs are made last.
    return {G::model,    G::weights, G::claim,   G::cache, G::pool,
            G::capacity, G::terms,   G::verdict, G::speed};
  }
  if (engine == "llamacpp") {
    // The cache is as large as the context; what all takes together is the claim.
    return {G::model, G::weights,  G::cache,   G::pool, G::terms,
            G::claim, G::capacity, G::verdict, G::speed};
  }
  return {G::model, G::weights,  G::claim,   G::terms, G::pool,
          G::cache, G::capacity, G::verdict, G::speed};
}

std::optional<Part> part_named(std::string_view name) {
  for (std::size_t i = 0; i < model::kParts; ++i) {
    if (model::part_name(static_cast<Part>(i)) == name) {
      return static_cast<Part>(i);
    }
  }
  return std::nullopt;
}

/// Puts the derivation together, each step into its group.
class Deriver {
 public:
  Deriver(const Request& request, const Report& report)
      : request_(request), report_(report), plan_(report.memory) {}

  std::vector<Derived> derive() {
    model_steps();
    weight_steps();
    claim_steps();
    engine_steps();
    cache_steps();
    capacity_steps();
    verdict_steps();
    speed_steps();
    return in_order();
  }

 private:
  void add(StepGroup group, std::string rule, std::string term, std::string formula,
           std::string numbers, double value, std::string_view unit, std::string source) {
    Derived derived;
    derived.group = group;
    derived.rule = std::move(rule);
    derived.step.term = std::move(term);
    derived.step.formula = std::move(formula);
    derived.step.with_numbers = std::move(numbers);
    derived.step.value = value;
    derived.step.unit = unit;
    derived.step.source = std::move(source);
    steps_.push_back(std::move(derived));
  }

  void add_whole(StepGroup group, std::string rule, std::string term, std::string formula,
                 std::string numbers, std::uint64_t value, std::string_view unit,
                 std::string source) {
    add(group, std::move(rule), std::move(term), std::move(formula), std::move(numbers),
        static_cast<double>(value), unit, std::move(source));
  }

  [[nodiscard]] bool has(std::string_view term) const {
    return std::any_of(report_.explain.begin(), report_.explain.end(),
                       [&](const Step& step) { return step.term == term; });
  }

  [[nodiscard]] std::string config_source() const {
    return request_.model.weights_source == "config" ? "the model's config.json"
                                                     : "the " + request_.model.weights_source;
  }

  void model_steps() {
    std::string sum;
    for (std::size_t i = 0; i < model::kParts; ++i) {
      const std::uint64_t count = report_.parameters.by_part[i];
      if (count == 0 || static_cast<Part>(i) == Part::mtp) {
        continue;
      }
      const std::string name(model::part_name(static_cast<Part>(i)));
      sum += (sum.empty() ? "" : " + ") + grouped(count);
      add_whole(StepGroup::model, "The elements of every tensor of the part are counted once.",
                "model.parameters." + name, "rows x columns of each tensor, summed", grouped(count),
                count, "parameters", config_source());
    }
    add_whole(StepGroup::model, "The parameters of a model are those of its parts.",
              "model.parameters", "sum of the parts", sum, report_.parameters.total, "parameters",
              config_source());
    const bool known = request_.model.checkpoint_bytes.has_value();
    const double bytes_each =
        report_.parameters.total == 0
            ? 0.0
            : static_cast<double>(report_.checkpoint_bytes) /
                  static_cast<double>(report_.parameters.total + report_.parameters.mtp);
    add_whole(StepGroup::model,
              "The files hold every parameter in its number format, with the scales of a "
              "quantisation.",
              "model.checkpoint_bytes",
              known ? "as the files say" : "elements x bytes of their format + scales",
              grouped(report_.parameters.total) +
                  (report_.parameters.mtp == 0
                       ? std::string()
                       : " + " + grouped(report_.parameters.mtp) + " that predict further tokens") +
                  ", " + decimal(bytes_each) + " bytes each on average",
              report_.checkpoint_bytes, "bytes", config_source());
  }

  void weight_steps() {
    const engine::Parallelism& p = plan_.parallelism;
    add_whole(StepGroup::weights,
              "Tensor-parallel ranks divide every layer, stages divide the layers, and replicas "
              "repeat all.",
              "ranks", "tensor x pipeline ranks hold the model",
              grouped(p.tensor) + " x " + grouped(p.pipeline) + ", " + grouped(p.data) +
                  " data-parallel" + (p.expert ? ", experts divided by number" : ""),
              p.tensor * p.pipeline, "GPUs", "the request's parallel flags and gpu.count");
    if (request_.measured.weights_bytes) {
      return;
    }
    std::uint64_t sum = 0;
    std::string numbers;
    for (const auto& [name, bytes] : plan_.weights_by_part) {
      const auto part = part_named(name);
      const std::uint64_t count =
          part ? report_.parameters.by_part[static_cast<std::size_t>(*part)] : 0;
      add_whole(StepGroup::weights,
                std::string(part ? sharding_rule(*part) : "The part lies on this GPU."),
                "weights.part." + std::string(name), "the part's tensors on the tightest GPU",
                grouped(count) + " parameters over " + grouped(p.tensor) + " x " +
                    grouped(p.pipeline) + " ranks = " + in_gib(bytes),
                bytes, "bytes", std::string(request_.engine->title) + "'s rules of sharding");
      sum += bytes;
      numbers += (numbers.empty() ? "" : " + ") + in_gib(bytes);
    }
    if (numbers.empty()) {
      return;
    }
    add_whole(StepGroup::weights, "The parts that lie on one GPU are added up.", "weights.parts",
              "sum of the parts on the tightest GPU", numbers, sum, "bytes",
              std::string(request_.engine->title) + "'s rules of sharding");
    const std::uint64_t best = plan_.weights.best;
    const bool more = best >= sum;
    add_whole(StepGroup::weights,
              more
                  ? "Loading adds tables, copies, padding, drafts and what the allocator rounds up."
                  : "What is kept in the machine's memory is not on the GPU.",
              more ? "weights.added" : "weights.kept_out",
              more ? "weights - weights.parts" : "weights.parts - weights",
              more ? in_gib(best) + " - " + in_gib(sum) : in_gib(sum) + " - " + in_gib(best),
              more ? best - sum : sum - best, "bytes",
              std::string(request_.engine->title) + "'s loader; the next step says what it is");
  }

  void claim_steps() {
    const hardware::Device& device = request_.device;
    add_whole(StepGroup::claim, "An engine sees what the driver reports, not what is on the box.",
              "card.total", "memory that the runtime reports",
              device.name.empty() ? in_gib(device.total_bytes)
                                  : device.name + ": " + in_gib(device.total_bytes),
              device.total_bytes, "bytes",
              device.total_source.empty() ? "gpu.total_bytes of the request" : device.total_source);
    if (device.free_bytes) {
      add_whole(StepGroup::claim, "What other programs hold is not the engine's to take.",
                "card.free", "memory free before the engine starts", in_gib(*device.free_bytes),
                *device.free_bytes, "bytes", "gpu.free_bytes of the request");
    }
  }

  void engine_steps() {
    for (const Step& step : report_.explain) {
      const StepRule* rule = find_step_rule(request_.engine->name, step.term);
      Derived derived;
      derived.group = rule == nullptr ? StepGroup::terms : rule->group;
      derived.rule = rule == nullptr ? "" : std::string(rule->rule);
      derived.step = step;
      if (derived.step.with_numbers.empty()) {
        derived.step.with_numbers = json::number_text(step.value);
      }
      steps_.push_back(std::move(derived));
    }
  }

  void cache_steps() {
    std::uint64_t sum = 0;
    std::string numbers;
    std::vector<Derived> by_kind;
    std::swap(by_kind, steps_);
    for (const CacheKind& kind : cache_kinds(request_.model, plan_)) {
      const std::uint64_t bytes = kind.bytes * kind.layers;
      add_whole(StepGroup::cache,
                "Layers of one kind keep the same for a token, in the whole model before it is "
                "divided.",
                "cache." + kind.name, "layers x bytes a token in one",
                grouped(kind.layers) + " layers x (" + kind.told + ")", bytes, "bytes",
                config_source() + ", and the format of the cache");
      sum += bytes;
      numbers += (numbers.empty() ? "" : " + ") + grouped(bytes);
    }
    if (!numbers.empty() && sum < plan_.bytes_per_token) {
      add_whole(StepGroup::cache,
                "A draft's layers cache too, and formats with scales take more than their bits.",
                "cache.other", "bytes_per_token - the kinds above",
                grouped(plan_.bytes_per_token) + " - " + grouped(sum), plan_.bytes_per_token - sum,
                "bytes", std::string(request_.engine->title) + "'s cache layout");
    }
    // Before the sum that follows from them.
    std::swap(by_kind, steps_);
    const auto sum_step = std::find_if(steps_.begin(), steps_.end(), [](const Derived& derived) {
      return derived.step.term == "bytes_per_token";
    });
    steps_.insert(sum_step, by_kind.begin(), by_kind.end());
    if (!has("bytes_per_token")) {
      add_whole(StepGroup::cache, "One more token adds a row in every layer that caches.",
                "bytes_per_token", "sum over the layers that cache",
                numbers.empty() ? grouped(plan_.bytes_per_token) : numbers, plan_.bytes_per_token,
                "bytes", std::string(request_.engine->title) + "'s cache layout");
    }
    if (plan_.state_bytes_per_request != 0 && !has("state_bytes_per_request")) {
      add_whole(StepGroup::cache, "Layers with a state keep the same whatever the length.",
                "state_bytes_per_request", "sum over the layers with a state",
                grouped(plan_.state_bytes_per_request), plan_.state_bytes_per_request, "bytes",
                std::string(request_.engine->title) + "'s cache layout");
    }
    add_whole(StepGroup::cache,
              "A request keeps a row for each of its tokens, of windows no more than they hold, "
              "and its states.",
              "bytes_per_request", "rows of the length asked about + states, whole model",
              grouped(plan_.context) + " tokens, " + grouped(plan_.growing_bytes_per_token) +
                  " bytes each that grow, " + grouped(plan_.state_bytes_per_request) + " of states",
              plan_.bytes_per_request, "bytes",
              std::string(request_.engine->title) + "'s cache layout");
    if (plan_.block_tokens != 0) {
      add_whole(StepGroup::cache, "The cache is handed out in blocks of so many tokens.",
                "block_tokens", "as the engine's flag or its rule says",
                grouped(plan_.block_tokens), plan_.block_tokens, "tokens",
                std::string(request_.engine->title) + "'s block or page size");
    }
  }

  void capacity_steps() {
    const std::string engine(request_.engine->title);
    if (!has("blocks")) {
      add_whole(StepGroup::capacity, "Blocks hold whole tokens.", "blocks",
                "tokens / tokens of a block",
                grouped(plan_.tokens.best) + " / " + grouped(plan_.block_tokens), plan_.blocks.best,
                "blocks", engine + "'s cache layout");
    }
    if (!has("tokens")) {
      add_whole(StepGroup::capacity, "Blocks hold whole tokens.", "tokens",
                "blocks x tokens of a block",
                grouped(plan_.blocks.best) + " x " + grouped(plan_.block_tokens), plan_.tokens.best,
                "tokens", engine + "'s cache layout");
    }
    if (!has("max_concurrency")) {
      const bool slots = request_.engine->name == "llamacpp";
      add(StepGroup::capacity,
          slots ? "Requests of the longest kind run in as many slots as hold them."
                : "Requests of the maximum length that the tokens hold.",
          "max_concurrency",
          slots ? "slots with cells of their own, or shared cells / cells of a slot"
                : "tokens / maximum length",
          grouped(plan_.tokens.best) + " tokens, length " + grouped(plan_.max_model_len),
          plan_.max_concurrency.best, "requests", engine + "'s cache layout");
    }
    add_whole(StepGroup::capacity,
              "The longest single request that the cache holds, no longer than the model takes.",
              "max_context", "the largest length whose blocks are there",
              grouped(plan_.tokens.best) + " tokens of cache, " + grouped(plan_.max_model_len) +
                  " at most by the engine's setting",
              plan_.max_context, "tokens", engine + "'s cache layout");
    const std::uint64_t data = std::max<std::uint64_t>(1, plan_.parallelism.data);
    const bool serves = plan_.limit == engine::Limit::none;
    if (serves && plan_.max_requests.best % data == 0) {
      add_whole(StepGroup::capacity,
                "Replicas serve beside each other, each with whole requests; a part of a request "
                "is none.",
                "requests_of_replicas", "requests of one replica x replicas",
                grouped(plan_.max_requests.best / data) + " x " + grouped(data),
                plan_.max_requests.best, "requests", "the engine's scheduler");
    }
  }

  void verdict_steps() {
    const bool serves = plan_.limit == engine::Limit::none;
    const std::string source = std::string(request_.engine->title) + "'s checks at the start";
    add_whole(StepGroup::verdict, "What has to fit for one request of the length.",
              "verdict.needed", serves ? "one request of the length" : "what the start needs",
              in_gib(plan_.needed_bytes), plan_.needed_bytes, "bytes", source);
    add_whole(StepGroup::verdict, "What there is to hold it.", "verdict.available",
              serves ? "the pool" : "what there is", in_gib(plan_.available_bytes),
              plan_.available_bytes, "bytes", source);
    const bool enough = plan_.available_bytes >= plan_.needed_bytes;
    add_whole(StepGroup::verdict,
              serves ? "It serves: what is needed is no more than what there is."
                     : "It does not serve: " + report_.verdict_text,
              enough ? "verdict.spare" : "verdict.missing",
              enough ? "available - needed" : "needed - available",
              enough ? in_gib(plan_.available_bytes) + " - " + in_gib(plan_.needed_bytes)
                     : in_gib(plan_.needed_bytes) + " - " + in_gib(plan_.available_bytes),
              enough ? plan_.available_bytes - plan_.needed_bytes
                     : plan_.needed_bytes - plan_.available_bytes,
              "bytes", source);
  }

  void speed_steps() {
    const speed::ClosedForms& speed = report_.speed;
    if (!speed.known) {
      return;
    }
    const std::uint64_t batch = std::max<std::uint64_t>(
        1, request_.workload.concurrency.value_or(1) / plan_.parallelism.data);
    add(StepGroup::speed, "Every request of the batch gets a token a step.", "decode_tokens_per_s",
        "requests decoding / time of a step",
        grouped(batch) + " / " + json::number_text(speed.tpot_s.best) + " s",
        speed.decode_tokens_per_s.best, "tokens/s", "step times, core/data/speed_constants.json");
    add_whole(StepGroup::speed,
              "Above this many requests a step is bound by arithmetic and no longer by reading.",
              "ridge_batch",
              "requests at which multiplying by the weights takes as long as reading them",
              grouped(speed.ridge_batch), speed.ridge_batch, "requests",
              "step times, core/data/speed_constants.json");
  }

  std::vector<Derived> in_order() {
    const Order order = order_of(request_.engine->name);
    const auto place = [&](const Derived& derived) {
      return std::find(order.begin(), order.end(), derived.group) - order.begin();
    };
    std::stable_sort(steps_.begin(), steps_.end(),
                     [&](const Derived& a, const Derived& b) { return place(a) < place(b); });
    return std::move(steps_);
  }

  const Request& request_;
  const Report& report_;
  const MemoryPlan& plan_;
  std::vector<Derived> steps_;
};

}  // namespace

std::vector<Derived> explain(const Request& request, const Report& report) {
  return Deriver(request, report).derive();
}

}  // namespace ridgepoint::plan
