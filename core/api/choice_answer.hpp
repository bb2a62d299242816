#pragma once

#include <string>
#include <vector>

#include "api/recommend_query.hpp"
#include "serve/choose.hpp"

namespace ridgepoint::api {

/// The answer to a recommend question with wishes under a load, as JSON text; of one that is not
/// done, what was found so far. `assumed` is what was assumed of the load, in sentences.
std::string write_choice(const serve::Choosing& choosing, const RecommendRead& read,
                         const std::vector<std::string>& assumed, const std::string& id);

}  // namespace ridgepoint::api
