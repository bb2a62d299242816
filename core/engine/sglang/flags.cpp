#include "engine/sglang/flags.hpp"

#include "engine/sglang/version.hpp"

namespace ridgepoint::engine::sglang {
namespace {

#include "tables/sglang_flags.inc"

std::string version_text(std::uint32_t number) {
  return "0." + std::to_string(number / 1000) + "." + std::to_string(number % 1000);
}

Result<std::uint32_t> version_number(std::string_view text) {
  const auto version = parse_version(text);
  if (!version) {
    return version.error();
  }
  return version->number;
}

constexpr FlagTable kTable{"SGLang", kFlags, version_text, version_number};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::sglang
