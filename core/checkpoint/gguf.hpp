#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/checkpoint.hpp"
#include "json/fields.hpp"
#include "result.hpp"

namespace ridgepoint::checkpoint {

/// A number format of ggml: `bytes` hold `block` elements.
struct GgmlType {
  std::uint32_t id;
  std::string_view name;
  std::uint64_t block;
  std::uint64_t bytes;
};

/// Every type that a GGUF file may hold. Source: ggml.h (enum ggml_type) and ggml-common.h (the
/// block structs and the sizes that their static_asserts hold them to).
std::span<const GgmlType> ggml_types();

/// The header of one GGUF file, or of all parts of a split one.
// json::Value says noexcept and checks itself. NOLINTNEXTLINE(bugprone-exception-escape)
struct Gguf {
  std::uint64_t version = 0;
  std::uint64_t alignment = 32;
  std::uint64_t header_bytes = 0;  ///< up to the first tensor's data
  std::uint64_t files = 1;
  /// Keys with numbers, flags, short strings and short arrays of numbers as they are; every other
  /// array as {"array_length": n}. The tokenizer's strings are never kept.
  json::Value metadata;
  std::vector<Tensor> tensors;
};

// NOLINTNEXTLINE(bugprone-exception-escape)
struct GgufPrefix {
  /// Not 0: the bytes end inside the header, and at least this many from the start of the file are
  /// wanted. A lower bound: lengths that follow are not known yet.
  std::uint64_t need_bytes = 0;
  Gguf gguf;  ///< when need_bytes is 0
};

/// Reads the header from the first bytes of a file. Versions 2 and 3, little-endian; what a tensor
/// takes is worked out from its type and shape and must agree with the offsets, as llama.cpp
/// demands. Errors: `unsupported_gguf` (version 1, big-endian, a type this version does not know),
/// `bad_header` (anything damaged). Source: ggml docs/gguf.md; ggml/src/gguf.cpp.
Result<GgufPrefix> read_gguf_header(std::span<const std::byte> bytes);

/// The same from the summary that read_checkpoint_header writes:
/// {"metadata":{…},"tensors":[{"name","type","shape"}…]}. Errors: `bad_header` below `path`.
Result<Gguf> read_gguf_summary(const json::Value& summary, std::string_view path);

/// One value of the parts of a split file, which must be complete. Errors: `incomplete_checkpoint`,
/// `bad_header`.
Result<Gguf> merge_gguf(std::vector<Gguf> parts, std::string_view path);

}  // namespace ridgepoint::checkpoint
