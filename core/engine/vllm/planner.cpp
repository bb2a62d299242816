#include "engine/vllm/planner.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <utility>

#include "engine/vllm/cache_groups.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {

namespace {

/// One worker with its share of the model's groups.
struct Projection {
  WorkerPlan plan;
  std::uint64_t available_bytes = 0;
  std::vector<std::uint64_t> layers_of_class;  ///< of the caches as given, before any promotion
};

/// What everything below reads.
struct Planning {
  const PlannerInput& input;
  const ModelCaches& caches;
  const ModelGroups& groups;
  const RequestBlocks& requests;
};

// --- each worker's share of the groups

/// Layers of each class among the model's layers [from, to).
std::vector<std::uint64_t> count_classes(const ModelCaches& caches, std::size_t from,
                                         std::size_t to) {
  std::vector<std::uint64_t> counts(caches.classes.size(), 0);
  for (std::size_t i = from; i < to; ++i) {
    if (caches.class_of[i] != ModelCaches::kNoClass) ++counts[caches.class_of[i]];
  }
  return counts;
}

std::uint64_t layers_in_bucket(const ModelGroups& groups, std::size_t bucket,
                               const std::vector<std::uint64_t>& layers_of_class) {
  std::uint64_t layers = 0;
  for (std::size_t i = 0; i < groups.classes.size(); ++i) {
    if (groups.classes[i].bucket == bucket) layers += layers_of_class[i];
  }
  return layers;
}

/// How many of the first `layers` layers of a bucket fall to group `group`: they are dealt in turn.
std::uint64_t dealt(std::uint64_t layers, std::uint64_t group, std::uint64_t groups) {
  return (layers + groups - 1 - group) / groups;
}

/// The pages of the worker's layers together, for a group of several page sizes.
std::uint64_t sum_of_pages(const ModelGroups& groups,
                           const std::vector<std::uint64_t>& layers_of_class) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < groups.classes.size(); ++i) {
    bytes = plus(bytes, times(layers_of_class[i], page_bytes(groups.classes[i].cache)));
  }
  return bytes;
}

/// A family's layers of each page size are dealt to its groups in turn; a group's page is the sum.
void deal_family(WorkerPlan& plan, const ModelGroups& groups, std::size_t family,
                 const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& own) {
  const Bucket& bucket = groups.buckets[family];
  for (std::uint64_t k = 0; k < bucket.groups; ++k) {
    CacheGroup group;
    group.kind = bucket.cache.kind;
    group.uniform_type = true;
    group.block_size = bucket.cache.block_size;
    for (std::size_t i = 0; i < groups.classes.size(); ++i) {
      const CacheClass& member = groups.classes[i];
      if (member.bucket != family) continue;
      const std::uint64_t from = before[member.index];
      const std::uint64_t layers =
          dealt(from + own[member.index], k, bucket.groups) - dealt(from, k, bucket.groups);
      group.layers += layers;
      group.page_bytes = plus(group.page_bytes, times(layers, page_bytes(member.cache)));
    }
    plan.groups.push_back(group);
  }
}

/// Groups keep their order on every worker, some of them empty: all share one block table layout.
void deal_groups(WorkerPlan& plan, const ModelGroups& groups,
                 const std::vector<std::uint64_t>& before, const std::vector<std::uint64_t>& own) {
  for (std::size_t i = 0; i < groups.buckets.size(); ++i) {
    const Bucket& bucket = groups.buckets[i];
    if (groups.packed) {
      deal_family(plan, groups, i, before, own);
      continue;
    }
    const std::uint64_t from = layers_in_bucket(groups, i, before);
    const std::uint64_t to = from + layers_in_bucket(groups, i, own);
    for (std::uint64_t k = 0; k < bucket.groups; ++k) {
      CacheGroup group;
      group.kind = bucket.cache.kind;
      group.uniform_type = groups.uniform_type;
      group.layers = dealt(to, k, bucket.groups) - dealt(from, k, bucket.groups);
      group.block_size = bucket.cache.block_size;
      group.page_bytes = groups.uniform_type ? sum_of_pages(groups, own) : page_bytes(bucket.cache);
      plan.groups.push_back(group);
    }
  }
}

