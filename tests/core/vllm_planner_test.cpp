#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/api.hpp"
#include "engine/vllm/planner.hpp"

using namespace ridgepoint::engine::vllm;
using nlohmann::json;

namespace {

using Layers = std::vector<LayerCacheSpec>;

constexpr std::uint64_t kPage = 16384;  // of the layers below: 16 tokens, 2 heads of 64, fp32
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

LayerCacheSpec attention(SpecKind kind, std::uint64_t block, std::uint64_t heads,
                         std::uint64_t head_dim, std::uint64_t dtype_bytes,
                         std::uint64_t window = 0) {
  LayerCacheSpec cache;
  cache.kind = kind;
  cache.block_size = block;
  cache.kv_heads = heads;
  cache.head_dim = head_dim;
  cache.v_head_dim = head_dim;
  cache.dtype_bytes = dtype_bytes;
  cache.bytes_per_token = heads * 2 * head_dim * dtype_bytes;
  cache.window = window;
  return cache;
}

LayerCacheSpec full(std::uint64_t head_dim = 64) {
  return attention(SpecKind::full, 16, 2, head_dim, 4);
}

LayerCacheSpec sliding(std::uint64_t window = 1, std::uint64_t head_dim = 64) {
  return attention(SpecKind::sliding, 16, 2, head_dim, 4, window);
}

LayerCacheSpec latent(std::uint64_t block, std::uint64_t bytes, std::uint64_t dtype_bytes = 1) {
  LayerCacheSpec cache = attention(SpecKind::latent, block, 1, bytes, dtype_bytes);
  cache.v_head_dim = 0;
  cache.bytes_per_token = bytes * dtype_bytes;
  return cache;
}

LayerCacheSpec mamba(std::uint64_t state_bytes, std::uint64_t padded, std::uint64_t speculative) {
  LayerCacheSpec cache;
  cache.kind = SpecKind::mamba;
  cache.state_bytes = state_bytes;
  cache.page_padded = padded;
  cache.speculative_blocks = speculative;
  return cache;
}

LayerCacheSpec strided(LayerCacheSpec cache) {
  cache.strided = true;
  return cache;
}

Layers operator*(std::size_t count, const LayerCacheSpec& cache) { return Layers(count, cache); }

Layers operator+(Layers a, const Layers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

PlannerInput on_workers(std::vector<Worker> workers, std::uint64_t max_model_len) {
  PlannerInput input;
  input.workers = std::move(workers);
  input.max_model_len = max_model_len;
  input.in_flight_tokens = 1024;
  return input;
}

PlannerInput on_one(const Layers& layers, std::uint64_t memory, std::uint64_t max_model_len = 16) {
  return on_workers({Worker{memory, 0, layers}}, max_model_len);
}

PlannedCache plan(const PlannerInput& input) {
  const auto planned = plan_cache(input);
  INFO((planned.ok() ? std::string() : planned.error().message));
  REQUIRE(planned.ok());
  return *planned;
}

std::string error_code(const PlannerInput& input) {
  const auto planned = plan_cache(input);
  return planned.ok() ? "" : planned.error().code;
}

/// "2@16 1@32": layers and block size of each group of one worker.
std::string groups_of(const PlannedCache& planned, std::size_t worker = 0) {
  std::string text;
  for (const CacheGroup& group : planned.plan.workers.at(worker).groups) {
    if (!text.empty()) text += " ";
    text += std::to_string(group.layers) + "@" + std::to_string(group.block_size);
  }
  return text;
}

}  // namespace

// --- one worker

TEST_CASE("layers of one kind form one group and divide the memory") {
  const PlannedCache planned = plan(on_one(2 * full(), 2 * 32 * kPage));
  CHECK(planned.plan.num_blocks == 32);
  CHECK(planned.plan.workers[0].bytes_per_block == 2 * kPage);
  CHECK(planned.plan.workers[0].allocated_bytes == 2 * 32 * kPage);
  CHECK(groups_of(planned) == "2@16");
  CHECK(plan(on_one(2 * sliding(), 2 * 32 * kPage)).plan.num_blocks == 32);
}

TEST_CASE("full and sliding layers share memory, each with its own group") {
  const PlannedCache planned = plan(on_one(1 * full() + 1 * sliding(), 2 * 32 * kPage));
  CHECK(planned.plan.num_blocks == 64);
  CHECK(groups_of(planned) == "1@16 1@16");
  CHECK(planned.plan.workers[0].groups[1].kind == SpecKind::sliding);
}

TEST_CASE("without the hybrid manager a sliding layer is allocated as a full one") {
  PlannerInput input = on_one(1 * full() + 1 * sliding(), 2 * 32 * kPage);
  input.hybrid_manager = false;
  const PlannedCache planned = plan(input);
  CHECK(planned.plan.num_blocks == 32);
  CHECK(groups_of(planned) == "2@16");
  CHECK(planned.plan.workers[0].groups[0].kind == SpecKind::full);
  CHECK(planned.request_blocks.at(4096) == 256);
}

TEST_CASE("groups take the size of the smallest kind and deal the others in turn") {
  CHECK(groups_of(plan(on_one(2 * full() + 4 * sliding(), 2 * 32 * kPage))) == "2@16 2@16 2@16");
  const PlannedCache odd = plan(on_one(3 * full() + 7 * sliding(), 3 * 32 * kPage));
  CHECK(groups_of(odd) == "3@16 3@16 2@16 2@16");
  CHECK(odd.plan.num_blocks == 32);
}

TEST_CASE("groups take the size of the largest kind when it is little larger") {
  PlannerInput input = on_one(6 * full() + 5 * sliding(), 6 * 32 * kPage);
  CHECK(groups_of(plan(input)) == "6@16 5@16");
  CHECK(plan(input).plan.num_blocks == 32);
  input.rules.group_ratio_percent = 0;
  CHECK(groups_of(plan(input)) == "3@16 3@16 5@16");

  // Half as many again is too many.
  CHECK(groups_of(plan(on_one(4 * full() + 6 * sliding(), 4 * 32 * kPage))) == "4@16 3@16 3@16");

  PlannerInput wider = on_one(3 * full() + 4 * sliding(), 4 * 32 * kPage);
  CHECK(groups_of(plan(wider)) == "3@16 4@16");
  wider.rules.group_ratio_percent = 125;
  CHECK(groups_of(plan(wider)) == "3@16 2@16 2@16");
}

TEST_CASE("full layers of several page sizes stay in one group of the sum of their pages") {
  const PlannedCache planned = plan(on_one(1 * full(128) + 1 * full(64), 3 * 32 * kPage));
  CHECK(planned.plan.num_blocks == 32);
  CHECK(groups_of(planned) == "2@16");
  CHECK(planned.plan.workers[0].groups[0].uniform_type);
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 3 * kPage);
}

