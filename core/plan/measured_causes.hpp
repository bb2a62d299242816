#pragma once

#include <string>
#include <vector>

#include "plan/measured.hpp"

namespace ridgepoint::plan {

/// Why a start differs from its prediction, by rules.
class Causes {
 public:
  Causes(const Request& request, const Report& predicted, const engine::StartLog& log,
         const std::vector<ComparedTerm>& terms);

  /// Of a term outside its range; "cause unknown" where no rule holds.
  [[nodiscard]] std::string of(const ComparedTerm& term) const;

  /// What holds for the start as a whole.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  [[nodiscard]] std::string weights(const ComparedTerm& term) const;
  [[nodiscard]] std::string activation(const ComparedTerm& term) const;
  [[nodiscard]] std::string graphs(const ComparedTerm& term) const;
  [[nodiscard]] std::string pool(const ComparedTerm& term) const;
  [[nodiscard]] std::string tokens(const ComparedTerm& term) const;
  [[nodiscard]] std::string outside(const ComparedTerm& term) const;

  [[nodiscard]] std::string step_difference() const;
  [[nodiscard]] const ComparedTerm* find(std::string_view term) const;
  [[nodiscard]] bool setup_differs() const { return !differences_.empty(); }
  [[nodiscard]] std::uint64_t embedding_bytes() const;
  [[nodiscard]] std::string worst_term() const;
  void add_refusal(std::vector<std::string>& out) const;
  void add_graphs(std::vector<std::string>& out) const;

  const Request& request_;
  const Report& predicted_;
  const engine::StartLog& log_;
  const std::vector<ComparedTerm>& terms_;
  std::vector<std::string> differences_;
};

/// What other processes hold of the card before the engine counts, in bytes: what is missing of the
/// total beyond what a driver's context and the links of several GPUs take. 0: nothing to speak of.
std::uint64_t held_by_others(const engine::StartLog& log);

/// "+1.250 GiB", "-0.310 GiB".
std::string signed_gib(double bytes);

}  // namespace ridgepoint::plan
