#include "engine/sglang/version.hpp"

#include <algorithm>
#include <array>

#include "engine/python_version.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

constexpr std::array<std::string_view, 29> kCovered = {
    "0.4.0",  "0.4.1",  "0.4.2",  "0.4.3",  "0.4.4", "0.4.5",  "0.4.6",  "0.4.7",
    "0.4.8",  "0.4.9",  "0.4.10", "0.5.0",  "0.5.1", "0.5.2",  "0.5.3",  "0.5.4",
    "0.5.5",  "0.5.6",  "0.5.7",  "0.5.8",  "0.5.9", "0.5.10", "0.5.11", "0.5.12",
    "0.5.13", "0.5.14", "0.5.15", "0.5.16", "0.5.17"};

constexpr std::uint32_t kOldest = 4000;
constexpr std::uint32_t kNewest = 5017;
constexpr std::uint32_t kLastOfMinor4 = 4010;

Error bad_version(std::string_view text) {
  return Error{"bad_version",
               worded({"\"", json::excerpt(text, 40),
                       "\" is not an SGLang version; write it like 0.5.17 (covered: 0.4.0 to ",
                       kCovered.back(), ")."}),
               "engine.version"};
}

}  // namespace

std::span<const std::string_view> covered_versions() { return kCovered; }

Result<Version> parse_version(std::string_view text) {
  if (text.empty()) {
    return Version{kNewest, std::string(kCovered.back()), false};
  }
  const auto parsed = parse_python_version(text);
  if (!parsed) {
    return bad_version(text);
  }
  // Builds from the main branch without tags call themselves 0.0.0.devN.
  const bool untagged = parsed->major == 0 && parsed->minor == 0 && parsed->development;
  const std::uint32_t patch = parsed->patch.value_or(0);
  if (parsed->major > 0 || parsed->minor > 5 || untagged || (parsed->minor == 5 && patch > 17)) {
    return Version{kNewest, parsed->text, true};
  }
  if (parsed->minor < 4) {
    return Error{
        "version_too_old",
        worded({"SGLang ", parsed->text, " is older than the oldest version covered, 0.4.0."}),
        "engine.version"};
  }
  const std::uint32_t number = parsed->minor * 1000 + std::min<std::uint32_t>(patch, 999);
  if (parsed->minor == 4 && number > kLastOfMinor4) {
    return bad_version(text);
  }
  return Version{std::max(number, kOldest), parsed->text, parsed->development};
}

}  // namespace ridgepoint::engine::sglang