TEST_CASE("sliding layers of one window and several page sizes stay in one group") {
  const PlannedCache planned =
      plan(on_one(1 * sliding(1, 64) + 1 * sliding(1, 128), 3 * 32 * kPage));
  CHECK(planned.plan.workers[0].groups[0].uniform_type);
  CHECK(groups_of(plan(on_one(1 * sliding(1) + 1 * sliding(2), 32 * kPage))) == "1@16 1@16");
}

TEST_CASE("full layers of several block sizes are unified to the larger page") {
  const LayerCacheSpec larger = attention(SpecKind::full, 32, 2, 64, 4);
  const PlannedCache planned = plan(on_one(1 * full() + 1 * larger, 64 * kPage));
  CHECK(groups_of(planned) == "2@32");
  CHECK_FALSE(planned.plan.workers[0].groups[0].uniform_type);
  CHECK(planned.plan.num_blocks == 16);
}

TEST_CASE("a window carried by a full layer changes nothing, two different ones are refused") {
  LayerCacheSpec one = full();
  one.window = 1;
  LayerCacheSpec two = full();
  two.window = 2;
  CHECK(groups_of(plan(on_one(1 * full() + 1 * one, 64 * kPage))) == "2@16");
  CHECK(error_code(on_one(1 * one + 1 * two + 1 * full(), 64 * kPage)) == "refused_layout");
}

TEST_CASE("a model without caches has the null block and no more") {
  const PlannedCache planned = plan(on_one({}, 0));
  CHECK(planned.plan.num_blocks == 1);
  CHECK(planned.plan.workers[0].groups.empty());
  CHECK(planned.plan.workers[0].allocated_bytes == 0);
  CHECK(planned.plan.concurrency == 0);
  CHECK(planned.plan.tokens == 0);
}

