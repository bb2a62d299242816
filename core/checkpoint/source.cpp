#include "checkpoint/source.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "checkpoint/safetensors.hpp"

namespace ridgepoint::checkpoint {
namespace {

constexpr std::size_t kMostParts = 2000;

Error refuse(std::string message, std::string path) {
  return Error{"bad_value", std::move(message), std::move(path)};
}

Check check_list(const json::Value& list, std::string_view what, const std::string& path) {
  if (!list.is_array() || list.empty() || list.size() > kMostParts) {
    return refuse(std::string(what) + " must be a list of 1 to 2000 headers, one for each file.",
                  path);
  }
  return std::nullopt;
}

Result<TensorsSource> read_headers(const json::Value& headers, std::string_view path) {
  const std::string at = std::string(path) + ".headers";
  if (auto wrong = check_list(headers, "headers", at)) {
    return *std::move(wrong);
  }
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    auto tensors = read_safetensors_header(headers[i], at + "[" + std::to_string(i) + "]");
    if (!tensors) {
      return tensors.error();
    }
    all.insert(all.end(), std::make_move_iterator(tensors.value().begin()),
               std::make_move_iterator(tensors.value().end()));
  }
  if (auto twice = refuse_repeated(all, at)) {
    return *std::move(twice);
  }
  auto sum = sum_up(Source::safetensors_headers, headers.size(), std::move(all), at);
  if (!sum) {
    return sum.error();
  }
  return TensorsSource{std::move(sum.value()), std::nullopt};
}

Result<TensorsSource> read_gguf(const json::Value& value, std::string_view path) {
  const std::string at = std::string(path) + ".gguf";
  std::vector<Gguf> parts;
  if (value.is_array()) {
    if (auto wrong = check_list(value, "gguf", at)) {
      return *std::move(wrong);
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      auto part = read_gguf_summary(value[i], at + "[" + std::to_string(i) + "]");
      if (!part) {
        return part.error();
      }
      parts.push_back(std::move(part.value()));
    }
  } else {
    auto part = read_gguf_summary(value, at);
    if (!part) {
      return part.error();
    }
    parts.push_back(std::move(part.value()));
  }
  auto gguf = merge_gguf(std::move(parts), at);
  if (!gguf) {
    return gguf.error();
  }
  auto sum = sum_up(Source::gguf, gguf->files, gguf->tensors, at);
  if (!sum) {
    return sum.error();
  }
  return TensorsSource{std::move(sum.value()), std::move(gguf.value())};
}

/// A header's members are its tensors; one is enough to know it by.
bool looks_like_header(const json::Value& object) {
  if (object.contains("__metadata__")) {
    return true;
  }
  for (const json::Value& value : object) {
    if (value.is_object() && value.contains("data_offsets")) {
      return true;
    }
  }
  return false;
}

}  // namespace

Result<TensorsSource> read_tensors_source(const json::Value& tensors, std::string_view path) {
  const std::string at(path);
  if (tensors.is_string()) {
    const auto parsed = json::parse(tensors.get_ref<const std::string&>(), path);
    if (!parsed) {
      return Error{"not_json",
                   "The text is not JSON that can be read; give the whole file, for example a "
                   "model.safetensors.index.json.",
                   at};
    }
    if (parsed->is_string()) {
      return refuse("The text holds a string, not an object.", at);
    }
    return read_tensors_source(*parsed, path);
  }
  if (!tensors.is_object()) {
    return refuse(
        "tensors must be a model.safetensors.index.json, a safetensors header or a GGUF summary, "
        "and it is " +
            std::string(json::kind_of(tensors)) + ".",
        at);
  }
  if (tensors.contains("gguf")) {
    return read_gguf(tensors["gguf"], path);
  }
  if (const auto headers = tensors.find("headers");
      headers != tensors.end() && (headers->is_array() || tensors.size() == 1)) {
    return read_headers(*headers, path);
  }
  if (tensors.contains("header") && tensors.size() == 1) {
    return read_headers(json::Value::array({tensors["header"]}), path);
  }
  if (tensors.contains("weight_map") ||
      (tensors.contains("metadata") && !looks_like_header(tensors))) {
    auto index = read_safetensors_index(tensors, path);
    return index ? Result<TensorsSource>(TensorsSource{std::move(index.value()), std::nullopt})
                 : index.error();
  }
  if (looks_like_header(tensors)) {
    auto read = read_safetensors_header(tensors, path);
    if (!read) {
      return read.error();
    }
    auto sum = sum_up(Source::safetensors_headers, 1, std::move(read.value()), path);
    return sum ? Result<TensorsSource>(TensorsSource{std::move(sum.value()), std::nullopt})
               : sum.error();
  }
  return refuse(
      tensors.contains("architectures") || tensors.contains("model_type")
          ? "tensors holds a config.json: give that as model.config."
          : "tensors must be a model.safetensors.index.json (weight_map and metadata), safetensors "
            "headers (dtype, shape and data_offsets of each tensor) or {\"gguf\": …}, and it is "
            "none of these.",
      at);
}

}  // namespace ridgepoint::checkpoint
