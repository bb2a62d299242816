#include <cstdint>
#include <ostream>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "json_text.hpp"
#include "tables.hpp"

namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error("environment: " + name + ": " + why);
}

std::string text(const json& entry, const std::string& name, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty()) {
    refuse(name, std::string("needs the text '") + key + "'");
  }
  return found->get<std::string>();
}

/// A name, or the beginning of names with a star at its end.
void check_spelling(const std::string& name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || (c == '*' && i + 1 == name.size() && i != 0);
    if (!plain) refuse(name, "has a character no variable has");
  }
}

std::string one_of(const json& entry, const std::string& name, const char* key,
                   const std::set<std::string>& values) {
  std::string value = text(entry, name, key);
  if (values.count(value) == 0) refuse(name, std::string("'") + key + "' is '" + value + "'");
  return value;
}

}  // namespace

void compile_environment(const nlohmann::json& document, std::ostream& out, Length /*length*/) {
  const auto variables = document.find("variables");
  if (variables == document.end() || !variables->is_array() || variables->empty()) {
    throw std::runtime_error("environment: needs a list 'variables' that is not empty");
  }
  std::set<std::pair<std::string, std::string>> seen;
  out << "constexpr VariableFacts kVariables[] = {\n";
  for (const json& entry : *variables) {
    if (!entry.is_object()) throw std::runtime_error("environment: an entry is no object");
    const std::string name = text(entry, "an entry", "name");
    check_spelling(name);
    for (const auto& [key, value] : entry.items()) {
      if (key != "name" && key != "engine" && key != "use" && key != "note" && key != "source") {
        refuse(name, "has the unknown key '" + key + "'");
      }
    }
    const std::string engine =
        one_of(entry, name, "engine", {"any", "vllm", "sglang", "trtllm", "llamacpp"});
    if (!seen.insert({name, engine}).second) refuse(name, "is there twice for " + engine);
    // A fact nobody can look up is not kept, though the table has no use for the source itself.
    text(entry, name, "source");
    out << "    {" << cpp_string(name) << ", " << cpp_string(engine == "any" ? "" : engine)
        << ", Use::" << one_of(entry, name, "use", {"used", "no_effect", "unmodelled"}) << ", "
        << cpp_string(text(entry, name, "note")) << "},\n";
  }
  out << "};\n";
}
