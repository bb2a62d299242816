#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/vllm/version.hpp"
#include "result.hpp"

namespace ridgepoint::engine::vllm {

/// vLLM's KV-cache planner, driven by bare layer specs: what each layer caches and how much memory
/// each worker has in, blocks and capacity out. Source of all rules: vLLM 0.28
/// v1/core/kv_cache_utils.py and v1/kv_cache_interface.py, older rules by PlannerRules.

enum class SpecKind : std::uint8_t {
  full,
  sliding,
  chunked,
  latent,
  sliding_latent,  ///< SlidingWindowMLASpec (DeepSeek-V4): several page sizes share one slab
  mamba,
  cross,
};

/// One layer's cache on one worker. `page` = block_size x bytes_per_token, or the state's bytes.
struct LayerCacheSpec {
  SpecKind kind = SpecKind::full;
  std::uint64_t block_size = 16;      ///< tokens a block
  std::uint64_t bytes_per_token = 0;  ///< this worker's share; mamba: unused
  std::uint64_t kv_heads = 1;         ///< with the dims: specs merge only when all of it is equal
  std::uint64_t head_dim = 0;
  std::uint64_t v_head_dim = 0;
  std::uint64_t dtype_bytes = 2;
  std::uint64_t window = 0;              ///< sliding: window; chunked: chunk, in tokens
  std::uint64_t state_bytes = 0;         ///< mamba: bytes of one state
  std::uint64_t page_padded = 0;         ///< 0: not padded
  std::uint64_t speculative_blocks = 0;  ///< mamba
  bool strided = false;  ///< the backend can index a padded page (FlashAttention and its kind)

  friend bool operator==(const LayerCacheSpec&, const LayerCacheSpec&) = default;
};

enum class MambaMode : std::uint8_t { none, align, all };

/// What changed between versions.
struct PlannerRules {
  /// Group size is the largest bucket when it is under this ratio of the smallest, in percent; 0:
  /// always the smallest (0.9.1 to 0.11). 125 from 0.12, 150 from 0.18.
  std::uint32_t group_ratio_percent = 150;
  /// 0.21 and later print int(concurrency x max_model_len); earlier blocks // groups x block size.
  bool tokens_from_concurrency = true;
  /// 0.27 and later divide by the sum of blocks a request; earlier by its bytes in pages of group
  /// 0.
  bool concurrency_by_blocks = true;
  /// Before 0.9.1: tokens over the maximum length.
  bool concurrency_from_tokens = false;
  bool pads_strided_pages = true;  ///< 0.25 and later
  bool pads_mamba_pages = true;    ///< 0.26 and later: a state smaller than the largest page
  bool grows_block_sizes = true;   ///< 0.11 and later; earlier all pages had to be equal
  /// 0.27 and later: a sliding window beside latent caches whose pages do not fit becomes full.
  bool promotes_draft_windows = true;
  /// 0.14 and later check one request by its groups, padding and all; earlier by the sum of what
  /// each layer needs, before any promotion to full attention.
  bool checks_by_groups = true;
  /// 0.27 and later lay DeepSeek-V4's groups over one slab as wide as the largest; earlier over
  /// tuples of the page sizes of the first group.
  bool packs_latent_windows = true;
  /// 0.21 and later check against the blocks of num_gpu_blocks_override; earlier against the
  /// memory.
  bool override_limits_memory = true;
};

/// The rules of a version. What changed when: vLLM's history of v1/core/kv_cache_utils.py.
PlannerRules planner_rules(const Version& version);

struct Worker {
  std::uint64_t available_bytes = 0;
  /// Number of `layers[0]` in the whole model, counted in caches (a layer with a latent cache and
  /// an indexer counts twice). Workers of one pipeline stage share it.
  std::uint64_t first_layer = 0;
  std::vector<LayerCacheSpec> layers;
};

struct PlannerInput {
  std::vector<Worker> workers;
  std::uint64_t max_model_len = 0;
  std::uint64_t in_flight_tokens = 0;  ///< R of the rules
  std::uint64_t decode_context_parallel = 1;
  std::uint64_t encoder_tokens = 0;
  MambaMode mamba_mode = MambaMode::none;
  bool hybrid_manager = true;
  bool auto_length = false;  ///< shrink max_model_len to what fits
  std::optional<std::uint64_t> num_gpu_blocks_override;
  PlannerRules rules;
};

struct CacheGroup {
  SpecKind kind = SpecKind::full;
  bool uniform_type = false;  ///< several page sizes in one group; `page_bytes` is their sum
  std::uint64_t layers = 0;   ///< of this worker
  std::uint64_t block_size = 0;
  std::uint64_t page_bytes = 0;
};

struct WorkerPlan {
  std::uint64_t num_blocks = 0;
  std::uint64_t bytes_per_block = 0;
  std::uint64_t allocated_bytes = 0;
  std::vector<CacheGroup> groups;
};

struct CachePlan {
  std::vector<WorkerPlan> workers;
  std::uint64_t num_blocks = 0;          ///< the least of all workers, as the engine uses it
  std::uint64_t blocks_per_request = 0;  ///< at max_model_len, all groups
  double concurrency = 0;                ///< printed "Maximum concurrency"; 0 without caches
  std::uint64_t tokens = 0;              ///< printed "GPU KV cache size"
  std::uint64_t max_model_len = 0;       ///< after auto_length
  /// Of one request at max_model_len, on the worker that holds the fewest blocks.
  std::uint64_t needed_bytes = 0;
};

/// What one request of `length` tokens takes, in blocks over all groups, by the plan's own layout.
/// Used for capacity at lengths other than the maximum.
class RequestBlocks {
 public:
  RequestBlocks() = default;

  [[nodiscard]] std::uint64_t at(std::uint64_t length) const;

  /// The same where blocks may be cut anywhere: what the request keeps, in blocks.
  [[nodiscard]] double before_rounding(std::uint64_t length) const;

  /// The blocks of one group of such caches alone.
  [[nodiscard]] std::uint64_t of(const LayerCacheSpec& cache, std::uint64_t length) const;

 private:
  friend Result<struct PlannedCache> plan_cache(const PlannerInput& input);

  explicit RequestBlocks(const PlannerInput& input);
  void add_groups(const LayerCacheSpec& cache, std::uint64_t groups);

  struct Term {
    LayerCacheSpec cache;
    std::uint64_t groups;
  };
  std::vector<Term> terms_;
  std::uint64_t in_flight_tokens_ = 0;
  std::uint64_t decode_context_parallel_ = 1;
  std::uint64_t encoder_tokens_ = 0;
  MambaMode mamba_mode_ = MambaMode::none;
};

struct PlannedCache {
  CachePlan plan;
  RequestBlocks request_blocks;
};

/// Errors: `kv_pool` (one request at max_model_len does not fit; the message is the engine's, with
/// the longest length that would), `no_kv_memory` (nothing left at all), `unsupported_layout` (page
/// sizes that the version cannot unify, where the engine raises NotImplementedError),
/// `refused_layout` (the mixes of caches that it refuses with a ValueError).
Result<PlannedCache> plan_cache(const PlannerInput& input);

}  // namespace ridgepoint::engine::vllm
