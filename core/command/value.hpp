#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engine/flags.hpp"
#include "json/fields.hpp"

namespace ridgepoint::command {

/// A value as a request holds it. Lists and objects are JSON text.
struct Value {
  std::variant<bool, std::int64_t, double, std::string> scalar = false;
  bool structured = false;  ///< the text is JSON: a list or an object
};

/// The text of a flag's value as the flag's type reads it; what does not have that type stays text,
/// so that what is wrong with it can be told. Whole numbers may end in k, m, g, t (thousands) or K,
/// M, G, T (1,024s).
Value typed_value(std::string_view text, engine::FlagType type);

Value value_of(const json::Value& tree);
json::Value tree_of(const Value& value);

/// For messages: quotes around text, numbers as they are, at most 60 characters.
std::string shown(const Value& value);

}  // namespace ridgepoint::command
