#pragma once

#include <cstdint>
#include <vector>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// A mixture of experts from its keys; the number chosen a token may not exceed the number there
/// is.
FeedForward read_experts(json::Fields& config, json::Fields::Keys count_keys,
                         json::Fields::Keys chosen_keys, json::Fields::Keys width_keys);

/// The same by whichever of the usual keys the config has, with the shared experts and the
/// load-balancing bias of `topk_method`.
FeedForward read_mixture(json::Fields& config);

/// Which layers are mixtures, one entry a layer, by the keys DeepSeek and those after it use: from
/// `first_k_dense_replace` (or another key) on, each `moe_layer_freq`-th, or a 0/1 list of it.
std::vector<bool> sparse_from(json::Fields& config, std::string_view first_key,
                              std::string_view every_key, std::size_t layers);

/// The same, but `mlp_layer_types`, which transformers 5 writes, comes first: "dense" or a mixture.
std::vector<bool> sparse_layers(json::Fields& config, std::string_view first_key,
                                std::size_t layers);

/// Which layers are mixtures in StepFun's models: `moe_layers_enum`, a text "4,5,6" or a list; else
/// by sparse_layers; else all but the first (vLLM 0.28 models/step3_text.py).
std::vector<bool> step_mixtures(json::Fields& config, std::size_t layers);

/// Puts `experts` into the layers that `sparse` names; the others keep what they have.
void place_experts(const std::vector<bool>& sparse, const FeedForward& experts, ModelSpec& spec);

/// Puts `experts` into the layers Qwen's keys choose: every `decoder_sparse_step`-th, except those
/// in `mlp_only_layers`; the others get the dense `intermediate_size`. Source: Hugging Face
/// transformers, Qwen2MoeDecoderLayer.
void apply_sparse_step(json::Fields& config, const FeedForward& dense, const FeedForward& experts,
                       ModelSpec& spec);

}  // namespace ridgepoint::model
