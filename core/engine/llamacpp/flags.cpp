#include "engine/llamacpp/flags.hpp"

#include "engine/llamacpp/version.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

#include "tables/llamacpp_flags.inc"

std::string version_text(std::uint32_t build) { return worded({"b", build}); }

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->build;
}

}  // namespace

const FlagTable& flags() {
  static const std::vector<FlagFacts> kFacts = read_flags(kFlags);
  static const FlagTable kTable{"llama.cpp", kFacts, version_text, version_number};
  return kTable;
}

}  // namespace ridgepoint::engine::llamacpp
