#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/tensors.hpp"
#include "plan/change.hpp"

namespace ridgepoint::plan {

/// Asks the engine what a change of a request would do, a bounded number of times.
class Asker {
 public:
  /// `request` must outlive this; `most` is how often the engine may be asked.
  Asker(const Request& request, std::size_t most);

  /// What the engine makes of the changed request, without its steps; nothing when it refuses the
  /// change as such (a flag that the version lacks, heads that do not divide) or when it may not be
  /// asked again.
  std::optional<engine::MemoryPlan> ask(const Change& change);

  /// Whether a question went unanswered because the number was used up.
  [[nodiscard]] bool exhausted() const { return exhausted_; }
  [[nodiscard]] std::size_t asked() const { return asked_; }

 private:
  void restore();

  const Request& request_;
  Request changed_;  ///< a copy that is put back before each question: models are large
  std::vector<model::Tensor> tensors_;
  std::size_t most_;
  std::size_t asked_ = 0;
  bool model_changed_ = false;
  bool exhausted_ = false;
};

}  // namespace ridgepoint::plan
