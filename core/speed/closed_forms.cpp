#include "speed/closed_forms.hpp"

#include <algorithm>
#include <cmath>

#include "arithmetic.hpp"

namespace ridgepoint::speed {
namespace {

double real(std::uint64_t n) { return static_cast<double>(n); }

/// Around a time; half its width is `band` of it upwards, and as much again as a factor downwards.
Rate around(double best, double band, bool measured) {
  // Runs that the times a token of cards with measured kernels are held against
  // (`tests/accuracy.sh speed`, data-centre cards).
  constexpr std::uint32_t kRuns = 1371;
  return {best / (1.0 + band), best, best * (1.0 + band),
          measured ? Basis::measured : Basis::assumed, measured ? kRuns : 0};
}

Rate per_second(double count, const Rate& time) {
  return {count / time.high, count / time.best, count / time.low, time.basis, time.starts};
}

/// A step of `batch` requests that have `context` tokens each.
StepLoad decode_step(const KernelTimer& timer, std::uint64_t batch, std::uint64_t context) {
  StepLoad load;
  load.decoding = batch;
  load.sampled = batch;
  for (std::size_t i = 0; i < kContextSums; ++i) {
    const std::uint64_t cap = timer.caps()[i];
    load.context[i] =
        saturating_product(batch, i == 0 || cap == 0 ? context : std::min(context, cap));
  }
  return load;
}

StepTime chunk_time(KernelTimer& timer, const Chunk& chunk, bool last) {
  StepLoad load;
  load.chunks = {&chunk, 1};
  load.sampled = last ? 1 : 0;
  return timer.time(load);
}

/// All steps of one prompt, in chunks. Of long ones neighbours are taken together: their times rise
/// evenly, so that the middle one stands for all.
StepTime prompt_time(KernelTimer& timer, std::uint64_t prompt, std::uint64_t step_tokens) {
  constexpr std::uint64_t kMostGroups = 256;
  StepTime sum;
  if (prompt == 0) {
    return sum;
  }
  const std::uint64_t most = std::max<std::uint64_t>(1, step_tokens);
  const std::uint64_t whole = (prompt - 1) / most;  // chunks before the last
  const std::uint64_t groups = std::min(whole, kMostGroups);
  std::uint64_t first = 0;
  for (std::uint64_t group = 1; group <= groups; ++group) {
    const std::uint64_t count = (whole - first) / (groups - group + 1);
    const std::uint64_t middle = first + (count - 1) / 2;
    add(sum, chunk_time(timer, {most, middle * most}, false), real(count));
    first += count;
  }
  add(sum, chunk_time(timer, {prompt - whole * most, whole * most}, true), 1);
  return sum;
}

}  // namespace

std::string_view largest_part(const StepTime& time) {
  struct Part {
    double seconds;
    std::string_view name;
  };
  const Part parts[] = {{time.host, "host"},
                        {time.linear, "linear"},
                        {time.attention, "attention"},
                        {time.experts, "experts"},
                        {time.communication, "communication"},
                        {time.head, "head"},
                        {time.elementwise, "elementwise"}};
  const Part* largest = parts;
  for (const Part& part : parts) {
    if (part.seconds > largest->seconds) {
      largest = &part;
    }
  }
  return largest->name;
}

std::uint64_t ridge_tokens(const KernelTimer& timer) {
  constexpr std::uint64_t kMost = 1'000'000'000;
  const auto computes = [&](std::uint64_t tokens) {
    return timer.products_compute_s(tokens) >= timer.weights_read_s(tokens);
  };
  if (!computes(kMost)) {
    return kMost;
  }
  std::uint64_t below = 0;
  std::uint64_t above = kMost;
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (computes(middle) ? above : below) = middle;
  }
  return std::max<std::uint64_t>(1, below);
}

ClosedForms closed_forms(KernelTimer& timer, const Question& question) {
  ClosedForms speed;
  const Bands& bands = timer.bands();
  const FrontEnd& front = timer.front_end();
  const StepTime prompt = prompt_time(timer, question.prompt, question.step_tokens);
  speed.ttft_s = around(prompt.total + front.fixed_s + front.per_request_s +
                            real(question.prompt) * front.per_token_s,
                        bands.ttft, bands.measured);
  const std::uint64_t batch = std::max<std::uint64_t>(1, question.batch);
  const StepTime step = timer.time(decode_step(timer, batch, question.context));
  speed.tpot_s = around(step.total, bands.tpot, bands.measured);
  speed.decode_tokens_per_s = per_second(real(batch), speed.tpot_s);
  speed.ridge_batch = ridge_tokens(timer);
  speed.mfu = prompt.total > 0 ? prompt.compute / prompt.total : 0;
  speed.mbu = step.total > 0 ? step.read / step.total : 0;
  speed.dominant = largest_part(step);
  speed.prompt_dominant = largest_part(prompt);
  return speed;
}

Rate steady_tokens_per_s(KernelTimer& timer, const SteadyLoad& load) {
  const std::uint64_t output = std::max<std::uint64_t>(1, load.output);
  std::uint64_t batch = std::max<std::uint64_t>(1, load.most_requests);
  if (load.pool_tokens != 0) {
    batch = std::clamp<std::uint64_t>(load.pool_tokens / (load.prompt + output), 1, batch);
  }
  StepLoad step = decode_step(timer, batch, load.prompt + output / 2);
  // In the mean; a step that would compute more than it may takes its time for as many tokens.
  const double prompts = real(batch) * real(load.prompt) / real(output);
  const double most = real(std::max<std::uint64_t>(1, load.step_tokens));
  const double steps = std::max(1.0, (prompts + real(batch)) / most);
  const Chunk chunk{static_cast<std::uint64_t>(std::floor(prompts / steps + 0.5)), load.prompt / 2};
  if (chunk.tokens != 0) {
    step.chunks = {&chunk, 1};
    step.sampled += static_cast<std::uint64_t>(real(batch) / real(output));
  }
  const Bands& bands = timer.bands();
  return per_second(real(batch),
                    around(timer.time(step).total * steps, bands.tpot, bands.measured));
}

}  // namespace ridgepoint::speed
