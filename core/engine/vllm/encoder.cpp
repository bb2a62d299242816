#include "engine/vllm/encoder.hpp"

#include <algorithm>
#include <iterator>

#include "arithmetic.hpp"
#include "engine/vllm/constants.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using model::Part;
using model::Tensor;

/// The widths of an image encoder's blocks, read off its tensors.
struct Widths {
  std::uint64_t hidden = 0;
  std::uint64_t widest = 0;  ///< outputs of one projection
};

Widths tower_widths(const std::vector<Tensor>& tensors) {
  Widths widths;
  for (const Tensor& tensor : tensors) {
    if (tensor.part == Part::vision && tensor.matrix && tensor.layers != 0) {
      widths.hidden = widths.hidden == 0 ? tensor.cols : std::min(widths.hidden, tensor.cols);
      widths.widest = std::max(widths.widest, tensor.rows);
    }
  }
  return widths;
}

bool has_tower(const std::vector<Tensor>& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) {
    return tensor.part == Part::vision || tensor.part == Part::audio;
  });
}

}  // namespace

MediaLoad media_load(const Inputs& inputs, const Settings& settings) {
  MediaLoad load;
  const Media& media = settings.media;
  if (!media.enabled || !media.profiled || !has_tower(inputs.tensors)) {
    return load;
  }
  const MediaFacts* facts = media_facts(inputs.model.architecture);
  load.known_item = facts != nullptr;
  constexpr MediaFacts kUsual{"", 576, 1};
  const MediaFacts& item = facts == nullptr ? kUsual : *facts;
  const std::uint64_t budget = std::max(settings.max_num_batched_tokens, item.item_tokens);
  std::uint64_t items = std::max<std::uint64_t>(1, budget / item.item_tokens);
  if (media.items != 0) {
    items = std::min(items, settings.max_num_seqs * media.items);
  }
  const std::uint64_t tokens = items * item.item_tokens;
  const std::uint64_t value = precision::dtype_bytes(settings.dtype);
  load.held_bytes = tokens * inputs.model.hidden_size * value;
  const Widths widths = tower_widths(inputs.tensors);
  const std::uint64_t ranks = media.encoder_whole ? 1 : settings.parallelism.tensor;
  load.encoder_bytes = tokens * item.patches_per_token * value *
                       (4 * widths.hidden + 2 * ceil_div(widths.widest, ranks));
  return load;
}

}  // namespace ridgepoint::engine::vllm
