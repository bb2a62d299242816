#include "command/given_flags.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

namespace ridgepoint::command {
namespace {

using engine::FlagFacts;
using engine::FlagType;

bool digit(char c) { return c >= '0' && c <= '9'; }
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string dashed(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t dot = text.find('.');
    parts.emplace_back(text.substr(0, dot));
    if (dot == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(dot + 1);
  }
}

/// Text flags that take a list of words (nargs in the engines' parsers). JSON flags that are no
/// object do too.
bool takes_list(const FlagFacts& facts, const Value& first) {
  if (facts.type == FlagType::json) {
    const auto* text = std::get_if<std::string>(&first.scalar);
    return text == nullptr || (first.structured ? text->front() != '{' : !text->starts_with('{'));
  }
  constexpr std::string_view kLists[] = {
      "served-model-name",
      "lora-modules",
      "lora-target-modules",
      "prompt-adapters",
      "ignore-patterns",
      "logits-processors",
      "cpu-offload-params",
      "offload-params",
      "device-ids",
      "numa-bind-nodes",
      "numa-bind-cpus",
      "collect-detailed-traces",
      "kv-cache-dtype-skip-layers",
  };
  return std::find(std::begin(kLists), std::end(kLists), facts.name) != std::end(kLists);
}

class Taker {
 public:
  Taker(std::span<const std::string> words, const engine::Engine& engine, Dialect dialect,
        bool model_word)
      : words_(words), engine_(engine), table_(engine.flags()), dialect_(dialect) {
    wanted_ = model_word ? 1 : 0;
  }

  GivenFlags run() {
    std::ptrdiff_t open = -1;
    bool only_words = false;
    for (at_ = 0; at_ < words_.size() && out_.flags.size() <= kMostFlags; ++at_) {
      const std::string& word = words_[at_];
      if (word == "--" && !only_words) {
        only_words = true;
        open = -1;
      } else if (only_words || !is_flag(word)) {
        bare(word, only_words ? -1 : open);
      } else {
        open = flag(word) ? static_cast<std::ptrdiff_t>(out_.flags.size()) - 1 : -1;
      }
    }
    return std::move(out_);
  }

  GivenFlag find(const std::string& name, std::string_view written) {
    GivenFlag given;
    given.written = written;
    given.name = dashed(name);
    given.facts = find_flag(table_, name);
    if (given.facts != nullptr) {
      given.name = given.facts->name;
      return given;
    }
    if (negative(name, given) || dotted(name, given) || attached(name, given)) {
      return given;
    }
    abbreviated(name, given);
    return given;
  }

 private:
  /// --no-x of a switch.
  bool negative(const std::string& name, GivenFlag& given) const {
    if (!name.starts_with("no-") && !name.starts_with("no_")) {
      return false;
    }
    const FlagFacts* positive = find_flag(table_, std::string_view(name).substr(3));
    if (positive == nullptr || positive->type != FlagType::boolean) {
      return false;
    }
    given.facts = positive;
    given.name = positive->name;
    given.values = {Value{false, false}};
    return true;
  }

  /// --compilation-config.cudagraph_mode NONE sets one member of a JSON flag.
  bool dotted(const std::string& name, GivenFlag& given) const {
    std::vector<std::string> parts = parts_of(name);
    if (parts.size() < 2 || parts.size() > kDeepest ||
        std::find(parts.begin(), parts.end(), std::string()) != parts.end()) {
      return false;
    }
    // -O.member is short for a member of the compilation's settings.
    const bool optimise = parts[0] == "O" && engine_.name == "vllm";
    const FlagFacts* parent = find_flag(table_, optimise ? "compilation-config" : parts[0]);
    if (parent == nullptr || parent->type != FlagType::json) {
      return false;
    }
    given.facts = parent;
    given.name = parent->name;
    given.below.assign(parts.begin() + 1, parts.end());
    if (given.below.back().size() > 1 && given.below.back().ends_with('+')) {
      given.below.back().pop_back();
      given.adds = true;
    }
    return true;
  }

  /// -O3: a one-letter flag with its number attached.
  bool attached(const std::string& name, GivenFlag& given) const {
    constexpr std::size_t kLongest = 10;
    if (name.size() < 2 || name.size() > kLongest || !letter(name[0]) ||
        !std::all_of(name.begin() + 1, name.end(), digit)) {
      return false;
    }
    const FlagFacts* facts = find_flag(table_, std::string_view(name).substr(0, 1));
    if (facts == nullptr) {
      return false;
    }
    given.facts = facts;
    given.name = facts->name;
    given.values = {typed_value(std::string_view(name).substr(1), FlagType::integer)};
    return true;
  }

