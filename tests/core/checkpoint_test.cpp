#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint/gguf.hpp"
#include "checkpoint/gguf_config.hpp"
#include "checkpoint/safetensors.hpp"
#include "checkpoint/source.hpp"
#include "fixtures.hpp"

using fixtures::answer;
using fixtures::Json;
namespace checkpoint = ridgepoint::checkpoint;

namespace {

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

Json read_header(const std::string& bytes) {
  return Json::parse(ridgepoint::api::read_checkpoint_header(bytes_of(bytes)));
}

std::string little_endian(std::uint64_t value, int size) {
  std::string bytes;
  for (int i = 0; i < size; ++i) {
    bytes += static_cast<char>((value >> (8 * i)) & 0xFF);
  }
  return bytes;
}

std::string gguf_text(std::string_view text) {
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
bool more_bits(std::uint64_t layer, std::uint64_t layers) {
  return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

/// Meta-Llama-3-8B as llama.cpp's Q4_K_M has it.
GgufBytes llama3_8b() {
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

GgufBytes tiny() {
  GgufBytes file;
  file.text("general.architecture", "llama").u32("llama.block_count", 1);
  file.tensor("token_embd.weight", {32, 4}, "Q8_0").tensor("output_norm.weight", {32}, "F32");
  return file;
}

/// "code: message" of what a header is refused with.
std::string refusal(const std::string& bytes) {
  const Json answer = read_header(bytes);
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() + ": " +
                                        answer["error"]["message"].get<std::string>()
                                  : "accepted: " + answer.dump().substr(0, 200);
}

using Catch::Matchers::Contains;
using Catch::Matchers::Equals;
using Catch::Matchers::StartsWith;

/// A request without a config, whose weights are told by `tensors`.
Json request_of(const Json& tensors) {
  Json request = fixtures::request();
  request["model"] = {{"tensors", tensors}};
  return request;
}

/// The default request (Meta-Llama-3-8B by its config) with `tensors`.
Json request_with(const Json& tensors) {
  Json request = fixtures::request();
  request["model"]["tensors"] = tensors;
  return request;
}

std::string outcome(const Json& answer) {
  return answer.contains("error") ? answer["error"]["code"].get<std::string>() + " at " +
                                        answer["error"]["path"].get<std::string>()
                                  : "a report";
}

bool noted(const Json& answer, std::string_view part) {
  for (const Json& note : answer["model"]["notes"]) {
    if (note.get<std::string>().find(part) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

// GGUF -------------------------------------------------------------------------------------------

TEST_CASE("ggml types have the bits per weight that ggml-common.h gives their blocks") {
  // sizeof(block_*) x 8 / QK, as ggml-common.h asserts.
  const std::vector<std::pair<std::string_view, double>> published = {
      {"F32", 32},       {"F16", 16},         {"BF16", 16},        {"F64", 64},
      {"I8", 8},         {"I16", 16},         {"I32", 32},         {"I64", 64},
      {"Q4_0", 4.5},     {"Q4_1", 5},         {"Q5_0", 5.5},       {"Q5_1", 6},
      {"Q8_0", 8.5},     {"Q8_1", 9},         {"Q2_K", 2.625},     {"Q3_K", 3.4375},
      {"Q4_K", 4.5},     {"Q5_K", 5.5},       {"Q6_K", 6.5625},    {"Q8_K", 9.125},
      {"IQ1_S", 1.5625}, {"IQ1_M", 1.75},     {"IQ2_XXS", 2.0625}, {"IQ2_XS", 2.3125},
      {"IQ2_S", 2.5625}, {"IQ3_XXS", 3.0625}, {"IQ3_S", 3.4375},   {"IQ4_NL", 4.5},
      {"IQ4_XS", 4.25},  {"TQ1_0", 1.6875},   {"TQ2_0", 2.0625},   {"MXFP4", 4.25},
      {"NVFP4", 4.5},    {"Q1_0", 1.125},     {"Q2_0", 2.25},
  };
  CHECK(checkpoint::ggml_types().size() == published.size());
  for (const auto& [name, bits] : published) {
    const auto types = checkpoint::ggml_types();
    const auto found = std::find_if(types.begin(), types.end(),
                                    [name = name](const auto& type) { return type.name == name; });
    REQUIRE(found != types.end());
    INFO(name);
    CHECK(8.0 * static_cast<double>(found->bytes) / static_cast<double>(found->block) == bits);
  }
}

TEST_CASE("ggml types have the numbers of ggml.h") {
  const std::vector<std::pair<std::string_view, std::uint32_t>> numbers = {
      {"F32", 0},     {"F16", 1},      {"Q4_0", 2},   {"Q4_1", 3},    {"Q5_0", 6},
      {"Q5_1", 7},    {"Q8_0", 8},     {"Q8_1", 9},   {"Q2_K", 10},   {"Q3_K", 11},
      {"Q4_K", 12},   {"Q5_K", 13},    {"Q6_K", 14},  {"Q8_K", 15},   {"IQ2_XXS", 16},
      {"IQ2_XS", 17}, {"IQ3_XXS", 18}, {"IQ1_S", 19}, {"IQ4_NL", 20}, {"IQ3_S", 21},
      {"IQ2_S", 22},  {"IQ4_XS", 23},  {"I8", 24},    {"I16", 25},    {"I32", 26},
      {"I64", 27},    {"F64", 28},     {"IQ1_M", 29}, {"BF16", 30},   {"TQ1_0", 34},
      {"TQ2_0", 35},  {"MXFP4", 39},   {"NVFP4", 40}, {"Q1_0", 41},   {"Q2_0", 42},
  };
  for (const checkpoint::GgmlType& type : checkpoint::ggml_types()) {
    const auto found = std::find_if(numbers.begin(), numbers.end(),
                                    [&](const auto& entry) { return entry.first == type.name; });
    REQUIRE(found != numbers.end());
    INFO(type.name);
    CHECK(found->second == type.id);
  }
}

TEST_CASE("Meta-Llama-3-8B in Q4_K_M has its published size") {
  const Json header = read_header(llama3_8b().bytes());
  const auto source = checkpoint::read_tensors_source(header, "t");
  if (!source) {
    FAIL(source.error().message);
  }
  const checkpoint::Checkpoint& files = source->checkpoint;
  // llama.cpp: "CPU_Mapped model buffer size = 4685.30 MiB" and "8.03 B" parameters, 4.89 BPW.
  CHECK(files.elements == 8030261248U);
  CHECK(static_cast<double>(*files.total_bytes) / 1048576.0 == Approx(4685.30).margin(0.005));
  CHECK(8.0 * static_cast<double>(*files.total_bytes) / 8030261248.0 == Approx(4.89).margin(0.005));
  // bartowski/Meta-Llama-3-8B-Instruct-GGUF: the file of 4,920,734,272 bytes has the tokenizer and
  // other metadata before the data, which begin at a multiple of 32.
  const std::uint64_t before = 4920734272U - *files.total_bytes;
  CHECK(before % 32 == 0);
  CHECK(before > 7'000'000);
  CHECK(before < 8'500'000);
  REQUIRE(files.tensors.size() == 291);
  REQUIRE(files.bytes_by_dtype.size() == 3);
  CHECK(files.bytes_by_dtype[0].first == "Q4_K");
  CHECK(files.bytes_by_dtype[1].first == "Q6_K");
  CHECK(files.bytes_by_dtype[2] == std::pair<std::string_view, std::uint64_t>("F32", 1064960));
}

TEST_CASE("a GGUF alone is a model, and the report says where its weights' size is from") {
  const Json header = read_header(llama3_8b().bytes());
  const Json report = answer(request_of(header));
  REQUIRE(outcome(report) == "a report");
  const Json same = answer(fixtures::request());
  const Json& model = report["model"];
  CHECK(model["weights_source"] == "gguf");
  CHECK(model["stored_parameters"] == 8030261248U);
  CHECK(model["checkpoint_bytes"] == 4912898048U);
  CHECK(model["quantization"] == "gguf");
  CHECK_THAT(model["weight_format"].get<std::string>(), Equals("GGUF, 74 % Q4_K, 26 % Q6_K"));
  CHECK(model["parameters"] == same["model"]["parameters"]);
  CHECK(model["layers"] == same["model"]["layers"]);
  CHECK(model["max_context"] == 8192);
  CHECK(report["cache"]["bytes_per_token"] == same["cache"]["bytes_per_token"]);
  CHECK(noted(report, "Sizes from the metadata of the GGUF"));
  CHECK(noted(report, "GGUF header (291 tensors: "));
  CHECK(noted(report, "At 16 bits the config makes it 14.958 GiB."));
  // The engine's own copy is as much smaller as the file is.
  const double ratio = report["memory"]["per_gpu"]["weights"]["best"].get<double>() /
                       same["memory"]["per_gpu"]["weights"]["best"].get<double>();
  CHECK(ratio == Approx(4912898048.0 / 16060522496.0).epsilon(0.002));
}

TEST_CASE("a config given beside a GGUF counts, and its quantisation does not") {
  Json request = request_with(read_header(llama3_8b().bytes()));
  request["model"]["config"] = fixtures::config("Qwen--Qwen3-8B-FP8");
  const Json report = answer(request);
  REQUIRE(outcome(report) == "a report");
  CHECK(report["model"]["architecture"] == "Qwen3ForCausalLM");
  CHECK(report["model"]["quantization"] == "gguf");
  CHECK(report["model"]["checkpoint_bytes"] == 4912898048U);
  CHECK_FALSE(noted(report, "Sizes from the metadata"));
}

TEST_CASE("a GGUF summary leaves the tokenizer out and keeps what a model needs") {
  const std::string text = ridgepoint::api::read_checkpoint_header(bytes_of(llama3_8b().bytes()));
  CHECK(text.find("a secret token") == std::string::npos);
  CHECK(text.find("{{{{") == std::string::npos);
  CHECK(text.size() < 30000);
  const Json gguf = Json::parse(text)["gguf"];
  CHECK(gguf["version"] == 3);
  const Json& metadata = gguf["metadata"];
  CHECK(metadata["tokenizer.ggml.tokens"] == Json({{"array_length", 3}}));
  CHECK(metadata["tokenizer.ggml.token_type"] == Json({{"array_length", 3}}));
  CHECK_FALSE(metadata.contains("tokenizer.chat_template"));
  CHECK(metadata["llama.block_count"] == 32);
  CHECK(metadata["llama.rope.freq_base"] == 500000.0);
  CHECK(gguf["tensors"].size() == 291);
  CHECK(gguf["tensors"][0] ==
        Json({{"name", "token_embd.weight"}, {"type", "Q4_K"}, {"shape", {4096, 128256}}}));
}

TEST_CASE("GGUF values of every type are read") {
  GgufBytes file = tiny();
  file.raw_key("a.i8", 1, little_endian(0xFF, 1))
      .raw_key("a.u8", 0, little_endian(0xFF, 1))
      .raw_key("a.i16", 3, little_endian(0x8000, 2))
      .raw_key("a.i32", 5, little_endian(7, 4))
      .raw_key("a.u64", 10, little_endian(1ULL << 40U, 8))
      .raw_key("a.i64", 11, little_endian(~0ULL, 8))
      .raw_key("a.f64", 12, little_endian(0x3FF8000000000000ULL, 8))
      .flag("a.yes", true)
      .numbers("a.list", {3, 0, 5})
      .raw_key("a.flags", 9, little_endian(7, 4) + little_endian(2, 8) + little_endian(1, 2));
  const Json metadata = read_header(file.bytes())["gguf"]["metadata"];
  CHECK(metadata["a.i8"] == -1);
  CHECK(metadata["a.u8"] == 255);
  CHECK(metadata["a.i16"] == -32768);
  CHECK(metadata["a.i32"] == 7);
  CHECK(metadata["a.u64"] == 1ULL << 40U);
  CHECK(metadata["a.i64"] == -1);
  CHECK(metadata["a.f64"] == 1.5);
  CHECK(metadata["a.yes"] == true);
  CHECK(metadata["a.list"] == Json({3, 0, 5}));
  CHECK(metadata["a.flags"] == Json({true, false}));
}

TEST_CASE("a GGUF cut off at any byte asks for more, and never for more than there is") {
  GgufBytes file = tiny();
  file.texts("tokenizer.ggml.tokens", {"a", "bc", "", "def"}).numbers("llama.list", {1, 2});
  const std::string whole = file.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Json part = read_header(whole.substr(0, size));
    INFO(size << " of " << whole.size() << ": " << part.dump());
    REQUIRE(part.contains("need_bytes"));
    CHECK(part["need_bytes"] > size);
    CHECK(part["need_bytes"] <= whole.size());
  }
  CHECK(read_header(whole).contains("gguf"));
  CHECK(read_header(whole + "and the data").contains("gguf"));
}

TEST_CASE("a GGUF that asks for more names what its lengths already tell") {
  GgufBytes file;
  file.texts("tokenizer.ggml.tokens", std::vector<std::string>(1000, "token"));
  const std::string whole = file.bytes();
  // After a length of a thousand strings, at least their own lengths must follow.
  const Json part = read_header(whole.substr(0, 80));
  CHECK(part["need_bytes"] > 8000);
  CHECK(part["need_bytes"] <= whole.size());
}

TEST_CASE("GGUF files that are not read are refused by what they are") {
  GgufBytes old = tiny();
  old.version = 1;
  CHECK_THAT(refusal(old.bytes()), StartsWith("unsupported_gguf:") && Contains("version 1"));
  GgufBytes big = tiny();
  big.version = 0x03000000;
  CHECK_THAT(refusal(big.bytes()), StartsWith("unsupported_gguf:") && Contains("big-endian"));
  GgufBytes later = tiny();
  later.version = 4;
  CHECK_THAT(refusal(later.bytes()), StartsWith("unsupported_gguf:") && Contains("version 4"));
  GgufBytes two = tiny();
  two.version = 2;
  CHECK(read_header(two.bytes()).contains("gguf"));

  GgufBytes removed = tiny();
  removed.raw_tensor("x", {256}, 31, removed.data_end);
  CHECK_THAT(refusal(removed.bytes()), StartsWith("unsupported_gguf:") && Contains("removed"));
  GgufBytes fork = tiny();
  fork.raw_tensor("x", {256}, 144, fork.data_end);
  CHECK_THAT(refusal(fork.bytes()), StartsWith("unsupported_gguf:") && Contains("144"));
}

TEST_CASE("damaged GGUF headers are refused") {
  const auto changed = [](const std::function<void(GgufBytes&)>& change) {
    GgufBytes file = tiny();
    change(file);
    return refusal(file.bytes());
  };
  CHECK_THAT(changed([](GgufBytes& f) { f.u32("llama.block_count", 2); }), Contains("twice"));
  CHECK_THAT(changed([](GgufBytes& f) { f.tensor("output_norm.weight", {32}, "F32"); }),
             Contains("twice"));
  CHECK_THAT(changed([](GgufBytes& f) { f.raw_key("x", 13, ""); }), Contains("value type 13"));
  CHECK_THAT(
      changed([](GgufBytes& f) { f.raw_key("x", 9, little_endian(9, 4) + little_endian(1, 8)); }),
      Contains("array of arrays"));
  CHECK_THAT(
      changed([](GgufBytes& f) { f.raw_key("x", 9, little_endian(40, 4) + little_endian(1, 8)); }),
      Contains("no type that GGUF has"));
  CHECK_THAT(changed([](GgufBytes& f) {
               f.raw_key("x", 9, little_endian(4, 4) + little_endian(~0ULL, 8));
             }),
             StartsWith("bad_header:") && Contains("which no file has"));
  CHECK_THAT(changed([](GgufBytes& f) { f.raw_key("x", 8, little_endian(~0ULL, 8)); }),
             StartsWith("bad_header:") && Contains("none is longer than 256 MiB"));
  CHECK_THAT(changed([](GgufBytes& f) { f.raw_key("", 4, little_endian(1, 4)); }),
             StartsWith("bad_header:"));
  CHECK_THAT(changed([](GgufBytes& f) { f.u32("general.alignment", 48); }), Contains("alignment"));
  CHECK_THAT(changed([](GgufBytes& f) { f.u32("general.alignment", 0); }), Contains("alignment"));
  CHECK_THAT(changed([](GgufBytes& f) {
               f.raw_tensor("x", {1, 1, 1, 1, 1}, 0, f.data_end);
             }),
             Contains("5 dimensions"));
  CHECK_THAT(changed([](GgufBytes& f) { f.raw_tensor("x", {32}, 0, f.data_end + 32); }),
             Contains("begins at byte"));
  CHECK_THAT(changed([](GgufBytes& f) { f.raw_tensor("x", {33}, 8, f.data_end); }),
             Contains("blocks of 32"));
  CHECK_THAT(changed([](GgufBytes& f) {
               f.raw_tensor("x", {1ULL << 32U, 1ULL << 32U, 4}, 0, f.data_end);
             }),
             Contains("10^15"));
  CHECK_THAT(changed([](GgufBytes& f) { f.tensor_count = 1ULL << 60U; }),
             StartsWith("bad_header:") && Contains("which no file has"));
  CHECK_THAT(changed([](GgufBytes& f) { f.key_count = ~0ULL; }),
             StartsWith("bad_header:") && Contains("which no file has"));
}

TEST_CASE("other alignments move the data") {
  GgufBytes file;
  file.alignment = 4096;
  file.u32("general.alignment", 4096);
  file.tensor("a", {1}, "F32").tensor("b", {1}, "F32");
  const Json gguf = read_header(file.bytes())["gguf"];
  CHECK(gguf["header_bytes"] == 4096);
  CHECK(gguf["tensors"].size() == 2);
}

TEST_CASE("bytes that are no checkpoint are named") {
  CHECK_THAT(refusal(std::string("PK\x03\x04") + std::string(60, 'x')), Contains("PyTorch"));
  CHECK_THAT(refusal("version https://git-lfs.github.com/spec/v1"), Contains("Git LFS"));
  CHECK_THAT(refusal("<!doctype html><html>"), Contains("web page"));
  CHECK_THAT(refusal(R"({"metadata": {"total_size": 1}})"), Contains("JSON"));
  CHECK_THAT(refusal("tjgg" + std::string(60, '\1')), Contains("before GGUF"));
  CHECK_THAT(refusal(std::string(64, '\1')), StartsWith("bad_header:"));
}

TEST_CASE("the parts of a split GGUF are one model") {
  const GgufBytes whole = llama3_8b();
  GgufBytes first = whole;
  first.tensors.clear();
  first.tensor_count = 0;
  first.u16("split.no", 0).u16("split.count", 2).u32("split.tensors.count", 2);
  first.data_end = 0;
  first.tensor("token_embd.weight", {4096, 128256}, "Q4_K");
  GgufBytes second;
  second.u16("split.no", 1).u16("split.count", 2).u32("split.tensors.count", 2);
  second.tensor("output.weight", {4096, 128256}, "Q6_K");
  const Json a = read_header(first.bytes())["gguf"];
  const Json b = read_header(second.bytes())["gguf"];
  const Json report = answer(request_of({{"gguf", {b, a}}}));
  REQUIRE(outcome(report) == "a report");
  CHECK(report["model"]["checkpoint_bytes"] == 128256ULL * 16 * (144 + 210));
  CHECK(noted(report, "GGUF headers of 2 files (2 tensors"));

  CHECK(outcome(answer(request_of({{"gguf", a}}))) ==
        "incomplete_checkpoint at model.tensors.gguf");
  CHECK(outcome(answer(request_of({{"gguf", {a, a}}}))) == "bad_header at model.tensors.gguf");
  Json other = b;
  other["metadata"]["split.tensors.count"] = 3;
  Json short_of = a;
  short_of["metadata"]["split.tensors.count"] = 3;
  CHECK(outcome(answer(request_of({{"gguf", {short_of, other}}}))) ==
        "bad_header at model.tensors.gguf");
  const Json single = read_header(whole.bytes())["gguf"];
  CHECK(outcome(answer(request_of({{"gguf", {single, single}}}))) ==
        "incomplete_checkpoint at model.tensors.gguf");
}

TEST_CASE("GGUF summaries that were changed are refused at their place") {
  const Json whole = read_header(llama3_8b().bytes());
  const auto changed = [&](const char* place, const Json& value) {
    Json header = whole;
    header[Json::json_pointer(place)] = value;
    return outcome(answer(request_of(header)));
  };
  CHECK(changed("/gguf", 3) == "bad_header at model.tensors.gguf");
  CHECK(changed("/gguf/metadata", 3) == "bad_header at model.tensors.gguf.metadata");
  CHECK(changed("/gguf/tensors", 3) == "bad_header at model.tensors.gguf.tensors");
  CHECK(changed("/gguf/tensors", Json::array()) == "bad_header at model.tensors.gguf");
  CHECK(changed("/gguf/tensors/5", "x") == "bad_header at model.tensors.gguf.tensors[5]");
  CHECK(changed("/gguf/tensors/5/type", "Q9_9") ==
        "unsupported_gguf at model.tensors.gguf.tensors[5].type");
  CHECK(changed("/gguf/tensors/5/shape", {-1}) ==
        "bad_header at model.tensors.gguf.tensors[5].shape");
  CHECK(changed("/gguf/tensors/5/shape", {4294967296, 4294967296}) ==
        "bad_header at model.tensors.gguf.tensors[5]");
  CHECK(changed("/gguf/metadata/llama.block_count", "many") ==
        "bad_value at model.tensors.gguf.metadata.llama.block_count");
  CHECK(changed("/gguf/metadata/llama.block_count", nullptr) ==
        "missing_field at model.tensors.gguf.metadata.llama.block_count");
  CHECK(changed("/gguf/metadata/llama.attention.head_count_kv", -8) ==
        "bad_value at model.tensors.gguf.metadata.llama.attention.head_count_kv");
  CHECK(changed("/gguf/metadata/general.architecture", "rwkv9") ==
        "unknown_architecture at model.tensors.gguf.metadata.general.architecture");
  CHECK(changed("/gguf/metadata/general.architecture", 3) ==
        "bad_value at model.tensors.gguf.metadata.general.architecture");
  CHECK(changed("/gguf/metadata/general.architecture", nullptr) ==
        "missing_field at model.tensors.gguf.metadata.general.architecture");
  CHECK(changed("/gguf/metadata/general.type", "adapter") ==
        "not_a_model at model.tensors.gguf.metadata");
  CHECK(changed("/gguf/metadata/general.architecture", "clip") ==
        "not_a_model at model.tensors.gguf.metadata");
  // What the config's own reader refuses is said of the metadata it came from.
  CHECK(changed("/gguf/metadata/llama.attention.head_count", 7) ==
        "bad_value at model.tensors.gguf.metadata");
  const Json error = answer(request_of([&] {
    Json header = whole;
    header["gguf"]["metadata"]["llama.attention.head_count"] = 7;
    return header;
  }()));
  CHECK_THAT(error["error"]["message"].get<std::string>(), StartsWith("By the metadata"));
}

// The config in a GGUF --------------------------------------------------------------------------

namespace {

/// The config of a GGUF with these keys below the architecture's name and these tensors.
Json config_of(const std::string& arch, const Json& keys,
               const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& tensors) {
  Json metadata = {{"general.architecture", arch}};
  for (const auto& item : keys.items()) {
    metadata[arch + "." + item.key()] = item.value();
  }
  Json list = Json::array();
  for (const auto& [name, shape] : tensors) {
    list.push_back({{"name", name}, {"type", "F16"}, {"shape", shape}});
  }
  const Json summary = fixtures::parsed({{"metadata", metadata}, {"tensors", list}});
  const auto gguf = checkpoint::read_gguf_summary(summary, "g");
  if (!gguf) {
    FAIL(gguf.error().message);
  }
  const auto config = checkpoint::gguf_config(*gguf, "g");
  if (!config) {
    return {{"error", config.error().code + " at " + config.error().path}};
  }
  return *config;
}

/// The members of `config` that `expected` has.
Json part_of(const Json& config, const Json& expected) {
  Json part = Json::object();
  for (const auto& item : expected.items()) {
    part[item.key()] = config.contains(item.key()) ? config[item.key()] : Json("absent");
  }
  return part;
}

const Json kSizes = {
    {"block_count", 4},          {"embedding_length", 256},      {"feed_forward_length", 512},
    {"attention.head_count", 8}, {"attention.head_count_kv", 2}, {"context_length", 4096},
    {"vocab_size", 1000}};

Json sizes_and(const Json& more) {
  Json keys = kSizes;
  keys.update(more);
  return keys;
}

void check_config(const std::string& arch, const Json& keys, const Json& expected,
                  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors = {}) {
  tensors.push_back({"token_embd.weight", {256, 1000}});
  const Json config = config_of(arch, keys, tensors);
  INFO(arch << ": " << config.dump());
  CHECK(part_of(config, expected) == expected);
}

}  // namespace

TEST_CASE("GGUF keys become those of config.json") {
  check_config("llama", sizes_and({{"rope.freq_base", 10000.0}, {"attention.key_length", 64}}),
               {{"architectures", {"LlamaForCausalLM"}},
                {"model_type", "llama"},
                {"hidden_size", 256},
                {"intermediate_size", 512},
                {"num_hidden_layers", 4},
                {"num_attention_heads", 8},
                {"num_key_value_heads", 2},
                {"head_dim", 64},
                {"max_position_embeddings", 4096},
                {"vocab_size", 1000},
                {"rope_theta", 10000.0},
                {"tie_word_embeddings", true},
                {"attention_bias", false}});
  check_config("llama", kSizes,
               {{"tie_word_embeddings", false}, {"attention_bias", true}, {"mlp_bias", true}},
               {{"output.weight", {256, 1000}},
                {"blk.0.attn_q.bias", {256}},
                {"blk.0.attn_output.bias", {256}},
                {"blk.0.ffn_up.bias", {512}}});
  check_config(
      "llama",
      sizes_and({{"rope.scaling.type", "yarn"},
                 {"rope.scaling.factor", 4.0},
                 {"rope.scaling.original_context_length", 1024}}),
      {{"rope_scaling",
        {{"rope_type", "yarn"}, {"factor", 4.0}, {"original_max_position_embeddings", 1024}}}});
}

TEST_CASE("the vocabulary of a GGUF is told by a key, the token list or the table") {
  Json keys = kSizes;
  keys.erase("vocab_size");
  const Json config = config_of("llama", keys, {{"token_embd.weight", {256, 777}}});
  CHECK(config["vocab_size"] == 777);
  CHECK(config_of("llama", sizes_and({{"vocab_size", 900}}), {})["vocab_size"] == 900);
  Json metadata = {{"general.architecture", "llama"},
                   {"llama.block_count", 1},
                   {"tokenizer.ggml.tokens", {{"array_length", 555}}}};
  const Json summary = fixtures::parsed(
      {{"metadata", metadata}, {"tensors", {{{"name", "a"}, {"type", "F16"}, {"shape", {1}}}}}});
  const auto gguf = checkpoint::read_gguf_summary(summary, "g");
  REQUIRE(gguf);
  const auto read = checkpoint::gguf_config(*gguf, "g");
  REQUIRE(read);
  CHECK((*read)["vocab_size"] == 555);
}

TEST_CASE("experts of a GGUF have the names of each family") {
  const Json experts = sizes_and({{"expert_count", 16},
                                  {"expert_used_count", 2},
                                  {"expert_feed_forward_length", 128},
                                  {"expert_shared_feed_forward_length", 64},
                                  {"expert_shared_count", 1},
                                  {"leading_dense_block_count", 1}});
  check_config("llama", experts,
               {{"architectures", {"MixtralForCausalLM"}},
                {"model_type", "mixtral"},
                {"num_local_experts", 16},
                {"num_experts_per_tok", 2},
                {"intermediate_size", 512}});
  check_config("qwen2moe", experts,
               {{"num_experts", 16},
                {"moe_intermediate_size", 128},
                {"shared_expert_intermediate_size", 64},
                {"intermediate_size", 512}});
  check_config("gpt-oss", experts, {{"num_local_experts", 16}, {"intermediate_size", 128}});
  check_config("glm4moe", experts,
               {{"n_routed_experts", 16},
                {"n_shared_experts", 1},
                {"first_k_dense_replace", 1},
                {"moe_intermediate_size", 128}});
  check_config("llama4", experts,
               {{"num_local_experts", 16},
                {"intermediate_size", 128},
                {"intermediate_size_mlp", 512},
                {"attention_chunk_size", 8192}});
  check_config("ernie4_5-moe", experts, {{"moe_num_experts", 16}, {"moe_k", 2}});
  check_config("hunyuan-moe", experts, {{"num_experts", 16}, {"moe_topk", 2}});
  check_config("bailingmoe", experts, {{"num_experts", 16}, {"num_shared_experts", 1}});
  check_config("granitemoe", experts,
               {{"architectures", {"GraniteMoeSharedForCausalLM"}},
                {"num_local_experts", 16},
                {"shared_intermediate_size", 64}});
}

TEST_CASE("latent attention of a GGUF is the same in its older and its newer form") {
  const Json expected = {{"kv_lora_rank", 512},      {"qk_nope_head_dim", 128},
                         {"qk_rope_head_dim", 64},   {"v_head_dim", 128},
                         {"num_key_value_heads", 8}, {"q_lora_rank", 1536}};
  const Json shared = {{"attention.kv_lora_rank", 512},
                       {"attention.q_lora_rank", 1536},
                       {"rope.dimension_count", 64}};
  Json newer = sizes_and(shared);
  newer.update({{"attention.head_count_kv", 1},
                {"attention.key_length", 576},
                {"attention.value_length", 512},
                {"attention.key_length_mla", 192},
                {"attention.value_length_mla", 128}});
  check_config("deepseek2", newer, expected);
  Json older = sizes_and(shared);
  older.update({{"attention.key_length", 192}, {"attention.value_length", 128}});
  check_config("deepseek2", older, expected);
  newer.update({{"expert_gating_func", 2}});
  check_config("deepseek2", newer,
               {{"architectures", {"DeepseekV3ForCausalLM"}}, {"topk_method", "noaux_tc"}},
               {{"blk.3.exp_probs_b.bias", {16}}});
  older.erase("rope.dimension_count");
  check_config("deepseek2", older,
               {{"error", "missing_field at g.metadata.deepseek2.attention.key_length"}});
}

TEST_CASE("windows of a GGUF are on the layers where llama.cpp has them") {
  const Json window = sizes_and({{"attention.sliding_window", 128}});
  const std::string full = "full_attention";
  const std::string sliding = "sliding_attention";
  check_config("gpt-oss", window,
               {{"sliding_window", 128}, {"layer_types", {sliding, full, sliding, full}}});
  check_config("cohere2", window, {{"layer_types", {sliding, sliding, sliding, full}}});
  check_config("gemma3", sizes_and({{"attention.sliding_window", 512}, {"block_count", 7}}),
               {{"layer_types", {sliding, sliding, sliding, sliding, sliding, full, sliding}}});
  check_config("gemma3",
               sizes_and({{"attention.sliding_window", 512},
                          {"attention.sliding_window_pattern", {true, false, false, true}}}),
               {{"layer_types", {sliding, full, full, sliding}}});
  // No pattern: the config class decides (Phi-3 and Mistral put it on every layer).
  check_config("phi3", window, {{"sliding_window", 128}, {"layer_types", "absent"}});
  check_config("exaone4", kSizes, {{"layer_types", "absent"}});
  check_config("olmo2", window, {{"architectures", {"Olmo3ForCausalLM"}}});
}

TEST_CASE("hybrids of a GGUF name what each layer is") {
  check_config("nemotron_h",
               sizes_and({{"attention.head_count_kv", {0, 2, 0, 0}},
                          {"feed_forward_length", {0, 0, 512, 0}},
                          {"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 8}}),
               {{"hybrid_override_pattern", "M*-E"},
                {"mamba_num_heads", 8},
                {"mamba_head_dim", 64},
                {"num_key_value_heads", 2},
                {"intermediate_size", 512}},
               {{"blk.3.ffn_gate_inp.weight", {256, 16}}});
  check_config(
      "lfm2", sizes_and({{"attention.head_count_kv", {0, 2, 0, 2}}, {"shortconv.l_cache", 3}}),
      {{"layer_types", {"conv", "full_attention", "conv", "full_attention"}}, {"conv_L_cache", 3}});
  check_config("granitehybrid",
               sizes_and({{"attention.head_count_kv", {0, 0, 2, 0}},
                          {"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 8},
                          {"ssm.state_size", 128}}),
               {{"layer_types", {"mamba", "mamba", "attention", "mamba"}},
                {"mamba_n_heads", 8},
                {"mamba_d_head", 64},
                {"mamba_expand", 2},
                {"mamba_d_state", 128}});
  check_config("jamba", sizes_and({{"attention.head_count_kv", {0, 2, 0, 2}}, {"expert_count", 4}}),
               {{"attn_layer_offset", 1},
                {"attn_layer_period", 2},
                {"expert_layer_offset", 0},
                {"expert_layer_period", 3}},
               {{"blk.0.ffn_gate_inp.weight", {256, 4}}, {"blk.3.ffn_gate_inp.weight", {256, 4}}});
  check_config("qwen3next",
               sizes_and({{"ssm.inner_size", 512},
                          {"ssm.time_step_rank", 4},
                          {"ssm.group_count", 2},
                          {"ssm.state_size", 128},
                          {"ssm.conv_kernel", 4}}),
               {{"linear_num_value_heads", 4},
                {"linear_value_head_dim", 128},
                {"linear_num_key_heads", 2},
                {"linear_key_head_dim", 128},
                {"linear_conv_kernel_dim", 4},
                {"layer_types",
                 {"linear_attention", "linear_attention", "linear_attention", "full_attention"}}});
  check_config("mamba2",
               {{"block_count", 4},
                {"embedding_length", 256},
                {"ssm.inner_size", 512},
                {"ssm.time_step_rank", 8},
                {"ssm.group_count", 1},
                {"ssm.state_size", 128}},
               {{"intermediate_size", 512}, {"num_heads", 8}, {"head_dim", 64}, {"expand", 2}});
}

TEST_CASE("layers that predict further tokens are counted apart") {
  check_config("glm4moe", sizes_and({{"nextn_predict_layers", 1}}),
               {{"num_hidden_layers", 3}, {"num_nextn_predict_layers", 1}});
}

TEST_CASE("older families keep their own names of sizes") {
  check_config("gpt2", kSizes, {{"n_embd", 256}, {"n_layer", 4}, {"n_head", 8}, {"n_inner", 512}});
  check_config("mpt", kSizes,
               {{"d_model", 256}, {"n_layers", 4}, {"n_heads", 8}, {"expansion_ratio", 2}});
  check_config("falcon", sizes_and({{"attention.head_count_kv", 1}}), {{"multi_query", true}});
  check_config("chatglm", kSizes, {{"num_layers", 4}, {"multi_query_group_num", 2}});
  check_config("bloom", kSizes, {{"n_layer", 4}, {"n_head", 8}, {"seq_length", 4096}});
}

TEST_CASE("layers that differ in size are refused, not averaged") {
  check_config("llama", sizes_and({{"attention.head_count_kv", {2, 4, 2, 4}}}),
               {{"error", "unknown_architecture at g.metadata.llama.attention.head_count_kv"}});
  check_config("llama", sizes_and({{"feed_forward_length", {512, 512, 512, 512}}}),
               {{"intermediate_size", 512}});
}

TEST_CASE("models read from a GGUF's metadata are those of their config.json") {
  // What the converters write for each of these repositories (gguf-py key names).
  struct Pair {
    std::string fixture;
    std::string arch;
    Json keys;
    std::vector<std::pair<std::string, std::vector<std::uint64_t>>> tensors;
  };
  const std::vector<Pair> pairs = {
      {"Qwen--Qwen3-8B",
       "qwen3",
       {{"block_count", 36},
        {"embedding_length", 4096},
        {"feed_forward_length", 12288},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 8},
        {"attention.key_length", 128},
        {"context_length", 40960}},
       {{"token_embd.weight", {4096, 151936}}, {"output.weight", {4096, 151936}}}},
      {"Qwen--Qwen3-30B-A3B",
       "qwen3moe",
       {{"block_count", 48},
        {"embedding_length", 2048},
        {"feed_forward_length", 6144},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 4},
        {"attention.key_length", 128},
        {"expert_count", 128},
        {"expert_used_count", 8},
        {"expert_feed_forward_length", 768},
        {"context_length", 40960}},
       {{"token_embd.weight", {2048, 151936}}, {"output.weight", {2048, 151936}}}},
      {"mistralai--Mixtral-8x7B-v0.1",
       "llama",
       {{"block_count", 32},
        {"embedding_length", 4096},
        {"feed_forward_length", 14336},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 8},
        {"expert_count", 8},
        {"expert_used_count", 2},
        {"context_length", 32768}},
       {{"token_embd.weight", {4096, 32000}}, {"output.weight", {4096, 32000}}}},
      {"google--gemma-7b",
       "gemma",
       {{"block_count", 28},
        {"embedding_length", 3072},
        {"feed_forward_length", 24576},
        {"attention.head_count", 16},
        {"attention.head_count_kv", 16},
        {"attention.key_length", 256},
        {"context_length", 8192}},
       {{"token_embd.weight", {3072, 256000}}}},
      {"deepseek-ai--DeepSeek-V2-Lite",
       "deepseek2",
       {{"block_count", 27},
        {"embedding_length", 2048},
        {"feed_forward_length", 10944},
        {"attention.head_count", 16},
        {"attention.head_count_kv", 1},
        {"attention.key_length", 576},
        {"attention.value_length", 512},
        {"attention.key_length_mla", 192},
        {"attention.value_length_mla", 128},
        {"attention.kv_lora_rank", 512},
        {"rope.dimension_count", 64},
        {"expert_count", 64},
        {"expert_used_count", 6},
        {"expert_shared_count", 2},
        {"expert_feed_forward_length", 1408},
        {"leading_dense_block_count", 1},
        {"context_length", 163840}},
       {{"token_embd.weight", {2048, 102400}}, {"output.weight", {2048, 102400}}}},
      {"openai--gpt-oss-20b",
       "gpt-oss",
       {{"block_count", 24},
        {"embedding_length", 2880},
        {"feed_forward_length", 2880},
        {"attention.head_count", 64},
        {"attention.head_count_kv", 8},
        {"attention.key_length", 64},
        {"attention.sliding_window", 128},
        {"expert_count", 32},
        {"expert_used_count", 4},
        {"expert_feed_forward_length", 2880},
        {"context_length", 131072}},
       {{"token_embd.weight", {2880, 201088}},
        {"output.weight", {2880, 201088}},
        {"blk.0.attn_q.bias", {4096}},
        {"blk.0.attn_output.bias", {2880}}}},
      {"microsoft--Phi-3-mini-128k-instruct",
       "phi3",
       {{"block_count", 32},
        {"embedding_length", 3072},
        {"feed_forward_length", 8192},
        {"attention.head_count", 32},
        {"attention.head_count_kv", 32},
        {"rope.dimension_count", 96},
        {"rope.scaling.original_context_length", 4096},
        {"attention.sliding_window", 262144},
        {"context_length", 131072}},
       {{"token_embd.weight", {3072, 32064}},
        {"output.weight", {3072, 32064}},
        {"rope_factors_long.weight", {48}}}},
  };
  for (const Pair& pair : pairs) {
    INFO(pair.fixture);
    const auto wanted = fixtures::model(pair.fixture);
    const auto read = fixtures::model_of(config_of(pair.arch, pair.keys, pair.tensors));
    CHECK(read.architecture == wanted.architecture);
    CHECK(read.hidden_size == wanted.hidden_size);
    CHECK(read.vocab_size == wanted.vocab_size);
    CHECK(read.tie_word_embeddings == wanted.tie_word_embeddings);
    CHECK(read.layers == wanted.layers);
    CHECK(fixtures::parameters(read).total == fixtures::parameters(wanted).total);
    CHECK(ridgepoint::model::claimed_context(read) == ridgepoint::model::claimed_context(wanted));
  }
}

// safetensors ------------------------------------------------------------------------------------

namespace {

std::string safetensors(const std::string& json) { return little_endian(json.size(), 8) + json; }

Json tensor_of(std::string_view dtype, const std::vector<std::uint64_t>& shape, std::uint64_t begin,
               std::uint64_t end) {
  return {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {begin, end}}};
}

std::string header_refusal(const Json& header) { return refusal(safetensors(header.dump())); }

}  // namespace

TEST_CASE("safetensors dtypes have the bits of the format") {
  for (const auto& [name, bits] : std::vector<std::pair<std::string_view, std::uint64_t>>{
           {"F64", 64},        {"F32", 32},        {"F16", 16},    {"BF16", 16},   {"I64", 64},
           {"I32", 32},        {"I16", 16},        {"I8", 8},      {"U64", 64},    {"U32", 32},
           {"U16", 16},        {"U8", 8},          {"BOOL", 8},    {"F8_E4M3", 8}, {"F8_E5M2", 8},
           {"F8_E8M0", 8},     {"F4", 4},          {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"C64", 64},
           {"F8_E4M3FNUZ", 8}, {"F8_E5M2FNUZ", 8}, {"F17", 0}}) {
    INFO(name);
    CHECK(checkpoint::safetensors_bits(name) == bits);
  }
}

TEST_CASE("a safetensors header is read from bytes and sized by its tensors") {
  const Json header = {{"__metadata__", {{"format", "pt"}}},
                       {"b", tensor_of("F4", {3, 2}, 24, 27)},
                       {"a", tensor_of("BF16", {3, 4}, 0, 24)},
                       {"scalar", tensor_of("F32", {}, 27, 31)},
                       {"empty", tensor_of("F32", {0, 9}, 31, 31)}};
  const std::string bytes = safetensors(header.dump());
  const Json read = read_header(bytes + "data");
  REQUIRE(read.contains("header"));
  CHECK(read["header"] == header);
  for (const Json& form : {header, read, Json{{"headers", {header}}}, Json(header.dump())}) {
    const auto source = checkpoint::read_tensors_source(form, "t");
    if (!source) {
      FAIL(source.error().message);
    }
    CHECK(source->checkpoint.total_bytes == 31U);
    CHECK(source->checkpoint.elements == 12U + 6U + 1U);
    REQUIRE(source->checkpoint.tensors.size() == 4);
    CHECK(source->checkpoint.bytes_by_dtype.front().first == "BF16");
  }
}

TEST_CASE("a safetensors file cut off at any byte asks for its header") {
  const std::string whole = safetensors(Json{{"a", tensor_of("U8", {7}, 0, 7)}}.dump());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Json part = read_header(whole.substr(0, size));
    INFO(size << ": " << part.dump());
    REQUIRE(part.contains("need_bytes"));
    CHECK(part["need_bytes"] > size);
    CHECK(part["need_bytes"] == (size < 9 ? 9 : whole.size()));
  }
  CHECK(read_header(whole).contains("header"));
}

TEST_CASE("damaged safetensors headers are refused") {
  CHECK_THAT(header_refusal({{"a", tensor_of("BF16", {4}, 0, 9)}}), Contains("take 8 bytes"));
  CHECK_THAT(header_refusal({{"a", tensor_of("BF16", {4}, 8, 0)}}), Contains("take 8 bytes"));
  CHECK_THAT(header_refusal({{"a", tensor_of("U8", {4}, 0, 4)}, {"b", tensor_of("U8", {4}, 2, 6)}}),
             Contains("inside the tensor before it"));
  CHECK_THAT(
      header_refusal({{"a", tensor_of("U8", {4}, 0, 4)}, {"b", tensor_of("U8", {4}, 6, 10)}}),
      Contains("end to end"));
  CHECK_THAT(header_refusal({{"a", tensor_of("U8", {4}, 1, 5)}}), Contains("end to end"));
  CHECK_THAT(header_refusal({{"a", tensor_of("F99", {4}, 0, 4)}}), Contains("F99"));
  CHECK_THAT(header_refusal({{"a", tensor_of("F4", {3}, 0, 2)}}), Contains("whole bytes"));
  CHECK_THAT(header_refusal({{"a", tensor_of("U8", {1ULL << 40U, 1ULL << 40U}, 0, 0)}}),
             Contains("10^15"));
  CHECK_THAT(header_refusal({{"a", 3}}), Contains("must be an object"));
  CHECK_THAT(header_refusal({{"a", {{"shape", {1}}, {"data_offsets", {0, 1}}}}}),
             Contains("no dtype"));
  CHECK_THAT(header_refusal({{"a", {{"dtype", "U8"}, {"data_offsets", {0, 1}}}}}),
             Contains("must have a shape"));
  CHECK_THAT(header_refusal({{"a", {{"dtype", "U8"}, {"shape", {-1}}, {"data_offsets", {0, 1}}}}}),
             Contains("must have a shape"));
  CHECK_THAT(refusal(safetensors("{\"a\": ")), Contains("not JSON"));
  CHECK_THAT(refusal(safetensors("[1]")), StartsWith("bad_header:"));
  CHECK_THAT(refusal(little_endian(1ULL << 40U, 8) + "{}"), Contains("2 to 100,000,000"));
  CHECK_THAT(refusal(little_endian(~0ULL, 8) + "{}"), Contains("2 to 100,000,000"));
}

TEST_CASE("headers of several files are one checkpoint") {
  const Json one = {{"a", tensor_of("BF16", {100}, 0, 200)}};
  const Json two = {{"b", tensor_of("BF16", {50}, 0, 100)}};
  const Json report = answer(request_with({{"headers", {one, two}}}));
  REQUIRE(outcome(report) == "a report");
  CHECK(report["model"]["weights_source"] == "safetensors headers");
  CHECK(report["model"]["checkpoint_bytes"] == 300);
  CHECK(report["model"]["stored_parameters"] == 150);
  CHECK(noted(report, "safetensors headers of 2 files (2 tensors)"));
  CHECK(noted(report, "less, and the files count"));
  CHECK(outcome(answer(request_with({{"headers", {one, one}}}))) ==
        "bad_header at model.tensors.headers");
  CHECK(outcome(answer(request_with({{"headers", {one, 3}}}))) ==
        "bad_header at model.tensors.headers[1]");
  CHECK(outcome(answer(request_with({{"headers", Json::array()}}))) ==
        "bad_value at model.tensors.headers");
}

TEST_CASE("a safetensors index tells the size of the checkpoint") {
  const Json index = {{"metadata", {{"total_size", 16060522496U}}},
                      {"weight_map", {{"a", "model-00001-of-00002.safetensors"}}}};
  const Json report = answer(request_with(index));
  REQUIRE(outcome(report) == "a report");
  CHECK(report["model"]["weights_source"] == "safetensors index");
  CHECK(report["model"]["checkpoint_bytes"] == 16060522496U);
  CHECK_FALSE(report["model"].contains("stored_parameters"));
  CHECK(noted(report, "metadata.total_size of model.safetensors.index.json: 14.958 GiB."));
  CHECK_FALSE(noted(report, "files count"));

  Json larger = index;
  larger["metadata"]["total_size"] = 17060522496.0;
  const Json more = answer(request_with(larger));
  CHECK(more["model"]["checkpoint_bytes"] == 17060522496U);
  CHECK(noted(more, "The config makes it 14.958 GiB: the files have 6.226 % more"));
  CHECK(more["memory"]["per_gpu"]["weights"]["best"] >
        report["memory"]["per_gpu"]["weights"]["best"]);
}

TEST_CASE("a safetensors index that does not tell a size is said and not believed") {
  const Json plain = answer(fixtures::request());
  const auto with = [](const Json& metadata) {
    Json index = {{"weight_map", {{"a", "model-00001-of-00002.safetensors"}}}};
    if (!metadata.is_null()) {
      index["metadata"] = metadata;
    }
    return answer(request_with(index));
  };
  const std::vector<std::pair<Json, std::string>> broken = {
      {{{"total_size", 0}}, "has a metadata.total_size of 0"},
      {Json::object(), "has empty metadata"},
      {nullptr, "has no metadata"},
      {{{"format", "pt"}}, "has no metadata.total_size"},
      {{{"total_size", -5}}, "that is no number of bytes"},
      {{{"total_size", "16 GB"}}, "that is no number of bytes"},
      {{{"total_size", 1.5}}, "that is no number of bytes"},
      {{{"total_size", ~0ULL}}, "that is no number of bytes"},
      {3, "metadata that is no object"},
  };
  for (const auto& [metadata, words] : broken) {
    const Json report = with(metadata);
    INFO(metadata.dump() << ": " << report.dump().substr(0, 500));
    REQUIRE(outcome(report) == "a report");
    CHECK(report["model"]["weights_source"] == "config");
    CHECK(report["model"]["checkpoint_bytes"] == plain["model"]["checkpoint_bytes"]);
    CHECK(noted(report, words));
  }
}

// The request ------------------------------------------------------------------------------------

TEST_CASE("a report says what told the size of the weights") {
  CHECK(answer(fixtures::request())["model"]["weights_source"] == "config");
  Json given = fixtures::request();
  given["model"]["weight_bytes"] = 1ULL << 34U;
  CHECK(answer(given)["model"]["weights_source"] == "given");
  CHECK(answer(given)["model"]["checkpoint_bytes"] == 1ULL << 34U);
  given["model"]["tensors"] = Json{{"a", tensor_of("U8", {7}, 0, 7)}};
  CHECK(outcome(answer(given)) == "bad_request at model.weight_bytes");
}

TEST_CASE("tensors of a request that are none are refused by what they are") {
  const auto refused = [](const Json& tensors) {
    const Json report = answer(request_with(tensors));
    return outcome(report) + ": " +
           (report.contains("error") ? report["error"]["message"].get<std::string>() : "");
  };
  CHECK_THAT(refused(3), StartsWith("bad_value at model.tensors:"));
  CHECK_THAT(refused({1, 2}), StartsWith("bad_value at model.tensors:"));
  CHECK_THAT(refused(Json::object()), StartsWith("bad_value at model.tensors:"));
  CHECK_THAT(refused({{"frob", 1}}), Contains("none of these"));
  CHECK_THAT(refused(fixtures::config("Qwen--Qwen3-8B")), Contains("model.config"));
  CHECK_THAT(refused("not JSON"), StartsWith("not_json at model.tensors:"));
  CHECK_THAT(refused("\"3\""), StartsWith("bad_value at model.tensors:"));
  CHECK_THAT(refused({{"weight_map", 3}}), StartsWith("bad_value at model.tensors.weight_map:"));
  CHECK(outcome(answer(request_with(nullptr))) == "a report");
}
