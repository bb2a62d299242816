#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/mixers.hpp"
#include "wording.hpp"

namespace ridgepoint::model::qwen3_next {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Qwen3NextForCausalLM",  "Qwen3NextModel",      "Qwen3NextForSequenceClassification",
    "Qwen3_5ForCausalLM",    "Qwen3_5TextModel",    "Qwen3_5ForSequenceClassification",
    "Qwen3_5MoeForCausalLM", "Qwen3_5MoeTextModel", "Qwen3_5MoeForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"};

bool named_like(const json::Fields& config, const ModelSpec& spec, std::string_view in_class,
                std::string_view in_type) {
  const json::Value* type = config.find("model_type");
  return spec.architecture.find(in_class) != std::string::npos ||
         (type != nullptr && type->is_string() &&
          type->get_ref<const std::string&>().find(in_type) != std::string::npos);
}

FeedForward read_mixture(json::Fields& config, ModelSpec& spec) {
  FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_tok"}, {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.require_whole({"shared_expert_intermediate_size"}, kWidthRange);
  experts.shared_expert_gate = true;
  spec.names.shared = "mlp.shared_expert.";
  return experts;
}

/// One module: a layer with full attention, a projection of 2h to h, three norms. Qwen3-Next's
/// configs have no key for it, and its checkpoints hold one (vLLM models/qwen3_next_mtp.py).
void read_modules(json::Fields& config, bool next, const Layer& full, ModelSpec& spec) {
  spec.mtp.modules = config.whole_or({"mtp_num_hidden_layers", "num_nextn_predict_layers"},
                                     {0, 100}, next ? 1 : 0);
  spec.mtp.layers.assign(spec.mtp.modules, full);
  spec.mtp.copies_embedding = config.boolean_or({"mtp_use_dedicated_embeddings"}, false);
}

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.head_dim = 256;
  profile.qk_norm = QkNorm::per_head;
  read_sizes(config, profile, spec);
  const bool next = named_like(config, spec, "Next", "next");
  const bool moe = next || config.has("num_experts") || named_like(config, spec, "Moe", "moe");
  profile.key_value_heads = moe ? 2 : 4;
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.attention.output_gate = config.boolean_or({"attn_output_gate"}, true);
  if (moe) {
    full.feed_forward = read_mixture(config, spec);
  } else {
    full.feed_forward = read_dense(config, profile, spec);
  }
  State delta = read_gated_delta(config);
  delta.split_inputs = !next;
  spec.names.state = "linear_attn.";
  spec.layers.assign(spec.layers.size(), state_layer(delta, full.feed_forward, 2));
  const auto names = read_names(config, "layer_types", spec.layers.size());
  const std::uint64_t every = config.whole_or({"full_attention_interval"}, kLayersRange, 4);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    const bool named_full = !names.empty() && names[i] == "full_attention";
    if (!names.empty() && !named_full && names[i] != "linear_attention") {
      config.fail("unknown_architecture", "layer_types",
                  worded({"The layer type \"", json::excerpt(names[i], 40),
                          "\" is not known to this architecture's reader."}));
      return;
    }
    if (names.empty() ? (i + 1) % every == 0 : named_full) {
      spec.layers[i] = full;
    }
  }
  if (next && (config.has("decoder_sparse_step") || config.has("mlp_only_layers")) &&
      config.has("intermediate_size")) {
    const FeedForward dense = read_dense(config, profile, spec);
    apply_sparse_step(config, dense, full.feed_forward, spec);
  }
  spec.state_float32 = config.text({"mamba_ssm_dtype"}).value_or("") == "float32";
  read_modules(config, next, full, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::qwen3_next
