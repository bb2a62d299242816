#include "plan/term_reasons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "estimate_sums.hpp"
#include "plan/change.hpp"
#include "plan/difference_words.hpp"
#include "plan/setup_parts.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::MemoryPlan;

std::int64_t charge_of(const MemoryPlan& memory, std::string_view term) {
  const auto found = std::find_if(memory.charges.begin(), memory.charges.end(),
                                  [&](const engine::Charge& c) { return c.term == term; });
  return found == memory.charges.end() ? 0 : found->bytes;
}

/// "12.5 %" of a card.
std::string percent(std::int64_t bytes, std::uint64_t total) {
  const double share =
      100.0 * static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(1, total));
  return decimal(std::floor(share * 100.0 + 0.5) / 100.0) + " %";
}

/// The value of a flag, "not given" without it.
std::string flag_state(const Request& request, std::string_view name) {
  const engine::FlagValue* flag = given_flag(request, name);
  return flag == nullptr ? "not given" : value_text(*flag);
}

/// What differs between two setups, each in a few words: a reason names the ones its term follows.
class Causes {
 public:
  Causes(const Setup& from, const Setup& to) : from_(from), to_(to) {}

  Causes& add(const std::string& text) {
    if (!text.empty()) {
      text_ += (text_.empty() ? "" : "; ") + text;
    }
    return *this;
  }

  Causes& differs(const std::string& from, const std::string& to) {
    return from == to ? *this : add(to + " instead of " + from);
  }

  Causes& number(std::string_view what, std::uint64_t from, std::uint64_t to) {
    return from == to ? *this
                      : add(std::string(what) + " " + grouped(to) + " instead of " + grouped(from));
  }

  Causes& model() {
    const model::ModelSpec& a = from_.request.model;
    const model::ModelSpec& b = to_.request.model;
    if (same_model(a, b)) {
      return *this;
    }
    const std::string from = model_title(a);
    const std::string to = model_title(b);
    return from == to ? add("another config or checkpoint of " + to) : differs(from, to);
  }
  Causes& weights_format() {
    return differs(weights_title(from_.request), weights_title(to_.request));
  }
  Causes& card() {
    return differs(card_title(from_.request.device), card_title(to_.request.device));
  }
  Causes& parallel() {
    return differs(parallel_title(from_.memory.parallelism),
                   parallel_title(to_.memory.parallelism));
  }
  Causes& engine() {
    if (from_.request.engine != to_.request.engine) {
      return add("by the rules of " + engine_title(to_.request, to_.memory.version) +
                 " instead of " + engine_title(from_.request, from_.memory.version));
    }
    return from_.memory.version == to_.memory.version
               ? *this
               : add("by the rules of " + engine_title(to_.request, to_.memory.version) +
                     " instead of " + from_.memory.version);
  }
  /// Of vLLM and SGLang, what is outside PyTorch does not follow the tokens of a step.
  Causes& batched_of_trtllm() {
    const bool either =
        from_.request.engine->name == "trtllm" || to_.request.engine->name == "trtllm";
    return either ? batched() : *this;
  }
  Causes& batched() {
    return number("tokens a step", from_.memory.max_num_batched_tokens,
                  to_.memory.max_num_batched_tokens);
  }
  Causes& sequences() {
    return number("sequences at once", from_.memory.max_num_seqs, to_.memory.max_num_seqs);
  }
  Causes& length() {
    return number("a maximum length of", from_.memory.max_model_len, to_.memory.max_model_len);
  }
  Causes& cache_format() {
    return differs(cache_title(from_.memory) + " cache", cache_title(to_.memory) + " cache");
  }
  Causes& host() {
    const std::uint64_t a = from_.memory.host_bytes;
    const std::uint64_t b = to_.memory.host_bytes;
    return a == b ? *this
                  : add(gib(b) + " left in the machine's memory instead of " +
                        (a == 0 ? "none" : gib(a)));
  }
  Causes& flags(std::initializer_list<std::string_view> names) {
    if (from_.request.engine != to_.request.engine) {
      return *this;
    }
    for (const std::string_view name : names) {
      if (name.empty() || engine::find_flag(from_.request.engine->flags(), name) == nullptr) {
        continue;
      }
      const std::string a = flag_state(from_.request, name);
      const std::string b = flag_state(to_.request, name);
      if (a != b) {
        std::string text = "--";
        text += name;
        text += ' ';
        text += b;
        text += " instead of ";
        text += a;
        add(text);
      }
    }
    return *this;
  }
  Causes& measured(const std::optional<std::uint64_t> engine::Measured::*term) {
    const auto& a = from_.request.measured.*term;
    const auto& b = to_.request.measured.*term;
    if (a.has_value() != b.has_value()) {
      add(b ? "measured instead of predicted" : "predicted instead of measured");
    } else if (a != b) {
      add("as measured on each");
    }
    return *this;
  }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  const Setup& from_;
  const Setup& to_;
  std::string text_;
};

