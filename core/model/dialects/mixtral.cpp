#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model {
namespace {

constexpr std::string_view kArchitectures[] = {"MixtralForCausalLM"};
constexpr std::string_view kModelTypes[] = {"mixtral"};

void read(json::Fields& config, ModelSpec& spec) {
  const DecoderDefaults defaults;
  read_sizes(config, defaults, spec);
  Layer layer;
  layer.attention = read_attention(config, defaults, spec);
  layer.feed_forward =
      read_experts(config, {"num_local_experts"}, {"num_experts_per_tok"}, {"intermediate_size"});
  spec.layers.assign(spec.layers.size(), layer);
  spec.names = {"block_sparse_moe.gate", "block_sparse_moe.experts.0.w1",
                "block_sparse_moe.experts.0.w3", "block_sparse_moe.experts.0.w2"};
  apply_windows(config, defaults, spec);
}

}  // namespace

extern const Dialect dialect_mixtral;
const Dialect dialect_mixtral = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model
