#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::engine::vllm {

/// A vLLM version as far as rules go: they change with the minor number.
struct Version {
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;
  std::string text;            ///< for people: "0.28.0"
  bool nearest_rules = false;  ///< newer than covered, or a development build
  bool any_patch = false;      ///< given as "0.10", which may mean its last patch too

  [[nodiscard]] bool at_least(std::uint32_t other_minor, std::uint32_t other_patch) const {
    return minor > other_minor || (minor == other_minor && patch >= other_patch);
  }
};

/// Covered versions, oldest first; the last is what an absent version means.
std::span<const std::string_view> covered_versions();

/// Reads "0.28.0", "v0.28", "0.28.1rc1.dev16+g0123abc". Empty text gives the newest covered.
/// Errors at engine.version: `bad_version` (not of that form), `version_too_old`.
Result<Version> parse_version(std::string_view text);

}  // namespace ridgepoint::engine::vllm
