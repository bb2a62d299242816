#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string scan(std::string_view /*query*/) { return write_error({"not_ready", "scan", ""}, {}); }

}  // namespace ridgepoint::api
