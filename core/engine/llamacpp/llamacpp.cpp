#include "engine/llamacpp/llamacpp.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "engine/llamacpp/budget.hpp"
#include "engine/llamacpp/constants.hpp"
#include "engine/llamacpp/fit.hpp"
#include "engine/llamacpp/ledger.hpp"
#include "engine/llamacpp/report_steps.hpp"
#include "engine/llamacpp/settings.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using model::AttentionKind;
using precision::KvFormat;

constexpr std::uint64_t kMostSlots = 256;
constexpr std::uint64_t kLengthStep = 32;

/// The name of a cache's format in a report.
struct CacheFormat {
  KvFormat format = KvFormat::model_dtype;
  precision::Dtype dtype = precision::Dtype::float16;
};

CacheFormat cache_format(const GgmlType& type) {
  constexpr std::pair<std::string_view, KvFormat> kQuantised[] = {
      {"Q8_0", KvFormat::q8_0}, {"Q5_1", KvFormat::q5_1}, {"Q5_0", KvFormat::q5_0},
      {"Q4_1", KvFormat::q4_1}, {"Q4_0", KvFormat::q4_0}, {"IQ4_NL", KvFormat::iq4_nl}};
  for (const auto& [name, format] : kQuantised) {
    if (type.name == name) {
      return {format, precision::Dtype::float16};
    }
  }
  return {KvFormat::model_dtype, type.name == "F32"    ? precision::Dtype::float32
                                 : type.name == "BF16" ? precision::Dtype::bfloat16
                                                       : precision::Dtype::float16};
}

std::string in_mib(std::uint64_t bytes) {
  const std::uint64_t hundredths = (bytes * 25 + (1U << 17U)) >> 18U;
  const std::string rest = std::to_string(hundredths % 100);
  return worded({grouped(hundredths / 100), ".", (rest.size() < 2 ? "0" : ""), rest, " MiB"});
}

std::uint64_t most_experts(const model::ModelSpec& spec) {
  std::uint64_t most = 0;
  for (const model::Layer& layer : spec.layers) {
    most = std::max(most, layer.feed_forward.num_experts);
  }
  return most;
}

std::uint64_t minus(std::uint64_t a, std::uint64_t b) { return a > b ? a - b : 0; }

/// Sizes whose products could pass 64 bits, far beyond any machine.
Check refuse_absurd(const Inputs& inputs, const Settings& settings) {
  constexpr double kMost = 1e18;
  const auto context =
      static_cast<double>(settings.ctx_size.value_or(settings.train_context) + kMostSlots * 256);
  const auto tokens = static_cast<double>(settings.ubatch);
  const double cache =
      (static_cast<double>(token_bytes(settings, inputs.model).all) + 1) * context * kMostSlots;
  double heads = 1;
  double width = 1;
  for (const model::Layer& layer : inputs.model.layers) {
    const model::FeedForward& f = layer.feed_forward;
    heads = std::max({heads, static_cast<double>(layer.attention.num_attention_heads),
                      static_cast<double>(layer.attention.indexer.heads)});
    width = std::max({width, static_cast<double>(f.intermediate_size),
                      static_cast<double>(f.num_experts_per_tok) *
                          (static_cast<double>(inputs.model.hidden_size) +
                           static_cast<double>(f.moe_intermediate_size))});
  }
  const double states = static_cast<double>(state_bytes(inputs.model)) *
                        static_cast<double>(kMostSlots * settings.state_copies);
  if (cache > kMost || states > kMost || context * tokens * heads * 16 > kMost ||
      width * tokens * 16 > kMost) {
    return Error{"bad_value",
                 worded({"A context of ", grouped(static_cast<std::uint64_t>(context)),
                         " tokens of this model is beyond any machine."}),
                 settings.ctx_size_given ? "engine.args.ctx-size" : "workload.context"};
  }
  return std::nullopt;
}

/// Puts one request together from its parts.
class PlanBuilder {
 public:
  PlanBuilder(const Inputs& inputs, Settings settings)
      : inputs_(inputs), settings_(std::move(settings)), projector_(inputs_, settings_) {}

