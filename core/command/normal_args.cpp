#include "command/normal_args.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/flag_reader.hpp"
#include "engine/trtllm/options.hpp"
#include "json/fields.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

using engine::FlagFacts;
using engine::FlagType;
using engine::FlagValue;

constexpr double kLargestWhole = 9e15;

std::string compact(const json::Value& value) {
  json::Writer writer;
  writer.value(value);
  return writer.take();
}

std::optional<json::Value> parsed(const std::string& text) {
  auto value = json::parse(text, "");
  return value ? std::optional(std::move(value.value())) : std::nullopt;
}

void as_boolean(FlagValue& flag) {
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr) {
    return;
  }
  if (text->empty() || *text == "true" || *text == "True") {
    flag.value = true;
  } else if (*text == "false" || *text == "False") {
    flag.value = false;
  }
}

void as_whole(FlagValue& flag) {
  if (const auto* real = std::get_if<double>(&flag.value)) {
    const auto whole = static_cast<std::int64_t>(std::clamp(*real, -kLargestWhole, kLargestWhole));
    if (static_cast<double>(whole) == *real) {
      flag.value = whole;
    }
    return;
  }
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr) {
    return;
  }
  if (const auto size = engine::parse_human_size(*text)) {
    flag.value = static_cast<std::int64_t>(*size);
  } else if (const auto value = parsed(*text); value && value->is_number_integer()) {
    flag.value = value->get<std::int64_t>();
  }
}

void as_number(FlagValue& flag) {
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    flag.value = static_cast<double>(*whole);
    return;
  }
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr) {
    return;
  }
  if (const auto value = parsed(*text); value && value->is_number()) {
    flag.value = value->get<double>();
  }
}

/// llama.cpp reads a switch of a flag that takes words as on or off.
void as_text(const engine::Engine& engine, FlagValue& flag) {
  if (const auto* on = std::get_if<bool>(&flag.value)) {
    if (engine.name == "llamacpp") {
      flag.value = std::string(*on ? "on" : "off");
    }
  } else if (!std::holds_alternative<std::string>(flag.value)) {
    flag.value = value_word(flag);
  }
}

/// "1 2 4" or "1,2,4" as "[1,2,4]"; other text as it is.
std::optional<std::string> bare_list(const std::string& text) {
  std::string out = "[";
  bool inside = false;
  bool any = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      out += !inside && any ? "," : "";
      out += c;
      inside = any = true;
    } else if (c == ' ' || c == ',') {
      inside = false;
    } else {
      return std::nullopt;
    }
  }
  return any ? std::optional(out + "]") : std::nullopt;
}

/// Flags of numbers, one word each on a command line; one number alone is a list too.
bool is_list(const FlagFacts& facts) {
  constexpr std::string_view kLists[] = {"cudagraph-capture-sizes",
                                         "cuda-graph-sizes",
                                         "cuda-graph-bs",
                                         "piecewise-cuda-graph-tokens",
                                         "cuda-graph-config.batch-sizes",
                                         "kv-cache-config.max-attention-window",
                                         "kv-cache-dtype-skip-layers"};
  return std::find(std::begin(kLists), std::end(kLists), facts.name) != std::end(kLists);
}

/// A list whose words are numbers, as numbers.
std::string with_numbers(const json::Value& list) {
  std::string joined;
  for (const json::Value& item : list) {
    joined += (joined.empty() ? "" : ",") +
              (item.is_string() ? item.get_ref<const std::string&>() : compact(item));
  }
  return bare_list(joined).value_or(compact(list));
}

void as_json(const FlagFacts& facts, FlagValue& flag) {
  if (is_list(facts) && !std::holds_alternative<std::string>(flag.value)) {
    flag.value = value_word(flag);
  }
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr) {
    return;
  }
  if (is_list(facts)) {
    if (const auto list = bare_list(*text)) {
      flag.value = *list;
      return;
    }
  }
  const auto value = parsed(*text);
  if (!value) {
    return;
  }
  if (is_list(facts) && value->is_array()) {
    flag.value = with_numbers(*value);
  } else if (value->is_number_integer()) {
    flag.value = value->get<std::int64_t>();
  } else if (value->is_number()) {
    flag.value = value->get<double>();
  } else if (value->is_boolean()) {
    flag.value = value->get<bool>();
  } else if (value->is_structured()) {
    flag.value = compact(*value);
  }
}

