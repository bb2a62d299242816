#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/latent.hpp"

namespace ridgepoint::model::deepseek {
namespace {

constexpr std::string_view kArchitectures[] = {"DeepseekV2ForCausalLM",
                                               "DeepseekV3ForCausalLM",
                                               "DeepseekV32ForCausalLM",
                                               "MistralLarge3ForCausalLM",
                                               "DeepseekV2ForSequenceClassification",
                                               "DeepseekV3ForSequenceClassification",
                                               "DeepseekV3ForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"deepseek_v2", "deepseek_v3", "deepseek_v32", "kimi_k2",
                                            "mistral_large_3"};

void read(json::Fields& config, ModelSpec& spec) {
  read_latent_decoder(config, LatentProfile{}, spec);
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::deepseek
