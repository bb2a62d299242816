#pragma once

#include <cstdint>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::plan {

/// How a number of cards shares the work. The product tensor x pipeline x data is that number, but
/// for attention by groups, which are cut out of the tensor-parallel ranks.
struct Layout {
  std::uint64_t tensor = 1;
  std::uint64_t pipeline = 1;  ///< on llama.cpp: cards that layers are dealt out to
  std::uint64_t data = 1;      ///< replicas, or groups of attention
  bool experts = false;        ///< whole experts are dealt out in place of slices
  bool attention_groups = false;

  /// Settings beside "all cards are one tensor-parallel group within a server of eight": what a
  /// search takes only where the plain layout does not do.
  [[nodiscard]] std::uint32_t departures() const;

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Every layout of `count` cards that the request's engine has flags for, plainest first: tensor
/// parallel sizes falling. A size that the request's own flags give stays as it is; attention by
/// groups and experts dealt out are tried on mixtures. `pipeline` false: no layout of several
/// stages (llama.cpp's cards excepted, which are nothing else). Left out are sizes that engines
/// refuse: more stages than layers; heads, or key and value heads, that the ranks of one attention
/// group neither divide nor are a multiple of (vLLM config/model.py
/// verify_with_parallel_config, SGLang models/llama.py, TensorRT-LLM _torch/modules/attention.py);
/// but for vLLM, whose plan says so itself, networks that the ranks do not divide.
std::vector<Layout> layouts(const Request& request, std::uint64_t count, bool pipeline);

/// The flags of a layout, without those that the request has.
std::vector<engine::FlagValue> layout_flags(const Request& request, const Layout& layout);

}  // namespace ridgepoint::plan
