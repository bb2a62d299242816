#pragma once

#include <cstdint>
#include <string_view>

#include "estimate.hpp"
#include "speed/step_model.hpp"

namespace ridgepoint::speed {

/// What is asked of a replica. Lengths are in tokens.
struct Question {
  std::uint64_t prompt = 0;
  std::uint64_t context = 0;         ///< cached by each request while it decodes
  std::uint64_t batch = 1;           ///< requests decoding at once
  std::uint64_t step_tokens = 2048;  ///< the most that one step computes (max_num_batched_tokens)
};

/// A load that goes on for ever: requests of one length, as many at once as the cache holds.
struct SteadyLoad {
  std::uint64_t prompt = 0;
  std::uint64_t output = 1;
  std::uint64_t most_requests = 256;  ///< that the engine runs at once
  std::uint64_t pool_tokens = 0;      ///< tokens that the cache holds; 0: no limit
  std::uint64_t step_tokens = 2048;
};

/// What one replica answers.
struct ClosedForms {
  Rate ttft_s;                    ///< of one prompt on an idle replica, front end included
  Rate tpot_s;                    ///< one decode step of `batch` requests
  Rate decode_tokens_per_s;       ///< of the whole batch
  std::uint64_t ridge_batch = 0;  ///< requests at which decoding turns from memory to compute bound
  double mfu = 0;  ///< of the prompt: time its arithmetic takes at the peaks, over the time taken
  double mbu = 0;  ///< of the decode step: time its reading takes at the bandwidth, over the same
  std::string_view dominant;         ///< the largest part of the decode step, see part_name
  std::string_view prompt_dominant;  ///< … and of the prompt's steps
  bool known = false;                ///< false: the card's bandwidth or peak is not known
};

/// "host", "linear", "attention", "experts", "communication", "head" or "elementwise": the largest.
std::string_view largest_part(const StepTime& time);

/// All of one replica that the timer is of. Ranges are as wide as the fit left them: wider where
/// the card's kernels were not measured and where ranks are joined by PCIe.
ClosedForms closed_forms(KernelTimer& timer, const Question& question);

/// Output tokens a second of a steady mixed load: every step decodes b requests and computes
/// b x prompt / output tokens of prompts, b as many as the pool holds at their full length.
Rate steady_tokens_per_s(KernelTimer& timer, const SteadyLoad& load);

/// The tokens of a step at which reading the weights takes as long as multiplying by them; of a
/// mixture, with the experts that so many tokens touch. At most 10^9.
std::uint64_t ridge_tokens(const KernelTimer& timer);

}  // namespace ridgepoint::speed
