#include "model/language_model.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/variant.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

/// What Hugging Face config classes fill in for sizes that a nested config leaves out.
struct ClassDefaults {
  std::string_view model_type;
  std::string_view sizes;
};

constexpr ClassDefaults kClassDefaults[] = {
    {"llama", R"({"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,)"
              R"("num_attention_heads":32,"vocab_size":32000,"max_position_embeddings":2048})"},
    {"mistral", R"({"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,)"
                R"("num_attention_heads":32,"num_key_value_heads":8,"vocab_size":32000,)"
                R"("max_position_embeddings":131072})"},
    {"gemma",
     R"({"hidden_size":3072,"intermediate_size":24576,"num_hidden_layers":28,)"
     R"("num_attention_heads":16,"num_key_value_heads":16,"head_dim":256,"vocab_size":256000,)"
     R"("max_position_embeddings":8192})"},
    {"gemma3_text",
     R"({"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,)"
     R"("num_attention_heads":8,"num_key_value_heads":4,"head_dim":256,"vocab_size":262208,)"
     R"("sliding_window":4096,"max_position_embeddings":131072})"},
    {"persimmon",
     R"({"hidden_size":4096,"intermediate_size":16384,"num_hidden_layers":36,)"
     R"("num_attention_heads":64,"vocab_size":262144,"max_position_embeddings":16384})"},
};

std::string_view class_defaults(std::string_view model_type) {
  for (const ClassDefaults& entry : kClassDefaults) {
    if (entry.model_type == model_type) {
      return entry.sizes;
    }
  }
  return {};
}

/// Language models that multimodal configs name after the whole, and whose shape is another's.
struct Alias {
  std::string_view name;
  std::string_view model_type;
};
constexpr Alias kAliases[] = {
    {"qwen2_vl_text", "qwen2"},     {"qwen2_5_vl_text", "qwen2"},
    {"qwen3_vl_text", "qwen3"},     {"qwen3_vl_moe_text", "qwen3_moe"},
    {"glm4v_text", "glm4"},         {"glm4v_moe_text", "glm4_moe"},
    {"exaone4_5_text", "exaone4"},  {"mistral4", "deepseek_v3"},
    {"ministral3", "mistral"},      {"paddleocr_vl_text", "llama"},
    {"qwen2_5_omni_text", "qwen2"}, {"qwen3_omni_moe_text", "qwen3_moe"},
    {"aya_vision_text", "cohere2"}, {"smollm", "llama"},
};

const Dialect* dialect_of_inner(std::string_view model_type) {
  const Dialect* dialect = dialect_of_model_type(model_type);
  for (const Alias& alias : kAliases) {
    if (dialect == nullptr && alias.name == model_type) {
      dialect = dialect_of_model_type(alias.model_type);
    }
  }
  return dialect;
}

std::string_view first_architecture(json::Fields& config) {
  const json::Value* names = config.array("architectures");
  if (names == nullptr || names->empty()) {
    return {};
  }
  if (!(*names)[0].is_string()) {
    config.fail("bad_value", "architectures", "architectures must hold class names.");
    return {};
  }
  return (*names)[0].get_ref<const std::string&>();
}

void refuse_elsewhere(json::Fields& config, std::string_view key, std::string_view name) {
  Error error = not_here(worded({"The reader of \"", json::excerpt(name, 60), "\""}), "");
  config.fail(error.code, key, std::move(error.message));
}

void refuse_unknown(json::Fields& config, std::string_view key, std::string_view name) {
  if (!all_dialects_here()) {
    refuse_elsewhere(config, key, name);
    return;
  }
  config.fail(
      "unknown_architecture", key,
      worded({"The ", key == "architectures" ? "architecture" : "model_type", " \"",
              json::excerpt(name, 60),
              ("\" is not known to this version, and guessing its attention would give a wrong "
               "answer. If it is built like a model that is known, put that name in its place.")}));
}

/// Words in a key that say a model is more than Llama's shape.
constexpr std::string_view kUnlikeLlama[] = {
    "expert",
    "moe",
    "lora_rank",
    "mamba",
    "ssm",
    "state_size",
    "linear_",
    "conv",
    "hybrid",
    "vision",
    "audio",
    "image",
    "encoder",
    "index_",
    "compress",
    "layer_types",
    "block",
    "mtp",
    "nextn",
    "share",
    "_config",
    "per_layer",
    "patch",
    "chunk",
    "ssd",
    "attn_",
    "d_conv",
    "recurrent",
    "d_state",
    "latent",
    "loop",
    "cla_",
    "query_num",
    "qk_",
    "qkv_bias",
    "use_bias",
    "kv_rank",
    "kv_shar",
    "v_head",
    "gated",
    "mlp_type",
    "attention_type",
    "attention_window",
    "group",
    "visual",
    "mm_",
    "window_",
    "_sizes",
    "sparse",
};

