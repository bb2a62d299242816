#include "command/read.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "command/bench.hpp"
#include "command/cards.hpp"
#include "command/clean_text.hpp"
#include "command/given_flags.hpp"
#include "command/model_name.hpp"
#include "command/yaml.hpp"
#include "hardware/device.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostNotes = 60;

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("/\\");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// The flag that names a YAML file of further flags, taken out of the words.
struct ConfigFlag {
  std::string written;
  std::string file;
};

std::optional<ConfigFlag> take_config_flag(const engine::Engine& engine,
                                           std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!words[i].starts_with("--")) {
      continue;
    }
    const std::size_t equals = words[i].find('=');
    std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
    std::replace(name.begin(), name.end(), '_', '-');
    const bool ours = engine.name == "trtllm" ? name == "extra-llm-api-options" || name == "config"
                                              : name == "config" && engine.name != "llamacpp";
    if (!ours) {
      continue;
    }
    ConfigFlag flag{words[i].substr(0, equals), {}};
    std::size_t taken = 1;
    if (equals != std::string::npos) {
      flag.file = words[i].substr(equals + 1);
    } else if (i + 1 < words.size() && !is_flag(words[i + 1])) {
      flag.file = words[i + 1];
      taken = 2;
    }
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i + taken));
    return flag;
  }
  return std::nullopt;
}

/// Lines of `key: value` at the left edge and what is indented below them: a YAML file pasted
/// beside the command.
std::string loose_yaml(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t key =
        line.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
    const bool begins = key != std::string_view::npos && key != 0 && line[key] == ':' &&
                        line[0] != '-' && (key + 1 == line.size() || line[key + 1] == ' ');
    const bool goes_on = !out.empty() && !line.empty() &&
                         (line[0] == ' ' || line[0] == '#' || line.starts_with("- "));
    if (begins || goes_on || (line.empty() && !out.empty())) {
      out += line;
      out += '\n';
    } else if (!out.empty()) {
      break;
    }
  }
  return out;
}

class CommandReader {
 public:
  CommandReader(const Pasted& pasted, Serving serving)
      : pasted_(pasted), serving_(std::move(serving)) {}

  Result<ReadCommand> read() {
    out_.form = serving_.form;
    out_.engine = engine::find_engine(serving_.start.engine);
    out_.notes = std::move(serving_.notes);
    read_version();
    if (auto error = read_flags()) {
      return *std::move(error);
    }
    read_variables();
    read_model();
    for (const ReadFlag& flag : arguments_.flags) {
      const bool names_model = flag.name == "model" || flag.name == "model-path";
      if (flag.use == Use::used && (!names_model || out_.engine->name == "llamacpp")) {
        out_.args.push_back({flag.name, flag.value});
      }
    }
    out_.gpu_count = count_cards(*out_.engine, arguments_, serving_, out_.variables,
                                 pasted_.gpu_count, out_.notes);
    read_product();
    for (ReadFlag& flag : arguments_.flags) {
      out_.flags.push_back(std::move(flag));
    }
    if (out_.notes.size() > kMostNotes) {
      out_.notes.resize(kMostNotes);
    }
    return std::move(out_);
  }

 private:
  void note(std::string text) { out_.notes.push_back(std::move(text)); }

  void read_version() {
    const engine::FlagTable& table = out_.engine->flags();
    std::string version = serving_.version;
    if (version.empty()) {
      version = pasted_.version;
    } else {
      note(std::string(out_.engine->title) + " " + json::excerpt(version, 40) + ", as " +
           serving_.version_from + ".");
    }
    auto number = table.version_number(version);
    if (!number && number.error().code == "bad_version") {
      note(number.error().message + " The newest version covered is taken.");
      version.clear();
      number = table.version_number(version);
    } else if (!number) {
      note(number.error().message);
      out_.version = version;
      number = table.version_number("");
    }
    version_ = number ? number.value() : 0;
    out_.version = version;
  }

