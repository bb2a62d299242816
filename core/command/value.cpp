#include "command/value.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "command/yaml.hpp"
#include "engine/flag_reader.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

std::string lower(std::string_view text) {
  std::string out(text.substr(0, 8));
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// The largest whole number that every reader of JSON keeps.
constexpr std::uint64_t kLargest = (1ULL << 53U) - 1;

std::optional<std::int64_t> whole(std::string_view text) {
  text = trimmed(text);
  const bool negative = text.starts_with('-');
  const bool sign = negative || text.starts_with('+');
  const auto number = engine::parse_human_size(text.substr(sign ? 1 : 0));
  const bool plain = text.find_first_not_of("0123456789", sign ? 1 : 0) == std::string_view::npos;
  if (!number || *number > kLargest || (sign && !plain)) {
    return std::nullopt;
  }
  const auto value = static_cast<std::int64_t>(*number);
  return negative ? -value : value;
}

}  // namespace

Value value_of(const json::Value& tree) {
  Value value;
  if (tree.is_boolean()) {
    value.scalar = tree.get<bool>();
  } else if (tree.is_number_float() ||
             (tree.is_number_unsigned() && tree.get<std::uint64_t>() > kLargest)) {
    value.scalar = tree.get<double>();
  } else if (tree.is_number()) {
    value.scalar = tree.get<std::int64_t>();
  } else if (tree.is_string()) {
    value.scalar = tree.get<std::string>();
  } else {
    json::Writer writer;
    writer.value(tree);
    value.scalar = writer.take();
    value.structured = true;
  }
  return value;
}

json::Value tree_of(const Value& value) {
  const auto* text = std::get_if<std::string>(&value.scalar);
  if (text != nullptr && value.structured) {
    const auto tree = json::parse(*text, "");
    return tree ? tree.value() : json::Value();
  }
  return std::visit([](const auto& scalar) { return json::Value(scalar); }, value.scalar);
}

Value typed_value(std::string_view text, engine::FlagType type) {
  Value value;
  switch (type) {
    case engine::FlagType::boolean: {
      const std::string word = text.size() <= 5 ? lower(text) : std::string();
      if (word == "true" || word == "false") {
        value.scalar = word == "true";
        return value;
      }
      break;
    }
    case engine::FlagType::integer:
      if (const auto number = whole(text)) {
        value.scalar = *number;
        return value;
      }
      break;
    case engine::FlagType::number: {
      const std::string_view digits = trimmed(text);
      const bool based = digits.starts_with("0x") || digits.starts_with("0o");
      const json::Value number = based ? json::Value() : yaml_scalar(digits);
      if (number.is_number()) {
        return value_of(number);
      }
      break;
    }
    case engine::FlagType::json: {
      const auto tree = json::parse(text, "");
      if (tree && !tree->is_null()) {
        return value_of(tree.value());
      }
      break;
    }
    case engine::FlagType::text:
      break;
  }
  value.scalar = std::string(text);
  return value;
}

std::string shown(const Value& value) {
  constexpr std::size_t kMost = 60;
  if (const auto* text = std::get_if<std::string>(&value.scalar)) {
    const std::string cut = json::excerpt(*text, kMost);
    return value.structured ? cut : "\"" + cut + "\"";
  }
  if (const auto* number = std::get_if<std::int64_t>(&value.scalar)) {
    return std::to_string(*number);
  }
  if (const auto* real = std::get_if<double>(&value.scalar)) {
    return json::number_text(*real);
  }
  return std::get<bool>(value.scalar) ? "true" : "false";
}

}  // namespace ridgepoint::command