  MemoryPlan build() {
    overhead_ = context_overhead(inputs_, settings_);
    widen_overhead();
    available_ = inputs_.device.free_bytes.value_or(inputs_.device.total_bytes);
    const std::uint64_t experts = most_experts(inputs_.model);
    fitted_ = fit_to_memory(projector_, settings_, minus(available_, overhead_.best), experts);
    projection_ = projector_.project(settings_, fitted_.placement, fitted_.context);
    fill_terms();
    fill_pools();
    fill_geometry();
    plan_.charges = charges_of(settings_, plan_, fitted_, projection_.tightest, available_);
    fill_capacity();
    judge();
    say_assumptions();
    if (inputs_.explain) {
      plan_.steps = explain(inputs_, settings_, projection_, fitted_, projector_.model(), plan_);
    }
    return std::move(plan_);
  }

 private:
  [[nodiscard]] const DeviceMemory& tightest() const {
    return projection_.devices[projection_.tightest];
  }

  [[nodiscard]] Bytes ranged(std::uint64_t bytes, std::string_view name) const {
    const Constant& ratio = constant(name, settings_.version.build);
    return in_bytes(ratio, static_cast<double>(bytes));
  }

  void widen_overhead() {
    if (settings_.version.nearest_rules && !inputs_.measured.non_torch_bytes) {
      overhead_.high = overhead_.high + overhead_.high / 2;
      overhead_.basis = Basis::assumed;
    }
  }

  [[nodiscard]] Bytes weight_bytes() const {
    const std::uint64_t bytes = tightest().model;
    if (inputs_.measured.weights_bytes) {
      return as_measured(bytes);
    }
    if (inputs_.draft != nullptr || projection_.projector_bytes != 0) {
      return ranged(bytes, "weights_with_other_files");
    }
    switch (projector_.model().source) {
      case WeightSource::gguf:
        return exactly(bytes);
      case WeightSource::publishers:
        return ranged(bytes, "weights_of_publishers_mix");
      case WeightSource::mix:
        return ranged(
            bytes, settings_.mix->name.starts_with("IQ") ? "weights_of_iq_mix" : "weights_of_mix");
      case WeightSource::converted:
        return ranged(bytes, "weights_converted");
    }
    return exactly(bytes);
  }

  /// Graphs of some designs are followed less closely than a plain decoder's.
  [[nodiscard]] std::string_view compute_range() const {
    const model::ModelSpec& spec = inputs_.model;
    if (spec.has(AttentionKind::compressed)) {
      return "compute_of_compressed_attention";
    }
    if (spec.stateful() || spec.latent()) {
      return "compute_of_other_designs";
    }
    if (settings_.devices > 1 || fitted_.placement.overrides ||
        plan_.host_bytes != plan_.host_table_bytes || inputs_.draft != nullptr) {
      return "compute_of_spread_models";
    }
    return spec.moe() ? "compute_of_mixtures" : "compute_of_plain_models";
  }

  [[nodiscard]] Bytes compute_bytes() const {
    if (inputs_.measured.activation_bytes) {
      return as_measured(*inputs_.measured.activation_bytes);
    }
    Bytes bytes = ranged(tightest().compute, compute_range());
    if (settings_.version.nearest_rules) {
      bytes.low -= bytes.low / 8;
      bytes.high += bytes.high / 8;
      bytes.basis = Basis::assumed;
    }
    return bytes;
  }

  [[nodiscard]] Bytes pool_bytes() const {
    if (inputs_.measured.kv_pool_bytes) {
      return as_measured(*inputs_.measured.kv_pool_bytes);
    }
    Bytes bytes = exactly(tightest().context());
    if (fitted_.changed_context || fitted_.changed_layers) {
      bytes.low = fitted_pool(
          plan_.weights.high - plan_.weights.best + overhead_.high - overhead_.best, true);
      bytes.high = fitted_pool(
          plan_.weights.best - plan_.weights.low + overhead_.best - overhead_.low, false);
      bytes.low = std::min(bytes.low, bytes.best);
      bytes.high = std::max(bytes.high, bytes.best);
      bytes.basis = weaker(plan_.weights.basis, overhead_.basis);
      bytes.starts = std::max(plan_.weights.starts, overhead_.starts);
    }
    if (settings_.version.nearest_rules) {
      bytes.basis = Basis::assumed;
    }
    return bytes;
  }

  /// The pool that --fit makes when this much more or less is free.
  [[nodiscard]] std::uint64_t fitted_pool(std::uint64_t bytes, bool less) const {
    const std::uint64_t usual = minus(available_, overhead_.best);
    const Fitted other =
        fit_to_memory(projector_, settings_, less ? minus(usual, bytes) : usual + bytes,
                      most_experts(inputs_.model));
    const Projection p = projector_.project(settings_, other.placement, other.context);
    return p.devices[p.tightest].context();
  }

