#include "model/decoder.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "wording.hpp"

namespace ridgepoint::model {
namespace {

bool has_bias(json::Fields& config, Bias bias, std::string_view key) {
  return bias == Bias::always ||
         (bias != Bias::never && config.boolean_or({key}, bias == Bias::by_key_or_true));
}

void check_groups(json::Fields& config, const Attention& a) {
  if (a.num_attention_heads % a.num_key_value_heads != 0) {
    config.fail(
        "bad_value", "num_key_value_heads",
        worded({"num_attention_heads (", a.num_attention_heads,
                ") must be a multiple of num_key_value_heads (", a.num_key_value_heads, ")."}));
  }
}

std::uint64_t head_dim_of(json::Fields& config, const DecoderProfile& profile,
                          std::uint64_t hidden_size, std::uint64_t heads) {
  if (const auto given = config.whole(keys::kHeadDim, {0, kHeadDimRange.most}); given && *given) {
    return *given;
  }
  if (profile.head_dim != 0) {
    return profile.head_dim;
  }
  if (hidden_size % heads != 0) {
    config.fail("bad_value", "num_attention_heads",
                worded({"hidden_size (", hidden_size, ") is not divisible by num_attention_heads (",
                        heads, ") and head_dim is not given."}));
  }
  return hidden_size / heads;
}

void give_window(Layer& layer, std::uint64_t window) {
  layer.attention.kind = AttentionKind::sliding;
  layer.attention.window = window;
}

/// Every how many layers one sees everything; a string such as "LLLG" says it by its length.
std::uint64_t pattern_length(json::Fields& config, const DecoderProfile& profile) {
  for (const std::string_view key :
       {"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"}) {
    const json::Value* value = config.find(key);
    if (value != nullptr && value->is_string()) {
      return value->get_ref<const std::string&>().size();
    }
    if (value != nullptr) {
      return config.whole_or({key}, {0, kLayersRange.most}, 0);
    }
  }
  return profile.window_pattern;
}

void apply_pattern(json::Fields& config, const DecoderProfile& profile, std::uint64_t window,
                   ModelSpec& spec) {
  const std::uint64_t every = pattern_length(config, profile);
  for (std::size_t i = 0; i < spec.layers.size(); ++i) {
    if (window != 0 && every != 0 && (i + 1) % every != 0) {
      give_window(spec.layers[i], window);
    }
  }
}

/// transformers Qwen2Config: the layers below `max_window_layers` see everything.
void apply_above(json::Fields& config, std::uint64_t window, ModelSpec& spec) {
  const std::uint64_t first = config.whole_or({"max_window_layers"}, {0, kLayersRange.most}, 28);
  for (std::size_t i = first; window != 0 && i < spec.layers.size(); ++i) {
    give_window(spec.layers[i], window);
  }
}

void apply_named(json::Fields& config, const std::vector<std::string_view>& names,
                 std::uint64_t window, ModelSpec& spec) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == "sliding_attention") {
      if (window == 0) {
        config.fail("missing_field", "sliding_window",
                    "layer_types names sliding_attention and sliding_window is not given.");
      }
      give_window(spec.layers[i], window);
    } else if (names[i] == "chunked_attention") {
      give_window(spec.layers[i], config.require_whole({"attention_chunk_size"}, kLengthRange));
      spec.layers[i].attention.kind = AttentionKind::chunked;
    } else if (names[i] != "full_attention" && names[i] != "attention") {
      config.fail("unknown_architecture", "layer_types",
                  worded({"The layer type \"", json::excerpt(names[i], 40),
                          "\" is not known to this architecture's reader."}));
      return;
    }
  }
}

}  // namespace

void read_sizes(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec) {
  spec.hidden_size = config.require_whole(keys::kHidden, kHiddenRange);
  spec.vocab_size = config.require_whole({"vocab_size", "padded_vocab_size"}, kVocabRange);
  const std::uint64_t layers = config.require_whole(keys::kLayers, kLayersRange);
  spec.tie_word_embeddings = config.boolean_or(keys::kTied, profile.tie_word_embeddings);
  spec.final_norms = profile.final_norms;
  spec.lm_head_bias = profile.lm_head_bias;
  if (profile.names != nullptr) {
    spec.names = *profile.names;
  }
  if (!config.error()) {
    spec.layers.assign(layers, Layer{});
  }
}

Attention read_attention(json::Fields& config, const DecoderProfile& profile,
                         const ModelSpec& spec) {
  Attention attention;
  attention.kind = AttentionKind::full;
  attention.num_attention_heads = config.require_whole(keys::kHeads, kHeadsRange);
  const std::uint64_t absent =
      profile.key_value_heads == 0 ? attention.num_attention_heads : profile.key_value_heads;
  attention.num_key_value_heads = config.whole_or(keys::kKeyValueHeads, kHeadsRange, absent);
  check_groups(config, attention);
  attention.head_dim =
      head_dim_of(config, profile, spec.hidden_size, attention.num_attention_heads);
  attention.v_head_dim = attention.head_dim;
  attention.qkv_bias = has_bias(config, profile.qkv_bias, profile.qkv_bias_key);
  attention.output_bias = has_bias(config, profile.output_bias, profile.output_bias_key);
  if (profile.qk_norm_key.empty() || config.boolean_or({profile.qk_norm_key}, false)) {
    attention.qk_norm = profile.qk_norm;
  }
  return attention;
}

