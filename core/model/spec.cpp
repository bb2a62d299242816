#include "model/spec.hpp"

#include <algorithm>

namespace ridgepoint::model {

bool ModelSpec::moe() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const Layer& layer) { return layer.feed_forward.moe(); });
}

bool ModelSpec::latent() const {
  return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
    return layer.attention.kind == AttentionKind::latent;
  });
}

bool ModelSpec::windowed() const {
  return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
    return layer.attention.kind == AttentionKind::sliding;
  });
}

std::string_view attention_label(const ModelSpec& spec) {
  const Attention& first = spec.layers.front().attention;
  const bool one_kind =
      std::all_of(spec.layers.begin(), spec.layers.end(),
                  [&](const Layer& layer) { return layer.attention.kind == first.kind; });
  if (!one_kind) {
    return "hybrid";
  }
  if (first.kind == AttentionKind::latent) {
    return "mla";
  }
  if (first.kind == AttentionKind::sliding) {
    return "swa";
  }
  if (first.num_key_value_heads == first.num_attention_heads) {
    return "mha";
  }
  return first.num_key_value_heads == 1 ? "mqa" : "gqa";
}

std::uint64_t claimed_context(const ModelSpec& spec) {
  return spec.model_max_length != 0 ? spec.model_max_length : spec.max_position_embeddings;
}

}  // namespace ridgepoint::model
