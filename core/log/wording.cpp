#include "log/wording.hpp"

#include <algorithm>
#include <cmath>

namespace ridgepoint::log {
namespace {

constexpr std::size_t kMostSkipped = 200;  ///< by {~}
constexpr std::size_t kMostText = 160;     ///< of {w} and {name}
constexpr std::size_t kMostDigits = 30;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr double kKiB = 1024.0;
constexpr Unit kUnits[] = {
    {"GiB", kKiB* kKiB* kKiB},
    {"GB", kKiB* kKiB* kKiB},
    {"MiB", kKiB* kKiB},
    {"MB", kKiB* kKiB},
    {"KiB", kKiB},
    {"KB", kKiB},
    {"TiB", 1099511627776.0},
    {"bytes", 1},
    {"Bytes", 1},
    {"B", 1},
};

std::size_t spaces(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == ' ') {
    ++end;
  }
  return end;
}

/// How much of `text` a literal takes; npos when it does not match there.
std::size_t literal_length(std::string_view literal, std::string_view text) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == ' ') {
      at += spaces(text.substr(at));
      continue;
    }
    if (at >= text.size() || text[at] != literal[i]) {
      return std::string_view::npos;
    }
    ++at;
  }
  return at;
}

std::size_t text_length(std::string_view text, bool one_word) {
  const std::string_view stops = one_word ? " ,;()[]{}'\"|" : ",;()[]{}|";
  std::size_t end = 0;
  while (end < text.size() && end < kMostText && stops.find(text[end]) == std::string_view::npos) {
    ++end;
  }
  while (end > 0 && text[end - 1] == ' ') {
    --end;
  }
  return end;
}

/// Reads one hole at the front of `text`; false when there is nothing of its kind.
bool read_hole(Hole hole, std::string_view text, Capture& out, std::size_t& length) {
  out.hole = hole;
  if (hole == Hole::rest) {
    out.text = text;
    length = text.size();
    return true;
  }
  const std::size_t blank = spaces(text);
  text.remove_prefix(blank);
  if (hole == Hole::word || hole == Hole::name) {
    const std::size_t end = text_length(text, hole == Hole::word);
    out.text = text.substr(0, end);
    length = blank + end;
    return end != 0;
  }
  const ReadNumber number = read_number(text);
  if (number.length == 0) {
    return false;
  }
  out.value = number.value;
  length = blank + number.length;
  if (hole == Hole::number) {
    return true;
  }
  if (hole != Hole::size) {
    out.value = std::round(number.value * (hole == Hole::gib ? kUnits[0] : kUnits[2]).bytes);
    return true;
  }
  text.remove_prefix(number.length);
  const std::size_t before_unit = spaces(text);
  for (const Unit& unit : kUnits) {
    if (text.substr(before_unit).starts_with(unit.name)) {
      out.value = std::round(number.value * unit.bytes);
      length += before_unit + unit.name.size();
      return true;
    }
  }
  return false;
}

Hole hole_of(std::string_view name) {
  constexpr struct {
    std::string_view name;
    Hole hole;
  } kHoles[] = {{"size", Hole::size}, {"gib", Hole::gib}, {"mib", Hole::mib},
                {"n", Hole::number},  {"w", Hole::word},  {"name", Hole::name},
                {"rest", Hole::rest}};
  for (const auto& entry : kHoles) {
    if (entry.name == name) {
      return entry.hole;
    }
  }
  return Hole::word;
}

}  // namespace

ReadNumber read_number(std::string_view text) {
  std::size_t at = 0;
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) {
    ++at;
  }
  const std::size_t first = at;
  double whole = 0;  // exact up to 2^53, beyond which no figure of a log goes
  double scale = 1;
  bool point = false;
  std::size_t digits = 0;
  for (; at < text.size() && digits < kMostDigits; ++at) {
    const char c = text[at];
    if (is_digit(c)) {
      if (scale < 1e15) {
        whole = whole * 10 + (c - '0');
        scale = point ? scale * 10 : scale;
      }
      ++digits;
      continue;
    }
    const bool thousands = c == ',' && !point && digits != 0 && at + 3 < text.size() &&
                           is_digit(text[at + 1]) && is_digit(text[at + 2]) &&
                           is_digit(text[at + 3]) &&
                           (at + 4 >= text.size() || !is_digit(text[at + 4]));
    if (thousands) {
      continue;
    }
    if (c == '.' && !point && digits != 0 && at + 1 < text.size() && is_digit(text[at + 1])) {
      point = true;
      continue;
    }
    break;
  }
  if (digits == 0 || at == first) {
    return {};
  }
  const double value = whole / scale;
  return {negative ? -value : value, at};
}

