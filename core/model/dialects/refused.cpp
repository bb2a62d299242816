#include <string>

#include "model/dialect.hpp"
#include "wording.hpp"

namespace ridgepoint::model::refused {
namespace {

constexpr std::string_view kArchitectures[] = {"YuanForCausalLM",
                                               "RwkvForCausalLM",
                                               "Rwkv5ForCausalLM",
                                               "Rwkv6ForCausalLM",
                                               "RWKV6ForCausalLM",
                                               "RWKV7ForCausalLM",
                                               "DeltaNetForCausalLM",
                                               "GLAForCausalLM",
                                               "GSAForCausalLM",
                                               "GatedDeltaNetForCausalLM",
                                               "SambaForCausalLM",
                                               "HymbaForCausalLM",
                                               "Phi4FlashForCausalLM",
                                               "RecurrentGemmaForCausalLM",
                                               "StripedHyenaModelForCausalLM",
                                               "xLSTMForCausalLM",
                                               "ZambaForCausalLM",
                                               "InklingForCausalLM",
                                               "InklingForConditionalGeneration",
                                               "OuroForCausalLM",
                                               "IQuestLoopCoderForCausalLM",
                                               "HrmTextForCausalLM"};
constexpr std::string_view kModelTypes[] = {"yuan",
                                            "rwkv",
                                            "rwkv5",
                                            "rwkv6",
                                            "rwkv7",
                                            "gla",
                                            "delta_net",
                                            "gated_deltanet",
                                            "gsa",
                                            "samba",
                                            "ouro",
                                            "hymba",
                                            "recurrent_gemma",
                                            "phi4flash",
                                            "stripedhyena",
                                            "zamba",
                                            "iquestloopcoder",
                                            "hrm_text",
                                            "inkling",
                                            "xlstm"};

/// Models whose configs look like others' and whose memory is not: filtered attention (Yuan),
/// states that no field of ModelSpec expresses, layers run several times with a cache for each pass
/// (Ouro, IQuest Loop, HRM).
void refuse(json::Fields& config, ModelSpec& spec) {
  const bool named = !spec.architecture.empty();
  const std::string name = named ? spec.architecture : spec.model_type;
  const bool flash = name == "Phi4FlashForCausalLM" || name == "phi4flash";
  config.fail(
      "unknown_architecture", named ? "architectures" : "model_type",
      worded({"\"", json::excerpt(name, 60),
              (flash ? "\" shares one layer's cache and memory among its second half, and no "
                       "covered version of an engine serves it (vLLM removed it after 0.10.2)."
                     : "\" has states, filters or repeated layers that this version does not "
                       "size; its config looks like that of an ordinary model, whose numbers "
                       "would be wrong. Go by a start that was measured.")}));
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, refuse};

}  // namespace ridgepoint::model::refused
