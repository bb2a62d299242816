#pragma once

#include <string>
#include <utility>

#include "evaluated.hpp"

/// Short ways to a llama.cpp request and to what its report says, in MiB as its logs print.
namespace llamacpp_requests {

using tests::Json;

constexpr double kMiB = 1048576.0;

/// A card on which nothing is short.
inline Json roomy() { return {{"total_bytes", 4000ULL << 30U}}; }

inline Json request(const Json& config, const std::string& build, Json args, Json gpu = roomy()) {
  return {{"model", {{"config", config}}},
          {"gpu", std::move(gpu)},
          {"engine", {{"name", "llamacpp"}, {"version", build}, {"args", std::move(args)}}}};
}

inline Json start(const std::string& fixture, const std::string& build, Json args,
                  Json gpu = roomy()) {
  Json report = tests::evaluate(
      request(tests::config_fixture(fixture), build, std::move(args), std::move(gpu)));
  INFO(report.dump().substr(0, 400));
  REQUIRE(report.contains("memory"));
  return report;
}

inline Json refusal(const std::string& build, Json args, Json gpu = roomy(),
                    const std::string& fixture = "meta-llama--Meta-Llama-3-8B") {
  Json report = tests::evaluate(
      request(tests::config_fixture(fixture), build, std::move(args), std::move(gpu)));
  INFO(report.dump().substr(0, 400));
  REQUIRE(report.contains("error"));
  return report["error"];
}

inline double mib(const Json& report, const char* term) {
  return report["memory"]["per_gpu"][term]["best"].get<double>() / kMiB;
}

/// Bytes of one of the caches of the tightest card; 0 when it has none.
inline double pool(const Json& report, const std::string& name) {
  for (const Json& each : report["memory"]["pools"]) {
    if (each["name"] == name) {
      return each["bytes"]["best"].get<double>() / kMiB;
    }
  }
  return 0;
}

inline std::uint64_t slots(const Json& report, const std::string& name) {
  for (const Json& each : report["memory"]["pools"]) {
    if (each["name"] == name) {
      return each["slots"].get<std::uint64_t>();
    }
  }
  return 0;
}

inline bool says(const Json& report, const std::string& words) {
  for (const Json& text : report["assumptions"]) {
    if (text.get<std::string>().find(words) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace llamacpp_requests
