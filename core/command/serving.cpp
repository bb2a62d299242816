#include "command/serving.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "command/given_flags.hpp"
#include "command/yaml.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostScripts = 4;  // sh -c within sh -c
constexpr std::string_view kEngines[] = {"vllm", "sglang", "trtllm", "llamacpp"};

/// What a text says of an engine beside the command that starts it.
struct Surroundings {
  std::vector<std::pair<std::string, std::string>> installed;  ///< engine, version
  std::optional<Container> shell_in;  ///< a container that a shell was started in
  Files files;
  std::size_t starts = 0;
};

/// Files that are written by `cat > name <<EOF`, `tee name <<EOF`, `echo '…' > name`.
void take_file(const ShellCommand& command, Files& files) {
  if (command.words.empty() || files.size() > 100) {
    return;
  }
  std::string_view verb = command.words[0];
  std::size_t first = 1;
  if (verb == "sudo" && command.words.size() > 1) {
    verb = command.words[1];
    first = 2;
  }
  std::string target;
  const std::string* text = nullptr;
  for (const Redirection& redirection : command.redirections) {
    if (redirection.op.starts_with('>')) {
      target = redirection.target;
    } else if (redirection.op.starts_with("<<")) {
      text = &redirection.text;
    }
  }
  if (verb == "tee" && command.words.size() > first) {
    target = command.words.back();
  }
  if ((verb == "cat" || verb == "tee") && text != nullptr && !target.empty()) {
    files.emplace_back(target, *text);
  } else if (text != nullptr && (verb == "kubectl" || verb == "docker" || verb == "oc" ||
                                 verb == "podman" || verb == "k3s" || verb == "microk8s")) {
    files.emplace_back("-", *text);
  } else if ((verb == "echo" || verb == "printf") && !target.empty()) {
    std::string joined;
    for (std::size_t i = first; i < command.words.size(); ++i) {
      if (command.words[i] != "-e" && command.words[i] != "-n") {
        joined += (joined.empty() ? "" : " ") + command.words[i];
      }
    }
    for (std::size_t at = joined.find("\\n"); at != std::string::npos;
         at = joined.find("\\n", at + 1)) {
      joined.replace(at, 2, " \n");
    }
    files.emplace_back(target, joined + "\n");
  }
}

/// The program that an image starts by itself, given the words behind the image's name.
std::optional<Start> own_program(const Image& image, const Container& container) {
  if (image.program.empty() || container.own_entrypoint) {
    return std::nullopt;
  }
  Start start;
  start.engine = image.engine;
  start.program = image.program;
  start.words = container.words;
  if (image.program == "llama.cpp full") {
    const std::string mode = start.words.empty() ? std::string() : start.words[0];
    const bool bench = mode == "--bench" || mode == "-b";
    const bool run = mode == "--run" || mode == "-r";
    start.program = bench ? "llama-bench" : (run ? "llama-cli" : "llama-server");
    start.dialect = bench ? Dialect::bench : Dialect::serve;
    if (bench || run || mode == "--server" || mode == "-s") {
      start.words.erase(start.words.begin());
    }
  }
  const bool other = !start.words.empty() && !is_flag(start.words[0]) && image.engine != "vllm";
  const bool shell =
      !start.words.empty() && (start.words[0] == "bash" || start.words[0] == "sh" ||
                               start.words[0] == "/bin/bash" || start.words[0] == "/bin/sh");
  return other || shell ? std::nullopt : std::optional(std::move(start));
}

class Finder {
 public:
  explicit Finder(std::string_view engine) : engine_(engine) {}

  Check shell(const std::string& text, bool root_prompt) {
    auto split = split_shell(text, {}, root_prompt);
    if (!split) {
      return split.error();
    }
    return commands(split.value(), {}, 0);
  }

  /// Every command as if words in front of it were a sentence.
  Check anywhere(const std::string& text) {
    auto split = split_shell(text, {});
    if (!split) {
      return split.error();
    }
    for (const ShellCommand& command : split->commands) {
      if (auto start = find_start(command.words, true); start && !found_) {
        start->env.clear();
        found_ = Serving{};
        found_->start = *std::move(start);
        adopt(split.value());
      }
    }
    return std::nullopt;
  }

