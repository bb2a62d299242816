// Formats that a 16-bit checkpoint could have, against checkpoints that really have them.
#include "plan/weight_choice.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "fixtures.hpp"
#include "weights/weights.hpp"

namespace {

using fixtures::Json;
using ridgepoint::plan::FormatChoice;
using ridgepoint::plan::Request;

Request request_of(std::string_view fixture, std::string_view card = "h100-sxm-80gb",
                   std::string_view engine = "vllm") {
  Request request;
  request.model = fixtures::model(fixture);
  request.device = fixtures::card(card);
  request.engine = ridgepoint::engine::find_engine(engine);
  return request;
}

const FormatChoice& choice(const std::vector<FormatChoice>& list, std::string_view name) {
  for (const FormatChoice& each : list) {
    if (each.name == name) {
      return each;
    }
  }
  FAIL("no choice is called " << name);
  return list.front();
}

std::vector<std::string> names(const std::vector<FormatChoice>& list) {
  std::vector<std::string> all;
  for (const FormatChoice& each : list) {
    all.push_back(each.name);
  }
  return all;
}

std::uint64_t checkpoint(const ridgepoint::model::ModelSpec& spec) {
  return ridgepoint::weights::checkpoint_bytes(spec, ridgepoint::model::tensors(spec));
}

std::uint64_t loaded(const ridgepoint::model::ModelSpec& spec) {
  ridgepoint::weights::Shard whole;
  whole.end_layer = spec.layers.size();
  return ridgepoint::weights::loaded_bytes(spec, ridgepoint::model::tensors(spec), whole,
                                           spec.dtype)
      .total;
}

/// The 16-bit model with the quantisation of another config put in.
Request requantised(std::string_view base, std::string_view quantised) {
  Request request = request_of(base);
  ridgepoint::plan::Change change;
  change.quant_config = fixtures::config(quantised)["quantization_config"].dump();
  const auto wrong = ridgepoint::plan::apply(change, request);
  if (wrong) {
    FAIL(wrong->message);
  }
  return request;
}

Request chosen(std::string_view base, std::string_view format, std::string_view card) {
  Request request = request_of(base, card);
  const auto list = ridgepoint::plan::weight_choices(request);
  const auto wrong = ridgepoint::plan::apply(choice(list, format).change, request);
  if (wrong) {
    FAIL(wrong->message);
  }
  return request;
}

}  // namespace

TEST_CASE("a 16-bit model with a published quantisation put in is the published checkpoint",
          "[recommend]") {
  for (const auto& [base, quantised] :
       {std::pair("meta-llama--Meta-Llama-3-70B", "casperhansen--llama-3-70b-instruct-awq"),
        std::pair("Qwen--Qwen2.5-7B", "Qwen--Qwen2.5-7B-Instruct-GPTQ-Int4"),
        std::pair("Qwen--Qwen3-8B", "Qwen--Qwen3-8B-FP8"),
        std::pair("Qwen--Qwen3-8B", "nvidia--Qwen3-8B-NVFP4"),
        std::pair("meta-llama--Meta-Llama-3-8B",
                  "RedHatAI--Meta-Llama-3.1-8B-Instruct-quantized.w4a16")}) {
    INFO(quantised);
    const Request made = requantised(base, quantised);
    const auto published = fixtures::model(quantised);
    CHECK(checkpoint(made.model) == checkpoint(published));
    CHECK(loaded(made.model) == loaded(published));
  }
}

TEST_CASE("the choices are sized as the checkpoints of that name", "[recommend]") {
  CHECK(checkpoint(chosen("meta-llama--Meta-Llama-3-70B", "int4", "a100-sxm-80gb").model) ==
        checkpoint(fixtures::model("casperhansen--llama-3-70b-instruct-awq")));
  CHECK(checkpoint(chosen("Qwen--Qwen3-8B", "nvfp4", "b200-sxm-180gb").model) ==
        checkpoint(fixtures::model("nvidia--Qwen3-8B-NVFP4")));
}

TEST_CASE("a mixture's routers, head and norms stay in 16 bits", "[recommend]") {
  // Qwen3-30B-A3B: hidden 2048, 48 layers, 128 experts of 768, 32 query and 4 key/value heads of
  // 128, vocabulary 151936 untied. AWQ g128 of a matrix: out x in / 2 of values, 2 bytes of scale
  // and half a byte of zero point for each 128 inputs and output.
  //   experts      48 x 128 x 3 x 2048 x 768           = 28,991,029,248 values
  //   attention    48 x 2048 x 128 x (32 + 4 + 4 + 32) =    905,969,664
  //   4-bit bytes  29,896,998,912 x (0.5 + 2.5 / 128)  = 15,532,425,216
  //   16-bit       routers 48 x 128 x 2048, table and head 2 x 151936 x 2048, norms
  //                48 x (2 x 2048 + 2 x 128) + 2048    =    635,124,736 values
  const std::uint64_t four_bits = 29896998912ULL / 2 + 29896998912ULL / 128 * 5 / 2;
  const std::uint64_t sixteen_bits =
      2 * (48ULL * 128 * 2048 + 2ULL * 151936 * 2048 + 48ULL * (2 * 2048 + 2 * 128) + 2048);
  CHECK(four_bits == 15532425216ULL);
  CHECK(checkpoint(chosen("Qwen--Qwen3-30B-A3B", "int4", "rtx-4090").model) ==
        four_bits + sixteen_bits);
}

