#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::engine::sglang {

/// A version of SGLang whose rules are known, numbered 1000 x minor + patch: 0.5.17 is 5017.
/// Post-releases count as the release.
struct Version {
  std::uint32_t number = 0;
  std::string text;            ///< as given, for people
  bool nearest_rules = false;  ///< newer than covered, or a development build
};

/// Covered versions, oldest first.
std::span<const std::string_view> covered_versions();

/// Reads engine.version; empty means the newest covered. Errors: `bad_version`, `version_too_old`.
Result<Version> parse_version(std::string_view text);

}  // namespace ridgepoint::engine::sglang