  /// A text of flags alone.
  Check flags_only(const std::string& text) {
    auto split = split_shell(text, {});
    if (!split) {
      return split.error();
    }
    for (const ShellCommand& command : split->commands) {
      if (!found_ && !command.words.empty() && is_flag(command.words[0])) {
        found_ = Serving{};
        found_->start.engine = engine_;
        found_->start.program = "flags";
        found_->start.words = command.words;
        found_->env = command.assignments;
        adopt(split.value());
      }
    }
    return std::nullopt;
  }

  Check yaml(std::string_view text) {
    auto documents = read_yaml(text, "text");
    if (!documents) {
      return documents.error();
    }
    for (const json::Value& document : *documents) {
      for (const Files& more : {config_map_files(document), compose_files(document, {})}) {
        around_.files.insert(around_.files.end(), more.begin(), more.end());
      }
    }
    for (const json::Value& document : *documents) {
      const json::Value* list = &document;
      const bool kubernetes =
          document.is_object() && (document.contains("kind") || document.contains("containers") ||
                                   document.contains("spec"));
      json::Value pod = json::Value::object();
      if (document.is_array()) {
        pod["containers"] = document;  // the list of a pod's containers by itself
        list = &pod;
      }
      const bool pods = kubernetes || document.is_array();
      for (Container& container : pods ? read_kubernetes(*list) : read_compose(*list, {})) {
        take_container(std::move(container), pods ? Form::kubernetes : Form::compose, 0);
      }
    }
    return std::nullopt;
  }

  std::optional<Serving> take() {
    if (!found_) {
      return std::nullopt;
    }
    finish();
    return std::move(found_);
  }

  [[nodiscard]] bool found() const { return found_.has_value(); }
  [[nodiscard]] const Files& files() const { return around_.files; }

 private:
  Check commands(const ShellText& split, const std::vector<Assignment>& env, std::size_t depth) {
    for (const ShellCommand& command : split.commands) {
      take_file(command, around_.files);
      for (const std::string_view engine : kEngines) {
        if (std::string version = installed_version(command.words, engine); !version.empty()) {
          around_.installed.emplace_back(engine, version);
        }
      }
    }
    for (const ShellCommand& command : split.commands) {
      const bool had = found_.has_value();
      if (auto error = words(command, {env, split}, depth)) {
        return error;
      }
      if (found_ && !had) {
        adopt(split);
      }
    }
    return std::nullopt;
  }

  void adopt(const ShellText& split) {
    found_->unresolved.insert(found_->unresolved.end(), split.unresolved.begin(),
                              split.unresolved.end());
    found_->put_in.insert(split.put_in.begin(), split.put_in.end());
    found_->notes.insert(found_->notes.end(), split.notes.begin(), split.notes.end());
  }

  /// What a command finds when it starts: variables from outside, and those of its own text.
  struct Around {
    const std::vector<Assignment>& outer;
    const ShellText& text;
  };

  static std::vector<Assignment> environment(const Around& around, const ShellCommand& command) {
    std::vector<Assignment> all = around.outer;
    all.insert(all.end(), around.text.exported.begin(), around.text.exported.end());
    all.insert(all.end(), command.assignments.begin(), command.assignments.end());
    return all;
  }

  static Variables with(Variables variables, const std::vector<Assignment>& env) {
    for (const Assignment& made : env) {
      variables[made.name] = {made.value};
    }
    return variables;
  }

