#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "json/fields.hpp"
#include "result.hpp"

namespace ridgepoint::checkpoint {

/// The JSON text at the front of a .safetensors file, found but not yet read.
struct SafetensorsPrefix {
  std::uint64_t need_bytes = 0;  ///< not 0: the prefix ends early; this many bytes hold the header
  std::string_view text;         ///< of the header, when need_bytes is 0
};

/// Finds the header in the first bytes of a file: its length in 8 little-endian bytes, then JSON
/// (safetensors, "Format"). Errors: `bad_header` when these are no safetensors bytes.
Result<SafetensorsPrefix> find_safetensors_header(std::span<const std::byte> bytes);

/// The tensors of one header object. Checked: every dtype is known, offsets agree with shape x
/// dtype, and the tensors lie end to end as the format demands. Errors: `bad_header` at
/// `path` + the tensor's name.
Result<std::vector<Tensor>> read_safetensors_header(const json::Value& header,
                                                    std::string_view path);

/// A model.safetensors.index.json. A total_size that is absent, 0 or no size leaves total_bytes
/// empty with a note that says what is wrong: such files exist, and their models are fine. Errors:
/// `bad_value` when it is no index at all.
Result<Checkpoint> read_safetensors_index(const json::Value& index, std::string_view path);

/// Bits of one element; 0 for a dtype that safetensors does not have.
std::uint64_t safetensors_bits(std::string_view dtype);

}  // namespace ridgepoint::checkpoint
