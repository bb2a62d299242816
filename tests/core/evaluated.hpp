#pragma once

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>

#include "api/api.hpp"

namespace tests {

using Json = nlohmann::json;

constexpr double kGiB = 1073741824.0;

inline std::optional<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// A file of the shared corpora, which may be absent on a user's machine.
inline std::optional<std::string> shared_file(const std::string& name) {
  if (const char* folder = std::getenv("RIDGEPOINT_SHARED")) {
    return read_text(std::string(folder) + "/" + name);
  }
  return read_text(std::string(RIDGEPOINT_FIXTURES) + "/../../../shared/" + name);
}

inline Json config_fixture(const std::string& name) {
  const auto text = read_text(std::string(RIDGEPOINT_FIXTURES) + "/configs/" + name + ".json");
  REQUIRE(text);
  return Json::parse(*text);
}

inline Json evaluate(const Json& request) {
  return Json::parse(ridgepoint::api::evaluate(request.dump()));
}

/// Whether a report advises a change that begins so.
inline bool advises(const Json& report, const std::string& change) {
  for (const Json& advice : report["advice"]) {
    if (advice["change"].get<std::string>().rfind(change, 0) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace tests
