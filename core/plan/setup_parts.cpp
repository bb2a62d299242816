#include "plan/setup_parts.hpp"

#include <algorithm>

#include "json/fields.hpp"
#include "plan/change.hpp"
#include "plan/difference_words.hpp"

namespace ridgepoint::plan {
namespace {

constexpr std::size_t kLongestTitle = 80;

bool same_formats(const precision::Quantization& a, const precision::Quantization& b) {
  return a.method == b.method && a.kv_cache == b.kv_cache && a.patterns() == b.patterns() &&
         std::equal(a.groups.begin(), a.groups.end(), b.groups.begin(), b.groups.end(),
                    [](const auto& x, const auto& y) {
                      return x.kinds == y.kinds && x.format == y.format;
                    });
}

bool same_rope(const model::Rope& a, const model::Rope& b) {
  return a.type == b.type && a.factor == b.factor && a.rotary_dim == b.rotary_dim &&
         a.local_rotary_dim == b.local_rotary_dim &&
         a.original_max_position_embeddings == b.original_max_position_embeddings;
}

bool same_files(const model::ModelSpec& a, const model::ModelSpec& b) {
  return a.checkpoint_bytes == b.checkpoint_bytes && a.stored_format == b.stored_format &&
         std::equal(a.stored_tensors.begin(), a.stored_tensors.end(), b.stored_tensors.begin(),
                    b.stored_tensors.end(), [](const auto& x, const auto& y) {
                      return x.bytes == y.bytes && x.format == y.format && x.name == y.name;
                    });
}

}  // namespace

bool same_model(const model::ModelSpec& a, const model::ModelSpec& b) {
  return a.id == b.id && a.architecture == b.architecture && a.model_type == b.model_type &&
         a.hidden_size == b.hidden_size && a.vocab_size == b.vocab_size &&
         a.tie_word_embeddings == b.tie_word_embeddings && a.dtype == b.dtype &&
         a.max_position_embeddings == b.max_position_embeddings &&
         a.model_max_length == b.model_max_length && a.extra == b.extra && a.layers == b.layers &&
         a.mtp.layers == b.mtp.layers && same_rope(a.rope, b.rope) && same_files(a, b) &&
         same_formats(a.quantization, b.quantization);
}

bool same_card(const hardware::Device& a, const hardware::Device& b) {
  return a.id == b.id && a.total_bytes == b.total_bytes && a.free_bytes == b.free_bytes &&
         a.bandwidth_bytes_per_s == b.bandwidth_bytes_per_s && a.bf16_flops == b.bf16_flops &&
         a.fp16_flops == b.fp16_flops;
}

bool same_measured(const engine::Measured& a, const engine::Measured& b) {
  return a.weights_bytes == b.weights_bytes && a.activation_bytes == b.activation_bytes &&
         a.non_torch_bytes == b.non_torch_bytes && a.cuda_graphs_bytes == b.cuda_graphs_bytes &&
         a.kv_pool_bytes == b.kv_pool_bytes;
}

std::string model_title(const model::ModelSpec& model) {
  return json::excerpt(model.id.empty() ? model.architecture : model.id, kLongestTitle);
}

std::string weights_title(const Request& request) {
  const model::ModelSpec& model = request.model;
  const precision::WeightFormat format = model.quantization.quantized()
                                             ? model.quantization.groups.front().format
                                             : precision::WeightFormat{};
  std::string title =
      model.stored_format.empty() ? precision::describe(format, model.dtype) : model.stored_format;
  const std::string_view lever = request.engine->levers.quantization;
  if (!lever.empty()) {
    if (const engine::FlagValue* flag = given_flag(request, lever)) {
      title += " with --" + std::string(lever) + " " + value_text(*flag);
    }
  }
  return title;
}

std::string card_title(const hardware::Device& device) {
  return device.name.empty() ? "a card of " + gib(device.total_bytes)
                             : json::excerpt(device.name, kLongestTitle);
}

std::string engine_title(const Request& request, const std::string& version) {
  return std::string(request.engine->title) +
         (version.empty() ? "" : " " + json::excerpt(version, kLongestTitle));
}

std::string parallel_title(const engine::Parallelism& parallelism) {
  std::string title;
  const auto add = [&](const char* name, std::uint64_t ranks) {
    if (ranks > 1) {
      title += (title.empty() ? "" : " x ") + std::string(name) + " " + std::to_string(ranks);
    }
  };
  add("TP", parallelism.tensor);
  add("PP", parallelism.pipeline);
  add("DP", parallelism.data);
  if (title.empty()) {
    return "1 GPU";
  }
  return title + (parallelism.expert ? " with expert parallelism" : "");
}

std::string cache_title(const engine::MemoryPlan& memory) {
  return std::string(memory.kv_format == precision::KvFormat::model_dtype
                         ? precision::dtype_name(memory.dtype)
                         : precision::kv_format_name(memory.kv_format));
}

}  // namespace ridgepoint::plan
