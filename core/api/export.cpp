#include "api/api.hpp"
#include "api/report.hpp"

namespace ridgepoint::api {

std::string export_answer(std::string_view /*query*/) {
  return write_error({"not_ready", "export_answer", ""}, {});
}

}  // namespace ridgepoint::api
