#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "command/shell_words.hpp"

namespace ridgepoint::command {

/// How a program takes its arguments.
enum class Dialect {
  serve,  ///< flags and at most one bare word, the model
  bench,  ///< trtllm-bench, llama-bench: a name of the measurement and flags of its own besides
};

/// Words that start an engine: which, and what is left for it.
struct Start {
  std::string_view engine;   ///< "vllm", "sglang", "trtllm", "llamacpp"
  std::string_view program;  ///< for people: "vllm serve"
  Dialect dialect = Dialect::serve;
  std::vector<std::string> words;  ///< its arguments
  std::vector<Assignment> env;     ///< VAR=x words before the program: env VAR=x, mpirun -x VAR=x
};

/// The engine that words start. Wrappers in front are looked through, whatever options they have:
/// sudo, env, nohup, numactl, taskset, timeout, torchrun, mpirun, srun, uv run, docker exec,
/// kubectl exec and their kin. Empty when they start none. `anywhere` takes any words in front for
/// a wrapper, so that a command is found in the middle of a sentence.
std::optional<Start> find_start(std::span<const std::string> words, bool anywhere = false);

/// The text of `sh -c "text"` (and bash, -lc, behind wrappers, `ssh host 'text'`); empty when the
/// words run no such text.
std::optional<std::string> script_of(std::span<const std::string> words);

/// The place of `run` in docker, podman or nerdctl … run …, of the image's options behind it; empty
/// when the words run no container.
std::optional<std::size_t> container_run(std::span<const std::string> words);

/// What an image holds, by its name.
struct Image {
  std::string_view engine;   ///< empty: none of the engines
  std::string version;       ///< as its tag says; empty: the tag says none
  std::string tag;           ///< as written
  std::string_view program;  ///< what it starts by itself; empty: the command must say it
};
Image read_image(std::string_view name);

/// The version of `engine` that `pip install vllm==0.10.0` and its kin install; empty: none.
std::string installed_version(std::span<const std::string> words, std::string_view engine);

}  // namespace ridgepoint::command
