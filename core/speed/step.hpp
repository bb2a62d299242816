#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace ridgepoint::speed {

/// Tokens of one prompt that one step computes, on top of `cached` tokens of the same request.
struct Chunk {
  std::uint64_t tokens = 0;
  std::uint64_t cached = 0;
};

/// How many sums of contexts a step keeps apart: of whole contexts, and of contexts cut off at up
/// to three lengths (windows, the top-k of sparse attention).
inline constexpr std::size_t kContextSums = 4;

/// The lengths at which layers stop looking back; the first is no limit, unused ones are 0.
using ContextCaps = std::array<std::uint64_t, kContextSums>;

/// What one step of one replica computes; of stages that work on several batches at once, all that
/// is in flight.
struct StepLoad {
  std::uint64_t decoding = 0;  ///< requests that each compute one token
  /// Tokens cached by the decoding requests, each cut off at the cap of that index.
  std::array<std::uint64_t, kContextSums> context{};
  std::span<const Chunk> chunks;
  std::uint64_t sampled = 0;  ///< tokens that come out: all decoding, and prompts that end here
};

/// Seconds of one step by what takes them; `total` is not below the largest part, and is their sum.
struct StepTime {
  double total = 0;
  double host = 0;           ///< launching, sampling, bookkeeping on the processor
  double linear = 0;         ///< matrices of attention and dense feed-forward layers
  double attention = 0;      ///< reading caches and computing scores; states of recurrent layers
  double experts = 0;        ///< mixtures, shared experts and routers
  double communication = 0;  ///< between the cards of a replica
  double head = 0;           ///< logits
  double elementwise = 0;    ///< norms, activations, rotations
  // Not parts of it: what a card would need at the full bandwidth, and at the peaks of the formats.
  double read = 0;     ///< for the weights, caches and states that it reads
  double compute = 0;  ///< for the arithmetic
};

inline void add(StepTime& sum, const StepTime& step, double times = 1) {
  sum.total += times * step.total;
  sum.host += times * step.host;
  sum.linear += times * step.linear;
  sum.attention += times * step.attention;
  sum.experts += times * step.experts;
  sum.communication += times * step.communication;
  sum.head += times * step.head;
  sum.elementwise += times * step.elementwise;
  sum.read += times * step.read;
  sum.compute += times * step.compute;
}

/// Tells how long steps take: kernels as measured and fitted, or a rule of a test.
class StepTimer {
 public:
  virtual ~StepTimer() = default;

  /// Where contexts are cut off in the sums of a StepLoad.
  [[nodiscard]] virtual const ContextCaps& caps() const = 0;

  /// Not const: a timer may keep what it worked out. The same load always gives the same time.
  virtual StepTime time(const StepLoad& load) = 0;
};

/// The processes before an engine's scheduler. Requests pass one after the other.
struct FrontEnd {
  double fixed_s = 0;        ///< of each request, in no queue: network, client, first answer
  double per_request_s = 0;  ///< in the queue …
  double per_token_s = 0;    ///< … and of each token of the prompt
  double per_output_s = 0;   ///< in the queue, of each token that goes out
};

}  // namespace ridgepoint::speed
