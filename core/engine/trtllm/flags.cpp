#include "engine/trtllm/flags.hpp"

#include "engine/trtllm/version.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

#include "tables/trtllm_flags.inc"

constexpr FlagTable kTable{"TensorRT-LLM", kFlags, version_text};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::trtllm
