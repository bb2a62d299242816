#pragma once

#include <cstdint>
#include <string>

namespace ridgepoint {

/// "14.958 GiB", three decimals; whole bytes below 1 MiB.
std::string in_gib(std::uint64_t bytes);

/// "131,072".
std::string grouped(std::uint64_t number);

/// A ratio with up to three decimals and no trailing zeros: "0.92", "12.8", "1".
std::string decimal(double value);

}  // namespace ridgepoint
