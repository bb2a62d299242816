#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "load/load.hpp"
#include "load/random.hpp"

namespace ridgepoint::load {

/// One request as it comes.
struct Demand {
  double arrival_s = 0;
  std::uint32_t input = 1;   ///< tokens
  std::uint32_t output = 1;  ///< tokens
  /// Tokens at the front that an earlier turn of its session, or of the trace, left in the cache;
  /// where there are any, the shared prompt is among them.
  std::uint32_t session = 0;
  std::uint32_t shared = 0;  ///< tokens at the front that are the shared prompt
};

/// Draws the requests of a load one after the other, in the order of their arrival. It keeps
/// nothing of those it gave; of a closed loop, the users that are free.
class DemandSource {
 public:
  /// `load` passed `check` and outlives this.
  explicit DemandSource(const Load& load);

  /// When the next request arrives; empty when none is left, or in a closed loop none is free to.
  [[nodiscard]] std::optional<double> next_arrival() const;

  /// The request of next_arrival(), which is not empty.
  Demand next();

  /// One request ended, at that time; times do not fall.
  void ended(double at_s);

  [[nodiscard]] std::uint64_t given() const { return given_; }
  [[nodiscard]] std::uint64_t asked() const { return asked_; }

 private:
  void draw_arrival();
  double gap();
  double bursty_arrival();
  std::uint32_t draw_length(const LengthRule& rule);
  Pair draw_lengths();
  [[nodiscard]] double scale_of_gaps() const;

  const Load* load_;
  std::uint64_t asked_;
  std::uint64_t given_ = 0;
  Random arrivals_;
  Random lengths_;
  double gap_scale_ = 1;
  double at_ = 0;
  std::optional<double> next_;
  std::deque<double> free_;  ///< closed loop: when users became free
};

}  // namespace ridgepoint::load
