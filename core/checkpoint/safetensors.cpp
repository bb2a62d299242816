#include "checkpoint/safetensors.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace ridgepoint::checkpoint {
namespace {

struct DtypeBits {
  std::string_view name;
  std::uint64_t bits;
};

/// safetensors 0.6, tensor.rs, `Dtype::bitsize`.
constexpr DtypeBits kDtypes[] = {
    {"F64", 64},    {"F32", 32},    {"F16", 16},        {"BF16", 16},       {"F8_E4M3", 8},
    {"F8_E5M2", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6},
    {"F6_E3M2", 6}, {"F4", 4},      {"I64", 64},        {"I32", 32},        {"I16", 16},
    {"I8", 8},      {"U64", 64},    {"U32", 32},        {"U16", 16},        {"U8", 8},
    {"BOOL", 8},    {"C64", 64},
};

/// The limit of the reference implementation (tensor.rs, MAX_HEADER_SIZE).
constexpr std::uint64_t kMostTextBytes = 100'000'000;

const DtypeBits* find_dtype(std::string_view name) {
  for (const DtypeBits& dtype : kDtypes) {
    if (dtype.name == name) {
      return &dtype;
    }
  }
  return nullptr;
}

/// A tensor and where its bytes lie after the header.
struct Placed {
  Tensor tensor;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

Error damaged(std::string message, std::string_view path, const std::string& name = {}) {
  std::string at(path);
  if (!name.empty()) {
    at += "." + json::excerpt(name, 80);
  }
  return Error{"bad_header", std::move(message), std::move(at)};
}

std::optional<std::vector<std::uint64_t>> whole_numbers(const json::Value& object,
                                                        std::string_view key) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) {
    return std::nullopt;
  }
  std::vector<std::uint64_t> numbers;
  for (const json::Value& value : *found) {
    if (!value.is_number_unsigned()) {
      return std::nullopt;
    }
    numbers.push_back(value.get<std::uint64_t>());
  }
  return numbers;
}

Result<Placed> read_tensor(const std::string& name, const json::Value& value,
                           std::string_view path) {
  const std::string shown = "Tensor \"" + json::excerpt(name, 80) + "\" ";
  if (!value.is_object()) {
    return damaged(shown + "must be an object with dtype, shape and data_offsets.", path, name);
  }
  const auto dtype = value.find("dtype");
  if (dtype == value.end() || !dtype->is_string()) {
    return damaged(shown + "has no dtype; this is no safetensors header.", path, name);
  }
  const DtypeBits* type = find_dtype(dtype->get_ref<const std::string&>());
  if (type == nullptr) {
    return damaged(shown + "has the dtype \"" +
                       json::excerpt(dtype->get_ref<const std::string&>(), 20) +
                       "\", which safetensors does not have.",
                   path, name);
  }
  auto shape = whole_numbers(value, "shape");
  const auto offsets = whole_numbers(value, "data_offsets");
  if (!shape || !offsets || offsets->size() != 2) {
    return damaged(shown + "must have a shape and two data_offsets, in whole numbers.", path, name);
  }
  const auto elements = element_count(*shape);
  if (!elements) {
    return damaged(shown + "has a shape of more than 10^15 elements; the header is damaged.", path,
                   name);
  }
  Placed placed;
  placed.begin = (*offsets)[0];
  placed.end = (*offsets)[1];
  const std::uint64_t bits = *elements * type->bits;
  if (bits % 8 != 0) {
    return damaged(shown + "does not fill whole bytes.", path, name);
  }
  if (placed.end < placed.begin || placed.end - placed.begin != bits / 8) {
    return damaged(shown + "has offsets of " + std::to_string(placed.begin) + " to " +
                       std::to_string(placed.end) + ", and its shape and dtype take " +
                       std::to_string(bits / 8) + " bytes.",
                   path, name);
  }
  placed.tensor = {name, type->name, std::move(*shape), *elements, bits / 8};
  return placed;
}

std::string what_is_wrong(const json::Value* metadata, const json::Value* size) {
  if (metadata == nullptr) {
    return "has no metadata";
  }
  if (!metadata->is_object()) {
    return "has metadata that is no object";
  }
  if (size == nullptr) {
    return metadata->empty() ? "has empty metadata" : "has no metadata.total_size";
  }
  if (size->is_number_unsigned() && size->get<std::uint64_t>() == 0) {
    return "has a metadata.total_size of 0";
  }
  return "has a metadata.total_size that is no number of bytes";
}

