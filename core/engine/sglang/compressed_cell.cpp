#include "engine/sglang/compressed_cell.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::sglang {
namespace {

constexpr double kFloatBytes = 4;
constexpr double kWindowPage = 128;

bool states_apart(const Settings& settings) { return settings.version.number >= 5015; }

}  // namespace

CompressedCell compressed_cell(const model::ModelSpec& model, const Settings& settings,
                               const Stage& stage) {
  CompressedCell cell;
  double layers = 0;
  double by_4 = 0;
  double by_128 = 0;
  double head_dim = 0;
  double rope = 0;
  double index = 0;
  for (std::uint64_t i = stage.first_layer; i < stage.end_layer; ++i) {
    const model::Attention& a = model.layers[i].attention;
    if (a.kind != model::AttentionKind::compressed) {
      continue;
    }
    layers += 1;
    by_4 += a.compress_ratio == 4 ? 1 : 0;
    by_128 += a.compress_ratio == 128 ? 1 : 0;
    head_dim = std::max(head_dim, static_cast<double>(a.head_dim));
    rope = std::max(rope, static_cast<double>(a.qk_rope_head_dim));
    index = std::max(index, static_cast<double>(a.indexer.head_dim));
  }
  if (layers == 0) {
    return cell;
  }
  // The list of ratios counts the prediction layers, which no pool of the model serves.
  layers += stage.last ? static_cast<double>(model.mtp.layers.size()) : 0;
  rope = rope == 0 ? 64 : rope;
  const bool speculative = settings.draft.speculation != Speculation::none;
  const double row = head_dim + rope + 8;
  // One float32 scale for each 128 values.
  const std::uint64_t scales = static_cast<std::uint64_t>(index) / 128;
  const double index_row = index + static_cast<double>(scales) * 4;
  const double ring_4 = speculative ? 16 : 8;
  const double ratio = settings.swa_full_tokens_ratio;
  cell.growing = row * by_4 / 4 + row * by_128 / 128 + index_row * by_4 / 4;
  cell.per_token = cell.growing + ratio * row * layers +
                   ratio * ring_4 / kWindowPage * 4 * (head_dim + index) * kFloatBytes * by_4;
  cell.window = static_cast<std::uint64_t>(row * layers);
  cell.state_layers = static_cast<std::uint64_t>(by_128);
  cell.state_row_bytes = static_cast<std::uint64_t>(2 * head_dim * kFloatBytes);
  cell.ring = speculative ? 256 : 128;
  if (!states_apart(settings)) {
    cell.per_token += ratio * (static_cast<double>(cell.ring) / kWindowPage) *
                      static_cast<double>(cell.state_row_bytes) * by_128;
  }
  if (speculative) {
    cell.per_token *= (layers + 1) / layers;
  }
  return cell;
}

std::uint64_t compressed_state_bytes(const CompressedCell& cell, const Settings& settings,
                                     std::uint64_t requests) {
  if (!states_apart(settings) || cell.state_layers == 0) {
    return 0;
  }
  const std::uint64_t rows = (requests + 1) * cell.ring + cell.ring + 1;
  return round_up(rows, 128) * cell.state_row_bytes * cell.state_layers;
}

}  // namespace ridgepoint::engine::sglang
