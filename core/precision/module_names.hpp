#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "precision/name_expression.hpp"

namespace ridgepoint::precision {

/// A module's name without what wrappers put before it: "model.language_model.layers.3.mlp" and
/// "transformer.layers.3.mlp" are "layers.3.mlp"; a trailing ".weight" goes too.
std::string_view canonical_name(std::string_view name);

/// Names, globs and expressions of modules, each with a number: the ignore lists, targets and
/// per-layer settings of quantisation configs. Looking up costs the length of the module's name for
/// literal names, however many there are, and one match for each glob and expression.
///
/// Literal names are compared by canonical_name. One that starts at the model's root
/// ("model.layers.0.mlp", "layers.0.mlp") names that module and all below it; any other
/// ("mlp.gate", "visual") may stand anywhere in the name as whole components. Fused and split
/// layers stand for each other ("self_attn.qkv_proj" and "self_attn.q_proj"), and a name without
/// an expert's number for all experts.
class NameRules {
 public:
  /// `entry`: a name, a glob with *, or "re:" and an expression (Python's re.match). A name added
  /// twice keeps its first number.
  void add(std::string_view entry, std::uint32_t number);

  [[nodiscard]] bool empty() const {
    return names_.empty() && prefixes_.empty() && patterns() == 0;
  }

  /// How many rules cost time of their own at each find().
  [[nodiscard]] std::size_t patterns() const { return globs_.size() + expressions_.size(); }

  /// The number of the first rule that covers the module: names before globs before expressions.
  [[nodiscard]] std::optional<std::uint32_t> find(std::string_view module) const;

  /// The same among literal names only.
  [[nodiscard]] std::optional<std::uint32_t> find_name(std::string_view module) const;

 private:
  struct Pattern {
    std::string text;
    std::uint32_t number;
  };
  struct Expression {
    NameExpression expression;
    bool open;  ///< begins with ".*"
    std::uint32_t number;
  };

  void add_prefix(std::string_view prefix, std::uint32_t number);
  [[nodiscard]] std::optional<std::uint32_t> find_variant(std::string_view name) const;

  using Table = std::map<std::string, std::uint32_t, std::less<>>;

  Table names_;                            ///< those from the root have a '^' before them
  Table prefixes_;                         ///< "layers.0.self_attn*" without the star
  std::vector<std::size_t> prefix_sizes_;  ///< each length in prefixes_ once
  std::vector<Pattern> globs_;
  std::vector<Expression> expressions_;
  bool anywhere_ = false;  ///< some name does not start at the root
};

}  // namespace ridgepoint::precision
