#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace ridgepoint::json {

/// Reads JSON text (RFC 8259, and nothing beyond it) into `value`; false when it is not. Of members
/// of the same name the last counts. The nesting must have been bounded before: each level is a
/// call. The library's own parser words what is wrong, and nobody reads that here.
bool read_value(std::string_view text, nlohmann::json& value);

/// Bytes of the UTF-8 character at the front of text that is not empty; 0 when it is none.
std::size_t character_length(std::string_view text);

}  // namespace ridgepoint::json