TEST_CASE("the number of blocks can be given") {
  PlannerInput input = on_one(2 * full(), 2 * 32 * kPage);
  input.num_gpu_blocks_override = 16;
  const PlannedCache planned = plan(input);
  CHECK(planned.plan.num_blocks == 16);
  CHECK(planned.plan.workers[0].allocated_bytes == 2 * 16 * kPage);
}

// --- page sizes

TEST_CASE("a smaller page grows by its block size when it divides the largest") {
  const PlannedCache planned = plan(on_one(1 * full() + 1 * sliding(1, 32), 32 * kPage));
  CHECK(planned.plan.num_blocks == 32);
  CHECK(groups_of(planned) == "1@16 1@32");
  // 4096 tokens: 256 full blocks; 1024 in flight make 32 blocks of 32 tokens, and one more.
  CHECK(planned.request_blocks.at(4096) == 256 + 33);

  PlannerInput old = on_one(1 * full() + 1 * sliding(1, 32), 32 * kPage);
  old.rules.grows_block_sizes = false;
  CHECK(error_code(old) == "unsupported_layout");
}

TEST_CASE("a page that does not divide the largest is padded where the backend allows") {
  const Layers layers = 1 * strided(full()) + 1 * strided(sliding(1, 96));
  const PlannedCache planned = plan(on_one(layers, 2 * 32 * kPage));
  CHECK(planned.plan.num_blocks == 42);
  CHECK(groups_of(planned) == "1@16 1@16");
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 24576);
  CHECK(planned.plan.workers[0].allocated_bytes == 42 * 24576);

  PlannerInput old = on_one(layers, 2 * 32 * kPage);
  old.rules.pads_strided_pages = false;
  CHECK(error_code(old) == "unsupported_layout");
}

TEST_CASE("a page that cannot be unified names the layer") {
  const auto refused = plan_cache(on_one(1 * full(96) + 2 * sliding(1, 64), 64 * kPage));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "unsupported_layout");
  CHECK(refused.error().message.find("Layer 1: page size is not divisible by the maximum page "
                                     "size and cannot be padded") == 0);
}

TEST_CASE("a recurrent state is padded to the largest page and keeps its block size") {
  LayerCacheSpec state = mamba(16384, 0, 0);
  state.block_size = 16;
  const LayerCacheSpec wide = attention(SpecKind::sliding, 16, 4, 64, 4, 64);  // page 32768
  const PlannedCache planned = plan(on_one(1 * state + 1 * full() + 1 * wide, 10 * 32768));
  CHECK(groups_of(planned) == "1@16 1@32 1@16");
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 32768);
  CHECK(planned.plan.num_blocks == 10);

  PlannerInput old = on_one(1 * state + 1 * full() + 1 * wide, 10 * 32768);
  old.rules.pads_mamba_pages = false;
  CHECK(error_code(old) == "unsupported_layout");
}

TEST_CASE("a state that was padded before is padded again") {
  const Layers layers = 1 * mamba(8192, 16384, 0) + 1 * full(128);
  const PlannedCache planned = plan(on_one(layers, 4 * 32768));
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 32768);
  CHECK(planned.plan.num_blocks == 4);
}

TEST_CASE("a padded page counts as it is whatever the dimensions") {
  LayerCacheSpec padded = full();
  padded.page_padded = 65536;
  CHECK(plan(on_one(1 * padded, 10 * 65536)).plan.num_blocks == 10);
}

// --- latent caches

TEST_CASE("a latent cache and its indexer are one group") {
  const Layers layers = 2 * latent(64, 656) + 2 * latent(64, 132);
  const PlannedCache planned = plan(on_one(layers, 10 * 2 * 64 * (656 + 132), 64));
  CHECK(groups_of(planned) == "4@64");
  CHECK(planned.plan.workers[0].groups[0].uniform_type);
  CHECK(planned.plan.num_blocks == 10);
}

TEST_CASE("a latent cache and a sliding one of the same page are two groups") {
  const LayerCacheSpec draft = attention(SpecKind::sliding, 16, 1, 288, 4, 64);
  const PlannedCache planned = plan(on_one(1 * latent(16, 576, 4) + 1 * draft, 10 * 36864));
  CHECK(groups_of(planned) == "1@16 1@16");
  CHECK(planned.plan.num_blocks == 10);
}

