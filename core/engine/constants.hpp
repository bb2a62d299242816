#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "estimate.hpp"

namespace ridgepoint::engine {

/// A number of an engine's rules that changes with the version, compiled from
/// core/data/<engine>_constants.json.
struct Constant {
  std::string_view name;
  std::uint32_t since;  ///< version as the engine numbers them, inclusive
  std::uint32_t until;
  double low;
  double best;
  double high;
  Basis basis;
  std::uint32_t starts;
  std::string_view source;  ///< the sentence of the data file
};

/// The constant of a version, or of the nearest one that has it. `name` must be in the table.
const Constant& find_constant(std::span<const Constant> table, std::string_view name,
                              std::uint32_t version);

/// The constant as an estimate of bytes, in units of `unit` bytes; what is below zero is zero.
Bytes in_bytes(const Constant& constant, double unit);

}  // namespace ridgepoint::engine
