#pragma once

#include <cstdint>
#include <vector>

#include "speed/roof.hpp"
#include "speed/setup.hpp"
#include "speed/step.hpp"

namespace ridgepoint::speed {

/// Equal attention layers of one rank, or one of two caches that such layers read.
struct CacheReads {
  double count = 0;          ///< layers
  std::size_t cap = 0;       ///< index into the caps: where contexts are cut off
  std::uint64_t window = 0;  ///< the same length; 0: none
  double row_bytes = 0;      ///< of one cached token
  double rows_a_token = 1;   ///< below 1 where one row stands for several tokens
  double decode_flops = 0;   ///< of one new token and one cached row
  double prefill_flops = 0;
  bool launches = true;  ///< false: its launch is counted with another cache of the layer
  bool eight_bit = false;
};

/// Equal layers whose memory is a state.
struct StatePasses {
  double count = 0;
  double state_bytes = 0;  ///< of one request
  double token_flops = 0;  ///< of a prompt's token
};

/// Seconds that layers take, and would take at the full bandwidth and peak.
struct Spent {
  double seconds = 0;
  double read = 0;
  double compute = 0;
};

/// What the attention and the recurrent layers of one rank do in a step, all stages together.
class Memory {
 public:
  Memory(const Setup& setup, const Kernels& kernels);

  [[nodiscard]] const ContextCaps& caps() const { return caps_; }

  /// All layers with one of `parts` equal parts of the load.
  [[nodiscard]] Spent spent(const StepLoad& load, std::uint64_t parts = 1) const;

  /// Bytes of caches and states that one request of `context` tokens reads in a step.
  [[nodiscard]] double request_bytes(std::uint64_t context) const;

 private:
  void add_attention(const Setup& setup, const model::Attention& attention);
  void add_keys(const model::Indexer& indexer, double row_bytes, double rows_a_token);
  void add_compressed(const model::Attention& attention, const CacheReads& window);
  void add_state(const Setup& setup, const model::State& state);
  void add_reads(CacheReads reads);
  std::size_t cap_of(std::uint64_t window);

  Kernels kernels_;
  double bandwidth_;
  Peak peak_;  ///< of 16 bits, at the share of scores
  ContextCaps caps_{};
  std::uint64_t chosen_ = 0;  ///< rows that sparse latent layers look at; 0: all
  std::vector<CacheReads> reads_;
  std::vector<StatePasses> states_;
};

}  // namespace ridgepoint::speed
