#pragma once

#include <string>
#include <utility>

#include "evaluated.hpp"

namespace tests {

constexpr std::uint64_t kGiBBytes = 1ULL << 30U;

/// A start of SGLang on a card of no make with 100 GiB, all of it free, 25 GiB of weights and a
/// fraction of 0.75: 100 x 0.75 - 25 = 50 GiB for the caches.
struct Start {
  std::string fixture;
  std::string version = "0.5.17";
  Json args = Json::object();
  std::uint64_t count = 1;
  Json workload = Json::object();
};

inline Json request_of(const Start& start) {
  Json args = {{"mem-fraction-static", 0.75}};
  args.update(start.args);
  return {
      {"model", {{"id", start.fixture}, {"config", config_fixture(start.fixture)}}},
      {"gpu",
       {{"total_bytes", 100 * kGiBBytes}, {"free_bytes", 100 * kGiBBytes}, {"count", start.count}}},
      {"engine", {{"name", "sglang"}, {"version", start.version}, {"args", args}}},
      {"workload", start.workload},
      {"measured", {{"weights_bytes", 25 * kGiBBytes}, {"non_torch_bytes", 0}}}};
}

inline Json answer_to(const Start& start) {
  Json report = evaluate(request_of(start));
  INFO(report.dump().substr(0, 400));
  REQUIRE_FALSE(report.contains("error"));
  return report;
}

inline std::uint64_t tokens_of(const Start& start) {
  return answer_to(start)["cache"]["tokens"]["best"];
}

/// "<code> at <path>" of a refused request, or the limit of an answered one.
inline std::string outcome_of(const Json& request) {
  const Json report = evaluate(request);
  if (report.contains("error")) {
    return report["error"]["code"].get<std::string>() + " at " +
           report["error"]["path"].get<std::string>();
  }
  return report["verdict"]["limit"];
}

inline Json pool_named(const Json& report, const std::string& name) {
  for (const Json& pool : report["memory"]["pools"]) {
    if (pool["name"] == name) {
      return pool;
    }
  }
  return nullptr;
}

inline bool assumes(const Json& report, const std::string& words) {
  for (const Json& text : report["assumptions"]) {
    if (text.get<std::string>().find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace tests
