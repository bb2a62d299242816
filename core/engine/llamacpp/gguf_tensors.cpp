#include "engine/llamacpp/gguf_tensors.hpp"

#include <algorithm>

#include "arithmetic.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

using model::ModelSpec;
using model::Part;
using model::Tensor;
using precision::ModuleKind;

constexpr std::uint64_t kAlignment = 128;

/// Classes whose GGUF keeps queries, keys and values in one matrix (convert_hf_to_gguf.py).
constexpr std::string_view kFusedClasses[] = {
    "Phi3ForCausalLM",      "GPTNeoXForCausalLM",
    "FalconForCausalLM",    "RWForCausalLM",
    "BloomForCausalLM",     "MPTForCausalLM",
    "GPT2LMHeadModel",      "GPTBigCodeForCausalLM",
    "QWenLMHeadModel",      "ChatGLMModel",
    "DbrxForCausalLM",      "JAISLMHeadModel",
    "PersimmonForCausalLM", "ChatGLMForConditionalGeneration",
};

bool fused_class(const ModelSpec& spec) {
  return std::find(std::begin(kFusedClasses), std::end(kFusedClasses), spec.architecture) !=
         std::end(kFusedClasses);
}

bool is_tower(Part part) { return part == Part::vision || part == Part::audio; }

