#include "command/serve_line.hpp"

#include <algorithm>
#include <string_view>

#include "command/given_flags.hpp"
#include "command/normal_args.hpp"
#include "command/reasons.hpp"
#include "json/fields.hpp"
#include "plan/change.hpp"

namespace ridgepoint::command {
namespace {

using engine::FlagFacts;
using engine::FlagType;
using engine::FlagValue;

/// Reasons that need an estimate of their own; the rest of the flags are told by their help alone.
constexpr std::size_t kMostEstimates = 24;
/// vLLM's switches have a `--no-` form since its flags are made from its configs' fields.
constexpr std::uint32_t kVllmNegatives = 9;
/// llama.cpp's --flash-attn takes on, off or auto since this build, and was a switch before.
constexpr std::uint32_t kFlashWords = 6325;

struct Spelling {
  std::string_view name;
  std::string_view flag;
};

/// Flags of trtllm-serve that its options call otherwise.
constexpr Spelling kServeNames[] = {
    {"free-gpu-memory-fraction", "--kv_cache_free_gpu_memory_fraction"},
    {"tensor-parallel-size", "--tp_size"},
    {"pipeline-parallel-size", "--pp_size"},
    {"moe-expert-parallel-size", "--ep_size"},
};

bool valid_variable(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

Error has_nul(std::string path) {
  return Error{"bad_value", "A text with a NUL byte cannot be an argument; leave it out.",
               std::move(path)};
}

bool holds_nul(const std::string& text) { return text.find('\0') != std::string::npos; }

bool looks_like_flag(std::string_view value) { return value == "--" || is_flag(value); }

/// Builds the line flag by flag.
class LineBuilder {
 public:
  LineBuilder(const Setup& setup, const plan::Request& original, Form form)
      : setup_(setup),
        original_(original),
        engine_(*setup.request.engine),
        facts_(server_facts(engine_)),
        version_(version_number(engine_, setup.plan.memory.version)),
        form_(form) {}

  Result<ServeLine> build() {
    name_program();
    name_model();
    line_.notes = setup_.notes;
    line_.port = facts_.port;
    for (const FlagValue& flag : setup_.request.args) {
      if (auto error = add(flag)) {
        return *std::move(error);
      }
    }
    listen_to_all();
    if (auto error = add_env()) {
      return *std::move(error);
    }
    note_what_is_not_said();
    if (holds_nul(line_.model)) {
      return has_nul("model.id");
    }
    if (looks_like_flag(line_.model)) {
      return Error{"not_writable",
                   "The model's name begins with a dash, and the command line would take it for a "
                   "flag; put ./ in front of it.",
                   "model.id"};
    }
    return std::move(line_);
  }

 private:
  [[nodiscard]] bool is(std::string_view name) const { return engine_.name == name; }
  [[nodiscard]] bool container() const { return form_ != Form::shell; }
  [[nodiscard]] const FlagValue* given(std::string_view name) const {
    return plan::given_flag(setup_.request, name);
  }
  void note(std::string text) { line_.notes.push_back(std::move(text)); }

  void name_program() {
    if (is("vllm")) {
      line_.program = "vllm serve";
    } else if (is("sglang")) {
      line_.program = "python3 -m sglang.launch_server";
      line_.model_flag = "--model-path";
    } else if (is("trtllm")) {
      line_.program = "trtllm-serve";
    } else {
      line_.program = "llama-server";
      for (const std::string_view flag : {"prompt", "file", "conversation", "no-conversation",
                                          "interactive", "interactive-first", "single-turn"}) {
        line_.serves = line_.serves && given(flag) == nullptr;
      }
      if (!line_.serves) {
        line_.program = "llama-cli";
        note("Its flags are those of llama-cli, which answers here and serves nobody.");
      }
    }
  }

  void name_model() {
    if (is("llamacpp")) {
      return;
    }
    const FlagValue* named = given(is("sglang") ? "model-path" : "model");
    line_.model = named != nullptr ? value_word(*named) : setup_.request.model.id;
    if (line_.model.empty()) {
      line_.model = "./model";
      note("The request names no model: put its id or folder in the place of ./model.");
    }
  }

  [[nodiscard]] bool names_model(const FlagValue& flag) const {
    return !is("llamacpp") && (flag.name == "model" || flag.name == "model-path");
  }

  /// The spelling the user gave, where it is a long one: versions differ in which names they have.
  [[nodiscard]] std::string spelled(const FlagValue& flag) const {
    constexpr std::size_t kShortest = 6;
    for (const FlagValue& given : original_.args) {
      const FlagFacts* facts = engine::find_flag(engine_.flags(), given.name);
      if (facts != nullptr && facts->name == flag.name && given.name.size() >= kShortest &&
          given.name.find('.') == std::string::npos) {
        std::string name = given.name;
        std::replace(name.begin(), name.end(), '_', '-');
        return "--" + name;
      }
    }
    return "--" + flag.name;
  }

  [[nodiscard]] std::string flag_text(const FlagValue& flag) const {
    if (!is("trtllm")) {
      return spelled(flag);
    }
    for (const Spelling& spelling : kServeNames) {
      if (spelling.name == flag.name) {
        return std::string(spelling.flag);
      }
    }
    std::string text = "--" + flag.name;
    std::replace(text.begin() + 2, text.end(), '-', '_');
    return text;
  }

  Check add(const FlagValue& flag) {
    if (const auto* text = std::get_if<std::string>(&flag.value);
        text != nullptr && holds_nul(*text)) {
      return has_nul("engine.args." + flag.name);
    }
    if (names_model(flag)) {
      return std::nullopt;
    }
    if (has_word(facts_.not_served, flag.name)) {
      note("--" + flag.name + " is a flag of another program, and " + line_.program +
           " has none of that name: it is left out.");
      return std::nullopt;
    }
    if (flag.name == "port") {
      if (const auto* port = std::get_if<std::int64_t>(&flag.value);
          port != nullptr && *port > 0 && *port < 65536) {
        line_.port = static_cast<std::uint64_t>(*port);
      }
    }
    const std::string why = reason_of(setup_, flag, estimates_);
    const auto* on = std::get_if<bool>(&flag.value);
    if (is("trtllm") && (!has_word(facts_.command_line, flag.name) || (on != nullptr && !*on)) &&
        flag.name != "extra-llm-api-options") {
      FileOption option = file_option(flag, version_);
      option.why = why;
      line_.file.push_back(std::move(option));
      line_.args.push_back(flag);
      return check_file();
    }
    return add_to_command(flag, why);
  }

  /// The engine takes one file of options, and what is in another is not known.
  Check check_file() const {
    const FlagValue* file = given("extra-llm-api-options");
    if (file == nullptr) {
      return std::nullopt;
    }
    return Error{"not_writable",
                 "trtllm-serve takes one file of options, and the request names one and has "
                 "options for it besides: give the file's contents as JSON in its place.",
                 "engine.args.extra-llm-api-options"};
  }

  Check add_to_command(const FlagValue& flag, const std::string& why) {
    Written written{flag_text(flag), {}, why};
    if (const auto* on = std::get_if<bool>(&flag.value)) {
      if (!*on) {
        return add_negative(flag, std::move(written));
      }
    } else if (is("llamacpp") && flag.name == "flash-attn" && version_ < kFlashWords) {
      if (value_word(flag) != "on") {
        note("--flash-attn is a switch in this build, and off when it is left out.");
        return std::nullopt;
      }
    } else {
      written.values = words_of(flag);
    }
    for (const std::string& value : written.values) {
      if (looks_like_flag(value) && (is("llamacpp") || written.values.size() > 1)) {
        return Error{"not_writable",
                     "The value \"" + json::excerpt(value, 40) +
                         "\" begins with a dash, and the command line would take it for a flag.",
                     "engine.args." + flag.name};
      }
    }
    line_.args.push_back(flag);
    line_.flags.push_back(std::move(written));
    return std::nullopt;
  }

  /// Lists are given word by word where the engine's parser wants them so.
  [[nodiscard]] std::vector<std::string> words_of(const FlagValue& flag) const {
    const FlagFacts* facts = engine::find_flag(engine_.flags(), flag.name);
    const bool by_word = is("sglang") || (is("vllm") && (facts->type == FlagType::text ||
                                                         flag.name == "cudagraph-capture-sizes" ||
                                                         flag.name == "cuda-graph-sizes"));
    std::vector<std::string> items;
    if (by_word) {
      items = list_items(flag);
    }
    return items.empty() ? std::vector<std::string>{value_word(flag)} : items;
  }

  Check add_negative(const FlagValue& flag, Written written) {
    const FlagFacts* facts = engine::find_flag(engine_.flags(), flag.name);
    if (is("vllm") && version_ < kVllmNegatives && flag.name == "enable-chunked-prefill") {
      written.values = {"False"};
    } else if (is("vllm") || has_word(facts_.negatives, flag.name)) {
      written.flag = "--no-" + flag.name;
    } else if (facts->effect == engine::FlagEffect::no_effect || is("llamacpp")) {
      return std::nullopt;  // off is what its absence means
    } else {
      return Error{"not_writable",
                   std::string(engine_.title) + "'s command line has no word that switches --" +
                       flag.name + " off; leave it out to see the estimate without it.",
                   "engine.args." + flag.name};
    }
    line_.args.push_back(flag);
    line_.flags.push_back(std::move(written));
    return std::nullopt;
  }

  void listen_to_all() {
    const FlagValue* host = given("host");
    if (!container() || !line_.serves) {
      return;
    }
    if (host == nullptr && facts_.local_host) {
      FlagValue all{"host", std::string("0.0.0.0")};
      line_.flags.push_back({"--host",
                             {"0.0.0.0"},
                             "A container is reached from outside only where it listens to all "
                             "addresses."});
      line_.args.push_back(std::move(all));
    } else if (host != nullptr &&
               (value_word(*host) == "127.0.0.1" || value_word(*host) == "localhost")) {
      note("--host " + value_word(*host) +
           " is reached from inside the container alone; 0.0.0.0 is reached from outside.");
    }
  }

  Check add_env() {
    for (const auto& [name, value] : setup_.request.env) {
      if (holds_nul(name) || holds_nul(value)) {
        return has_nul("engine.env." + json::excerpt(name, 60));
      }
      if (!valid_variable(name)) {
        note("\"" + json::excerpt(name, 60) +
             "\" is no name that a shell's variable can have: it is left out.");
        continue;
      }
      line_.env.emplace_back(name, value);
    }
    return std::nullopt;
  }

  void note_what_is_not_said() {
    const plan::Request& request = setup_.request;
    if (request.draft) {
      note(
          "The draft model's config is part of the estimate and not of a command: the engine "
          "reads it where the flags of speculative decoding say.");
    }
    if (!request.adapters.empty()) {
      note(
          "The adapters' names and ranks are part of the estimate and not of this command: their "
          "files are given with the engine's own flags, such as --lora-modules name=path.");
    }
    const engine::Measured& m = request.measured;
    if (m.weights_bytes || m.activation_bytes || m.non_torch_bytes || m.cuda_graphs_bytes ||
        m.kv_pool_bytes) {
      note("Measured terms are kept in the estimate; a command cannot carry them.");
    }
    if (request.device.id.empty()) {
      note(
          "The card is given by its numbers, which a command cannot carry; the command is for an "
          "NVIDIA card.");
    }
  }

  const Setup& setup_;
  const plan::Request& original_;
  const engine::Engine& engine_;
  const ServerFacts& facts_;
  std::uint32_t version_;
  Form form_;
  ServeLine line_;
  std::size_t estimates_ = kMostEstimates;
};

}  // namespace

Result<ServeLine> serve_line(const Setup& setup, const plan::Request& original, Form form) {
  return LineBuilder(setup, original, form).build();
}

}  // namespace ridgepoint::command