FeedForward read_dense(json::Fields& config, const DecoderProfile& profile, const ModelSpec& spec) {
  FeedForward ffn;
  ffn.intermediate_size = profile.intermediate_factor == 0
                              ? config.require_whole(keys::kWidth, kWidthRange)
                              : config.whole_or(keys::kWidth, kWidthRange,
                                                profile.intermediate_factor * spec.hidden_size);
  ffn.gated = profile.gated;
  ffn.bias = has_bias(config, profile.mlp_bias, profile.mlp_bias_key);
  return ffn;
}

void read_decoder(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec) {
  read_sizes(config, profile, spec);
  Layer layer;
  layer.attention = read_attention(config, profile, spec);
  layer.feed_forward = read_dense(config, profile, spec);
  layer.norms = profile.norms;
  spec.layers.assign(spec.layers.size(), layer);
  apply_windows(config, profile, spec);
}

void apply_windows(json::Fields& config, const DecoderProfile& profile, ModelSpec& spec) {
  if (profile.windows == Windows::never ||
      !config.boolean_or({"use_sliding_window"}, profile.uses_sliding_window)) {
    return;
  }
  if (const json::Value* list = config.find("sliding_window");
      list != nullptr && list->is_array()) {
    apply_window_list(config, "sliding_window", spec);
    return;
  }
  const std::uint64_t absent = config.raw().contains("sliding_window") ? 0 : profile.window;
  const std::uint64_t window = config.whole_or({"sliding_window"}, {0, 1ULL << 40U}, absent);
  const auto names = read_names(config, "layer_types", spec.layers.size());
  if (!names.empty()) {
    apply_named(config, names, window, spec);
  } else if (profile.windows == Windows::pattern) {
    apply_pattern(config, profile, window, spec);
  } else if (profile.windows == Windows::above) {
    apply_above(config, window, spec);
  } else if (window != 0) {
    for (Layer& layer : spec.layers) {
      give_window(layer, window);
    }
  }
}

void apply_window_list(json::Fields& config, std::string_view key, ModelSpec& spec) {
  const json::Value* list = config.find(key);
  if (list == nullptr) {
    return;
  }
  if (!list->is_array()) {
    const std::uint64_t window = config.whole_or({key}, kLengthRange, 0);
    for (std::size_t i = 0; window != 0 && i < spec.layers.size(); ++i) {
      give_window(spec.layers[i], window);
    }
    return;
  }
  for (std::size_t i = 0; !list->empty() && i < spec.layers.size(); ++i) {
    const json::Value& entry = (*list)[i % list->size()];
    if (entry.is_null()) {
      continue;
    }
    const std::uint64_t window = entry.is_number_unsigned() ? entry.get<std::uint64_t>() : 0;
    if (window == 0 || window > kLengthRange.most) {
      config.fail("bad_value", key,
                  worded({key, " must hold windows in tokens, or null for none."}));
      return;
    }
    give_window(spec.layers[i], window);
  }
}

std::vector<std::string_view> read_names(json::Fields& config, std::string_view key,
                                         std::size_t layers) {
  std::vector<std::string_view> names;
  const json::Value* list = config.array(key);
  if (list == nullptr || layers == 0) {
    return names;
  }
  if (list->size() != layers) {
    config.fail("bad_value", key,
                worded({key, " names ", list->size(), " layers, and the model has ", layers, "."}));
    return names;
  }
  names.reserve(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    const json::Value& entry = (*list)[i];
    names.push_back(entry.is_string() ? std::string_view(entry.get_ref<const std::string&>())
                                      : std::string_view());
  }
  return names;
}

std::vector<bool> read_layer_set(json::Fields& config, std::string_view key, std::size_t layers,
                                 std::uint64_t base) {
  std::vector<bool> set;
  const json::Value* list = config.array(key);
  if (list == nullptr) {
    return set;
  }
  set.assign(layers, false);
  for (const json::Value& entry : *list) {
    if (!entry.is_number_unsigned() || entry.get<std::uint64_t>() < base) {
      config.fail("bad_value", key, worded({key, " must hold layer numbers from ", base, " on."}));
      return set;
    }
    // A list that was written for a longer model may name layers that this one has not.
    if (const std::uint64_t layer = entry.get<std::uint64_t>() - base; layer < layers) {
      set[layer] = true;
    }
  }
  return set;
}

std::vector<std::uint64_t> read_per_layer(json::Fields& config, std::string_view key,
                                          std::size_t layers, json::Range range) {
  std::vector<std::uint64_t> numbers;
  const json::Value* value = config.find(key);
  if (value == nullptr || layers == 0) {
    return numbers;
  }
  if (!value->is_array()) {
    numbers.assign(layers, config.whole_or({key}, range, range.least));
    return numbers;
  }
  if (value->size() < layers) {
    config.fail("bad_value", key,
                worded({key, " holds ", value->size(), " numbers, and the model has ", layers,
                        " layers."}));
    return numbers;
  }
  numbers.reserve(layers);
  for (std::size_t i = 0; i < layers; ++i) {
    const json::Value& entry = (*value)[i];
    const bool fits = entry.is_number_unsigned() && entry.get<std::uint64_t>() >= range.least &&
                      entry.get<std::uint64_t>() <= range.most;
    if (!fits) {
      config.fail(
          "bad_value", key,
          worded({key, " must hold whole numbers from ", range.least, " to ", range.most, "."}));
      numbers.clear();
      return numbers;
    }
    numbers.push_back(entry.get<std::uint64_t>());
  }
  return numbers;
}

}  // namespace ridgepoint::model