  Check read_flags() {
    ArgumentRules rules;
    rules.engine = out_.engine;
    rules.version = version_;
    rules.version_said = !out_.version.empty();
    rules.dialect = serving_.start.dialect;
    rules.unresolved = serving_.unresolved;
    BenchWords bench = take_bench_words(serving_.start);
    std::vector<std::string> words = std::move(bench.words);
    const auto config = take_config_flag(*out_.engine, words);
    json::Value options;
    if (config) {
      options = read_config(*config);
      rules.file = options.is_object() ? &options : nullptr;
    }
    auto arguments = read_arguments(words, rules);
    if (!arguments) {
      return arguments.error();
    }
    arguments_ = std::move(arguments.value());
    out_.flags = std::move(bench.flags);
    if (!bench.note.empty()) {
      note(std::move(bench.note));
    }
    if (config) {
      ReadFlag flag{config->written,
                    {config->file, false},
                    Use::used,
                    "config",
                    "Its options are read from the text."};
      if (!options.is_object()) {
        flag.use = Use::unmodelled;
        flag.note = "The text of " +
                    (config->file.empty() ? "the file" : json::excerpt(config->file, 80)) +
                    " is not here: paste it below the command. Left out.";
      }
      out_.flags.push_back(std::move(flag));
    }
    return std::nullopt;
  }

  /// The options of a YAML file, as an object; null when its text is not at hand or is none.
  json::Value read_config(const ConfigFlag& config) {
    Files files = pasted_.files;
    files.insert(files.end(), serving_.files.begin(), serving_.files.end());
    const std::string* text = nullptr;
    for (const bool whole : {true, false}) {
      for (const auto& [name, content] : files) {
        const bool same = whole ? name == config.file : file_name(name) == file_name(config.file);
        text = text == nullptr && same ? &content : text;
      }
    }
    const bool manifest = serving_.form == Form::compose || serving_.form == Form::kubernetes;
    const std::string loose =
        text == nullptr && !manifest ? loose_yaml(serving_.rest) : std::string();
    auto documents = read_yaml(text == nullptr ? loose : clean_text(*text), "text");
    if (!documents) {
      note(json::excerpt(config.file, 80) + ": " + documents.error().message);
      return nullptr;
    }
    if (documents->empty() || !documents->front().is_object()) {
      return text == nullptr || !documents->empty() ? json::Value() : json::Value::object();
    }
    return std::move(documents->front());
  }

  void read_variables() {
    Judge judge(*out_.engine, version_, !out_.version.empty(), serving_.unresolved);
    // The last of a name counts, at its first place.
    std::vector<Assignment> seen;
    for (const Assignment& made : serving_.env) {
      const auto found = std::find_if(seen.begin(), seen.end(), [&](const Assignment& other) {
        return other.name == made.name;
      });
      if (found != seen.end()) {
        found->value = made.value;
      } else if (seen.size() < 500) {
        seen.push_back(made);
      }
    }
    for (const Assignment& made : seen) {
      ReadVariable variable = judge.variable(made.name, made.value);
      const bool helper = variable.use == Use::unknown && serving_.put_in.count(made.name) != 0;
      if (helper) {
        continue;  // a name that the text gives to a part of its own command
      }
      if (variable.use == Use::used && out_.engine->name == "llamacpp" &&
          made.name.starts_with("LLAMA_ARG_")) {
        named_by_variable_.push_back(made);
      }
      if (variable.use == Use::used && !is_visibility(made.name)) {
        out_.env.push_back(made);
      }
      out_.variables.push_back(std::move(variable));
    }
  }

  /// Says which cards, and is no setting of the engine's.
  static bool is_visibility(const std::string& name) {
    return name.ends_with("VISIBLE_DEVICES") || name == "ZE_AFFINITY_MASK";
  }

  std::string text_of_flag(std::string_view name) {
    for (ReadFlag& flag : arguments_.flags) {
      const auto* text = std::get_if<std::string>(&flag.value.scalar);
      if (flag.name != name || text == nullptr) {
        continue;
      }
      const bool known = flag.use == Use::used || flag.use == Use::no_effect;
      if (known && flag.note.find("model.id") == std::string::npos) {
        flag.use = Use::used;
        flag.note = "model.id";
      }
      return known ? *text : std::string();
    }
    return {};
  }