/// "of which routed experts 3.10 GiB more, attention 0.52 GiB more": the two that differ most.
std::string parts_that_differ(const MemoryPlan& from, const MemoryPlan& to) {
  std::vector<std::pair<std::string, std::int64_t>> parts;
  const auto add = [&](std::string_view name, std::int64_t bytes) {
    const auto known = std::find_if(parts.begin(), parts.end(),
                                    [&](const auto& part) { return part.first == name; });
    if (known == parts.end()) {
      parts.emplace_back(std::string(name), bytes);
    } else {
      known->second += bytes;
    }
  };
  for (const auto& [name, bytes] : from.weights_by_part) {
    add(name, -static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, 1ULL << 59U)));
  }
  for (const auto& [name, bytes] : to.weights_by_part) {
    add(name, static_cast<std::int64_t>(std::min<std::uint64_t>(bytes, 1ULL << 59U)));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
    return magnitude(a.second) > magnitude(b.second);
  });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, parts.size()); ++i) {
    auto& [name, bytes] = parts[i];
    if (bytes == 0) {
      break;
    }
    std::replace(name.begin(), name.end(), '_', ' ');
    text += (text.empty() ? "of which " : ", ") + name + " " + gib(magnitude(bytes)) +
            (bytes > 0 ? " more" : " less");
  }
  return text;
}

/// Graphs that one version subtracts and the other only makes.
std::string graph_rule(const Setup& from, const Setup& to) {
  const auto uncharged = [](const MemoryPlan& memory) {
    return memory.cuda_graphs.best != 0 && memory.cuda_graphs_charged.best == 0;
  };
  const bool a = uncharged(from.memory);
  const bool b = uncharged(to.memory);
  if (a == b) {
    return {};
  }
  const Setup& without = a ? from : to;
  return engine_title(without.request, without.memory.version) +
         " does not subtract its CUDA graphs from the pool";
}

/// An engine that keeps activations out of the pool's account.
std::string uncharged_activation(const Setup& from, const Setup& to) {
  for (const Setup* setup : {&from, &to}) {
    const MemoryPlan& memory = setup->memory;
    if (memory.activation.best != 0 && charge_of(memory, "activation") == 0) {
      return engine_title(setup->request, memory.version) +
             " keeps them in what its share leaves of the card";
    }
  }
  return {};
}

std::string claim_share(const Setup& from, const Setup& to) {
  const std::string a = percent(charge_of(from.memory, "not_claimed"), from.memory.total_bytes);
  const std::string b = percent(charge_of(to.memory, "not_claimed"), to.memory.total_bytes);
  return b + " of the card instead of " + a;
}

