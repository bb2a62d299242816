#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/llamacpp/ggml.hpp"

namespace ridgepoint::engine::llamacpp {

/// What a tensor is to the quantiser, by the name it has in a GGUF.
enum class Role : std::uint8_t {
  token_embd,
  output,
  attn_q,
  attn_k,
  attn_v,
  attn_qkv,
  attn_kv_b,
  attn_output,
  ffn_up,
  ffn_gate,
  ffn_down,
  other,
};

/// A file type of llama-quantize, e.g. Q4_K_M: most tensors have `base`, some others more bits.
struct Mix {
  std::string name;                ///< "Q4_K_M"
  const GgmlType* base = nullptr;  ///< never null in a mix that was found
  bool third_party = false;        ///< a "dynamic" mix (UD-…, …_XL) that is its publisher's own
};

/// Where a tensor stands, as far as mixes ask.
struct TensorPlace {
  Role role = Role::other;
  std::uint64_t layer = 0;
  std::uint64_t cols = 0;             ///< length of a row
  std::uint64_t attention_index = 0;  ///< of the value matrices before it
  bool expert = false;
};

/// What mixes ask of the model.
struct MixModel {
  std::uint64_t layers = 0;
  std::uint64_t attention_count = 0;  ///< value matrices, fused ones too
  std::uint64_t gqa = 1;              ///< query heads a key/value head
  std::uint64_t experts = 0;
  bool tied = false;
  bool seventy_billion = false;  ///< one of the sizes that llama.cpp calls 70B
  bool falcon = false;
  bool imatrix = false;
};

/// The mix that a file name or a repository's tag names: "Llama-3.2-3B-Q4_K_M.gguf",
/// "org/name-GGUF:Q4_K_M", "UD-Q4_K_XL". Empty when it names none.
std::optional<Mix> find_mix(std::string_view name);

/// The format a matrix gets. Source: llama.cpp src/llama-quant.cpp (the choice by tensor category,
/// and the fallback where a row does not divide into blocks).
const GgmlType& tensor_type(const Mix& mix, const MixModel& model, const TensorPlace& place);

}  // namespace ridgepoint::engine::llamacpp
