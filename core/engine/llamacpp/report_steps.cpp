#include "engine/llamacpp/report_steps.hpp"

#include <string>
#include <utility>

#include "engine/llamacpp/constants.hpp"
#include "engine/step_list.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

/// Writes the steps; `projection` holds what went in and `plan` what came out.
class StepWriter {
 public:
  StepWriter(const Inputs& inputs, const Settings& settings, const Projection& projection,
             const Fitted& fitted, const LoadedModel& model, const MemoryPlan& plan)
      : inputs_(inputs),
        settings_(settings),
        projection_(projection),
        fitted_(fitted),
        model_(model),
        plan_(plan) {}

  std::vector<Step> write() {
    fit();
    weights();
    cells();
    pools();
    compute();
    overhead();
    total();
    capacity();
    return steps_.take();
  }

 private:
  [[nodiscard]] const DeviceMemory& memory() const {
    return projection_.devices[projection_.tightest];
  }

  void fit() {
    if (!fitted_.changed_context) {
      return;
    }
    steps_.add_whole(
        "fit.context",
        "fit_ctx + (n_ctx_train - fit_ctx) x (free - fit_target - use at fit_ctx) / (use at "
        "n_ctx_train - use at fit_ctx), down to a multiple of 256",
        grouped(settings_.fit_ctx) + " + " + grouped(settings_.train_context - settings_.fit_ctx) +
            " x (free - " + in_gib(settings_.fit_target_bytes.front()) + " - " +
            in_gib(fitted_.use_at_least) + ") / (" + in_gib(fitted_.use_at_full) + " - " +
            in_gib(fitted_.use_at_least) + ")",
        fitted_.context, "tokens", "llama.cpp common/fit.cpp, step 2");
  }

  void weights() {
    if (steps_.add_measured("weights", inputs_.measured.weights_bytes)) {
      return;
    }
    std::uint64_t layers = projection_.placement.output == projection_.tightest ? 1 : 0;
    for (const LayerPlace& place : projection_.placement.layers) {
      layers += place.device == projection_.tightest ? 1 : 0;
    }
    std::string formula = "sum of the tensors of this card's layers in their formats";
    std::string numbers = grouped(layers) + " of " +
                          grouped(projection_.placement.layers.size() + 1) + " layers, " +
                          model_.format;
    for (const auto& [name, bytes] : {std::pair{"draft model", projection_.draft_bytes},
                                      std::pair{"projector", projection_.projector_bytes},
                                      std::pair{"adapters", projection_.adapter_bytes}}) {
      if (bytes != 0) {
        formula += std::string(" + ") + name;
        numbers += " + " + in_gib(bytes);
      }
    }
    steps_.add_whole(
        "weights", std::move(formula), numbers + " = " + in_gib(memory().model), memory().model,
        "bytes",
        model_.source == WeightSource::gguf
            ? "the GGUF's header"
            : "llama.cpp src/llama-quant.cpp (formats), src/llama-model.cpp (layers by device)");
    steps_.add_whole(
        "weights.host", "token_embd and what is not offloaded",
        in_gib(projection_.weights.host_tables_bytes) + " of tables, " +
            in_gib(projection_.weights.host_bytes - projection_.weights.host_tables_bytes) +
            " of layers",
        projection_.weights.host_bytes, "bytes",
        "llama.cpp src/llama-model.cpp: the input layer stays with the CPU");
  }

  void cells() {
    const Cells& cells = projection_.cells;
    steps_.add_whole(
        "cells",
        cells.streams == 1 ? "n_ctx up to a multiple of 256, shared by all slots"
                           : "n_ctx / n_seq_max up to a multiple of 256, for each slot",
        grouped(cells.full) + " x " + grouped(cells.streams), cells.full * cells.streams, "tokens",
        "llama.cpp src/llama-context.cpp (n_ctx_seq), src/llama-kv-cache.cpp");
    if (cells.windowed < cells.full) {
      steps_.add_whole(
          "cells.window", "window x slots that share it + n_ubatch, up to a multiple of 256",
          grouped(cells.windowed) + " x " + grouped(cells.streams), cells.windowed * cells.streams,
          "tokens", "llama.cpp src/llama-kv-cache-iswa.cpp");
    }
  }

