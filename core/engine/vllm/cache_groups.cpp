#include "engine/vllm/cache_groups.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "wording.hpp"

namespace ridgepoint::engine::vllm {

namespace {

/// Far above any model; keeps a wrong layer number from claiming memory.
constexpr std::uint64_t kMostLayers = 1U << 20U;

Error unsupported(std::string message) {
  return Error{"unsupported_layout", std::move(message), ""};
}

/// What the engine raises as a ValueError: it is wrong, not merely not supported yet.
Error refused(std::string message) { return Error{"refused_layout", std::move(message), ""}; }

bool is_full(const CacheClass& group) {
  return group.cache.kind == SpecKind::full || group.cache.kind == SpecKind::latent;
}

bool is_windowed(const CacheClass& group) {
  return group.cache.kind == SpecKind::sliding || group.cache.kind == SpecKind::chunked;
}

bool any_of_kind(const std::vector<CacheClass>& classes, SpecKind kind) {
  return std::any_of(classes.begin(), classes.end(),
                     [kind](const CacheClass& group) { return group.cache.kind == kind; });
}

// --- putting the workers together

struct LayerRange {
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
};

LayerRange range_of(const std::vector<Worker>& workers) {
  LayerRange range;
  for (const Worker& worker : workers) {
    if (worker.layers.empty()) continue;
    range.first = std::min(range.first, worker.first_layer);
    range.end = std::max(range.end, plus(worker.first_layer, worker.layers.size()));
  }
  return range;
}

/// The class of `cache`, a new one if there is none yet. `likely` is where to look first: layers
/// mostly repeat the one before.
std::uint32_t find_class(std::vector<CacheClass>& classes, const LayerCacheSpec& cache,
                         std::uint32_t likely) {
  if (likely < classes.size() && classes[likely].cache == cache) return likely;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (classes[i].cache == cache) return static_cast<std::uint32_t>(i);
  }
  CacheClass added;
  added.cache = cache;
  classes.push_back(added);
  return static_cast<std::uint32_t>(classes.size() - 1);
}

Check check_sizes(const std::vector<CacheClass>& classes) {
  for (const CacheClass& group : classes) {
    if (group.cache.block_size == 0 || page_bytes(group.cache) == 0) {
      return unsupported(worded({"Layer ", group.first_layer,
                                 ": a cache needs a block size and a page of at least one byte."}));
    }
  }
  return std::nullopt;
}

/// Counts the layers of each class and notes the first, in the order of the model.
void count_layers(ModelCaches& caches) {
  for (std::size_t i = 0; i < caches.class_of.size(); ++i) {
    if (caches.class_of[i] == ModelCaches::kNoClass) continue;
    CacheClass& group = caches.classes[caches.class_of[i]];
    if (group.layers++ == 0) group.first_layer = caches.first_layer + i;
  }
}

// --- what may share a group

enum class Merge : std::uint8_t {
  one,        ///< one spec for all
  different,  ///< not the same
  windows,    ///< full attention with several windows, which the engine refuses outright
};

/// Equal but for the window that a full layer carries along.
bool same_dimensions(const LayerCacheSpec& a, const LayerCacheSpec& b) {
  LayerCacheSpec other = b;
  other.window = a.window;
  return a == other;
}

/// Notes `size` in `kept`; false when another is there already. Zero is no window.
bool agree_on(std::uint64_t& kept, std::uint64_t size) {
  if (size == 0 || kept == size) return true;
  if (kept != 0) return false;
  kept = size;
  return true;
}

Merge merge_full(const std::vector<CacheClass>& classes) {
  if (!std::all_of(classes.begin(), classes.end(), is_full)) return Merge::different;
  std::uint64_t window = 0;
  std::uint64_t chunk = 0;
  for (const CacheClass& group : classes) {
    if (!agree_on(window, group.cache.window) || !agree_on(chunk, group.chunk)) {
      return Merge::windows;
    }
  }
  if (window != 0 && chunk != 0) return Merge::different;
  const LayerCacheSpec& first = classes.front().cache;
  const bool same = std::all_of(classes.begin(), classes.end(), [&first](const CacheClass& group) {
    return same_dimensions(first, group.cache);
  });
  return same ? Merge::one : Merge::different;
}

Merge merge_all(const std::vector<CacheClass>& classes) {
  if (classes.size() == 1) return Merge::one;
  if (classes.front().cache.kind == SpecKind::full) return merge_full(classes);
  const CacheClass& first = classes.front();
  const bool same = std::all_of(classes.begin(), classes.end(), [&first](const CacheClass& group) {
    return group.cache == first.cache;
  });
  return same ? Merge::one : Merge::different;
}

/// Whether both need the same number of slots at every length, whatever their pages.
bool same_slots(const CacheClass& a, const CacheClass& b) {
  if (a.cache.block_size != b.cache.block_size) return false;
  if (is_full(a)) return is_full(b);
  if (a.cache.kind != b.cache.kind) return false;
  switch (a.cache.kind) {
    case SpecKind::sliding:
    case SpecKind::sliding_latent:
    case SpecKind::chunked:
      return a.cache.window == b.cache.window;
    case SpecKind::mamba:
      return a.cache.speculative_blocks == b.cache.speculative_blocks &&
             page_bytes(a.cache) == page_bytes(b.cache);
    default:
      return true;
  }
}

bool is_uniform_type(const std::vector<CacheClass>& classes) {
  const CacheClass& first = classes.front();
  return std::all_of(classes.begin(), classes.end(),
                     [&first](const CacheClass& group) { return same_slots(first, group); });
}

/// Whether a single group can hold all layers.
bool is_one_type(const std::vector<CacheClass>& classes) {
  const Merge merge = merge_all(classes);
  return merge == Merge::one || (merge == Merge::different && is_uniform_type(classes));
}

// --- full attention in place of windows

/// The block size of all full layers; 0 when they have several.
std::uint64_t full_block_size(const std::vector<CacheClass>& classes) {
  std::uint64_t size = 0;
  for (const CacheClass& group : classes) {
    if (is_full(group) && !agree_on(size, group.cache.block_size)) return 0;
  }
  return size;
}

void promote(CacheClass& group, std::uint64_t block_size) {
  LayerCacheSpec& cache = group.cache;
  if (cache.kind == SpecKind::chunked) group.chunk = std::exchange(cache.window, 0);
  cache.kind = SpecKind::full;
  cache.block_size = block_size;
  if (cache.page_padded != 0) {
    cache.page_padded = std::max(cache.page_padded, times(block_size, cache.bytes_per_token));
  }
}

/// Layers with a window next to full ones are allocated as full ones.
Check promote_windows(std::vector<CacheClass>& classes) {
  if (is_one_type(classes)) return std::nullopt;
  if (std::any_of(classes.begin(), classes.end(), is_full)) {
    const std::uint64_t block_size = full_block_size(classes);
    for (CacheClass& group : classes) {
      if (is_windowed(group)) promote(group, block_size != 0 ? block_size : group.cache.block_size);
    }
  }
  if (is_one_type(classes)) return std::nullopt;
  return refused(
      "Hybrid KV cache manager is disabled but failed to convert the KV cache specs to one unified "
      "type.");
}

// --- one page size for all

/// Makes `cache` as large as `page`; false when the version cannot.
bool fit_page(LayerCacheSpec& cache, std::uint64_t page, const PlannerRules& rules) {
  const std::uint64_t own = page_bytes(cache);
  if (own == page) return true;
  if (cache.kind == SpecKind::mamba) {
    cache.page_padded = page;
    return rules.pads_mamba_pages;
  }
  if (page % own == 0) {
    cache.block_size = times(cache.block_size, page / own);
    return rules.grows_block_sizes && page_bytes(cache) == page;
  }
  cache.page_padded = page;
  return cache.strided && rules.pads_strided_pages;
}

Check unify_pages(std::vector<CacheClass>& classes, const PlannerRules& rules) {
  std::uint64_t largest = 0;
  for (const CacheClass& group : classes) largest = std::max(largest, page_bytes(group.cache));
  for (CacheClass& group : classes) {
    if (!fit_page(group.cache, largest, rules)) {
      return unsupported(
          worded({"Layer ", group.first_layer,
                  ": page size is not divisible by the maximum page size and cannot be "
                  "padded. Padding is only supported for attention layers whose backend "
                  "indexes KV pages by the block stride."}));
    }
  }
  return std::nullopt;
}

// --- groups

ModelGroups one_group(std::vector<CacheClass> classes, bool uniform_type) {
  ModelGroups result;
  Bucket bucket;
  bucket.cache = classes.front().cache;
  for (const CacheClass& group : classes) bucket.layers += group.layers;
  result.buckets.push_back(bucket);
  result.classes = std::move(classes);
  result.uniform_type = uniform_type;
  return result;
}

/// A drafter with sliding windows beside a model with latent caches: when the pages do not fit, the
/// engine allocates the windows in full.
std::optional<ModelGroups> full_allocation(std::vector<CacheClass> classes) {
  if (any_of_kind(classes, SpecKind::chunked) || !any_of_kind(classes, SpecKind::latent) ||
      !any_of_kind(classes, SpecKind::sliding)) {
    return std::nullopt;
  }
  if (promote_windows(classes) || !is_uniform_type(classes)) return std::nullopt;
  return one_group(std::move(classes), true);
}

bool mergeable(const CacheClass& a, const CacheClass& b) { return merge_all({a, b}) == Merge::one; }

void fill_buckets(ModelGroups& groups) {
  std::vector<std::size_t> leaders;  // the first class of each bucket
  for (std::size_t i = 0; i < groups.classes.size(); ++i) {
    CacheClass& group = groups.classes[i];
    const auto leader = std::find_if(leaders.begin(), leaders.end(), [&](std::size_t other) {
      return mergeable(groups.classes[other], group);
    });
    group.bucket = static_cast<std::size_t>(leader - leaders.begin());
    if (leader == leaders.end()) {
      leaders.push_back(i);
      groups.buckets.push_back(Bucket{group.cache, 0, 1});
    }
    groups.buckets[group.bucket].layers += group.layers;
  }
}

/// Layers a group: that of the smallest bucket, or of the largest when that pads little.
std::uint64_t group_size(const std::vector<Bucket>& buckets, std::uint32_t ratio_percent) {
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t most = 1;
  for (const Bucket& bucket : buckets) {
    least = std::min(least, bucket.layers);
    most = std::max(most, bucket.layers);
  }
  return most * 100 < least * ratio_percent ? most : least;
}

ModelGroups split_groups(std::vector<CacheClass> classes, std::uint32_t ratio_percent) {
  ModelGroups result;
  result.classes = std::move(classes);
  fill_buckets(result);
  const std::uint64_t size = group_size(result.buckets, ratio_percent);
  for (Bucket& bucket : result.buckets) bucket.groups = divide_up(bucket.layers, size);
  return result;
}

// --- DeepSeek-V4: latent caches beside latent windows

bool same_family(const CacheClass& a, const CacheClass& b) {
  if (a.cache.kind != b.cache.kind) return false;
  return a.cache.kind != SpecKind::sliding_latent ||
         (a.cache.block_size == b.cache.block_size && a.cache.window == b.cache.window);
}

/// Layers of the page size that a family has most of.
std::uint64_t tuples_of(const ModelGroups& groups, std::size_t bucket) {
  std::uint64_t most = 0;
  for (const CacheClass& a : groups.classes) {
    std::uint64_t layers = 0;
    for (const CacheClass& b : groups.classes) {
      const bool counted =
          a.bucket == bucket && b.bucket == bucket && page_bytes(a.cache) == page_bytes(b.cache);
      layers += counted ? b.layers : 0;
    }
    most = std::max(most, layers);
  }
  return most;
}

/// Tuples a group: as many as the first family has or more, so that the others, split into groups
/// of that size, leave the fewest places empty; of equals the larger.
std::uint64_t tuples_per_group(const std::vector<std::uint64_t>& tuples) {
  const std::uint64_t most = *std::max_element(tuples.begin(), tuples.end());
  std::uint64_t best = tuples.front();
  std::uint64_t least_empty = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t size = tuples.front(); size <= most; ++size) {
    std::uint64_t empty = 0;
    for (const std::uint64_t count : tuples) empty += (size - count % size) % size;
    if (empty <= least_empty) {
      least_empty = empty;
      best = size;
    }
  }
  return best;
}

