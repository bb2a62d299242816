#include "model/read.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "model/catalogue.hpp"
#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/tensors.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kConfigPath = "model.config";
constexpr double kMostParameters = 1e15;

Error error_at(std::string_view code, std::string message, std::string_view key = {}) {
  std::string path(kConfigPath);
  if (!key.empty()) {
    path += "." + std::string(key);
  }
  return Error{std::string(code), std::move(message), std::move(path)};
}

/// Files that are often pasted by mistake, each known by a key that no model config has.
struct OtherFile {
  std::string_view key;
  std::string_view message;
};

constexpr std::array kOtherFiles = {
    OtherFile{"peft_type",
              "This is the adapter_config.json of a LoRA (PEFT) adapter, not of a model: paste the "
              "config.json of its base model."},
    OtherFile{"lora_alpha",
              "This is the adapter_config.json of a LoRA adapter, not of a model: paste the "
              "config.json of its base model."},
    OtherFile{"_diffusers_version",
              "This is a diffusers model_index.json (an image or video pipeline). ridgepoint sizes "
              "language models: paste the config.json of one."},
    OtherFile{"weight_map",
              "This is a safetensors index, not a config: paste the config.json that lies beside "
              "it."},
    OtherFile{"tokenizer_class",
              "This is a tokenizer_config.json: paste the config.json that lies beside it."},
    OtherFile{"image_processor_type",
              "This is a preprocessor_config.json: paste the config.json that lies beside it."},
};

Check refuse_other_files(const json::Value& config) {
  // A model's config may carry tokenizer_class too, so an architecture settles it.
  const bool names_model = config.contains("architectures") || config.contains("model_type");
  for (const OtherFile& other : kOtherFiles) {
    if (config.contains(other.key) && !(names_model && other.key == "tokenizer_class")) {
      return error_at("not_a_model", std::string(other.message), other.key);
    }
  }
  if (!names_model && (config.contains("quant_method") || config.contains("quantization"))) {
    return error_at("not_a_model",
                    "This is a quantisation config alone: give it as model.quant_config, and the "
                    "model's config.json as model.config.");
  }
  if (!names_model && config.contains("dim") && config.contains("n_layers")) {
    return error_at("not_a_model",
                    "This is a params.json in its maker's own form: paste the Hugging Face "
                    "config.json of the same model.");
  }
  if (!names_model && config.contains("eos_token_id") && !config.contains("hidden_size")) {
    return error_at("not_a_model",
                    "This is a generation_config.json: paste the config.json that lies beside it.");
  }
  return std::nullopt;
}

Result<const Dialect*> choose_dialect(json::Fields& config, ModelSpec& spec) {
  if (const auto type = config.text({"model_type"})) {
    spec.model_type = *type;
  }
  const json::Value* names = config.array("architectures");
  if (config.error()) {
    return *config.error();
  }
  if (names != nullptr && !names->empty()) {
    if (!(*names)[0].is_string()) {
      return error_at("bad_value", "architectures must hold class names.", "architectures");
    }
    spec.architecture = (*names)[0].get<std::string>();
    if (const Dialect* dialect = dialect_of_architecture(spec.architecture)) {
      return dialect;
    }
    return error_at("unknown_architecture",
                    "The architecture \"" + json::excerpt(spec.architecture, 60) +
                        "\" is not known to this version, and guessing its attention would give a "
                        "wrong answer.",
                    "architectures");
  }
  if (spec.model_type.empty()) {
    return error_at("unknown_architecture",
                    "Neither architectures nor model_type is given, so the attention design is "
                    "unknown: paste the model's whole config.json.",
                    "architectures");
  }
  if (const Dialect* dialect = dialect_of_model_type(spec.model_type)) {
    spec.notes.push_back("architectures is absent; read by model_type " + spec.model_type + ".");
    return dialect;
  }
  return error_at("unknown_architecture",
                  "The model_type \"" + json::excerpt(spec.model_type, 60) +
                      "\" is not known to this version, and guessing its attention would give a "
                      "wrong answer.",
                  "model_type");
}

void read_dtype(json::Fields& config, ModelSpec& spec) {
  const auto text = config.text({"dtype", "torch_dtype"});
  if (!text) {
    spec.notes.emplace_back("The config names no dtype; bfloat16 assumed.");
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
  } else {
    config.fail("bad_value", config.has("dtype") ? "dtype" : "torch_dtype",
                "The dtype \"" + json::excerpt(name, 40) +
                    "\" is not known; float16, bfloat16 and float32 are.");
  }
}

