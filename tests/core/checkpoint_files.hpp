#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checkpoint/gguf.hpp"
#include "fixtures.hpp"

/// Headers of checkpoints made byte by byte, and short ways to what is said of them.
namespace checkpoint_files {

using fixtures::Json;
namespace checkpoint = ridgepoint::checkpoint;

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

inline Json read_header(const std::string& bytes) {
  return Json::parse(ridgepoint::api::read_checkpoint_header(bytes_of(bytes)));
}

inline std::string little_endian(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
  }
  return bytes;
}

inline std::string gguf_text(std::string_view text) {
  return little_endian(text.size(), 8) + std::string(text);
}

/// A GGUF header byte by byte, as docs/gguf.md of ggml lays it out.
struct GgufBytes {
  std::uint32_t version = 3;
  std::uint64_t alignment = 32;
  std::uint64_t key_count = 0;
  std::uint64_t tensor_count = 0;
  std::uint64_t data_end = 0;
  std::string keys;
  std::string tensors;

  GgufBytes& raw_key(std::string_view name, std::uint32_t type, const std::string& value) {
    keys += gguf_text(name) + little_endian(type, 4) + value;
    ++key_count;
    return *this;
  }
  GgufBytes& u16(std::string_view name, std::uint64_t value) {
    return raw_key(name, 2, little_endian(value, 2));
  }
  GgufBytes& u32(std::string_view name, std::uint64_t value) {
    return raw_key(name, 4, little_endian(value, 4));
  }
  GgufBytes& text(std::string_view name, std::string_view value) {
    return raw_key(name, 8, gguf_text(value));
  }
  GgufBytes& flag(std::string_view name, bool value) {
    return raw_key(name, 7, little_endian(value ? 1 : 0, 1));
  }
  GgufBytes& f32(std::string_view name, float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, 4);
    return raw_key(name, 6, little_endian(bits, 4));
  }
  GgufBytes& numbers(std::string_view name, const std::vector<std::uint64_t>& list) {
    std::string value = little_endian(4, 4) + little_endian(list.size(), 8);
    for (const std::uint64_t each : list) {
      value += little_endian(each, 4);
    }
    return raw_key(name, 9, value);
  }
  GgufBytes& texts(std::string_view name, const std::vector<std::string>& list) {
    std::string value = little_endian(8, 4) + little_endian(list.size(), 8);
    for (const std::string& each : list) {
      value += gguf_text(each);
    }
    return raw_key(name, 9, value);
  }

  GgufBytes& raw_tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                        std::uint32_t type, std::uint64_t offset) {
    tensors += gguf_text(name) + little_endian(shape.size(), 4);
    for (const std::uint64_t length : shape) {
      tensors += little_endian(length, 8);
    }
    tensors += little_endian(type, 4) + little_endian(offset, 8);
    ++tensor_count;
    return *this;
  }
  GgufBytes& tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                    std::string_view type) {
    for (const checkpoint::GgmlType& known : checkpoint::ggml_types()) {
      if (known.name != type) {
        continue;
      }
      std::uint64_t elements = 1;
      for (const std::uint64_t length : shape) {
        elements *= length;
      }
      raw_tensor(name, shape, known.id, data_end);
      const std::uint64_t bytes = elements / known.block * known.bytes;
      data_end += (bytes + alignment - 1) / alignment * alignment;
      return *this;
    }
    FAIL("no ggml type " << type);
    return *this;
  }

  [[nodiscard]] std::string bytes() const {
    return "GGUF" + little_endian(version, 4) + little_endian(tensor_count, 8) +
           little_endian(key_count, 8) + keys + tensors;
  }
};

/// Layers whose attn_v and ffn_down llama.cpp gives more bits in its "M" mixes.
inline bool more_bits(std::uint64_t layer, std::uint64_t layers) {
  return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

/// Meta-Llama-3-8B as llama.cpp's Q4_K_M has it.
inline GgufBytes llama3_8b() {
  GgufBytes file;
  file.text("general.architecture", "llama")
      .text("general.name", "Meta-Llama-3-8B-Instruct")
      .u32("llama.block_count", 32)
      .u32("llama.context_length", 8192)
      .u32("llama.embedding_length", 4096)
      .u32("llama.feed_forward_length", 14336)
      .u32("llama.attention.head_count", 32)
      .u32("llama.attention.head_count_kv", 8)
      .f32("llama.rope.freq_base", 500000.0F)
      .f32("llama.attention.layer_norm_rms_epsilon", 1e-5F)
      .u32("general.file_type", 15)
      .u32("llama.vocab_size", 128256)
      .u32("llama.rope.dimension_count", 128)
      .text("tokenizer.ggml.model", "gpt2")
      .texts("tokenizer.ggml.tokens", {"!", "\"", "a secret token"})
      .numbers("tokenizer.ggml.token_type", {1, 1, 3})
      .text("tokenizer.chat_template", std::string(500, '{'));
  file.tensor("token_embd.weight", {4096, 128256}, "Q4_K");
  for (std::uint64_t i = 0; i < 32; ++i) {
    const std::string block = "blk." + std::to_string(i) + ".";
    const std::string_view fine = more_bits(i, 32) ? "Q6_K" : "Q4_K";
    file.tensor(block + "attn_norm.weight", {4096}, "F32")
        .tensor(block + "ffn_down.weight", {14336, 4096}, fine)
        .tensor(block + "ffn_gate.weight", {4096, 14336}, "Q4_K")
        .tensor(block + "ffn_up.weight", {4096, 14336}, "Q4_K")
        .tensor(block + "ffn_norm.weight", {4096}, "F32")
        .tensor(block + "attn_k.weight", {4096, 1024}, "Q4_K")
        .tensor(block + "attn_output.weight", {4096, 4096}, "Q4_K")
        .tensor(block + "attn_q.weight", {4096, 4096}, "Q4_K")
        .tensor(block + "attn_v.weight", {4096, 1024}, fine);
  }
  file.tensor("output_norm.weight", {4096}, "F32");
  file.tensor("output.weight", {4096, 128256}, "Q6_K");
  return file;
}

inline GgufBytes tiny() {
  GgufBytes file;
  file.text("general.architecture", "llama").u32("llama.block_count", 1);
  file.tensor("token_embd.weight", {32, 4}, "Q8_0").tensor("output_norm.weight", {32}, "F32");
  return file;
}

/// "code: message" of what a header is refused with.
inline std::string refusal(const std::string& bytes) {
  const Json answer = read_header(bytes);
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() + ": " +
                                        answer["error"]["message"].get<std::string>()
                                  : "accepted: " + answer.dump().substr(0, 200);
}

using Catch::Matchers::Contains;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

/// A request without a config, whose weights are told by `tensors`.
inline Json request_of(const Json& tensors) {
  Json request = fixtures::request();
  request["model"] = {{"tensors", tensors}};
  return request;
}

/// The default request (Meta-Llama-3-8B by its config) with `tensors`.
inline Json request_with(const Json& tensors) {
  Json request = fixtures::request();
  request["model"]["tensors"] = tensors;
  return request;
}

inline std::string outcome(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() + " at " +
                                        answer["error"]["path"].get<std::string>()
                                  : "a report";
}

inline bool noted(const Json& answer, std::string_view part) {
  for (const Json& note : answer["model"]["notes"]) {
    if (note.get<std::string>().find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace checkpoint_files
