#include "model/tensors.hpp"

namespace ridgepoint::model {
namespace {

using precision::ModuleKind;

/// Lists the tensors of a run of equal layers.
class LayerTensors {
 public:
  LayerTensors(const ModelSpec& spec, const Layer& layer, std::uint64_t first, std::uint64_t count,
               bool mtp, std::vector<Tensor>& out)
      : spec_(spec), layer_(layer), first_(first), count_(count), mtp_(mtp), out_(out) {}

  void list() {
    if (layer_.attention.kind == AttentionKind::latent) {
      latent_attention();
    } else {
      plain_attention();
    }
    if (layer_.feed_forward.moe()) {
      experts();
    } else {
      const FeedForward& ffn = layer_.feed_forward;
      ffn_matrices(Part::dense_ffn, ffn.intermediate_size, ffn.bias);
    }
    vector(Part::norms, Split::replicated, "input_layernorm", spec_.hidden_size * layer_.norms);
  }

 private:
  void push(Tensor tensor) {
    tensor.first_layer = first_;
    tensor.layers = count_;
    if (mtp_) {
      tensor.part = Part::mtp;
    }
    out_.push_back(tensor);
  }

  void matrix(Part part, Split split, std::string_view module, std::uint64_t rows,
              std::uint64_t cols, std::uint64_t copies = 1, ModuleKind kind = ModuleKind::linear) {
    Tensor tensor;
    tensor.part = part;
    tensor.split = split;
    tensor.kind = kind;
    tensor.matrix = true;
    tensor.module = module;
    tensor.rows = rows;
    tensor.cols = cols;
    tensor.copies = copies;
    push(tensor);
  }

  void vector(Part part, Split split, std::string_view module, std::uint64_t length,
              std::uint64_t copies = 1) {
    Tensor tensor;
    tensor.part = part;
    tensor.split = split;
    tensor.module = module;
    tensor.rows = length;
    tensor.copies = copies;
    push(tensor);
  }

  void plain_attention() {
    const Attention& a = layer_.attention;
    const std::uint64_t hidden = spec_.hidden_size;
    const std::uint64_t q = a.num_attention_heads * a.head_dim;
    const std::uint64_t k = a.num_key_value_heads * a.head_dim;
    const std::uint64_t v = a.num_key_value_heads * a.v_head_dim;
    matrix(Part::attention, Split::column, "self_attn.q_proj", q, hidden);
    matrix(Part::attention, Split::key_value, "self_attn.k_proj", k, hidden);
    matrix(Part::attention, Split::key_value, "self_attn.v_proj", v, hidden);
    matrix(Part::attention, Split::row, "self_attn.o_proj", hidden,
           a.num_attention_heads * a.v_head_dim);
    if (a.qkv_bias) {
      vector(Part::attention, Split::column, "self_attn.q_proj", q);
      vector(Part::attention, Split::key_value, "self_attn.k_proj", k);
      vector(Part::attention, Split::key_value, "self_attn.v_proj", v);
    }
    if (a.output_bias) {
      vector(Part::attention, Split::replicated, "self_attn.o_proj", hidden);
    }
    if (a.qk_norm == QkNorm::per_head) {
      vector(Part::attention, Split::replicated, "self_attn.q_norm", a.head_dim);
      vector(Part::attention, Split::replicated, "self_attn.k_norm", a.head_dim);
    }
    if (a.sinks) {
      vector(Part::attention, Split::column, "self_attn.sinks", a.num_attention_heads);
    }
  }

