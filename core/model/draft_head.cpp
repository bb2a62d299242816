#include "model/draft_head.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace ridgepoint::model {
namespace {

constexpr json::Range kSizes{1, 1U << 20U};
/// EAGLE-3 reads the hidden states of three layers of the model it drafts for.
constexpr std::uint64_t kJoinedLayers = 3;

std::string_view first_architecture(const json::Value& config) {
  const auto names = config.find("architectures");
  if (names == config.end() || !names->is_array() || names->empty() ||
      !names->front().is_string()) {
    return {};
  }
  return names->front().get_ref<const std::string&>();
}

std::uint64_t joined_layers(const json::Value& config, bool eagle, const ModelSpec& spec) {
  if (eagle) {
    return kJoinedLayers;
  }
  const auto inner = config.find("dflash_config");
  const json::Value& holder = inner != config.end() && inner->is_object() ? *inner : config;
  const auto ids = holder.find("target_layer_ids");
  return ids != holder.end() && ids->is_array() && !ids->empty() ? ids->size() : spec.layers.size();
}

/// A second input as wide as the first for the queries, keys and values of the first layer.
void widen_first_layer(ModelSpec& spec) {
  const Attention& a = spec.layers.front().attention;
  spec.extra.push_back(matrix(Part::attention, Split::column, "layers.0.self_attn.q_proj",
                              a.num_attention_heads * a.head_dim, spec.hidden_size));
  Tensor pair = matrix(Part::attention, Split::key_value, "layers.0.self_attn.kv_proj",
                       a.num_key_value_heads * (a.head_dim + a.v_head_dim), spec.hidden_size);
  pair.heads = a.num_key_value_heads;
  spec.extra.push_back(pair);
}

}  // namespace

bool is_draft_head(const json::Value& config) {
  if (!config.is_object()) {
    return false;
  }
  constexpr std::array<std::string_view, 4> kNames = {"Eagle3", "PEagle", "DFlash", "DSpark"};
  const std::string_view name = first_architecture(config);
  return config.contains("draft_vocab_size") ||
         std::any_of(kNames.begin(), kNames.end(), [&](std::string_view part) {
           return name.find(part) != std::string_view::npos;
         });
}

Check add_draft_head(const json::Value& config, ModelSpec& spec) {
  if (spec.layers.empty() || spec.hidden_size == 0) {
    return std::nullopt;
  }
  json::Fields fields(config, "model.config");
  const auto own_vocabulary = fields.whole({"draft_vocab_size"}, {1, 1U << 28U});
  const std::uint64_t target = fields.whole_or({"target_hidden_size"}, kSizes, spec.hidden_size);
  if (fields.error()) {
    return *fields.error();
  }
  const bool eagle = own_vocabulary.has_value();
  const std::uint64_t layers = joined_layers(config, eagle, spec);
  spec.extra.push_back(
      matrix(Part::dense_ffn, Split::replicated, "fc", spec.hidden_size, layers * target));
  if (eagle) {
    widen_first_layer(spec);
    spec.lm_head = false;
    spec.tie_word_embeddings = false;
    spec.extra.push_back(
        matrix(Part::dense_ffn, Split::vocabulary, "lm_head", *own_vocabulary, spec.hidden_size));
  }
  spec.notes.emplace_back(
      "The draft head is read as its layers, the projection that joins the model's hidden states "
      "and its own vocabulary.");
  return std::nullopt;
}

}  // namespace ridgepoint::model
