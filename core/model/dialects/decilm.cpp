#include <nlohmann/json.hpp>
#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "wording.hpp"

namespace ridgepoint::model::decilm {
namespace {

constexpr std::string_view kArchitectures[] = {"DeciLMForCausalLM"};
constexpr std::string_view kModelTypes[] = {"nemotron-nas", "deci"};

Tensor linear_in_place(Part part, std::string_view module, std::uint64_t hidden) {
  return matrix(part, Split::replicated, module, hidden, hidden);
}

void read_attention_block(json::Fields& block, const Attention& whole, std::uint64_t hidden,
                          Layer& layer) {
  if (block.boolean_or({"no_op"}, false)) {
    return;
  }
  layer.norms += 1;
  if (block.boolean_or({"replace_with_linear"}, false)) {
    layer.extra.push_back(linear_in_place(Part::attention, "self_attn.linear_attn", hidden));
    return;
  }
  if (block.has("window_length") || block.has("num_sink_tokens")) {
    block.fail("unknown_architecture", "window_length",
               "Layers with a window or attention sinks are not known to this reader of block "
               "configs.");
  }
  layer.attention = whole;
  const std::uint64_t group = block.whole_or({"n_heads_in_group"}, kHeadsRange, 1);
  if (whole.num_attention_heads % group != 0) {
    block.fail("bad_value", "n_heads_in_group",
               worded({"num_attention_heads (", whole.num_attention_heads,
                       ") must be a multiple of n_heads_in_group (", group, ")."}));
    return;
  }
  layer.attention.num_key_value_heads = whole.num_attention_heads / group;
}

/// Widths are multiples of two thirds of hidden_size, rounded up to a multiple of 256 (vLLM 0.28
/// models/nemotron_nas.py).
void read_feed_forward_block(json::Fields& block, std::uint64_t hidden, bool bias, Layer& layer) {
  if (block.boolean_or({"no_op"}, false)) {
    return;
  }
  layer.norms += 1;
  if (block.boolean_or({"replace_with_linear"}, false)) {
    layer.extra.push_back(linear_in_place(Part::dense_ffn, "mlp.linear_mlp", hidden));
    return;
  }
  layer.feed_forward.bias = bias;
  if (const auto multiple = block.number({"ffn_mult"}, 0.001, 1000.0)) {
    const auto width =
        static_cast<std::uint64_t>(2.0 * *multiple * static_cast<double>(hidden) / 3.0);
    layer.feed_forward.intermediate_size = (width + 255) / 256 * 256;
  } else {
    layer.feed_forward.intermediate_size = block.require_whole({"intermediate_size"}, kWidthRange);
  }
}

void read_blocks(json::Fields& config, const json::Value& blocks, const Attention& whole,
                 ModelSpec& spec) {
  if (blocks.size() != spec.layers.size()) {
    config.fail("bad_value", "block_configs",
                worded({"block_configs describes ", blocks.size(), " layers, and the model has ",
                        spec.layers.size(), "."}));
    return;
  }
  const bool bias = config.boolean_or({"mlp_bias"}, false);
  for (std::size_t i = 0; i < spec.layers.size() && !config.error(); ++i) {
    if (!blocks[i].is_object()) {
      config.fail("bad_value", "block_configs", "block_configs must hold one object a layer.");
      return;
    }
    Layer layer;
    layer.norms = 0;
    json::Fields block(blocks[i], worded({config.path(), ".block_configs[", i, "]"}));
    if (auto attention = block.object("attention")) {
      read_attention_block(*attention, whole, spec.hidden_size, layer);
      block.adopt(*attention);
    }
    if (auto ffn = block.object("ffn")) {
      read_feed_forward_block(*ffn, spec.hidden_size, bias, layer);
      block.adopt(*ffn);
    }
    config.adopt(block);
    spec.layers[i] = layer;
  }
}

/// DeciLM-7B: one number of key heads a layer, all else as Llama.
void read_by_layer(json::Fields& config, const Attention& whole, ModelSpec& spec) {
  Layer layer;
  layer.attention = whole;
  layer.feed_forward = read_dense(config, DecoderProfile{}, spec);
  spec.layers.assign(spec.layers.size(), layer);
  const auto heads =
      read_per_layer(config, "num_key_value_heads_per_layer", spec.layers.size(), kHeadsRange);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (whole.num_attention_heads % heads[i] != 0) {
      config.fail("bad_value", "num_key_value_heads_per_layer",
                  "num_attention_heads must be a multiple of every number of key heads.");
      return;
    }
    spec.layers[i].attention.num_key_value_heads = heads[i];
  }
  spec.notes.emplace_back(
      "A DeciLM without block_configs: current vLLM reads them alone and does not start it.");
}

void read(json::Fields& config, ModelSpec& spec) {
  read_sizes(config, DecoderProfile{}, spec);
  const Attention whole = read_attention(config, DecoderProfile{}, spec);
  if (const json::Value* blocks = config.array("block_configs")) {
    read_blocks(config, *blocks, whole, spec);
  } else {
    read_by_layer(config, whole, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::decilm