/// The lengths a config may name; vLLM takes the least (config/model.py, derive_max_model_len).
void read_lengths(json::Fields& config, ModelSpec& spec) {
  for (const std::string_view key :
       {"max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "model_max_length",
        "max_target_positions", "max_sequence_length", "max_seq_length", "seq_len"}) {
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

void read_rope(json::Fields& config, ModelSpec& spec) {
  const double fraction = config.number({"partial_rotary_factor"}, 0.0, 1.0).value_or(1.0);
  if (!spec.layers.empty()) {
    const Attention& attention = spec.layers.front().attention;
    spec.rope.rotary_dim =
        attention.kind == AttentionKind::latent
            ? attention.qk_rope_head_dim
            : static_cast<std::uint64_t>(static_cast<double>(attention.head_dim) * fraction);
  }
  auto scaling = config.object("rope_scaling");
  if (!scaling) {
    scaling = config.object("rope_parameters");
  }
  if (!scaling) {
    return;
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

/// Products are only trusted to fit in 64 bits once the total, in floating point, is sane.
Check check_size(const ModelSpec& spec) {
  double total = 2.0 * static_cast<double>(spec.vocab_size) * static_cast<double>(spec.hidden_size);
  for (const Layer& layer : spec.layers) {
    const double hidden = static_cast<double>(spec.hidden_size);
    const Attention& a = layer.attention;
    const FeedForward& f = layer.feed_forward;
    total += hidden * static_cast<double>(a.num_attention_heads) *
             static_cast<double>(2 * a.head_dim + 2 * a.v_head_dim + a.kv_lora_rank);
    total += 3.0 * hidden *
             (static_cast<double>(f.intermediate_size) +
              static_cast<double>(f.num_experts) * static_cast<double>(f.moe_intermediate_size) +
              static_cast<double>(f.shared_intermediate_size));
  }
  if (total > kMostParameters) {
    return error_at("bad_value",
                    "These sizes multiply to more than 10^15 parameters; check hidden_size, "
                    "num_hidden_layers, intermediate_size and the number of experts.",
                    "hidden_size");
  }
  return std::nullopt;
}

Check read_quantization_into(const ModelRequest& request, const json::Value& config,
                             ModelSpec& spec) {
  const json::Value* source = nullptr;
  std::string path(kConfigPath);
  // Older compressed-tensors checkpoints call it compression_config.
  for (const char* key : {"compression_config", "quantization_config"}) {
    if (const auto it = config.find(key); it != config.end() && !it->is_null()) {
      source = &*it;
      path = std::string(kConfigPath) + "." + key;
    }
  }
  if (source == nullptr && request.quant_config != nullptr && !request.quant_config->is_null()) {
    source = request.quant_config;
    path = "model.quant_config";
  }
  if (source == nullptr) {
    return std::nullopt;
  }
  auto scheme = precision::read_quantization(*source, std::move(path));
  if (!scheme) {
    return scheme.error();
  }
  spec.quantization = std::move(scheme.value());
  return std::nullopt;
}

Result<ModelSpec> read_config(const ModelRequest& request, const json::Value& config) {
  if (!config.is_object()) {
    return error_at("bad_value", "The config must be a JSON object, and it is " +
                                     std::string(json::kind_of(config)) + ".");
  }
  if (auto refused = refuse_other_files(config)) {
    return *std::move(refused);
  }
  ModelSpec spec;
  spec.id = request.id;
  spec.checkpoint_bytes = request.weight_bytes;
  json::Fields fields(config, std::string(kConfigPath));
  const auto dialect = choose_dialect(fields, spec);
  if (!dialect) {
    return dialect.error();
  }
  (*dialect)->read(fields, spec);
  read_dtype(fields, spec);
  read_lengths(fields, spec);
  read_rope(fields, spec);
  if (fields.error()) {
    return *fields.error();
  }
  if (auto absurd = check_size(spec)) {
    return *std::move(absurd);
  }
  if (auto wrong = read_quantization_into(request, config, spec)) {
    return *std::move(wrong);
  }
  return spec;
}

}  // namespace

Result<ModelSpec> read_model(const ModelRequest& request) {
  const bool has_config = request.config != nullptr && !request.config->is_null();
  if (has_config && request.config->is_string()) {
    auto parsed = json::parse(request.config->get_ref<const std::string&>(), kConfigPath);
    return parsed ? read_config(request, parsed.value()) : Result<ModelSpec>(parsed.error());
  }
  if (has_config) {
    return read_config(request, *request.config);
  }
  if (request.id.empty()) {
    return Error{"missing_field",
                 "No model is given: paste a config.json as model.config, or name a model of the "
                 "catalogue as model.id.",
                 "model.config"};
  }
  const ModelFacts* known = find_model(request.id);
  if (known == nullptr) {
    return Error{"unknown_model",
                 "\"" + json::excerpt(request.id, 80) +
                     "\" is not in the built-in catalogue: give its config.json as model.config.",
                 "model.id"};
  }
  auto parsed = json::parse(known->config, kConfigPath);
  if (!parsed) {
    return parsed.error();
  }
  auto spec = read_config(request, parsed.value());
  if (spec) {
    spec.value().notes.insert(spec.value().notes.begin(), "Sizes from the built-in catalogue (" +
                                                              std::string(known->source) + ").");
  }
  return spec;
}

}  // namespace ridgepoint::model
