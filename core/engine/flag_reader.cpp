#include "engine/flag_reader.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "json/fields.hpp"
#include "json/writer.hpp"
#include "wording.hpp"

namespace ridgepoint::engine {
namespace {

std::string flag_path(std::string_view name) {
  return worded({"engine.args.", json::excerpt(name, 80)});
}

std::string shown(const FlagValue& flag) {
  if (const auto* text = std::get_if<std::string>(&flag.value)) {
    return worded({"\"", json::excerpt(*text, 40), "\""});
  }
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    return std::to_string(*whole);
  }
  if (const auto* real = std::get_if<double>(&flag.value)) {
    return json::number_text(*real);
  }
  return std::get<bool>(flag.value) ? "true" : "false";
}

bool numeric(const std::string& text) {
  const auto parsed = json::parse(text, "");
  return (parsed && parsed->is_number()) || parse_human_size(text).has_value();
}

/// Whether a value is of a flag's kind, so that a flag nothing is computed from is checked too.
bool right_kind(const FlagFacts& facts, const FlagValue& flag) {
  const auto* text = std::get_if<std::string>(&flag.value);
  const bool is_switch = std::holds_alternative<bool>(flag.value);
  switch (facts.type) {
    case FlagType::boolean:
      return is_switch ||
             (text != nullptr && (text->empty() || *text == "true" || *text == "True" ||
                                  *text == "false" || *text == "False"));
    case FlagType::integer:
    case FlagType::number:
      return !is_switch && (text == nullptr || numeric(*text) || *text == "auto");
    case FlagType::text:
    case FlagType::json:
      return true;
  }
  return true;
}

}  // namespace

bool switches_off(const FlagValue& flag, bool negated) {
  if (const auto* on = std::get_if<bool>(&flag.value)) {
    return *on == negated;
  }
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    return *whole == 0 || (*whole == 1 && flag.name.ends_with("size"));
  }
  if (const auto* real = std::get_if<double>(&flag.value)) {
    return *real == 0.0;
  }
  const auto& text = std::get<std::string>(flag.value);
  return text.empty() || text == "None" || text == "{}" || text == "false" || text == "0" ||
         ((flag.name == "task" || flag.name == "runner") && (text == "generate" || text == "auto"));
}

std::string value_refusal(const FlagFacts& facts, const FlagValue& flag) {
  const std::string name(facts.name);
  if (!right_kind(facts, flag)) {
    return worded({"--", name, " does not take ", shown(flag), "; it takes ",
                   (facts.type == FlagType::boolean ? "true or false." : "a number.")});
  }
  const auto* text = std::get_if<std::string>(&flag.value);
  if (text == nullptr || facts.choices.empty()) {
    return {};
  }
  if (text->find('|') != std::string::npos ||
      (worded({"|", facts.choices, "|"})).find(worded({"|", *text, "|"})) == std::string::npos) {
    return worded(
        {"--", name, " does not take ", shown(flag), "; it takes one of ", facts.choices, "."});
  }
  return {};
}

std::optional<std::uint64_t> parse_human_size(std::string_view text) {
  std::uint64_t digits = 0;
  std::size_t count = 0;
  double fraction_divisor = 1;
  bool in_fraction = false;
  std::size_t i = 0;
  for (; i < text.size() && count <= 15; ++i) {
    const char c = text[i];
    if (c >= '0' && c <= '9') {
      digits = digits * 10 + static_cast<std::uint64_t>(c - '0');
      fraction_divisor *= in_fraction ? 10 : 1;
      ++count;
    } else if (c == '.' && !in_fraction && count != 0) {
      in_fraction = true;
    } else {
      break;
    }
  }
  if (count == 0 || count > 15 || text.size() - i > 1 || (in_fraction && fraction_divisor == 1)) {
    return std::nullopt;
  }
  constexpr std::string_view kDecimal = "kmgt";
  constexpr std::string_view kBinary = "KMGT";
  double multiplier = 1;
  if (i < text.size()) {
    const std::size_t decimal = kDecimal.find(text[i]);
    const std::size_t binary = kBinary.find(text[i]);
    if (decimal == std::string_view::npos && binary == std::string_view::npos) {
      return std::nullopt;
    }
    const bool thousands = decimal != std::string_view::npos;
    for (std::size_t p = 0; p <= (thousands ? decimal : binary); ++p) {
      multiplier *= thousands ? 1000.0 : 1024.0;
    }
    if (!thousands && in_fraction) {
      return std::nullopt;  // vLLM takes decimals with k, m, g, t only
    }
  } else if (in_fraction) {
    return std::nullopt;
  }
  // As vLLM does it: int(float(number) x multiplier).
  const double value = static_cast<double>(digits) / fraction_divisor * multiplier;
  return value > 9e18 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value));
}

