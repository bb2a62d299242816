#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "json_text.hpp"
#include "table_text.hpp"
#include "tables.hpp"

namespace {

using nlohmann::json;

constexpr double kMiB = 1024.0 * 1024.0;
constexpr double kGiB = 1024.0 * kMiB;

[[noreturn]] void refuse(const std::string& id, const std::string& why) {
  throw std::runtime_error("gpus: " + id + ": " + why);
}

/// A numeric fact and the range outside of which it is a slip of the pen, most often of the unit.
struct Range {
  std::string_view key;
  double low;
  double high;
  bool required;
};

constexpr std::array kIntegers{
    Range{"year", 2010, 2100, true},          Range{"compute_capability", 30, 300, false},
    Range{"multiprocessors", 1, 1000, false}, Range{"marketing_gb", 1, 10000, true},
    Range{"total_bytes", kGiB, 1e13, true},   Range{"driver_total_bytes", kGiB, 1e13, false},
    Range{"tdp_w", 5, 10000, false},
};

constexpr std::array kRates{
    Range{"bandwidth_bytes_per_s", 10e9, 100e12, true},
    Range{"fp16_flops", 1e12, 100e15, true},
    Range{"bf16_flops", 1e12, 100e15, false},
    Range{"fp8_flops", 1e12, 100e15, false},
    Range{"int8_ops", 1e12, 100e15, false},
    Range{"fp4_flops", 1e12, 100e15, false},
    Range{"link_bytes_per_s", 10e9, 100e12, false},
};

/// Facts that are no numbers, and so have no range.
constexpr std::array<std::string_view, 3> kOtherFacts{"memory", "pcie", "unified_memory"};

/// What names or describes a card rather than states a fact about it.
constexpr std::array<std::string_view, 8> kPlain{
    "id", "name", "vendor", "architecture", "total_is_measured", "aliases", "note", "source"};

constexpr std::array<std::string_view, 6> kVendors{"nvidia", "amd",    "intel",
                                                   "apple",  "google", "aws"};

bool is_fact(std::string_view key) {
  const auto named = [key](const Range& range) { return range.key == key; };
  return std::any_of(kIntegers.begin(), kIntegers.end(), named) ||
         std::any_of(kRates.begin(), kRates.end(), named) ||
         std::find(kOtherFacts.begin(), kOtherFacts.end(), key) != kOtherFacts.end();
}

bool is_plain(std::string_view key) {
  return std::find(kPlain.begin(), kPlain.end(), key) != kPlain.end();
}

std::string text(const json& card, const std::string& id, const char* key) {
  const auto found = card.find(key);
  if (found == card.end() || !found->is_string() || found->get<std::string>().empty()) {
    refuse(id, std::string("needs the text '") + key + "'");
  }
  return found->get<std::string>();
}

std::string optional_text(const json& card, const std::string& id, const char* key) {
  return card.contains(key) ? text(card, id, key) : std::string();
}

bool flag(const json& card, const std::string& id, const char* key, bool absent) {
  const auto found = card.find(key);
  if (found == card.end()) return absent;
  if (!found->is_boolean()) refuse(id, std::string("'") + key + "' is neither true nor false");
  return found->get<bool>();
}

double number(const json& card, const std::string& id, const Range& range) {
  const std::string key(range.key);
  const auto found = card.find(key);
  if (found == card.end()) {
    if (range.required) refuse(id, "needs the number '" + key + "'");
    return 0;
  }
  if (!found->is_number()) refuse(id, "'" + key + "' is no number");
  const double value = found->get<double>();
  // Written so that it refuses a NaN too.
  if (!(value >= range.low && value <= range.high)) {
    refuse(id, "'" + key + "' is " + cpp_double(value) + ", expected " + cpp_double(range.low) +
                   " to " + cpp_double(range.high));
  }
  return value;
}

std::uint64_t integer(const json& card, const std::string& id, std::string_view key) {
  const auto range = std::find_if(kIntegers.begin(), kIntegers.end(),
                                  [key](const Range& candidate) { return candidate.key == key; });
  number(card, id, *range);
  const auto found = card.find(std::string(key));
  if (found == card.end()) return 0;
  if (!found->is_number_unsigned()) refuse(id, "'" + std::string(key) + "' is no whole number");
  return found->get<std::uint64_t>();
}

/// Lookup folds letter case and separators before it compares, so a name that is not in that form
/// already could never be found.
void check_name(const std::string& id, const std::string& name) {
  const bool ends_well = !name.empty() && name.front() != '-' && name.back() != '-' &&
                         name.find("--") == std::string::npos;
  const bool spelled_well = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.';
  });
  if (!ends_well || !spelled_well || name.size() > 64) {
    refuse(id, "the name '" + name + "' is not up to 64 of a-z, 0-9, +, . and single dashes");
  }
}

std::vector<std::string> read_aliases(const json& card, const std::string& id) {
  std::vector<std::string> aliases;
  const auto found = card.find("aliases");
  if (found == card.end()) return aliases;
  if (!found->is_array()) refuse(id, "'aliases' is no list");
  for (const json& alias : *found) {
    if (!alias.is_string()) refuse(id, "'aliases' holds something that is no text");
    aliases.push_back(alias.get<std::string>());
  }
  return aliases;
}

