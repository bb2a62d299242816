#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/fields.hpp"
#include "precision/kv_format.hpp"
#include "precision/module_names.hpp"
#include "precision/weight_format.hpp"
#include "result.hpp"

namespace ridgepoint::precision {

/// What kind of module a weight belongs to, as far as quantisers care. Which kinds a method touches
/// without naming modules is Group::kinds; a module named one by one is touched whatever its kind.
enum class ModuleKind : std::uint8_t {
  linear,
  expert,       ///< a routed expert's matrix
  router,       ///< 16-bit unless named (MLX quantises it)
  embedding,    ///< 16-bit unless the method says so (MLX, compressed-tensors "Embedding")
  lm_head,      ///< only where the method says so
  vision,       ///< a linear layer of an image or audio tower
  projector,    ///< a linear layer between a tower and the decoder
  convolution,  ///< never quantised
};

/// A set of kinds.
using ModuleKinds = std::uint16_t;

constexpr ModuleKinds kinds_of(ModuleKind kind) {
  return static_cast<ModuleKinds>(1U << static_cast<unsigned>(kind));
}
template <typename... More>
constexpr ModuleKinds kinds_of(ModuleKind kind, More... more) {
  return static_cast<ModuleKinds>(kinds_of(kind) | kinds_of(more...));
}

/// What quantisers that walk the decoder's layers touch.
constexpr ModuleKinds kDecoderLinear = kinds_of(ModuleKind::linear, ModuleKind::expert);

/// All that is a torch Linear but the head: what a method touches that leaves only listed modules.
constexpr ModuleKinds kAnyLinear =
    kinds_of(ModuleKind::linear, ModuleKind::expert, ModuleKind::vision, ModuleKind::projector);

/// The quantisation of a checkpoint: which format each module's weight has.
class Quantization {
 public:
  /// Not quantised.
  Quantization() = default;

  struct Group {
    ModuleKinds kinds = 0;  ///< kinds that have this format without being named
    WeightFormat format;
  };

  std::string method;                ///< as the config names it, e.g. "awq"; empty: none
  std::vector<Group> groups;         ///< the first is the one most weights have
  std::optional<KvFormat> kv_cache;  ///< the KV format the checkpoint asks for

  [[nodiscard]] bool quantized() const { return !groups.empty(); }

  /// Whether modules of a kind can differ in format by their names; if not, format_of may be asked
  /// once for all of them.
  [[nodiscard]] bool by_name(ModuleKind kind) const;

  /// Whether any module's format depends on its name; if not, format_of takes any name.
  [[nodiscard]] bool reads_names() const {
    return quantized() && (!assigned_.empty() || !ignored_.empty());
  }

  /// The format of a module by its full name, e.g. "model.layers.0.self_attn.q_proj". Wrappers'
  /// prefixes, fused layers and expert numbers may be spelt either way (NameRules).
  [[nodiscard]] WeightFormat format_of(std::string_view module, ModuleKind kind) const;

  /// Leaves a module (a full or dotted partial name, a glob with *, or "re:" + expression) as is.
  void ignore(std::string_view entry);

  /// Gives modules, named as for ignore(), a format of their own.
  void assign(std::string_view entry, const WeightFormat& format);

  /// Globs and expressions among the rules; each costs time at every format_of().
  [[nodiscard]] std::size_t patterns() const { return ignored_.patterns() + assigned_.patterns(); }

 private:
  [[nodiscard]] bool covers(ModuleKind kind) const;

  NameRules ignored_;
  NameRules assigned_;         ///< the number is an index into groups
  bool head_ignored_ = false;  ///< kept apart so that naming the head does not cost uniformity
};

/// Reads a `quantization_config` object, MLX's `quantization`, a quantize_config.json or
/// quant_config.json of GPTQ and AWQ, or the hf_quant_config.json of ModelOpt. Methods: fp8,
/// fbgemm_fp8, awq, gptq, auto-round, bitsandbytes, compressed-tensors, mxfp4, modelopt, torchao,
/// quark, hqq, eetq, aqlm, bitnet, blockwise_int8, w8a8_int8, w8a8_fp8, and MLX's without a name.
/// Errors: `unsupported_quantization` names a method or format this build does not size,
/// `bad_value` a field. Sources: Hugging Face transformers quantization configs; vLLM
/// model_executor/layers/quantization; compressed-tensors; mlx_lm.
Result<Quantization> read_quantization(const json::Value& config, std::string path);

/// The quantisation of a whole config.json, by whichever key it is declared: `quantization_config`
/// or `compression_config` (also in text_config and its like), MLX's `quantization`, ChatGLM's
/// `quantization_bit`, DeepSeek-V4's `expert_dtype`. `beside` is a file that lies beside the config
/// (hf_quant_config.json, quantize_config.json), may be null, and counts only when the config
/// declares nothing; errors in it name `beside_path`. A config that declares nothing is not
/// quantised. Errors: as read_quantization.
Result<Quantization> quantization_of(const json::Value& config, const std::string& path,
                                     const json::Value* beside, const std::string& beside_path);

/// The scheme that `--quantization fp8` makes of a 16-bit checkpoint while loading: linear layers
/// FP8 with one scale a tensor, embeddings and head 16-bit (vLLM fp8.py, online quantisation).
Quantization online_fp8();

/// bitsandbytes 4-bit made while loading, as `--quantization bitsandbytes` does.
Quantization online_bitsandbytes();

/// The scheme that a value of `--quantization` makes of 16-bit weights; empty where it makes none.
std::optional<Quantization> online_quantization(std::string_view flag);

}  // namespace ridgepoint::precision
