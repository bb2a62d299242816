#include "checkpoint/gguf.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "arithmetic.hpp"

namespace ridgepoint::checkpoint {
namespace {

constexpr GgmlType kTypes[] = {
    {0, "F32", 1, 4},         {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},
    {3, "Q4_1", 32, 20},      {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},
    {8, "Q8_0", 32, 34},      {9, "Q8_1", 32, 36},      {10, "Q2_K", 256, 84},
    {11, "Q3_K", 256, 110},   {12, "Q4_K", 256, 144},   {13, "Q5_K", 256, 176},
    {14, "Q6_K", 256, 210},   {15, "Q8_K", 256, 292},   {16, "IQ2_XXS", 256, 66},
    {17, "IQ2_XS", 256, 74},  {18, "IQ3_XXS", 256, 98}, {19, "IQ1_S", 256, 50},
    {20, "IQ4_NL", 32, 18},   {21, "IQ3_S", 256, 110},  {22, "IQ2_S", 256, 82},
    {23, "IQ4_XS", 256, 136}, {24, "I8", 1, 1},         {25, "I16", 1, 2},
    {26, "I32", 1, 4},        {27, "I64", 1, 8},        {28, "F64", 1, 8},
    {29, "IQ1_M", 256, 56},   {30, "BF16", 1, 2},       {34, "TQ1_0", 256, 54},
    {35, "TQ2_0", 256, 66},   {39, "MXFP4", 32, 17},    {40, "NVFP4", 64, 36},
    {41, "Q1_0", 128, 18},    {42, "Q2_0", 64, 18},
};

constexpr std::uint32_t kMostDimensions = 4;  // GGML_MAX_DIMS
constexpr std::uint64_t kMostKeptArray = 2048;
constexpr std::size_t kMostKeptText = 120;
constexpr std::uint64_t kMostNameBytes = 1024;
constexpr std::uint64_t kMostAlignment = 1U << 20U;
// What one key and one tensor take at least, to bound counts before anything is read.
constexpr std::uint64_t kLeastKeyBytes = 13;
constexpr std::uint64_t kLeastTensorBytes = 24;
constexpr std::uint64_t kFixedBytes = 24;

constexpr std::string_view kGeneralKept[] = {
    "general.architecture", "general.name",      "general.type",
    "general.size_label",   "general.file_type", "general.alignment",
};

enum ValueType : std::uint32_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUint64,
  kInt64,
  kFloat64,
};

constexpr std::uint64_t kScalarBytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

const GgmlType* find_type(std::uint64_t id) {
  for (const GgmlType& type : kTypes) {
    if (type.id == id) {
      return &type;
    }
  }
  return nullptr;
}

const GgmlType* find_type(std::string_view name) {
  for (const GgmlType& type : kTypes) {
    if (type.name == name) {
      return &type;
    }
  }
  return nullptr;
}

Error damaged(std::string message, std::string_view path = {}) {
  return Error{"bad_header", std::move(message), std::string(path)};
}

Error unsupported(std::string message, std::string_view path = {}) {
  return Error{"unsupported_gguf", std::move(message), std::string(path)};
}

Error unknown_type(std::string_view tensor, std::uint64_t id, std::string_view path = {}) {
  const bool removed = id == 4 || id == 5 || (id >= 31 && id <= 33) || (id >= 36 && id <= 38);
  return unsupported("Tensor \"" + json::excerpt(tensor, 64) + "\" has the ggml type " +
                         std::to_string(id) +
                         (removed ? ", which llama.cpp has removed: quantise the model again."
                                  : ", which this version does not know. Types of forks (such as "
                                    "ik_llama.cpp) are not sized."),
                     path);
}

/// Sizes a tensor whose name, shape and type are known.
Result<Tensor> sized(std::string name, const GgmlType& type, std::vector<std::uint64_t> shape,
                     std::string_view path) {
  const std::string shown = "Tensor \"" + json::excerpt(name, 64) + "\" ";
  if (shape.size() > kMostDimensions) {
    return damaged(
        shown + "has " + std::to_string(shape.size()) + " dimensions; ggml knows up to 4.", path);
  }
  const auto elements = element_count(shape);
  if (!elements) {
    return damaged(shown + "has a shape of more than 10^15 elements; the header is damaged.", path);
  }
  const std::uint64_t row = shape.empty() ? 1 : shape.front();
  if (row % type.block != 0) {
    return damaged(shown + "has rows of " + std::to_string(row) + " elements, and " +
                       std::string(type.name) + " comes in blocks of " +
                       std::to_string(type.block) + ".",
                   path);
  }
  return Tensor{std::move(name), type.name, std::move(shape), *elements,
                *elements / type.block * type.bytes};
}

/// Reads little-endian values off the front. Once the bytes have run out `need` says how many are
/// wanted, and everything read since is zero or empty.
class Cursor {
 public:
  explicit Cursor(std::span<const std::byte> bytes) : bytes_(bytes) {}

