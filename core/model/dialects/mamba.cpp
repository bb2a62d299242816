#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/mixers.hpp"

namespace ridgepoint::model::mamba {
namespace {

constexpr std::string_view kArchitectures[] = {
    "MambaForCausalLM", "MambaModel",        "MambaLMHeadModel", "FalconMambaForCausalLM",
    "FalconMambaModel", "Mamba2ForCausalLM", "Mamba2Model"};
constexpr std::string_view kModelTypes[] = {"mamba", "falcon_mamba", "mamba2"};

bool second(const json::Fields& config, const ModelSpec& spec) {
  return spec.architecture.starts_with("Mamba2") ||
         (spec.architecture.empty() && config.has("n_groups"));
}

/// Layers of one norm and one mixer. Falcon Mamba normalises its time step, B and C without
/// weights (transformers FalconMambaMixer).
void read(json::Fields& config, ModelSpec& spec) {
  const bool is_second = second(config, spec);
  DecoderProfile profile;
  profile.tie_word_embeddings = !is_second;  // transformers MambaConfig, Mamba2Config
  read_sizes(config, profile, spec);
  const std::uint64_t widened = expanded(config, {"expand"}, spec);
  const State state =
      is_second
          ? read_mamba2(config, {"head_dim", widened, 128, 8, 128})
          : read_mamba1(config, config.whole_or({"intermediate_size"}, kWidthRange, widened), spec);
  spec.layers.assign(spec.layers.size(), state_layer(state, {}, 1));
  spec.names.layers = "backbone.layers.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::mamba
