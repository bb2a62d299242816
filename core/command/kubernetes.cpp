#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "command/containers.hpp"
#include "json/writer.hpp"

namespace ridgepoint::command {
namespace {

constexpr std::size_t kDeepest = 24;
constexpr std::size_t kMostContainers = 200;

const json::Value* member(const json::Value& value, std::string_view key) {
  if (!value.is_object()) {
    return nullptr;
  }
  const auto found = value.find(key);
  return found == value.end() ? nullptr : &*found;
}

std::string text_of(const json::Value& value) {
  if (value.is_string()) {
    return value.get<std::string>();
  }
  json::Writer writer;
  writer.value(value);
  return value.is_null() ? std::string() : writer.take();
}

/// 2, "2".
std::optional<std::uint64_t> count_of(const json::Value& value) {
  const std::string text = text_of(value);
  const bool digits =
      !text.empty() && text.size() < 6 && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? std::optional<std::uint64_t>(std::stoul(text)) : std::nullopt;
}

constexpr std::size_t kMostWord = std::size_t{1} << 20U;

/// $(NAME) in a word is a variable of the container's own list; $$ is a dollar. What is put in ends
/// at `most` bytes.
std::string with_variables(const std::string& word, const std::vector<Assignment>& env,
                           std::size_t most, std::set<std::string>& put_in) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    if (word.compare(at, 2, "$$") == 0) {
      out += '$';
      at += 2;
      continue;
    }
    constexpr std::size_t kLongest = 200;
    const bool opens = word.compare(at, 2, "$(") == 0;
    const std::size_t close = std::string_view(word).substr(at, kLongest).find(')');
    const bool named = opens && close != std::string_view::npos;
    const std::string name = named ? word.substr(at + 2, close - 2) : std::string();
    const auto found = std::find_if(env.begin(), env.end(),
                                    [&](const Assignment& made) { return made.name == name; });
    if (named && found != env.end() && out.size() + found->value.size() < most) {
      out += found->value;
      put_in.insert(name);
      at += close + 1;
    } else {
      out += word[at++];
    }
  }
  return out;
}

void read_env(const json::Value& container, Container& out) {
  const json::Value* env = member(container, "env");
  if (env != nullptr && env->is_array()) {
    for (const json::Value& entry : *env) {
      const json::Value* name = member(entry, "name");
      if (name == nullptr || !name->is_string()) {
        continue;
      }
      const json::Value* value = member(entry, "value");
      const std::string key = name->get<std::string>();
      if (value == nullptr && member(entry, "valueFrom") != nullptr) {
        out.env.push_back({key, "$" + key});
        out.unresolved.push_back(key);
      } else {
        // A variable may hold those before it. Few do, and a few of many could grow without end.
        constexpr std::size_t kMostLookedUp = 200;
        constexpr std::size_t kMostBytes = std::size_t{1} << 14U;
        const std::vector<Assignment> none;
        const auto& before = out.env.size() < kMostLookedUp ? out.env : none;
        const std::string text = value == nullptr ? std::string() : text_of(*value);
        out.env.push_back({key, with_variables(text, before, kMostBytes, out.put_in)});
      }
    }
  }
  if (container.contains("envFrom")) {
    out.notes.push_back("The variables of envFrom are not in the text; add those that matter.");
  }
}

void read_gpus(const json::Value& container, Container& out) {
  const json::Value* resources = member(container, "resources");
  if (resources == nullptr) {
    return;
  }
  for (const char* kind : {"limits", "requests"}) {
    const json::Value* amounts = member(*resources, kind);
    if (amounts == nullptr || !amounts->is_object() || out.gpus) {
      continue;
    }
    for (const auto& item : amounts->items()) {
      const std::string& key = item.key();
      const bool gpu = key == "nvidia.com/gpu" || key == "amd.com/gpu" || key == "gpu" ||
                       key.starts_with("gpu.intel.com/") || key.starts_with("nvidia.com/gpu.");
      if (gpu) {
        out.gpus = count_of(item.value());
        out.gpus_said_by = key;
      } else if (key.starts_with("nvidia.com/mig-")) {
        out.notes.push_back("The pod asks for a part of a card (" + json::excerpt(key, 40) +
                            "): choose that part's memory as the card.");
      }
    }
  }
}

