#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ridgepoint::plan {

/// How far a change goes, from least to most. Advice is ordered by it and by nothing else.
enum class Level : std::uint8_t {
  share,
  programs,
  steps,
  slots,
  graph_sizes,
  length,
  arrangement,
  cache_format,
  graphs,
  inputs,
  helpers,
  asked_length,
  weight_format,
  offload,
  version,
  cards,
  replicas,
  other_card,
};

struct LevelFacts {
  Level level;
  std::string_view name;  ///< as an answer has it
  std::string_view why;   ///< why it goes further than those before it
};

/// The order and its reasons: first what only divides the same memory differently, then what costs
/// speed or precision, then what takes something away from those who ask, then other files, other
/// software, and last what has to be bought.
inline constexpr LevelFacts kLevels[] = {
    {Level::share, "share", "one number says how much of the card the engine may fill"},
    {Level::programs, "programs", "the engine stays as it is, and other programs go"},
    {Level::steps, "steps", "long prompts take more and smaller steps; answers are the same"},
    {Level::slots, "slots", "another number of requests runs at once; the rest wait"},
    {Level::graph_sizes, "graph_sizes", "only batches above a size decode more slowly"},
    {Level::length, "length", "turns away requests of a length that nobody asked about"},
    {Level::arrangement, "arrangement", "the same cards hold the model in another way"},
    {Level::cache_format, "cache_format", "keys and values lose digits"},
    {Level::graphs, "graphs", "every batch decodes more slowly"},
    {Level::inputs, "inputs", "pictures and sounds are no longer served"},
    {Level::helpers, "helpers", "adapters, or the speed that a draft gives, are lost"},
    {Level::asked_length, "asked_length", "serves less than the length that was asked about"},
    {Level::weight_format, "weight_format", "the weights lose digits, or come from another file"},
    {Level::offload, "offload", "every step waits for the machine's memory"},
    {Level::version, "version", "another release of the engine has to be installed"},
    {Level::cards, "cards", "needs more cards"},
    {Level::replicas, "replicas", "needs more cards, and each group holds all the weights"},
    {Level::other_card, "other_card", "needs another machine"},
};

constexpr bool levels_in_order() {
  for (std::size_t i = 0; i < sizeof(kLevels) / sizeof(kLevels[0]); ++i) {
    if (static_cast<std::size_t>(kLevels[i].level) != i) {
      return false;
    }
  }
  return true;
}
static_assert(levels_in_order(), "one row for each level, in their order");

constexpr const LevelFacts& level_facts(Level level) {
  return kLevels[static_cast<std::size_t>(level)];
}

}  // namespace ridgepoint::plan
