#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "checkpoint/gguf_model.hpp"

namespace ridgepoint::checkpoint {

/// A metadata key below the architecture's name, and what transformers calls it.
struct GgufKey {
  std::string_view gguf;
  std::string_view config;
};
using GgufKeys = std::span<const GgufKey>;

/// One of llama.cpp's architectures: what it is in transformers, and how its metadata become a
/// config.
struct GgufFamily {
  std::string_view gguf;
  std::string_view architecture;
  std::string_view model_type;
  GgufKeys keys;
  std::uint64_t period = 0;  ///< every n-th layer is full, the others windowed; 0: see the metadata
  void (*more)(GgufModel&) = nullptr;  ///< what a table of keys cannot say
  bool layers_differ = false;          ///< `more` reads sizes that differ by layer
};

/// All of them, by llama.cpp's names (gguf-py, MODEL_ARCH_NAMES).
std::span<const GgufFamily> gguf_families();

}  // namespace ridgepoint::checkpoint
