#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "result.hpp"

namespace ridgepoint::checkpoint {

/// The file that told the size of a checkpoint's weights.
enum class Source : std::uint8_t { safetensors_index, safetensors_headers, gguf };

/// "safetensors index", "safetensors headers" or "gguf".
std::string_view source_name(Source source);

struct Tensor {
  std::string name;
  std::string_view dtype;            ///< as the file format spells it: "BF16", "Q4_K"
  std::vector<std::uint64_t> shape;  ///< in the file's order; GGUF puts the row length first
  std::uint64_t elements = 0;        ///< packed elements count as stored (safetensors)
  std::uint64_t bytes = 0;
};

/// What a checkpoint's own files say about its weights. All sizes are bytes.
struct Checkpoint {
  Source source = Source::safetensors_headers;
  std::uint64_t files = 1;
  std::optional<std::uint64_t> total_bytes;  ///< absent: the file does not tell, notes say why
  std::optional<std::uint64_t> elements;     ///< stored in all tensors
  std::vector<std::pair<std::string_view, std::uint64_t>> bytes_by_dtype;  ///< most bytes first
  std::vector<Tensor> tensors;
  std::vector<std::string> notes;
};

/// More elements than any tensor or model has; products below it are exact in a double too.
inline constexpr std::uint64_t kMostElements = 1'000'000'000'000'000;

/// No header is longer: that of a model with a 262,144-word tokenizer has 20 MB.
inline constexpr std::uint64_t kMostHeaderBytes = 256ULL << 20U;

/// The product of a shape (1 for a scalar), nothing when it exceeds kMostElements.
std::optional<std::uint64_t> element_count(const std::vector<std::uint64_t>& shape);

/// Refuses a name that comes twice: the headers are then not those of one checkpoint.
Check refuse_repeated(const std::vector<Tensor>& tensors, std::string_view path);

/// Totals over tensors whose own sizes were checked. Errors: `bad_value` at `path` when they sum to
/// more than a model can have.
Result<Checkpoint> sum_up(Source source, std::uint64_t files, std::vector<Tensor> tensors,
                          std::string_view path);

}  // namespace ridgepoint::checkpoint
