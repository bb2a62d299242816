#include "engine/trtllm/dry_run.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

/// One request of the dry run, in tokens.
std::uint64_t request_tokens(const Settings& settings) {
  const std::uint64_t longest = std::max<std::uint64_t>(2, settings.max_seq_len) - 1;
  return std::min(longest, settings.max_num_tokens);
}

std::uint64_t request_blocks(const Settings& settings, std::uint64_t tokens) {
  return ceil_div(tokens + 1 + settings.extra_tokens, settings.tokens_per_block);
}

}  // namespace

std::uint64_t dry_run_requests(const Settings& settings) {
  return ceil_div(settings.max_num_tokens, request_tokens(settings));
}

std::uint64_t temporary_tokens(const Settings& settings) {
  if (!settings.dry_run || settings.backend != Backend::pytorch) {
    return 0;
  }
  const std::uint64_t length = request_tokens(settings);
  const std::uint64_t rest = settings.max_num_tokens % length;
  std::uint64_t blocks = settings.max_num_tokens / length * request_blocks(settings, length) +
                         (rest == 0 ? 0 : request_blocks(settings, rest));
  if (settings.attention_dp) {
    blocks *= settings.parallelism.tensor;
  }
  if (settings.version.number >= kCountsMtp) {
    const std::uint64_t graphs = std::min(settings.max_batch_size, settings.graphs.largest);
    const std::uint64_t warm_up =
        ceil_div(settings.max_seq_len + 1, settings.tokens_per_block) + graphs - 1;
    blocks = std::max({blocks, warm_up, settings.max_batch_size});
  }
  return blocks * settings.tokens_per_block * settings.max_beam_width;
}

std::uint64_t temporary_bytes(const Settings& settings, const TokenCost& cost,
                              std::uint64_t free_bytes) {
  std::uint64_t tokens = temporary_tokens(settings);
  if (settings.max_tokens) {
    tokens = std::min(tokens, round_up(*settings.max_tokens, settings.tokens_per_block));
  }
  const double room = settings.free_gpu_memory_fraction * static_cast<double>(free_bytes);
  const double wanted = static_cast<double>(tokens) * static_cast<double>(cost.allocated);
  return static_cast<std::uint64_t>(std::min(room, wanted));
}

}  // namespace ridgepoint::engine::trtllm
