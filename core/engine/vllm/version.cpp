#include "engine/vllm/version.hpp"

#include <iterator>

#include "engine/python_version.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::string_view kCovered[] = {
    "0.6.0",  "0.6.3",  "0.6.4",  "0.6.5",  "0.6.6",  "0.7.0",  "0.7.3",  "0.8.0",  "0.8.3",
    "0.8.4",  "0.8.5",  "0.9.0",  "0.9.1",  "0.9.2",  "0.10.0", "0.10.1", "0.10.2", "0.11.0",
    "0.12.0", "0.13.0", "0.14.0", "0.15.0", "0.16.0", "0.17.0", "0.18.0", "0.19.0", "0.20.0",
    "0.21.0", "0.22.0", "0.23.0", "0.24.0", "0.25.0", "0.26.0", "0.27.0", "0.28.0", "0.29.0"};

constexpr std::uint32_t kNewestMinor = 29;
constexpr std::uint32_t kOldestMinor = 6;

Error bad_version(std::string_view text) {
  return Error{"bad_version",
               worded({"\"", json::excerpt(text, 40),
                       "\" is not a vLLM version; write it like 0.28.0 (covered: 0.6.0 to ",
                       std::end(kCovered)[-1], ")."}),
               "engine.version"};
}

}  // namespace

std::span<const std::string_view> covered_versions() { return kCovered; }

Result<Version> parse_version(std::string_view text) {
  if (text.empty()) {
    return Version{kNewestMinor, 0, std::string(std::end(kCovered)[-1]), false};
  }
  const auto parsed = parse_python_version(text);
  if (!parsed) {
    return bad_version(text);
  }
  // Builds from the main branch without tags call themselves 0.1.devN.
  const bool untagged = parsed->major == 0 && parsed->minor == 1 && parsed->development;
  if (parsed->major > 0 || parsed->minor > kNewestMinor || untagged) {
    return Version{kNewestMinor, 0, parsed->text, true};
  }
  if (parsed->minor < kOldestMinor) {
    return Error{"version_too_old",
                 worded({"vLLM ", parsed->text, " is older than the oldest version covered, ",
                         kCovered[0], "."}),
                 "engine.version"};
  }
  return Version{parsed->minor, parsed->patch.value_or(0), parsed->text, parsed->development,
                 !parsed->patch.has_value()};
}

}  // namespace ridgepoint::engine::vllm
