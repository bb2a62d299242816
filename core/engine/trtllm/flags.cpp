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

}  // namespace

const FlagTable& flags() {
  static const std::vector<FlagFacts> kFacts = read_flags(kFlags);
  static const FlagTable kTable{"TensorRT-LLM", kFacts, version_text, version_number};
  return kTable;
}

}  // namespace ridgepoint::engine::trtllm