void by_type(const engine::Engine& engine, const FlagFacts& facts, FlagValue& flag) {
  switch (facts.type) {
    case FlagType::boolean:
      as_boolean(flag);
      break;
    case FlagType::integer:
      as_whole(flag);
      break;
    case FlagType::number:
      as_number(flag);
      break;
    case FlagType::text:
      is_list(facts) ? as_json(facts, flag) : as_text(engine, flag);
      break;
    case FlagType::json:
      as_json(facts, flag);
      break;
  }
}

/// `no-x` is `x` the other way round. Where a table has both as flags of their own, a command line
/// says one of them or nothing: `x` false is `no-x`, and `no-x` false is neither. Gives whether
/// there is something left to say.
bool turn_round(const engine::FlagTable& table, const FlagFacts*& facts, FlagValue& flag,
                bool negated) {
  auto* on = std::get_if<bool>(&flag.value);
  if (on == nullptr) {
    return true;
  }
  *on = *on != negated;
  if (*on) {
    return true;
  }
  if (facts->name.starts_with("no-")) {
    const FlagFacts* positive = engine::find_flag(table, facts->name.substr(3));
    return positive == nullptr;
  }
  const FlagFacts* negative = engine::find_flag(table, "no-" + std::string(facts->name));
  if (negative != nullptr && negative->type == FlagType::boolean) {
    facts = negative;
    *on = true;
  }
  return true;
}

}  // namespace

std::string value_word(const FlagValue& flag) {
  if (const auto* text = std::get_if<std::string>(&flag.value)) {
    return *text;
  }
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    return std::to_string(*whole);
  }
  if (const auto* real = std::get_if<double>(&flag.value)) {
    const auto whole = static_cast<std::int64_t>(std::clamp(*real, -kLargestWhole, kLargestWhole));
    return static_cast<double>(whole) == *real ? std::to_string(whole) : json::number_text(*real);
  }
  return std::get<bool>(flag.value) ? "true" : "false";
}

std::vector<std::string> list_items(const FlagValue& flag) {
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr || text->empty() || text->front() != '[') {
    return {};
  }
  const auto list = parsed(*text);
  if (!list || !list->is_array()) {
    return {};
  }
  std::vector<std::string> items;
  for (const json::Value& item : *list) {
    if (item.is_structured() || item.is_null()) {
      return {};
    }
    items.push_back(item.is_string() ? item.get<std::string>() : compact(item));
  }
  return items;
}

bool is_table_default(const FlagFacts& facts, const FlagValue& flag) {
  if (facts.default_text.empty()) {
    return false;
  }
  const std::string word = value_word(flag);
  if (word == facts.default_text) {
    return true;
  }
  const auto* on = std::get_if<bool>(&flag.value);
  return on != nullptr && facts.default_text == (*on ? "on" : "off");
}

Result<std::vector<FlagValue>> normal_args(const engine::Engine& engine,
                                           const std::vector<FlagValue>& args) {
  const engine::FlagTable& table = engine.flags();
  std::vector<FlagValue> spread = args;
  if (engine.name == "trtllm") {
    auto options = engine::trtllm::spread_options(args);
    if (!options) {
      return options.error();
    }
    spread = std::move(options.value());
  }
  std::vector<std::pair<const FlagFacts*, FlagValue>> typed;
  for (FlagValue& flag : spread) {
    const FlagFacts* facts = engine::find_flag(table, flag.name);
    bool negated = false;
    if (facts == nullptr && (flag.name.starts_with("no-") || flag.name.starts_with("no_"))) {
      facts = engine::find_flag(table, std::string_view(flag.name).substr(3));
      negated = true;
    }
    if (facts == nullptr) {
      return Error{
          "unknown_flag",
          std::string(table.engine) + " has no flag --" + json::excerpt(flag.name, 60) + ".",
          "engine.args." + json::excerpt(flag.name, 80)};
    }
    by_type(engine, *facts, flag);
    if (!turn_round(table, facts, flag, negated)) {
      continue;
    }
    flag.name = facts->name;
    typed.emplace_back(facts, std::move(flag));
  }
  std::stable_sort(typed.begin(), typed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<FlagValue> normal;
  for (auto& [facts, flag] : typed) {
    const bool repeated = !normal.empty() && normal.back().name == flag.name;
    if (!repeated || normal.back().value != flag.value) {
      normal.push_back(std::move(flag));
    }
  }
  return normal;
}

}  // namespace ridgepoint::command
