#include "plan/compare.hpp"

#include "plan/compare_text.hpp"

namespace ridgepoint::plan {

Comparison compare(const Setup& from, const Setup& to, const std::string& from_label,
                   const std::string& to_label) {
  Comparison comparison;
  comparison.pool = pool_differences(from, to);
  comparison.requests = request_differences(from, to, comparison.pool);
  comparison.changes = change_path(from, to);
  comparison.text = comparison_text(from, to, from_label, to_label, comparison);
  return comparison;
}

}  // namespace ridgepoint::plan