  /// Bytes that must follow whatever is read next; makes `need` a better bound.
  void set_rest(std::uint64_t rest) { rest_ = rest; }

  std::uint64_t number(std::uint64_t size) {
    if (!available(size)) {
      return 0;
    }
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < size; ++i) {
      value |= static_cast<std::uint64_t>(bytes_[at_ + i]) << (8 * i);
    }
    at_ += size;
    return value;
  }

  std::string_view text() {
    const std::uint64_t length = number(8);
    if (!available(length)) {
      return {};
    }
    const char* start = reinterpret_cast<const char*>(bytes_.data()) + at_;
    at_ += length;
    return {start, static_cast<std::size_t>(length)};
  }

  void advance(std::uint64_t size) {
    if (available(size)) {
      at_ += size;
    }
  }

  [[nodiscard]] std::uint64_t rest() const { return rest_; }
  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] std::uint64_t need() const { return need_; }
  [[nodiscard]] bool ended() const { return need_ != 0; }

 private:
  bool available(std::uint64_t size) {
    if (ended()) {
      return false;
    }
    if (size <= bytes_.size() - at_) {
      return true;
    }
    // at_ and rest_ are far below 2^63, so that only a hostile size can saturate.
    constexpr std::uint64_t kHuge = 1ULL << 62U;
    need_ = size > kHuge ? kHuge : at_ + size + rest_;
    return false;
  }

  std::span<const std::byte> bytes_;
  std::uint64_t at_ = 0;
  std::uint64_t rest_ = 0;
  std::uint64_t need_ = 0;
};

class HeaderReader {
 public:
  explicit HeaderReader(std::span<const std::byte> bytes) : cursor_(bytes) {
    gguf_.metadata = json::Value::object();
  }

  Result<GgufPrefix> read() {
    if (auto error = read_all()) {
      return *std::move(error);
    }
    if (cursor_.need() > kMostHeaderBytes) {
      return damaged("The header would be at least " + std::to_string(cursor_.need()) +
                     " bytes long, and none is longer than 256 MiB; the file is damaged.");
    }
    GgufPrefix prefix;
    prefix.need_bytes = cursor_.need();
    if (prefix.need_bytes == 0) {
      prefix.gguf = std::move(gguf_);
    }
    return prefix;
  }

 private:
  Check read_all() {
    cursor_.set_rest(kFixedBytes - 8);
    cursor_.advance(4);  // the magic, by which the caller chose this reader
    const std::uint64_t version = cursor_.number(4);
    if (cursor_.ended()) {
      return std::nullopt;
    }
    if (version != 0 && (version & 0xFFFFU) == 0) {
      return unsupported(
          "This GGUF file is big-endian, and engines on GPUs read little-endian ones: convert it "
          "(llama.cpp's gguf-py has a script for it).");
    }
    if (version == 1) {
      return unsupported(
          "This is GGUF version 1, which llama.cpp no longer reads: convert the "
          "model again.");
    }
    if (version != 2 && version != 3) {
      return unsupported("This is GGUF version " + std::to_string(version) +
                         "; this version reads 2 and 3.");
    }
    gguf_.version = version;
    cursor_.set_rest(0);
    const std::uint64_t tensors = cursor_.number(8);
    const std::uint64_t keys = cursor_.number(8);
    // Refused before they multiply: each takes more than ten bytes.
    if (tensors > kMostHeaderBytes / 10 || keys > kMostHeaderBytes / 10) {
      return damaged("The header announces " + std::to_string(tensors) + " tensors and " +
                     std::to_string(keys) + " keys, which no file has; it is damaged.");
    }
    for (std::uint64_t i = 0; i < keys && !cursor_.ended(); ++i) {
      cursor_.set_rest((keys - i - 1) * kLeastKeyBytes + tensors * kLeastTensorBytes);
      if (auto error = read_key()) {
        return error;
      }
    }
    if (cursor_.ended()) {
      return std::nullopt;
    }
    if (auto error = read_alignment()) {
      return error;
    }
    for (std::uint64_t i = 0; i < tensors && !cursor_.ended(); ++i) {
      cursor_.set_rest((tensors - i - 1) * kLeastTensorBytes);
      if (auto error = read_tensor()) {
        return error;
      }
    }
    if (cursor_.ended()) {
      return std::nullopt;
    }
    gguf_.header_bytes = round_up(cursor_.at(), gguf_.alignment);
    return refuse_repeated(gguf_.tensors, {});
  }

