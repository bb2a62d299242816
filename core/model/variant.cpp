#include "model/variant.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "model/decoder.hpp"

namespace ridgepoint::model {
namespace {

/// transformers PretrainedConfig: the labels of `id2label`, which is not stored when there are two.
std::uint64_t label_count(json::Fields& config) {
  std::uint64_t absent = 2;
  const json::Value* labels = config.find("id2label");
  if (labels != nullptr && labels->is_object()) {
    absent = std::max<std::uint64_t>(1, labels->size());
  }
  return config.whole_or({"num_labels"}, kWidthRange, absent);
}

void look_both_ways(ModelSpec& spec) {
  for (Layer& layer : spec.layers) {
    AttentionKind& kind = layer.attention.kind;
    if (kind == AttentionKind::full || kind == AttentionKind::sliding) {
      kind = AttentionKind::bidirectional;
    }
  }
  spec.encoder_only = true;
  spec.notes.emplace_back("Every token sees every other: nothing is cached.");
}

}  // namespace

void give_score_head(json::Fields& config, bool bias, ModelSpec& spec) {
  const std::uint64_t labels = label_count(config);
  spec.lm_head = false;
  spec.extra.push_back(matrix(Part::lm_head, Split::replicated, "score", labels, spec.hidden_size));
  spec.extra.back().kind = precision::ModuleKind::lm_head;
  if (bias) {
    spec.extra.push_back(values(Part::lm_head, "score", labels));
  }
}

void apply_variant(json::Fields& config, const Dialect& dialect, ModelSpec& spec) {
  const std::string_view name = spec.architecture;
  if (!spec.lm_head) {
    // The dialect has seen to it.
  } else if (name.ends_with("ForSequenceClassification")) {
    give_score_head(config, false, spec);
  } else if (name.ends_with("ForTokenClassification")) {
    give_score_head(config, true, spec);
  } else if (dialect.bare_models && name.ends_with("Model")) {
    spec.lm_head = false;
  }
  // vLLM 0.28: classes of the Llama and Qwen kind build encoder attention then (models/llama.py).
  const json::Value* causal = config.find("is_causal");
  const bool by_name = name.find("Bidirectional") != std::string_view::npos;
  if (by_name || (causal != nullptr && causal->is_boolean() && !causal->get<bool>())) {
    look_both_ways(spec);
  }
}

}  // namespace ridgepoint::model
