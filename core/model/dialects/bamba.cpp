#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::bamba {
namespace {

constexpr std::string_view kArchitectures[] = {"BambaForCausalLM", "BambaModel"};
constexpr std::string_view kModelTypes[] = {"bamba"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.key_value_heads = 8;
  read_sizes(config, profile, spec);
  Layer full;
  full.attention = read_attention(config, profile, spec);
  full.feed_forward = read_dense(config, profile, spec);
  const State state =
      read_mamba2(config, {"mamba_d_head", expanded(config, {"mamba_expand"}, spec), 128, 1, 256});
  spec.layers.assign(spec.layers.size(), state_layer(state, full.feed_forward, 2));
  // Without the list every layer is a Mamba layer (transformers BambaConfig).
  const auto attends = read_layer_set(config, "attn_layer_indices", spec.layers.size());
  for (std::size_t i = 0; i < attends.size(); ++i) {
    if (attends[i]) {
      spec.layers[i] = full;
    }
  }
  spec.names.state = "mamba.";
  spec.names.mlp = "feed_forward.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::bamba
