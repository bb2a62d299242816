#include "engine/vllm/constants.hpp"

#include <algorithm>
#include <iterator>

namespace ridgepoint::engine::vllm {
namespace {

#include "tables/vllm_constants.inc"

}  // namespace

const Constant& constant(std::string_view name, std::uint32_t minor) {
  return find_constant(kConstants, name, minor);
}

const BatchDefaults& batch_defaults(const hardware::Device& device, std::uint32_t minor) {
  const std::uint64_t driver_bytes =
      device.driver_total_bytes != 0 ? device.driver_total_bytes : device.total_bytes;
  const bool a100 = device.name.find("A100") != std::string::npos;
  const auto* found = std::find_if(
      std::begin(kBatchDefaults), std::end(kBatchDefaults), [&](const BatchDefaults& row) {
        return row.since <= minor && minor <= row.until && driver_bytes >= row.least_bytes &&
               !(row.not_a100 && a100);
      });
  return found == std::end(kBatchDefaults) ? *std::prev(std::end(kBatchDefaults)) : *found;
}

}  // namespace ridgepoint::engine::vllm
