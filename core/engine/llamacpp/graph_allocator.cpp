#include "engine/llamacpp/graph_allocator.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::uint64_t kAlignment = 128;
constexpr std::uint64_t kEndless = 1ULL << 62U;

/// Free blocks by offset; the last is the endless rest.
class FreeBlocks {
 public:
  std::uint64_t take(std::uint64_t bytes) {
    std::size_t best = blocks_.size() - 1;
    std::uint64_t best_size = kEndless;
    for (std::size_t i = 0; i + 1 < blocks_.size(); ++i) {
      if (blocks_[i].size >= bytes && blocks_[i].size <= best_size) {
        best = i;
        best_size = blocks_[i].size;
      }
    }
    Block& block = blocks_[best];
    const std::uint64_t offset = block.offset;
    block.offset += bytes;
    block.size -= bytes;
    if (block.size == 0) {
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(best));
    }
    end_ = std::max(end_, offset + bytes);
    return offset;
  }

  void give(std::uint64_t offset, std::uint64_t bytes) {
    const auto after = std::find_if(blocks_.begin(), blocks_.end(),
                                    [&](const Block& block) { return block.offset > offset; });
    const auto placed = blocks_.insert(after, {offset, bytes});
    const auto index = static_cast<std::size_t>(placed - blocks_.begin());
    join(index);
    if (index > 0) {
      join(index - 1);
    }
  }

  [[nodiscard]] std::uint64_t end() const { return end_; }

 private:
  struct Block {
    std::uint64_t offset;
    std::uint64_t size;
  };

  /// Joins a block with the next one where they touch.
  void join(std::size_t index) {
    if (index + 1 < blocks_.size() &&
        blocks_[index].offset + blocks_[index].size == blocks_[index + 1].offset) {
      blocks_[index].size += blocks_[index + 1].size;
      blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(index) + 1);
    }
  }

  std::vector<Block> blocks_{{0, kEndless}};
  std::uint64_t end_ = 0;
};

struct State {
  std::uint32_t uses = 0;   ///< by tensors that are still to come
  std::uint32_t views = 0;  ///< that are still needed
  bool allocated = false;
  std::uint64_t offset = 0;
};

}  // namespace

TensorGraph::Id TensorGraph::add(Tensor tensor, std::initializer_list<Id> sources) {
  tensor.first_source = sources_.size();
  tensor.sources = sources.size();
  sources_.insert(sources_.end(), sources);
  tensors_.push_back(tensor);
  return static_cast<Id>(tensors_.size() - 1);
}

TensorGraph::Id TensorGraph::input(std::uint64_t bytes) { return node(bytes, {}); }

TensorGraph::Id TensorGraph::kept_input(std::uint64_t bytes) {
  const Id id = node(bytes, {});
  keep(id);
  return id;
}

TensorGraph::Id TensorGraph::node(std::uint64_t bytes, std::initializer_list<Id> sources) {
  Tensor tensor;
  tensor.bytes = round_up(bytes, kAlignment);
  tensor.root = static_cast<Id>(tensors_.size());
  return add(tensor, sources);
}

TensorGraph::Id TensorGraph::in_place(std::uint64_t bytes, std::initializer_list<Id> sources) {
  const Id id = node(bytes, sources);
  tensors_[id].in_place = true;
  return id;
}

TensorGraph::Id TensorGraph::view(Id of) {
  Tensor tensor;
  tensor.root = tensors_[of].root;
  return add(tensor, {of});
}

void TensorGraph::store(std::initializer_list<Id> sources) {
  const Id id = node(0, sources);
  tensors_[id].external = true;
}

void TensorGraph::keep(Id id) { tensors_[id].kept = true; }

std::uint64_t TensorGraph::buffer_bytes() const {
  std::vector<State> states(tensors_.size());
  for (Id id = 0; id < tensors_.size(); ++id) {
    if (tensors_[id].root != id) {
      ++states[tensors_[id].root].views;
    }
    for (const Id source : sources_of(tensors_[id])) {
      ++states[source].uses;
    }
  }
  FreeBlocks blocks;
  const auto release = [&](Id id) {
    if (states[id].allocated && !tensors_[id].kept) {
      blocks.give(states[id].offset, tensors_[id].bytes);
      states[id].allocated = false;
    }
  };
  for (Id id = 0; id < tensors_.size(); ++id) {
    const Tensor& tensor = tensors_[id];
    const std::span<const Id> sources = sources_of(tensor);
    State& state = states[id];
    if (tensor.root == id && !tensor.external && tensor.bytes != 0) {
      // A source seen through a view is never written over, though ggml means to.
      const auto reused = std::find_if(sources.begin(), sources.end(), [&](Id source) {
        return tensor.in_place && tensors_[source].root == source && states[source].allocated &&
               !tensors_[source].kept && tensors_[source].bytes == tensor.bytes &&
               states[source].uses == 1 && states[source].views == 0;
      });
      if (reused != sources.end()) {
        state.offset = states[*reused].offset;
        states[*reused].allocated = false;
      } else {
        state.offset = blocks.take(tensor.bytes);
      }
      state.allocated = true;
    }
    for (const Id source : sources) {
      State& used = states[source];
      --used.uses;
      if (used.uses != 0 || used.views != 0) {
        continue;
      }
      const Id root = tensors_[source].root;
      if (root != source) {
        --states[root].views;
      }
      if (states[root].views == 0 && states[root].uses == 0) {
        release(root);
      }
    }
  }
  return blocks.end();
}

}  // namespace ridgepoint::engine::llamacpp
