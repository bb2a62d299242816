#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string write_command(std::string_view /*query*/) {
  return write_error({"not_ready", "write_command", ""}, {});
}

}  // namespace ridgepoint::api
