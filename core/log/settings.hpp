#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ridgepoint::log {

struct Nothing {};

/// Python source that is none of the plain values, as it stands: a list, a dictionary, a call.
struct Source {
  std::string text;
};

struct Setting {
  std::string name;
  std::variant<Nothing, bool, std::int64_t, double, std::string, Source> value;
};

/// Settings as Python prints them: "tp_size=2, model='org/name', quantization=None" or
/// "'tp_size': 2". `text` may begin and end with the bracket about them. Reads to the end of the
/// list or the text; at most a few hundred settings, and no value longer than a few thousand
/// characters.
std::vector<Setting> read_settings(std::string_view text);

/// How many brackets of `text` are open at its end, quotes aside; negative when one more closes.
int open_brackets(std::string_view text);

/// A Python dictionary, list or value as JSON text; empty where it is more than literals.
std::string python_as_json(std::string_view source);

}  // namespace ridgepoint::log
