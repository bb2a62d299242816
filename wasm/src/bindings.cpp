#include <emscripten/bind.h>

#include <span>
#include <string>

#include "api/api.hpp"

namespace {

std::string evaluate(const std::string& request) { return ridgepoint::api::evaluate(request); }
std::string kv_plan(const std::string& line) { return ridgepoint::api::kv_plan(line); }
std::string catalogue() { return ridgepoint::api::catalogue(); }
std::string version() { return std::string(ridgepoint::api::version()); }

// Text on this side of the boundary and bytes on the other: JavaScript passes a Uint8Array.
std::string read_checkpoint_header(const std::string& bytes) {
  return ridgepoint::api::read_checkpoint_header(
      std::as_bytes(std::span(bytes.data(), bytes.size())));
}

}  // namespace

EMSCRIPTEN_BINDINGS(ridgepoint) {
  emscripten::function("evaluate", &evaluate);
  emscripten::function("kvPlan", &kv_plan);
  emscripten::function("catalogue", &catalogue);
  emscripten::function("version", &version);
  emscripten::function("readCheckpointHeader", &read_checkpoint_header);
}
