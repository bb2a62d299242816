#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string compare(std::string_view /*query*/) {
  return write_error({"not_ready", "compare", ""}, {});
}

}  // namespace ridgepoint::api
