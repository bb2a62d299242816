#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ridgepoint::engine {

/// A version as Python packages write them.
struct PythonVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::optional<std::uint32_t> patch;
  bool development = false;  ///< rcN, aN, bN, .devN, +local of one of them
  std::string text;          ///< for people, without a leading v: "0.28.0"
};

/// Reads "0.28.0", "v0.28", "0.28.1rc1.dev16+g0123abc", "0.5.9.post1". Empty when it is none.
std::optional<PythonVersion> parse_python_version(std::string_view text);

}  // namespace ridgepoint::engine
