#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ridgepoint::engine::sglang {

/// How tokens are proposed ahead of the model.
enum class Speculation : std::uint8_t { none, eagle, standalone, ngram, dflash };

/// Which half of a divided service this is (`--disaggregation-mode`).
enum class Role : std::uint8_t { whole, prefill, decode };

/// What the config says of the vision tower under the names the engine reads; 0: not there.
struct VisionSize {
  std::uint64_t layers = 0;
  std::uint64_t hidden_size = 0;
};

/// What the default of `--mem-fraction-static` follows from.
struct FractionInputs {
  std::uint32_t number = 0;   ///< version, as in version.hpp
  std::uint64_t gpu_mib = 0;  ///< what nvidia-smi reports of the smallest card
  std::uint64_t tensor = 1;
  std::uint64_t pipeline = 1;
  std::uint64_t attention_data = 1;  ///< groups of data-parallel attention; 1: none
  std::uint64_t chunk = 0;           ///< chunked prefill before it is divided; 0: off
  std::uint64_t max_prefill_tokens = 0;
  std::uint64_t decode_graph_most = 0;  ///< largest batch with a decode graph; 0: no graphs
  std::uint64_t prefill_graphs = 0;     ///< number of prompt sizes with a graph
  std::optional<std::uint64_t> max_running_requests;
  std::uint64_t draft_tokens = 1;
  Speculation speculation = Speculation::none;
  Role role = Role::whole;
  bool latent = false;
  bool deepep = false;
  bool nvidia = true;
  std::optional<VisionSize> vision;  ///< of a model that serves pictures
};

/// The default and what it is made of.
struct StaticFraction {
  double value = 0;
  double reserved_mib = 0;         ///< 0 where the version looks the value up in a table
  double multimodal_factor = 1.0;  ///< of `value` already
  std::vector<std::pair<std::string, double>> parts;  ///< of reserved_mib
};

/// The default of `--mem-fraction-static`. Source: SGLang 0.4.0 to 0.5.17 server_args.py,
/// _handle_gpu_memory_settings and its forerunners; before 0.4.8 a table by parallel size.
StaticFraction default_static_fraction(const FractionInputs& inputs);

/// The part of a given or default fraction that multimodal models kept before 0.4.9.
/// Source: SGLang 0.4 model_executor/model_runner.py.
double old_multimodal_factor(std::uint32_t number);

/// Tokens of one prefill chunk by card. Source: as above.
std::uint64_t default_chunk(std::uint32_t number, std::uint64_t gpu_mib);

/// Largest batch with a decode graph by card and tensor parallel size. Source: as above.
std::uint64_t default_graph_most(std::uint32_t number, std::uint64_t gpu_mib, std::uint64_t tensor);

}  // namespace ridgepoint::engine::sglang
