#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "engine/vllm/planner.hpp"
#include "result.hpp"

namespace ridgepoint::engine::vllm {

/// Products that do not fit stay at the largest value: memory that no device has.
inline std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  const bool overflow = __builtin_mul_overflow(a, b, &product);
  return overflow ? std::numeric_limits<std::uint64_t>::max() : product;
}

inline std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  std::uint64_t sum = 0;
  const bool overflow = __builtin_add_overflow(a, b, &sum);
  return overflow ? std::numeric_limits<std::uint64_t>::max() : sum;
}

/// Rounds up; `b` is not zero.
inline std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b == 0 ? 0 : 1);
}

/// Bytes of one block of one layer, padding included.
std::uint64_t page_bytes(const LayerCacheSpec& cache);

/// All layers with one and the same cache. A model has few of these, so that everything after the
/// first pass over the layers costs next to nothing.
struct CacheClass {
  LayerCacheSpec cache;
  std::uint64_t chunk = 0;        ///< of chunked attention that was promoted to full
  std::uint64_t first_layer = 0;  ///< the first that has it
  std::uint64_t layers = 0;       ///< in the whole model
  std::size_t index = 0;          ///< its place in ModelCaches::classes
  std::size_t bucket = 0;         ///< which of ModelGroups::buckets holds it
};

/// The caches of all workers put together; a layer that several workers hold counts once.
struct ModelCaches {
  static constexpr std::uint32_t kNoClass = std::numeric_limits<std::uint32_t>::max();

  std::vector<CacheClass> classes;      ///< in the order in which the workers name them
  std::vector<std::uint32_t> class_of;  ///< by layer, from `first_layer` on
  std::uint64_t first_layer = 0;
};

/// Refuses layers that the workers describe differently and caches of no size.
Result<ModelCaches> merge_workers(const std::vector<Worker>& workers);

/// Layers that may share a group, split over `groups` groups in turn.
struct Bucket {
  LayerCacheSpec cache;
  std::uint64_t layers = 0;
  std::uint64_t groups = 1;
};

struct ModelGroups {
  std::vector<CacheClass> classes;  ///< as they are laid out: promoted, grown, padded
  std::vector<Bucket> buckets;
  bool uniform_type = false;  ///< one bucket of several page sizes
  bool packed = false;        ///< every bucket may have several, all laid over one slab
  /// Packed only: what the start-up check takes for one block.
  std::uint64_t tuple_bytes = 0;
};

/// How the engine splits the model's caches into groups.
Result<ModelGroups> group_caches(const ModelCaches& caches, bool hybrid_manager,
                                 const PlannerRules& rules);

}  // namespace ridgepoint::engine::vllm
