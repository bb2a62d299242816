#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.hpp"
#include "engine/llamacpp/quant_mix.hpp"

namespace ridgepoint::engine::llamacpp {

/// A tensor of the GGUF that is loaded, `bytes` as it lies in a device's buffer.
struct LoadedTensor {
  model::Part part = model::Part::norms;
  Role role = Role::other;
  std::optional<std::uint64_t> layer;  ///< empty: before or after the layers
  bool expert = false;                 ///< one of the stacked matrices of a mixture
  bool input = false;                  ///< a table that tokens are looked up in: stays with the CPU
  bool output = false;                 ///< the head and the final norm
  bool matrix = false;                 ///< what --split-mode row cuts
  std::uint64_t bytes = 0;
  std::optional<std::size_t> override_rule;  ///< which of --override-tensor's pairs names it
};

/// How the tensors' formats are known.
enum class WeightSource : std::uint8_t {
  gguf,        ///< the header of the file
  mix,         ///< a mix of llama-quantize, by name
  publishers,  ///< a publisher's own mix: the nearest one of llama-quantize
  converted,   ///< none named: the checkpoint's own 16 bits
};

struct LoadedModel {
  std::vector<LoadedTensor> tensors;
  WeightSource source = WeightSource::converted;
  std::string format;  ///< for people: "Q4_K_M"
};

/// What a file that llama-quantize or convert_hf_to_gguf.py makes of the model holds: matrices by
/// the mix, vectors and routers in float32, a tied table once as input and once as output.
/// `mix` null: the file whose header the model came with, or 16 bits as converted. `mtp`: the
/// layers that predict further tokens are loaded too. Sources: llama.cpp src/llama-quant.cpp,
/// src/llama-model.cpp, convert_hf_to_gguf.py.
LoadedModel load_model(const model::ModelSpec& spec, const std::vector<model::Tensor>& tensors,
                       const Mix* mix, bool mtp);

/// Bytes of the towers that llama.cpp keeps in a file of their own (--mmproj), in 16 bits.
std::uint64_t projector_bytes(const std::vector<model::Tensor>& tensors);

}  // namespace ridgepoint::engine::llamacpp