TEST_CASE("towers and projectors stay in 16 bits in every format", "[recommend]") {
  for (const char* format : {"int8", "int4", "nvfp4"}) {
    for (const char* fixture :
         {"Qwen--Qwen2.5-VL-7B-Instruct", "google--gemma-3-27b-it", "llava-hf--llava-1.5-7b-hf"}) {
      CAPTURE(format, fixture);
      const Request request = chosen(fixture, format, "h100-sxm-80gb");
      for (const auto& tensor : ridgepoint::model::tensors(request.model)) {
        using ridgepoint::precision::ModuleKind;
        if (tensor.matrix &&
            (tensor.kind == ModuleKind::vision || tensor.kind == ModuleKind::projector)) {
          const std::string name = std::string(tensor.prefix) + (tensor.layers != 0 ? "0." : "") +
                                   std::string(tensor.block) + std::string(tensor.module);
          CAPTURE(name);
          CHECK(request.model.quantization.format_of(name, tensor.kind).packing ==
                ridgepoint::precision::Packing::plain);
        }
      }
    }
  }
}

TEST_CASE("cards have the formats that their kernels have", "[recommend]") {
  using Names = std::vector<std::string>;
  const auto of = [](std::string_view card, std::string_view engine) {
    return names(
        ridgepoint::plan::weight_choices(request_of("meta-llama--Meta-Llama-3-8B", card, engine)));
  };
  CHECK(of("h100-sxm-80gb", "vllm") == Names{"checkpoint", "fp8", "int8", "int4", "nvfp4"});
  CHECK(of("b200-sxm-180gb", "vllm") == Names{"checkpoint", "fp8", "int4", "nvfp4"});
  CHECK(of("a100-sxm-80gb", "sglang") == Names{"checkpoint", "fp8", "int8", "int4"});
  CHECK(of("t4", "vllm") == Names{"checkpoint", "int8", "int4"});
  CHECK(of("v100-sxm2-32gb", "vllm") == Names{"checkpoint"});
  CHECK(of("mi300x", "vllm") == Names{"checkpoint", "fp8", "int4"});
  CHECK(of("mi355x", "vllm") == Names{"checkpoint", "fp8", "int4", "mxfp4"});
  CHECK(of("h100-sxm-80gb", "trtllm") == Names{"checkpoint", "fp8", "int4"});
  CHECK(of("rtx-4090", "llamacpp") ==
        Names{"checkpoint", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M"});
}

TEST_CASE("what is quantised already stays as it is", "[recommend]") {
  for (const char* fixture : {"deepseek-ai--DeepSeek-V3", "openai--gpt-oss-120b",
                              "Qwen--Qwen2.5-7B-Instruct-GPTQ-Int4"}) {
    CHECK(names(ridgepoint::plan::weight_choices(request_of(fixture))) ==
          std::vector<std::string>{"checkpoint"});
  }
  CHECK(ridgepoint::plan::own_format(fixtures::model("deepseek-ai--DeepSeek-V3")) == "fp8");
  CHECK(ridgepoint::plan::own_format(fixtures::model("openai--gpt-oss-120b")) == "mxfp4");
  CHECK(ridgepoint::plan::own_format(fixtures::model("meta-llama--Meta-Llama-3-8B")) == "bf16");
  Request request = request_of("meta-llama--Meta-Llama-3-8B");
  request.args.push_back({"quantization", std::string("bitsandbytes")});
  CHECK(ridgepoint::plan::weight_choices(request).size() == 1);
}

TEST_CASE("llama.cpp reads each mix out of the name that the choice gives the file",
          "[recommend]") {
  Request request = request_of("meta-llama--Meta-Llama-3-8B", "rtx-4090", "llamacpp");
  request.workload.context = 4096;
  std::uint64_t before = ~0ULL;
  for (const char* id : {"meta-llama/Meta-Llama-3-8B", "", "someone/odd-Q2_K-name", "a b/\"c"}) {
    request.model.id = id;
    before = ~0ULL;
    for (const FormatChoice& each : ridgepoint::plan::weight_choices(request)) {
      CAPTURE(id, each.name);
      Request changed = request;
      REQUIRE_FALSE(ridgepoint::plan::apply(each.change, changed));
      const auto report = ridgepoint::plan::fit(changed);
      REQUIRE(report.ok());
      CHECK(report->memory.weights.best < before);
      before = report->memory.weights.best;
    }
  }
}

TEST_CASE("caches of eight bits are offered where the card reads them", "[recommend]") {
  const auto of = [](std::string_view card, std::string_view engine) {
    return names(
        ridgepoint::plan::kv_choices(request_of("meta-llama--Meta-Llama-3-8B", card, engine)));
  };
  CHECK(of("h100-sxm-80gb", "vllm") == std::vector<std::string>{"auto", "fp8"});
  CHECK(of("a100-sxm-80gb", "vllm") == std::vector<std::string>{"auto"});
  CHECK(of("mi300x", "sglang") == std::vector<std::string>{"auto", "fp8"});
  CHECK(of("mi210", "vllm") == std::vector<std::string>{"auto"});
  CHECK(of("rtx-3090", "llamacpp") == std::vector<std::string>{"auto", "q8_0"});
  Request request = request_of("meta-llama--Meta-Llama-3-8B");
  request.args.push_back({"kv_cache_dtype", std::string("auto")});
  CHECK(ridgepoint::plan::kv_choices(request).size() == 1);
}
