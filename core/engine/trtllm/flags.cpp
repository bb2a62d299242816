#include "engine/trtllm/flags.hpp"

#include "engine/trtllm/version.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

#include "tables/trtllm_flags.inc"

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->number;
}

constexpr FlagTable kTable{"TensorRT-LLM", kFlags, version_text, version_number};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::trtllm
