#include <emscripten/bind.h>

#include <string>

#include "api/api.hpp"

namespace {

std::string evaluate(const std::string& request) { return ridgepoint::api::evaluate(request); }
std::string catalogue() { return ridgepoint::api::catalogue(); }
std::string version() { return std::string(ridgepoint::api::version()); }

}  // namespace

EMSCRIPTEN_BINDINGS(ridgepoint) {
  emscripten::function("evaluate", &evaluate);
  emscripten::function("catalogue", &catalogue);
  emscripten::function("version", &version);
}
