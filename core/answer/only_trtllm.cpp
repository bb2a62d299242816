#include "engine/linked.hpp"
#include "engine/trtllm/flags.hpp"
#include "engine/trtllm/trtllm.hpp"

namespace ridgepoint::engine {

Rules linked(std::string_view name) {
  return name == "trtllm" ? Rules{trtllm::flags, trtllm::plan} : Rules{};
}

}  // namespace ridgepoint::engine