  /// One simple command.
  Check words(const ShellCommand& command, const Around& around, std::size_t depth) {
    const std::vector<std::string>& words = command.words;
    if (words.empty()) {
      return std::nullopt;
    }
    // Each of these copies the variables: a text of nothing else is not worth it.
    constexpr std::size_t kMostNested = 100;
    if (const auto run = container_run(words)) {
      if (++nested_ < kMostNested) {
        auto container = read_docker_run(std::span(words).subspan(*run + 1),
                                         with(around.text.variables, environment(around, command)));
        if (container) {
          take_container(*std::move(container), Form::docker, depth);
        }
      }
      return std::nullopt;
    }
    if (auto start = find_start(words)) {
      note_start([&] {
        Serving serving;
        serving.env = environment(around, command);
        serving.env.insert(serving.env.end(), start->env.begin(), start->env.end());
        serving.start = *std::move(start);
        return serving;
      });
      return std::nullopt;
    }
    const auto script = script_of(words);
    if (script && depth < kMostScripts && ++nested_ < kMostNested) {
      const std::vector<Assignment> env = environment(around, command);
      auto split = split_shell(*script, with(around.text.variables, env));
      return split ? commands(split.value(), env, depth + 1) : Check(split.error());
    }
    return std::nullopt;
  }

  template <typename Make>
  void note_start(const Make& make) {
    ++around_.starts;
    if (!found_) {
      found_ = make();
    }
  }

  void take_container(Container container, Form form, std::size_t depth) {
    const Image image = read_image(container.image);
    const bool had = found_.has_value();
    auto start = find_start(container.words);
    if (!start) {
      start = own_program(image, container);
    }
    if (start) {
      note_start([&] {
        Serving serving;
        serving.env = container.env;
        serving.env.insert(serving.env.end(), start->env.begin(), start->env.end());
        serving.start = *std::move(start);
        return serving;
      });
    } else if (const auto script = script_of(container.words); script && depth < kMostScripts) {
      auto split = split_shell(*script, with({}, container.env));
      if (split) {
        (void)commands(split.value(), container.env, depth + 1);
      }
    } else if (form == Form::docker && !image.engine.empty() && !around_.shell_in) {
      around_.shell_in = container;
    }
    if (!found_ || had) {
      return;
    }
    Serving& serving = *found_;
    serving.form = form;
    if (serving.start.engine == image.engine && !image.version.empty()) {
      serving.version = image.version;
      serving.version_from = "the image's tag " + json::excerpt(image.tag, 60) + " says";
    } else if (serving.start.engine == image.engine) {
      serving.notes.push_back("The image's tag (" +
                              json::excerpt(image.tag.empty() ? "none" : image.tag, 60) +
                              ") names no release: the newest version covered is taken.");
    }
    take_cards(container, serving);
  }

  static void take_cards(const Container& container, Serving& serving) {
    serving.gpus = container.gpus;
    serving.gpus_said_by = container.gpus_said_by;
    serving.gpu_product = container.gpu_product;
    serving.unresolved.insert(serving.unresolved.end(), container.unresolved.begin(),
                              container.unresolved.end());
    serving.put_in.insert(container.put_in.begin(), container.put_in.end());
    serving.notes.insert(serving.notes.end(), container.notes.begin(), container.notes.end());
  }

  /// What was said around the command.
  void finish() {
    Serving& serving = *found_;
    serving.files = std::move(around_.files);
    if (around_.starts > 1) {
      serving.notes.push_back("The text starts " + std::to_string(around_.starts) +
                              " servers; the first is read.");
    }
    if (serving.form == Form::shell && around_.shell_in) {
      const Image image = read_image(around_.shell_in->image);
      if (image.engine == serving.start.engine) {
        serving.form = Form::docker;
        serving.version = image.version;
        serving.version_from = "the image's tag " + json::excerpt(image.tag, 60) + " says";
        serving.env.insert(serving.env.begin(), around_.shell_in->env.begin(),
                           around_.shell_in->env.end());
        take_cards(*around_.shell_in, serving);
      }
    }
    for (const auto& [engine, version] : around_.installed) {
      if (engine == serving.start.engine && serving.version.empty()) {
        serving.version = version;
        serving.version_from = "the text installs it";
      }
    }
  }

  std::string_view engine_;
  Surroundings around_;
  std::size_t nested_ = 0;
  std::optional<Serving> found_;
};

