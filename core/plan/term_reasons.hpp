#pragma once

#include <string>
#include <string_view>

#include "plan/pool_terms.hpp"

namespace ridgepoint::plan {

/// Why a term of the pool differs between two setups, a clause without a full stop; empty when
/// nothing that it is known to follow differs.
std::string why_pool_term(std::string_view term, const Setup& from, const Setup& to);

/// Why one request takes another number of bytes of a GPU's pool.
std::string why_geometry(const Setup& from, const Setup& to);

/// What a rule does to the requests of either.
std::string why_rule(std::string_view term, const Setup& from, const Setup& to);

}  // namespace ridgepoint::plan
