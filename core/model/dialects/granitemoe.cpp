#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::granitemoe {
namespace {

constexpr std::string_view kArchitectures[] = {"GraniteMoeForCausalLM",
                                               "GraniteMoeSharedForCausalLM"};
constexpr std::string_view kModelTypes[] = {"granitemoe", "granitemoeshared"};

/// Granite 3 MoE and PowerMoE; the shared expert of GraniteMoeShared has a width of its own.
void read(json::Fields& config, ModelSpec& spec) {
  read_decoder(config, DecoderProfile{}, spec);
  FeedForward experts = read_mixture(config);
  experts.shared_intermediate_size =
      config.whole_or({"shared_intermediate_size"}, kOptionalWidthRange, 0);
  place_experts(std::vector<bool>(spec.layers.size(), true), experts, spec);
  spec.names.router = "block_sparse_moe.router.layer";
  spec.names.experts = "block_sparse_moe.";
  spec.names.shared = "shared_mlp.";
  spec.names.gate = "input_linear";
  spec.names.up = "input_linear";
  spec.names.down = "output_linear";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::granitemoe