/// Where a compose file or a manifest begins: the first line at the left edge that is one of its
/// keys, if one of the keys that only they have is there. npos: this is none.
std::size_t manifest_start(std::string_view text) {
  std::size_t first = std::string_view::npos;
  bool certain = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.find("<<") != std::string_view::npos && first == std::string_view::npos) {
      return first;  // a here-document holds what follows
    }
    const bool marks = line.starts_with("services:") || line.starts_with("apiVersion:") ||
                       line.starts_with("kind:") || line.starts_with("containers:") ||
                       line.starts_with("{\"apiVersion\"") || line.starts_with("image:");
    const bool may_begin = marks || line.starts_with("version:") || line.starts_with("x-") ||
                           line.starts_with("name:") || line.starts_with("metadata:") ||
                           line.starts_with("spec:") || line == "{" || line.starts_with("---");
    certain = certain || marks || line.starts_with("  \"apiVersion\"") ||
              line.starts_with("    \"apiVersion\"");
    if (may_begin && first == std::string_view::npos) {
      first = at;
    }
    at = end + 1;
  }
  return certain ? first : std::string_view::npos;
}

Error no_command(const std::string& text) {
  for (const auto& [word, name] :
       {std::pair<std::string_view, std::string_view>{"ollama ", "Ollama"},
        {"text-generation-launcher", "TGI"},
        {"text-generation-inference", "TGI"},
        {"lmdeploy ", "LMDeploy"},
        {"mlc_llm", "MLC"},
        {"koboldcpp", "KoboldCpp"},
        {"tabbyapi", "TabbyAPI"}}) {
    if (text.find(word) != std::string::npos) {
      return {"no_command",
              std::string(name) +
                  " is not covered by this version. It covers vLLM, SGLang, TensorRT-LLM and "
                  "llama.cpp.",
              "text"};
    }
  }
  return {"no_command",
          "No command that starts vLLM, SGLang, TensorRT-LLM or llama.cpp is in the text. Paste "
          "the whole line (vllm serve …, python -m sglang.launch_server …, trtllm-serve …, "
          "llama-server …, docker run …), a compose file or a Kubernetes manifest.",
          "text"};
}

}  // namespace

std::string_view form_name(Form form) {
  switch (form) {
    case Form::shell:
      return "shell";
    case Form::docker:
      return "docker";
    case Form::compose:
      return "compose";
    case Form::kubernetes:
      return "kubernetes";
  }
  return "";
}

Result<Serving> find_serving(const std::string& text, std::string_view engine) {
  const std::size_t manifest = manifest_start(text);
  Check refused;
  const auto finished = [&](Finder& finder) -> std::optional<Serving> {
    auto serving = finder.take();
    if (serving) {
      serving->rest = text;
    }
    return serving;
  };
  if (manifest != std::string::npos) {
    Finder finder(engine);
    refused = finder.yaml(std::string_view(text).substr(manifest));
    if (auto serving = finished(finder)) {
      return *std::move(serving);
    }
  }
  Finder finder(engine);
  if (auto error = finder.shell(text, false)) {
    return *std::move(error);
  }
  if (!finder.found()) {
    // A manifest may be fed to kubectl or docker compose by a here-document.
    const Files files = finder.files();
    for (const auto& [name, body] : files) {
      if (!finder.found() && manifest_start(body) != std::string::npos) {
        (void)finder.yaml(body);
      }
    }
  }
  if (!finder.found() && !refused) {
    if (auto error = finder.shell(text, true)) {
      return *std::move(error);
    }
  }
  if (!finder.found() && !engine.empty()) {
    if (auto error = finder.flags_only(text)) {
      return *std::move(error);
    }
  }
  if (!finder.found() && !refused) {
    if (auto error = finder.anywhere(text)) {
      return *std::move(error);
    }
  }
  if (auto serving = finished(finder)) {
    return *std::move(serving);
  }
  return refused ? *std::move(refused) : no_command(text);
}

}  // namespace ridgepoint::command
