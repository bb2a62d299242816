#pragma once

#include <cstdint>
#include <vector>

namespace ridgepoint::engine {

/// By whose rules requests are put into steps.
enum class Scheduler : std::uint8_t {
  vllm_v1,                 ///< decodes and prompt chunks share a step; recomputes what it preempts
  vllm_v0,                 ///< a step of prompts, or a step of decodes
  sglang,                  ///< prompts first, in steps of their own; reserves a share of the output
  trtllm_no_evict,         ///< admits only what fits with its whole output
  trtllm_max_utilization,  ///< admits what fits now, and preempts
  llamacpp,                ///< slots that share one cache; prompts join the decodes
};

/// How one version of an engine puts requests into steps, by its flags. Lengths are in tokens, of
/// one data-parallel replica.
struct Schedule {
  Scheduler scheduler = Scheduler::vllm_v1;
  std::uint64_t max_num_seqs = 256;
  std::uint64_t max_num_batched_tokens = 2048;  ///< of one step
  std::uint64_t max_model_len = 0;              ///< 0: none
  std::uint64_t block_tokens = 16;
  bool chunked_prefill = true;
  std::uint64_t chunk_tokens = 0;  ///< the most of one prompt in a step; 0: the step's
  bool mixed = true;               ///< prompts and decodes share a step
  bool prefix_caching = true;
  bool overlapped = true;        ///< the next step is planned while one runs
  double watermark = 0;          ///< share of the blocks kept free when a request is admitted
  double conservativeness = 1;   ///< SGLang: schedule-conservativeness
  std::uint64_t slots = 0;       ///< llama.cpp: -np; else 0
  std::uint64_t replicas = 1;    ///< data parallel
  std::uint64_t front_ends = 1;  ///< processes that read prompts and send tokens
  std::uint64_t stages = 1;      ///< that compute a batch each at the same time
  bool graphs = true;            ///< decode steps run as recorded graphs …
  std::vector<std::uint64_t> captured;  ///< … of these batch sizes, rising; empty: of every size
};

}  // namespace ridgepoint::engine