  Check read_key() {
    const std::string_view name = cursor_.text();
    const std::uint64_t type = cursor_.number(4);
    if (cursor_.ended()) {
      return std::nullopt;
    }
    if (name.empty() || name.size() > kMostNameBytes) {
      return damaged("A metadata key has " + std::to_string(name.size()) +
                     " bytes; the header is damaged.");
    }
    std::string key = json::excerpt(name, kMostNameBytes);
    json::Value value;
    if (type == kArray) {
      if (auto error = read_array(key, value)) {
        return error;
      }
    } else if (type == kString) {
      value = json::excerpt(cursor_.text(), kMostKeptText);
    } else if (type <= kFloat64) {
      value = scalar(static_cast<ValueType>(type));
    } else {
      return damaged("The metadata key \"" + json::excerpt(key, 60) + "\" has the value type " +
                     std::to_string(type) + ", which GGUF does not have; the header is damaged.");
    }
    if (cursor_.ended() || !kept(key, value)) {
      return std::nullopt;
    }
    if (gguf_.metadata.contains(key)) {
      return damaged("The metadata key \"" + json::excerpt(key, 60) + "\" comes twice.");
    }
    gguf_.metadata[std::move(key)] = std::move(value);
    return std::nullopt;
  }

  static bool kept(const std::string& key, const json::Value& value) {
    if (key.starts_with("tokenizer.")) {
      return value.is_object();
    }
    if (key.starts_with("general.")) {
      return std::find(std::begin(kGeneralKept), std::end(kGeneralKept), key) !=
             std::end(kGeneralKept);
    }
    return !key.starts_with("quantize.");
  }

  json::Value scalar(ValueType type) {
    const std::uint64_t size = kScalarBytes[type];
    const std::uint64_t bits = cursor_.number(size);
    if (type == kBool) {
      return bits != 0;
    }
    if (type == kFloat32) {
      const auto narrow = static_cast<std::uint32_t>(bits);
      float value = 0;
      std::memcpy(&value, &narrow, sizeof value);
      return static_cast<double>(value);
    }
    if (type == kFloat64) {
      double value = 0;
      std::memcpy(&value, &bits, sizeof value);
      return value;
    }
    const bool is_signed = type == kInt8 || type == kInt16 || type == kInt32 || type == kInt64;
    const std::uint64_t sign = 1ULL << (8 * size - 1);
    if (is_signed && (bits & sign) != 0) {
      return static_cast<std::int64_t>(bits | ~(sign - 1));
    }
    return bits;
  }

