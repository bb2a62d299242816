#pragma once

#include <cstdint>

#include "engine/trtllm/settings.hpp"
#include "engine/trtllm/token_cost.hpp"

namespace ridgepoint::engine::trtllm {

/// The requests of the dry run: together max_num_tokens, each as long as may be.
std::uint64_t dry_run_requests(const Settings& settings);

/// Tokens of the temporary cache that the dry run runs on: room for its requests; from 1.3 on also
/// for the recording of graphs, one request of the maximum length and a block for each further one,
/// and a block for each request of a full batch. 0 without a dry run.
/// Source: TensorRT-LLM 1.2 and 1.3 _torch/pyexecutor/_util.py, _get_token_num_for_estimation.
std::uint64_t temporary_tokens(const Settings& settings);

/// Bytes the temporary cache wants on one rank, at most those of max_tokens.
std::uint64_t temporary_demand(const Settings& settings, const TokenCost& cost);

/// Bytes it gets: at most the fraction of `free_bytes`, which is free when it is made.
std::uint64_t temporary_bytes(const Settings& settings, const TokenCost& cost,
                              std::uint64_t free_bytes);

}  // namespace ridgepoint::engine::trtllm