std::string other_reasons(std::string_view term, Causes causes) {
  if (term == "shortfall") {
    return "the pool is nothing, not less than nothing";
  }
  if (term == "left_free" || term == "fit_target") {
    return causes.flags({"ctx-size", "parallel", "fit", "fit-target"}).take();
  }
  if (term == "pool_as_set") {
    return causes
        .flags({"kv-cache-memory-bytes", "max-total-tokens", "kv-cache-config.max-tokens",
                "kv-cache-config.max-gpu-total-bytes"})
        .take();
  }
  if (term == "measured_pool") {
    return causes.measured(&engine::Measured::kv_pool_bytes).take();
  }
  if (term == "recurrent_states" || term == "draft_pool") {
    return causes.model()
        .card()
        .engine()
        .parallel()
        .flags({"max-mamba-cache-size", "mamba-full-memory-ratio"})
        .take();
  }
  return causes.model().engine().take();
}

}  // namespace

std::string why_pool_term(std::string_view term, const Setup& from, const Setup& to) {
  Causes causes(from, to);
  const engine::Levers& levers = to.request.engine->levers;
  if (term == "card") {
    return causes.card().take();
  }
  if (term == "not_claimed") {
    causes.flags({levers.memory_share}).engine();
    return causes.add(claim_share(from, to)).take();
  }
  if (term == "other_programs") {
    return "gpu.free_bytes";
  }
  if (term == "weights") {
    causes.model().weights_format().parallel().host().flags(
        {"model", "hf-repo", "hf-file", "n-gpu-layers", "n-cpu-moe"});
    causes.measured(&engine::Measured::weights_bytes);
    if (causes.empty()) {
      causes.engine().length().flags({"enable-lora", "max-loras", "speculative-config"});
    }
    return causes.add(parts_that_differ(from.memory, to.memory)).take();
  }
  if (term == "activation") {
    return causes.measured(&engine::Measured::activation_bytes)
        .add(uncharged_activation(from, to))
        .model()
        .batched()
        .sequences()
        .parallel()
        .engine()
        .flags({levers.no_graphs, "ubatch-size", "ctx-size", "flash-attn"})
        .take();
  }
  if (term == "cuda_graphs_charged") {
    return causes.measured(&engine::Measured::cuda_graphs_bytes)
        .add(graph_rule(from, to))
        .flags({levers.no_graphs})
        .engine()
        .sequences()
        .model()
        .take();
  }
  if (term == "non_torch" || term == "temporary_cache") {
    return causes.measured(&engine::Measured::non_torch_bytes)
        .parallel()
        .card()
        .engine()
        .batched_of_trtllm()
        .take();
  }
  return other_reasons(term, std::move(causes));
}

std::string why_geometry(const Setup& from, const Setup& to) {
  const auto of = [](const Setup& setup) {
    const auto bytes = to_bytes(setup.memory.holding.request_bytes);
    return bytes == 0 ? std::string("nothing") : gib(bytes);
  };
  std::string text =
      "a request of " + grouped(to.memory.context) + " tokens takes " + of(to) + " of a GPU's pool";
  text += from.memory.context == to.memory.context
              ? " instead of " + of(from)
              : ", and one of " + grouped(from.memory.context) + " " + of(from);
  Causes causes(from, to);
  causes.model().cache_format().parallel().engine();
  const std::string why = causes.take();
  return why.empty() ? text : text + ": " + why;
}

std::string why_rule(std::string_view term, const Setup& from, const Setup& to) {
  if (term == "sequence_cap") {
    return Causes(from, to)
        .differs("at most " + grouped(from.memory.max_num_seqs),
                 "at most " + grouped(to.memory.max_num_seqs))
        .take();
  }
  if (term == "not_served") {
    const Setup& refused = to.memory.limit != engine::Limit::none ? to : from;
    return refused.memory.limit_text;
  }
  if (term == "whole_blocks") {
    return Causes(from, to)
        .number("blocks of", from.memory.block_tokens, to.memory.block_tokens)
        .take();
  }
  return {};
}

}  // namespace ridgepoint::plan
