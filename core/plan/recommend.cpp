#include "plan/recommend.hpp"

#include "plan/no_answer.hpp"
#include "plan/ranked_answers.hpp"

namespace ridgepoint::plan {

Result<Recommendation> recommend(const RecommendQuery& query) {
  auto result = ranked_answers(query);
  if (result && result->answers.empty()) {
    result.value().none = why_none(query, *result);
  }
  return result;
}

}  // namespace ridgepoint::plan
