#include "engine/vllm/era.hpp"

namespace ridgepoint::engine::vllm {

Era era_of(const Version& version, bool v1) {
  const bool before_0_9_1 = !version.at_least(9, 1);
  Era era;
  era.v1 = v1;
  era.charges_fragments = !version.at_least(6, 4);
  era.charges_whole_gpu = v1 ? before_0_9_1 : version.at_least(6, 4) && !version.at_least(6, 5);
  era.checks_free_memory = v1 && !before_0_9_1;
  era.caches_whole = !v1 || before_0_9_1;
  era.states_apart = !v1;
  return era;
}

}  // namespace ridgepoint::engine::vllm
