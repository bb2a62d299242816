#include "api/tensors_source.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "checkpoint/gguf_config.hpp"
#include "checkpoint/source.hpp"
#include "model/tensors.hpp"
#include "weights/weights.hpp"
#include "wording.hpp"

namespace ridgepoint::api {
namespace {

using checkpoint::Checkpoint;
using checkpoint::Source;

constexpr std::string_view kPath = "model.tensors";
/// Scales and norms that a formula rounds are below this share of a checkpoint.
constexpr double kSameShare = 0.005;

std::string counted(std::uint64_t number, std::string_view one, std::string_view many) {
  return grouped(number) + " " + std::string(number == 1 ? one : many);
}

/// "61 % Q4_K, 33 % Q6_K": the formats that hold most of the bytes.
std::string shares(const Checkpoint& files) {
  std::string text;
  const auto total = static_cast<double>(files.total_bytes.value_or(0));
  for (const auto& [dtype, bytes] : files.bytes_by_dtype) {
    const double percent = total > 0 ? 100.0 * static_cast<double>(bytes) / total : 0.0;
    if (percent < 0.95) {
      break;
    }
    text += (text.empty() ? "" : ", ") + std::to_string(std::lround(percent)) + " % " +
            std::string(dtype);
  }
  return text;
}

std::string what_was_read(const Checkpoint& files) {
  switch (files.source) {
    case Source::safetensors_index:
      return "metadata.total_size of model.safetensors.index.json";
    case Source::safetensors_headers:
      return "the safetensors headers of " + counted(files.files, "file", "files") + " (" +
             counted(files.tensors.size(), "tensor", "tensors") + ")";
    case Source::gguf:
      break;
  }
  return "the GGUF header" +
         (files.files > 1 ? "s of " + counted(files.files, "file", "files") : std::string()) +
         " (" + counted(files.tensors.size(), "tensor", "tensors") + ": " + shares(files) + ")";
}

/// What to think of a checkpoint that is not what the config makes of it.
std::string difference(std::uint64_t stored, std::uint64_t formula, Source source) {
  const double ratio = static_cast<double>(stored) / static_cast<double>(formula);
  if (source == Source::gguf) {
    return " At 16 bits the config makes it " + in_gib(formula) + ".";
  }
  if (std::abs(ratio - 1.0) <= kSameShare) {
    return "";
  }
  return " The config makes it " + in_gib(formula) + ": the files have " +
         decimal(100.0 * std::abs(ratio - 1.0)) + " % " + (ratio > 1.0 ? "more" : "less") +
         ", and the files count.";
}

void use(const Checkpoint& files, model::ModelSpec& spec) {
  spec.notes.insert(spec.notes.end(), files.notes.begin(), files.notes.end());
  if (files.source == Source::gguf) {
    // Most engines scale the whole; one that loads GGUF itself asks for each tensor's format.
    spec.quantization = {};
    spec.quantization.method = "gguf";
    spec.stored_format = "GGUF, " + shares(files);
    spec.stored_tensors.reserve(files.tensors.size());
    for (const checkpoint::Tensor& tensor : files.tensors) {
      spec.stored_tensors.push_back({tensor.name, tensor.dtype, tensor.elements, tensor.bytes});
    }
  }
  if (!files.total_bytes) {
    return;
  }
  const std::uint64_t formula = weights::checkpoint_bytes(spec, model::tensors(spec));
  spec.checkpoint_bytes = files.total_bytes;
  spec.weights_source = checkpoint::source_name(files.source);
  if (files.source != Source::safetensors_index) {
    spec.stored_parameters = files.elements;
  }
  spec.notes.push_back("Checkpoint size from " + what_was_read(files) + ": " +
                       in_gib(*files.total_bytes) + "." +
                       difference(*files.total_bytes, formula, files.source));
}

/// The config was made here, so its fields are no fields of the request.
Error of_gguf(Error error) {
  error.message = "By the metadata of the GGUF: " + error.message;
  error.path = std::string(kPath) + ".gguf.metadata";
  return error;
}

}  // namespace

Result<model::ModelSpec> read_model_of_tensors(model::ModelRequest request,
                                               const json::Value& tensors) {
  const auto source = checkpoint::read_tensors_source(tensors, kPath);
  if (!source) {
    return source.error();
  }
  json::Value config;
  const bool has_config = request.config != nullptr && !request.config->is_null();
  const bool from_gguf = source->gguf && !has_config;
  if (from_gguf) {
    auto made = checkpoint::gguf_config(*source->gguf, std::string(kPath) + ".gguf");
    if (!made) {
      return made.error();
    }
    config = std::move(made.value());
    request.config = &config;
  }
  auto spec = model::read_model(request);
  if (!spec) {
    return from_gguf ? of_gguf(spec.error()) : spec.error();
  }
  if (from_gguf) {
    spec.value().notes.emplace_back(
        "Sizes from the metadata of the GGUF; no config.json was "
        "given.");
  }
  use(source->checkpoint, spec.value());
  return spec;
}

}  // namespace ridgepoint::api
