#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cache/geometry.hpp"
#include "engine/engine.hpp"
#include "engine/vllm/era.hpp"
#include "engine/vllm/planner.hpp"
#include "engine/vllm/version.hpp"

namespace ridgepoint::engine::vllm {

enum class SpeculationKind : std::uint8_t {
  none,
  mtp,       ///< the checkpoint's own prediction layers
  draft,     ///< a model beside it (EAGLE, a draft model, DFlash): Inputs::draft
  no_model,  ///< n-grams, suffixes: nothing on the GPU
};

struct Speculation {
  SpeculationKind kind = SpeculationKind::none;
  std::string method;
  std::uint64_t tokens = 0;           ///< drafted a step
  std::uint64_t tensor_parallel = 0;  ///< of the draft; 0: the model's
  bool shares_embedding = true;       ///< the draft has no tables of its own

  [[nodiscard]] bool drafts() const {
    return kind == SpeculationKind::mtp || kind == SpeculationKind::draft;
  }
};

/// Slots for LoRA adapters; `max_loras` is 0 when none are served.
struct LoraSlots {
  std::uint64_t max_loras = 0;
  std::uint64_t max_lora_rank = 16;
  bool fully_sharded = false;
};

/// What of images, videos and sounds the engine prepares for.
struct Media {
  bool enabled = true;          ///< false: the towers are not loaded
  bool profiled = true;         ///< the profile run encodes the largest items
  bool encoder_whole = false;   ///< --mm-encoder-tp-mode data
  std::uint64_t items = 0;      ///< of one kind in a prompt, where limited; 0: by the batch
  std::uint64_t ipc_bytes = 0;  ///< --mm-ipc-gpu-memory-gb
};

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
  std::vector<std::uint64_t> plain_cache_layers;  ///< left in the model's dtype
  bool plain_cache_windows = false;
  cache::StateFormat state_format;
  std::string quantization;  ///< the flag, empty when not given
  bool enforce_eager = false;
  bool compiles = true;  ///< torch.compile runs at start-up
  bool chunked_prefill = true;
  bool sliding_window = true;
  bool hybrid_manager = true;
  MambaMode mamba_mode = MambaMode::none;  ///< how the states of hybrid models are kept
  std::uint64_t mamba_block_size = 0;      ///< as given; 0: by the model
  std::uint64_t decode_context_parallel = 1;
  std::uint64_t redundant_experts = 0;
  std::uint64_t cpu_offload_bytes = 0;      ///< of weights, a GPU
  std::string attention_backend;            ///< as given, upper case; empty: by card and model
  std::vector<std::uint64_t> stage_layers;  ///< layers of each pipeline stage, where given
  Speculation speculation;
  LoraSlots lora;
  Media media;
  bool async_scheduling = false;
  bool model_runner_v2 = false;
  bool charges_graphs = false;         ///< subtracts its estimate of the CUDA graphs from the pool
  std::uint64_t max_capture_size = 0;  ///< 0: no CUDA graphs
  std::vector<std::uint64_t> capture_sizes;
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