/// Keys of other designs, which a class of the usual kind does not read.
constexpr std::string_view kAlienKeys[] = {"num_experts",
                                           "num_local_experts",
                                           "n_routed_experts",
                                           "kv_lora_rank",
                                           "index_topk",
                                           "attention_chunk_size",
                                           "cross_attention_layers",
                                           "block_configs",
                                           "hybrid_override_pattern",
                                           "num_kv_shared_layers",
                                           "vision_config",
                                           "audio_config",
                                           "mamba_d_state",
                                           "ssm_state_size",
                                           "linear_attn_config",
                                           "compress_ratios",
                                           "v_head_dim"};

/// Whether a member says something: not null, false, zero or empty.
bool says_something(const json::Value& value) {
  if (value.is_boolean()) {
    return value.get<bool>();
  }
  if (value.is_number()) {
    return value.get<double>() != 0;
  }
  return !value.is_null() && !(value.is_structured() && value.empty());
}

/// A known class with keys of another design: the engine ignores them as this does, but whoever
/// wrote them meant something by them.
void note_alien_keys(const json::Fields& config, ModelSpec& spec) {
  for (const std::string_view key : kAlienKeys) {
    const json::Value* value = config.find(key);
    if (value != nullptr && says_something(*value)) {
      spec.confidence = Confidence::assumed;
      spec.notes.push_back(
          worded({"The config has ", key,
                  ", which this architecture does not read: it is left out here."}));
    }
  }
}

std::string_view unlike_llama(const json::Value& config) {
  for (const auto& item : config.items()) {
    const std::string_view key = item.key();
    const bool harmless = key == "quantization_config" || key == "attn_implementation" ||
                          key == "_attn_implementation" || key == "generation_config" ||
                          key == "use_sliding_window" || !says_something(item.value());
    const bool telling = std::any_of(
        std::begin(kUnlikeLlama), std::end(kUnlikeLlama),
        [&](std::string_view word) { return key.find(word) != std::string_view::npos; });
    if (telling && !harmless) {
      return key;
    }
  }
  return {};
}

bool llama_shaped(json::Fields& config) {
  for (const std::string_view key : {"hidden_size", "intermediate_size", "num_hidden_layers",
                                     "num_attention_heads", "vocab_size", "rms_norm_eps"}) {
    if (!config.has(key)) {
      return false;
    }
  }
  return unlike_llama(config.raw()).empty();
}

/// A model nobody described, whose config has all that Llama's has and nothing that Llama's has
/// not.
void read_as_llama(json::Fields& config, std::string_view name, ModelSpec& spec) {
  read_by(*dialect_of_model_type("llama"), config, spec);
  spec.confidence = Confidence::assumed;
  spec.notes.push_back(
      worded({"\"", json::excerpt(name, 60),
              "\" is not known: its config has Llama's keys and no others that matter, so "
              "it was read as Llama: grouped-query attention in every layer, gated "
              "feed-forward, two norms a layer, no biases but those the config names."}));
}

void read_unknown(json::Fields& config, std::string_view key, std::string_view name,
                  ModelSpec& spec) {
  if (all_dialects_here() && llama_shaped(config)) {
    read_as_llama(config, name, spec);
  } else {
    refuse_unknown(config, key, name);
  }
}

void read_with_dialect(json::Fields& config, std::string_view architecture, ModelSpec& spec) {
  const Dialect* dialect = nullptr;
  const std::string model_type(config.text({"model_type"}).value_or(""));
  if (config.error()) {
    return;
  }
  if (!architecture.empty()) {
    dialect = dialect_of_architecture(architecture);
    if (dialect == nullptr) {
      read_unknown(config, "architectures", architecture, spec);
      return;
    }
  } else if (model_type.empty()) {
    config.fail("unknown_architecture", "architectures",
                "Neither architectures nor model_type is given, so the attention design is "
                "unknown: paste the model's whole config.json.");
    return;
  } else {
    dialect = dialect_of_model_type(model_type);
    if (dialect == nullptr) {
      read_unknown(config, "model_type", model_type, spec);
      return;
    }
  }
  read_by(*dialect, config, spec);
  apply_variant(config, *dialect, spec);
  if (dialect->profile != nullptr) {
    note_alien_keys(config, spec);
  }
}