  Check read_array(const std::string& key, json::Value& value) {
    const std::uint64_t type = cursor_.number(4);
    const std::uint64_t count = cursor_.number(8);
    if (cursor_.ended()) {
      return std::nullopt;
    }
    if (type > kFloat64 || type == kArray) {
      return damaged("The metadata key \"" + json::excerpt(key, 60) +
                     (type == kArray ? "\" is an array of arrays, which no engine reads."
                                     : "\" is an array of values of no type that GGUF has; the "
                                       "header is damaged."));
    }
    if (count > kMostHeaderBytes) {
      return damaged("The metadata key \"" + json::excerpt(key, 60) + "\" has " +
                     std::to_string(count) + " values, which no file has; it is damaged.");
    }
    if (type == kString) {
      const std::uint64_t rest = cursor_.rest();
      for (std::uint64_t i = 0; i < count && !cursor_.ended(); ++i) {
        cursor_.set_rest(rest + (count - i - 1) * 8);
        cursor_.text();
      }
      cursor_.set_rest(rest);
    } else if (count <= kMostKeptArray && !key.starts_with("tokenizer.")) {
      value = json::Value::array();
      for (std::uint64_t i = 0; i < count && !cursor_.ended(); ++i) {
        value.push_back(scalar(static_cast<ValueType>(type)));
      }
      return std::nullopt;
    } else {
      cursor_.advance(count * kScalarBytes[type]);
    }
    value = json::Value::object();
    value["array_length"] = count;
    return std::nullopt;
  }

  Check read_alignment() {
    const auto given = gguf_.metadata.find("general.alignment");
    if (given == gguf_.metadata.end()) {
      return std::nullopt;
    }
    const std::uint64_t alignment = given->is_number_unsigned() ? given->get<std::uint64_t>() : 0;
    if (alignment == 0 || alignment > kMostAlignment || (alignment & (alignment - 1)) != 0) {
      return damaged("general.alignment must be a power of two up to 1,048,576.");
    }
    gguf_.alignment = alignment;
    return std::nullopt;
  }

  Check read_tensor() {
    const std::string_view name = cursor_.text();
    const std::uint64_t dimensions = cursor_.number(4);
    if (cursor_.ended()) {
      return std::nullopt;
    }
    if (name.empty() || name.size() > kMostNameBytes) {
      return damaged("A tensor's name has " + std::to_string(name.size()) +
                     " bytes; the header is damaged.");
    }
    if (dimensions > kMostDimensions) {
      return damaged("Tensor \"" + json::excerpt(name, 64) + "\" has " +
                     std::to_string(dimensions) + " dimensions; ggml knows up to 4.");
    }
    std::vector<std::uint64_t> shape;
    for (std::uint64_t i = 0; i < dimensions; ++i) {
      shape.push_back(cursor_.number(8));
    }
    const std::uint64_t id = cursor_.number(4);
    const std::uint64_t offset = cursor_.number(8);
    if (cursor_.ended()) {
      return std::nullopt;
    }
    const GgmlType* type = find_type(id);
    if (type == nullptr) {
      return unknown_type(name, id);
    }
    auto tensor = sized(json::excerpt(name, kMostNameBytes), *type, std::move(shape), {});
    if (!tensor) {
      return tensor.error();
    }
    if (offset != data_end_) {
      return damaged("Tensor \"" + json::excerpt(name, 64) + "\" begins at byte " +
                     std::to_string(offset) + " of the data, and the tensors before it end at " +
                     std::to_string(data_end_) +
                     "; the file is damaged, and llama.cpp refuses it.");
    }
    if (data_end_ > 16 * kMostElements) {
      return damaged("The tensors take more than 10^16 bytes; the header is damaged.");
    }
    data_end_ += round_up(tensor.value().bytes, gguf_.alignment);
    gguf_.tensors.push_back(std::move(tensor.value()));
    return std::nullopt;
  }

  Cursor cursor_;
  Gguf gguf_;
  std::uint64_t data_end_ = 0;
};

std::optional<std::uint64_t> split_number(const Gguf& part, std::string_view key) {
  const auto found = part.metadata.find(key);
  if (found == part.metadata.end() || !found->is_number_unsigned()) {
    return std::nullopt;
  }
  return found->get<std::uint64_t>();
}

