#pragma once

#include <optional>
#include <string_view>

#include "checkpoint/checkpoint.hpp"
#include "checkpoint/gguf.hpp"

namespace ridgepoint::checkpoint {

/// What `model.tensors` of a request holds.
struct TensorsSource {
  Checkpoint checkpoint;
  std::optional<Gguf> gguf;  ///< its metadata are a model's config too
};

/// Reads `model.tensors` and tells by its keys what it is: a model.safetensors.index.json as it is;
/// one safetensors header, or {"headers":[…]} with one for each file; {"gguf":{…}}, or a list of
/// them for a split file. A string is parsed as JSON first. Errors below `path`: `bad_value` for
/// anything else, and those of each reader.
Result<TensorsSource> read_tensors_source(const json::Value& tensors, std::string_view path);

}  // namespace ridgepoint::checkpoint
