#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/sglang/static_fraction.hpp"
#include "engine/sglang/version.hpp"

namespace ridgepoint::engine::sglang {

/// How states of recurrent layers are kept.
struct StateSettings {
  std::optional<std::uint64_t> max_mamba_cache_size;
  double full_memory_ratio = 0.9;       ///< state memory for each part of KV memory
  std::uint64_t slots_per_request = 3;  ///< states a running request may hold
  bool float32 = true;                  ///< of the recurrent part
};

/// How tokens are proposed.
struct DraftSettings {
  Speculation speculation = Speculation::none;
  std::uint64_t steps = 0;
  std::uint64_t topk = 0;
  std::uint64_t tokens = 0;  ///< checked at once
  std::uint64_t layers = 0;  ///< of the draft that cache
  bool own_model = false;    ///< model.draft, not the model's own prediction layers
};

/// `sglang serve` as it will run: every flag read, every default of version and card filled in.
struct Settings {
  Version version;
  Parallelism parallelism;  ///< tensor: all ranks that share a layer; data: replicas or groups
  bool data_parallel_attention = false;
  std::uint64_t attention_tensor = 1;  ///< ranks that share one group's attention
  std::uint64_t expert_ranks = 1;
  std::uint64_t dense_tensor = 1;  ///< ranks that share dense feed-forward layers
  bool head_by_group = false;      ///< the vocabulary's head is divided within a group
  bool deepep = false;

  double mem_fraction_static = 0;
  bool fraction_given = false;
  StaticFraction fraction;   ///< how the default came about
  double late_factor = 1.0;  ///< of mem_fraction_static already: aiter, old multimodal models
  std::uint64_t gpu_mib = 0;

  std::uint64_t chunk = 0;  ///< tokens a prefill step of one group; 0: chunking is off
  std::uint64_t max_prefill_tokens = 16384;
  std::uint64_t context_length = 0;
  std::string length_refusal;  ///< why the length is refused; empty when it is not
  std::uint64_t context = 0;   ///< the length asked about
  std::optional<std::uint64_t> max_running_requests;
  std::optional<std::uint64_t> max_total_tokens;
  std::uint64_t page_size = 1;

  precision::Dtype dtype = precision::Dtype::bfloat16;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  std::string quantization;  ///< the flag, empty when not given
  std::string attention_backend;
  bool radix_cache = true;
  bool overlap = true;
  bool window_pools = false;
  double swa_full_tokens_ratio = 0.8;
  bool symmetric_memory = false;
  StateSettings state;
  DraftSettings draft;
  std::vector<std::uint64_t> decode_graphs;
  std::vector<std::uint64_t> prefill_graphs;
  std::vector<std::string> assumptions;
};

/// Reads flags, version, card count and workload. Errors name `engine.args.<flag>`,
/// `engine.version`, `engine.env.<name>`, `gpu.count` or `workload.context`. Sources: SGLang 0.4.0
/// to 0.5.17 server_args.py, configs/model_config.py.
Result<Settings> read_settings(const Inputs& inputs);

/// The longest length the model claims, in tokens, or 2048 where it claims none. Source: SGLang
/// 0.5.17 hf_transformers_utils.py, get_context_length (rope factors multiply, but not where the
/// scaled length is in the config).
std::uint64_t derived_context_length(const model::ModelSpec& spec);

}  // namespace ridgepoint::engine::sglang
