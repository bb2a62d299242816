#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::command {

/// An option of the engine's YAML file. `value` is a scalar or flow text that YAML takes as it is.
struct FileOption {
  std::vector<std::string> path;
  std::string value;
  std::string why;
};

/// The flag that takes the file of options, and the file; TensorRT-LLM's alone has one.
inline constexpr std::string_view kOptionsFlag = "--extra_llm_api_options";
inline constexpr std::string_view kOptionsFile = "extra-llm-api-options.yaml";

/// Where an option stands in the file of TensorRT-LLM of that version (0.21: 21, 1.0: 1000), and
/// its value as YAML. Before 1.0 the options of CUDA graphs, experts and the cache's format had
/// names of their own, and before 0.20 those of the PyTorch backend were a group.
FileOption file_option(const engine::FlagValue& flag, std::uint32_t version);

/// The file's text, options of a group together, each behind its comment. Error `not_writable`
/// where an option is both a value and a group.
Result<std::string> options_text(const std::vector<FileOption>& options);

}  // namespace ridgepoint::command
