#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/vllm/era.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/version.hpp"

namespace ridgepoint::engine::vllm {

/// `vllm serve` as it will run: every flag read, every default of the version and card filled in.
struct Settings {
  Version version;
  Era era;
  Parallelism parallelism;
  double gpu_memory_utilization = 0.9;
  std::optional<std::uint64_t> kv_cache_memory_bytes;
  std::optional<std::uint64_t> num_gpu_blocks_override;
  std::uint64_t max_model_len = 0;
  std::string length_refusal;  ///< why vLLM refuses the length; empty when it does not
  bool auto_length = false;    ///< `--max-model-len auto`: shrink to what fits
  std::uint64_t max_num_batched_tokens = 0;
  std::uint64_t max_num_seqs = 0;
  std::optional<std::uint64_t> block_size;
  precision::Dtype dtype = precision::Dtype::bfloat16;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  std::string quantization;  ///< the flag, empty when not given
  bool enforce_eager = false;
  bool chunked_prefill = true;
  bool sliding_window = true;
  bool hybrid_manager = true;
  MambaMode mamba_mode = MambaMode::none;  ///< how the states of hybrid models are kept
  bool async_scheduling = false;
  bool model_runner_v2 = false;
  bool charges_graphs = false;         ///< subtracts its estimate of the CUDA graphs from the pool
  std::uint64_t max_capture_size = 0;  ///< 0: no CUDA graphs
  std::uint64_t piecewise_graphs = 0;
  std::uint64_t full_graphs = 0;
  std::uint64_t context = 0;  ///< the length asked about
  std::vector<std::string> assumptions;
};

/// Reads flags, version, card count and workload. Errors name `engine.args.<flag>`,
/// `engine.version`, `gpu.count` or `workload.context`. Sources: vLLM 0.9 to 0.28
/// engine/arg_utils.py, config/vllm.py, config/model.py.
Result<Settings> read_settings(const Inputs& inputs);

/// The longest length the model allows: the least position key, times its rope scaling.
/// Source: vLLM 0.28 config/model.py, _get_and_verify_max_len.
std::uint64_t derive_max_model_len(const model::ModelSpec& spec);

/// Tokens that may be in flight beyond what is cached, which widens windowed layers' need
/// (config/vllm.py, max_in_flight_tokens; doubled with asynchronous scheduling since 0.26).
std::uint64_t in_flight_tokens(const Settings& settings);

}  // namespace ridgepoint::engine::vllm
