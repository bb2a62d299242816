#include "command/bench.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "command/given_flags.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::uint64_t kMostTokens = 1ULL << 32U;

struct BenchFlag {
  std::string_view name;
  bool takes_value;
};

constexpr BenchFlag kLlamaBench[] = {
    {"-r", true},          {"--repetitions", true}, {"-o", true},           {"--output", true},
    {"-oe", true},         {"--output-err", true},  {"--delay", true},      {"--progress", false},
    {"-v", false},         {"--verbose", false},    {"-mmp", true},         {"--mmap", true},
    {"-embd", true},       {"--embeddings", true},  {"--no-warmup", false}, {"-dio", true},
    {"--direct-io", true},
};

/// Of `vllm bench throughput|latency`, sglang.bench_one_batch, sglang.bench_offline_throughput and
/// trtllm-bench.
constexpr BenchFlag kServing[] = {
    {"--input-len", true},
    {"--output-len", true},
    {"--num-prompts", true},
    {"--num-iters", true},
    {"--num-iters-warmup", true},
    {"--batch-size", true},
    {"--dataset-name", true},
    {"--dataset-path", true},
    {"--n", true},
    {"--use-beam-search", false},
    {"--profile", false},
    {"--disable-detokenize", false},
    {"--output-json", true},
    {"--random-input-len", true},
    {"--random-output-len", true},
    {"--random-range-ratio", true},
    {"--prefix-len", true},
    {"--hf-split", true},
    {"--hf-subset", true},
    {"--run-name", true},
    {"--result-filename", true},
    {"--random-input", true},
    {"--random-output", true},
    {"--correctness-test", false},
    {"--cut-len", true},
    {"--sharegpt-output-len", true},
    {"--request-rate", true},
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  if (digits.empty() || digits.size() > 9) {
    return std::nullopt;
  }
  for (const char c : digits) {
    value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  return value;
}

class Taker {
 public:
  explicit Taker(const Start& start) : start_(start) {}

  BenchWords run() {
    const bool llama = start_.program == "llama-bench";
    for (at_ = 0; at_ < start_.words.size(); ++at_) {
      const std::string& word = start_.words[at_];
      const std::string name = word.substr(0, word.find('='));
      if (llama && length(name)) {
        continue;
      }
      if (llama ? known(name, kLlamaBench) : known(name, kServing)) {
        continue;
      }
      if (llama && !is_flag(word)) {
        // A list of values is as many measurements; the first is read.
        const std::size_t comma = word.find(',');
        const bool file = word.find_first_of("/\\.") != std::string::npos;
        out_.words.push_back(file ? word : word.substr(0, comma));
        continue;
      }
      out_.words.push_back(word);
    }
    if (llama) {
      const std::uint64_t context =
          std::max({prompt_.value_or(512), answer_.value_or(128), both_}) + depth_;
      out_.words.insert(out_.words.end(),
                        {"--ctx-size", std::to_string(context), "--parallel", "1"});
      out_.note = "llama-bench makes a context of its longest test, " + std::to_string(context) +
                  " tokens, for one sequence.";
    }
    return std::move(out_);
  }

 private:
  std::string value() {
    const std::string& word = start_.words[at_];
    const std::size_t equals = word.find('=');
    if (equals != std::string::npos) {
      return word.substr(equals + 1);
    }
    return at_ + 1 < start_.words.size() ? start_.words[++at_] : std::string();
  }

  bool length(const std::string& name) {
    const bool prompt = name == "-p" || name == "--n-prompt";
    const bool answer = name == "-n" || name == "--n-gen";
    const bool depth = name == "-d" || name == "--n-depth";
    const bool both = name == "-pg";
    if (!prompt && !answer && !depth && !both) {
      return false;
    }
    const std::string text = value();
    std::uint64_t largest = 0;
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t comma = std::min(text.find(',', at), text.size());
      const std::uint64_t part = number(std::string_view(text).substr(at, comma - at)).value_or(0);
      largest = std::max(largest, part);
      sum = std::min(sum + part, kMostTokens);
      at = comma + 1;
    }
    if (prompt) {
      prompt_ = largest;
    } else if (answer) {
      answer_ = largest;
    } else if (depth) {
      depth_ = largest;
    } else {
      both_ = std::max(both_, sum);
    }
    add(name, text, "Makes the length of the context.");
    return true;
  }

  template <std::size_t N>
  bool known(const std::string& name, const BenchFlag (&flags)[N]) {
    for (const BenchFlag& flag : flags) {
      if (flag.name == name) {
        add(name, flag.takes_value ? value() : std::string(),
            "An option of the benchmark, not of the engine.");
        return true;
      }
    }
    return false;
  }

  void add(const std::string& name, const std::string& text, const char* note) {
    constexpr std::size_t kMost = 2000;
    if (out_.flags.size() < kMost) {
      out_.flags.push_back({name, {text, false}, Use::no_effect, "", note});
    }
  }

  const Start& start_;
  BenchWords out_;
  std::size_t at_ = 0;
  std::optional<std::uint64_t> prompt_;
  std::optional<std::uint64_t> answer_;
  std::uint64_t depth_ = 0;
  std::uint64_t both_ = 0;
};

}  // namespace

BenchWords take_bench_words(const Start& start) {
  if (start.dialect != Dialect::bench) {
    return {start.words, {}, {}};
  }
  return Taker(start).run();
}

}  // namespace ridgepoint::command
