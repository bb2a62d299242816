#include "engine/constants.hpp"

#include "estimate_sums.hpp"

namespace ridgepoint::engine {
namespace {

std::uint32_t distance(const Constant& c, std::uint32_t version) {
  if (version < c.since) {
    return c.since - version;
  }
  return version > c.until ? version - c.until : 0;
}

}  // namespace

const Constant& find_constant(std::span<const Constant> table, std::string_view name,
                              std::uint32_t version) {
  const Constant* nearest = nullptr;
  for (const Constant& c : table) {
    if (c.name == name &&
        (nearest == nullptr || distance(c, version) < distance(*nearest, version))) {
      nearest = &c;
    }
  }
  return nearest == nullptr ? table.front() : *nearest;
}

Bytes in_bytes(const Constant& constant, double unit) {
  return {to_bytes(constant.low * unit), to_bytes(constant.best * unit),
          to_bytes(constant.high * unit), constant.basis, constant.starts};
}

}  // namespace ridgepoint::engine
