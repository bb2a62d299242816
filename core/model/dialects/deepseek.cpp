#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekV2ForCausalLM", "DeepseekV3ForCausalLM",
                                               "DeepseekV32ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"deepseek_v2", "deepseek_v3", "deepseek_v32",
                                            "kimi_k2"};

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderProfile profile;
  if (!config.has("kv_lora_rank")) {
    config.fail("missing_field", "kv_lora_rank",
                "kv_lora_rank is missing: without it this is not the latent attention that the "
                "architecture's name promises.");
    return;
  }
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_latent(config);
  layer.feed_forward = read_dense(config, profile, spec);
  spec.layers.assign(spec.layers.size(), layer);
  if (config.has("n_routed_experts")) {
    const FeedForward experts = read_routed(config);
    const auto sparse =
        sparse_from(config, "first_k_dense_replace", "moe_layer_freq", spec.layers.size());
    for (std::size_t i = 0; i < sparse.size(); ++i) {
      if (sparse[i]) {
        spec.layers[i].feed_forward = experts;
      }
    }
  }
  apply_indexer(config, spec);
  read_mtp(config, true, spec);
}

}  // namespace

extern const Dialect dialect_deepseek;
const Dialect dialect_deepseek = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
