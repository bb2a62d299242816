#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace ridgepoint::engine::llamacpp {

/// A graph of tensors in the order they are computed, and the buffer that ggml's allocator makes
/// for them: each tensor lies in the smallest free block that holds it, is given up after its last
/// use, and some operations write over their input. Nothing of ggml is left out that moves the
/// size but a block's limit of the backend. Source: llama.cpp ggml/src/ggml-alloc.c.
class TensorGraph {
 public:
  using Id = std::uint32_t;

  /// A tensor of `bytes` that takes the buffer at once: what a split copies in.
  Id input(std::uint64_t bytes);
  /// The same, never given up: copies that pipelining keeps.
  Id kept_input(std::uint64_t bytes);
  /// A result of its own memory.
  Id node(std::uint64_t bytes, std::initializer_list<Id> sources);
  /// A result that may write over a source of the same `bytes` that nothing else needs.
  Id in_place(std::uint64_t bytes, std::initializer_list<Id> sources);
  /// Another shape of a tensor, without memory.
  Id view(Id of);
  /// A write to memory outside the buffer: only uses its sources.
  void store(std::initializer_list<Id> sources);
  /// Never given up.
  void keep(Id id);

  /// Bytes of the buffer.
  [[nodiscard]] std::uint64_t buffer_bytes() const;

 private:
  struct Tensor {
    std::uint64_t bytes = 0;
    std::size_t first_source = 0;  ///< in sources_
    std::size_t sources = 0;
    Id root = 0;  ///< of a view: the tensor whose memory it shows; else itself
    bool in_place = false;
    bool external = false;
    bool kept = false;
  };

  Id add(Tensor tensor, std::initializer_list<Id> sources);
  [[nodiscard]] std::span<const Id> sources_of(const Tensor& tensor) const {
    return std::span(sources_).subspan(tensor.first_source, tensor.sources);
  }

  std::vector<Tensor> tensors_;
  std::vector<Id> sources_;  ///< of all tensors, one after another
};

}  // namespace ridgepoint::engine::llamacpp
