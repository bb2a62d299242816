#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string advise(std::string_view /*query*/) {
  return write_error({"not_ready", "advise", ""}, {});
}

}  // namespace ridgepoint::api