/// One block holds a page of every layer of the largest group; the others lie over the same bytes.
std::uint64_t bytes_per_block(const std::vector<CacheGroup>& groups) {
  std::uint64_t bytes = 0;
  for (const CacheGroup& group : groups) {
    const std::uint64_t pages = group.uniform_type ? 1 : group.layers;
    bytes = std::max(bytes, times(pages, group.page_bytes));
  }
  return bytes;
}

std::uint64_t usable_bytes(const Projection& worker, const PlannerInput& input) {
  if (input.num_gpu_blocks_override && input.rules.override_limits_memory) {
    return times(*input.num_gpu_blocks_override, worker.plan.bytes_per_block);
  }
  return worker.available_bytes;
}

Projection project(const Worker& worker, const Planning& planning) {
  Projection result;
  result.available_bytes = worker.available_bytes;
  if (planning.caches.classes.empty()) return result;
  const std::size_t start =
      worker.layers.empty()
          ? 0
          : static_cast<std::size_t>(worker.first_layer - planning.caches.first_layer);
  const std::vector<std::uint64_t> before = count_classes(planning.caches, 0, start);
  result.layers_of_class = count_classes(planning.caches, start, start + worker.layers.size());
  deal_groups(result.plan, planning.groups, before, result.layers_of_class);
  result.plan.bytes_per_block = bytes_per_block(result.plan.groups);
  if (planning.groups.packed && !planning.input.rules.packs_latent_windows) {
    result.plan.bytes_per_block = planning.groups.tuple_bytes;
  }
  result.available_bytes = usable_bytes(result, planning.input);
  return result;
}

/// A stage without any cache has nothing to check and limits nobody.
bool holds_caches(const Projection& worker) { return worker.plan.bytes_per_block != 0; }

// --- one request against the memory

/// Before 0.14: each layer by itself.
std::uint64_t needed_by_layers(const Projection& worker, const Planning& planning,
                               std::uint64_t length) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < planning.caches.classes.size(); ++i) {
    const LayerCacheSpec& cache = planning.caches.classes[i].cache;
    const std::uint64_t one = times(planning.requests.of(cache, length), page_bytes(cache));
    bytes = plus(bytes, times(worker.layers_of_class[i], one));
  }
  return bytes;
}

std::uint64_t needed_bytes(const Projection& worker, const Planning& planning,
                           std::uint64_t length) {
  if (!planning.input.rules.checks_by_groups) return needed_by_layers(worker, planning, length);
  const std::uint64_t a_block =
      planning.groups.packed ? planning.groups.tuple_bytes : worker.plan.bytes_per_block;
  return times(a_block, planning.requests.at(length));
}

/// The longest request of at most `limit` tokens that fits; 0 when none does.
std::uint64_t longest_fitting(const Projection& worker, const Planning& planning,
                              std::uint64_t limit) {
  std::uint64_t fits = 0;
  std::uint64_t untested = limit;
  while (fits < untested) {
    const std::uint64_t middle = untested - (untested - fits) / 2;
    if (needed_bytes(worker, planning, middle) <= worker.available_bytes) {
      fits = middle;
    } else {
      untested = middle - 1;
    }
  }
  return fits;
}

/// As "%.2f" writes it: of two hundredths that are as near, the even one.
std::string in_gib(std::uint64_t bytes) {
  constexpr std::uint64_t kHalf = 1ULL << 29U;
  constexpr std::uint64_t kRest = (1ULL << 30U) - 1;
  const std::uint64_t scaled = (bytes & kRest) * 100;
  std::uint64_t hundredths = (bytes >> 30U) * 100 + (scaled >> 30U);
  const std::uint64_t rest = scaled & kRest;
  hundredths += rest > kHalf || (rest == kHalf && hundredths % 2 == 1) ? 1 : 0;
  const std::string digits = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + (digits.size() < 2 ? ".0" : ".") + digits;
}

