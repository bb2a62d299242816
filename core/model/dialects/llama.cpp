#include "model/decoder.hpp"
#include "model/dialect.hpp"

namespace ridgepoint::model::llama {
namespace {

constexpr std::string_view kArchitectures[] = {"LlamaForCausalLM",
                                               "LLaMAForCausalLM",
                                               "LlamaModel",
                                               "LlamaForSequenceClassification",
                                               "LlamaForTokenClassification",
                                               "LlamaBidirectionalModel",
                                               "LlamaBidirectionalForSequenceClassification",
                                               "Ministral3ForCausalLM",
                                               "Ministral3Model",
                                               "YiForCausalLM",
                                               "IQuestCoderForCausalLM",
                                               "SolarForCausalLM",
                                               "XverseForCausalLM",
                                               "AquilaForCausalLM",
                                               "TeleFLMForCausalLM",
                                               "TeleFLM",
                                               "Fairseq2LlamaForCausalLM",
                                               "TeleChat3ForCausalLM"};
constexpr std::string_view kModelTypes[] = {"llama",   "ministral3",     "yi",       "iquestcoder",
                                            "solar",   "xverse",         "aquila",   "teleflm",
                                            "TeleFLM", "fairseq2_llama", "telechat3"};
/// Besides Llama, classes that vLLM 0.28 runs with its Llama code or a copy of it whose
/// sizes are the same (models/registry.py).
constexpr DecoderProfile kProfile;

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, nullptr, &kProfile, true};

}  // namespace ridgepoint::model::llama