/// The card that the pod's node must have.
std::string product_of(const json::Value& pod) {
  const json::Value* selector = member(pod, "nodeSelector");
  if (selector == nullptr || !selector->is_object()) {
    return {};
  }
  for (const char* key : {"nvidia.com/gpu.product", "cloud.google.com/gke-accelerator",
                          "amd.com/gpu.product-name", "gpu.nvidia.com/class"}) {
    if (const json::Value* name = member(*selector, key); name != nullptr && name->is_string()) {
      return name->get<std::string>();
    }
  }
  return {};
}

Container read_container(const json::Value& value, const json::Value& pod) {
  Container out;
  if (const json::Value* name = member(value, "name"); name != nullptr && name->is_string()) {
    out.name = name->get<std::string>();
  }
  if (const json::Value* image = member(value, "image"); image != nullptr && image->is_string()) {
    out.image = image->get<std::string>();
  }
  read_env(value, out);
  for (const char* key : {"command", "args"}) {
    const json::Value* words = member(value, key);
    if (words == nullptr) {
      continue;
    }
    out.own_entrypoint = out.own_entrypoint || std::string_view(key) == "command";
    if (words->is_array()) {
      for (const json::Value& word : *words) {
        out.words.push_back(with_variables(text_of(word), out.env, kMostWord, out.put_in));
      }
    } else if (words->is_string()) {
      out.words.push_back(with_variables(text_of(*words), out.env, kMostWord, out.put_in));
    }
  }
  read_gpus(value, out);
  out.gpu_product = product_of(pod);
  return out;
}

void collect(const json::Value& value, std::size_t depth, std::vector<Container>& out) {
  if (depth > kDeepest || out.size() >= kMostContainers) {
    return;
  }
  if (value.is_array()) {
    for (const json::Value& item : value) {
      collect(item, depth + 1, out);
    }
    return;
  }
  if (!value.is_object()) {
    return;
  }
  for (const auto& item : value.items()) {
    const bool containers = item.key() == "containers" && item.value().is_array();
    if (containers) {
      for (const json::Value& container : item.value()) {
        out.push_back(read_container(container, value));
      }
    } else if (item.key() == "model" && item.value().is_object() &&
               (item.value().contains("args") || item.value().contains("command"))) {
      out.push_back(read_container(item.value(), value));  // an InferenceService's predictor
    } else if (item.key() != "initContainers" && item.value().is_structured()) {
      collect(item.value(), depth + 1, out);
    }
  }
}

}  // namespace

std::vector<Container> read_kubernetes(const json::Value& document) {
  std::vector<Container> out;
  collect(document, 0, out);
  const json::Value* spec = member(document, "spec");
  const json::Value* replicas = spec == nullptr ? nullptr : member(*spec, "replicas");
  const auto count = replicas == nullptr ? std::nullopt : count_of(*replicas);
  if (count && *count > 1) {
    for (Container& container : out) {
      container.notes.push_back("The manifest starts " + std::to_string(*count) +
                                " replicas; the request is of one of them.");
    }
  }
  return out;
}

Files config_map_files(const json::Value& document) {
  Files files;
  const json::Value* kind = member(document, "kind");
  const json::Value* data = member(document, "data");
  if (kind == nullptr || *kind != "ConfigMap" || data == nullptr || !data->is_object()) {
    return files;
  }
  for (const auto& item : data->items()) {
    if (item.value().is_string()) {
      files.emplace_back(item.key(), item.value().get<std::string>());
    }
  }
  return files;
}

}  // namespace ridgepoint::command
