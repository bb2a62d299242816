#pragma once

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint/gguf.hpp"
#include "json/fields.hpp"

namespace ridgepoint::checkpoint {

inline constexpr json::Range kAnyGgufNumber{0, 1ULL << 40U};

/// Reads of metadata and tensors, and the config being written.
class GgufModel {
 public:
  GgufModel(const Gguf& gguf, std::string arch, std::string path)
      : gguf_(gguf), arch_(std::move(arch)), fields_(gguf.metadata, std::move(path)) {}

  [[nodiscard]] std::string full(std::string_view key) const {
    return arch_ + "." + std::string(key);
  }

  std::optional<std::uint64_t> number(std::string_view key) {
    const std::string name = full(key);
    const json::Value* value = fields_.find(name);
    if (value != nullptr && value->is_array()) {
      return common(name, *value);
    }
    return fields_.whole({name}, kAnyGgufNumber);
  }

  std::optional<double> real(std::string_view key) {
    return fields_.number({full(key)}, -1e30, 1e30);
  }

  /// One value a layer: an array as it is, nothing when the key holds one number for all.
  std::vector<std::uint64_t> by_layer(std::string_view key) {
    std::vector<std::uint64_t> list;
    const json::Value* value = fields_.find(full(key));
    if (value == nullptr || !value->is_array()) {
      return list;
    }
    for (const json::Value& each : *value) {
      list.push_back(each.is_boolean() ? std::uint64_t{each.get<bool>()} : whole(each));
    }
    return list;
  }

  [[nodiscard]] const Tensor* tensor(std::string_view name) const {
    for (const Tensor& each : gguf_.tensors) {
      if (each.name == name) {
        return &each;
      }
    }
    return nullptr;
  }
  [[nodiscard]] bool has(std::string_view name) const { return tensor(name) != nullptr; }
  [[nodiscard]] bool has(std::uint64_t layer, std::string_view rest) const {
    return has("blk." + std::to_string(layer) + "." + std::string(rest));
  }
  /// The second length of a matrix: its rows, as ggml puts the row length first.
  [[nodiscard]] std::uint64_t rows(std::string_view name) const {
    const Tensor* found = tensor(name);
    return found == nullptr || found->shape.size() < 2 ? 0 : found->shape[1];
  }

  /// Keeps a value that the metadata has; `config` may be one that a family's own key has set.
  void copy(std::string_view key, std::string_view config) {
    if (const auto value = number(key)) {
      set(config, *value);
    }
  }

  void set(std::string_view key, json::Value value) {
    config_[std::string(key)] = std::move(value);
  }
  [[nodiscard]] std::uint64_t get(std::string_view key) const {
    const auto found = config_.find(key);
    return found == config_.end() ? 0 : whole(*found);
  }
  void rename(std::string_view architecture, std::string_view type) {
    set("architectures", json::Value::array({std::string(architecture)}));
    set("model_type", std::string(type));
  }

  void fail(std::string_view code, std::string_view key, std::string message) {
    fields_.fail(code, full(key), std::move(message));
  }
  json::Fields& fields() { return fields_; }
  json::Value take() { return std::move(config_); }
  [[nodiscard]] std::uint64_t layers() const { return layers_; }
  void set_layers(std::uint64_t layers) { layers_ = layers; }

 private:
  static std::uint64_t whole(const json::Value& value) {
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : 0;
  }

  /// The value that all layers share that have one at all: hybrids write 0 for the others.
  std::optional<std::uint64_t> common(const std::string& name, const json::Value& list) {
    std::uint64_t most = 0;
    bool several = false;
    for (const json::Value& each : list) {
      const std::uint64_t value = each.is_boolean() ? 0 : whole(each);
      several = several || (most != 0 && value != 0 && value != most);
      most = std::max(most, std::min(value, kAnyGgufNumber.most));
    }
    if (several) {
      varies_.push_back(name);
    }
    return most;
  }

 public:
  /// Whether the layers differ in a value beyond having it or not.
  [[nodiscard]] bool varies(std::string_view key) const {
    return std::find(varies_.begin(), varies_.end(), full(key)) != varies_.end();
  }

 private:
  const Gguf& gguf_;
  std::string arch_;
  json::Fields fields_;
  json::Value config_ = json::Value::object();
  std::vector<std::string> varies_;
  std::uint64_t layers_ = 0;
};

}  // namespace ridgepoint::checkpoint
