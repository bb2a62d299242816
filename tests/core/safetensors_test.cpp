#include "checkpoint/safetensors.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkpoint/gguf.hpp"
#include "checkpoint/gguf_config.hpp"
#include "checkpoint/source.hpp"
#include "checkpoint_files.hpp"

using namespace checkpoint_files;  // NOLINT(google-build-using-namespace)
using fixtures::answer;

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
