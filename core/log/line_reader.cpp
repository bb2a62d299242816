#include "log/line_reader.hpp"

#include <algorithm>

namespace ridgepoint::log {
namespace {

constexpr char kEscape = '\x1b';

unsigned byte_of(char c) { return static_cast<unsigned char>(c); }

bool plain(std::string_view text) {
  unsigned odd = 0;
  for (const char c : text) {
    // Below a space or above a tilde: the difference wraps around.
    odd |= byte_of(c) - 0x20U > 0x5EU ? 1U : 0U;
  }
  return odd == 0;
}

/// The length of the control sequence at the front of `text`, which starts with an escape. What
/// does not end within a reasonable length is no sequence: the escape alone goes.
std::size_t sequence_length(std::string_view text) {
  constexpr std::size_t kMostParameters = 64;
  constexpr std::size_t kMostTitle = 256;
  if (text.size() < 2) {
    return text.size();
  }
  if (text[1] == '[') {
    std::size_t i = 2;
    while (i < text.size() && i < kMostParameters && byte_of(text[i]) >= 0x20 &&
           byte_of(text[i]) < 0x40) {
      ++i;
    }
    const bool ends = i < text.size() && byte_of(text[i]) >= 0x40 && byte_of(text[i]) < 0x7F;
    return ends ? i + 1 : 2;
  }
  if (text[1] == ']') {
    const std::size_t end = std::min(text.size(), kMostTitle);
    for (std::size_t i = 2; i < end; ++i) {
      if (text[i] == '\a') {
        return i + 1;
      }
      if (text[i] == kEscape && i + 1 < text.size() && text[i + 1] == '\\') {
        return i + 2;
      }
    }
    return 2;
  }
  // Others are short: a few intermediate characters and a final one.
  std::size_t end = 1;
  while (end < text.size() && end < 4 && byte_of(text[end]) >= 0x20 && byte_of(text[end]) < 0x30) {
    ++end;
  }
  const bool ends = end < text.size() && byte_of(text[end]) >= 0x30 && byte_of(text[end]) < 0x7F;
  return ends ? end + 1 : 1;
}

/// The length of the UTF-8 character at the front of `text`; 0 when it is none.
std::size_t character_length(std::string_view text) {
  const unsigned first = byte_of(text.front());
  std::size_t length = 0;
  unsigned least = 0x80;  // of the second byte
  unsigned most = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    least = first == 0xE0 ? 0xA0 : least;
    most = first == 0xED ? 0x9F : most;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    least = first == 0xF0 ? 0x90 : least;
    most = first == 0xF4 ? 0x8F : most;
  }
  if (length == 0 || text.size() < length || byte_of(text[1]) < least || byte_of(text[1]) > most) {
    return 0;
  }
  for (std::size_t i = 2; i < length; ++i) {
    if (byte_of(text[i]) < 0x80 || byte_of(text[i]) > 0xBF) {
      return 0;
    }
  }
  return length;
}

}  // namespace

std::string_view head_of(std::string_view text, std::size_t most) {
  if (text.size() <= most) {
    return text;
  }
  std::size_t end = most;
  while (end > 0 && most - end < 4 && (byte_of(text[end]) & 0xC0U) == 0x80U) {
    --end;
  }
  return text.substr(0, end);
}

std::string_view LineReader::take_piece() {
  if (!line_feed_known_) {
    to_line_feed_ = std::min(rest_.find('\n'), rest_.size());
    line_feed_known_ = true;
  }
  const std::string_view line = rest_.substr(0, to_line_feed_);
  const std::size_t end = std::min(line.find('\r'), line.size());
  const std::string_view piece = line.substr(0, end);
  if (new_line_) {
    ++number_;
  }
  new_line_ = end == line.size();
  const std::size_t taken = std::min(end + 1, rest_.size());
  rest_.remove_prefix(taken);
  to_line_feed_ -= std::min(to_line_feed_, taken);
  line_feed_known_ = !new_line_;
  return piece;
}

std::string_view LineReader::cleaned(std::string_view piece) {
  if (plain(piece)) {
    return piece;
  }
  buffer_.clear();
  while (!piece.empty()) {
    const char c = piece.front();
    std::size_t taken = 1;
    if (c == kEscape) {
      taken = sequence_length(piece);
    } else if (byte_of(c) >= 0x80) {
      const std::size_t length = character_length(piece);
      taken = std::max<std::size_t>(length, 1);
      length == 0 ? buffer_.append(1, '?') : buffer_.append(piece.substr(0, length));
    } else if (byte_of(c) >= 0x20 && c != '\x7f') {
      buffer_ += c;
    } else if (c != '\0') {
      buffer_ += ' ';
    }
    piece.remove_prefix(taken);
  }
  return buffer_;
}

bool LineReader::next(Line& line) {
  if (rest_.empty()) {
    return false;
  }
  const std::string_view piece = take_piece();
  line.number = number_;
  line.cut = piece.size() > kMostLineBytes;
  cut_any_ = cut_any_ || line.cut;
  line.text = cleaned(head_of(piece, kMostLineBytes));
  return true;
}

}  // namespace ridgepoint::log
