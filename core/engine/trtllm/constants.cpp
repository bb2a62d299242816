#include "engine/trtllm/constants.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

#include "tables/trtllm_constants.inc"

}  // namespace

const Constant& constant(std::string_view name, std::uint32_t version) {
  return find_constant(kConstants, name, version);
}

}  // namespace ridgepoint::engine::trtllm
