#pragma once

#include <cstdint>
#include <string_view>

#include "checkpoint/gguf.hpp"

namespace ridgepoint::engine::llamacpp {

using checkpoint::GgmlType;

/// A number format by its name, any letter case ("q8_0", "F16"); null when ggml has none.
const GgmlType* find_type(std::string_view name);

/// Bytes of `elements` values that begin a row; a started block counts whole.
std::uint64_t row_bytes(const GgmlType& type, std::uint64_t elements);

/// What a matrix takes in a CUDA buffer: its blocks, the last row of a quantised one filled up to
/// 512 values, and the next multiple of 128 bytes. Source: llama.cpp ggml-cuda.cu
/// (buffer_type_get_alloc_size, get_alignment).
std::uint64_t buffer_bytes(const GgmlType& type, std::uint64_t rows, std::uint64_t cols);

}  // namespace ridgepoint::engine::llamacpp