TEST_CASE("a draft's window beside latent caches is allocated in full when pages do not fit") {
  const Layers layers = 1 * latent(64, 576, 4) + 1 * latent(64, 132) +
                        1 * attention(SpecKind::sliding, 16, 2, 64, 4, 1024);
  const PlannedCache planned = plan(on_one(layers, 10 * kGiB, 64));
  CHECK(groups_of(planned) == "3@64");
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 64 * (2304 + 132 + 1024));

  PlannerInput old = on_one(layers, 10 * kGiB, 64);
  old.rules.promotes_draft_windows = false;
  CHECK(error_code(old) == "unsupported_layout");
}

// --- hybrid manager off

TEST_CASE("a promoted window takes the block size of the full layers and a page to match") {
  LayerCacheSpec window = sliding(1024);
  window.page_padded = 32768;
  const LayerCacheSpec wide = attention(SpecKind::full, 64, 2, 64, 4);
  PlannerInput input = on_one(1 * wide + 1 * window, kGiB);
  input.hybrid_manager = false;
  const PlannedCache planned = plan(input);
  CHECK(groups_of(planned) == "2@64");
  CHECK(planned.plan.workers[0].groups[0].page_bytes == 65536 + 65536);
}

TEST_CASE("a promoted window keeps a page larger than it needs") {
  LayerCacheSpec chunk = attention(SpecKind::chunked, 16, 2, 64, 4, 512);
  chunk.page_padded = 32768;
  PlannerInput input = on_one(1 * full() + 1 * chunk, kGiB);
  input.hybrid_manager = false;
  CHECK(plan(input).plan.workers[0].groups[0].page_bytes == kPage + 32768);
}

TEST_CASE("windows and chunks are promoted together, and never without full layers") {
  const LayerCacheSpec chunk = attention(SpecKind::chunked, 16, 2, 64, 4, 512);
  PlannerInput input = on_one(1 * full() + 1 * sliding(1024) + 1 * chunk, kGiB);
  input.hybrid_manager = false;
  CHECK(groups_of(plan(input)) == "3@16");
  input.workers[0].layers = 1 * sliding(1024) + 1 * chunk;
  CHECK(error_code(input) == "refused_layout");
  input.workers[0].layers = 1 * full() + 1 * sliding(1024) + 1 * sliding(512);
  CHECK(error_code(input) == "refused_layout");
}

// --- several workers

TEST_CASE("tensor-parallel workers keep the fewest blocks of all") {
  for (const std::uint64_t second : {20 * kPage, 40 * kPage}) {
    const PlannedCache planned =
        plan(on_workers({{20 * kPage, 0, 2 * full()}, {second, 0, 2 * full()}}, 16));
    CHECK(planned.plan.num_blocks == 10);
    CHECK(planned.plan.workers[1].allocated_bytes == 20 * kPage);
  }
}

TEST_CASE("a pipeline stage of fewer layers is cut to the blocks of the others") {
  const PlannedCache planned =
      plan(on_workers({{20 * kPage, 0, 1 * full()}, {20 * kPage, 1, 2 * full()}}, 16));
  CHECK(planned.plan.num_blocks == 10);
  CHECK(planned.plan.workers[0].allocated_bytes == 10 * kPage);
  CHECK(planned.plan.workers[1].allocated_bytes == 20 * kPage);
}

TEST_CASE("tensor and pipeline parallelism together count each layer once") {
  const PlannedCache planned = plan(on_workers({{20 * kPage, 0, 2 * full()},
                                                {20 * kPage, 0, 2 * full()},
                                                {20 * kPage, 2, 1 * full()},
                                                {20 * kPage, 2, 1 * full()}},
                                               16));
  CHECK(planned.plan.num_blocks == 10);
  CHECK(groups_of(planned, 0) == "2@16");
  CHECK(groups_of(planned, 3) == "1@16");
}

TEST_CASE("a stage keeps the groups that it has no layers of") {
  const PlannedCache planned =
      plan(on_workers({{20 * kPage, 0, 2 * full()}, {20 * kPage, 2, 2 * sliding()}}, 16));
  CHECK(planned.plan.num_blocks == 10);
  CHECK(groups_of(planned, 0) == "2@16 0@16");
  CHECK(groups_of(planned, 1) == "0@16 2@16");
}

TEST_CASE("groups are dealt so that every stage holds a layer of each") {
  const Layers stage = 1 * full() + 2 * sliding();
  const PlannedCache planned =
      plan(on_workers({{10 * kPage, 0, stage}, {10 * kPage, 3, stage}}, 16));
  CHECK(planned.plan.num_blocks == 10);
  CHECK(groups_of(planned, 0) == "1@16 1@16 1@16");
  CHECK(groups_of(planned, 1) == "1@16 1@16 1@16");
  CHECK(planned.plan.workers[0].allocated_bytes == 10 * kPage);
}

