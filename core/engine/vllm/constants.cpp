#include "engine/vllm/constants.hpp"

#include <algorithm>
#include <iterator>

#include "engine/vllm/encoder.hpp"

namespace ridgepoint::engine::vllm {
namespace {

#include "tables/vllm_constants.inc"

}  // namespace

const Constant& constant(std::string_view name, std::uint32_t minor) {
  return find_constant(kConstants, name, minor);
}

const MediaFacts* media_facts(std::string_view architecture) {
  const auto* found =
      std::find_if(std::begin(kMedia), std::end(kMedia),
                   [&](const MediaFacts& facts) { return facts.architecture == architecture; });
  return found == std::end(kMedia) ? nullptr : found;
}

const BatchDefaults& batch_defaults(const hardware::Device& device, const Version& version) {
  const std::uint32_t number = 100 * version.minor + std::min<std::uint32_t>(version.patch, 99);
  const bool hopper = device.name.find("H100") != std::string::npos ||
                      device.name.find("H200") != std::string::npos;
  const std::uint64_t driver_bytes =
      device.driver_total_bytes != 0 ? device.driver_total_bytes : device.total_bytes;
  const bool a100 = device.name.find("A100") != std::string::npos;
  const auto* found = std::find_if(
      std::begin(kBatchDefaults), std::end(kBatchDefaults), [&](const BatchDefaults& row) {
        return row.since <= number && number <= row.until && driver_bytes >= row.least_bytes &&
               !(row.not_a100 && a100) && !(row.hopper_only && !hopper);
      });
  return found == std::end(kBatchDefaults) ? *std::prev(std::end(kBatchDefaults)) : *found;
}

}  // namespace ridgepoint::engine::vllm
