#include <algorithm>
#include <array>
#include <cstdint>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "table_text.hpp"
#include "tables.hpp"
#include "version_number.hpp"

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("flags: " + name + ": " + why);
}

std::string text(const json& entry, const std::string& name, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty()) {
    refuse(name, std::string("needs the text '") + key + "'");
  }
  return found->get<std::string>();
}

/// Text that an entry may leave out.
std::string text_or_empty(const json& entry, const std::string& name, const char* key) {
  return entry.contains(key) ? text(entry, name, key) : std::string();
}

/// Lookup takes `_` for `-`, so one spelling is kept, and no dash leads.
void check_spelling(const std::string& name, const std::string& spelling) {
  if (spelling.empty() || spelling.front() == '-') refuse(name, "a name leads with a dash");
  for (const char c : spelling) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.';
    if (!plain) refuse(name, "the name '" + spelling + "' has a character no flag has");
  }
}

std::string joined(const json& entry, const std::string& name, const char* key, char separator,
                   std::set<std::string>* seen) {
  const auto found = entry.find(key);
  if (found == entry.end()) return {};
  if (!found->is_array() || found->empty()) {
    refuse(name, std::string("'") + key + "' is no list of texts, or is empty");
  }
  std::string all;
  for (const json& item : *found) {
    if (!item.is_string()) refuse(name, std::string("'") + key + "' is no list of texts");
    const auto value = item.get<std::string>();
    if (value.empty() || value.find(separator) != std::string::npos) {
      refuse(name, std::string("'") + key + "' has the item '" + value + "'");
    }
    if (seen != nullptr) {
      check_spelling(name, value);
      if (!seen->insert(value).second) refuse(name, "'" + value + "' is there twice");
    }
    if (!all.empty()) all += separator;
    all += value;
  }
  return all;
}

/// The place of a word in the list of those that are known.
template <std::size_t N>
std::size_t one_of(const json& entry, const std::string& name, const char* key,
                   const std::array<const char*, N>& values) {
  const std::string value = text(entry, name, key);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (value == values[i]) return i;
  }
  refuse(name, std::string("'") + key + "' is '" + value + "'");
}

/// Absent is 0.
std::uint32_t version(const json& entry, const std::string& name, const char* key) {
  const std::string value = text_or_empty(entry, name, key);
  if (value.empty()) return 0;
  const auto number = version_number(value);
  if (!number) refuse(name, std::string("'") + key + "' is no version");
  return *number;
}

// In the order of engine::FlagType and engine::FlagEffect.
constexpr std::array kTypes = {"boolean", "integer", "number", "text", "json"};
constexpr std::array kEffects = {"used", "no_effect", "unmodelled"};
constexpr std::array kKeys = {"name",    "aliases", "type",  "effect", "choices",
                              "default", "since",   "until", "help",   "source"};

}  // namespace

void compile_engine_flags(const nlohmann::json& document, std::ostream& out, Length length) {
  const auto flags = document.find("flags");
  if (flags == document.end() || !flags->is_array() || flags->empty()) {
    throw std::runtime_error("flags: needs a list 'flags' that is not empty");
  }
  std::set<std::string> seen;
  TableTextWriter table(out, "kFlags");
  for (const json& entry : *flags) {
    if (!entry.is_object()) throw std::runtime_error("flags: an entry is no object");
    const std::string name = text(entry, "an entry", "name");
    check_spelling(name, name);
    if (!seen.insert(name).second) refuse(name, "is there twice");
    for (const auto& [key, value] : entry.items()) {
      bool known = false;
      for (const char* each : kKeys) known = known || key == each;
      if (!known) refuse(name, "has the unknown key '" + key + "'");
    }
    const std::string aliases = joined(entry, name, "aliases", ' ', &seen);
    const std::string choices = joined(entry, name, "choices", '|', nullptr);
    const std::uint32_t since = version(entry, name, "since");
    const std::uint32_t until = version(entry, name, "until");
    if (until != 0 && until < since) refuse(name, "ends before it begins");
    // A fact nobody can look up is not kept, though the table has no use for the source itself.
    text(entry, name, "source");
    const std::string help = text(entry, name, "help");
    table.text(name);
    table.text(aliases);
    table.number(one_of(entry, name, "type", kTypes));
    table.number(one_of(entry, name, "effect", kEffects));
    table.text(choices);
    table.text(text_or_empty(entry, name, "default"));
    table.number(since);
    table.number(until);
    table.text(length == Length::whole ? help : "");
  }
  table.end();
}
