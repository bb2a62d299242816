#pragma once

#include "plan/recommend.hpp"

namespace ridgepoint::plan {

/// `recommend` without the reasons of having no answer.
Result<Recommendation> ranked_answers(const RecommendQuery& query);

}  // namespace ridgepoint::plan