Wordings::Wordings(const std::vector<std::string_view>& patterns)
    : first_(std::size_t{1} << kBucketBits, kNone) {
  patterns_.reserve(patterns.size());
  for (std::size_t i = 0; i < patterns.size() && i < kNone; ++i) {
    patterns_.push_back(compile(patterns[i]));
    const std::string_view anchor = patterns_.back().pieces.front().text;
    std::uint16_t& head = first_[bucket(anchor.data())];
    patterns_.back().next = head;
    head = static_cast<std::uint16_t>(i);
  }
}

std::size_t Wordings::bucket(const char* text) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < kAnchor; ++i) {
    word = word << 8U | static_cast<unsigned char>(text[i]);
  }
  return (word * 2654435761U) >> (32 - kBucketBits);
}

std::size_t Wordings::next_candidate(std::string_view line, std::size_t at, std::size_t end) const {
  if (line.size() < kAnchor) {
    return end;
  }
  end = std::min(end, line.size() - kAnchor + 1);
  for (; at < end; ++at) {
    if (first_[bucket(line.data() + at)] != kNone) {
      return at;
    }
  }
  return line.size();
}

Wordings::Pattern Wordings::compile(std::string_view pattern) {
  constexpr std::string_view kWordBefore = "{<w}";
  Pattern out;
  if (pattern.starts_with(kWordBefore)) {
    out.word_before = true;
    pattern.remove_prefix(kWordBefore.size());
    pattern.remove_prefix(spaces(pattern));
  }
  while (!pattern.empty()) {
    if (pattern.front() != '{') {
      const std::size_t end = std::min(pattern.find('{'), pattern.size());
      std::string_view text = pattern.substr(0, end);
      if (!out.pieces.empty() && out.pieces.back().kind == Kind::skip) {
        text.remove_prefix(spaces(text));
      }
      out.pieces.push_back({Kind::literal, Hole::number, text});
      pattern.remove_prefix(end);
      continue;
    }
    const std::size_t end = std::min(pattern.find('}'), pattern.size() - 1);
    const std::string_view name = pattern.substr(1, end - 1);
    out.pieces.push_back({name == "~" ? Kind::skip : Kind::hole, hole_of(name), {}});
    pattern.remove_prefix(end + 1);
  }
  return out;
}

bool Wordings::matches(const Pattern& pattern, std::string_view line, std::size_t at,
                       Match& match) {
  match.begin = at;
  match.count = 0;
  if (pattern.word_before) {
    std::size_t end = at;
    while (end > 0 && line[end - 1] == ' ') {
      --end;
    }
    std::size_t begin = end;
    while (begin > 0 && end - begin < kMostText && line[begin - 1] != ' ') {
      --begin;
    }
    if (begin == end) {
      return false;
    }
    match.begin = begin;
    match.captures[match.count++] = {Hole::word, 0, line.substr(begin, end - begin)};
  }
  bool skipping = false;
  for (const Piece& piece : pattern.pieces) {
    if (piece.kind == Kind::skip) {
      skipping = true;
      continue;
    }
    // A skip is tried a bounded number of places on, so that a line costs no more than its length.
    const std::size_t last = skipping ? std::min(line.size(), at + kMostSkipped) : at;
    skipping = false;
    bool found = false;
    for (std::size_t from = at; from <= last && !found; ++from) {
      if (piece.kind == Kind::literal && last != at) {
        from = line.find(piece.text.front(), from);
        if (from > last) {
          break;
        }
      }
      const std::string_view text = line.substr(from);
      if (piece.kind == Kind::literal) {
        const std::size_t length = literal_length(piece.text, text);
        found = length != std::string_view::npos;
        at = found ? from + length : at;
        continue;
      }
      std::size_t length = 0;
      if (match.count < kMostCaptures &&
          read_hole(piece.hole, text, match.captures[match.count], length)) {
        found = true;
        ++match.count;
        at = from + length;
      }
    }
    if (!found) {
      return false;
    }
  }
  match.end = at;
  return true;
}

}  // namespace ridgepoint::log
