#pragma once

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.hpp"
#include "evaluated.hpp"

/// Setups of tests/fixtures/commands, and short ways from one to its command.
namespace commands {

using tests::Json;

inline constexpr const char* kForms[] = {"shell", "docker", "compose", "kubernetes"};

inline const std::vector<Json>& setups() {
  static const std::vector<Json> all = [] {
    const auto text = tests::read_text(std::string(RIDGEPOINT_FIXTURES) + "/commands/setups.json");
    REQUIRE(text);
    return Json::parse(*text).get<std::vector<Json>>();
  }();
  return all;
}

/// A fixture's name as its model is called: "org--name" is "org/name".
inline Json model_of(const std::string& fixture) {
  std::string id = fixture;
  const std::size_t dashes = id.find("--");
  if (dashes != std::string::npos) {
    id.replace(dashes, 2, "/");
  }
  return {{"id", id}, {"config", tests::config_fixture(fixture)}};
}

inline Json request_of(const Json& setup) {
  Json request;
  request["model"] = model_of(setup["fixture"]);
  if (setup.contains("draft")) {
    request["model"]["draft"] = model_of(setup["draft"]);
  }
  request["gpu"] = {{"id", setup["gpu"]}, {"count", setup["count"]}};
  request["engine"] = {
      {"name", setup["engine"]}, {"version", setup["version"]}, {"args", setup["args"]}};
  if (setup.contains("env")) {
    request["engine"]["env"] = setup["env"];
  }
  if (setup.contains("workload")) {
    request["workload"] = setup["workload"];
  }
  return request;
}

/// Meta-Llama-3-8B on one card, to be changed in one place by a test.
inline Json request(const char* engine, const char* version, const Json& args) {
  return request_of({{"fixture", "meta-llama--Meta-Llama-3-8B"},
                     {"gpu", "h100"},
                     {"count", 1},
                     {"engine", engine},
                     {"version", version},
                     {"args", args}});
}

inline Json write(const Json& request, const char* form) {
  const Json query = {{"id", "a"}, {"request", request}, {"form", form}};
  return Json::parse(ridgepoint::api::write_command(query.dump()));
}

inline std::string text(const Json& request, const char* form) {
  const Json answer = write(request, form);
  INFO(answer.dump().substr(0, 600));
  REQUIRE(answer.contains("text"));
  return answer["text"];
}

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// Lines of a text that are no comment.
inline std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first >= text.size() || text[first] != '#') {
      out += text.substr(at, end - at) + "\n";
    }
    at = end + 1;
  }
  return out;
}

}  // namespace commands