TEST_CASE("workers that describe one layer differently are refused") {
  CHECK(error_code(on_workers({{20 * kPage, 0, 1 * full()}, {20 * kPage, 0, 1 * sliding()}}, 16)) ==
        "refused_layout");
}

TEST_CASE("pipeline stages of one layer each hold one request and a block") {
  for (const std::uint64_t second : {33 * kPage, 66 * kPage}) {
    const PlannedCache planned =
        plan(on_workers({{33 * kPage, 0, 1 * full()}, {second, 1, 1 * full()}}, 512));
    CHECK(planned.plan.num_blocks == 33);
    CHECK(planned.plan.blocks_per_request == 32);
  }
}

// --- capacity

namespace {

LayerCacheSpec wide(SpecKind kind, std::uint64_t window = 0) {
  return attention(kind, 16, 32, 128, 2, window);
}

/// Memory for exactly `blocks` blocks of `layers_of_group` of the layers above.
std::uint64_t memory_for(std::uint64_t blocks, std::uint64_t layers_of_group) {
  return blocks * layers_of_group * 16 * 32 * 2 * 128 * 2;
}

}  // namespace

TEST_CASE("concurrency is blocks over the blocks of one request") {
  const PlannedCache full_only =
      plan(on_one(32 * wide(SpecKind::full), memory_for(1536, 32), 16384));
  CHECK(full_only.plan.blocks_per_request == 1024);
  CHECK(full_only.plan.concurrency == 1.5);

  const PlannedCache windows =
      plan(on_one(32 * wide(SpecKind::sliding, 1024), memory_for(387, 32), 16384));
  CHECK(windows.plan.blocks_per_request == 129);
  CHECK(windows.plan.concurrency == 3);

  const Layers both = 32 * wide(SpecKind::full) + 32 * wide(SpecKind::sliding, 1024);
  const PlannedCache mixed = plan(on_one(both, memory_for(3459, 32), 16384));
  CHECK(mixed.plan.num_blocks == 3459);
  CHECK(mixed.plan.blocks_per_request == 1153);
  CHECK(mixed.plan.concurrency == 3);
  CHECK(mixed.plan.tokens == 49152);
}

TEST_CASE("earlier versions print tokens by blocks and groups") {
  PlannerInput input = on_one(32 * wide(SpecKind::full) + 32 * wide(SpecKind::sliding, 1024),
                              memory_for(3459, 32), 16384);
  input.rules.tokens_from_concurrency = false;
  input.rules.concurrency_by_blocks = false;
  CHECK(plan(input).plan.tokens == 3459 / 2 * 16);
  CHECK(plan(input).plan.concurrency == 3);
}

TEST_CASE("a request takes what its windows and tokens in flight need") {
  struct Case {
    LayerCacheSpec cache;
    std::uint64_t in_flight;
    std::uint64_t length;
    std::uint64_t blocks;
  };
  const LayerCacheSpec chunk = attention(SpecKind::chunked, 16, 2, 64, 4, 1024);
  for (const Case& c : {Case{sliding(1024), 1024, 16384, 129},
                        Case{sliding(1024), 2048, 16384, 193}, Case{chunk, 1024, 16384, 128},
                        Case{chunk, 2048, 16384, 192}, Case{sliding(64), 128, 1024, 13},
                        Case{full(), 128, 1024, 64}, Case{sliding(189), 1, 1024, 13}}) {
    PlannerInput input = on_one(1 * c.cache, kGiB, c.length);
    input.in_flight_tokens = c.in_flight;
    CHECK(plan(input).plan.blocks_per_request == c.blocks);
  }
}

TEST_CASE("decode context parallelism divides a request's tokens, not its states") {
  PlannerInput input = on_one(1 * latent(16, 576), kGiB, 1024);
  CHECK(plan(input).plan.blocks_per_request == 64);
  input.decode_context_parallel = 2;
  CHECK(plan(input).plan.blocks_per_request == 32);
  input.workers[0].layers = 1 * mamba(16384, 0, 2);
  CHECK(plan(input).plan.blocks_per_request == 3);
  input.workers[0].layers = 1 * sliding();
  CHECK(error_code(input) == "unsupported_layout");
}

