#include <cstdint>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>

#include "table_text.hpp"
#include "tables.hpp"

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& id, const std::string& why) {
  throw std::runtime_error("models: " + id + ": " + why);
}

std::string text(const json& entry, const std::string& id, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty()) {
    refuse(id, std::string("needs the text '") + key + "'");
  }
  return found->get<std::string>();
}

std::string lower(std::string value) {
  for (char& c : value) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return value;
}

/// Null is "not published", which the table says as 0.
std::uint64_t parameters(const json& entry, const std::string& id) {
  const auto found = entry.find("parameters");
  if (found == entry.end()) refuse(id, "needs 'parameters', a whole number or null");
  if (found->is_null()) return 0;
  if (!found->is_number_unsigned() || *found == 0) refuse(id, "'parameters' is no whole number");
  return found->get<std::uint64_t>();
}

/// The reader tells an architecture by these two; an entry without them could never be sized.
std::string config(const json& entry, const std::string& id) {
  const auto found = entry.find("config");
  if (found == entry.end() || !found->is_object()) refuse(id, "needs the object 'config'");
  const auto names = found->find("architectures");
  if (names == found->end() || !names->is_array() || names->size() != 1 ||
      !names->front().is_string()) {
    refuse(id, "config needs one name in 'architectures'");
  }
  const auto type = found->find("model_type");
  if (type == found->end() || !type->is_string()) refuse(id, "config needs 'model_type'");
  return found->dump();
}

}  // namespace

void compile_models(const nlohmann::json& document, std::ostream& out, Length /*length*/) {
  const auto models = document.find("models");
  if (models == document.end() || !models->is_array() || models->empty()) {
    throw std::runtime_error("models: needs a list 'models' that is not empty");
  }
  std::set<std::string> seen;
  TableTextWriter table(out, "kModels");
  for (const json& entry : *models) {
    if (!entry.is_object()) throw std::runtime_error("models: an entry is no object");
    const std::string id = text(entry, "an entry", "id");
    if (!seen.insert(lower(id)).second) refuse(id, "is there twice");
    for (const auto& [key, value] : entry.items()) {
      if (key != "id" && key != "config" && key != "parameters" && key != "source") {
        refuse(id, "has the unknown key '" + key + "'");
      }
    }
    table.text(id);
    table.text(config(entry, id));
    table.number(parameters(entry, id));
    table.text(text(entry, id, "source"));
  }
  table.end();
}