/// The first Qwen names its dtype by switches.
void read_dtype_switches(json::Fields& config, ModelSpec& spec) {
  const auto on = [&](std::string_view key) {
    const json::Value* value = config.find(key);
    return value != nullptr && value->is_boolean() && value->get<bool>();
  };
  spec.dtype_given = on("bf16") || on("fp16") || on("fp32");
  if (on("fp32")) {
    spec.dtype = precision::Dtype::float32;
  } else if (on("fp16")) {
    spec.dtype = precision::Dtype::float16;
  }
}

void read_dtype(json::Fields& config, ModelSpec& spec) {
  const auto text = config.text({"dtype", "torch_dtype"});
  if (!text && !spec.dtype_given) {
    read_dtype_switches(config, spec);
  }
  if (!text || spec.dtype_given) {
    return;
  }
  std::string_view name = *text;
  if (name.starts_with("torch.")) {
    name.remove_prefix(6);
  }
  spec.dtype_given = true;
  if (name == "float16" || name == "half") {
    spec.dtype = precision::Dtype::float16;
  } else if (name == "float32" || name == "float") {
    spec.dtype = precision::Dtype::float32;
  } else if (name == "bfloat16") {
    spec.dtype = precision::Dtype::bfloat16;
  } else if (name == "auto") {
    spec.dtype_given = false;
  } else {
    config.fail("bad_value", config.has("dtype") ? "dtype" : "torch_dtype",
                worded({"The dtype \"", json::excerpt(name, 40),
                        "\" is not known; float16, bfloat16 and float32 are."}));
  }
}

/// The lengths a config may name; vLLM takes the least (config/model.py, derive_max_model_len).
void read_lengths(json::Fields& config, ModelSpec& spec) {
  if (spec.max_position_embeddings != 0) {
    return;
  }
  for (const std::string_view key :
       {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length",
        "max_target_positions", "max_sequence_length", "max_seq_length", "seq_len"}) {
    // -1 and numbers past every limit stand for "none" in some configs.
    const json::Value* value = config.find(key);
    if (value == nullptr || !value->is_number() || value->get<double>() < 1 ||
        value->get<double>() > static_cast<double>(kLengthRange.most)) {
      if (value != nullptr && (key == std::string_view("max_position_embeddings"))) {
        config.whole({key}, kLengthRange);
      }
      continue;
    }
    if (const auto length = config.whole({key}, kLengthRange)) {
      spec.max_position_embeddings = spec.max_position_embeddings == 0
                                         ? *length
                                         : std::min(spec.max_position_embeddings, *length);
      if (key == std::string_view("model_max_length")) {
        spec.model_max_length = *length;
      }
    }
  }
}

const Attention* first_of_kind(const ModelSpec& spec, AttentionKind kind) {
  for (const Layer& layer : spec.layers) {
    if (layer.attention.kind == kind) {
      return &layer.attention;
    }
  }
  return nullptr;
}

/// Windowed layers beside full ones may turn with frequencies of their own (Gemma 3, Gemma 4).
void read_local_rope(json::Fields& config, ModelSpec& spec) {
  const auto parameters = config.object("rope_parameters");
  const bool own =
      config.has("rope_local_base_freq") || (parameters && parameters->has("sliding_attention"));
  const Attention* full = first_of_kind(spec, AttentionKind::full);
  const Attention* sliding = first_of_kind(spec, AttentionKind::sliding);
  if (full != nullptr && sliding != nullptr && (own || spec.rope.local_rotary_dim != 0)) {
    spec.rope.rotary_dim = full->head_dim;
    spec.rope.local_rotary_dim = sliding->head_dim;
  }
}

void read_rope(json::Fields& config, ModelSpec& spec) {
  const double fraction =
      config.number({"partial_rotary_factor", "rotary_pct"}, 0.0, 1.0).value_or(1.0);
  const Attention* attention = first_attention(spec);
  if (attention != nullptr && spec.rope.rotary_dim == 0) {
    spec.rope.rotary_dim =
        attention->kind == AttentionKind::latent
            ? attention->qk_rope_head_dim
            : static_cast<std::uint64_t>(static_cast<double>(attention->head_dim) * fraction);
  }
  read_local_rope(config, spec);
  auto scaling = config.object("rope_scaling");
  if (!scaling) {
    scaling = config.object("rope_parameters");
  }
  if (!scaling) {
    return;
  }
  // One set of parameters for each kind of layer (Gemma 3, Gemma 4): that of the full layers.
  if (auto full = scaling->object("full_attention")) {
    scaling = full;
  }
  const std::string type(scaling->text({"rope_type", "type"}).value_or(""));
  spec.rope.type = type == "default" ? "" : type;
  spec.rope.factor = scaling->number({"factor"}, 0.0, 1e6).value_or(1.0);
  spec.rope.original_max_position_embeddings =
      scaling->whole_or({"original_max_position_embeddings"}, {0, kLengthRange.most}, 0);
  if (spec.rope.original_max_position_embeddings == 0) {
    spec.rope.original_max_position_embeddings =
        config.whole_or({"original_max_position_embeddings"}, {0, kLengthRange.most}, 0);
  }
  config.adopt(*scaling);
}

