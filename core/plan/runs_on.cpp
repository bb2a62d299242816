#include "plan/runs_on.hpp"

#include <cstdint>

#include "engine/python_version.hpp"

namespace ridgepoint::plan {
namespace {

/// 10 x major + minor.
std::uint32_t least_capability(const Request& request) {
  const std::string_view name = request.engine->name;
  if (name == "vllm") {
    constexpr std::uint32_t kWithoutVolta = 21;
    const auto version = engine::parse_python_version(request.engine_version);
    return !version || version->major > 0 || version->minor >= kWithoutVolta ? 75 : 70;
  }
  if (name == "sglang") {
    return 75;
  }
  return name == "trtllm" ? 80 : 0;
}

bool amd_is_covered(const Request& request) {
  const std::string& architecture = request.device.architecture;
  if (request.engine->name == "sglang") {
    return architecture == "cdna3" || architecture == "cdna4";
  }
  return request.engine->name != "vllm" || architecture != "cdna1";
}

}  // namespace

std::string not_published_for(const Request& request) {
  const hardware::Device& device = request.device;
  const std::string title(request.engine->title);
  if (device.vendor == "nvidia" && device.compute_capability != 0) {
    const std::uint32_t least = least_capability(request);
    if (device.compute_capability < least) {
      return title + " needs compute capability " + std::to_string(least / 10) + "." +
             std::to_string(least % 10) + " or newer.";
    }
  }
  if (device.vendor == "amd" && !amd_is_covered(request)) {
    return title + " is not published for this generation of AMD cards.";
  }
  return {};
}

}  // namespace ridgepoint::plan
