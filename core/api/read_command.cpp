#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string read_command(std::string_view /*query*/) {
  return write_error({"not_ready", "read_command", ""}, {});
}

}  // namespace ridgepoint::api
