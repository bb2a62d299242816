#pragma once

#include <string>
#include <vector>

#include "plan/fit.hpp"

namespace ridgepoint::command {

/// Flags in one spelling: the table's names in the table's order, values by the flag's type (a
/// number for "8k", true for "True", compact JSON for JSON text, "[1,2,4]" for a list), a negative
/// turned round (`no-x` is `x` false), options of a JSON object or file spread out. Two requests
/// mean the same when these are equal. A value that is not of its flag's type stays as it is; the
/// engine says what is wrong with it. Errors: those of trtllm::spread_options, and `unknown_flag`.
Result<std::vector<engine::FlagValue>> normal_args(const engine::Engine& engine,
                                                   const std::vector<engine::FlagValue>& args);

/// Whether a value is the default that the table names; false where the table's default depends on
/// the card, the model or the version.
bool is_table_default(const engine::FlagFacts& facts, const engine::FlagValue& flag);

/// A value as one word of a command line: "true", "8192", "0.9", the text itself.
std::string value_word(const engine::FlagValue& flag);

/// The text of a list's items where the value is a list: "[1,2,4]" or "[\"a\",\"b\"]". Empty when
/// it is none, or when an item is a list or an object.
std::vector<std::string> list_items(const engine::FlagValue& flag);

}  // namespace ridgepoint::command
