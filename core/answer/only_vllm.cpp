#include "engine/linked.hpp"
#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine {

Rules linked(std::string_view name) {
  return name == "vllm" ? Rules{vllm::flags, vllm::plan} : Rules{};
}

}  // namespace ridgepoint::engine
