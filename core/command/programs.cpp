#include "command/programs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

namespace ridgepoint::command {
namespace {

using Words = std::span<const std::string>;
using Names = std::initializer_list<std::string_view>;

bool one_of(std::string_view word, Names names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

/// The name of a program without its folder and ".exe".
std::string_view program_name(std::string_view word) {
  const std::size_t slash = word.find_last_of("/\\");
  if (slash != std::string_view::npos) {
    word.remove_prefix(slash + 1);
  }
  return word.ends_with(".exe") ? word.substr(0, word.size() - 4) : word;
}

bool is_python(std::string_view word) {
  const std::string_view name = program_name(word);
  return name == "python" || name == "py" ||
         (name.starts_with("python") &&
          name.find_first_not_of("0123456789.", 6) == std::string_view::npos);
}

bool is_wrapper(std::string_view word) {
  return one_of(program_name(word), {"sudo",      "env",         "nohup",
                                     "exec",      "command",     "nice",
                                     "ionice",    "taskset",     "numactl",
                                     "setsid",    "stdbuf",      "timeout",
                                     "torchrun",  "mpirun",      "mpiexec",
                                     "srun",      "uv",          "uvx",
                                     "poetry",    "pipenv",      "conda",
                                     "mamba",     "micromamba",  "docker",
                                     "podman",    "nerdctl",     "kubectl",
                                     "screen",    "tmux",        "nsys",
                                     "ncu",       "accelerate",  "time",
                                     "chrt",      "systemd-run", "pixi",
                                     "hatch",     "rye",         "trtllm-llmapi-launch",
                                     "ray",       "unbuffer",    "script",
                                     "doas",      "start",       "call",
                                     "&",         "gdb",         "strace",
                                     "catchsegv", "xvfb-run",    "wsl",
                                     "cmd",       "modal",       "dumb-init",
                                     "tini"});
}

struct Found {
  std::string_view engine;
  std::string_view program;
  std::size_t arguments;  ///< words that are the program's own name
  Dialect dialect = Dialect::serve;
};

/// `python -m module …`, where options such as -u may come first.
std::optional<Found> python_module(Words words) {
  std::size_t at = 1;
  while (at < words.size() && words[at] != "-m" && words[at].starts_with('-')) {
    at += one_of(words[at], {"-W", "-X"}) ? 2 : 1;
  }
  if (at >= words.size()) {
    return std::nullopt;
  }
  if (words[at] != "-m") {
    // A script by its path: …/vllm/entrypoints/openai/api_server.py
    const std::string& script = words[at];
    if (script.ends_with("vllm/entrypoints/openai/api_server.py")) {
      return Found{"vllm", "vllm.entrypoints.openai.api_server", at + 1};
    }
    if (script.ends_with("sglang/launch_server.py")) {
      return Found{"sglang", "sglang.launch_server", at + 1};
    }
    return std::nullopt;
  }
  if (at + 1 >= words.size()) {
    return std::nullopt;
  }
  const std::string& module = words[at + 1];
  struct Module {
    std::string_view name;
    std::string_view engine;
    Dialect dialect;
  };
  constexpr Module kModules[] = {
      {"vllm.entrypoints.openai.api_server", "vllm", Dialect::serve},
      {"vllm.entrypoints.api_server", "vllm", Dialect::serve},
      {"vllm.entrypoints.openai.run_batch", "vllm", Dialect::serve},
      {"sglang.launch_server", "sglang", Dialect::serve},
      {"sglang_router.launch_server", "sglang", Dialect::serve},
      {"sglang.bench_one_batch", "sglang", Dialect::bench},
      {"sglang.bench_offline_throughput", "sglang", Dialect::bench},
      {"tensorrt_llm.commands.serve", "trtllm", Dialect::serve},
      {"tensorrt_llm.commands.bench", "trtllm", Dialect::bench},
  };
  for (const Module& known : kModules) {
    if (module == known.name) {
      return Found{known.engine, known.name, at + 2, known.dialect};
    }
  }
  if (one_of(module, {"vllm.entrypoints.cli.main", "vllm"}) && at + 2 < words.size() &&
      words[at + 2] == "serve") {
    return Found{"vllm", "vllm serve", at + 3};
  }
  return std::nullopt;
}

std::optional<Found> llama_program(std::string_view name, std::string_view path, Words words) {
  struct Program {
    std::string_view name;
    Dialect dialect;
  };
  constexpr Program kPrograms[] = {
      {"llama-server", Dialect::serve},     {"llama-cli", Dialect::serve},
      {"llama-mtmd-cli", Dialect::serve},   {"llama-completion", Dialect::serve},
      {"llama-perplexity", Dialect::serve}, {"llama-batched-bench", Dialect::serve},
      {"llama-simple", Dialect::serve},     {"llama-embedding", Dialect::serve},
      {"llama-bench", Dialect::bench},      {"llama-fit-params", Dialect::serve},
  };
  for (const Program& known : kPrograms) {
    if (name == known.name) {
      return Found{"llamacpp", known.name, 1, known.dialect};
    }
  }
  if (name == "llama" && words.size() > 1 && one_of(words[1], {"serve", "server", "cli"})) {
    return Found{"llamacpp", words[1] == "cli" ? "llama cli" : "llama serve", 2};
  }
  // Before they were renamed, they stood in the build's own folder.
  const bool own_folder = path.size() > name.size();
  if (own_folder && words.size() > 1 && words[1].starts_with('-') &&
      one_of(name, {"server", "main"})) {
    return Found{"llamacpp", name == "server" ? "llama-server" : "llama-cli", 1};
  }
  return std::nullopt;
}

/// The program that the first word is, if it is an engine's.
std::optional<Found> program_at(Words words) {
  const std::string_view path = words[0];
  const std::string_view name = program_name(path);
  const std::string_view second = words.size() > 1 ? std::string_view(words[1]) : "";
  if (name == "vllm" && second == "serve") {
    return Found{"vllm", "vllm serve", 2};
  }
  if (name == "vllm" && one_of(second, {"run-batch", "chat", "complete"})) {
    return Found{"vllm", "vllm", 2};
  }
  if (name == "vllm" && second == "bench" && words.size() > 2 &&
      one_of(words[2], {"latency", "throughput"})) {
    return Found{"vllm", "vllm bench", 3, Dialect::bench};
  }
  if (name == "sglang" && second == "serve") {
    return Found{"sglang", "sglang serve", 2};
  }
  if (name == "trtllm-serve" && second.starts_with("disaggregated")) {
    return std::nullopt;  // a router in front of servers that are started by themselves
  }
  if (name == "trtllm-serve") {
    const bool named = one_of(second, {"serve", "mm_embedding_serve"});
    return Found{"trtllm", "trtllm-serve", named ? std::size_t{2} : std::size_t{1}};
  }
  if (one_of(name, {"trtllm-bench", "trtllm-eval"})) {
    return Found{"trtllm", name == "trtllm-bench" ? "trtllm-bench" : "trtllm-eval", 1,
                 Dialect::bench};
  }
  if (is_python(path)) {
    return python_module(words);
  }
  if (name.starts_with("llama") || one_of(name, {"server", "main"})) {
    return llama_program(name, path, words);
  }
  return std::nullopt;
}

std::optional<Assignment> assignment(std::string_view word) {
  const std::size_t equals = word.find('=');
  const bool compares = word.substr(std::min(equals, word.size())).starts_with("==");
  if (equals == 0 || equals == std::string_view::npos || word[0] == '-' || compares) {
    return std::nullopt;  // vllm==0.10.0 is a requirement
  }
  const std::string_view name = word.substr(0, equals);
  const bool valid = std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
  if (!valid) {
    return std::nullopt;
  }
  return Assignment{std::string(name), std::string(word.substr(equals + 1))};
}

}  // namespace

std::optional<Start> find_start(Words words, bool anywhere) {
  if (words.empty()) {
    return std::nullopt;
  }
  if (container_run(words)) {
    return std::nullopt;  // what it runs is the image's, read elsewhere
  }
  const bool wrapped = anywhere || is_wrapper(words[0]);
  Start start;
  for (std::size_t i = 0; i < words.size() && (i == 0 || wrapped); ++i) {
    if (auto made = assignment(words[i])) {
      start.env.push_back(*std::move(made));
      continue;
    }
    const auto found = program_at(words.subspan(i));
    if (!found) {
      continue;
    }
    start.engine = found->engine;
    start.program = found->program;
    start.dialect = found->dialect;
    const Words rest = words.subspan(i + found->arguments);
    start.words.assign(rest.begin(), rest.end());
    return start;
  }
  return std::nullopt;
}

std::optional<std::string> script_of(Words words) {
  const bool remote = !words.empty() && program_name(words[0]) == "ssh";
  if (remote && words.size() > 2 && words.back().find(' ') != std::string::npos) {
    return words.back();
  }
  constexpr std::size_t kMostBefore = 40;
  for (std::size_t i = 0; i + 2 < words.size() && i < kMostBefore; ++i) {
    const bool shell = one_of(program_name(words[i]), {"sh", "bash", "zsh", "dash", "ash"});
    if (i == 0 && !shell && !is_wrapper(words[0])) {
      return std::nullopt;
    }
    if (!shell) {
      continue;
    }
    for (std::size_t j = i + 1; j + 1 < words.size() && words[j].starts_with('-'); ++j) {
      if (!words[j].starts_with("--") && words[j].ends_with('c')) {
        return words[j + 1];
      }
    }
  }
  return std::nullopt;
}

std::optional<std::size_t> container_run(Words words) {
  constexpr std::size_t kMostBefore = 12;
  for (std::size_t i = 0; i < words.size() && i < kMostBefore; ++i) {
    if (one_of(program_name(words[i]), {"docker", "podman", "nerdctl", "docker-run"})) {
      for (std::size_t j = i + 1; j < words.size(); ++j) {
        if (one_of(words[j], {"run", "create"})) {
          return j;
        }
        if (!words[j].starts_with('-') && words[j] != "container") {
          return std::nullopt;
        }
      }
      return std::nullopt;
    }
    if (!is_wrapper(words[i]) && !words[i].starts_with('-') && i == 0) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace ridgepoint::command
