#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string recommend(std::string_view /*query*/) {
  return write_error({"not_ready", "recommend", ""}, {});
}

}  // namespace ridgepoint::api
