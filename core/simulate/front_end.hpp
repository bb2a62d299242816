#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// The processes before the scheduler. Each reads one prompt after the other; tokens on their way
/// out are spread over all of them and go before the prompts that wait, as an event loop serves its
/// open streams in turn. Times are in seconds.
class FrontEndQueue {
 public:
  FrontEndQueue(const speed::FrontEnd& costs, std::uint64_t servers)
      : costs_(costs), free_s_(std::max<std::uint64_t>(1, servers), 0.0) {}

  /// Requests that are read at the same time.
  [[nodiscard]] std::uint64_t servers() const { return free_s_.size(); }

  /// When the request that is next, and arrived then, is passed to the scheduler.
  double read(double arrival_s, std::uint64_t prompt_tokens) {
    const auto server = std::min_element(free_s_.begin(), free_s_.end());
    *server = std::max(*server, arrival_s) + costs_.per_request_s +
              costs_.per_token_s * static_cast<double>(prompt_tokens);
    return *server;
  }

  /// When tokens that a step ended with then have gone out. Tokens that cost nothing wait for
  /// nothing.
  double deliver(double end_s, std::uint64_t tokens) {
    if (costs_.per_output_s <= 0 || tokens == 0) {
      return end_s;
    }
    const double seconds =
        costs_.per_output_s * static_cast<double>(tokens) / static_cast<double>(free_s_.size());
    for (double& free_s : free_s_) {
      free_s = std::max(free_s, end_s) + seconds;
    }
    out_s_ = std::max(out_s_, end_s) + seconds;
    return out_s_;
  }

 private:
  speed::FrontEnd costs_;
  std::vector<double> free_s_;
  double out_s_ = 0;
};

}  // namespace ridgepoint::simulate
