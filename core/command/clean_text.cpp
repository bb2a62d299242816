#include "command/clean_text.hpp"

#include <utility>

namespace ridgepoint::command {
namespace {

/// Length of the well-formed UTF-8 sequence at the front; 0: there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return 1;
  }
  const std::size_t length = first >= 0xf0 ? 4 : (first >= 0xe0 ? 3 : 2);
  if (first < 0xc2 || first > 0xf4 || text.size() < length) {
    return 0;
  }
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) {
      return 0;
    }
  }
  const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool too_large = first == 0xf4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

/// What stands for a character that editors and web pages put in the place of a plain one.
constexpr std::pair<std::string_view, std::string_view> kPlain[] = {
    {"\xc2\xa0", " "},                               // no-break space
    {"\xe2\x80\xaf", " "},                           // narrow no-break space
    {"\xe2\x80\x8b", ""},                            // zero-width space
    {"\xef\xbb\xbf", ""},                            // byte order mark
    {"\xe2\x80\x9c", "\""},                          // curly double quotes
    {"\xe2\x80\x9d", "\""}, {"\xe2\x80\x98", "'"},   // curly single quotes
    {"\xe2\x80\x99", "'"},  {"\xe2\x80\xa8", "\n"},  // line separator
};

bool is_fence(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first != std::string_view::npos && line.substr(first).starts_with("```");
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t line_start = 0;
  const auto end_line = [&] {
    if (is_fence(std::string_view(out).substr(line_start))) {
      out.resize(line_start);
    }
    out += '\n';
    line_start = out.size();
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '\r' || c == '\n') {
      at += c == '\r' && at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
      end_line();
      continue;
    }
    const std::size_t length = sequence_length(text.substr(at));
    std::string_view piece = length == 0 ? "?" : text.substr(at, length);
    if (length == 1 && static_cast<unsigned char>(c) < 0x20 && c != '\t') {
      piece = " ";
    }
    if (length > 1) {
      for (const auto& [fancy, plain] : kPlain) {
        piece = piece == fancy ? plain : piece;
      }
    }
    out += piece;
    at += length == 0 ? 1 : length;
  }
  if (is_fence(std::string_view(out).substr(line_start))) {
    out.resize(line_start);
  }
  return out;
}

}  // namespace ridgepoint::command
