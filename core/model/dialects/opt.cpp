#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::opt {
namespace {

constexpr std::string_view kArchitectures[] = {"OPTForCausalLM", "OPTModel",
                                               "OPTForSequenceClassification"};
constexpr std::string_view kModelTypes[] = {"opt"};
constexpr ModuleNames kNames{
    .layers = "model.decoder.layers.", .mlp = "", .up = "fc1", .down = "fc2"};

/// transformers OPTConfig and modeling_opt: two positions more than the longest text, a final norm
/// only where norms come first, and 350M's embedding of another width between two projections.
void read(json::Fields& config, ModelSpec& spec) {
  const bool bias = config.boolean_or({"enable_bias"}, true);
  const bool affine = config.boolean_or({"layer_norm_elementwise_affine"}, true);
  const bool last_norm = config.boolean_or({"do_layer_norm_before"}, true) &&
                         !config.boolean_or({"_remove_final_layer_norm"}, false);
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.qkv_bias = bias ? Bias::always : Bias::never;
  profile.output_bias = profile.qkv_bias;
  profile.mlp_bias = profile.qkv_bias;
  profile.gated = false;
  profile.norms = affine ? 4 : 0;
  profile.final_norms = affine && last_norm ? 2 : 0;
  profile.windows = Windows::never;
  profile.names = &kNames;
  read_decoder(config, profile, spec);
  const std::uint64_t hidden = spec.hidden_size;
  const std::uint64_t length =
      config.whole_or({"max_position_embeddings"}, {1, 1U << 24U}, 2048) + 2;
  spec.extra.push_back(values(Part::embedding, "model.decoder.embed_positions", length * hidden));
  const std::uint64_t width = config.whole_or({"word_embed_proj_dim"}, kHiddenRange, hidden);
  if (width != hidden) {
    spec.embedding_size = width;
    spec.extra.push_back(
        matrix(Part::embedding, Split::replicated, "model.decoder.project_in", hidden, width));
    spec.extra.push_back(
        matrix(Part::embedding, Split::replicated, "model.decoder.project_out", width, hidden));
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::opt
