#include <ostream>
#include <set>
#include <stdexcept>
#include <string>

#include "json_text.hpp"
#include "tables.hpp"

namespace {

using nlohmann::json;

std::string text(const json& entry, const std::string& id, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty()) {
    throw std::runtime_error("prices: " + id + " needs the text '" + key + "'");
  }
  return found->get<std::string>();
}

/// "2026-11-09"
std::string date(const json& entry, const std::string& id) {
  std::string day = text(entry, id, "date");
  bool valid = day.size() == 10;
  for (std::size_t i = 0; valid && i < day.size(); ++i) {
    valid = i == 4 || i == 7 ? day[i] == '-' : day[i] >= '0' && day[i] <= '9';
  }
  if (!valid) throw std::runtime_error("prices: the date of " + id + " is not like 2026-11-09");
  return day;
}

double price(const json& entry, const std::string& id) {
  const auto found = entry.find("per_hour");
  if (found == entry.end() || !found->is_number() || !(found->get<double>() > 0)) {
    throw std::runtime_error("prices: " + id + " needs 'per_hour', a number above 0");
  }
  return found->get<double>();
}

}  // namespace

void compile_prices(const json& document, std::ostream& out, Length /*length*/) {
  if (!document.is_object() || !document.contains("prices") || !document.at("prices").is_array() ||
      !document.contains("sources")) {
    throw std::runtime_error("prices: needs 'sources' and the list 'prices'");
  }
  const json& sources = document.at("sources");
  const json& prices = document.at("prices");
  std::set<std::string> seen;
  out << "constexpr ListPrices kList{" << cpp_string(text(document, "the table", "currency"))
      << ", " << cpp_string(date(document, "the table")) << ", "
      << cpp_string(text(document, "the table", "source")) << "};\n";
  // A table without prices still needs an element.
  out << "constexpr CardPrice kPrices[] = {\n    {{}, 0.0, {}, {}},\n";
  for (const json& entry : prices) {
    const std::string id = text(entry, "an entry", "id");
    if (!seen.insert(id).second) throw std::runtime_error("prices: " + id + " is there twice");
    const std::string source = text(entry, id, "source");
    if (!sources.contains(source)) {
      std::string message = "prices: " + id;
      message += " names the unknown source '";
      message += source;
      throw std::runtime_error(message + "'");
    }
    out << "    {" << cpp_string(id) << ", " << cpp_double(price(entry, id)) << ", "
        << cpp_string(date(entry, id)) << ", " << cpp_string(sources.at(source).get<std::string>())
        << "},\n";
  }
  out << "};\n";
}