  void latent_attention() {
    const Attention& a = layer_.attention;
    const std::uint64_t hidden = spec_.hidden_size;
    const std::uint64_t q = a.num_attention_heads * (a.qk_nope_head_dim + a.qk_rope_head_dim);
    if (a.q_lora_rank == 0) {
      matrix(Part::attention, Split::column, "self_attn.q_proj", q, hidden);
    } else {
      matrix(Part::attention, Split::replicated, "self_attn.q_a_proj", a.q_lora_rank, hidden);
      vector(Part::attention, Split::replicated, "self_attn.q_a_layernorm", a.q_lora_rank);
      matrix(Part::attention, Split::column, "self_attn.q_b_proj", q, a.q_lora_rank);
    }
    const std::uint64_t latent = a.kv_lora_rank + a.qk_rope_head_dim;
    matrix(Part::attention, Split::replicated, "self_attn.kv_a_proj_with_mqa", latent, hidden);
    vector(Part::attention, Split::replicated, "self_attn.kv_a_layernorm", a.kv_lora_rank);
    matrix(Part::attention, Split::column, "self_attn.kv_b_proj",
           a.num_attention_heads * (a.qk_nope_head_dim + a.v_head_dim), a.kv_lora_rank);
    matrix(Part::attention, Split::row, "self_attn.o_proj", hidden,
           a.num_attention_heads * a.v_head_dim);
    if (a.qkv_bias) {
      vector(Part::attention, Split::replicated, "self_attn.kv_a_proj_with_mqa", latent);
      if (a.q_lora_rank != 0) {
        vector(Part::attention, Split::replicated, "self_attn.q_a_proj", a.q_lora_rank);
      }
    }
    if (a.output_bias) {
      vector(Part::attention, Split::replicated, "self_attn.o_proj", hidden);
    }
  }

  void ffn_matrices(Part part, std::uint64_t width, bool bias) {
    const std::uint64_t hidden = spec_.hidden_size;
    const bool shared = part == Part::shared_experts;
    if (layer_.feed_forward.gated) {
      matrix(part, Split::column, shared ? "mlp.shared_experts.gate_proj" : "mlp.gate_proj", width,
             hidden);
    }
    matrix(part, Split::column, shared ? "mlp.shared_experts.up_proj" : "mlp.up_proj", width,
           hidden);
    matrix(part, Split::row, shared ? "mlp.shared_experts.down_proj" : "mlp.down_proj", hidden,
           width);
    if (bias) {
      vector(part, Split::column, "mlp.up_proj", width * (layer_.feed_forward.gated ? 2 : 1));
      vector(part, Split::replicated, "mlp.down_proj", hidden);
    }
  }

  void experts() {
    const FeedForward& ffn = layer_.feed_forward;
    const std::uint64_t hidden = spec_.hidden_size;
    matrix(Part::router, Split::replicated, spec_.names.router, ffn.num_experts, hidden, 1,
           ModuleKind::router);
    if (ffn.router_bias || ffn.score_correction_bias) {
      vector(Part::router, Split::replicated, spec_.names.router, ffn.num_experts);
    }
    const std::uint64_t width = ffn.moe_intermediate_size;
    matrix(Part::experts, Split::expert_column, spec_.names.expert_gate, width, hidden,
           ffn.num_experts, ModuleKind::expert);
    matrix(Part::experts, Split::expert_column, spec_.names.expert_up, width, hidden,
           ffn.num_experts, ModuleKind::expert);
    matrix(Part::experts, Split::expert_row, spec_.names.expert_down, hidden, width,
           ffn.num_experts, ModuleKind::expert);
    if (ffn.expert_bias) {
      vector(Part::experts, Split::expert_column, spec_.names.expert_up, 2 * width,
             ffn.num_experts);
      vector(Part::experts, Split::expert_row, spec_.names.expert_down, hidden, ffn.num_experts);
    }
    if (ffn.shared_intermediate_size != 0) {
      ffn_matrices(Part::shared_experts, ffn.shared_intermediate_size, false);
    }
    if (ffn.shared_expert_gate) {
      matrix(Part::shared_experts, Split::replicated, "mlp.shared_expert_gate", 1, hidden, 1,
             ModuleKind::router);
    }
  }