FlagReader::FlagReader(const std::vector<FlagValue>& args, const FlagTable& table,
                       std::uint32_t version)
    : table_(table) {
  for (const FlagValue& arg : args) {
    Entry entry{arg.name, find_flag(table, arg.name), &arg, false};
    if (entry.facts == nullptr && (arg.name.starts_with("no-") || arg.name.starts_with("no_"))) {
      entry.facts = find_flag(table, std::string_view(arg.name).substr(3));
      entry.negated = true;
    }
    if (entry.facts == nullptr) {
      const std::string near = nearest_flags(table, arg.name);
      fail("unknown_flag", arg.name,
           worded({table.engine, " has no flag --", json::excerpt(arg.name, 60), ".",
                   (near.empty() ? "" : worded({" Did you mean ", near, "?"}))}));
      return;
    }
    entry.name = entry.facts->name;
    if (find(entry.name) != nullptr) {
      fail("bad_flag", arg.name, worded({"The flag --", entry.name, " is given twice."}));
      return;
    }
    check(entry, version);
    entries_.push_back(std::move(entry));
  }
}

void FlagReader::check(const Entry& entry, std::uint32_t version) {
  const FlagFacts& facts = *entry.facts;
  if (entry.negated && facts.type != FlagType::boolean) {
    fail("bad_flag", entry.value->name,
         worded({"--no-", entry.name, " does not exist: --", entry.name, " is no switch."}));
  }
  if ((facts.since != 0 && version < facts.since) || (facts.until != 0 && version > facts.until)) {
    fail("unknown_flag", entry.value->name,
         worded({"--", entry.name, " does not exist in ", table_.engine, " ",
                 table_.version_text(version),
                 (facts.since != 0 && version < facts.since
                      ? worded({"; it came with ", table_.version_text(facts.since), "."})
                      : worded({"; it went after ", table_.version_text(facts.until), "."}))}));
  }
  if (facts.effect == FlagEffect::unmodelled && !switches_off(*entry.value, entry.negated)) {
    fail("unmodelled_flag", entry.value->name,
         worded(
             {"--", entry.name,
              " may change memory in a way this version does not compute. Leave it out to see the "
              "estimate without it."}));
  }
  if (std::string why = value_refusal(facts, *entry.value); !why.empty()) {
    fail("bad_flag", entry.value->name, std::move(why));
  }
}

const FlagReader::Entry* FlagReader::find(std::string_view name) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries_.end() ? nullptr : &*found;
}

void FlagReader::fail(std::string_view code, std::string_view name, std::string message) {
  if (!error_) {
    error_ = Error{std::string(code), std::move(message), flag_path(name)};
  }
}

void FlagReader::wrong_type(std::string_view name, std::string_view wanted) {
  const Entry* entry = find(name);
  fail("bad_flag", entry->value->name,
       worded({"--", name, " takes ", wanted, ", and ", shown(*entry->value), " is none."}));
}

