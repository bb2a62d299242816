#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "json/fields.hpp"
#include "precision/kv_format.hpp"
#include "precision/weight_format.hpp"
#include "result.hpp"

namespace ridgepoint::precision {

/// What kind of module a weight belongs to, as far as quantisers care.
enum class ModuleKind : std::uint8_t {
  linear,
  expert,     ///< a routed expert's matrix
  router,     ///< never quantised
  embedding,  ///< never quantised by the methods read here
  lm_head,    ///< only where the method says so
};

/// The quantisation of a checkpoint: which format each module's weight has.
class Quantization {
 public:
  /// Not quantised.
  Quantization() = default;

  struct Group {
    std::vector<std::string> targets;  ///< module names, globs or "re:" patterns; empty: all
    WeightFormat format;
  };

  std::string method;  ///< as the config names it, e.g. "awq"; empty: none
  std::vector<Group> groups;
  bool experts_only = false;  ///< gpt-oss MXFP4: attention, router and embeddings stay 16-bit
  bool lm_head = false;       ///< the output head is quantised too
  std::optional<KvFormat> kv_cache;  ///< the KV format the checkpoint asks for

  [[nodiscard]] bool quantized() const { return !groups.empty(); }

  /// Whether one format serves all modules that are quantised at all, whatever their names.
  [[nodiscard]] bool uniform() const;

  /// Whether modules of a kind can differ in format by their names; if not, format_of may be asked
  /// once for all of them.
  [[nodiscard]] bool by_name(ModuleKind kind) const;

  /// The format of a module by its full name, e.g. "model.layers.0.self_attn.q_proj".
  [[nodiscard]] WeightFormat format_of(std::string_view module, ModuleKind kind) const;

  /// Leaves a module (a full or dotted partial name, a glob with *, or "re:" + expression) as is.
  void ignore(std::string_view entry);

 private:
  [[nodiscard]] bool ignored(std::string_view module) const;

  std::unordered_set<std::string> ignored_names_;
  std::vector<std::string> ignored_parts_;
  std::vector<std::string> ignored_patterns_;
  std::vector<std::string> ignored_globs_;
};

/// Reads a `quantization_config` object, or the `hf_quant_config.json` of ModelOpt, of the methods
/// fp8, fbgemm_fp8, awq, gptq, bitsandbytes, compressed-tensors, mxfp4, modelopt (FP8, NVFP4) and
/// auto-round. Errors: `unsupported_quantization` names a method this build does not size,
/// `bad_value` a field. Sources: Hugging Face transformers quantization configs; vLLM
/// model_executor/layers/quantization.
Result<Quantization> read_quantization(const json::Value& config, std::string path);

/// The scheme that `--quantization fp8` makes of a 16-bit checkpoint while loading: linear layers
/// FP8 with one scale a tensor, embeddings and head 16-bit (vLLM fp8.py, online quantisation).
Quantization online_fp8();

/// bitsandbytes 4-bit made while loading, as `--quantization bitsandbytes` does.
Quantization online_bitsandbytes();

}  // namespace ridgepoint::precision
