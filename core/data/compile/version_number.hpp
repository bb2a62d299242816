#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// A version as one number, so that versions compare: "0.28" is 28, "1.2" 1002, "0.5.17" 5017 and
/// the build "b6300" 6300. Empty when the text is none. One engine keeps to one form.
inline std::optional<std::uint32_t> version_number(std::string_view rest) {
  std::uint32_t number = 0;
  if (!rest.empty() && rest.front() == 'b') rest.remove_prefix(1);
  std::size_t parts = 0;
  while (true) {
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string_view part = rest.substr(0, dot);
    const bool digits = part.find_first_not_of("0123456789") == std::string_view::npos;
    if (part.empty() || part.size() > 6 || !digits || ++parts > 3) return std::nullopt;
    number = number * 1000 + static_cast<std::uint32_t>(std::stoul(std::string(part)));
    if (dot == rest.size()) return number;
    rest.remove_prefix(dot + 1);
  }
}