std::optional<std::uint64_t> FlagReader::whole(std::string_view name, std::uint64_t least,
                                               std::uint64_t most) {
  const Entry* entry = find(name);
  if (entry == nullptr || error_) {
    return std::nullopt;
  }
  std::optional<std::uint64_t> value;
  if (const auto* integer = std::get_if<std::int64_t>(&entry->value->value)) {
    if (*integer >= 0) {
      value = static_cast<std::uint64_t>(*integer);
    }
  } else if (const auto* real = std::get_if<double>(&entry->value->value)) {
    if (*real >= 0 && *real < 9e18 && std::floor(*real) == *real) {
      value = static_cast<std::uint64_t>(*real);
    }
  } else if (const auto* text = std::get_if<std::string>(&entry->value->value)) {
    value = parse_human_size(*text);
  }
  if (!value || *value < least || *value > most) {
    wrong_type(name, worded({"a whole number from ", least, " to ", most}));
    return std::nullopt;
  }
  return value;
}

std::optional<double> FlagReader::number(std::string_view name, double least, double most) {
  const Entry* entry = find(name);
  if (entry == nullptr || error_) {
    return std::nullopt;
  }
  double value = std::nan("");
  if (const auto* real = std::get_if<double>(&entry->value->value)) {
    value = *real;
  } else if (const auto* integer = std::get_if<std::int64_t>(&entry->value->value)) {
    value = static_cast<double>(*integer);
  } else if (const auto* text = std::get_if<std::string>(&entry->value->value)) {
    const auto parsed = json::parse(*text, "");
    if (parsed && parsed->is_number()) {
      value = parsed->get<double>();
    }
  }
  if (!(value >= least && value <= most)) {
    wrong_type(name, worded({"a number from ", json::number_text(least), " to ",
                             json::number_text(most)}));
    return std::nullopt;
  }
  return value;
}

std::optional<bool> FlagReader::boolean(std::string_view name) {
  const Entry* entry = find(name);
  if (entry == nullptr || error_) {
    return std::nullopt;
  }
  std::optional<bool> value;
  if (const auto* on = std::get_if<bool>(&entry->value->value)) {
    value = *on;
  } else if (const auto* text = std::get_if<std::string>(&entry->value->value)) {
    if (*text == "true" || *text == "True" || text->empty()) {
      value = true;
    } else if (*text == "false" || *text == "False") {
      value = false;
    }
  }
  if (!value) {
    wrong_type(name, "true or false");
    return std::nullopt;
  }
  return *value != entry->negated;
}

std::optional<std::string> FlagReader::text(std::string_view name) {
  const Entry* entry = find(name);
  if (entry == nullptr || error_) {
    return std::nullopt;
  }
  if (const auto* text = std::get_if<std::string>(&entry->value->value)) {
    return *text;
  }
  wrong_type(name, "a word");
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> FlagReader::list(std::string_view name,
                                                           std::uint64_t least) {
  const Entry* entry = find(name);
  if (entry == nullptr || error_) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> values;
  if (const auto* integer = std::get_if<std::int64_t>(&entry->value->value)) {
    if (*integer >= 0) {
      values.push_back(static_cast<std::uint64_t>(*integer));
    }
  } else if (const auto* text = std::get_if<std::string>(&entry->value->value)) {
    std::uint64_t number = 0;
    bool inside = false;
    bool valid = text->size() < 20000;
    for (const char c : worded({*text, " "})) {
      if (c >= '0' && c <= '9') {
        number =
            std::min<std::uint64_t>(number * 10 + static_cast<std::uint64_t>(c - '0'), 1U << 30U);
        inside = true;
      } else if (c == ' ' || c == ',' || c == '[' || c == ']') {
        if (inside) {
          values.push_back(number);
        }
        number = 0;
        inside = false;
      } else {
        valid = false;
      }
    }
    if (!valid) {
      values.clear();
    }
  }
  const bool sane = std::all_of(values.begin(), values.end(), [least](std::uint64_t v) {
    return v >= least && v <= (1U << 20U);
  });
  if (values.empty() || !sane) {
    wrong_type(name, "a list of whole numbers such as [1, 2, 4]");
    return std::nullopt;
  }
  return values;
}

}  // namespace ridgepoint::engine
