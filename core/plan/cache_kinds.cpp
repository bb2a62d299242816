#include "plan/cache_kinds.hpp"

#include <algorithm>

#include "cache/geometry.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using model::Attention;
using model::AttentionKind;

std::string kind_name(const Attention& a) {
  switch (a.kind) {
    case AttentionKind::sliding:
      return "window_" + std::to_string(a.window);
    case AttentionKind::chunked:
      return "chunk_" + std::to_string(a.window);
    case AttentionKind::latent:
      return a.cached_per_head ? "latent_by_heads" : "latent";
    case AttentionKind::compressed:
      return "compressed";
    case AttentionKind::cross:
      return "cross";
    default:
      return "full";
  }
}

std::string kind_numbers(const Attention& a, std::uint64_t bytes) {
  if (a.kind == AttentionKind::latent && !a.cached_per_head) {
    return "one row of " + grouped(a.kv_lora_rank + a.qk_rope_head_dim) + " values, " +
           grouped(bytes) + " bytes";
  }
  return grouped(a.num_key_value_heads) + " heads x (" + grouped(a.head_dim) + " + " +
         grouped(a.v_head_dim) + ") values, " + grouped(bytes) + " bytes";
}

}  // namespace

std::vector<CacheKind> cache_kinds(const model::ModelSpec& model, const engine::MemoryPlan& plan) {
  std::vector<CacheKind> list;
  const auto count = [&](const std::string& name, const std::string& told, std::uint64_t bytes) {
    const auto named = [&](const CacheKind& kind) { return kind.kind == name; };
    const auto known = std::find_if(list.begin(), list.end(), [&](const CacheKind& kind) {
      return named(kind) && kind.bytes == bytes;
    });
    if (known != list.end()) {
      ++known->layers;
      return;
    }
    // Layers of one kind with other heads are told apart by what they keep.
    const bool again = std::any_of(list.begin(), list.end(), named);
    list.push_back({name, again ? name + "_" + std::to_string(bytes) : name, told, bytes, 1});
  };
  std::uint64_t sum = 0;
  for (const model::Layer& layer : model.layers) {
    const Attention& a = layer.attention;
    const std::uint64_t rows = cache::layer_bytes_per_token(a, plan.kv_format, plan.dtype, 1);
    const std::uint64_t index = cache::indexer_bytes_per_token(a);
    if (rows != 0) {
      count(kind_name(a), kind_numbers(a, rows), rows);
    }
    if (index != 0) {
      count("indexer", "keys of the selection, " + grouped(index) + " bytes", index);
    }
    sum += rows + index;
  }
  if (sum > plan.bytes_per_token) {
    list.clear();
  }
  return list;
}

}  // namespace ridgepoint::plan
