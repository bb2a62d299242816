#pragma once

#include <cstdint>
#include <vector>

namespace ridgepoint::engine::sglang {

/// Batch sizes that decode graphs are recorded for, up to `most` requests. Source: SGLang 0.5.17
/// server_args.py (the list of the spec's section 1.3; without 12 before 0.5.3).
std::vector<std::uint64_t> decode_sizes(std::uint64_t most, bool speculative, bool every_size,
                                        std::uint32_t number);

/// Chunks of prompt tokens that graphs are recorded for, up to `most` tokens. Source: SGLang 0.5.17
/// server_args.py.
std::vector<std::uint64_t> prefill_sizes(std::uint64_t most);

}  // namespace ridgepoint::engine::sglang
