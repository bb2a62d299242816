#include "engine/vllm/reading.hpp"

#include <algorithm>

#include "engine/vllm/flags.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

/// V1 was an option from 0.6.4 on, the default from 0.8.0 on and the only engine from 0.11 on.
constexpr std::uint32_t kDefaultSince = 8;
constexpr std::uint32_t kAloneSince = 11;

/// What V1 did not run while there was V0 to fall back to (engine/arg_utils.py,
/// _is_v1_supported_oracle): cards before Ampere, encoder-decoders, and states before 0.9.2.
bool falls_back_to_v0(const Reading& r) {
  const std::uint32_t capability = r.inputs.device.compute_capability;
  const bool old_card = r.inputs.device.vendor == "nvidia" && capability != 0 && capability < 80;
  const bool crossed = std::any_of(r.model.layers.begin(), r.model.layers.end(),
                                   [](const model::Layer& layer) { return layer.cross.caches(); });
  const bool states = r.model.stateful() && !r.settings.version.at_least(9, 2);
  return old_card || crossed || states;
}

}  // namespace

Reading::Reading(const Inputs& request, Version version)
    : inputs(request), model(request.model), flags(request.args, vllm::flags(), version.minor) {
  settings.version = std::move(version);
}

void read_era(Reading& r) {
  const std::string_view asked = r.env("VLLM_USE_V1");
  bool v1 = r.minor() >= kDefaultSince;
  if (r.minor() >= kAloneSince) {
    if (asked == "0") {
      r.fail("bad_env", "vLLM 0.11 and later have V1 alone; leave VLLM_USE_V1 out.",
             "engine.env.VLLM_USE_V1");
    }
  } else if (!asked.empty()) {
    v1 = asked != "0";
    if (v1 && !r.settings.version.at_least(6, 4)) {
      r.fail("bad_env", "vLLM has V1 from 0.6.4 on; leave VLLM_USE_V1 out.",
             "engine.env.VLLM_USE_V1");
    }
  } else if (v1 && falls_back_to_v0(r)) {
    v1 = false;
    r.assume(worded({"This card or model runs on the V0 engine of vLLM 0.", r.minor(), "."}));
  }
  r.settings.era = era_of(r.settings.version, v1);
}

}  // namespace ridgepoint::engine::vllm
