#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/llamacpp/quant_mix.hpp"
#include "engine/llamacpp/version.hpp"
#include "precision/name_expression.hpp"

namespace ridgepoint::engine::llamacpp {

/// How the model is spread over several cards (--split-mode).
enum class SplitMode : std::uint8_t { none, layer, row, tensor };

/// One `pattern=buffer` of --override-tensor.
struct TensorOverride {
  precision::NameExpression expression;  ///< searched for in tensor names
  bool to_host = false;
  std::uint64_t device = 0;
};

/// `llama-server` as it will run: every flag read, every default of the build filled in.
struct Settings {
  Version version;
  std::uint64_t devices = 1;
  SplitMode split_mode = SplitMode::layer;
  std::uint64_t main_gpu = 0;
  std::vector<double> shares;  ///< of each device, as --tensor-split; empty: by free memory
  std::optional<std::uint64_t> gpu_layers;  ///< empty: all, or what --fit leaves
  std::uint64_t cpu_moe_layers = 0;         ///< whose experts stay with the CPU
  std::uint64_t cpu_ffn_layers = 0;         ///< whose dense networks do
  std::vector<TensorOverride> overrides;
  const GgmlType* type_k = nullptr;  ///< never null once read
  const GgmlType* type_v = nullptr;
  bool flash = true;
  std::optional<std::uint64_t> ctx_size;  ///< given, 0 read as the model's own; empty: not given
  bool ctx_size_given = false;            ///< by a flag, not by the workload
  std::uint64_t parallel = 1;
  bool parallel_given = false;
  bool unified = false;       ///< one cache for all slots
  bool shares_cells = false;  ///< a slot may use the whole of it
  std::uint64_t batch = 2048;
  std::uint64_t ubatch = 512;
  bool swa_full = false;
  bool kv_offload = true;
  bool op_offload = true;
  bool fit = false;
  std::vector<std::uint64_t> fit_target_bytes;  ///< of each device
  std::uint64_t fit_ctx = 4096;
  bool limited_outputs = false;  ///< logits of one token a slot, not of every token
  std::uint64_t draft_tokens = 0;
  std::uint64_t state_copies = 1;  ///< of a recurrent state: rollback keeps some
  bool mtp = false;                ///< the model's own layers draft
  std::uint64_t draft_gpu_layers = ~0ULL;
  const GgmlType* draft_type_k = nullptr;
  const GgmlType* draft_type_v = nullptr;
  bool projector = false;  ///< --mmproj, on the main card
  std::optional<Mix> mix;
  std::optional<Mix> draft_mix;
  std::uint64_t train_context = 0;  ///< the model's own length
  std::uint64_t context = 0;        ///< the length asked about; 0: a slot's own
  std::vector<std::string> assumptions;
};

/// Reads flags, version, card count and workload. Errors name `engine.args.<flag>`,
/// `engine.version`, `gpu.count`. Sources: llama.cpp common/arg.cpp, common/common.h,
/// tools/server/server.cpp at the builds in core/data/llamacpp_constants.json.
Result<Settings> read_settings(const Inputs& inputs);

}  // namespace ridgepoint::engine::llamacpp
