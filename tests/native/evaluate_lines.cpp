// Requests on standard input, a line each, to reports on standard output: the native twin of
// `ridgepoint batch`, for comparing the two builds and for timing.
//   evaluate_lines            answers each line
//   evaluate_lines --time N   answers each line N times and prints microseconds a call
//   evaluate_lines --ask Q    answers each line as the question Q of the library: scan, readCommand
//   …;
//                             a log is a line too, with its own lines parted by U+001E
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/api.hpp"

namespace {

void time_calls(const std::vector<std::string>& lines, long repeats) {
  using clock = std::chrono::steady_clock;
  std::size_t length = 0;
  for (const std::string& line : lines) {
    for (long i = 0; i < repeats / 10 + 1; ++i) {
      length += ridgepoint::api::evaluate(line).size();
    }
    const auto begin = clock::now();
    for (long i = 0; i < repeats; ++i) {
      length += ridgepoint::api::evaluate(line).size();
    }
    const std::chrono::duration<double, std::micro> spent = clock::now() - begin;
    std::cout << spent.count() / static_cast<double>(repeats) << "\n";
  }
  if (length == 0) {
    std::cerr << "no output\n";
  }
}

std::string read_log(std::string_view line) {
  std::string log(line);
  std::replace(log.begin(), log.end(), '\x1e', '\n');
  return ridgepoint::api::read_log(log, "");
}

using Question = std::string (*)(std::string_view);

Question question(std::string_view name) {
  constexpr std::pair<std::string_view, Question> kQuestions[] = {
      {"scan", ridgepoint::api::scan},
      {"recommend", ridgepoint::api::recommend},
      {"compare", ridgepoint::api::compare},
      {"advise", ridgepoint::api::advise},
      {"explain", ridgepoint::api::explain},
      {"readCommand", ridgepoint::api::read_command},
      {"writeCommand", ridgepoint::api::write_command},
      {"exportAnswer", ridgepoint::api::export_answer},
      {"readLog", read_log},
  };
  for (const auto& [known, answer] : kQuestions) {
    if (known == name) {
      return answer;
    }
  }
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const bool asks = argc == 3 && std::string_view(argv[1]) == "--ask";
  const Question answer = asks ? question(argv[2]) : ridgepoint::api::evaluate;
  if (answer == nullptr) {
    std::cerr << "no such question: " << argv[2] << "\n";
    return 2;
  }
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) {
    if (argc == 1 || asks) {
      std::cout << answer(line) << '\n';
    } else {
      lines.push_back(line);
    }
  }
  if (argc == 3 && std::string_view(argv[1]) == "--time") {
    time_calls(lines, std::strtol(argv[2], nullptr, 10));
  }
  return 0;
}
