#pragma once

#include <algorithm>
#include <cstdint>

#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// The processes before the scheduler, as one station that serves prompts, and tokens on their way
/// out, one after the other. Times are in seconds.
class FrontEndQueue {
 public:
  explicit FrontEndQueue(const speed::FrontEnd& costs) : costs_(costs) {}

  /// When a request that arrives then is passed to the scheduler.
  double accept(double arrival_s, std::uint64_t prompt_tokens) {
    free_s_ = std::max(free_s_, arrival_s) + costs_.per_request_s +
              costs_.per_token_s * static_cast<double>(prompt_tokens);
    return free_s_;
  }

  /// When tokens that a step ended with then have gone out. Tokens that cost nothing wait for
  /// nothing.
  double deliver(double end_s, std::uint64_t tokens) {
    if (costs_.per_output_s <= 0 || tokens == 0) {
      return end_s;
    }
    free_s_ = std::max(free_s_, end_s) + costs_.per_output_s * static_cast<double>(tokens);
    return free_s_;
  }

 private:
  speed::FrontEnd costs_;
  double free_s_ = 0;
};

}  // namespace ridgepoint::simulate
