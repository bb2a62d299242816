#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "json/fields.hpp"
#include "model/spec.hpp"
#include "result.hpp"

namespace ridgepoint::model {

/// The `model` part of a request. Null pointers and empty members were not given.
struct ModelRequest {
  std::string id;
  const json::Value* config = nullptr;        ///< a config.json object, or a string holding one
  const json::Value* quant_config = nullptr;  ///< a separate hf_quant_config.json
  std::optional<std::uint64_t> weight_bytes;  ///< exact checkpoint size
  bool draft = false;                         ///< drafts for another model: a head alone will do
};

/// The model of a request: its config read by the dialect of its architecture, or the built-in
/// catalogue's when only an id is given. Everything is checked here; the rooms above trust it.
///
/// Errors (path below `model`): `missing_field` (neither config nor a known id), `not_json`,
/// `not_a_model` (an adapter, a diffusers pipeline, a tokenizer … by its own name),
/// `unknown_architecture`, `bad_value`, `unsupported_quantization`.
Result<ModelSpec> read_model(const ModelRequest& request);

}  // namespace ridgepoint::model
