#include <string>

#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {
    "YuanForCausalLM",   "RwkvForCausalLM",  "Rwkv5ForCausalLM",
    "Rwkv6ForCausalLM",  "RWKV7ForCausalLM", "DeltaNetForCausalLM",
    "GLAForCausalLM",    "GSAForCausalLM",   "GatedDeltaNetForCausalLM",
    "SambaForCausalLM",  "OuroForCausalLM",  "IQuestLoopCoderForCausalLM",
    "HrmTextForCausalLM"};
constexpr std::string_view kModelTypes[] = {
    "yuan", "rwkv",           "rwkv5", "rwkv6", "rwkv7",           "delta_net", "gla",
    "gsa",  "gated_deltanet", "samba", "ouro",  "iquestloopcoder", "hrm_text"};

/// Models whose configs look like others' and whose memory is not: filtered attention (Yuan),
/// recurrent states (RWKV, flash-linear-attention), layers run several times with a cache for each
/// pass (Ouro, IQuest Loop, HRM).
void read(json::Fields& config, ModelSpec& spec) {
  const bool by_name = !spec.architecture.empty();
  config.fail("unknown_architecture", by_name ? "architectures" : "model_type",
              "\"" + json::excerpt(by_name ? spec.architecture : spec.model_type, 60) +
                  "\" has states, filters or repeated layers that this version does not size; its "
                  "config looks like that of an ordinary model, whose numbers would be wrong.");
}

}  // namespace

extern const Dialect dialect_refused;
const Dialect dialect_refused = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