/// Small matrices that conversion keeps in 16 or 32 bits whatever the mix.
bool never_quantised(const Tensor& t) {
  for (const std::string_view name : {"altup", "laurel", "per_layer_model_projection"}) {
    if (t.module.find(name) != std::string_view::npos ||
        t.block.find(name) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

Role attention_role(std::string_view module, bool fused) {
  if (module == "q_proj" || module == "wq") {
    return fused ? Role::attn_qkv : Role::attn_q;
  }
  if (module == "k_proj") {
    return fused ? Role::attn_qkv : Role::attn_k;
  }
  if (module == "v_proj") {
    return fused ? Role::attn_qkv : Role::attn_v;
  }
  return module == "o_proj" ? Role::attn_output : Role::other;
}

Role role_of(const ModelSpec& spec, const Tensor& t, bool fused) {
  switch (t.part) {
    case Part::embedding:
    case Part::per_layer_embedding:
      return Role::token_embd;
    case Part::lm_head:
      return Role::output;
    case Part::attention:
      return attention_role(t.module, fused);
    case Part::state_mixer:
      // Files with these matrices are young: their quantiser takes them for value matrices.
      if (t.module == "in_proj_qkv" || t.module == "qkv_proj") {
        return Role::attn_v;
      }
      return attention_role(t.module, false);
    case Part::dense_ffn:
    case Part::experts:
    case Part::shared_experts:
      if (t.module == spec.names.up) {
        return Role::ffn_up;
      }
      if (t.module == spec.names.gate) {
        return Role::ffn_gate;
      }
      return t.module == spec.names.down ? Role::ffn_down : Role::other;
    default:
      return Role::other;
  }
}

bool value_like(Role role) {
  return role == Role::attn_v || role == Role::attn_qkv || role == Role::attn_kv_b;
}

std::string_view sixteen_bits(const ModelSpec& spec) {
  return spec.dtype == precision::Dtype::float16 ? "F16" : "BF16";
}

/// 70B in llama.cpp's sense: 80 layers of the Llama or Qwen2 kinds with grouped queries.
bool seventy_billion(const ModelSpec& spec, std::uint64_t gqa) {
  const std::string_view name = spec.architecture;
  const bool named = name.starts_with("Llama") || name.starts_with("Qwen2") ||
                     name.starts_with("DeciLM") || name.starts_with("Mistral");
  return spec.layers.size() == 80 && named && gqa > 1;
}

std::uint64_t most_experts(const ModelSpec& spec) {
  std::uint64_t most = 0;
  for (const model::Layer& layer : spec.layers) {
    most = std::max(most, layer.feed_forward.num_experts);
  }
  return most;
}

/// Lists the tensors of a file that is made by rule.
class Converter {
 public:
  Converter(const ModelSpec& spec, const std::vector<Tensor>& tensors, const Mix* mix, bool mtp)
      : spec_(spec), tensors_(tensors), mtp_(mtp), fused_(fused_class(spec)) {
    sixteen_ = Mix{std::string(sixteen_bits(spec)), find_type(sixteen_bits(spec)), false};
    mix_ = mix == nullptr ? &sixteen_ : mix;
    describe();
  }

  LoadedModel list() {
    out_.format = mix_->name;
    for (const Tensor& tensor : tensors_) {
      if (is_tower(tensor.part) || (tensor.part == Part::mtp && !mtp_)) {
        continue;
      }
      add(tensor);
    }
    return std::move(out_);
  }

 private:
  /// Expert matrices of a checkpoint in MXFP4 are copied as they are (gpt-oss).
  [[nodiscard]] bool keeps_mxfp4() const { return spec_.quantization.method == "mxfp4"; }

  void describe() {
    model_.layers = spec_.layers.size();
    model_.tied = spec_.lm_head && spec_.tie_word_embeddings;
    model_.experts = most_experts(spec_);
    model_.falcon =
        spec_.architecture == "FalconForCausalLM" || spec_.architecture == "RWForCausalLM";
    model_.imatrix = mix_->name.starts_with("IQ");
    if (const model::Attention* a = model::first_attention(spec_)) {
      const bool latent = a->kind == model::AttentionKind::latent;
      const std::uint64_t kv = latent ? 1 : std::max<std::uint64_t>(1, a->num_key_value_heads);
      model_.gqa = a->num_attention_heads / kv;
    }
    model_.seventy_billion = seventy_billion(spec_, model_.gqa);
    values_before_.assign(spec_.layers.size() + 1, 0);
    for (const Tensor& t : tensors_) {
      if (!t.matrix || t.layers == 0 || !t.prefix.empty() || t.part == Part::mtp) {
        continue;
      }
      const Role role = role_of(spec_, t, fused_);
      // A fused matrix is listed as three here and is one in the file.
      const bool counts = value_like(role) && (role != Role::attn_qkv || t.module != "q_proj") &&
                          (role != Role::attn_qkv || t.module != "k_proj");
      for (std::uint64_t i = t.first_layer;
           counts && i < std::min<std::uint64_t>(t.first_layer + t.layers, spec_.layers.size());
           ++i) {
        values_before_[i] += role == Role::attn_v ? 1 : 0;
        ++model_.attention_count;
      }
    }
    std::uint64_t sum = 0;
    for (std::uint64_t& value : values_before_) {
      const std::uint64_t here = value;
      value = sum;
      sum += here;
    }
  }

  void push(LoadedTensor tensor) {
    if (tensor.bytes != 0) {
      out_.tensors.push_back(tensor);
    }
  }

  void add(const Tensor& t) {
    const std::uint64_t copies = t.layers == 0 ? 1 : t.layers;
    for (std::uint64_t i = 0; i < copies; ++i) {
      LoadedTensor loaded;
      loaded.part = t.part;
      loaded.matrix = t.matrix;
      loaded.expert = t.part == Part::experts;
      const bool in_layer = t.layers != 0 && t.prefix.empty();
      if (in_layer) {
        loaded.layer = t.first_layer + i;
      }
      loaded.role = t.matrix ? role_of(spec_, t, fused_) : Role::other;
      loaded.input =
          !in_layer && (t.part == Part::embedding || t.part == Part::per_layer_embedding);
      loaded.output = !in_layer && !loaded.input;
      if (!t.matrix) {
        loaded.bytes = round_up(t.rows * t.cols * t.copies * 4, kAlignment);
        push(loaded);
        continue;
      }
      add_matrix(t, loaded);
    }
  }

  void add_matrix(const Tensor& t, LoadedTensor loaded) {
    if (t.module == "kv_b_proj" && t.part != Part::mtp) {
      add_latent_pair(t, loaded);
      return;
    }
    loaded.bytes = bytes_of(t, loaded, t.rows * t.copies, t.cols);
    if (loaded.role != Role::token_embd) {
      push(loaded);
      return;
    }
    loaded.input = true;
    push(loaded);
    if (t.part == Part::embedding && model_.tied) {
      loaded.input = false;
      loaded.output = true;
      loaded.role = Role::output;
      push(loaded);
    }
  }

  /// kv_b_proj is stored as the two halves that latent attention absorbs, keys turned.
  void add_latent_pair(const Tensor& t, LoadedTensor loaded) {
    const model::Attention* a = nullptr;
    if (loaded.layer && *loaded.layer < spec_.layers.size()) {
      a = &spec_.layers[*loaded.layer].attention;
    }
    if (a == nullptr || a->kind != model::AttentionKind::latent) {
      loaded.bytes = bytes_of(t, loaded, t.rows, t.cols);
      push(loaded);
      return;
    }
    loaded.bytes =
        bytes_of(t, loaded, a->num_attention_heads * a->kv_lora_rank, a->qk_nope_head_dim) +
        bytes_of(t, loaded, a->num_attention_heads * a->v_head_dim, a->kv_lora_rank);
    push(loaded);
  }

  [[nodiscard]] std::uint64_t bytes_of(const Tensor& t, const LoadedTensor& loaded,
                                       std::uint64_t rows, std::uint64_t cols) const {
    if (t.part == Part::router && t.kind == ModuleKind::router) {
      return buffer_bytes(*find_type("F32"), rows, cols);
    }
    if (rows == 1 || t.float32) {
      return buffer_bytes(*find_type("F32"), rows, cols);
    }
    if (never_quantised(t)) {
      return buffer_bytes(*sixteen_.base, rows, cols);
    }
    if (loaded.expert && keeps_mxfp4()) {
      return buffer_bytes(*find_type("MXFP4"), rows, cols);
    }
    TensorPlace place;
    place.role = loaded.role;
    place.layer = loaded.layer.value_or(0);
    place.cols = cols;
    place.expert = loaded.expert;
    place.attention_index =
        place.layer < values_before_.size() ? values_before_[place.layer] : place.layer;
    return buffer_bytes(tensor_type(*mix_, model_, place), rows, cols);
  }

  const ModelSpec& spec_;
  const std::vector<Tensor>& tensors_;
  bool mtp_;
  bool fused_;
  Mix sixteen_;
  const Mix* mix_ = nullptr;
  MixModel model_;
  std::vector<std::uint64_t> values_before_;  ///< value matrices in the layers before
  LoadedModel out_;
};

/// The layer a GGUF's name says; empty outside the layers.
std::optional<std::uint64_t> layer_of(std::string_view name) {
  if (!name.starts_with("blk.")) {
    return std::nullopt;
  }
  std::uint64_t layer = 0;
  std::size_t at = 4;
  for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && at < 12; ++at) {
    layer = layer * 10 + static_cast<std::uint64_t>(name[at] - '0');
  }
  return at == 4 ? std::nullopt : std::optional(layer);
}

bool has(std::string_view name, std::string_view part) {
  return name.find(part) != std::string_view::npos;
}

Role stored_role(std::string_view name) {
  constexpr std::pair<std::string_view, Role> kRoles[] = {
      {"attn_qkv.", Role::attn_qkv}, {"attn_kv_b.", Role::attn_kv_b},
      {"attn_q.", Role::attn_q},     {"attn_k.", Role::attn_k},
      {"attn_v.", Role::attn_v},     {"attn_output.", Role::attn_output},
      {"ffn_gate_inp", Role::other}, {"ffn_up", Role::ffn_up},
      {"ffn_gate", Role::ffn_gate},  {"ffn_down", Role::ffn_down},
  };
  for (const auto& [part, role] : kRoles) {
    if (has(name, part)) {
      return role;
    }
  }
  return Role::other;
}

Part stored_part(std::string_view name, bool expert) {
  if (expert) {
    return Part::experts;
  }
  if (has(name, "_norm")) {
    return Part::norms;
  }
  if (has(name, "ffn_gate_inp")) {
    return Part::router;
  }
  if (has(name, "_shexp")) {
    return Part::shared_experts;
  }
  if (has(name, ".ffn_")) {
    return Part::dense_ffn;
  }
  return has(name, ".ssm_") ? Part::state_mixer : Part::attention;
}

LoadedModel stored_model(const ModelSpec& spec, bool mtp) {
  LoadedModel out;
  out.source = WeightSource::gguf;
  out.format = spec.stored_format;
  bool has_output = false;
  std::optional<LoadedTensor> table;
  for (const model::StoredTensor& stored : spec.stored_tensors) {
    const std::string_view name = stored.name;
    LoadedTensor loaded;
    loaded.layer = layer_of(name);
    if (loaded.layer && *loaded.layer >= spec.layers.size()) {
      if (!mtp) {
        continue;
      }
      loaded.part = Part::mtp;
    }
    loaded.expert = has(name, "_exps.") || has(name, "_chexps.");
    loaded.role = stored_role(name);
    loaded.matrix = name.ends_with(".weight") && !has(name, "_norm");
    loaded.bytes = round_up(stored.bytes, kAlignment);
    loaded.part = loaded.part == Part::mtp ? Part::mtp : stored_part(name, loaded.expert);
    if (!loaded.layer) {
      loaded.input = name.starts_with("token_embd") || name.starts_with("per_layer_token_embd") ||
                     name.starts_with("position_embd") || name.starts_with("token_types");
      loaded.output = !loaded.input;
      loaded.part = loaded.input ? Part::embedding : Part::norms;
      if (name == "output.weight") {
        has_output = true;
        loaded.role = Role::output;
        loaded.part = Part::lm_head;
      }
      if (name == "token_embd.weight") {
        loaded.role = Role::token_embd;
        table = loaded;
      }
    }
    out.tensors.push_back(loaded);
  }
  if (!has_output && table && spec.lm_head) {
    table->input = false;
    table->output = true;
    table->role = Role::output;
    out.tensors.push_back(*table);
  }
  return out;
}

}  // namespace

LoadedModel load_model(const ModelSpec& spec, const std::vector<Tensor>& tensors, const Mix* mix,
                       bool mtp) {
  if (mix == nullptr && !spec.stored_tensors.empty()) {
    return stored_model(spec, mtp);
  }
  LoadedModel loaded = Converter(spec, tensors, mix, mtp).list();
  if (mix != nullptr) {
    loaded.source = mix->third_party ? WeightSource::publishers : WeightSource::mix;
  }
  return loaded;
}

std::uint64_t projector_bytes(const std::vector<Tensor>& tensors) {
  std::uint64_t bytes = 0;
  for (const Tensor& t : tensors) {
    if (is_tower(t.part)) {
      bytes += t.elements() * (t.matrix ? 2 : 4);
    }
  }
  return bytes;
}

}  // namespace ridgepoint::engine::llamacpp
