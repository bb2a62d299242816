#include "command/yaml.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "command/clean_text.hpp"
#include "command/yaml_flow.hpp"
#include "command/yaml_scalars.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kDeepest = 64;

struct Line {
  std::size_t indent;
  std::string_view text;  ///< without the indent; ends where the line does
  std::string_view whole;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Up to a comment, without blanks at the end.
std::string_view without_comment(std::string_view text) {
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    if (at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t') {
      text = text.substr(0, at);
      break;
    }
  }
  return trimmed(text);
}

bool is_item(std::string_view text) {
  return text == "-" || text.starts_with("- ") || text.starts_with("-\t");
}

bool is_marker(const Line& line, std::string_view marker) {
  return line.indent == 0 && line.text.starts_with(marker) &&
         (line.text.size() == 3 || line.text[3] == ' ' || line.text[3] == '\t');
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view path) : text_(text), path_(path) {
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view whole = text.substr(at, end - at);
      const std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
      lines_.push_back({indent, whole.substr(indent), whole});
      at = end + 1;
    }
  }

  Result<std::vector<json::Value>> run() {
    std::vector<json::Value> documents;
    while (skip_empty() && !error_) {
      Line& line = lines_[at_];
      if (is_marker(line, "...") || line.text.starts_with("%YAML")) {
        ++at_;
        continue;
      }
      if (is_marker(line, "---")) {
        const std::string_view rest = without_comment(line.text.substr(3));
        if (rest.empty()) {
          ++at_;
          continue;
        }
        line.indent = static_cast<std::size_t>(rest.data() - line.whole.data());
        line.text = line.text.substr(static_cast<std::size_t>(rest.data() - line.text.data()));
      }
      documents.push_back(block(0, 0));
      if (!error_ && skip_empty() && !is_marker(lines_[at_], "---") &&
          !is_marker(lines_[at_], "...")) {
        fail("This line does not go on with what is above it; check its indent");
      }
    }
    if (error_) {
      return *std::move(error_);
    }
    return documents;
  }

 private:
  void fail(const std::string& message) {
    if (!error_) {
      error_ = Error{"not_yaml",
                     message + " (line " + std::to_string(std::min(at_ + 1, lines_.size())) + ").",
                     std::string(path_)};
    }
  }

  /// To the next line that says something; false at the end.
  bool skip_empty() {
    while (at_ < lines_.size()) {
      const std::string_view text = lines_[at_].text;
      if (!text.empty() && text[0] == '\t' && !trimmed(text).empty() && trimmed(text)[0] != '#') {
        fail("A tab indents this line, and YAML takes blanks only");
        return false;
      }
      if (!trimmed(text).empty() && trimmed(text)[0] != '#') {
        return true;
      }
      ++at_;
    }
    return false;
  }

  [[nodiscard]] bool ends_document() const { return ends_document(at_); }
  [[nodiscard]] bool ends_document(std::size_t line) const {
    return is_marker(lines_[line], "---") || is_marker(lines_[line], "...");
  }

  /// The node that begins on this line or below, indented by at least `least`.
  json::Value block(std::size_t least, std::size_t depth) {
    if (depth > kDeepest) {
      fail("The text is nested more than 64 levels deep");
      return nullptr;
    }
    if (!skip_empty() || error_ || lines_[at_].indent < least || ends_document()) {
      return nullptr;
    }
    const Line line = lines_[at_];
    if (is_item(line.text)) {
      return sequence(line.indent, depth);
    }
    if (key_end(line.text)) {
      return mapping(line.indent, depth);
    }
    return inline_value(line.text, least == 0 ? 0 : least - 1, least == 0, depth);
  }

  json::Value sequence(std::size_t indent, std::size_t depth) {
    json::Value items = json::Value::array();
    while (!error_ && skip_empty() && lines_[at_].indent == indent && is_item(lines_[at_].text) &&
           !ends_document()) {
      Line& line = lines_[at_];
      const std::string_view rest = without_comment(line.text.substr(1));
      if (rest.empty()) {
        ++at_;
        items.push_back(block(indent + 1, depth + 1));
        continue;
      }
      // What follows the dash is a node of its own, indented by where it stands.
      const auto column = static_cast<std::size_t>(rest.data() - line.text.data());
      line.text = line.text.substr(column);
      line.indent += column;
      const bool nested = is_item(line.text) || key_end(line.text);
      items.push_back(nested ? block(line.indent, depth + 1)
                             : inline_value(line.text, indent, false, depth + 1));
    }
    return items;
  }

  json::Value mapping(std::size_t indent, std::size_t depth) {
    json::Value members = json::Value::object();
    while (!error_ && skip_empty() && lines_[at_].indent == indent && !ends_document()) {
      const Line line = lines_[at_];
      const auto end = key_end(line.text);
      if (!end || is_item(line.text)) {
        fail("Here a key and a colon are wanted");
        break;
      }
      const std::string key = key_text(line.text.substr(0, *end));
      if (key == "<<") {
        fail("Merge keys (<<) are not read; write the members out");
      }
      if (members.contains(key)) {
        fail("The key \"" + json::excerpt(key, 40) + "\" is there twice");
      }
      if (error_) {
        break;
      }
      const std::string_view rest = line.text.substr(*end + 1);
      if (without_comment(rest).empty()) {
        ++at_;
        members[key] = below_key(indent, depth);
      } else {
        const std::size_t first = rest.find_first_not_of(" \t");
        members[key] = inline_value(rest.substr(first), indent, false, depth + 1);
      }
    }
    return members;
  }

  /// The value on the lines after `key:`; a list may stand at the key's own indent.
  json::Value below_key(std::size_t indent, std::size_t depth) {
    if (skip_empty() && lines_[at_].indent == indent && is_item(lines_[at_].text) &&
        !ends_document()) {
      return sequence(indent, depth + 1);
    }
    return block(indent + 1, depth + 1);
  }

  /// Where the colon of `key: …` is; empty when the line begins with no key.
  std::optional<std::size_t> key_end(std::string_view text) {
    std::size_t at = 0;
    if (text.starts_with('"') || text.starts_with('\'')) {
      if (!yaml_quoted(text, at)) {
        return std::nullopt;
      }
      while (at < text.size() && text[at] == ' ') {
        ++at;
      }
      return at < text.size() && text[at] == ':' ? std::optional(at) : std::nullopt;
    }
    if (text.starts_with('[') || text.starts_with('{') || text.starts_with('#')) {
      return std::nullopt;
    }
    for (at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
      if (at + 1 == text.size() || text[at + 1] == ' ' || text[at + 1] == '\t') {
        const std::size_t comment = text.find(" #");
        return comment < at ? std::nullopt : std::optional(at);
      }
    }
    return std::nullopt;
  }

  std::string key_text(std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('"') || text.starts_with('\'')) {
      std::size_t at = 0;
      auto inner = yaml_quoted(text, at);
      return inner ? inner.value() : std::string();
    }
    if (!text.empty() && std::string_view("&*!?|>%@`").find(text.front()) != std::string::npos) {
      refuse(text.front());
    }
    return std::string(text);
  }

  void refuse(char mark) {
    switch (mark) {
      case '&':
      case '*':
        fail("Anchors and aliases (& and *) are not read; write the values out");
        break;
      case '!':
        fail("Tags (!) are not read; leave them out");
        break;
      case '?':
        fail("Complex keys (?) are not read");
        break;
      default:
        fail(std::string("A value cannot begin with ") + mark + " unless it is quoted");
    }
  }

  /// A value whose first character is `rest`'s, on the line at_; `indent` is its parent's, and
  /// lines that are indented more belong to it.
  json::Value inline_value(std::string_view rest, std::size_t indent, bool top, std::size_t depth) {
    const char first = rest.front();
    if (first == '|' || first == '>') {
      return block_scalar(rest, indent, top);
    }
    if (first == '[' || first == '{' || first == '"' || first == '\'') {
      return spanning(rest, depth);
    }
    if (std::string_view("&*!%@`?,]}").find(first) != std::string::npos &&
        !(first == '?' && rest.size() > 1 && rest[1] != ' ')) {
      refuse(first);
      return nullptr;
    }
    return plain(rest, indent, top);
  }

  json::Value plain(std::string_view rest, std::size_t indent, bool top) {
    std::string text(without_comment(rest));
    if (text.find(": ") != std::string::npos || text.ends_with(':')) {
      fail("A value that holds a colon must be quoted");
      return nullptr;
    }
    const bool comment = text.size() != trimmed(rest).size();
    ++at_;
    bool several = false;
    while (!comment && at_ < lines_.size()) {
      std::size_t empty = 0;
      while (at_ + empty < lines_.size() && trimmed(lines_[at_ + empty].text).empty()) {
        ++empty;
      }
      const std::size_t next = at_ + empty;
      if (next >= lines_.size() || (lines_[next].indent <= indent && !top) ||
          lines_[next].text.starts_with('#') || ends_document(next)) {
        at_ = next;
        break;
      }
      if (key_end(lines_[next].text)) {
        at_ = next;
        fail("Here is a key, and the line above is already a value");
        return nullptr;
      }
      text += empty == 0 ? std::string(1, ' ') : std::string(empty, '\n');
      text += without_comment(lines_[next].text);
      several = true;
      at_ = next + 1;
    }
    return several ? json::Value(text) : yaml_scalar(text);
  }

  json::Value block_scalar(std::string_view header, std::size_t indent, bool top) {
    BlockStyle style;
    style.folded = header.front() == '>';
    for (const char c : without_comment(header.substr(1))) {
      if (c == '-' || c == '+') {
        style.chomp = c;
      } else if (c >= '1' && c <= '9' && style.indent == 0) {
        style.indent = static_cast<std::size_t>(c - '0');
      } else {
        fail("After | or > only +, - and one digit may stand");
        return nullptr;
      }
    }
    ++at_;
    std::size_t inner = style.indent == 0 ? 0 : indent + style.indent;
    std::string text;
    for (; at_ < lines_.size(); ++at_) {
      const std::string_view whole = lines_[at_].whole;
      const std::size_t own = std::min(whole.find_first_not_of(' '), whole.size());
      if (own == whole.size()) {
        text += inner != 0 && whole.size() > inner ? whole.substr(inner) : std::string_view();
        text += '\n';
        continue;
      }
      if ((own <= indent && !top) || (inner != 0 && own < inner)) {
        break;
      }
      inner = inner == 0 ? own : inner;
      text += whole.substr(inner);
      text += '\n';
      top = top && inner == 0;
    }
    return yaml_block(style, text);
  }

  /// A flow collection or a quoted scalar, which may go on over several lines.
  json::Value spanning(std::string_view rest, std::size_t depth) {
    const auto from = static_cast<std::size_t>(rest.data() - text_.data());
    std::size_t end = from;
    auto value = yaml_flow(text_, end, kDeepest - depth);
    // The line where it ended, or where it went wrong.
    const std::size_t first = at_;
    while (at_ + 1 < lines_.size() &&
           static_cast<std::size_t>(lines_[at_ + 1].whole.data() - text_.data()) <= end) {
      ++at_;
    }
    if (!value) {
      fail(value.error().message);
      return nullptr;
    }
    const std::size_t stop = std::min(text_.find('\n', end), text_.size());
    if (const auto more = without_comment(text_.substr(end, stop - end)); !more.empty()) {
      at_ = rest.starts_with('"') || rest.starts_with('\'') ? first : at_;
      fail("After a quoted or bracketed value comes more: " + json::excerpt(more, 30));
      return nullptr;
    }
    ++at_;
    return std::move(value.value());
  }

  std::string_view text_;
  std::string_view path_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<std::vector<json::Value>> read_yaml(std::string_view text, std::string_view path) {
  if (text.size() > kMostText) {
    return Error{"too_long", "The YAML text is over 4 MiB; no manifest is.", std::string(path)};
  }
  return Reader(text, path).run();
}

}  // namespace ridgepoint::command
