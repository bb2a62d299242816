#include <algorithm>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::minicpm3 {
namespace {

constexpr std::string_view kArchitectures[] = {"MiniCPM3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"minicpm3"};

/// MiniCPM3: latent weights, but vLLM caches keys and values by heads, both as wide as the keys
/// (models/minicpm3.py).
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.tie_word_embeddings = true;
  read_sizes(config, profile, spec);
  Layer layer;
  const std::uint64_t heads = config.require_whole(keys::kHeads, kHeadsRange);
  layer.attention = read_latent(config, std::max<std::uint64_t>(1, spec.hidden_size / heads));
  layer.attention.cached_per_head = true;
  layer.feed_forward = read_dense(config, profile, spec);
  spec.layers.assign(spec.layers.size(), layer);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::minicpm3
