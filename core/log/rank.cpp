#include "log/rank.hpp"

#include <algorithm>
#include <cstddef>
#include <initializer_list>

namespace ridgepoint::log {
namespace {

constexpr std::size_t kTagWindow = 256;  ///< how far into a line a tag is looked for
constexpr std::size_t kMostLabel = 48;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

std::string_view digits(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && end < 9 && is_digit(text[end])) {
    ++end;
  }
  return text.substr(0, end);
}

/// Words such as "DP1", "TP0", "EP3" with `separator` between them, at the front of `text`.
std::string coordinates(std::string_view text, char separator) {
  std::string label;
  while (text.size() >= 3 && is_upper(text[0]) && is_upper(text[1]) && label.size() < kMostLabel) {
    std::size_t letters = 2;
    while (letters < text.size() && letters < 5 && is_upper(text[letters])) {
      ++letters;
    }
    const std::string_view number = digits(text.substr(letters));
    if (number.empty()) {
      break;
    }
    label += (label.empty() ? "" : " ") + std::string(text.substr(0, letters + number.size()));
    text.remove_prefix(letters + number.size());
    if (text.empty() || text.front() != separator) {
      break;
    }
    text.remove_prefix(1);
  }
  return label;
}

/// What follows the first of `text`'s occurrences of `tag`; null data when there is none.
std::string_view after(std::string_view text, std::string_view tag) {
  const std::size_t at = text.find(tag);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + tag.size());
}

/// "(Worker_DP0_TP1 pid=7)", "(VllmWorker rank=1 pid=7)", "(VllmWorkerProcess pid=7)".
std::string process_tag(std::string_view line) {
  for (const std::string_view name : {"(Worker_", "(EngineCore_", "(VllmWorker_", "(Worker-"}) {
    const std::string_view rest = after(line, name);
    if (rest.data() == nullptr) {
      continue;
    }
    if (std::string label = coordinates(rest, '_'); !label.empty()) {
      return label;
    }
    if (const std::string_view number = digits(rest); !number.empty()) {
      return name == "(EngineCore_" ? "DP" + std::string(number) : "rank " + std::string(number);
    }
  }
  if (const auto number = digits(after(line, "(VllmWorker rank=")); !number.empty()) {
    return "rank " + std::string(number);
  }
  for (const std::string_view name : {"(VllmWorkerProcess pid=", "(RayWorkerWrapper pid=",
                                      "(RayWorkerVllm pid=", "(Worker pid="}) {
    if (const auto number = digits(after(line, name)); !number.empty()) {
      return name == "(Worker pid=" ? std::string() : "pid " + std::string(number);
    }
  }
  return {};
}

/// "[2025-03-14 09:20:11 DP1 TP3]", "[TP0]", "[09:20:11 TP1]".
std::string bracket_tag(std::string_view line) {
  std::size_t at = 0;
  for (int tries = 0; tries < 4; ++tries) {
    at = line.find('[', at);
    if (at == std::string_view::npos) {
      return {};
    }
    std::string_view inside = line.substr(at + 1);
    inside = inside.substr(0, std::min(inside.find(']'), std::min<std::size_t>(inside.size(), 64)));
    std::string label = coordinates(inside, ' ');
    for (std::size_t i = 0; label.empty() && i < inside.size(); ++i) {
      if (inside[i] == ' ') {
        label = coordinates(inside.substr(i + 1), ' ');
      }
    }
    if (!label.empty()) {
      return label;
    }
    ++at;
  }
  return {};
}

/// "[RANK 0]", "[rank 1]", "[rank0]:", "[1,3]<stdout>:" of MPI.
std::string numbered_tag(std::string_view line) {
  for (const std::string_view name : {"[RANK ", "[rank ", "[Rank ", "[rank", "[1,"}) {
    const std::string_view rest = after(line, name);
    const std::string_view number = digits(rest);
    if (!number.empty() && rest.size() > number.size() && rest[number.size()] == ']') {
      return "rank " + std::string(number);
    }
  }
  return {};
}

}  // namespace

std::string rank_of(std::string_view line) {
  line = line.substr(0, kTagWindow);
  std::string label = process_tag(line);
  if (label.empty()) {
    label = bracket_tag(line);
  }
  return label.empty() ? numbered_tag(line) : label;
}

bool starts_entry(std::string_view line) {
  constexpr std::size_t kLevelWindow = 100;  // a container's or a journal's prefix comes before
  while (!line.empty() && line.front() == ' ') {
    line.remove_prefix(1);
  }
  for (const std::string_view word :
       {"Traceback", "Loading ", "Capturing ", "Process ", "usage:", "[rank", "{\"log\"", "(Worker",
        "(EngineCore", "(APIServer", "(VllmWorker", "(RayWorker"}) {
    if (line.starts_with(word)) {
      return true;
    }
  }
  const std::string_view head = line.substr(0, kLevelWindow);
  for (const std::string_view level :
       {"INFO ", "INFO:", "WARNING ", "ERROR ", "DEBUG ", "[TRT-LLM]", "[TensorRT-LLM]"}) {
    if (head.find(level) != std::string_view::npos) {
      return true;
    }
  }
  const bool bracket = !line.empty() && line.front() == '[';
  const std::string_view stamp = bracket ? line.substr(1) : line;
  // A date or a time: 2026-01-31, 01/31/2026, 09:20:11.
  const std::size_t first = digits(stamp).size();
  if ((first != 4 && first != 2) || stamp.size() < first + 3) {
    return false;
  }
  const char mark = stamp[first];
  return (mark == '-' || mark == '/' || mark == ':') && is_digit(stamp[first + 1]) &&
         is_digit(stamp[first + 2]);
}

}  // namespace ridgepoint::log
