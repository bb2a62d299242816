#include <algorithm>

#include "engine/vllm/reading.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::uint64_t kDefaultLength = 2048;

/// `auto` and -1 mean: the longest that fits.
bool wants_auto_length(Reading& r) {
  for (const FlagValue& flag : r.inputs.args) {
    if (flag.name != "max-model-len" && flag.name != "max_model_len") {
      continue;
    }
    const auto* text = std::get_if<std::string>(&flag.value);
    const auto* number = std::get_if<std::int64_t>(&flag.value);
    return (text != nullptr && (*text == "auto" || *text == "-1")) ||
           (number != nullptr && *number == -1);
  }
  return false;
}

}  // namespace

void read_lengths(Reading& r) {
  r.settings.sliding_window = !r.flags.boolean("disable-sliding-window").value_or(false);
  std::uint64_t derived = derive_max_model_len(r.model);
  if (!r.settings.sliding_window && r.model.windowed()) {
    for (const model::Layer& layer : r.model.layers) {
      if (layer.attention.window != 0) {
        derived = std::min(derived, layer.attention.window);
      }
    }
  }
  if (r.inputs.workload.context && *r.inputs.workload.context > kMostTokens) {
    r.fail("bad_value", "workload.context is beyond 2^32 tokens.", "workload.context");
    return;
  }
  r.settings.max_model_len = derived;
  if (wants_auto_length(r)) {
    if (r.minor() < 14) {
      r.flags.fail("bad_flag", "max-model-len",
                   "vLLM finds the length itself from 0.14 on; give a number.");
    }
    r.settings.auto_length = true;
  } else if (const auto flag = r.flags.whole("max-model-len", 1, kMostTokens)) {
    if (*flag > derived && !r.env_is_set("VLLM_ALLOW_LONG_MAX_MODEL_LEN")) {
      r.settings.length_refusal =
          worded({"vLLM refuses --max-model-len ", *flag, ": the model's config allows ", derived,
                  " tokens. Lower it, or set VLLM_ALLOW_LONG_MAX_MODEL_LEN=1."});
    }
    r.settings.max_model_len = *flag;
  } else if (r.inputs.workload.context) {
    r.settings.max_model_len = std::min(*r.inputs.workload.context, derived);
    r.assume(worded({"No --max-model-len given: the length asked about, ", r.settings.max_model_len,
                     " tokens."}));
  } else {
    // Without a flag a longrope model is served at its original length only (since 0.11).
    const std::uint64_t original = r.model.rope.original_max_position_embeddings;
    if (r.model.rope.type == "longrope" && original != 0 && r.minor() >= 11) {
      r.settings.max_model_len = std::min(derived, original);
    }
    r.assume(worded({"No length given: the model's own, ", r.settings.max_model_len, " tokens."}));
  }
  r.settings.context = r.inputs.workload.context.value_or(r.settings.max_model_len);
}

std::uint64_t derive_max_model_len(const model::ModelSpec& spec) {
  const std::uint64_t claimed = model::claimed_context(spec);
  if (claimed == 0) {
    return kDefaultLength;
  }
  const std::string& type = spec.rope.type;
  if (type == "llama3" || type == "su" || type == "longrope" || spec.rope.length_is_scaled) {
    return claimed;
  }
  double length = static_cast<double>(claimed);
  if (type == "yarn" && spec.rope.original_max_position_embeddings != 0) {
    length = static_cast<double>(spec.rope.original_max_position_embeddings);
  }
  return static_cast<std::uint64_t>(std::min(length * std::max(spec.rope.factor, 1.0), 4e9));
}

}  // namespace ridgepoint::engine::vllm
