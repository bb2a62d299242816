#include "model/decoder.hpp"
#include "model/dialect.hpp"
#include "model/experts.hpp"

namespace ridgepoint::model::minimax_m3 {
namespace {

constexpr std::string_view kArchitectures[] = {"MiniMaxM3ForCausalLM",
                                               "MiniMaxM3SparseForCausalLM"};
constexpr std::string_view kModelTypes[] = {"minimax_m3", "minimax_m3_text"};

/// Queries and keys of the block selection, with a norm each (vLLM 0.28 models/minimax_m3).
void add_indexer(json::Fields& config, ModelSpec& spec) {
  auto sparse = config.object("sparse_attention_config");
  if (!sparse) {
    return;
  }
  const auto layers = read_per_layer(*sparse, "sparse_attention_freq", spec.layers.size(), {0, 1});
  Indexer indexer;
  indexer.heads = sparse->whole_or({"sparse_num_index_heads"}, kHeadsRange, 1);
  indexer.head_dim = sparse->whole_or({"sparse_index_dim"}, kHeadDimRange, 128);
  config.adopt(*sparse);
  const auto weight = [&](std::string_view module, std::uint64_t heads) {
    Tensor tensor = matrix(Part::attention, Split::key_value, module, heads * indexer.head_dim,
                           spec.hidden_size);
    tensor.block = "self_attn.";
    tensor.heads = heads;
    return tensor;
  };
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (layers[i] != 0) {
      spec.layers[i].attention.indexer = indexer;
      spec.layers[i].extra = {weight("index_q_proj", indexer.heads), weight("index_k_proj", 1),
                              values(Part::attention, "", 2 * indexer.head_dim)};
    }
  }
}

/// MiniMax-M3's language model: dense layers of `dense_intermediate_size`, mixtures of
/// `intermediate_size`.
void read(json::Fields& config, ModelSpec& spec) {
  DecoderProfile profile;
  profile.qkv_bias = Bias::never;
  profile.output_bias = Bias::never;
  profile.windows = Windows::never;
  profile.qk_norm = config.text({"qk_norm_type"}).value_or("per_head") == "per_head"
                        ? QkNorm::per_head
                        : QkNorm::full_width;
  read_decoder(config, profile, spec);
  const std::uint64_t dense = config.whole_or({"dense_intermediate_size"}, kWidthRange, 0);
  for (Layer& layer : spec.layers) {
    layer.feed_forward.intermediate_size =
        dense == 0 ? layer.feed_forward.intermediate_size : dense;
  }
  FeedForward experts = read_experts(config, {"num_local_experts", "num_experts"},
                                     {"num_experts_per_tok"}, {"intermediate_size"});
  experts.score_correction_bias = config.boolean_or({"use_routing_bias"}, false);
  experts.shared_intermediate_size =
      config.has("n_shared_experts")
          ? experts.moe_intermediate_size *
                config.whole_or({"n_shared_experts"}, {0, kExpertsRange.most}, 0)
          : config.whole_or({"shared_intermediate_size"}, kOptionalWidthRange, 0);
  place_experts(sparse_from(config, "first_k_dense_replace", "moe_layer_freq", spec.layers.size()),
                experts, spec);
  add_indexer(config, spec);
  if (config.whole_or({"num_mtp_modules"}, {0, 100}, 0) != 0) {
    spec.notes.push_back(
        "Multi-token-prediction modules, which the config counts, are left out of the sizes.");
  }
  spec.names.shared = "block_sparse_moe.shared_experts.";
  spec.names.router = "block_sparse_moe.gate";
  spec.names.experts = "block_sparse_moe.experts.0.";
}

}  // namespace

extern const Dialect dialect;
const Dialect dialect = {kArchitectures, kModelTypes, read};

}  // namespace ridgepoint::model::minimax_m3