Error too_long(const Projection& worker, const Planning& planning, std::uint64_t length) {
  const std::uint64_t longest = longest_fitting(worker, planning, length);
  std::string message =
      worded({"To serve at least one request with the model's max seq len (", length, "), (",
              in_gib(needed_bytes(worker, planning, length)),
              (" GiB KV cache is needed, which is larger than the available KV cache "
               "memory ("),
              in_gib(worker.available_bytes), " GiB). "});
  if (longest > 0) {
    message += worded(
        {"Based on the available memory, the estimated maximum model length is ", longest, ". "});
  }
  message +=
      "Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the "
      "engine.";
  return Error{"kv_pool", std::move(message), ""};
}

Check check_worker(const Projection& worker, const Planning& planning, std::uint64_t length) {
  if (!holds_caches(worker)) return std::nullopt;
  if (worker.available_bytes == 0) {
    return Error{"no_kv_memory",
                 "No available memory for the cache blocks. Try increasing "
                 "`gpu_memory_utilization` when initializing the engine.",
                 ""};
  }
  if (needed_bytes(worker, planning, length) > worker.available_bytes) {
    return too_long(worker, planning, length);
  }
  return std::nullopt;
}

Check check_workers(const std::vector<Projection>& workers, const Planning& planning,
                    std::uint64_t length) {
  for (const Projection& worker : workers) {
    if (Check wrong = check_worker(worker, planning, length)) return wrong;
  }
  return std::nullopt;
}

/// The length that fits on every worker.
std::uint64_t fitted_length(const std::vector<Projection>& workers, const Planning& planning) {
  std::uint64_t length = planning.input.max_model_len;
  for (const Projection& worker : workers) {
    if (holds_caches(worker)) length = longest_fitting(worker, planning, length);
  }
  return length;
}

Error nothing_fits(const std::vector<Projection>& workers) {
  const bool empty = std::any_of(workers.begin(), workers.end(), [](const Projection& worker) {
    return holds_caches(worker) && worker.available_bytes == 0;
  });
  return Error{empty ? "no_kv_memory" : "kv_pool",
               "Cannot auto-fit max_model_len: not enough GPU memory available to serve even a "
               "single token. Try increasing `gpu_memory_utilization`.",
               ""};
}

/// Decode context parallelism shards a request's tokens, which a sliding window cannot follow.
Check check_context_parallel(const Planning& planning) {
  if (planning.input.decode_context_parallel <= 1) return std::nullopt;
  for (const Bucket& bucket : planning.groups.buckets) {
    if (bucket.cache.kind == SpecKind::sliding || bucket.cache.kind == SpecKind::sliding_latent) {
      return Error{"unsupported_layout", "DCP not support sliding window.", ""};
    }
  }
  return std::nullopt;
}

// --- blocks and what the engine prints

std::uint64_t own_blocks(const Projection& worker, const PlannerInput& input) {
  if (input.num_gpu_blocks_override) return *input.num_gpu_blocks_override;
  return worker.available_bytes / worker.plan.bytes_per_block;
}

/// The worker that holds the fewest blocks decides for all; none without caches.
const Projection* tightest(const std::vector<Projection>& workers, const PlannerInput& input) {
  const Projection* least = nullptr;
  for (const Projection& worker : workers) {
    if (!holds_caches(worker)) continue;
    if (least == nullptr || own_blocks(worker, input) < own_blocks(*least, input)) least = &worker;
  }
  return least;
}

/// 0.9.1 to 0.26: bytes of one request over the page of the first group, which is not the number of
/// blocks where a group of several page sizes stands beside others.
std::uint64_t blocks_by_bytes(const std::vector<CacheGroup>& shown, const Planning& planning,
                              std::uint64_t length) {
  std::uint64_t bytes = 0;
  std::size_t next = 0;
  for (const Bucket& bucket : planning.groups.buckets) {
    const std::uint64_t blocks = planning.requests.of(bucket.cache, length);
    bytes = plus(bytes, times(bucket.groups, times(blocks, shown[next].page_bytes)));
    next += bucket.groups;
  }
  return divide_up(bytes, shown.front().page_bytes);
}

