#include "model/layer_tensors.hpp"

namespace ridgepoint::model {
namespace {

using precision::ModuleKind;

void list_plain(const LayerRun& run, const Attention& a) {
  const std::string_view block = run.spec.names.attention;
  const std::uint64_t hidden = run.spec.hidden_size;
  const std::uint64_t heads = a.num_attention_heads * a.head_dim;
  const std::uint64_t q = heads * (a.output_gate ? 2 : 1);
  const bool owns_kv = !a.shares_cache_of.has_value();
  const auto kv = [&](std::string_view module, std::uint64_t head_dim, bool is_matrix) {
    Tensor tensor = model::matrix(Part::attention, Split::key_value, module,
                                  a.num_key_value_heads * head_dim, is_matrix ? hidden : 1);
    tensor.matrix = is_matrix;
    tensor.block = block;
    tensor.heads = a.num_key_value_heads;
    run.push(tensor);
  };
  if (a.q_lora_rank == 0) {
    run.matrix(Part::attention, Split::column, block, "q_proj", q, hidden);
  } else {  // the bottleneck of Step-3's queries, with its norm
    run.matrix(Part::attention, Split::replicated, block, "q_proj", a.q_lora_rank, hidden);
    run.values(Part::attention, Split::replicated, a.q_lora_rank);
    run.matrix(Part::attention, Split::column, block, "wq", q, a.q_lora_rank);
  }
  if (owns_kv) {
    kv("k_proj", a.head_dim, true);
    if (!a.keys_are_values) {
      kv("v_proj", a.v_head_dim, true);
    }
  }
  run.matrix(Part::attention, Split::row, block, "o_proj", hidden,
             a.num_attention_heads * a.v_head_dim);
  if (a.qkv_bias) {
    run.values(Part::attention, Split::column, q);
    if (owns_kv) {
      kv("k_proj", a.head_dim, false);
      kv("v_proj", a.v_head_dim, false);
    }
  }
  if (a.output_bias) {
    run.values(Part::attention, Split::replicated, hidden);
  }
  if (a.qk_norm == QkNorm::per_head) {
    run.values(Part::attention, Split::replicated, a.head_dim * (owns_kv ? 2 : 1));
  } else if (a.qk_norm == QkNorm::full_width) {
    run.values(Part::attention, Split::column, heads);
    if (owns_kv) {
      kv("k_norm", a.head_dim, false);
    }
  }
  if (a.sinks) {
    run.values(Part::attention, Split::column, a.num_attention_heads);
  }
}

void list_latent(const LayerRun& run, const Attention& a) {
  const std::string_view block = run.spec.names.attention;
  const std::uint64_t hidden = run.spec.hidden_size;
  const std::uint64_t q = a.num_attention_heads * (a.qk_nope_head_dim + a.qk_rope_head_dim);
  if (a.q_lora_rank == 0) {
    run.matrix(Part::attention, Split::column, block, "q_proj", q, hidden);
  } else {
    run.matrix(Part::attention, Split::replicated, block, "q_a_proj", a.q_lora_rank, hidden);
    run.values(Part::attention, Split::replicated, a.q_lora_rank);
    run.matrix(Part::attention, Split::column, block, "q_b_proj", q, a.q_lora_rank);
  }
  const std::uint64_t latent = a.kv_lora_rank + a.qk_rope_head_dim;
  run.matrix(Part::attention, Split::replicated, block, "kv_a_proj_with_mqa", latent, hidden);
  run.values(Part::attention, Split::replicated, a.kv_lora_rank);
  run.matrix(Part::attention, Split::column, block, "kv_b_proj",
             a.num_attention_heads * (a.qk_nope_head_dim + a.v_head_dim), a.kv_lora_rank);
  run.matrix(Part::attention, Split::row, block, "o_proj", hidden,
             a.num_attention_heads * a.v_head_dim);
  if (a.qkv_bias) {
    run.values(Part::attention, Split::replicated, latent + a.q_lora_rank);
  }
  if (a.output_bias) {
    run.values(Part::attention, Split::replicated, hidden);
  }
}

/// The indexer of DeepSeek-V3.2 and GLM-5: queries from the compressed query, one key a token with
/// a LayerNorm, one weight a head. Replicated on every rank.
void list_indexer(const LayerRun& run, const Attention& a) {
  const Indexer& indexer = a.indexer;
  const std::uint64_t hidden = run.spec.hidden_size;
  const std::uint64_t source = a.q_lora_rank != 0 ? a.q_lora_rank : hidden;
  const std::string_view block = "self_attn.indexer.";
  run.matrix(Part::attention, Split::replicated, block, "wq_b", indexer.heads * indexer.head_dim,
             source);
  run.matrix(Part::attention, Split::replicated, block, "wk", indexer.head_dim, hidden);
  run.values(Part::attention, Split::replicated, 2 * indexer.head_dim);
  Tensor weights =
      model::matrix(Part::attention, Split::replicated, "weights_proj", indexer.heads, hidden);
  weights.block = block;
  weights.kind = ModuleKind::router;  // left in 16 bits by the FP8 checkpoints
  run.push(weights);
}

struct Ffn {
  Part part;
  std::string_view block;
  std::uint64_t width;
  bool gated;
  bool bias;
};

void list_dense(const LayerRun& run, const Ffn& ffn) {
  const ModuleNames& names = run.spec.names;
  const std::uint64_t hidden = run.spec.hidden_size;
  if (ffn.gated) {
    run.matrix(ffn.part, Split::column, ffn.block, names.gate, ffn.width, hidden);
  }
  run.matrix(ffn.part, Split::column, ffn.block, names.up, ffn.width, hidden);
  run.matrix(ffn.part, Split::row, ffn.block, names.down, hidden, ffn.width);
  if (ffn.bias) {
    run.values(ffn.part, Split::column, ffn.width * (ffn.gated ? 2 : 1));
    run.values(ffn.part, Split::replicated, hidden);
  }
}

void list_router(const LayerRun& run, const FeedForward& f) {
  const std::uint64_t outputs = f.router_outputs == 0 ? f.num_experts : f.router_outputs;
  Tensor router = model::matrix(Part::router, Split::replicated, run.spec.names.router, outputs,
                                run.spec.hidden_size);
  router.kind = ModuleKind::router;
  run.push(router);
  if (f.router_bias) {
    run.values(Part::router, Split::replicated, outputs);
  }
  if (f.score_correction_bias) {
    Tensor bias = model::values(Part::router, "", outputs);
    bias.float32 = true;
    run.push(bias);
  }
}

void list_experts(const LayerRun& run, const FeedForward& f) {
  const ModuleNames& names = run.spec.names;
  const std::uint64_t width = f.moe_intermediate_size;
  const std::uint64_t hidden =
      f.expert_hidden_size == 0 ? run.spec.hidden_size : f.expert_hidden_size;
  const auto expert = [&](Tensor tensor) {
    tensor.kind = ModuleKind::expert;
    tensor.block = names.experts;
    tensor.copies = f.num_experts;
    tensor.chosen = f.num_experts_per_tok;
    run.push(tensor);
  };
  if (f.experts_gated) {
    expert(model::matrix(Part::experts, Split::expert_column, names.gate, width, hidden));
  }
  expert(model::matrix(Part::experts, Split::expert_column, names.up, width, hidden));
  expert(model::matrix(Part::experts, Split::expert_row, names.down, hidden, width));
  if (f.expert_bias) {
    expert(model::values(Part::experts, names.up, width * (f.experts_gated ? 2 : 1),
                         Split::expert_column));
    expert(model::values(Part::experts, names.down, hidden, Split::expert_row));
  }
  if (f.shared_intermediate_size != 0) {
    list_dense(run, {Part::shared_experts, names.shared, f.shared_intermediate_size,
                     f.experts_gated, false});
  }
  if (f.shared_expert_gate) {
    Tensor gate = model::matrix(Part::shared_experts, Split::replicated, "mlp.shared_expert_gate",
                                1, run.spec.hidden_size);
    gate.kind = ModuleKind::router;
    run.push(gate);
  }
}

}  // namespace

void LayerRun::push(Tensor tensor) const {
  tensor.first_layer = first;
  tensor.layers = count;
  if (mtp) {
    tensor.part = Part::mtp;
  }
  out.push_back(tensor);
}

void LayerRun::matrix(Part part, Split split, std::string_view block, std::string_view module,
                      std::uint64_t rows, std::uint64_t cols) const {
  Tensor tensor = model::matrix(part, split, module, rows, cols);
  tensor.block = block;
  push(tensor);
}

void LayerRun::values(Part part, Split split, std::uint64_t count_of) const {
  push(model::values(part, "", count_of, split));
}

void list_attention(const LayerRun& run, const Attention& attention) {
  if (attention.weights_apart) {
    return;
  }
  switch (attention.kind) {
    case AttentionKind::none:
      return;
    case AttentionKind::latent:
      list_latent(run, attention);
      break;
    case AttentionKind::compressed:
      break;  // its dialect lists the weights
    default:
      list_plain(run, attention);
  }
  if (attention.indexer.heads != 0 && attention.kind == AttentionKind::latent) {
    list_indexer(run, attention);
  }
}

void list_feed_forward(const LayerRun& run, const FeedForward& f) {
  if (f.intermediate_size != 0) {
    list_dense(run, {Part::dense_ffn, run.spec.names.mlp, f.intermediate_size, f.gated, f.bias});
  }
  if (f.moe()) {
    list_router(run, f);
    list_experts(run, f);
  }
}

void list_layer(const LayerRun& run) {
  list_attention(run, run.layer.attention);
  list_attention(run, run.layer.cross);
  list_state(run, run.layer.state);
  list_feed_forward(run, run.layer.feed_forward);
  if (run.layer.norms != 0) {
    run.values(Part::norms, Split::replicated, run.spec.hidden_size * run.layer.norms);
  }
  for (const Tensor& tensor : run.layer.extra) {
    run.push(tensor);
  }
}

}  // namespace ridgepoint::model