  /// Python's argparse, which vLLM and SGLang use, takes the beginning of a name if no other begins
  /// so.
  void abbreviated(const std::string& name, GivenFlag& given) const {
    constexpr std::size_t kShortest = 4;
    const bool argparse = engine_.name == "vllm" || engine_.name == "sglang";
    if (!argparse || name.size() < kShortest || !given.written.starts_with("--")) {
      return;
    }
    const FlagFacts* only = nullptr;
    for (const FlagFacts& facts : table_.flags) {
      if (facts.name.starts_with(given.name)) {
        if (only != nullptr) {
          return;
        }
        only = &facts;
      }
    }
    if (only != nullptr) {
      given.facts = only;
      given.name = only->name;
      given.note = "Short for --" + given.name + ".";
    }
  }

  bool flag(const std::string& word) {
    const std::size_t dashes = word.starts_with("--") ? 2 : 1;
    const std::size_t equals = word.find('=');
    const std::string name =
        word.substr(dashes, equals - (equals == std::string::npos ? 0 : dashes));
    GivenFlag given = find(name, word.substr(0, equals));
    const bool has_next = at_ + 1 < words_.size();
    const std::string next = has_next ? words_[at_ + 1] : std::string();
    const bool next_is_value = has_next && !is_flag(next) && next != "--";
    bool open = false;
    if (!given.values.empty()) {
      // its name says its value
    } else if (equals != std::string::npos) {
      given.values = {typed(word.substr(equals + 1), given)};
      open = given.facts != nullptr && takes_list(*given.facts, given.values[0]);
    } else if (given.facts != nullptr && given.facts->type == FlagType::boolean &&
               given.below.empty()) {
      if (next_is_value && switch_value(next)) {
        given.values = {Value{*switch_value(next), false}};
        ++at_;
      } else {
        given.values = {Value{true, false}};
      }
    } else if (given.facts != nullptr) {
      if (next_is_value) {
        ++at_;
        given.values = {typed(next, given)};
        open = given.below.empty() && takes_list(*given.facts, given.values[0]);
      }
    } else if (next_is_value && out_.words.size() >= wanted_) {
      ++at_;
      given.values = {Value{next, false}};
    }
    out_.flags.push_back(std::move(given));
    return open;
  }

  /// A word behind a switch that says on or off, where that switch may take one.
  [[nodiscard]] std::optional<bool> switch_value(const std::string& word) const {
    if (word == "true" || word == "True" || word == "TRUE") {
      return true;
    }
    if (word == "false" || word == "False" || word == "FALSE") {
      return false;
    }
    if (dialect_ == Dialect::bench && engine_.name == "llamacpp" && (word == "0" || word == "1")) {
      return word == "1";
    }
    return std::nullopt;
  }

  static Value typed(std::string_view text, const GivenFlag& given) {
    if (!given.below.empty()) {
      return typed_value(text, FlagType::json);
    }
    // Layers by number, or kinds of them by name.
    if (given.facts != nullptr && given.facts->name == "kv-cache-dtype-skip-layers") {
      return typed_value(text, FlagType::integer);
    }
    return typed_value(text, given.facts == nullptr ? FlagType::text : given.facts->type);
  }

  void bare(const std::string& word, std::ptrdiff_t open) {
    if (open >= 0) {
      GivenFlag& given = out_.flags[static_cast<std::size_t>(open)];
      given.values.push_back(typed(word, given));
      return;
    }
    out_.words.push_back(word);
  }

  static constexpr std::size_t kDeepest = 8;
  std::span<const std::string> words_;
  const engine::Engine& engine_;
  const engine::FlagTable& table_;
  Dialect dialect_;
  std::size_t wanted_ = 0;
  std::size_t at_ = 0;
  GivenFlags out_;
};

}  // namespace

bool is_flag(std::string_view word) {
  if (word.size() < 2 || word[0] != '-') {
    return false;
  }
  const std::size_t dashes = word[1] == '-' ? 2 : 1;
  if (word.size() == dashes) {
    return false;
  }
  const char c = word[dashes];
  return !digit(c) && c != '.' && c != ' ' && c != '\t' && c != '\n' && c != '-';
}

GivenFlags take_flags(std::span<const std::string> words, const engine::Engine& engine,
                      Dialect dialect, bool model_word) {
  return Taker(words, engine, dialect, model_word).run();
}

GivenFlag flag_of_file(const std::string& key, const engine::Engine& engine) {
  return Taker({}, engine, Dialect::serve, false).find(key, key);
}

}  // namespace ridgepoint::command
