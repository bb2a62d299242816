#include "engine/linked.hpp"
#include "engine/llamacpp/llamacpp.hpp"

namespace ridgepoint::engine {

Rules linked(std::string_view name) {
  return name == "llamacpp" ? Rules{llamacpp::flags, llamacpp::plan} : Rules{};
}

}  // namespace ridgepoint::engine
