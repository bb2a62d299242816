#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::kimi_linear {
namespace {

constexpr std::string_view kArchitectures[] = {"KimiLinearForCausalLM", "KimiLinearModel"};
constexpr std::string_view kModelTypes[] = {"kimi_linear"};

struct Mixers {
  State delta;
  std::vector<bool> linear;  ///< true: delta attention, else latent attention
};

Mixers read_mixers(json::Fields& config, std::size_t layers) {
  Mixers mixers;
  auto settings = config.object("linear_attn_config");
  if (!settings) {
    config.fail("missing_field", "linear_attn_config",
                "linear_attn_config is missing: it says which layers have Kimi delta attention.");
    return mixers;
  }
  State& s = mixers.delta;
  s.kind = StateKind::kda;
  s.heads = settings->require_whole({"num_heads"}, kHeadsRange);
  s.head_dim = settings->require_whole({"head_dim"}, kHeadDimRange);
  s.key_heads = s.heads;
  s.key_head_dim = s.head_dim;
  s.conv_kernel = settings->require_whole({"short_conv_kernel_size"}, {1, 1024});
  s.full_rank_gate = settings->boolean_or({"use_full_rank_gate"}, false);
  // Layers are counted from one.
  mixers.linear = read_layer_set(*settings, "kda_layers", layers, 1);
  if (mixers.linear.empty() && layers != 0) {
    settings->fail("missing_field", "kda_layers",
                   "kda_layers is missing: it says which layers have Kimi delta attention.");
  }
  config.adopt(*settings);
  return mixers;
}

/// Experts of a narrower width than the model's have projections around them (Kimi K3).
void add_latent_projections(json::Fields& config, const ModelSpec& spec, Layer& layer) {
  const std::uint64_t width = layer.feed_forward.expert_hidden_size;
  if (width == 0) {
    return;
  }
  const auto add = [&](std::string_view module, std::uint64_t rows, std::uint64_t cols) {
    Tensor tensor = matrix(Part::experts, Split::replicated, module, rows, cols);
    tensor.block = "block_sparse_moe.";
    tensor.kind = precision::ModuleKind::router;  // in 16 bits in the MXFP4 checkpoint
    layer.extra.push_back(tensor);
  };
  add("routed_expert_down_proj", width, spec.hidden_size);
  add("routed_expert_up_proj", spec.hidden_size, width);
  if (config.boolean_or({"latent_moe_use_norm"}, false)) {
    layer.extra.push_back(values(Part::experts, "routed_expert_norm", width));
  }
}

FeedForward read_mixture(json::Fields& config) {
  FeedForward experts =
      read_experts(config, {"num_experts"}, {"num_experts_per_token", "num_experts_per_tok"},
                   {"moe_intermediate_size"});
  experts.shared_intermediate_size =
      config.whole_or({"num_shared_experts"}, {0, kExpertsRange.most}, 0) *
      experts.moe_intermediate_size;
  experts.score_correction_bias = true;
  experts.expert_hidden_size =
      config.whole_or({"routed_expert_hidden_size"}, kOptionalWidthRange, 0);
  return experts;
}

/// Attention over the outputs of earlier blocks: a norm and a row of scores before each half of a
/// layer and before the head (Kimi K3).
void apply_residual_attention(json::Fields& config, ModelSpec& spec) {
  if (config.whole_or({"attn_res_block_size"}, {0, 1000}, 0) == 0) {
    return;
  }
  for (Layer& layer : spec.layers) {
    layer.norms += 4;
  }
  spec.final_norms += 2;
}

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderProfile profile;
  read_sizes(config, profile, spec);
  const Mixers mixers = read_mixers(config, spec.layers.size());
  Layer full;
  full.attention = read_latent(config);
  const Attention& a = full.attention;
  if (config.boolean_or({"mla_use_output_gate"}, false)) {
    Tensor gate = matrix(Part::attention, Split::column, "g_proj",
                         a.num_attention_heads * a.v_head_dim, spec.hidden_size);
    gate.block = "self_attn.";
    full.extra.push_back(gate);
  }
  const FeedForward dense = read_dense(config, profile, spec);
  const FeedForward experts = read_mixture(config);
  const auto sparse =
      sparse_from(config, "first_k_dense_replace", "moe_layer_freq", spec.layers.size());
  Layer delta = state_layer(mixers.delta, {}, 2);
  const std::uint64_t heads = mixers.delta.heads;
  if (mixers.delta.full_rank_gate && heads % 128 != 0) {
    // Kimi K3 stores A_log padded with zeros.
    delta.extra.push_back(values(Part::state_mixer, "A_log", 128 - heads % 128));
  }
  for (std::size_t i = 0; i < spec.layers.size() && i < mixers.linear.size(); ++i) {
    Layer& layer = spec.layers[i];
    layer = mixers.linear[i] ? delta : full;
    layer.feed_forward = sparse[i] ? experts : dense;
    if (sparse[i]) {
      add_latent_projections(config, spec, layer);
    }
  }
  apply_residual_attention(config, spec);
  if (config.whole_or({"num_nextn_predict_layers"}, {0, 100}, 0) != 0) {
    spec.notes.emplace_back("Multi-token-prediction layers of this model are not counted.");
  }
  spec.names.state = "self_attn.";
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
  spec.names.shared = "block_sparse_moe.shared_experts.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::kimi_linear
