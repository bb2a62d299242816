#include "model/per_layer_inputs.hpp"

#include <string>

#include "model/decoder.hpp"
#include "wording.hpp"

namespace ridgepoint::model {
namespace {

void keep_dead_weights(const ModelSpec& spec, Layer& layer) {
  const Attention& a = layer.attention;
  const auto push = [&](std::string_view module) {
    Tensor tensor = matrix(Part::attention, Split::key_value, module,
                           a.num_key_value_heads * a.head_dim, spec.hidden_size);
    tensor.block = "self_attn.";
    tensor.heads = a.num_key_value_heads;
    layer.extra.push_back(tensor);
  };
  push("k_proj");
  if (!a.keys_are_values) {
    push("v_proj");
  }
  layer.extra.push_back(values(Part::attention, "self_attn.k_norm", a.head_dim));
}

}  // namespace

void share_caches(json::Fields& config, std::uint64_t count, ModelSpec& spec) {
  const std::size_t layers = spec.layers.size();
  if (count == 0 || layers == 0) {
    return;
  }
  if (count >= layers) {
    config.fail("bad_value", "num_kv_shared_layers",
                worded({"num_kv_shared_layers (", count,
                        ") must leave layers that own a cache; the model has ", layers, "."}));
    return;
  }
  const std::size_t first = layers - count;
  for (std::size_t i = first; i < layers; ++i) {
    Layer& layer = spec.layers[i];
    for (std::size_t owner = first; owner-- > 0;) {
      if (spec.layers[owner].attention.kind == layer.attention.kind) {
        layer.attention.shares_cache_of = owner;
        keep_dead_weights(spec, layer);
        break;
      }
    }
  }
}

void add_per_layer_inputs(json::Fields& config, std::uint64_t width, ModelSpec& spec) {
  if (width == 0 || spec.layers.empty()) {
    return;
  }
  const std::uint64_t vocabulary =
      config.whole_or({"vocab_size_per_layer_input"}, kVocabRange, 262144);
  const std::uint64_t hidden = spec.hidden_size;
  const std::uint64_t all = width * spec.layers.size();
  Tensor table = matrix(Part::per_layer_embedding, Split::vocabulary,
                        "model.embed_tokens_per_layer", vocabulary, all);
  table.kind = precision::ModuleKind::embedding;
  spec.extra.push_back(table);
  spec.extra.push_back(
      matrix(Part::dense_ffn, Split::column, "model.per_layer_model_projection", all, hidden));
  spec.extra.push_back(values(Part::norms, "model.per_layer_projection_norm", width));
  for (Layer& layer : spec.layers) {
    layer.extra.push_back(
        matrix(Part::dense_ffn, Split::replicated, "per_layer_input_gate", width, hidden));
    layer.extra.push_back(
        matrix(Part::dense_ffn, Split::replicated, "per_layer_projection", hidden, width));
    layer.norms += 1;
  }
}

}  // namespace ridgepoint::model
