#include "engine/vllm/flags.hpp"

#include "engine/vllm/version.hpp"

namespace ridgepoint::engine::vllm {
namespace {

#include "tables/vllm_flags.inc"

std::string version_text(std::uint32_t minor) { return "0." + std::to_string(minor); }

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->minor;
}

constexpr FlagTable kTable{"vLLM", kFlags, version_text, version_number};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::vllm
