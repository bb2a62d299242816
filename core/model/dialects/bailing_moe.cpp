#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::bailing_moe {
namespace {

constexpr std::string_view kArchitectures[] = {"BailingMoeForCausalLM", "BailingMoeV2ForCausalLM",
                                               "SarvamMoEForCausalLM", "Param2MoEForCausalLM"};
constexpr std::string_view kModelTypes[] = {"bailing_moe", "bailing_moe_v2", "sarvam_moe",
                                            "param2moe"};

/// Width of the shared experts together; Param2 names the sum, the others one expert's width.
std::uint64_t shared_width(json::Fields& config, const ModelSpec& spec, std::uint64_t together) {
  constexpr std::string_view kKey = "moe_shared_expert_intermediate_size";
  if (together == 0 || !config.has(kKey)) {
    return together;
  }
  const std::uint64_t width = config.whole_or({kKey}, kWidthRange, 1);
  const bool sum = spec.architecture == "Param2MoEForCausalLM" || spec.model_type == "param2moe";
  return sum ? width : width * config.whole_or({"num_shared_experts"}, kExpertsRange, 1);
}

/// The routers for images and audio of Ming's language models.
void add_modal_routers(const FeedForward& experts, ModelSpec& spec) {
  for (Layer& layer : spec.layers) {
    if (layer.feed_forward.moe()) {
      for (const std::string_view name : {"mlp.image_gate", "mlp.audio_gate"}) {
        Tensor gate =
            matrix(Part::router, Split::replicated, name, experts.num_experts, spec.hidden_size);
        gate.kind = precision::ModuleKind::router;
        layer.extra.push_back(gate);
      }
    }
  }
}

/// Ling, Ring, Ming, and Sarvam and Param2 after them. Source: vLLM 0.28 models/bailing_moe.py,
/// sarvam.py, param2moe.py.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = config.boolean_or({"use_qkv_bias"}, false) ? Bias::always : Bias::never;
  profile.output_bias = config.boolean_or({"use_bias"}, false) ? Bias::always : Bias::never;
  profile.mlp_bias = profile.output_bias;
  profile.qk_norm = config.boolean_or({"use_qk_norm"}, false) ? QkNorm::per_head : QkNorm::none;
  profile.uses_sliding_window = false;
  read_decoder(config, profile, spec);
  FeedForward experts = read_mixture(config);
  experts.shared_intermediate_size = shared_width(config, spec, experts.shared_intermediate_size);
  experts.score_correction_bias = config.boolean_or(
      {"moe_router_enable_expert_bias"}, config.text({"score_function"}).value_or("") == "sigmoid");
  place_experts(sparse_layers(config, "first_k_dense_replace", spec.layers.size()), experts, spec);
  if (config.boolean_or({"multi_gate"}, false)) {
    add_modal_routers(experts, spec);
  }
  read_mtp(config, false, spec);
  spec.names.attention = "attention.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::bailing_moe
