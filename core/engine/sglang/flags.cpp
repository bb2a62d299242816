#include "engine/sglang/flags.hpp"

namespace ridgepoint::engine::sglang {
namespace {

#include "tables/sglang_flags.inc"

std::string version_text(std::uint32_t number) {
  return "0." + std::to_string(number / 1000) + "." + std::to_string(number % 1000);
}

constexpr FlagTable kTable{"SGLang", kFlags, version_text};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::sglang
