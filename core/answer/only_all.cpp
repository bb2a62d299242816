#include "engine/linked.hpp"
#include "engine/llamacpp/llamacpp.hpp"
#include "engine/sglang/sglang.hpp"
#include "engine/trtllm/flags.hpp"
#include "engine/trtllm/trtllm.hpp"
#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine {

// All engines, and nothing that only a simulation asks of them.
Rules linked(std::string_view name) {
  if (name == "vllm") {
    return {vllm::flags, vllm::plan};
  }
  if (name == "sglang") {
    return {sglang::flags, sglang::plan};
  }
  if (name == "trtllm") {
    return {trtllm::flags, trtllm::plan};
  }
  return {llamacpp::flags, llamacpp::plan};
}

}  // namespace ridgepoint::engine
