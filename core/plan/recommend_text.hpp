#pragma once

#include <string>

#include "plan/recommend.hpp"

namespace ridgepoint::plan {

/// "2 x H100 SXM5 80GB with vLLM 0.29.0, fp8 weights", for people.
std::string describe_setup(const Answer& answer, const Request& request);

/// Why this setup: what it holds, and that with fewer changes as many cards do not.
std::string reason_of(const Answer& answer, const Request& request, const Load& load);

/// "H100 holds 12 of the 32 requests", "… takes 0.09 s a token": how far what came closest is from
/// the load.
std::string shortfall_of(const Answer& nearest, const Request& request, const Load& load);

}  // namespace ridgepoint::plan
