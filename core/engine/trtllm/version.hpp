#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::engine::trtllm {

/// A TensorRT-LLM version as far as rules go: 1000 x major + minor, so 0.20 is 20 and 1.2 is 1002.
struct Version {
  std::uint32_t number = 0;
  std::string text;            ///< for people: "1.2.0"
  bool nearest_rules = false;  ///< newer than covered, or a build between releases
};

/// Versions at which a rule changed.
inline constexpr std::uint32_t kAddsBack = 19;     ///< the temporary cache is added back
inline constexpr std::uint32_t kPytorch = 1000;    ///< PyTorch is the default backend
inline constexpr std::uint32_t kAutoMoe = 1002;    ///< the kernels of experts are chosen by itself
inline constexpr std::uint32_t kCountsMtp = 1003;  ///< prediction layers count, warm-up sizes the
                                                   ///< temporary cache
inline constexpr std::uint32_t kReserves = 1004;   ///< reserves the FP8 context MLA workspace

/// Covered releases, oldest first; the last is what an absent version means. Release candidates of
/// 1.2 and 1.3 are covered by the starts measured on them.
std::span<const std::string_view> covered_versions();

/// Reads "1.2.0", "v0.20", "1.2.0rc6.post3". Empty text gives the newest covered release.
/// Errors at engine.version: `bad_version` (not of that form), `version_too_old`.
Result<Version> parse_version(std::string_view text);

/// "0.20" of 20, "1.2" of 1002.
std::string version_text(std::uint32_t number);

}  // namespace ridgepoint::engine::trtllm
