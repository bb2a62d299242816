#pragma once

#include <string>
#include <string_view>

namespace ridgepoint::precision {

/// Whether the expression keeps to what regex_matches understands and is no longer than 1,000
/// characters; if not, whoever reads it must say so rather than guess.
bool regex_is_understood(std::string_view pattern);

/// Whether the regular expression matches at the start of `text`, as Python's re.match does, which
/// is how compressed-tensors reads its "re:" entries. One that is matched often is made once as a
/// NameExpression.
bool regex_matches(std::string_view pattern, std::string_view text);

/// Shell-like match of the whole text: * stands for anything (ModelOpt's exclude_modules).
bool glob_matches(std::string_view pattern, std::string_view text);

/// Whether `part` stands in `name` as whole dotted components: "mlp.gate" is in
/// "model.layers.3.mlp.gate" and not in "model.layers.3.mlp.gate_proj".
bool has_components(std::string_view name, std::string_view part);

}  // namespace ridgepoint::precision
