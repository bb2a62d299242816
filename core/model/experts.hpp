#pragma once

#include <cstdint>
#include <unordered_set>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// A mixture of experts from its keys; the number chosen a token may not exceed the number there
/// is.
FeedForward read_experts(json::Fields& config, json::Fields::Keys count_keys,
                         json::Fields::Keys chosen_keys, json::Fields::Keys width_keys);

/// The layer numbers of a list such as `mlp_only_layers`; empty when absent.
std::unordered_set<std::uint64_t> read_layer_list(json::Fields& config, std::string_view key);

/// Puts `experts` into the layers Qwen's keys choose: every `decoder_sparse_step`-th, except those
/// in `mlp_only_layers`; the others get the dense `intermediate_size`. Source: Hugging Face
/// transformers, Qwen2MoeDecoderLayer.
void apply_sparse_step(json::Fields& config, const FeedForward& dense, const FeedForward& experts,
                       ModelSpec& spec);

}  // namespace ridgepoint::model
