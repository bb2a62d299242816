#include "engine/linked.hpp"
#include "engine/sglang/sglang.hpp"

namespace ridgepoint::engine {

Rules linked(std::string_view name) {
  return name == "sglang" ? Rules{sglang::flags, sglang::plan} : Rules{};
}

}  // namespace ridgepoint::engine
