#include <algorithm>
#include <nlohmann/json.hpp>

#include "api/api.hpp"
#include "api/report.hpp"
#include "checkpoint/gguf.hpp"
#include "checkpoint/safetensors.hpp"
#include "json/writer.hpp"

namespace ridgepoint::api {
namespace {

/// Files that are often taken for a checkpoint, by the bytes they begin with.
struct OtherFormat {
  std::string_view magic;
  std::string_view message;
};

constexpr OtherFormat kOtherFormats[] = {
    {"PK\x03\x04",
     "This is a PyTorch .bin or .pt checkpoint, whose sizes lie inside pickled code that is not "
     "run here: give the model's .safetensors file or its index."},
    {"version https://git-lfs",
     "This is a Git LFS pointer and not the file itself: fetch the file with git lfs pull."},
    {"<", "This is a web page and not a checkpoint: give the address of the file itself."},
    {"tjgg", "This is a checkpoint of the years before GGUF (ggml): convert the model again."},
    {"fmgg", "This is a checkpoint of the years before GGUF (ggml): convert the model again."},
    {"lmgg", "This is a checkpoint of the years before GGUF (ggml): convert the model again."},
    {"{",
     "This is JSON and not a checkpoint: give a model.safetensors.index.json as text, and a "
     "config.json as the model."},
};

std::string need(std::uint64_t bytes) {
  json::Writer out;
  out.begin_object();
  out.member("need_bytes", bytes);
  out.end_object();
  return out.take();
}

std::string summary(const checkpoint::Gguf& gguf) {
  json::Writer out;
  out.begin_object();
  out.key("gguf");
  out.begin_object();
  out.member("version", gguf.version);
  out.member("header_bytes", gguf.header_bytes);
  out.member("metadata", gguf.metadata);
  out.key("tensors");
  out.begin_array();
  for (const checkpoint::Tensor& tensor : gguf.tensors) {
    out.begin_object();
    out.member("name", tensor.name);
    out.member("type", tensor.dtype);
    out.key("shape");
    out.begin_array();
    for (const std::uint64_t length : tensor.shape) {
      out.value(length);
    }
    out.end_array();
    out.end_object();
  }
  out.end_array();
  out.end_object();
  out.end_object();
  return out.take();
}

std::string gguf_header(std::span<const std::byte> bytes) {
  const auto prefix = checkpoint::read_gguf_header(bytes);
  if (!prefix) {
    return write_error(prefix.error(), {});
  }
  return prefix->need_bytes != 0 ? need(prefix->need_bytes) : summary(prefix->gguf);
}

std::string safetensors_header(std::span<const std::byte> bytes) {
  const auto prefix = checkpoint::find_safetensors_header(bytes);
  if (!prefix) {
    return write_error(prefix.error(), {});
  }
  if (prefix->need_bytes != 0) {
    return need(prefix->need_bytes);
  }
  const auto header = json::parse(prefix->text, {});
  if (!header) {
    return write_error(
        {"bad_header", "The safetensors header is not JSON; the file is damaged.", ""}, {});
  }
  const auto tensors = checkpoint::read_safetensors_header(*header, {});
  if (!tensors) {
    return write_error(tensors.error(), {});
  }
  json::Writer out;
  out.begin_object();
  out.member("header", *header);
  out.end_object();
  return out.take();
}

}  // namespace

std::string read_checkpoint_header(std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  constexpr std::string_view kGguf = "GGUF";
  if (text.starts_with(kGguf)) {
    return gguf_header(bytes);
  }
  // The length of a safetensors header may begin with any byte; its ninth byte is a brace.
  const bool undecided = text.size() < 9 || (text[8] == '{' && text[7] == '\0');
  for (const OtherFormat& other : kOtherFormats) {
    if (!undecided && text.starts_with(other.magic)) {
      return write_error({"not_a_checkpoint", std::string(other.message), ""}, {});
    }
  }
  return safetensors_header(bytes);
}

}  // namespace ridgepoint::api