TEST_CASE("a recurrent state takes blocks by the cache mode") {
  LayerCacheSpec state = mamba(16384, 0, 3);
  state.block_size = 512;
  PlannerInput input = on_one(1 * state, kGiB, 4096);
  CHECK(plan(input).request_blocks.at(1024) == 4);
  input.mamba_mode = MambaMode::align;
  CHECK(plan(input).request_blocks.at(1024) == 5);
  input.mamba_mode = MambaMode::all;
  CHECK(plan(input).request_blocks.at(1024) == 2 + 3);
}

TEST_CASE("compressed layers are packed over one slab") {
  // The Pro model of DeepSeek-V4 as vLLM 0.28 lays it out with FlashInfer's fp8 rows and MXFP4
  // indexers, from its own planner run by hand: 30 layers that compress 4 tokens and 31 that
  // compress 128, pages 32,768, 4,608 and 1,024, states of 32,768 and 8,192.
  const auto page = [](SpecKind kind, std::uint64_t block, std::uint64_t bytes,
                       std::uint64_t window) {
    LayerCacheSpec cache;
    cache.kind = kind;
    cache.block_size = block;
    cache.bytes_per_token = 1;
    cache.page_padded = bytes;
    cache.window = window;
    return cache;
  };
  const LayerCacheSpec tokens = page(SpecKind::sliding_latent, 64, 32768, 128);
  Layers layers;
  for (int i = 0; i < 61; ++i) {
    if (i % 2 == 1) {
      layers.push_back(page(SpecKind::latent, 256, 32768, 0));
      layers.push_back(page(SpecKind::latent, 256, 4608, 0));
      layers.push_back(page(SpecKind::sliding_latent, 4, 32768, 8));
      layers.push_back(page(SpecKind::sliding_latent, 4, 8192, 8));
    } else {
      layers.push_back(page(SpecKind::latent, 256, 1024, 0));
      layers.push_back(page(SpecKind::sliding_latent, 8, 32768, 128));
    }
    layers.push_back(tokens);
  }
  PlannerInput input = on_one(layers, 60 * kGiB, 1048576);
  input.in_flight_tokens = 16384;
  PlannedCache planned = plan(input);
  CHECK(planned.plan.workers.front().bytes_per_block == 1228800);
  CHECK(planned.plan.num_blocks == 52428);
  CHECK(planned.plan.blocks_per_request == 10778);
  CHECK(planned.plan.concurrency == Approx(4.8644).epsilon(1e-4));
  CHECK(planned.plan.needed_bytes == 12830131200);
  CHECK(planned.plan.workers.front().groups.size() == 5);
  input.in_flight_tokens = 8192;
  planned = plan(input);
  CHECK(planned.plan.blocks_per_request == 7450);
  CHECK(planned.plan.concurrency == Approx(7.0373).epsilon(1e-4));
  CHECK(planned.plan.needed_bytes == 8868480000);
  // Two layers that grow and two compressors: the larger group's pages set the block.
  const Layers few = 2 * page(SpecKind::latent, 256, 32768, 0) +
                     2 * page(SpecKind::latent, 256, 4608, 0) +
                     2 * page(SpecKind::sliding_latent, 4, 32768, 8) +
                     2 * page(SpecKind::sliding_latent, 4, 8192, 8);
  CHECK(plan(on_one(few, 32 * 81920)).plan.workers.front().bytes_per_block == 81920);
  CHECK(plan(on_one(few, 32 * 81920)).plan.num_blocks == 32);
}

TEST_CASE("cross-attention holds the encoder's tokens at any length") {
  PlannerInput input = on_one(1 * full() + 1 * attention(SpecKind::cross, 16, 2, 64, 4), kGiB, 448);
  input.encoder_tokens = 1500;
  CHECK(plan(input).request_blocks.at(448) == 28 + 94);
  CHECK(plan(input).request_blocks.at(16) == 1 + 94);
}

// --- the longest length

namespace {

std::uint64_t fitted(PlannerInput input) {
  input.auto_length = true;
  return plan(input).plan.max_model_len;
}

}  // namespace

