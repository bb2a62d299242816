#include "engine/llamacpp/constants.hpp"

#include <string>

#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

#include "tables/llamacpp_constants.inc"

}  // namespace

const Constant& constant(std::string_view name, std::uint32_t build) {
  return find_constant(kConstants, name, build);
}

bool has_rule(std::string_view name, std::uint32_t build) {
  return static_cast<double>(build) >= constant(worded({"since_", name}), build).best;
}

}  // namespace ridgepoint::engine::llamacpp
