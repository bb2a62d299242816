#include "api/api.hpp"

#include <nlohmann/json.hpp>

#include "api/report.hpp"
#include "api/request.hpp"

namespace ridgepoint::api {
std::string evaluate(std::string_view request_text) {
  const auto value = json::parse(request_text, "");
  if (!value) {
    return write_error(value.error(), {});
  }
  const std::string id = id_of(value.value());
  const auto request = read_request(value.value());
  if (!request) {
    return write_error(request.error(), id);
  }
  const auto report = plan::fit(request.value());
  return report ? write_report(request.value(), report.value(), id)
                : write_error(report.error(), id);
}

std::string_view version() { return RIDGEPOINT_VERSION; }

}  // namespace ridgepoint::api
