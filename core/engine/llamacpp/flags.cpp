#include "engine/llamacpp/flags.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

#include "tables/llamacpp_flags.inc"

std::string version_text(std::uint32_t build) { return "b" + std::to_string(build); }

constexpr FlagTable kTable{"llama.cpp", kFlags, version_text};

}  // namespace

const FlagTable& flags() { return kTable; }

}  // namespace ridgepoint::engine::llamacpp
