#include "model/spec.hpp"

#include <algorithm>

namespace ridgepoint::model {

bool ModelSpec::has(AttentionKind kind) const {
  return std::any_of(layers.begin(), layers.end(),
                     [&](const Layer& layer) { return layer.attention.kind == kind; });
}

bool ModelSpec::moe() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const Layer& layer) { return layer.feed_forward.moe(); });
}

bool ModelSpec::latent() const {
  return std::any_of(layers.begin(), layers.end(), [](const Layer& layer) {
    return layer.attention.kind == AttentionKind::latent && !layer.attention.cached_per_head;
  });
}

bool ModelSpec::windowed() const {
  return has(AttentionKind::sliding) || has(AttentionKind::chunked);
}

bool ModelSpec::stateful() const {
  return std::any_of(layers.begin(), layers.end(),
                     [](const Layer& layer) { return layer.state.kind != StateKind::none; });
}

const Attention* first_attention(const ModelSpec& spec) {
  for (const Layer& layer : spec.layers) {
    if (layer.attention.kind != AttentionKind::none) {
      return &layer.attention;
    }
  }
  return nullptr;
}

std::string_view attention_label(const ModelSpec& spec) {
  if (spec.encoder_only) {
    return "encoder";
  }
  const Attention* first = first_attention(spec);
  if (first == nullptr) {
    return spec.stateful() ? "ssm" : "none";
  }
  const bool one_kind =
      !spec.stateful() && std::all_of(spec.layers.begin(), spec.layers.end(), [&](const Layer& l) {
        return l.attention.kind == first->kind || l.attention.kind == AttentionKind::none;
      });
  if (!one_kind) {
    return "hybrid";
  }
  if (first->kind == AttentionKind::latent || first->kind == AttentionKind::compressed) {
    return "mla";
  }
  if (first->kind == AttentionKind::sliding || first->kind == AttentionKind::chunked) {
    return "swa";
  }
  if (first->num_key_value_heads == first->num_attention_heads) {
    return "mha";
  }
  return first->num_key_value_heads == 1 ? "mqa" : "gqa";
}

std::uint64_t claimed_context(const ModelSpec& spec) {
  return spec.model_max_length != 0 ? spec.model_max_length : spec.max_position_embeddings;
}

}  // namespace ridgepoint::model