Result<Tensor> tensor_of_summary(const json::Value& value, const std::string& path) {
  if (!value.is_object()) {
    return damaged("A tensor must be an object with name, type and shape.", path);
  }
  const auto name = value.find("name");
  const auto type = value.find("type");
  const auto shape = value.find("shape");
  if (name == value.end() || !name->is_string() || type == value.end() || shape == value.end() ||
      !shape->is_array()) {
    return damaged("A tensor must have a name, a type and a shape.", path);
  }
  const GgmlType* known = nullptr;
  if (type->is_string()) {
    known = find_type(std::string_view(type->get_ref<const std::string&>()));
  } else if (type->is_number_unsigned()) {
    known = find_type(type->get<std::uint64_t>());
  }
  if (known == nullptr) {
    if (type->is_number_unsigned()) {
      return unknown_type(name->get_ref<const std::string&>(), type->get<std::uint64_t>(),
                          path + ".type");
    }
    return unsupported("Tensor \"" + json::excerpt(name->get_ref<const std::string&>(), 64) +
                           "\" has a type that is no ggml type this version knows.",
                       path + ".type");
  }
  std::vector<std::uint64_t> lengths;
  for (const json::Value& length : *shape) {
    if (!length.is_number_unsigned()) {
      return damaged("A shape must hold whole numbers.", path + ".shape");
    }
    lengths.push_back(length.get<std::uint64_t>());
  }
  return sized(name->get<std::string>(), *known, std::move(lengths), path);
}

}  // namespace

std::span<const GgmlType> ggml_types() { return kTypes; }

Result<GgufPrefix> read_gguf_header(std::span<const std::byte> bytes) {
  return HeaderReader(bytes).read();
}

Result<Gguf> read_gguf_summary(const json::Value& summary, std::string_view path) {
  const std::string at(path);
  if (!summary.is_object()) {
    return damaged("A GGUF summary must be an object with metadata and tensors.", at);
  }
  const auto metadata = summary.find("metadata");
  const auto tensors = summary.find("tensors");
  if (metadata == summary.end() || !metadata->is_object()) {
    return damaged("metadata must be the object of the GGUF's keys and values.", at + ".metadata");
  }
  if (tensors == summary.end() || !tensors->is_array()) {
    return damaged("tensors must be the list of the GGUF's tensors.", at + ".tensors");
  }
  Gguf gguf;
  gguf.metadata = *metadata;
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    auto tensor = tensor_of_summary((*tensors)[i], at + ".tensors[" + std::to_string(i) + "]");
    if (!tensor) {
      return tensor.error();
    }
    gguf.tensors.push_back(std::move(tensor.value()));
  }
  return gguf;
}

Result<Gguf> merge_gguf(std::vector<Gguf> parts, std::string_view path) {
  if (parts.empty()) {
    return damaged("No GGUF header is given.", path);
  }
  const std::uint64_t count = split_number(parts.front(), "split.count").value_or(1);
  if (count != parts.size() && !(count == 0 && parts.size() == 1)) {
    return Error{"incomplete_checkpoint",
                 count > 1 ? "The GGUF is split into " + std::to_string(count) +
                                 " files, and the headers of " + std::to_string(parts.size()) +
                                 " are given: give all of them."
                           : "Several GGUF headers are given, and they are not the parts of one "
                             "split file.",
                 std::string(path)};
  }
  Gguf merged;
  std::vector<bool> seen(parts.size(), false);
  for (Gguf& part : parts) {
    const std::uint64_t number = split_number(part, "split.no").value_or(0);
    if (split_number(part, "split.count").value_or(1) != count || number >= seen.size() ||
        seen[number]) {
      return damaged("The GGUF headers are not the different parts of one split file.", path);
    }
    seen[number] = true;
    // Only the first part carries the model's metadata.
    if (number == 0) {
      merged.metadata = std::move(part.metadata);
      merged.version = part.version;
    }
    merged.tensors.insert(merged.tensors.end(), std::make_move_iterator(part.tensors.begin()),
                          std::make_move_iterator(part.tensors.end()));
    merged.header_bytes += part.header_bytes;
  }
  merged.files = parts.size();
  const auto expected = split_number(merged, "split.tensors.count");
  if (parts.size() > 1 && expected && *expected != merged.tensors.size()) {
    return damaged("The split GGUF announces " + std::to_string(*expected) + " tensors, and its " +
                       "parts hold " + std::to_string(merged.tensors.size()) + ".",
                   path);
  }
  if (merged.tensors.empty()) {
    return damaged("The GGUF holds no tensors: it is a vocabulary or a list of metadata alone.",
                   path);
  }
  if (auto twice = refuse_repeated(merged.tensors, path)) {
    return *std::move(twice);
  }
  return merged;
}

}  // namespace ridgepoint::checkpoint