  void fill_terms() {
    plan_.version = settings_.version.text;
    const bool cut =
        settings_.split_mode == SplitMode::row || settings_.split_mode == SplitMode::tensor;
    (cut ? plan_.parallelism.tensor : plan_.parallelism.pipeline) = settings_.devices;
    plan_.total_bytes = inputs_.device.total_bytes;
    plan_.host_bytes = projection_.weights.host_bytes + projection_.host_cache_bytes;
    plan_.host_table_bytes = projection_.weights.host_tables_bytes;
    plan_.weights = weight_bytes();
    plan_.activation = compute_bytes();
    plan_.cuda_graphs = exactly<std::uint64_t>(0);
    plan_.cuda_graphs_charged = exactly<std::uint64_t>(0);
    plan_.non_torch = overhead_;
    plan_.kv_pool = pool_bytes();
    plan_.weights_by_part = projection_.weights.by_part[projection_.tightest];
  }

  void fill_pools() {
    const DeviceMemory& memory = tightest();
    const auto add = [&](std::string name, std::uint64_t bytes, std::uint64_t slots,
                         std::uint64_t window = 0) {
      if (bytes != 0) {
        plan_.pools.push_back({std::move(name), exactly(bytes), slots, window});
      }
    };
    const Cells& cells = projection_.cells;
    add("full attention", memory.full_cache, cells.full * cells.streams);
    add("sliding window", memory.window_cache, cells.windowed * cells.streams, cells.windowed);
    add("recurrent state", memory.state, settings_.parallel * settings_.state_copies);
    add("draft", memory.draft_cache, cells.full * cells.streams);
  }

  void fill_geometry() {
    const Cells& cells = projection_.cells;
    const CacheFormat format = cache_format(*settings_.type_k);
    plan_.kv_format = format.format;
    plan_.dtype = format.dtype;
    const TokenBytes tokens = token_bytes(settings_, inputs_.model);
    plan_.bytes_per_token = tokens.all;
    plan_.growing_bytes_per_token = tokens.growing;
    if (settings_.swa_full || !has_rule("window_cache", settings_.version.build)) {
      plan_.growing_bytes_per_token = tokens.all;
    }
    plan_.state_bytes_per_request = state_bytes(inputs_.model) * settings_.state_copies;
    plan_.block_tokens = 1;
    plan_.max_model_len = std::min(cells.slot, settings_.train_context);
    plan_.context = settings_.context == 0 ? plan_.max_model_len : settings_.context;
    const std::uint64_t kept =
        cells.windowed < cells.full ? std::min(plan_.context, cells.windowed) : plan_.context;
    plan_.bytes_per_request =
        plan_.growing_bytes_per_token * plan_.context +
        (tokens.all - std::min(tokens.all, plan_.growing_bytes_per_token)) * kept +
        plan_.state_bytes_per_request;
    plan_.max_num_seqs = settings_.parallel;
    plan_.max_num_batched_tokens = settings_.batch;
  }

  /// Whether a start with these settings stays within `room` bytes of every device.
  [[nodiscard]] bool fits(const Settings& settings, std::uint64_t context,
                          std::uint64_t room) const {
    const Projection p = projector_.project(settings, fitted_.placement, context);
    const DeviceMemory& memory = p.devices[p.tightest];
    const auto& measured = inputs_.measured.activation_bytes;
    return memory.total() - memory.compute + measured.value_or(memory.compute) <= room;
  }

  [[nodiscard]] std::uint64_t slots_at(std::uint64_t length) const {
    const Cells& cells = projection_.cells;
    if (length == 0 || length > plan_.max_model_len) {
      return 0;
    }
    if (cells.streams == 1 && settings_.shares_cells) {
      return std::min(settings_.parallel, cells.full / length);
    }
    return settings_.parallel;
  }

