#include "checkpoint/gguf.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint/gguf_config.hpp"
#include "checkpoint/safetensors.hpp"
#include "checkpoint/source.hpp"
#include "checkpoint_files.hpp"

using namespace checkpoint_files;  // NOLINT(google-build-using-namespace)
using fixtures::answer;

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
