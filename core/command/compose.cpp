#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "command/containers.hpp"
#include "command/shell_expansion.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kMostServices = 200;

/// Compose's own variables: ${NAME:-default}; $$ is a dollar for the container's shell.
class Interpolation {
 public:
  explicit Interpolation(const Variables& variables) : expansion_(variables, found_) {}

  std::string text(std::string_view raw) {
    std::string out;
    while (true) {
      const std::size_t escaped = raw.find("$$");
      out += expansion_.in_text(raw.substr(0, escaped));
      if (escaped == std::string_view::npos) {
        return out;
      }
      out += '$';
      raw.remove_prefix(escaped + 2);
    }
  }

  std::string text(const json::Value& value) {
    if (value.is_string()) {
      return text(std::string_view(value.get_ref<const std::string&>()));
    }
    if (value.is_boolean()) {
      return value.get<bool>() ? "true" : "false";
    }
    return value.is_number_integer() ? std::to_string(value.get<std::int64_t>())
           : value.is_number()       ? json::number_text(value.get<double>())
                                     : std::string();
  }

  [[nodiscard]] const std::vector<std::string>& unresolved() const { return found_.unresolved; }

 private:
  ShellText found_;
  Expansion expansion_;
};

/// A command as one text is cut into words as a shell cuts them, though none runs.
std::vector<std::string> words_of(std::string text) {
  for (const std::string_view end : {"\\\n", "\n"}) {
    for (std::size_t at = text.find(end); at != std::string::npos; at = text.find(end, at)) {
      text.replace(at, end.size(), end.size() == 2 ? "  " : " ");
    }
  }
  // A folded block leaves the backslashes of its lines in front of blanks.
  for (std::size_t at = text.find("\\ "); at != std::string::npos; at = text.find("\\ ", at + 1)) {
    text[at] = ' ';
  }
  const auto split = split_shell(text, {});
  std::vector<std::string> words;
  if (split) {
    for (const ShellCommand& command : split->commands) {
      for (const Assignment& made : command.assignments) {
        words.push_back(made.name + "=" + made.value);
      }
      words.insert(words.end(), command.words.begin(), command.words.end());
    }
  }
  return words;
}

std::vector<std::string> command_words(const json::Value& value, Interpolation& interpolation) {
  if (value.is_string()) {
    return words_of(interpolation.text(value));
  }
  std::vector<std::string> words;
  if (value.is_array()) {
    for (const json::Value& word : value) {
      words.push_back(interpolation.text(word));
    }
  }
  return words;
}

void read_environment(const json::Value& value, Interpolation& interpolation, Container& out) {
  if (value.is_object()) {
    for (const auto& item : value.items()) {
      out.env.push_back({item.key(), interpolation.text(item.value())});
    }
  } else if (value.is_array()) {
    for (const json::Value& entry : value) {
      const std::string text = interpolation.text(entry);
      const std::size_t equals = text.find('=');
      if (equals != std::string::npos) {
        out.env.push_back({text.substr(0, equals), text.substr(equals + 1)});
      } else if (!text.empty()) {
        out.env.push_back({text, "$" + text});
        out.unresolved.push_back(text);
      }
    }
  }
}

const json::Value* member(const json::Value* value, std::string_view key) {
  if (value == nullptr || !value->is_object()) {
    return nullptr;
  }
  const auto found = value->find(key);
  return found == value->end() ? nullptr : &*found;
}

void read_gpus(const json::Value& service, Container& out) {
  const json::Value* devices = nullptr;
  const json::Value* at = member(&service, "deploy");
  for (const std::string_view key : {"resources", "reservations", "devices"}) {
    at = member(at, key);
  }
  devices = at;
  if (const json::Value* gpus = member(&service, "gpus")) {
    devices = gpus;
  }
  if (devices == nullptr || !devices->is_array()) {
    return;
  }
  for (const json::Value& device : *devices) {
    if (const json::Value* ids = member(&device, "device_ids"); ids != nullptr && ids->is_array()) {
      out.gpus = out.gpus.value_or(0) + ids->size();
    } else if (const json::Value* count = member(&device, "count");
               count != nullptr && count->is_number_unsigned()) {
      out.gpus = out.gpus.value_or(0) + std::min<std::uint64_t>(count->get<std::uint64_t>(), 4096);
    }
  }
  out.gpus_said_by = "the service's devices";
}

/// Where a service sees a config; empty: it does not.
std::string config_target(const json::Value& service, const std::string& name) {
  const json::Value* configs = member(&service, "configs");
  if (configs == nullptr || !configs->is_array()) {
    return {};
  }
  for (const json::Value& config : *configs) {
    if (config.is_string() && config.get_ref<const std::string&>() == name) {
      return "/" + name;
    }
    const json::Value* source = member(&config, "source");
    const json::Value* target = member(&config, "target");
    if (source != nullptr && *source == name && target != nullptr && target->is_string()) {
      return target->get<std::string>();
    }
  }
  return {};
}

}  // namespace

Files compose_files(const json::Value& document, const Variables& variables) {
  Files files;
  const json::Value* configs = member(&document, "configs");
  const json::Value* services = member(&document, "services");
  if (configs == nullptr || !configs->is_object() || services == nullptr ||
      !services->is_object() || services->size() > kMostServices) {
    return files;
  }
  constexpr std::size_t kMostFiles = 100;
  for (const auto& item : configs->items()) {
    const json::Value* content = member(&item.value(), "content");
    if (content == nullptr || !content->is_string() || files.size() >= kMostFiles) {
      continue;
    }
    Interpolation interpolation(variables);
    const std::string text = interpolation.text(*content);
    for (const auto& service : services->items()) {
      if (std::string target = config_target(service.value(), item.key()); !target.empty()) {
        files.emplace_back(std::move(target), text);
        break;
      }
    }
  }
  return files;
}

std::vector<Container> read_compose(const json::Value& document, const Variables& variables) {
  std::vector<Container> out;
  const json::Value* services = member(&document, "services");
  // Compose's first form, and a service by itself: no `services` above.
  const bool alone = services == nullptr && document.contains("image");
  json::Value wrapped = json::Value::object();
  if (alone) {
    wrapped[""] = document;
    services = &wrapped;
  }
  if (services == nullptr || !services->is_object()) {
    return out;
  }
  for (const auto& item : services->items()) {
    const json::Value& service = item.value();
    if (!service.is_object() || out.size() >= kMostServices) {
      continue;
    }
    Interpolation interpolation(variables);
    Container container;
    container.name = item.key();
    if (const json::Value* image = member(&service, "image")) {
      container.image = interpolation.text(*image);
    }
    if (const json::Value* entry = member(&service, "entrypoint"); entry && !entry->is_null()) {
      container.own_entrypoint = true;
      container.words = command_words(*entry, interpolation);
    }
    for (const char* key : {"command", "args"}) {
      if (const json::Value* command = member(&service, key)) {
        const auto words = command_words(*command, interpolation);
        container.words.insert(container.words.end(), words.begin(), words.end());
      }
    }
    if (const json::Value* environment = member(&service, "environment")) {
      read_environment(*environment, interpolation, container);
    }
    if (service.contains("env_file")) {
      container.notes.push_back(
          "The variables of env_file are not in the text; add those that matter.");
    }
    read_gpus(service, container);
    container.unresolved.insert(container.unresolved.end(), interpolation.unresolved().begin(),
                                interpolation.unresolved().end());
    out.push_back(std::move(container));
  }
  return out;
}

}  // namespace ridgepoint::command
