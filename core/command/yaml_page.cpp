#include "command/yaml_page.hpp"

#include <algorithm>

#include "command/quote.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostComment = 600;

}  // namespace

void Page::line(std::size_t level, std::string_view text) {
  text_ += std::string(2 * level, ' ') + std::string(text) + "\n";
}

void Page::comment(std::size_t level, std::string_view text) {
  text_ += comment_lines(comment_text(text, kMostComment), std::string(2 * level, ' ') + "# ", 0);
}

void Page::entry(std::size_t level, std::string_view key, std::string_view value) {
  line(level, std::string(key) + ": " + quoted_for_yaml(value, true));
}

void Page::item(std::size_t level, std::string_view value) {
  line(level, "- " + quoted_for_yaml(value, true));
}

void Page::block(std::size_t level, std::string_view text, bool double_dollars) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string content;
    for (const char c : text.substr(0, end)) {
      content += double_dollars && c == '$' ? "$" : "";
      content += c;
    }
    line(level, content);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void write_arguments(Page& page, const Sheet& sheet, std::size_t level) {
  const bool equals = sheet.setup.request.engine->name != "llamacpp";
  for (const Line& line : command_lines(sheet, kOptionsInside)) {
    if (line.why != nullptr && !line.why->why.empty()) {
      page.comment(level, line.why->why);
    }
    const bool joined = equals && line.words.size() == 2 && line.words[0].starts_with("--");
    if (joined) {
      page.item(level, line.words[0] + "=" + line.words[1]);
      continue;
    }
    for (const std::string& word : line.words) {
      page.item(level, word);
    }
  }
}

std::uint64_t cards(const Sheet& sheet) { return sheet.setup.request.gpu_count.value_or(1); }

bool wants_token(const Sheet& sheet) {
  const auto all = mounts(sheet);
  return std::any_of(all.begin(), all.end(), [](const Mount& m) { return m.home; }) &&
         std::none_of(sheet.line.env.begin(), sheet.line.env.end(),
                      [](const auto& entry) { return entry.first == "HF_TOKEN"; });
}

}  // namespace ridgepoint::command
