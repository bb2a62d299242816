#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::engine::llamacpp {

/// A llama.cpp build: releases are numbered by their commits.
struct Version {
  std::uint32_t build = 0;     ///< whose rules apply: within the covered builds
  std::string text;            ///< for people: "b6300"
  bool nearest_rules = false;  ///< newer than covered
};

/// Builds at which a rule of memory changed, oldest first; the last is what an absent version
/// means.
std::span<const std::string_view> covered_versions();

/// Reads "b6300", "6300", "build 6300", "b6300-0123abc". Empty text gives the newest covered.
/// Errors at engine.version: `bad_version` (not of that form), `version_too_old` (before b4000).
Result<Version> parse_version(std::string_view text);

}  // namespace ridgepoint::engine::llamacpp
