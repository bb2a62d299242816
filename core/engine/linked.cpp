#include "engine/linked.hpp"

#include "engine/llamacpp/llamacpp.hpp"
#include "engine/sglang/sglang.hpp"
#include "engine/trtllm/flags.hpp"
#include "engine/trtllm/trtllm.hpp"
#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine {

Rules linked(std::string_view name) {
  if (name == "vllm") {
    return {vllm::flags, vllm::plan, vllm::schedule};
  }
  if (name == "sglang") {
    return {sglang::flags, sglang::plan, sglang::schedule};
  }
  if (name == "trtllm") {
    return {trtllm::flags, trtllm::plan, trtllm::schedule};
  }
  return {llamacpp::flags, llamacpp::plan, llamacpp::schedule};
}

}  // namespace ridgepoint::engine
