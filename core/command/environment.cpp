#include "command/environment.hpp"

#include <cstddef>

namespace ridgepoint::command {
namespace {

#include "tables/environment.inc"

}  // namespace

const VariableFacts* find_variable(std::string_view name, std::string_view engine) {
  const VariableFacts* best = nullptr;
  std::size_t length = 0;
  for (const VariableFacts& facts : kVariables) {
    if (!facts.engine.empty() && facts.engine != engine) {
      continue;
    }
    if (facts.name == name) {
      return &facts;
    }
    const std::string_view front = facts.name.substr(0, facts.name.size() - 1);
    if (facts.name.ends_with('*') && name.starts_with(front) && facts.name.size() > length) {
      best = &facts;
      length = facts.name.size();
    }
  }
  return best;
}

}  // namespace ridgepoint::command
