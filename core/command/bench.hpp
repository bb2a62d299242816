#pragma once

#include <string>
#include <vector>

#include "command/arguments.hpp"
#include "command/programs.hpp"

namespace ridgepoint::command {

/// The words of a benchmark without what belongs to the measurement and not to the engine.
struct BenchWords {
  std::vector<std::string> words;
  std::vector<ReadFlag> flags;  ///< those that went, as `no_effect`
  std::string note;             ///< what the engine's own flags were made of; may be empty
};

/// llama-bench: prompt, answer and depth (-p, -n, -d, -pg) become the context it makes, one
/// sequence of it; of a list of values the first is read. vLLM's, SGLang's and TensorRT-LLM's
/// benchmarks: their lengths, datasets and outputs go. Any other program: the words as they are.
BenchWords take_bench_words(const Start& start);

}  // namespace ridgepoint::command
