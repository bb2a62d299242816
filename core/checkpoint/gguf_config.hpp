#pragma once

#include <string_view>

#include "checkpoint/gguf.hpp"

namespace ridgepoint::checkpoint {

/// The Hugging Face config.json of the model in a GGUF file, from its metadata, so that the file
/// alone is a model. Which head is tied and which projections have biases is told by the tensors.
/// Errors: `not_a_model` (a projector, an adapter, an importance matrix), `unknown_architecture`,
/// `missing_field` and `bad_value` below `path` + ".metadata". Source of the keys: llama.cpp,
/// gguf-py/gguf/constants.py and the converters that write them; of the names they become:
/// transformers' config classes.
Result<json::Value> gguf_config(const Gguf& gguf, std::string_view path);

}  // namespace ridgepoint::checkpoint
