#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json/fields.hpp"
#include "load/load.hpp"
#include "result.hpp"
#include "simulate/tally.hpp"

namespace ridgepoint::api {

/// The member `load` of a query, read.
struct LoadQuery {
  load::Load load;
  std::vector<std::string> notes;  ///< what was assumed, in sentences
};

/// Lengths of the request that the load is for, in tokens.
struct UsualLengths {
  std::optional<std::uint64_t> prompt;
  std::optional<std::uint64_t> output;
};

/// Reads the object of the contract, and checks it (load::check). `value` null: it is missing.
/// Errors: `missing_field`, `unknown_field`, `bad_value`, `unknown_preset`, `too_many_requests`,
/// `empty_trace`, `bad_trace`, with paths such as load.arrivals.rate.
Result<LoadQuery> read_load(const json::Value* value, const UsualLengths& usual);

/// Reads the member `slo`; null: nothing is wished for. Errors: `unknown_field`, `bad_value`.
Result<simulate::Slo> read_slo(const json::Value* value);

}  // namespace ridgepoint::api