  /// Slots of `length` tokens each that the memory would hold, each with a cache of its own.
  [[nodiscard]] std::uint64_t slots_that_fit(std::uint64_t length, std::uint64_t room) const {
    std::uint64_t low = 0;
    std::uint64_t high = kMostSlots + 1;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      Settings asked = settings_;
      asked.parallel = middle;
      asked.unified = !has_rule("streams", settings_.version.build);
      asked.shares_cells = middle == 1;
      (fits(asked, length * middle, room) ? low : high) = middle;
    }
    return low;
  }

  /// The caches of one slot of the length asked about, with no other beside it.
  [[nodiscard]] std::uint64_t slot_bytes() const {
    Settings alone = settings_;
    alone.parallel = 1;
    alone.unified = !has_rule("streams", settings_.version.build);
    alone.shares_cells = true;
    const Projection p = projector_.project(alone, fitted_.placement, plan_.context);
    return p.devices[projection_.tightest].context();
  }

  [[nodiscard]] std::uint64_t longest_slot(std::uint64_t room) const {
    const std::uint64_t slots = settings_.shares_cells ? 1 : settings_.parallel;
    if (fits(settings_, settings_.train_context * slots, room)) {
      return settings_.train_context;
    }
    std::uint64_t low = 0;
    std::uint64_t high = settings_.train_context / kLengthStep + 1;
    while (high - low > 1) {
      const std::uint64_t middle = low + (high - low) / 2;
      (fits(settings_, middle * kLengthStep * slots, room) ? low : high) = middle;
    }
    return low * kLengthStep;
  }

  void fill_capacity() {
    const Cells& cells = projection_.cells;
    const Basis basis = plan_.kv_pool.basis;
    const std::uint32_t starts = plan_.kv_pool.starts;
    const std::uint64_t tokens = cells.full * cells.streams;
    const auto scaled = [&](std::uint64_t bytes) {
      return plan_.kv_pool.best == 0
                 ? tokens
                 : static_cast<std::uint64_t>(
                       static_cast<double>(tokens) *
                       (static_cast<double>(bytes) / static_cast<double>(plan_.kv_pool.best)));
    };
    plan_.tokens = {scaled(plan_.kv_pool.low), tokens, scaled(plan_.kv_pool.high), basis, starts};
    plan_.blocks = plan_.tokens;
    const double slots = cells.streams == 1 && settings_.shares_cells
                             ? static_cast<double>(cells.full) /
                                   static_cast<double>(std::max<std::uint64_t>(1, cells.slot))
                             : static_cast<double>(settings_.parallel);
    plan_.max_concurrency = {slots, slots, slots, basis, starts};
    const std::uint64_t spent = overhead_.best;
    const std::uint64_t room = minus(available_, spent);
    const std::uint64_t less = (plan_.weights.high - plan_.weights.best) +
                               (plan_.activation.high - plan_.activation.best) +
                               (overhead_.high - overhead_.best);
    const std::uint64_t more = (plan_.weights.best - plan_.weights.low) +
                               (plan_.activation.best - plan_.activation.low) +
                               (overhead_.best - overhead_.low);
    plan_.max_context = inputs_.longest ? longest_slot(room) : 0;
    if (settings_.ctx_size_given || settings_.parallel_given || settings_.context == 0 ||
        inputs_.workload.in_every_slot) {
      const std::uint64_t slots_now = slots_at(plan_.context);
      plan_.max_requests = {slots_now, slots_now, slots_now, basis, starts};
      plan_.holding =
          holding_of(settings_, plan_, cells, {true, slots_now, settings_.parallel, slot_bytes()});
      return;
    }
    plan_.max_requests = {slots_that_fit(plan_.context, minus(room, less)),
                          slots_that_fit(plan_.context, room),
                          slots_that_fit(plan_.context, room + more),
                          weaker(plan_.weights.basis, plan_.activation.basis),
                          std::max(plan_.weights.starts, plan_.activation.starts)};
    const std::uint64_t best = plan_.max_requests.best;
    plan_.holding = holding_of(settings_, plan_, cells, {false, best, kMostSlots, slot_bytes()});
    if (best > 0) {
      plan_.assumptions.push_back(
          worded({("Neither --ctx-size nor --parallel is given: the requests at once are those of "
                   "--ctx-size "),
                  grouped(best * plan_.context), " --parallel ", grouped(best),
                  ", the most the memory holds; the cache shown is that of one length."}));
    }
  }

  void refuse(Limit limit, std::string text) {
    plan_.limit = limit;
    plan_.limit_text = std::move(text);
    plan_.max_requests = {0, 0, 0, plan_.max_requests.basis, plan_.max_requests.starts};
  }

  /// llama.cpp's words where a buffer cannot be had.
  [[nodiscard]] std::string no_room(std::string_view what, std::uint64_t bytes) const {
    return worded({"ggml_backend_cuda_buffer_type_alloc_buffer: allocating ", in_mib(bytes),
                   " on device ", projection_.tightest, ": cudaMalloc failed: out of memory (",
                   what, ")."});
  }

  void judge() {
    const std::uint64_t needed =
        plan_.weights.best + plan_.kv_pool.best + plan_.activation.best + plan_.non_torch.best;
    plan_.needed_bytes = needed;
    plan_.available_bytes = available_;
    if (needed > available_) {
      const std::uint64_t with_weights = plan_.weights.best + plan_.non_torch.best;
      const bool only_free = inputs_.device.free_bytes && needed <= inputs_.device.total_bytes;
      if (only_free) {
        refuse(Limit::free_memory,
               worded({"The start needs ", in_gib(needed), " of a card, and of its ",
                       in_gib(inputs_.device.total_bytes), " only ", in_gib(available_),
                       " are free: ", no_room("out of device memory", needed)}));
      } else if (with_weights > available_) {
        refuse(Limit::weights, no_room("unable to allocate the model buffer", plan_.weights.best));
      } else if (with_weights + plan_.kv_pool.best > available_) {
        refuse(Limit::kv_pool,
               no_room("failed to allocate buffer for kv cache", plan_.kv_pool.best));
      } else {
        refuse(Limit::kv_pool,
               no_room("failed to allocate compute buffers", plan_.activation.best));
      }
      return;
    }
    if (plan_.context > plan_.max_model_len) {
      refuse(Limit::context, worded({"request (", grouped(plan_.context),
                                     " tokens) exceeds the available context size (",
                                     grouped(plan_.max_model_len), " tokens), try increasing it"}));
      return;
    }
    const std::uint64_t at_most =
        plan_.weights.high + plan_.kv_pool.high + plan_.activation.high + plan_.non_torch.high;
    if (at_most > available_ && !settings_.fit) {
      plan_.assumptions.push_back(
          worded({"It is close: at the high end of the ranges the start needs ", in_gib(at_most),
                  " of ", in_gib(available_), "."}));
    }
    // It starts; what verdicts compare with the pool is one request's share of it.
    plan_.needed_bytes = std::min(plan_.kv_pool.low, plan_.bytes_per_request / settings_.devices);
    plan_.available_bytes = plan_.kv_pool.best;
  }

  void say_assumptions() {
    plan_.assumptions.insert(plan_.assumptions.begin(), settings_.assumptions.begin(),
                             settings_.assumptions.end());
    const auto assume = [&](std::string text) { plan_.assumptions.push_back(std::move(text)); };
    if (fitted_.changed_context) {
      assume(worded(
          {"--fit shortens the context to ", grouped(projection_.cells.context), " tokens."}));
    }
    if (fitted_.changed_layers) {
      std::uint64_t on_cards = fitted_.placement.output ? 1 : 0;
      for (const LayerPlace& place : fitted_.placement.layers) {
        on_cards += place.device ? 1 : 0;
      }
      assume(worded({"--fit leaves ", grouped(on_cards), " of ",
                     grouped(fitted_.placement.layers.size() + 1), " layers on the cards",
                     (fitted_.placement.overrides ? ", some without their experts." : ".")}));
    }
    if (!fitted_.refusal.empty()) {
      assume(worded({"--fit gives up: ", fitted_.refusal, "."}));
    }
    if (projection_.cells.slot > settings_.train_context) {
      assume(worded(
          {"The slot context exceeds the training context of the model: the server caps it at ",
           grouped(settings_.train_context), "."}));
    }
    if (!inputs_.adapters.empty()) {
      assume("Adapters are sized as float32 on every linear layer of the decoder.");
    }
    if (settings_.projector) {
      assume(
          "The projector (--mmproj) is sized in 16 bits; what it needs while it encodes an "
          "image is not computed.");
    }
    if (inputs_.draft != nullptr) {
      assume("The draft model is on the first card with a cache of the same length.");
    }
    if (settings_.split_mode == SplitMode::tensor) {
      assume(
          "--split-mode tensor is experimental: weights and caches are taken as divided "
          "evenly.");
    }
    if (!inputs_.device.total_is_measured) {
      assume(worded({"The card's memory is estimated, not read from a driver (",
                     inputs_.device.total_source, "); give gpu.total_bytes to be exact."}));
    }
  }

  const Inputs& inputs_;
  Settings settings_;
  Projector projector_;
  MemoryPlan plan_;
  Bytes overhead_;
  std::uint64_t available_ = 0;
  Fitted fitted_;
  Projection projection_;
};

}  // namespace

Result<MemoryPlan> plan(const Inputs& inputs) {
  auto settings = read_settings(inputs);
  if (!settings) {
    return settings.error();
  }
  if (auto absurd = refuse_absurd(inputs, *settings)) {
    return *std::move(absurd);
  }
  return PlanBuilder(inputs, std::move(settings.value())).build();
}

}  // namespace ridgepoint::engine::llamacpp