double concurrency(const CachePlan& plan, const std::vector<CacheGroup>& shown,
                   const Planning& planning) {
  if (planning.input.rules.concurrency_from_tokens) {
    const std::uint64_t tokens = times(plan.num_blocks, shown.front().block_size);
    return static_cast<double>(tokens) / static_cast<double>(plan.max_model_len);
  }
  const std::uint64_t blocks = planning.input.rules.concurrency_by_blocks
                                   ? plan.blocks_per_request
                                   : blocks_by_bytes(shown, planning, plan.max_model_len);
  return blocks == 0 ? 0 : static_cast<double>(plan.num_blocks) / static_cast<double>(blocks);
}

std::uint64_t whole(double number) {
  constexpr double kLimit = 18446744073709551616.0;
  return number < kLimit ? static_cast<std::uint64_t>(number)
                         : std::numeric_limits<std::uint64_t>::max();
}

std::uint64_t printed_tokens(const CachePlan& plan, const std::vector<CacheGroup>& shown,
                             const PlannerInput& input) {
  if (input.rules.tokens_from_concurrency) {
    return whole(plan.concurrency * static_cast<double>(plan.max_model_len));
  }
  const auto smallest = std::min_element(
      shown.begin(), shown.end(),
      [](const CacheGroup& a, const CacheGroup& b) { return a.block_size < b.block_size; });
  const std::uint64_t tokens = times(plan.num_blocks / shown.size(), smallest->block_size);
  return times(tokens, std::max<std::uint64_t>(input.decode_context_parallel, 1));
}

CachePlan plan_without_caches(std::vector<Projection>& workers, const PlannerInput& input) {
  CachePlan plan;
  plan.num_blocks = 1;  // the pool always keeps its null block
  plan.max_model_len = input.max_model_len;
  for (Projection& worker : workers) {
    worker.plan.num_blocks = plan.num_blocks;
    plan.workers.push_back(std::move(worker.plan));
  }
  return plan;
}

CachePlan plan_with_caches(std::vector<Projection>& workers, const Projection& least,
                           const Planning& planning, std::uint64_t length) {
  CachePlan plan;
  plan.num_blocks = own_blocks(least, planning.input);
  plan.max_model_len = length;
  plan.blocks_per_request = planning.requests.at(length);
  plan.needed_bytes = needed_bytes(least, planning, length);
  plan.concurrency = concurrency(plan, least.plan.groups, planning);
  plan.tokens = printed_tokens(plan, least.plan.groups, planning.input);
  plan.workers.reserve(workers.size());
  for (Projection& worker : workers) {
    worker.plan.num_blocks = plan.num_blocks;
    worker.plan.allocated_bytes = times(plan.num_blocks, worker.plan.bytes_per_block);
    plan.workers.push_back(std::move(worker.plan));
  }
  return plan;
}

Result<CachePlan> plan_workers(const Planning& planning) {
  std::vector<Projection> workers;
  workers.reserve(planning.input.workers.size());
  for (const Worker& worker : planning.input.workers) {
    workers.push_back(project(worker, planning));
  }
  const Projection* least = tightest(workers, planning.input);
  if (least == nullptr) return plan_without_caches(workers, planning.input);

  if (Check wrong = check_context_parallel(planning)) return *wrong;
  std::uint64_t length = planning.input.max_model_len;
  if (planning.input.auto_length) {
    length = fitted_length(workers, planning);
    if (length == 0) return nothing_fits(workers);
  }
  if (Check wrong = check_workers(workers, planning, length)) return *wrong;
  return plan_with_caches(workers, *least, planning, length);
}

}  // namespace

PlannerRules planner_rules(const Version& version) {
  const std::uint32_t minor = version.minor;
  PlannerRules rules;
  rules.group_ratio_percent = minor >= 18 ? 150 : (minor >= 12 ? 125 : 0);
  rules.tokens_from_concurrency = minor >= 21;
  rules.concurrency_by_blocks = minor >= 27;
  rules.concurrency_from_tokens = !version.at_least(9, 1);
  rules.pads_strided_pages = minor >= 25;
  rules.pads_mamba_pages = minor >= 26;
  rules.grows_block_sizes = minor >= 11;
  rules.promotes_draft_windows = minor >= 27;
  rules.checks_by_groups = minor >= 14;
  rules.packs_latent_windows = minor >= 27;
  rules.override_limits_memory = minor >= 21;
  return rules;
}

