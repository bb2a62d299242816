#include "engine/trtllm/version.hpp"

#include <array>

#include "engine/python_version.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

constexpr std::array<std::string_view, 8> kCovered = {"0.17.0", "0.18.0", "0.19.0", "0.20.0",
                                                      "0.21.0", "1.0.0",  "1.1.0",  "1.2.0"};
constexpr std::uint32_t kOldest = 17;
constexpr std::uint32_t kNewestRelease = 1002;
constexpr std::uint32_t kNewestMeasured = 1003;  ///< as a release candidate
constexpr std::uint32_t kNewestRules = 1004;

}  // namespace

std::span<const std::string_view> covered_versions() { return kCovered; }

Result<Version> parse_version(std::string_view text) {
  if (text.empty()) {
    return Version{kNewestRelease, std::string(kCovered.back()), false};
  }
  const auto parsed = parse_python_version(text);
  if (!parsed) {
    return Error{
        "bad_version",
        worded({"\"", json::excerpt(text, 40),
                "\" is not a TensorRT-LLM version; write it like 1.2.0 or 1.3.0rc10 (covered: "
                "0.17.0 to 1.2.0)."}),
        "engine.version"};
  }
  if (parsed->major > 1) {
    return Version{kNewestRules, parsed->text, true};
  }
  const std::uint32_t number = parsed->major * 1000 + parsed->minor;
  if (number < kOldest) {
    return Error{"version_too_old",
                 worded({"TensorRT-LLM ", parsed->text,
                         " is older than the oldest version covered, 0.17.0."}),
                 "engine.version"};
  }
  if (number > kNewestMeasured) {
    return Version{kNewestRules, parsed->text, true};
  }
  const bool measured_candidate = parsed->development && number >= kNewestRelease;
  const bool release = !parsed->development && number <= kNewestRelease;
  return Version{number, parsed->text, !measured_candidate && !release};
}

std::string version_text(std::uint32_t number) {
  return worded({number / 1000, ".", number % 1000});
}

}  // namespace ridgepoint::engine::trtllm
