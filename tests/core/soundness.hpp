#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

/// Whether an answer, whatever the input, is one a reader can trust.
namespace soundness {

using Json = nlohmann::json;

/// Nothing is left that would tell a reader nonsense: the first such thing, else empty.
inline std::string nonsense(const Json& value, const std::string& path) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    return path + " is not finite";
  }
  if (value.is_number() && value.get<double>() < 0) {
    return path + " is negative: " + value.dump();
  }
  if (value.is_object() && value.contains("low") && value.contains("high")) {
    // A quotient that is too large to print is null.
    for (const char* key : {"low", "best", "high"}) {
      if (!value.at(key).is_number()) {
        return path + "." + key + " is no number";
      }
    }
    if (value.at("low") > value.at("best") || value.at("best") > value.at("high")) {
      return path + " is out of order: " + value.dump();
    }
  }
  if (value.is_structured()) {
    for (const auto& item : value.items()) {
      std::string inner = nonsense(item.value(), path + "." + item.key());
      if (!inner.empty()) {
        return inner;
      }
    }
  }
  return {};
}

inline std::string unsound_error(const Json& error) {
  if (!error.is_object() || error.value("code", "").empty() ||
      error.value("message", "").size() < 20 || !error.contains("path")) {
    return "an error without code, message or path: " + error.dump();
  }
  return {};
}

/// An error with code and path, or a report whose numbers can be; else what is wrong with it.
inline std::string unsound(const Json& answer) {
  if (answer.contains("error")) {
    return unsound_error(answer.at("error"));
  }
  for (const char* part : {"schema", "model", "verdict", "memory", "cache", "capacity", "naive",
                           "speed", "advice", "explain", "assumptions"}) {
    if (!answer.contains(part)) {
      return std::string("no part ") + part;
    }
  }
  std::string wrong = nonsense(answer, "report");
  if (!wrong.empty()) {
    return wrong;
  }
  const Json& memory = answer.at("memory").at("per_gpu");
  if (memory.at("kv_pool").at("high") > memory.at("total")) {
    return "the pool is larger than the card: " + memory.at("kv_pool").dump();
  }
  if (memory.at("requested").is_number() && memory.at("requested") > memory.at("total")) {
    return "more is requested than the card has";
  }
  if (answer.at("model").at("active_parameters") > answer.at("model").at("parameters")) {
    return "more parameters are active than there are";
  }
  const bool serves = answer.at("verdict").at("serves");
  if (serves != (answer.at("verdict").at("limit") == "none")) {
    return "serves and limit disagree";
  }
  if (serves && answer.at("capacity").at("max_requests").at("best") == 0) {
    return "serves no request at all";
  }
  return {};
}

}  // namespace soundness
