#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string explain(std::string_view /*query*/) {
  return write_error({"not_ready", "explain", ""}, {});
}

}  // namespace ridgepoint::api