const json::Value* member(const json::Value& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// Sizes that some writers give as 16060522496.0.
std::optional<std::uint64_t> size_of(const json::Value& value) {
  if (value.is_number_unsigned()) {
    return value.get<std::uint64_t>();
  }
  if (!value.is_number_float()) {
    return std::nullopt;
  }
  const double real = value.get<double>();
  if (!(real >= 0.0 && real <= 9007199254740992.0)) {
    return std::nullopt;
  }
  const auto whole = static_cast<std::uint64_t>(real);
  return static_cast<double>(whole) == real ? std::optional(whole) : std::nullopt;
}

}  // namespace

std::uint64_t safetensors_bits(std::string_view dtype) {
  const DtypeBits* found = find_dtype(dtype);
  return found == nullptr ? 0 : found->bits;
}

Result<SafetensorsPrefix> find_safetensors_header(std::span<const std::byte> bytes) {
  constexpr std::uint64_t kLengthBytes = 8;
  SafetensorsPrefix prefix;
  if (bytes.size() < kLengthBytes + 1) {
    prefix.need_bytes = kLengthBytes + 1;
    return prefix;
  }
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<std::uint64_t>(bytes[i]) << (8 * i);
  }
  if (bytes[kLengthBytes] != std::byte{'{'}) {
    return damaged(
        "These are no safetensors bytes: after the length of the header its JSON must follow.", "");
  }
  if (length < 2 || length > kMostTextBytes) {
    return damaged("The header would be " + std::to_string(length) +
                       " bytes long; a safetensors header has 2 to 100,000,000. The file is "
                       "damaged, or is no safetensors file.",
                   "");
  }
  if (bytes.size() - kLengthBytes < length) {
    prefix.need_bytes = kLengthBytes + length;
    return prefix;
  }
  prefix.text = {reinterpret_cast<const char*>(bytes.data()) + kLengthBytes,
                 static_cast<std::size_t>(length)};
  return prefix;
}

Result<std::vector<Tensor>> read_safetensors_header(const json::Value& header,
                                                    std::string_view path) {
  if (!header.is_object()) {
    return damaged("A safetensors header must be a JSON object, and this is " +
                       std::string(json::kind_of(header)) + ".",
                   path);
  }
  std::vector<Placed> placed;
  for (const auto& item : header.items()) {
    if (item.key() == "__metadata__") {
      continue;
    }
    auto tensor = read_tensor(item.key(), item.value(), path);
    if (!tensor) {
      return tensor.error();
    }
    placed.push_back(std::move(tensor.value()));
  }
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t end = 0;
  std::vector<Tensor> tensors;
  tensors.reserve(placed.size());
  for (Placed& each : placed) {
    if (each.begin != end) {
      return damaged("Tensor \"" + json::excerpt(each.tensor.name, 80) + "\" begins at byte " +
                         std::to_string(each.begin) +
                         (each.begin < end ? ", inside the tensor before it, which ends at "
                                           : ", and the tensor before it ends at ") +
                         std::to_string(end) + "; tensors must lie end to end.",
                     path, each.tensor.name);
    }
    end = each.end;
    tensors.push_back(std::move(each.tensor));
  }
  return tensors;
}

Result<Checkpoint> read_safetensors_index(const json::Value& index, std::string_view path) {
  const json::Value* map = member(index, "weight_map");
  if (map != nullptr && !map->is_object()) {
    return Error{"bad_value",
                 "weight_map must be an object of tensor names and files; give the whole "
                 "model.safetensors.index.json.",
                 std::string(path) + ".weight_map"};
  }
  Checkpoint checkpoint;
  checkpoint.source = Source::safetensors_index;
  if (map != nullptr) {
    std::vector<std::string_view> files;
    for (const json::Value& file : *map) {
      if (file.is_string()) {
        files.push_back(file.get_ref<const std::string&>());
      }
    }
    std::sort(files.begin(), files.end());
    checkpoint.files =
        static_cast<std::uint64_t>(std::unique(files.begin(), files.end()) - files.begin());
  }
  const json::Value* metadata = member(index, "metadata");
  const bool has_members = metadata != nullptr && metadata->is_object();
  const json::Value* size = has_members ? member(*metadata, "total_size") : nullptr;
  if (has_members) {
    if (const json::Value* count = member(*metadata, "total_parameters")) {
      checkpoint.elements = size_of(*count);
    }
  }
  const auto bytes = size == nullptr ? std::nullopt : size_of(*size);
  if (bytes && *bytes > 0 && *bytes <= 8 * kMostElements) {
    checkpoint.total_bytes = bytes;
  } else {
    checkpoint.notes.push_back(
        "model.safetensors.index.json " + what_is_wrong(metadata, size) +
        ", so the size of the checkpoint is worked out from the config. The headers of its "
        ".safetensors files tell it exactly.");
  }
  return checkpoint;
}

}  // namespace ridgepoint::checkpoint
