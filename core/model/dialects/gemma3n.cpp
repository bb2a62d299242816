#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/per_layer_inputs.hpp"

namespace ridgepoint::model::gemma3n {
namespace {

constexpr std::string_view kArchitectures[] = {"Gemma3nForCausalLM", "Gemma3nTextModel"};
constexpr std::string_view kModelTypes[] = {"gemma3n_text"};
/// transformers Gemma3nTextConfig: of five layers the last sees everything.
constexpr DecoderProfile kProfile = [] {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  profile.head_dim = 256;
  profile.key_value_heads = 2;
  profile.qk_norm = QkNorm::per_head;
  profile.norms = 4;
  profile.windows = Windows::pattern;
  profile.window = 512;
  profile.window_pattern = 5;
  return profile;
}();

/// Alternating updates and the low-rank residual (transformers modeling_gemma3n). The streams'
/// coefficients are small and no quantiser touches them.
void add_streams(std::uint64_t streams, std::uint64_t rank, ModelSpec& spec) {
  const std::uint64_t hidden = spec.hidden_size;
  for (Layer& layer : spec.layers) {
    const auto push = [&](Tensor tensor, std::string_view block) {
      tensor.block = block;
      layer.extra.push_back(tensor);
    };
    push(values(Part::dense_ffn, "coefs", streams * streams * (streams + 1)), "altup.");
    push(values(Part::dense_ffn, "modality_router", streams * hidden), "altup.");
    push(matrix(Part::dense_ffn, Split::column, "linear_left", rank, hidden), "laurel.");
    push(matrix(Part::dense_ffn, Split::row, "linear_right", hidden, rank), "laurel.");
    layer.norms += 3;  // altup.router_norm, altup.correct_output_scale, laurel.post_laurel_norm
  }
  for (const std::string_view module :
       {"model.altup_projections.0", "model.altup_unembed_projections.0"}) {
    Tensor tensor = matrix(Part::dense_ffn, Split::replicated, module, hidden, hidden);
    tensor.copies = streams - 1;
    if (streams > 1) {
      spec.extra.push_back(tensor);
    }
  }
}

void read(json::Fields& config, ModelSpec& spec) {
  read_sizes(config, kProfile, spec);
  Layer layer;
  layer.attention = read_attention(config, kProfile, spec);
  layer.norms = kProfile.norms;
  layer.feed_forward.intermediate_size = 16384;
  spec.layers.assign(spec.layers.size(), layer);
  const auto widths = read_per_layer(config, "intermediate_size", spec.layers.size(), kWidthRange);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    spec.layers[i].feed_forward.intermediate_size = widths[i];
  }
  apply_windows(config, kProfile, spec);
  share_caches(config, config.whole_or({"num_kv_shared_layers"}, {0, kLayersRange.most}, 15), spec);
  add_per_layer_inputs(config, config.whole_or({"hidden_size_per_layer_input"}, kWidthRange, 256),
                       spec);
  add_streams(config.whole_or({"altup_num_inputs"}, {1, 64}, 4),
              config.whole_or({"laurel_rank"}, kWidthRange, 64), spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read, nullptr, true};

}  // namespace ridgepoint::model::gemma3n
