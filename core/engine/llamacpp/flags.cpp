#include "engine/llamacpp/flags.hpp"

#include "engine/llamacpp/version.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

#include "tables/llamacpp_flags.inc"

std::string version_text(std::uint32_t build) { return "b" + std::to_string(build); }

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->build;
}

constexpr FlagTable kTable{"llama.cpp", kFlags, version_text, version_number};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::llamacpp
