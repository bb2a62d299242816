// Any bytes as a config.json. libFuzzer finds inputs that crash, hang or trip a sanitizer; the
// checks find answers that no reader could trust.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../core/soundness.hpp"
#include "api/api.hpp"
#include "mutation.hpp"

using soundness::Json;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Json request = {{"gpu", {{"id", "b200"}, {"count", 1}}}, {"workload", {{"context", 1024}}}};
  // A string that is no UTF-8 cannot stand in a request; the reader gets it as JSON text instead.
  const Json config = Json::parse(text, nullptr, false);
  request["model"]["config"] = config.is_discarded() ? Json("not JSON") : config;
  ridgepoint::api::evaluate(text);
  const std::string said =
      ridgepoint::api::evaluate(request.dump(-1, ' ', false, Json::error_handler_t::replace));
  const Json answer = Json::parse(said, nullptr, false);
  const std::string wrong = answer.is_discarded() ? "no JSON" : soundness::unsound(answer);
  if (!wrong.empty()) {
    std::fprintf(stderr, "unsound: %s\n", wrong.c_str());
    std::abort();
  }
  return 0;
}

/// Half of the changes are to bytes, half to the config they spell.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned int seed) {
  mutation::Dice dice(seed + 1U);
  Json config =
      Json::parse(std::string_view(reinterpret_cast<const char*>(data), size), nullptr, false);
  if (config.is_discarded() || dice.below(4) == 0) {
    return LLVMFuzzerMutate(data, size, limit);
  }
  mutation::mutate(config, Json::object(), dice);
  const std::string text = config.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > limit) {
    return LLVMFuzzerMutate(data, size, limit);
  }
  text.copy(reinterpret_cast<char*>(data), text.size());
  return text.size();
}
