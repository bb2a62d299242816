#include "model/encoder.hpp"

namespace ridgepoint::model {

Layer bert_layer(json::Fields& config, std::uint64_t hidden, std::uint64_t heads,
                 std::uint64_t width) {
  Layer layer;
  if (hidden % heads != 0) {
    config.fail("bad_value", "num_attention_heads",
                "hidden_size must be a multiple of num_attention_heads.");
    return layer;
  }
  layer.attention.kind = AttentionKind::bidirectional;
  layer.attention.num_attention_heads = layer.attention.num_key_value_heads = heads;
  layer.attention.head_dim = layer.attention.v_head_dim = hidden / heads;
  layer.attention.qkv_bias = layer.attention.output_bias = true;
  layer.feed_forward.intermediate_size = width;
  layer.feed_forward.gated = false;
  layer.feed_forward.bias = true;
  layer.norms = 4;
  return layer;
}

}  // namespace ridgepoint::model
