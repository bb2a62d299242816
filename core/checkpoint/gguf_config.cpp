#include "checkpoint/gguf_config.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "checkpoint/gguf_families.hpp"

namespace ridgepoint::checkpoint {
namespace {

using json::Value;

/// What nearly every config class calls it. A family's own list is asked first, and what it names
/// is not written twice.
constexpr GgufKey kCommon[] = {
    {"embedding_length", "hidden_size"},
    {"feed_forward_length", "intermediate_size"},
    {"attention.head_count", "num_attention_heads"},
    {"attention.head_count_kv", "num_key_value_heads"},
    {"attention.key_length", "head_dim"},
    {"context_length", "max_position_embeddings"},
    {"attention.sliding_window", "sliding_window"},
};

const GgufFamily* find_family(std::string_view name) {
  for (const GgufFamily& family : gguf_families()) {
    if (family.gguf == name) {
      return &family;
    }
  }
  return nullptr;
}

const GgufKey* find_key(GgufKeys keys, std::string_view name) {
  for (const GgufKey& key : keys) {
    if (key.gguf == name) {
      return &key;
    }
  }
  return nullptr;
}

/// GGUF files that hold something else, by the type they give themselves or their architecture.
Check refuse_other_files(std::string_view architecture, std::string_view type,
                         const std::string& path) {
  const auto refuse = [&](std::string_view what) {
    return Error{"not_a_model",
                 "This GGUF holds " + std::string(what) + ": give the GGUF of the model itself.",
                 path};
  };
  if (type == "adapter") {
    return refuse("a LoRA adapter");
  }
  if (type == "imatrix") {
    return refuse("an importance matrix");
  }
  if (type == "mmproj" || architecture == "clip") {
    return refuse("the image or audio projector of a multimodal model (mmproj)");
  }
  return std::nullopt;
}

void write_vocabulary(GgufModel& b) {
  auto size = b.number("vocab_size");
  if (!size) {
    const auto tokens = b.fields().raw().find("tokenizer.ggml.tokens");
    if (tokens != b.fields().raw().end() && tokens->is_object()) {
      const auto length = tokens->find("array_length");
      if (length != tokens->end() && length->is_number_unsigned()) {
        size = length->get<std::uint64_t>();
      }
    }
  }
  // Some converters leave the padding out of the list that the table has.
  const std::uint64_t rows = b.rows("token_embd.weight");
  if (rows != 0) {
    size = std::max(size.value_or(0), rows);
  }
  if (size) {
    b.set("vocab_size", *size);
  }
}

void write_windows(GgufModel& b, const GgufFamily& family) {
  if (b.get("sliding_window") == 0) {
    return;
  }
  const auto pattern = b.by_layer("attention.sliding_window_pattern");
  std::uint64_t period = family.period;
  if (pattern.empty()) {
    period = b.number("attention.sliding_window_pattern").value_or(period);
  }
  if (pattern.empty() && period == 0) {
    return;
  }
  Value types = Value::array();
  for (std::uint64_t i = 0; i < b.layers(); ++i) {
    const bool full =
        pattern.empty() ? (i + 1) % period == 0 : i >= pattern.size() || pattern[i] == 0;
    types.push_back(full ? "full_attention" : "sliding_attention");
  }
  b.set("layer_types", std::move(types));
}

void write_rope(GgufModel& b) {
  if (const auto base = b.real("rope.freq_base")) {
    b.set("rope_theta", *base);
  }
  const std::uint64_t head = b.get("head_dim");
  const auto rotated = b.number("rope.dimension_count");
  if (rotated && head != 0 && *rotated < head) {
    b.set("partial_rotary_factor", static_cast<double>(*rotated) / static_cast<double>(head));
  }
  const std::string key = b.full("rope.scaling.type");
  const auto type = b.fields().text({key});
  if (!type || *type == "none" || type->empty()) {
    return;
  }
  Value scaling = Value::object();
  scaling["rope_type"] = std::string(*type);
  if (const auto factor = b.real("rope.scaling.factor")) {
    scaling["factor"] = *factor;
  }
  if (const auto length = b.number("rope.scaling.original_context_length")) {
    scaling["original_max_position_embeddings"] = *length;
  }
  b.set("rope_scaling", std::move(scaling));
}

void write_keys(GgufModel& b, const GgufFamily& family) {
  const GgufKey* layers = find_key(family.keys, "block_count");
  b.set(layers == nullptr ? "num_hidden_layers" : layers->config, b.layers());
  for (const GgufKey& key : kCommon) {
    if (find_key(family.keys, key.gguf) == nullptr) {
      b.copy(key.gguf, key.config);
    }
  }
  for (const GgufKey& key : family.keys) {
    if (!key.config.empty() && key.gguf != "block_count") {
      b.copy(key.gguf, key.config);
    }
  }
  if (b.get("head_dim") == 0 && b.get("num_attention_heads") != 0) {
    b.set("head_dim", b.get("hidden_size") / b.get("num_attention_heads"));
  }
  b.set("attention_bias", b.has(0, "attn_q.bias") && b.has(0, "attn_output.bias"));
  b.set("mlp_bias", b.has(0, "ffn_up.bias"));
}

/// Layers of different sizes cannot be said in the config of most families.
void refuse_varied(GgufModel& b, const GgufFamily& family) {
  if (family.layers_differ) {
    return;
  }
  for (const std::string_view key :
       {"attention.head_count", "attention.head_count_kv", "feed_forward_length"}) {
    if (b.varies(key)) {
      b.fail("unknown_architecture", key,
             "The layers of this model differ in " + std::string(key) +
                 ", which this version does not size.");
    }
  }
}

}  // namespace

Result<json::Value> gguf_config(const Gguf& gguf, std::string_view path) {
  const std::string at = std::string(path) + ".metadata";
  json::Fields general(gguf.metadata, at);
  const std::string architecture(general.text({"general.architecture"}).value_or(""));
  const std::string type(general.text({"general.type"}).value_or(""));
  if (general.error()) {
    return *general.error();
  }
  if (auto other = refuse_other_files(architecture, type, at)) {
    return *std::move(other);
  }
  if (architecture.empty()) {
    return Error{"missing_field",
                 "The GGUF names no architecture (general.architecture), so its attention design "
                 "is unknown.",
                 at + ".general.architecture"};
  }
  const GgufFamily* family = find_family(architecture);
  if (family == nullptr) {
    return Error{"unknown_architecture",
                 "The GGUF architecture \"" + json::excerpt(architecture, 60) +
                     "\" is not known to this version, and guessing its attention would give a "
                     "wrong answer. Give the model's config.json as model.config beside it.",
                 at + ".general.architecture"};
  }
  GgufModel b(gguf, architecture, at);
  b.rename(family->architecture, family->model_type);
  const std::uint64_t extra = b.number("nextn_predict_layers").value_or(0);
  const auto blocks = b.number("block_count");
  if (!blocks || *blocks <= extra || *blocks > 10000) {
    b.fail("missing_field", "block_count", "The metadata must have the number of layers.");
    return *b.fields().error();
  }
  // block_count counts the layers that predict further tokens; config.json does not.
  b.set_layers(*blocks - extra);
  if (extra != 0) {
    b.set("num_nextn_predict_layers", extra);
  }
  write_keys(b, *family);
  write_vocabulary(b);
  write_windows(b, *family);
  write_rope(b);
  b.set("tie_word_embeddings", !b.has("output.weight"));
  // Weights that are not quantised and the cache are 16-bit in every engine that loads GGUF.
  b.set("torch_dtype", "float16");
  if (family->more != nullptr) {
    family->more(b);
  }
  refuse_varied(b, *family);
  if (b.fields().error()) {
    return *b.fields().error();
  }
  return b.take();
}

}  // namespace ridgepoint::checkpoint
