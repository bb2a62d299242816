#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string read_log(std::string_view /*log*/, std::string_view /*query*/) {
  return write_error({"not_ready", "read_log", ""}, {});
}

}  // namespace ridgepoint::api
