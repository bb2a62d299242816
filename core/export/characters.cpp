#include "export/characters.hpp"

#include <algorithm>
#include <cstdint>

namespace ridgepoint::exports {
namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 1;
};

/// The character at a place of valid UTF-8; what is not valid counts as single bytes.
Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i]));
  };
  const std::uint32_t first = byte(0);
  std::size_t length = 1;
  if (first >= 0xF0) {
    length = 4;
  } else if (first >= 0xE0) {
    length = 3;
  } else if (first >= 0xC0) {
    length = 2;
  }
  if (length == 1 || at + length > text.size()) {
    return {first, 1};
  }
  std::uint32_t code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  return {code, length};
}

struct Span {
  std::uint32_t first;
  std::uint32_t last;
};

template <std::size_t N>
bool within(const Span (&spans)[N], std::uint32_t code) {
  return std::any_of(std::begin(spans), std::end(spans),
                     [code](const Span& span) { return code >= span.first && code <= span.last; });
}

/// C0, DEL and C1; soft hyphen; marks of width zero and of direction; line and paragraph
/// separators; the byte order mark; tags.
constexpr Span kSteering[] = {
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x200B, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

/// Characters that a terminal draws two columns wide (East Asian Width W and F, by blocks).
constexpr Span kWide[] = {
    {0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1FAFF}, {0x20000, 0x3FFFD}};

constexpr Span kMarks[] = {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

std::size_t columns_of_code(std::uint32_t code) {
  if (within(kMarks, code)) {
    return 0;
  }
  return within(kWide, code) ? 2 : 1;
}

/// Takes from the front of a word what fits into `width` columns, at least one character.
std::string_view fitting(std::string_view word, std::size_t width) {
  std::size_t at = 0;
  std::size_t used = 0;
  while (at < word.size()) {
    const Character character = character_at(word, at);
    const std::size_t more = columns_of_code(character.code);
    if (at > 0 && used + more > width) {
      break;
    }
    used += more;
    at += character.length;
  }
  return word.substr(0, at);
}

template <typename Visit>
void words_of(std::string_view text, Visit&& visit) {
  while (true) {
    const std::size_t start = text.find_first_not_of(" \n");
    if (start == std::string_view::npos) {
      return;
    }
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    visit(word);
  }
}

}  // namespace

std::string harmless(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  bool dropped = false;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (lines && character.code == '\n') {
      out += '\n';
      dropped = false;
    } else if (within(kSteering, character.code)) {
      if (!dropped) {
        out += ' ';
      }
      dropped = true;
    } else {
      out += text.substr(at, character.length);
      dropped = false;
    }
    at += character.length;
  }
  return out;
}

std::string cut(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t count = 0; at < text.size(); ++count) {
    if (count == most) {
      return std::string(text.substr(0, at)) + "…";
    }
    at += character_at(text, at).length;
  }
  return std::string(text);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    columns += columns_of_code(character.code);
    at += character.length;
  }
  return columns;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::size_t used = 0;
  words_of(text, [&](std::string_view word) {
    std::size_t needed = columns_of(word);
    if (used > 0 && used + 1 + needed > width) {
      lines.emplace_back();
      used = 0;
    }
    if (used > 0) {
      lines.back() += ' ';
      ++used;
    }
    while (used == 0 && needed > width) {
      const std::string_view part = fitting(word, width);
      lines.back() += part;
      word.remove_prefix(part.size());
      needed -= columns_of(part);
      if (word.empty()) {
        used = width;
        return;
      }
      lines.emplace_back();
    }
    lines.back() += word;
    used += needed;
  });
  return lines;
}

std::size_t longest_word(std::string_view text) {
  std::size_t longest = 0;
  words_of(text, [&](std::string_view word) { longest = std::max(longest, columns_of(word)); });
  return longest;
}

}  // namespace ridgepoint::exports