TEST_CASE("the length is fitted to the memory and never raised") {
  CHECK(fitted(on_one(32 * wide(SpecKind::full), 8 * kGiB, 16385)) == 16384);
  CHECK(fitted(on_one(32 * wide(SpecKind::full), 8 * kGiB, 16383)) == 16383);

  const LayerCacheSpec small = attention(SpecKind::full, 16, 8, 64, 2);
  CHECK(plan(on_one(2 * small, 20 * kGiB, 3000000)).plan.num_blocks == 327680);
  CHECK(fitted(on_one(2 * small, 5 * kGiB, 3000000)) == 1310720);
  CHECK(plan(on_one(1 * small, 20 * kGiB, 3000000)).plan.num_blocks == 655360);
  CHECK(fitted(on_one(1 * small, 5 * kGiB, 3000000)) == 2621440);

  CHECK(fitted(on_one(2 * full(), 2 * 1024 * kPage, 1024)) == 1024);
  CHECK(fitted(on_one(2 * full(), 2 * 32 * kPage, 1024)) == 512);
  CHECK(fitted(on_one(1 * mamba(16384, 0, 2) + 1 * full(), kPage * (64 + 1 + 2), 8192)) == 1024);
}

TEST_CASE("a length that was given is kept when it fits") {
  CHECK(plan(on_one(2 * full(), 2 * 32 * kPage, 16)).plan.max_model_len == 16);
}

TEST_CASE("the fitted length respects a given number of blocks") {
  PlannerInput input = on_one(2 * full(), 2 * 1024 * kPage, 16384);
  input.num_gpu_blocks_override = 32;
  CHECK(fitted(input) == 512);
  CHECK(error_code(input) == "kv_pool");
  // 0.20 and earlier look at the memory alone.
  input.rules.override_limits_memory = false;
  CHECK(plan(input).plan.num_blocks == 32);
}

TEST_CASE("the fitted length is that of the tightest stage") {
  PlannerInput input =
      on_workers({{64 * kPage, 0, 1 * full()}, {64 * kPage, 1, 2 * full()}}, 100000);
  CHECK(fitted(input) == 512);
  input.auto_length = true;
  CHECK(plan(input).plan.needed_bytes == 64 * kPage);
}

TEST_CASE("a request that does not fit is refused with what it needs and what would fit") {
  const auto refused =
      plan_cache(on_one(32 * attention(SpecKind::full, 16, 8, 128, 2), 4 * kGiB, 131072));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == "kv_pool");
  CHECK(refused.error().message ==
        "To serve at least one request with the model's max seq len (131072), (16.00 GiB KV cache "
        "is needed, which is larger than the available KV cache memory (4.00 GiB). Based on the "
        "available memory, the estimated maximum model length is 32768. Try increasing "
        "`gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.");
}

TEST_CASE("no memory at all is told apart from too little") {
  PlannerInput input = on_one(2 * full(), 0);
  CHECK(error_code(input) == "no_kv_memory");
  input.auto_length = true;
  CHECK(error_code(input) == "no_kv_memory");
  input.workers[0].available_bytes = kPage;
  CHECK(error_code(input) == "kv_pool");
  input.auto_length = false;
  const auto refused = plan_cache(input);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("estimated maximum") == std::string::npos);
}

TEST_CASE("before groups were checked, each layer counted by itself") {
  // 3 full and 4 sliding layers: groups of 4 pad one layer; promoted windows would cost more yet.
  PlannerInput input = on_one(3 * full() + 4 * sliding(), (3 * 64 + 4 * 65) * kPage, 1024);
  CHECK(error_code(input) == "kv_pool");
  input.rules.checks_by_groups = false;
  CHECK(plan(input).plan.needed_bytes == (3 * 64 + 4 * 65) * kPage);
}

TEST_CASE("absurd sizes are refused rather than wrapped around") {
  LayerCacheSpec vast = full();
  vast.bytes_per_token = std::uint64_t{1} << 62;
  CHECK(error_code(on_one(80 * vast, 80 * kGiB, 16)) == "kv_pool");
  CHECK(error_code(on_one(2 * full(), kGiB, std::uint64_t{1} << 63)) == "kv_pool");
  LayerCacheSpec empty = full();
  empty.block_size = 0;
  CHECK(error_code(on_one(1 * empty, kGiB)) == "unsupported_layout");
  CHECK(error_code(on_workers({{kGiB, 0, 1 * full()}, {kGiB, std::uint64_t{1} << 60, 1 * full()}},
                              16)) == "unsupported_layout");
}

// --- the engine's own planner, run on many inputs

