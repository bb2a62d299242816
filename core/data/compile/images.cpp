#include <array>
#include <ostream>
#include <stdexcept>
#include <string>

#include "json_text.hpp"
#include "tables.hpp"
#include "version_number.hpp"

namespace {

using nlohmann::json;

constexpr std::array kServerKeys = {"engine",    "port",         "health",        "workdir",
                                    "caches",    "local_host",   "shared_memory", "ulimits",
                                    "negatives", "command_line", "not_served",    "source"};
constexpr std::array kImageKeys = {"engine", "vendor",  "architecture", "image", "since",
                                   "until",  "program", "model_flag",   "note",  "source"};

[[noreturn]] void refuse(const json& entry, const std::string& why) {
  throw std::runtime_error("images: " + entry.dump().substr(0, 100) + ": " + why);
}

template <std::size_t N>
void check_keys(const json& entry, const std::array<const char*, N>& keys) {
  if (!entry.is_object()) refuse(entry, "is no object");
  for (const auto& item : entry.items()) {
    bool known = false;
    for (const char* key : keys) known = known || item.key() == key;
    if (!known) refuse(entry, "has the unknown key '" + item.key() + "'");
  }
}

std::string text(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_string() || found->get<std::string>().empty()) {
    refuse(entry, std::string("needs the text '") + key + "'");
  }
  return found->get<std::string>();
}

std::string text_or_empty(const json& entry, const char* key) {
  return entry.contains(key) ? text(entry, key) : std::string();
}

std::uint32_t version(const json& entry, const char* key) {
  const std::string value = text_or_empty(entry, key);
  if (value.empty()) return 0;
  const auto number = version_number(value);
  if (!number) refuse(entry, std::string("'") + key + "' is no version");
  return *number;
}

const char* boolean(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_boolean()) {
    refuse(entry, std::string("needs '") + key + "', true or false");
  }
  return found->get<bool>() ? "true" : "false";
}

/// A list of words, which an entry may leave out.
std::string words(const json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end()) return {};
  if (!found->is_array() || found->empty()) {
    refuse(entry, std::string("'") + key + "' is no list");
  }
  std::string all;
  for (const json& item : *found) {
    if (!item.is_string()) refuse(entry, std::string("'") + key + "' is no list of texts");
    all += (all.empty() ? "" : " ") + item.get<std::string>();
  }
  return all;
}

void write_server(const json& entry, std::ostream& out) {
  check_keys(entry, kServerKeys);
  text(entry, "source");
  const auto port = entry.find("port");
  if (port == entry.end() || !port->is_number_unsigned() || port->get<unsigned>() > 65535) {
    refuse(entry, "needs a port");
  }
  out << "    {" << cpp_string(text(entry, "engine")) << ", " << port->get<unsigned>() << ", "
      << cpp_string(text(entry, "health")) << ", " << cpp_string(text(entry, "workdir")) << ", "
      << cpp_string(words(entry, "caches")) << ", " << boolean(entry, "local_host") << ", "
      << boolean(entry, "shared_memory") << ", " << boolean(entry, "ulimits") << ", "
      << cpp_string(words(entry, "negatives")) << ", " << cpp_string(words(entry, "command_line"))
      << ", " << cpp_string(words(entry, "not_served")) << "},\n";
}

void write_image(const json& entry, std::ostream& out) {
  check_keys(entry, kImageKeys);
  text(entry, "source");
  const std::uint32_t since = version(entry, "since");
  const std::uint32_t until = version(entry, "until");
  if (until != 0 && until < since) refuse(entry, "ends before it begins");
  out << "    {" << cpp_string(text(entry, "engine")) << ", " << cpp_string(text(entry, "vendor"))
      << ", " << cpp_string(text_or_empty(entry, "architecture")) << ", "
      << cpp_string(text(entry, "image")) << ", " << since << ", " << until << ", "
      << cpp_string(text_or_empty(entry, "program")) << ", "
      << cpp_string(text_or_empty(entry, "model_flag")) << ", "
      << cpp_string(text_or_empty(entry, "note")) << "},\n";
}

const json& list(const json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end() || !found->is_array() || found->empty()) {
    throw std::runtime_error(std::string("images: needs the list '") + key + "'");
  }
  return *found;
}

}  // namespace

void compile_images(const json& document, std::ostream& out, Length /*length*/) {
  out << "constexpr ServerFacts kServers[] = {\n";
  for (const json& entry : list(document, "servers")) write_server(entry, out);
  out << "};\n\nconstexpr ImageFacts kImages[] = {\n";
  for (const json& entry : list(document, "images")) write_image(entry, out);
  out << "};\n";
}
