#include "engine/trtllm/dry_run.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

constexpr double kMostTokens = 1e15;

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
  const std::uint64_t whole = settings.max_num_tokens / length;
  auto blocks = static_cast<double>(whole) * static_cast<double>(request_blocks(settings, length)) +
                static_cast<double>(rest == 0 ? 0 : request_blocks(settings, rest));
  if (settings.attention_dp) {
    blocks *= static_cast<double>(settings.parallelism.tensor);
  }
  if (settings.version.number >= kCountsMtp) {
    const std::uint64_t graphs = std::min(settings.max_batch_size, settings.graphs.largest);
    const std::uint64_t warm_up =
        ceil_div(settings.max_seq_len + 1, settings.tokens_per_block) + graphs - 1;
    blocks = std::max(blocks, static_cast<double>(std::max(warm_up, settings.max_batch_size)));
  }
  const double tokens = blocks * static_cast<double>(settings.tokens_per_block) *
                        static_cast<double>(settings.max_beam_width);
  return static_cast<std::uint64_t>(std::min(tokens, kMostTokens));
}

std::uint64_t temporary_demand(const Settings& settings, const TokenCost& cost) {
  std::uint64_t tokens = temporary_tokens(settings);
  if (settings.max_tokens) {
    tokens = std::min(tokens, round_up(*settings.max_tokens, settings.tokens_per_block));
  }
  const double bytes = static_cast<double>(tokens) * static_cast<double>(cost.allocated);
  return static_cast<std::uint64_t>(std::min(bytes, 1e18));
}

std::uint64_t temporary_bytes(const Settings& settings, const TokenCost& cost,
                              std::uint64_t free_bytes) {
  const double room = settings.free_gpu_memory_fraction * static_cast<double>(free_bytes);
  return std::min(static_cast<std::uint64_t>(room), temporary_demand(settings, cost));
}

}  // namespace ridgepoint::engine::trtllm
