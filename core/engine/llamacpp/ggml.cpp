#include "engine/llamacpp/ggml.hpp"

#include <algorithm>
#include <cctype>

#include "arithmetic.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::uint64_t kAlignment = 128;
constexpr std::uint64_t kMatrixRowPadding = 512;

bool same_letters(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::toupper(static_cast<unsigned char>(x)) ==
                  std::toupper(static_cast<unsigned char>(y));
         });
}

}  // namespace

const GgmlType* find_type(std::string_view name) {
  for (const GgmlType& type : checkpoint::ggml_types()) {
    if (same_letters(type.name, name)) {
      return &type;
    }
  }
  return nullptr;
}

std::uint64_t row_bytes(const GgmlType& type, std::uint64_t elements) {
  return ceil_div(elements, type.block) * type.bytes;
}

std::uint64_t buffer_bytes(const GgmlType& type, std::uint64_t rows, std::uint64_t cols) {
  std::uint64_t bytes = rows * row_bytes(type, cols);
  if (type.block > 1 && cols % kMatrixRowPadding != 0) {
    bytes += row_bytes(type, kMatrixRowPadding - cols % kMatrixRowPadding);
  }
  return round_up(bytes, kAlignment);
}

}  // namespace ridgepoint::engine::llamacpp
