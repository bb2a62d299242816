#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/simulation_answer.hpp"
#include "json/fields.hpp"
#include "serve/capacity.hpp"

namespace ridgepoint::api {

struct CapacityParts {
  const serve::Capacity& capacity;
  const std::string& id;
  const json::Value& request;            ///< that changes are put into
  std::optional<double> price_per_card;  ///< and hour
  std::optional<std::string_view> currency;
  std::vector<std::string> assumptions;
};

/// The answer to a capacity question as JSON text.
std::string write_capacity(const CapacityParts& parts);

/// What an answer says of a setup that a load ran on.
SimulationAnswer setup_answer(const serve::Deployment& deployment, const simulate::Outcome& outcome,
                              const std::string& id, std::optional<double> price_per_card,
                              std::vector<std::string> assumptions);

/// What a million output tokens cost at that many a second; empty without a price or a token.
std::optional<double> cost_per_million(std::optional<double> price_per_hour,
                                       double output_tokens_per_s);

}  // namespace ridgepoint::api