  void pools() {
    if (steps_.add_measured("kv_pool", inputs_.measured.kv_pool_bytes)) {
      return;
    }
    const TokenBytes bytes = token_bytes(settings_, inputs_.model);
    steps_.add_whole(
        "bytes_per_token", "K row + V row of every layer that caches, in their formats",
        std::string(settings_.type_k->name) + " and " + std::string(settings_.type_v->name),
        bytes.all, "bytes", "llama.cpp src/llama-kv-cache.cpp");
    for (const Pool& pool : plan_.pools) {
      const bool state = pool.name == "recurrent state";
      steps_.add_whole("kv_pool." + std::string(pool.name == "full attention"   ? "full"
                                                : pool.name == "sliding window" ? "window"
                                                : state                         ? "state"
                                                                                : "draft"),
                       state ? "(R + S in float32) x n_seq_max x (1 + n_rs_seq), this card's layers"
                             : "cells x bytes of a cell, this card's layers",
                       grouped(pool.slots) + (state ? " states" : " cells"), pool.bytes.best,
                       "bytes",
                       state ? "llama.cpp src/llama-memory-recurrent.cpp"
                             : "llama.cpp src/llama-kv-cache.cpp, -iswa, -dsa, -dsv4");
    }
    steps_.add_whole("kv_pool", "sum of this card's caches", in_gib(plan_.kv_pool.best),
                     plan_.kv_pool.best, "bytes", "llama.cpp src/llama-kv-cache.cpp");
  }

  void compute() {
    if (steps_.add_measured("activation", inputs_.measured.activation_bytes)) {
      return;
    }
    const GraphShape& shape = projection_.shape;
    if (shape.has_output) {
      steps_.add_whole(
          "activation.logits", "n_vocab x n_outputs x 4",
          grouped(inputs_.model.vocab_size) + " x " + grouped(shape.outputs) + " x 4",
          logits_bytes(inputs_.model, shape), "bytes",
          settings_.limited_outputs
              ? "llama.cpp tools/server: one output a slot and drafted token"
              : "llama.cpp src/llama-context.cpp: an output for every token of a micro-batch");
    }
    const std::uint64_t wide = shape.flash && shape.half_mask ? 2 : 4;
    steps_.add_whole("activation.mask", "cells x n_ubatch x bytes of a value",
                     grouped(shape.cells) + " x " + grouped(shape.tokens) + " x " + grouped(wide),
                     shape.cells * shape.tokens * wide, "bytes", "llama.cpp src/llama-graph.cpp");
    steps_.add_whole(
        "activation",
        "the allocator's buffer for the graph of n_ubatch tokens, each tensor freed after its "
        "last use",
        grouped(shape.tokens) + " tokens, " + grouped(shape.outputs) +
            " outputs, flash attention " + (shape.flash ? "on" : "off"),
        memory().compute, "bytes", "llama.cpp ggml/src/ggml-alloc.c, src/llama-graph.cpp");
  }

  void overhead() {
    if (steps_.add_measured("non_torch", inputs_.measured.non_torch_bytes)) {
      return;
    }
    steps_.add_whole(
        "non_torch", "driver context, kernels and libraries, outside the buffers",
        in_gib(plan_.non_torch.low) + " to " + in_gib(plan_.non_torch.high), plan_.non_torch.best,
        "bytes",
        "measured: \"unaccounted\" of the memory table, and what drivers show beside the log");
  }

  void total() {
    const std::uint64_t sum =
        plan_.weights.best + plan_.kv_pool.best + plan_.activation.best + plan_.non_torch.best;
    steps_.add_whole("total", "weights + kv_pool + activation + non_torch",
                     in_gib(plan_.weights.best) + " + " + in_gib(plan_.kv_pool.best) + " + " +
                         in_gib(plan_.activation.best) + " + " + in_gib(plan_.non_torch.best),
                     sum, "bytes", "llama.cpp claims nothing beyond what it allocates");
  }

  void capacity() {
    const bool shared = projection_.cells.streams == 1 && settings_.shares_cells;
    steps_.add_whole("max_requests",
                     shared ? "slots, as far as their lengths fit into the shared cells"
                            : "slots whose own cells hold the length",
                     grouped(settings_.parallel) + " slots, " + grouped(projection_.cells.full) +
                         " cells, length " + grouped(plan_.context),
                     plan_.max_requests.best, "requests",
                     "llama.cpp tools/server/server-context.cpp");
  }

  const Inputs& inputs_;
  const Settings& settings_;
  const Projection& projection_;
  const Fitted& fitted_;
  const LoadedModel& model_;
  const MemoryPlan& plan_;
  StepList steps_;
};

}  // namespace

std::vector<Step> explain(const Inputs& inputs, const Settings& settings,
                          const Projection& projection, const Fitted& fitted,
                          const LoadedModel& model, const MemoryPlan& plan) {
  return StepWriter(inputs, settings, projection, fitted, model, plan).write();
}

}  // namespace ridgepoint::engine::llamacpp
