#include "engine/vllm/flags.hpp"

#include "engine/vllm/version.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

#include "tables/vllm_flags.inc"

std::string version_text(std::uint32_t minor) { return worded({"0.", minor}); }

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->minor;
}

}  // namespace

const FlagTable& flags() {
  static const std::vector<FlagFacts> kFacts = read_flags(kFlags);
  static const FlagTable kTable{"vLLM", kFacts, version_text, version_number};
  return kTable;
}

}  // namespace ridgepoint::engine::vllm
