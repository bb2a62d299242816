#pragma once

#include <string_view>
#include <vector>

#include "json/fields.hpp"

namespace ridgepoint::command {

/// The documents of a YAML text as JSON values: block mappings and sequences, flow `[…]` and `{…}`,
/// plain and quoted scalars with the types of YAML 1.2's core schema, `|` and `>` blocks, comments
/// and `---`. What a manifest can do without is refused with `not_yaml` and the number of the line:
/// anchors, aliases and merge keys (a few lines of them can stand for gigabytes), tags, complex
/// keys, a key given twice, more than 64 levels, over 4 MiB. Infinity and NaN stay text. JSON is
/// YAML too. Works in time linear in the text. `path` is the field of the query it came from.
Result<std::vector<json::Value>> read_yaml(std::string_view text, std::string_view path);

/// A plain scalar as the core schema types it.
json::Value yaml_scalar(std::string_view text);

}  // namespace ridgepoint::command
