// The module for the first answer, by functions that a few lines of JavaScript can call: a text is
// an address and a length, and what comes back is kept until the next call.
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/api.hpp"

#define RIDGEPOINT_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace {

std::string answer;

}  // namespace

/// Room for a text that `evaluate` takes over.
RIDGEPOINT_EXPORT(room) char* room(std::size_t size) {
  return static_cast<char*>(std::malloc(size));
}

RIDGEPOINT_EXPORT(evaluate) const char* evaluate(char* request, std::size_t size) {
  answer = ridgepoint::api::evaluate(std::string_view(request, size));
  std::free(request);
  return answer.data();
}

RIDGEPOINT_EXPORT(catalogue) const char* catalogue() {
  answer = ridgepoint::api::catalogue();
  return answer.data();
}

RIDGEPOINT_EXPORT(version) const char* version() {
  answer = ridgepoint::api::version();
  return answer.data();
}

/// Of the text that the last call gave.
RIDGEPOINT_EXPORT(answer_size) std::size_t answer_size() { return answer.size(); }