/// Every fact names one of the file's sources, and no source is named for what is not there.
void check_sources(const json& card, const std::string& id, const json& sources) {
  const auto given = card.find("source");
  if (given == card.end() || !given->is_object()) refuse(id, "needs the object 'source'");
  for (const auto& [key, value] : card.items()) {
    if (!is_fact(key) && !is_plain(key)) refuse(id, "'" + key + "' is no field of a card");
    if (is_fact(key) && !given->contains(key)) refuse(id, "'" + key + "' has no source");
  }
  for (const auto& [key, value] : given->items()) {
    if (!is_fact(key) || !card.contains(key)) refuse(id, "a source for '" + key + "', not given");
    if (!value.is_string() || !sources.contains(value.get<std::string>())) {
      refuse(id, "the source of '" + key + "' is not in 'sources'");
    }
  }
}

/// A runtime total above the driver's, or far from the figure on the box, is a slip.
void check_memory(const std::string& id, std::uint64_t total, std::uint64_t driver_total,
                  std::uint64_t marketing_gb) {
  if (driver_total != 0 && total > driver_total) {
    refuse(id, "'total_bytes' is above 'driver_total_bytes'");
  }
  const double nominal = static_cast<double>(marketing_gb) * kGiB;
  for (const std::uint64_t bytes : {total, driver_total}) {
    if (bytes == 0) continue;
    const double share = static_cast<double>(bytes) / nominal;
    if (share < 0.6 || share > 1.03) refuse(id, "memory and 'marketing_gb' disagree");
  }
}

void write_card(const json& card, const std::string& id, const json& sources,
                const std::vector<std::string>& aliases, Length length, TableTextWriter& table) {
  const std::string vendor = text(card, id, "vendor");
  if (std::find(kVendors.begin(), kVendors.end(), vendor) == kVendors.end()) {
    refuse(id, "the vendor '" + vendor + "' is not known");
  }
  if (card.contains("compute_capability") != (vendor == "nvidia")) {
    refuse(id, "'compute_capability' is for NVIDIA cards, and for all of them");
  }
  const std::uint64_t total = integer(card, id, "total_bytes");
  const std::uint64_t driver_total = integer(card, id, "driver_total_bytes");
  const std::uint64_t marketing_gb = integer(card, id, "marketing_gb");
  check_memory(id, total, driver_total, marketing_gb);
  text(card, id, "memory");
  optional_text(card, id, "note");

  std::string joined;
  for (const std::string& alias : aliases) joined += (joined.empty() ? "" : " ") + alias;
  const std::string total_source =
      sources.at(card.at("source").at("total_bytes").get<std::string>()).get<std::string>();

  table.text(id);
  table.text(text(card, id, "name"));
  table.text(vendor);
  table.text(text(card, id, "architecture"));
  // The short table leaves out what no estimate reads.
  const bool whole = length == Length::whole;
  const std::uint64_t year = integer(card, id, "year");
  table.number(whole ? year : 0);
  table.number(integer(card, id, "compute_capability"));
  table.number(integer(card, id, "multiprocessors"));
  table.number(marketing_gb);
  table.number(total);
  table.number(driver_total);
  for (const Range& rate : kRates) {
    const double value = number(card, id, rate);
    table.whole(whole || (rate.key != "int8_ops" && rate.key != "fp4_flops") ? value : 0);
  }
  const std::string pcie = optional_text(card, id, "pcie");
  table.text(whole ? pcie : "");
  const std::uint64_t tdp = integer(card, id, "tdp_w");
  table.number(whole ? tdp : 0);
  table.number(flag(card, id, "unified_memory", false) ? 1 : 0);
  const bool measured = flag(card, id, "total_is_measured", false);
  table.number(measured ? 1 : 0);
  table.text(whole || !measured ? total_source : "");
  // By other names than the first the whole library finds it.
  table.text(whole || aliases.empty() ? joined : aliases.front());
}

}  // namespace

void compile_gpus(const json& document, std::ostream& out, Length length) {
  if (!document.is_object() || !document.contains("sources") || !document.contains("gpus")) {
    throw std::runtime_error("gpus: needs 'sources' and 'gpus'");
  }
  const json& sources = document.at("sources");
  const json& cards = document.at("gpus");
  if (!sources.is_object() || !cards.is_array() || cards.empty()) {
    throw std::runtime_error("gpus: 'sources' is no object, or 'gpus' no list of cards");
  }
  for (const auto& [key, value] : sources.items()) {
    if (!value.is_string() || value.get<std::string>().empty()) {
      throw std::runtime_error("gpus: the source '" + key + "' is no text");
    }
  }

  std::map<std::string, std::string> names;
  TableTextWriter table(out, "kDevices");
  for (const json& card : cards) {
    if (!card.is_object()) throw std::runtime_error("gpus: a card is no object");
    const std::string id = text(card, "a card", "id");
    const auto add = [&](const std::string& name) {
      check_name(id, name);
      const auto [other, is_new] = names.emplace(name, id);
      if (!is_new) refuse(id, "the name '" + name + "' is that of " + other->second);
    };
    add(id);
    const std::vector<std::string> aliases = read_aliases(card, id);
    for (const std::string& alias : aliases) add(alias);
    check_sources(card, id, sources);
    write_card(card, id, sources, aliases, length, table);
  }
  table.end();
  out << "constexpr bool kAllNames = " << (length == Length::whole ? "true" : "false") << ";\n";
}