void read_settings(json::Fields& config, ModelSpec& spec) {
  read_dtype(config, spec);
  read_lengths(config, spec);
  read_rope(config, spec);
}

/// Where the language model lies in a multimodal checkpoint, if the list of modules that its
/// quantiser left alone tells: older and newer checkpoints nest it differently.
void read_nesting(const json::Value& config, ModelSpec& spec) {
  if (spec.names.layers != "model.layers.") {
    return;
  }
  const auto quantization = config.find("quantization_config");
  if (quantization == config.end() || !quantization->is_object()) {
    return;
  }
  for (const char* key : {"ignore", "modules_to_not_convert", "exclude_modules"}) {
    const auto list = quantization->find(key);
    if (list == quantization->end() || !list->is_array()) {
      continue;
    }
    for (const json::Value& entry : *list) {
      const std::string_view name =
          entry.is_string() ? std::string_view(entry.get_ref<const std::string&>()) : "";
      for (const std::string_view nesting :
           {"language_model.model.layers.", "model.language_model.layers."}) {
        if (name.starts_with(nesting)) {
          spec.names.layers = nesting;
          return;
        }
      }
    }
  }
}

}  // namespace

void read_language_model(json::Fields& config, ModelSpec& spec) {
  spec.model_type = std::string(config.text({"model_type"}).value_or(""));
  const std::string_view architecture = first_architecture(config);
  spec.architecture = std::string(architecture);
  if (architecture.empty() && !spec.model_type.empty()) {
    spec.notes.push_back(worded(
        {"architectures is absent; read by model_type ", json::excerpt(spec.model_type, 60), "."}));
  }
  if (!config.error()) {
    read_with_dialect(config, architecture, spec);
  }
  if (!config.error()) {
    read_settings(config, spec);
  }
}

void read_inner_model(json::Fields& config, json::Fields::Keys keys, std::string_view fallback,
                      ModelSpec& spec) {
  std::optional<json::Fields> inner;
  for (const std::string_view key : keys) {
    if (const json::Value* value = config.find(key); value != nullptr && value->is_object()) {
      inner = config.object(key);
      break;
    }
  }
  if (!inner) {
    const Dialect* dialect = dialect_of_inner(fallback);
    if (dialect == nullptr) {
      refuse_unknown(config, "model_type", fallback);
    } else {
      read_by(*dialect, config, spec);
    }
    return;
  }
  const std::string model_type(inner->text({"model_type"}).value_or(fallback));
  const Dialect* dialect = nullptr;
  if (const std::string_view name = first_architecture(*inner); !name.empty()) {
    dialect = dialect_of_architecture(name);
    if (dialect == nullptr && !all_dialects_here()) {
      refuse_elsewhere(*inner, "architectures", name);
      config.adopt(*inner);
      return;
    }
  }
  if (dialect == nullptr) {
    dialect = dialect_of_inner(model_type);
  }
  if (dialect == nullptr) {
    refuse_unknown(*inner, "model_type", model_type);
    config.adopt(*inner);
    return;
  }
  json::Value defaults;
  const std::string_view sizes = class_defaults(model_type);
  const bool incomplete = !inner->has("hidden_size") || !inner->has("num_hidden_layers");
  if (incomplete && config.has("hidden_size") && config.has("num_hidden_layers")) {
    inner->fall_back_to(config.raw());
    spec.notes.push_back(
        "The language model's config is incomplete; the rest was read from the "
        "level above it.");
  } else if (!sizes.empty()) {
    if (auto parsed = json::parse(sizes, ""); parsed) {
      defaults = std::move(parsed.value());
      inner->fall_back_to(defaults);
    }
    if (incomplete) {
      spec.notes.push_back(
          worded({"Sizes that the language model's config leaves out are the defaults of "
                  "the class of model_type ",
                  model_type, "."}));
    }
  }
  read_by(*dialect, *inner, spec);
  for (const std::string_view key : keys::kTied) {
    if (!inner->has(key) && config.has(key)) {
      spec.tie_word_embeddings = config.boolean_or({key}, spec.tie_word_embeddings);
    }
  }
  if (!inner->error()) {
    read_settings(*inner, spec);
    read_nesting(config.raw(), spec);
  }
  config.adopt(*inner);
}

}  // namespace ridgepoint::model