  const ModelSpec& spec_;
  const Layer& layer_;
  std::uint64_t first_;
  std::uint64_t count_;
  bool mtp_;
  std::vector<Tensor>& out_;
};

Tensor vocabulary_matrix(const ModelSpec& spec, Part part, ModuleKind kind,
                         std::string_view module) {
  Tensor tensor;
  tensor.part = part;
  tensor.split = Split::vocabulary;
  tensor.kind = kind;
  tensor.matrix = true;
  tensor.module = module;
  tensor.rows = spec.vocab_size;
  tensor.cols = spec.hidden_size;
  return tensor;
}

/// A multi-token-prediction layer as DeepSeek-V3 stores it: a whole layer, the projection that
/// joins the embedding and the hidden state, three norms, and copies of the embedding and the head.
void list_mtp(const ModelSpec& spec, std::vector<Tensor>& out) {
  if (spec.mtp_layers == 0) {
    return;
  }
  LayerTensors(spec, spec.layers.back(), spec.layers.size(), spec.mtp_layers, true, out).list();
  for (Tensor tensor :
       {vocabulary_matrix(spec, Part::mtp, ModuleKind::embedding, "embed_tokens"),
        vocabulary_matrix(spec, Part::mtp, ModuleKind::lm_head, "shared_head.head")}) {
    tensor.copies = spec.mtp_layers;
    out.push_back(tensor);
  }
  Tensor join;
  join.part = Part::mtp;
  join.matrix = true;
  join.kind = ModuleKind::router;
  join.module = "eh_proj";
  join.rows = spec.hidden_size;
  join.cols = 2 * spec.hidden_size;
  join.copies = spec.mtp_layers;
  out.push_back(join);
  Tensor norms;
  norms.part = Part::mtp;
  norms.module = "enorm";
  norms.rows = 3 * spec.hidden_size;
  norms.copies = spec.mtp_layers;
  out.push_back(norms);
}

}  // namespace

std::string_view part_name(Part part) {
  switch (part) {
    case Part::embedding:
      return "embedding";
    case Part::lm_head:
      return "lm_head";
    case Part::attention:
      return "attention";
    case Part::dense_ffn:
      return "dense_ffn";
    case Part::router:
      return "router";
    case Part::experts:
      return "experts";
    case Part::shared_experts:
      return "shared_experts";
    case Part::norms:
      return "norms";
    case Part::mtp:
      return "mtp";
  }
  return "";
}

std::vector<Tensor> tensors(const ModelSpec& spec) {
  std::vector<Tensor> out;
  out.reserve(48);
  out.push_back(
      vocabulary_matrix(spec, Part::embedding, ModuleKind::embedding, "model.embed_tokens"));
  for (std::size_t first = 0; first < spec.layers.size();) {
    std::size_t end = first + 1;
    while (end < spec.layers.size() && spec.layers[end] == spec.layers[first]) {
      ++end;
    }
    LayerTensors(spec, spec.layers[first], first, end - first, false, out).list();
    first = end;
  }
  Tensor final_norm;
  final_norm.part = Part::norms;
  final_norm.module = "model.norm";
  final_norm.rows = spec.hidden_size;
  out.push_back(final_norm);
  if (!spec.tie_word_embeddings) {
    out.push_back(vocabulary_matrix(spec, Part::lm_head, ModuleKind::lm_head, "lm_head"));
  }
  if (spec.lm_head_bias) {
    Tensor bias;
    bias.part = Part::lm_head;
    bias.split = Split::vocabulary;
    bias.module = "lm_head";
    bias.rows = spec.vocab_size;
    out.push_back(bias);
  }
  list_mtp(spec, out);
  return out;
}

ParameterCounts count_parameters(const ModelSpec& spec, const std::vector<Tensor>& list) {
  ParameterCounts counts;
  for (const Tensor& tensor : list) {
    const std::uint64_t elements = tensor.elements();
    if (tensor.part == Part::mtp) {
      counts.mtp += elements;
      continue;
    }
    counts.total += elements;
    if (tensor.part == Part::experts) {
      const FeedForward& ffn = spec.layers[tensor.first_layer].feed_forward;
      counts.active += elements / ffn.num_experts * ffn.num_experts_per_tok;
    } else {
      counts.active += elements;
    }
  }
  return counts;
}

}  // namespace ridgepoint::model
