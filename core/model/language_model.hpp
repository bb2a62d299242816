#pragma once

#include <string_view>

#include "json/fields.hpp"
#include "model/spec.hpp"

namespace ridgepoint::model {

/// Reads a config that is a model of its own by the dialect of its architecture, or else of its
/// model_type: layers, sizes, dtype, lengths, rope. What is wrong goes into the Fields:
/// `unknown_architecture`, or the dialect's own. A Llama-shaped unknown is read as Llama, with
/// spec.confidence `assumed` and a note that names what was assumed.
void read_language_model(json::Fields& config, ModelSpec& spec);

/// The same for the language model inside a multimodal config: the first of `keys` that is an
/// object, or `config` itself where there is none. `fallback` is the model_type when the inner
/// config names neither; sizes that its class would fill in are those of that class, and a note
/// says so. The spec keeps the outer architecture.
void read_inner_model(json::Fields& config, json::Fields::Keys keys, std::string_view fallback,
                      ModelSpec& spec);

}  // namespace ridgepoint::model
