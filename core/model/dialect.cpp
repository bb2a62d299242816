#include "model/dialect.hpp"

#include <algorithm>

namespace ridgepoint::model {

#include "tables/dialects.inc"

namespace {

const Dialect* find(std::span<const std::string_view> Dialect::*names, std::string_view name) {
  for (const Dialect* dialect : kDialects) {
    const auto& list = dialect->*names;
    if (std::find(list.begin(), list.end(), name) != list.end()) {
      return dialect;
    }
  }
  return nullptr;
}

}  // namespace

std::span<const Dialect* const> dialects() { return kDialects; }

bool all_dialects_here() { return kAllDialects; }

const Dialect* dialect_of_architecture(std::string_view architecture) {
  return find(&Dialect::architectures, architecture);
}

const Dialect* dialect_of_model_type(std::string_view model_type) {
  return find(&Dialect::model_types, model_type);
}

void read_by(const Dialect& dialect, json::Fields& config, ModelSpec& spec) {
  if (dialect.read != nullptr) {
    dialect.read(config, spec);
  } else {
    read_decoder(config, *dialect.profile, spec);
  }
}

}  // namespace ridgepoint::model
