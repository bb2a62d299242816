#include "engine/sglang/flags.hpp"

#include "engine/sglang/version.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

#include "tables/sglang_flags.inc"

std::string version_text(std::uint32_t number) {
  return worded({"0.", number / 1000, ".", number % 1000});
}

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
  static const FlagTable kTable{"SGLang", kFacts, version_text, version_number};
  return kTable;
}

}  // namespace ridgepoint::engine::sglang
