#include "engine/step_list.hpp"

#include "wording.hpp"

namespace ridgepoint::engine {

void StepList::add(std::string term, std::string formula, std::string numbers, double value,
                   std::string_view unit, std::string_view source) {
  Step step;
  step.term = std::move(term);
  step.formula = std::move(formula);
  step.with_numbers = std::move(numbers);
  step.value = value;
  step.unit = unit;
  step.source = std::string(source);
  steps_.push_back(std::move(step));
}

void StepList::add_whole(std::string term, std::string formula, std::string numbers,
                         std::uint64_t value, std::string_view unit, std::string_view source) {
  add(std::move(term), std::move(formula), std::move(numbers), static_cast<double>(value), unit,
      source);
}

void StepList::add_bytes(std::string term, std::string formula, std::string numbers,
                         std::uint64_t value, std::string_view source) {
  add_whole(std::move(term), std::move(formula), std::move(numbers), value, "bytes", source);
}

bool StepList::add_measured(std::string_view term, const std::optional<std::uint64_t>& bytes) {
  if (bytes) {
    add_bytes(std::string(term), "as measured", in_gib(*bytes), *bytes, "given with the request");
  }
  return bytes.has_value();
}

}  // namespace ridgepoint::engine
