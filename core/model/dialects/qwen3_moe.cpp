#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::qwen3_moe {
namespace {

constexpr std::string_view kArchitectures[] = {
    "Qwen3MoeForCausalLM", "Qwen3MoeForSequenceClassification", "Qwen3MoeForTokenClassification"};
constexpr std::string_view kModelTypes[] = {"qwen3_moe", "qwen3_vl_moe_text",
                                            "qwen3_omni_moe_text"};

void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.head_dim = 128;
  profile.qk_norm = QkNorm::per_head;
  profile.uses_sliding_window = false;
  read_decoder(config, profile, spec);
  const FeedForward experts = read_experts(config, {"num_experts", "num_local_experts"},
                                           {"num_experts_per_tok"}, {"moe_intermediate_size"});
  if (!spec.layers.empty()) {
    const FeedForward dense = spec.layers.front().feed_forward;
    apply_sparse_step(config, dense, experts, spec);
  }
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::qwen3_moe