/// The distinct pages of the first family, a tuple's worth.
std::uint64_t tuple_page(const ModelGroups& groups) {
  std::vector<std::uint64_t> pages;
  std::uint64_t bytes = 0;
  for (const CacheClass& group : groups.classes) {
    const std::uint64_t page = page_bytes(group.cache);
    if (group.bucket == 0 && std::find(pages.begin(), pages.end(), page) == pages.end()) {
      pages.push_back(page);
      bytes = plus(bytes, page);
    }
  }
  return bytes;
}

/// One family for what grows, one for each block size and window; families are split into groups
/// that lie over the same bytes.
ModelGroups pack_families(const std::vector<CacheClass>& classes) {
  ModelGroups result;
  result.packed = true;
  for (const bool latent : {false, true}) {
    for (const CacheClass& group : classes) {
      if ((group.cache.kind == SpecKind::sliding_latent) == latent) {
        result.classes.push_back(group);
      }
    }
  }
  std::vector<std::size_t> leaders;
  for (std::size_t i = 0; i < result.classes.size(); ++i) {
    CacheClass& group = result.classes[i];
    const auto leader = std::find_if(leaders.begin(), leaders.end(), [&](std::size_t other) {
      return same_family(result.classes[other], group);
    });
    group.bucket = static_cast<std::size_t>(leader - leaders.begin());
    if (leader == leaders.end()) {
      leaders.push_back(i);
      result.buckets.push_back(Bucket{group.cache, 0, 1});
    }
    result.buckets[group.bucket].layers += group.layers;
  }
  std::vector<std::uint64_t> tuples;
  for (std::size_t i = 0; i < result.buckets.size(); ++i) tuples.push_back(tuples_of(result, i));
  const std::uint64_t size = tuples_per_group(tuples);
  for (std::size_t i = 1; i < result.buckets.size(); ++i) {
    result.buckets[i].groups = divide_up(tuples[i], size);
  }
  result.tuple_bytes = times(size, tuple_page(result));
  return result;
}

