#pragma once

#include <cstddef>

/// Under the sanitizers, where an estimate costs twenty times as much, the longest sweeps take
/// every `stride`-th case; the same tests run whole without them, as wasm.
namespace tests {

#ifdef RIDGEPOINT_SANITIZED
constexpr std::size_t sampled(std::size_t stride) { return stride; }
#else
constexpr std::size_t sampled(std::size_t /*stride*/) { return 1; }
#endif

}  // namespace tests
