#include "plan/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"
#include "plan/change.hpp"
#include "weights/weights.hpp"

namespace ridgepoint::plan {
namespace {

using model::Part;
using model::Tensor;
using precision::KvFormat;

bool in_tower(const Tensor& tensor) {
  return tensor.part == Part::vision || tensor.part == Part::audio;
}

/// Least bits of a value by the format of the mix: its most frequent type, which the others are
/// wider than (ggml-common.h, block sizes). 0: not known.
double least_mix_bits(const model::ModelSpec& model, const FormatChoice& weights) {
  constexpr std::pair<std::string_view, double> kBits[] = {
      {"Q8_0", 8.5}, {"Q6_K", 6.5625}, {"Q5_K_M", 5.5}, {"Q4_K_M", 4.5}, {"Q3_K_M", 3.4375}};
  for (const auto& [name, bits] : kBits) {
    if (weights.name == name) {
      return bits;
    }
  }
  if (!model.stored_tensors.empty()) {
    return 0;
  }
  if (model.quantization.quantized() || !model.quantization.method.empty()) {
    return model.quantization.method == "mxfp4" ? 4.25 : 0;
  }
  return 16;
}

/// A float32 checkpoint is converted to fewer bits; its width tells nothing here.
bool sixteen_bits(const model::ModelSpec& model) {
  return model.dtype != precision::Dtype::float32;
}

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > ~std::uint64_t{0} - b ? ~std::uint64_t{0} : a + b;
}

}  // namespace

LeastBytes::LeastBytes(const Request& request, const model::ModelSpec& model,
                       const std::vector<Tensor>& tensors, const FormatChoice& weights)
    : holds_(free_to_bound(request) && sixteen_bits(model)) {
  if (!holds_) {
    return;
  }
  const bool llamacpp = request.engine->name == "llamacpp";
  std::vector<Tensor> counted;
  for (const Tensor& tensor : tensors) {
    const bool host_table =
        llamacpp && (tensor.part == Part::embedding || tensor.part == Part::per_layer_embedding);
    if (!in_tower(tensor) && !host_table && tensor.part != Part::mtp &&
        tensor.split != model::Split::key_value) {
      counted.push_back(tensor);
    }
  }
  if (llamacpp) {
    const double bits = least_mix_bits(model, weights);
    double total = 0;
    for (const Tensor& tensor : counted) {
      total += tensor.matrix ? static_cast<double>(tensor.elements()) * bits / 8.0 : 0.0;
    }
    others_ = static_cast<std::uint64_t>(std::min(total * 0.999, 1e18));
  } else {
    model::ModelSpec made;
    const model::ModelSpec* stored = &model;
    if (!weights.change.set.empty()) {
      made = model;
      made.quantization = precision::online_fp8();
      stored = &made;
    }
    weights::Shard whole;
    whole.end_layer = model.layers.size();
    const weights::WeightBytes bytes = weights::loaded_bytes(*stored, counted, whole, model.dtype);
    experts_ = bytes.by_part[static_cast<std::size_t>(Part::experts)];
    others_ = bytes.total - experts_;
    if (model.checkpoint_bytes) {
      // Engines scale what they compute to a checkpoint of known size.
      const double ratio = static_cast<double>(*model.checkpoint_bytes) /
                           static_cast<double>(std::max<std::uint64_t>(
                               1, weights::checkpoint_bytes(model, tensors)));
      const double least = std::min(1.0, ratio) * 0.999;
      experts_ = static_cast<std::uint64_t>(static_cast<double>(experts_) * least);
      others_ = static_cast<std::uint64_t>(static_cast<double>(others_) * least);
    }
  }
  // An indexed cache may be FP8 without being told, and a checkpoint may ask for any.
  bool indexed = model.quantization.kv_cache.has_value();
  for (const model::Layer& layer : model.layers) {
    indexed = indexed || layer.attention.indexer.heads != 0;
  }
  const KvFormat small = llamacpp ? KvFormat::q8_0 : KvFormat::fp8;
  for (const model::Layer& layer : model.layers) {
    const model::Attention& a = layer.attention;
    const bool keeps_all =
        a.kind == model::AttentionKind::full || a.kind == model::AttentionKind::latent;
    if (!keeps_all || !a.caches()) {
      continue;
    }
    token_as_chosen_ += cache::layer_bytes_per_token(a, KvFormat::model_dtype, model.dtype, 1);
    token_small_ += cache::layer_bytes_per_token(a, small, model.dtype, 1);
  }
  token_as_chosen_ = indexed ? token_small_ : token_as_chosen_;
  if (model.quantization.kv_cache) {
    token_as_chosen_ = 0;
    token_small_ = 0;
  }
}

std::uint64_t LeastBytes::token_bytes(const FormatChoice& kv) const {
  return kv.change.empty() ? token_as_chosen_ : token_small_;
}

std::uint64_t LeastBytes::of(const Layout& layout, const FormatChoice& kv, std::uint64_t context,
                             std::uint64_t requests) const {
  if (!holds_) {
    return 0;
  }
  const std::uint64_t replicas = layout.attention_groups ? 1 : layout.data;
  const std::uint64_t weights = saturating_sum(saturating_product(others_, replicas), experts_);
  return saturating_sum(weights,
                        saturating_product(saturating_product(context, requests), token_bytes(kv)));
}

bool free_to_bound(const Request& request) {
  const engine::Levers& levers = request.engine->levers;
  const bool known =
      std::all_of(request.args.begin(), request.args.end(), [&](const engine::FlagValue& flag) {
        for (const std::string_view lever :
             {levers.max_length, levers.memory_share, levers.no_graphs, levers.batched_tokens,
              levers.most_requests}) {
          if (!lever.empty() && same_flag(*request.engine, flag.name, lever)) {
            return true;
          }
        }
        return false;
      });
  return known && request.env.empty() && !request.draft && request.adapters.empty();
}

std::uint64_t most_bytes(const Request& request, const hardware::Device& device, double share) {
  if (request.engine->name != "vllm") {
    return device.total_bytes;
  }
  const double bytes = std::ceil(static_cast<double>(device.total_bytes) * std::min(1.0, share));
  return std::min(device.total_bytes, static_cast<std::uint64_t>(bytes));
}

}  // namespace ridgepoint::plan
