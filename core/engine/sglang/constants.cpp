#include "engine/sglang/constants.hpp"

namespace ridgepoint::engine::sglang {
namespace {

#include "tables/sglang_constants.inc"

}  // namespace

const Constant& constant(std::string_view name, std::uint32_t number) {
  return find_constant(kConstants, name, number);
}

}  // namespace ridgepoint::engine::sglang
