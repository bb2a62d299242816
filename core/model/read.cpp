#include "model/read.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "model/catalogue.hpp"
#include "model/draft_head.hpp"
#include "model/foreign.hpp"
#include "model/language_model.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kConfigPath = "model.config";
constexpr double kMostParameters = 1e15;

Error error_at(std::string_view code, std::string message, std::string_view key = {}) {
  std::string path(kConfigPath);
  if (!key.empty()) {
    path += worded({".", key});
  }
  return Error{std::string(code), std::move(message), std::move(path)};
}

/// Products are only trusted to fit in 64 bits once the total, in floating point, is sane.
double attention_size(const Attention& a, double hidden) {
  const double heads = static_cast<double>(a.num_attention_heads + a.num_key_value_heads);
  return hidden * heads * static_cast<double>(2 * a.head_dim + 2 * a.v_head_dim) +
         (hidden + heads * static_cast<double>(a.head_dim + a.v_head_dim)) *
             static_cast<double>(a.kv_lora_rank + a.q_lora_rank) +
         hidden * static_cast<double>(a.indexer.heads * a.indexer.head_dim);
}

double state_size(const State& s, double hidden) {
  const double inner = static_cast<double>(s.inner_size);
  const double widths = 3 * inner + 2 * static_cast<double>(s.groups * s.state_size) +
                        4 * static_cast<double>(s.heads) * static_cast<double>(s.head_dim) +
                        2 * static_cast<double>(s.key_heads * s.key_head_dim);
  return widths * (hidden + static_cast<double>(s.conv_kernel)) +
         inner * static_cast<double>(s.state_size + s.dt_rank) +
         static_cast<double>(s.heads) * static_cast<double>(s.head_dim) *
             static_cast<double>(s.state_size + s.key_head_dim);
}

double extra_size(const std::vector<Tensor>& list) {
  double total = 0;
  for (const Tensor& t : list) {
    total += static_cast<double>(t.rows) * static_cast<double>(t.cols) *
             static_cast<double>(t.copies) *
             static_cast<double>(std::max<std::uint64_t>(1, t.layers));
  }
  return total;
}

double layer_size(const Layer& layer, double hidden) {
  const FeedForward& f = layer.feed_forward;
  return attention_size(layer.attention, hidden) + attention_size(layer.cross, hidden) +
         state_size(layer.state, hidden) + extra_size(layer.extra) +
         3.0 * (hidden + static_cast<double>(f.expert_hidden_size)) *
             (static_cast<double>(f.intermediate_size) +
              static_cast<double>(f.num_experts + f.router_outputs) *
                  static_cast<double>(f.moe_intermediate_size + 1) +
              static_cast<double>(f.shared_intermediate_size));
}

Check check_size(const ModelSpec& spec) {
  const auto hidden = static_cast<double>(spec.hidden_size);
  double total = (2.0 + 2.0 * static_cast<double>(spec.mtp.modules)) *
                     static_cast<double>(spec.vocab_size) * hidden +
                 extra_size(spec.extra);
  for (const Layer& layer : spec.layers) {
    total += layer_size(layer, hidden);
  }
  for (const Layer& layer : spec.mtp.layers) {
    total += layer_size(layer, hidden);
  }
  if (!(total <= kMostParameters)) {
    return error_at("bad_value",
                    "These sizes multiply to more than 10^15 parameters; check hidden_size, "
                    "num_hidden_layers, intermediate_size and the number of experts.",
                    "hidden_size");
  }
  return std::nullopt;
}

Check read_quantization_into(const ModelRequest& request, const json::Value& config,
                             ModelSpec& spec) {
  auto scheme = precision::quantization_of(config, std::string(kConfigPath), request.quant_config,
                                           "model.quant_config");
  if (!scheme) {
    return scheme.error();
  }
  spec.quantization = std::move(scheme.value());
  const bool declared = config.contains("quantization_config") || config.contains("quantization");
  if (declared && request.quant_config != nullptr && !request.quant_config->is_null()) {
    spec.notes.emplace_back(
        "The config declares its quantisation itself, as engines read it; "
        "model.quant_config is not used.");
  }
  if (spec.quantization.method == "mlx" && spec.mtp.modules + spec.mtp.layers.size() != 0) {
    spec.mtp = {};
    spec.notes.emplace_back("MLX checkpoints leave the multi-token-prediction layers out.");
  }
  return std::nullopt;
}

/// Sizes that an engine's default may follow; odd ones are left out, for the tower's own reader
/// tells what is wrong with them.
VisionConfig read_vision_config(const json::Value& config) {
  VisionConfig vision;
  const auto found = config.find("vision_config");
  if (found == config.end() || !found->is_object()) {
    return vision;
  }
  constexpr json::Range kSizes{1, 1U << 20U};
  json::Fields fields(*found, worded({kConfigPath, ".vision_config"}));
  vision.present = true;
  vision.num_hidden_layers =
      fields.whole_or({"num_hidden_layers", "vt_num_hidden_layers"}, kSizes, 0);
  vision.hidden_size = fields.whole_or({"hidden_size", "vt_hidden_size"}, kSizes, 0);
  return vision;
}

Result<ModelSpec> read_config(const ModelRequest& request, const json::Value& config) {
  if (!config.is_object()) {
    return error_at("bad_value", worded({"The config must be a JSON object, and it is ",
                                         json::kind_of(config), "."}));
  }
  if (auto refused = refuse_foreign(config, request.draft)) {
    return *std::move(refused);
  }
  ModelSpec spec;
  spec.id = request.id;
  spec.checkpoint_bytes = request.weight_bytes;
  // A draft head's architecture names the head; its layers are those of its model_type.
  const bool draft_head = request.draft && is_draft_head(config);
  json::Value decoder;
  if (draft_head) {
    decoder = config;
    decoder.erase("architectures");
  }
  json::Fields fields(draft_head ? decoder : config, std::string(kConfigPath));
  read_language_model(fields, spec);
  if (fields.error()) {
    return *fields.error();
  }
  if (!spec.dtype_given) {
    spec.notes.emplace_back("The config names no dtype; bfloat16 assumed.");
  }
  if (draft_head) {
    if (auto wrong = add_draft_head(config, spec)) {
      return *std::move(wrong);
    }
  }
  if (auto absurd = check_size(spec)) {
    return *std::move(absurd);
  }
  if (auto wrong = read_quantization_into(request, config, spec)) {
    return *std::move(wrong);
  }
  spec.vision = read_vision_config(config);
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
    return Error{
        "unknown_model",
        worded({"\"", json::excerpt(request.id, 80),
                "\" is not in the built-in catalogue: give its config.json as model.config."}),
        "model.id"};
  }
  auto parsed = json::parse(known->config, kConfigPath);
  if (!parsed) {
    return parsed.error();
  }
  auto spec = read_config(request, parsed.value());
  if (spec) {
    spec.value().notes.insert(spec.value().notes.begin(),
                              worded({"Sizes from the built-in catalogue (", known->source, ")."}));
  }
  return spec;
}

}  // namespace ridgepoint::model
