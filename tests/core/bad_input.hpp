#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "fixtures.hpp"

/// Requests with something wrong in one place, and what is said of them.
namespace bad_input {

using fixtures::answer;
using fixtures::Json;
using Pointer = Json::json_pointer;

/// What an error says, as "code at path"; the report's verdict when there is none.
inline std::string outcome(const Json& answer) {
  if (!answer.contains("error")) {
    return "no error: " + answer.at("verdict").at("limit").get<std::string>();
  }
  const Json& error = answer.at("error");
  CHECK(error.size() == 3);
  const std::string message = error.at("message");
  CHECK(message.size() >= 20);
  CHECK(message.size() <= 800);
  return error.at("code").get<std::string>() + " at " + error.at("path").get<std::string>();
}

/// The default request with one value put at a place such as "/gpu/count".
inline Json with(const char* place, const Json& value, Json request = fixtures::request()) {
  request[Pointer(place)] = value;
  return request;
}

inline std::string outcome_of(const char* place, const Json& value) {
  INFO(place << " = " << value.dump().substr(0, 80));
  return outcome(answer(with(place, value)));
}

inline std::string config_outcome(const char* key, const Json& value) {
  return outcome_of((std::string("/model/config/") + key).c_str(), value);
}

inline Json request_with(const Json& config) {
  Json request = fixtures::request();
  request["model"] = {{"config", config}};
  return request;
}

inline std::string message_of(const Json& answer) {
  return answer.contains("error") ? answer.at("error").at("message").get<std::string>() : "";
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

inline std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

}  // namespace bad_input
