// Requests on standard input, a line each, to reports on standard output: the native twin of
// `ridgepoint batch`, for comparing the two builds and for timing.
//   evaluate_lines            answers each line
//   evaluate_lines --time N   answers each line N times and prints microseconds a call
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
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

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) {
    if (argc == 1) {
      std::cout << ridgepoint::api::evaluate(line) << '\n';
    } else {
      lines.push_back(line);
    }
  }
  if (argc == 3 && std::string_view(argv[1]) == "--time") {
    time_calls(lines, std::strtol(argv[2], nullptr, 10));
  }
  return 0;
}
