#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluated.hpp"

/// Start-up logs written for the tests in the wordings of each engine and era, with invented
/// figures that satisfy the engine's own sums, and short ways to what is read from them.
namespace start_logs {

using tests::Json;

inline Json read(const std::string& log, const Json& request = nullptr) {
  const Json query = {{"id", "q"}, {"request", request}};
  return Json::parse(ridgepoint::api::read_log(log, query.dump()));
}

/// Bytes of a printed figure of GiB or MiB, rounded as a reader must.
inline std::uint64_t gib(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1073741824.0));
}
inline std::uint64_t mib(double value) {
  return static_cast<std::uint64_t>(std::llround(value * 1048576.0));
}

/// The last value of a term among the facts; null when there is none.
inline Json fact(const Json& answer, std::string_view term) {
  Json found;
  for (const Json& entry : answer["facts"]) {
    if (entry["term"] == term) {
      found = entry["value"];
    }
  }
  return found;
}

inline bool has_event(const Json& answer, std::string_view term) {
  for (const Json& entry : answer["facts"]) {
    if (entry["term"] == term && entry["unit"] == "event") {
      return true;
    }
  }
  return false;
}

inline Json compared(const Json& answer, std::string_view term) {
  for (const Json& entry : answer["comparison"]) {
    if (entry["term"] == term) {
      return entry;
    }
  }
  return nullptr;
}

inline bool mentions(const Json& list, std::string_view text) {
  for (const Json& entry : list) {
    if (entry.get<std::string>().find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

struct Named {
  std::string name;
  std::string text;
};

/// Every log below, for tests that hold of all of them.
const std::vector<Named>& all();

const std::string& named(std::string_view name);

}  // namespace start_logs