RequestBlocks::RequestBlocks(const PlannerInput& input)
    : in_flight_tokens_(input.in_flight_tokens),
      decode_context_parallel_(std::max<std::uint64_t>(input.decode_context_parallel, 1)),
      encoder_tokens_(input.encoder_tokens),
      mamba_mode_(input.mamba_mode) {}

void RequestBlocks::add_groups(const LayerCacheSpec& cache, std::uint64_t groups) {
  terms_.push_back(Term{cache, groups});
}

std::uint64_t RequestBlocks::of(const LayerCacheSpec& cache, std::uint64_t length) const {
  switch (cache.kind) {
    case SpecKind::full:
    case SpecKind::latent:
      return divide_up(divide_up(length, decode_context_parallel_), cache.block_size);
    case SpecKind::sliding:
    case SpecKind::sliding_latent: {
      const std::uint64_t seen = cache.window == 0 ? 0 : cache.window - 1;
      const std::uint64_t held = std::min(plus(seen, in_flight_tokens_), length);
      // The window may start in the middle of a block.
      return divide_up(held, cache.block_size) + 1;
    }
    case SpecKind::chunked:
      return divide_up(std::min(plus(cache.window, in_flight_tokens_), length), cache.block_size);
    case SpecKind::mamba:
      if (mamba_mode_ == MambaMode::none) return 1 + cache.speculative_blocks;
      if (mamba_mode_ == MambaMode::align) return 2 + cache.speculative_blocks;
      return divide_up(length, cache.block_size) + cache.speculative_blocks;
    case SpecKind::cross:
      return divide_up(encoder_tokens_, cache.block_size);
  }
  return 0;
}

std::uint64_t RequestBlocks::at(std::uint64_t length) const {
  std::uint64_t blocks = 0;
  for (const Term& term : terms_) {
    blocks = plus(blocks, times(term.groups, of(term.cache, length)));
  }
  return blocks;
}

double RequestBlocks::before_rounding(std::uint64_t length) const {
  double blocks = 0;
  for (const Term& term : terms_) {
    const LayerCacheSpec& cache = term.cache;
    const auto whole_blocks = static_cast<double>(of(cache, length));
    std::uint64_t tokens = length;
    switch (cache.kind) {
      case SpecKind::full:
      case SpecKind::latent:
        tokens = divide_up(length, decode_context_parallel_);
        break;
      case SpecKind::sliding:
      case SpecKind::sliding_latent:
        tokens =
            std::min(plus(cache.window == 0 ? 0 : cache.window - 1, in_flight_tokens_), length);
        break;
      case SpecKind::chunked:
        tokens = std::min(plus(cache.window, in_flight_tokens_), length);
        break;
      case SpecKind::cross:
        tokens = encoder_tokens_;
        break;
      case SpecKind::mamba:
        // States are whole in any case.
        blocks += static_cast<double>(term.groups) * whole_blocks;
        continue;
    }
    blocks +=
        static_cast<double>(term.groups) *
        std::min(whole_blocks, static_cast<double>(tokens) / static_cast<double>(cache.block_size));
  }
  return blocks;
}

Result<PlannedCache> plan_cache(const PlannerInput& input) {
  const Result<ModelCaches> caches = merge_workers(input.workers);
  if (!caches) return caches.error();
  const Result<ModelGroups> groups = group_caches(*caches, input.hybrid_manager, input.rules);
  if (!groups) return groups.error();

  PlannedCache planned;
  planned.request_blocks = RequestBlocks(input);
  for (const Bucket& bucket : groups->buckets) {
    planned.request_blocks.add_groups(bucket.cache, bucket.groups);
  }
  Result<CachePlan> plan = plan_workers(Planning{input, *caches, *groups, planned.request_blocks});
  if (!plan) return plan.error();
  planned.plan = std::move(plan.value());
  return planned;
}

}  // namespace ridgepoint::engine::vllm