namespace {

/// The file of cases: below the folder that RIDGEPOINT_SHARED names, or beside the repository.
std::optional<std::filesystem::path> cases_file() {
  const std::filesystem::path name = "truth/vllm_kv_cases.jsonl";
  std::error_code ignored;
  if (const char* shared = std::getenv("RIDGEPOINT_SHARED")) {
    const std::filesystem::path file = shared / name;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  std::filesystem::path folder = RIDGEPOINT_FIXTURES;
  while (folder.has_relative_path()) {
    folder = folder.parent_path();
    const std::filesystem::path file = folder / "shared" / name;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return std::nullopt;
}

/// A line of the file without what is to be found out.
std::string question(json line) {
  for (const char* key : {"out", "max_model_len", "error", "msg"}) line.erase(key);
  return line.dump();
}

void check_case(const json& line) {
  const json answer = json::parse(ridgepoint::api::kv_plan(question(line)));
  if (!line.contains("error")) {
    CHECK(answer.value("out", json()) == line.at("out"));
    CHECK(answer.value("max_model_len", json()) == line.at("max_model_len"));
    return;
  }
  CHECK(answer.at("error") == line.at("error"));
  // The file keeps the beginning of the engine's message.
  CHECK(answer.at("msg").get<std::string>().find(line.at("msg").get<std::string>()) == 0);
}

}  // namespace

TEST_CASE("plans are those of the engine's own planner, to the byte") {
  const auto file = cases_file();
  if (!file) {
    WARN("skipped: vllm_kv_cases.jsonl is not here");
    return;
  }
  std::ifstream stream(*file);
  std::size_t cases = 0;
  for (std::string text; std::getline(stream, text);) {
    if (text.empty()) continue;
    const json line = json::parse(text);
    INFO(line.at("id") << " " << line.at("name"));
    check_case(line);
    ++cases;
  }
  CHECK(cases > 100);
}

TEST_CASE("a line for the planner is checked before it is planned") {
  const auto answer = [](const char* line) { return json::parse(ridgepoint::api::kv_plan(line)); };
  const auto path = [&](const char* line) {
    const json said = answer(line);
    return said.at("error").at("path").get<std::string>();
  };
  CHECK(answer("[]").at("error").at("code") == "bad_request");
  CHECK(answer("{").at("error").at("code") == "not_json");
  CHECK(path("{}") == "L");
  CHECK(path(R"({"L":16})") == "workers");
  CHECK(path(R"({"L":16,"workers":[{"mem":-1,"layers":[]}]})") == "workers[0].mem");
  CHECK(path(R"({"L":16,"workers":[{"mem":1,"layers":[{"t":"fool","B":16}]}]})") ==
        "workers[0].layers[0].t");
  CHECK(path(R"({"L":16,"workers":[{"mem":1,"layers":[{"t":"full","B":0}]}]})") ==
        "workers[0].layers[0].B");
  CHECK(path(R"({"L":16,"workers":[{"mem":1,"layers":[{"n":99999999,"t":"full","B":16}]}]})") ==
        "workers[0].layers[0].n");
  CHECK(path(R"({"L":16,"mamba_mode":"some","workers":[{"mem":1,"layers":[]}]})") == "mamba_mode");
  CHECK(path(R"({"L":16,"version":"0.2","workers":[{"mem":1,"layers":[]}]})") == "version");
}

TEST_CASE("a line may ask for an older version's rules") {
  // 24 layers of 4 KiB a token, 12 of them windows: 0.9 to 0.26 print blocks // groups x 16, 0.21
  // and later concurrency x length.
  const std::string layers = R"([{"n":12,"t":"full","B":16,"kv":8,"hd":64,"dt":2},)"
                             R"({"n":12,"t":"sw","B":16,"kv":8,"hd":64,"dt":2,"w":128}])";
  const auto tokens = [&](const std::string& version) {
    const json said = json::parse(
        ridgepoint::api::kv_plan(R"({"L":8192,"R":2048,"version":")" + version +
                                 R"(","workers":[{"mem":3221225472,"layers":)" + layers + "}]}"));
    return said.at("out").at(0).at("tokens").get<std::uint64_t>();
  };
  // 3 GiB / (12 x 32,768) = 8,192 blocks: 8,192 // 2 x 16; a request takes 512 + 137 blocks.
  CHECK(tokens("0.20.0") == 65536);
  CHECK(tokens("0.28.0") == 103403);
}
