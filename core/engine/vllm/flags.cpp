#include "engine/vllm/flags.hpp"

namespace ridgepoint::engine::vllm {
namespace {

#include "tables/vllm_flags.inc"

std::string version_text(std::uint32_t minor) { return "0." + std::to_string(minor); }

constexpr FlagTable kTable{"vLLM", kFlags, version_text};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::vllm
