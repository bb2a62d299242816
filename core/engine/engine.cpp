#include "engine/engine.hpp"

#include "engine/vllm/vllm.hpp"

namespace ridgepoint::engine {

std::string_view limit_name(Limit limit) {
  switch (limit) {
    case Limit::none:
      return "none";
    case Limit::weights:
      return "weights";
    case Limit::kv_pool:
      return "kv_pool";
    case Limit::context:
      return "context";
    case Limit::free_memory:
      return "free_memory";
    case Limit::architecture:
      return "architecture";
  }
  return "";
}

std::span<const Engine> engines() {
  static const Engine kEngines[] = {
      {"vllm", vllm::covered_versions(), vllm::flags, vllm::plan},
  };
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  for (const Engine& engine : engines()) {
    if (engine.name == name) {
      return &engine;
    }
  }
  return nullptr;
}

}  // namespace ridgepoint::engine