bool several_pages(const std::vector<CacheClass>& classes) {
  return std::any_of(classes.begin(), classes.end(), [&](const CacheClass& group) {
    return page_bytes(group.cache) != page_bytes(classes.front().cache);
  });
}

}  // namespace

std::uint64_t page_bytes(const LayerCacheSpec& cache) {
  if (cache.page_padded != 0) return cache.page_padded;
  if (cache.kind == SpecKind::mamba) return cache.state_bytes;
  return times(cache.block_size, cache.bytes_per_token);
}

Result<ModelCaches> merge_workers(const std::vector<Worker>& workers) {
  ModelCaches caches;
  const LayerRange range = range_of(workers);
  if (range.end == 0) return caches;
  if (range.end - range.first > kMostLayers) {
    return unsupported("The layers of the workers lie too far apart.");
  }
  caches.first_layer = range.first;
  caches.class_of.assign(static_cast<std::size_t>(range.end - range.first), ModelCaches::kNoClass);

  std::uint32_t current = 0;
  for (const Worker& worker : workers) {
    const auto start = static_cast<std::size_t>(worker.first_layer - range.first);
    for (std::size_t i = 0; i < worker.layers.size(); ++i) {
      current = find_class(caches.classes, worker.layers[i], current);
      std::uint32_t& known = caches.class_of[start + i];
      if (known != ModelCaches::kNoClass && known != current) {
        return refused(
            "The KV cache specs for the same layer are different across workers. This is not "
            "supported yet.");
      }
      known = current;
    }
  }
  count_layers(caches);
  for (std::size_t i = 0; i < caches.classes.size(); ++i) caches.classes[i].index = i;
  if (Check wrong = check_sizes(caches.classes)) return *wrong;
  return caches;
}

Result<ModelGroups> group_caches(const ModelCaches& caches, bool hybrid_manager,
                                 const PlannerRules& rules) {
  std::vector<CacheClass> classes = caches.classes;
  if (classes.empty()) return ModelGroups{};
  if (!hybrid_manager) {
    if (Check wrong = promote_windows(classes)) return *wrong;
  }
  const Merge merge = merge_all(classes);
  if (merge == Merge::one) return one_group(std::move(classes), false);
  if (merge == Merge::windows) {
    return refused(
        "All attention layers in the same KV cache group must have the same window size.");
  }
  if (is_uniform_type(classes)) return one_group(std::move(classes), true);
  if (any_of_kind(classes, SpecKind::sliding_latent) && several_pages(classes)) {
    return pack_families(classes);
  }

  std::vector<CacheClass> unified = classes;
  if (Check wrong = unify_pages(unified, rules)) {
    if (!rules.promotes_draft_windows) return *wrong;
    std::optional<ModelGroups> promoted = full_allocation(std::move(classes));
    if (!promoted) return *wrong;
    return std::move(*promoted);
  }
  return split_groups(std::move(unified), rules.group_ratio_percent);
}

}  // namespace ridgepoint::engine::vllm
