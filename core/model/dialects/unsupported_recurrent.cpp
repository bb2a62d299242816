#include <string>

#include "model/dialect.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {
    "RwkvForCausalLM",           "Rwkv5ForCausalLM",
    "Rwkv6ForCausalLM",          "RWKV6ForCausalLM",
    "RWKV7ForCausalLM",          "SambaForCausalLM",
    "HymbaForCausalLM",          "Phi4FlashForCausalLM",
    "RecurrentGemmaForCausalLM", "StripedHyenaModelForCausalLM",
    "xLSTMForCausalLM",          "ZambaForCausalLM",
    "InklingForCausalLM",        "InklingForConditionalGeneration"};
constexpr std::string_view kModelTypes[] = {"rwkv",         "rwkv5", "rwkv6",     "rwkv7",
                                            "samba",        "hymba", "phi4flash", "recurrent_gemma",
                                            "stripedhyena", "xlstm", "zamba",     "inkling"};

/// Designs whose state or sharing of caches no field of ModelSpec expresses.
void refuse(json::Fields& config, ModelSpec& spec) {
  const bool named = !spec.architecture.empty();
  const std::string name = named ? spec.architecture : spec.model_type;
  const bool flash = name == "Phi4FlashForCausalLM" || name == "phi4flash";
  config.fail("unknown_architecture", named ? "architectures" : "model_type",
              json::excerpt(name, 60) +
                  (flash ? " shares one layer's cache and Mamba memory among its second half, "
                           "which no engine version here serves (vLLM removed it after 0.10.2), "
                           "so no figures are given."
                         : " keeps a recurrent state of a kind that is not modelled here, so no "
                           "figures are given rather than wrong ones."));
}

}  // namespace

extern const Dialect dialect_unsupported_recurrent;
const Dialect dialect_unsupported_recurrent = {kArchitectures, kModelTypes, refuse};

}  // namespace ridgepoint::model
