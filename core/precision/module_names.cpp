#include "precision/module_names.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "precision/name_pattern.hpp"
#include "wording.hpp"

namespace ridgepoint::precision {
namespace {

constexpr std::string_view kExpression = "re:";

/// What wrappers put before the decoder's own names, with the dot that ends it.
constexpr std::string_view kWrappers[] = {"model.",    "language_model.", "text_model.",
                                          "backbone.", "transformer.",    "thinker."};

/// A fused layer, and what it is split into.
struct Fusion {
  std::string_view fused;
  std::string_view part;
};

constexpr Fusion kFusions[] = {
    {"qkv_proj", "q_proj"},
    {"qkv_proj", "k_proj"},
    {"qkv_proj", "v_proj"},
    {"gate_up_proj", "gate_proj"},
    {"gate_up_proj", "up_proj"},
    {"in_proj_qkvz", "in_proj_qkv"},
    {"in_proj_qkvz", "in_proj_z"},
    {"in_proj_ba", "in_proj_b"},
    {"in_proj_ba", "in_proj_a"},
    {"fused_qkv_a_proj_with_mqa", "q_a_proj"},
    {"fused_qkv_a_proj_with_mqa", "kv_a_proj_with_mqa"},
};

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "layers.3.mlp.experts.0.up_proj" without the "0."; empty when no expert is numbered.
std::string without_expert_number(std::string_view name) {
  constexpr std::string_view experts = "experts.";
  const std::size_t at = name.find(experts);
  if (at == std::string_view::npos) {
    return {};
  }
  const std::size_t begin = at + experts.size();
  const std::size_t end = name.find('.', begin);
  if (end == std::string_view::npos || !all_digits(name.substr(begin, end - begin))) {
    return {};
  }
  std::string out(name.substr(0, begin));
  out += name.substr(end + 1);
  return out;
}

/// An expression without what it says of wrappers at its start, so that it can be held against a
/// canonical name; one that starts with ".*" is left alone.
std::string_view canonical_expression(std::string_view text) {
  if (text.starts_with('^')) {
    text.remove_prefix(1);
  }
  bool again = true;
  while (again) {
    again = false;
    for (const std::string_view wrapper : kWrappers) {
      const std::string_view word = wrapper.substr(0, wrapper.size() - 1);
      if (!text.starts_with(word)) {
        continue;
      }
      const std::string_view rest = text.substr(word.size());
      const std::size_t dot = rest.starts_with("\\.") ? 2 : 1;
      // "model.*" means anything after "model", not a component of its own.
      if ((dot == 2 || rest.starts_with('.')) && rest.size() > dot &&
          std::string_view("*+?{").find(rest[dot]) == std::string_view::npos) {
        text = rest.substr(dot);
        again = true;
      }
    }
  }
  return text;
}

}  // namespace

std::string_view canonical_name(std::string_view name) {
  bool again = true;
  while (again) {
    again = false;
    for (const std::string_view wrapper : kWrappers) {
      if (name.starts_with(wrapper)) {
        name.remove_prefix(wrapper.size());
        again = true;
      }
    }
  }
  constexpr std::string_view weight = ".weight";
  if (name.ends_with(weight)) {
    name.remove_suffix(weight.size());
  }
  return name;
}

void NameRules::add(std::string_view entry, std::uint32_t number) {
  if (entry.starts_with(kExpression)) {
    const std::string text(canonical_expression(entry.substr(kExpression.size())));
    expressions_.push_back({NameExpression(text), text.starts_with(".*"), number});
    return;
  }
  const std::string_view name = canonical_name(entry);
  if (name.empty()) {
    return;
  }
  const bool from_root = name.data() != entry.data() || name.starts_with("layers.");
  if (const std::size_t star = name.find('*'); star != std::string_view::npos) {
    if (star == name.size() - 1 && star != 0) {
      add_prefix(name.substr(0, star), number);
      if (from_root) {
        return;
      }
    }
    const bool whole = from_root || star == 0;
    globs_.push_back({whole ? std::string(name) : worded({"*.", name}), number});
    return;
  }
  anywhere_ = anywhere_ || !from_root;
  names_.emplace(from_root ? worded({"^", name}) : std::string(name), number);
}

void NameRules::add_prefix(std::string_view prefix, std::uint32_t number) {
  prefixes_.emplace(std::string(prefix), number);
  if (std::find(prefix_sizes_.begin(), prefix_sizes_.end(), prefix.size()) == prefix_sizes_.end()) {
    prefix_sizes_.push_back(prefix.size());
  }
}

std::optional<std::uint32_t> NameRules::find_variant(std::string_view name) const {
  // Longest first: "layers.0.mlp.gate" says more than "layers.0".
  std::string rooted = worded({"^", name});
  for (std::size_t end = rooted.size(); end != std::string::npos && end > 1;
       end = rooted.rfind('.', end - 1)) {
    if (const auto it = names_.find(std::string_view(rooted).substr(0, end)); it != names_.end()) {
      return it->second;
    }
  }
  if (!anywhere_) {
    return std::nullopt;
  }
  for (std::size_t begin = 0; begin != std::string_view::npos;) {
    for (std::size_t end = name.size(); end != std::string_view::npos && end > begin;
         end = name.rfind('.', end - 1)) {
      if (const auto it = names_.find(name.substr(begin, end - begin)); it != names_.end()) {
        return it->second;
      }
    }
    const std::size_t dot = name.find('.', begin);
    begin = dot == std::string_view::npos ? dot : dot + 1;
  }
  return std::nullopt;
}

std::optional<std::uint32_t> NameRules::find_name(std::string_view module) const {
  if (names_.empty()) {
    return std::nullopt;
  }
  const std::string_view name = canonical_name(module);
  const auto with_fusions = [&](std::string_view spelt) -> std::optional<std::uint32_t> {
    if (const auto number = find_variant(spelt)) {
      return number;
    }
    const std::size_t dot = spelt.rfind('.');
    const std::size_t begin = dot == std::string_view::npos ? 0 : dot + 1;
    const std::string_view leaf = spelt.substr(begin);
    for (const Fusion& fusion : kFusions) {
      const std::string_view other = leaf == fusion.part    ? fusion.fused
                                     : leaf == fusion.fused ? fusion.part
                                                            : std::string_view();
      if (!other.empty()) {
        if (const auto number =
                find_variant(std::string(spelt.substr(0, begin)) + std::string(other))) {
          return number;
        }
      }
    }
    return std::nullopt;
  };
  if (const auto number = with_fusions(name)) {
    return number;
  }
  const std::string shared = without_expert_number(name);
  return shared.empty() ? std::nullopt : with_fusions(shared);
}

std::optional<std::uint32_t> NameRules::find(std::string_view module) const {
  if (const auto number = find_name(module)) {
    return number;
  }
  if (prefixes_.empty() && patterns() == 0) {
    return std::nullopt;
  }
  const std::string name(canonical_name(module));
  for (const std::size_t size : prefix_sizes_) {
    if (size <= name.size()) {
      if (const auto it = prefixes_.find(std::string_view(name).substr(0, size));
          it != prefixes_.end()) {
        return it->second;
      }
    }
  }
  for (const Pattern& glob : globs_) {
    // A module's own name covers what is below it.
    if (glob_matches(glob.text, name) || glob_matches(worded({glob.text, ".*"}), name)) {
      return glob.number;
    }
  }
  // ".*" at an expression's start takes in any wrapper, so one spelling with all of them will do.
  const std::string wrapped =
      (name.starts_with("layers.") ? "model.language_model." : "model.") + name;
  for (const Expression& each : expressions_) {
    if (each.expression.matches(each.open ? wrapped : name)) {
      return each.number;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::precision