  std::string written_model() {
    if (out_.engine->name == "llamacpp") {
      for (const std::string_view name : {"hf-repo", "model", "docker-repo", "model-url"}) {
        if (std::string text = text_of_flag(name); !text.empty()) {
          return text;
        }
      }
      for (const std::string_view name :
           {"LLAMA_ARG_HF_REPO", "LLAMA_ARG_MODEL", "LLAMA_ARG_DOCKER_REPO"}) {
        for (const Assignment& made : named_by_variable_) {
          if (made.name == name) {
            return made.value;
          }
        }
      }
      return {};
    }
    std::string text = text_of_flag(out_.engine->name == "sglang" ? "model-path" : "model");
    const bool bench = serving_.start.dialect == Dialect::bench;
    if (text.empty() && !arguments_.words.empty() && !bench) {
      text = arguments_.words[0];
      arguments_.words.erase(arguments_.words.begin());
    }
    return text;
  }

  void read_model() {
    const std::string written = written_model();
    const bool bench = serving_.start.dialect == Dialect::bench;
    for (const std::string& word : arguments_.words) {
      if (!bench && out_.notes.size() < kMostNotes) {
        note("The word \"" + json::excerpt(word, 60) + "\" belongs to no flag and is left out.");
      }
    }
    Judge judge(*out_.engine, version_, !out_.version.empty(), serving_.unresolved);
    const std::string missing = judge.unresolved_in(written);
    if (!missing.empty()) {
      note("The model is $" + missing + ", which is set nowhere in the text: give model.id.");
    } else if (written.starts_with('<') || written.starts_with("{{")) {
      note("The model is still to be filled in (" + json::excerpt(written, 60) +
           "): give model.id.");
    } else if (written.empty()) {
      note("The command names no model: give model.id.");
    } else {
      ModelName name = read_model_name(written);
      out_.model_id = std::move(name.id);
      if (!name.note.empty()) {
        note(std::move(name.note));
      }
    }
    read_draft();
  }

  /// A second model that the command names.
  void read_draft() {
    std::string written;
    for (const std::string_view name :
         {"speculative-draft-model-path", "speculative-model", "spec-model", "model-draft",
          "hf-repo-draft", "speculative-config.speculative-model-dir"}) {
      const Value* value = arguments_.used(name);
      const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->scalar);
      written = text != nullptr && written.empty() ? *text : written;
    }
    if (const Value* config = arguments_.used("speculative-config"); config && config->structured) {
      const json::Value tree = tree_of(*config);
      const auto model = tree.is_object() ? tree.find("model") : tree.end();
      if (tree.is_object() && model != tree.end() && model->is_string()) {
        written = model->get<std::string>();
      }
    }
    if (written.empty() || written.starts_with('[') || written == "ngram") {
      return;
    }
    ModelName name = read_model_name(written);
    if (name.id == out_.model_id) {
      return;  // its own prediction layers
    }
    out_.draft_id = std::move(name.id);
  }

  void read_product() {
    if (serving_.gpu_product.empty()) {
      return;
    }
    std::string name = serving_.gpu_product;
    for (const std::string_view front : {"NVIDIA-", "nvidia-", "AMD-"}) {
      if (name.starts_with(front)) {
        name.erase(0, front.size());
      }
    }
    for (const std::string_view end : {"-HBM3e", "-HBM3", "-PCIe"}) {
      const hardware::DeviceFacts* card = hardware::find_device(name);
      if (card != nullptr) {
        break;
      }
      if (name.ends_with(end)) {
        name.resize(name.size() - end.size());
      }
    }
    if (const hardware::DeviceFacts* card = hardware::find_device(name)) {
      out_.gpu_id = card->id;
      note("The manifest asks for " + json::excerpt(serving_.gpu_product, 60) + ".");
    } else {
      note("The card that the manifest asks for, " + json::excerpt(serving_.gpu_product, 60) +
           ", is not one that is known here: choose it.");
    }
  }

  const Pasted& pasted_;
  Serving serving_;
  ReadCommand out_;
  Arguments arguments_;
  std::uint32_t version_ = 0;
  std::vector<Assignment> named_by_variable_;
};

}  // namespace

Result<ReadCommand> read_command(const Pasted& pasted) {
  if (pasted.text.size() > kMostText) {
    return Error{"too_long", "The text is over 4 MiB; no command or manifest is.", "text"};
  }
  auto serving = find_serving(clean_text(pasted.text), pasted.engine);
  if (!serving) {
    return serving.error();
  }
  return CommandReader(pasted, std::move(serving.value())).read();
}

}  // namespace ridgepoint::command
