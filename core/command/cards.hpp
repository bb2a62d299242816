#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command/arguments.hpp"
#include "command/judge.hpp"
#include "command/serving.hpp"

namespace ridgepoint::command {

/// How many cards the command runs on. vLLM, SGLang and TensorRT-LLM: tensor x pipeline x data
/// parallel size, 1 without such a flag, whatever they may see; llama.cpp: all that it may see.
/// `asked` (may be empty) is what the asker says, used where the command says nothing. Notes where
/// the flags and what may be seen disagree.
std::optional<std::uint64_t> count_cards(const engine::Engine& engine, const Arguments& arguments,
                                         const Serving& serving,
                                         const std::vector<ReadVariable>& variables,
                                         std::optional<std::uint64_t> asked,
                                         std::vector<std::string>& notes);

}  // namespace ridgepoint::command
