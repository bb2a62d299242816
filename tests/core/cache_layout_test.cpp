// How vLLM pages what models of other kinds than plain attention keep.
#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>

#include "cache/geometry.hpp"
#include "fixtures.hpp"

using fixtures::Json;

namespace cache = ridgepoint::cache;
namespace model = ridgepoint::model;
namespace precision = ridgepoint::precision;

namespace {

Json serve(std::string_view fixture, const char* card, const Json& args = Json::object()) {
  Json request = fixtures::request();
  request["model"]["config"] = fixtures::config(fixture);
  request["gpu"] = {{"id", card}, {"total_bytes", 1ULL << 46U}};
  request["engine"]["args"] = args;
  request["workload"] = {{"context", 4096}};
  const Json said = fixtures::answer(request);
  INFO(said.dump().substr(0, 600));
  REQUIRE(!said.contains("error"));
  return said;
}

}  // namespace

TEST_CASE("the block of a hybrid grows until it holds a state") {
  // vLLM 0.28 platforms/interface.py on Qwen3-Next in bfloat16: a state of 1,097,728 bytes and
  // 2,048 bytes a token at one GPU; at two half the state and one head each, and so on.
  struct Row {
    int ranks;
    std::uint64_t block;
  };
  for (const Row& row : {Row{1, 544}, Row{2, 544}, Row{4, 272}, Row{8, 144}}) {
    INFO(row.ranks);
    const Json said =
        serve("Qwen--Qwen3-Next-80B-A3B-Instruct", "h100", {{"tensor-parallel-size", row.ranks}});
    CHECK(said["cache"]["block_tokens"] == row.block);
  }
  const Json said = serve("Qwen--Qwen3-Next-80B-A3B-Instruct", "h100");
  CHECK(said["model"]["attention"] == "hybrid");
  // 12 of 48 layers cache 2 x 2 heads x 256 x 2 bytes; 36 keep a state.
  CHECK(said["cache"]["bytes_per_token"] == 12 * 2048);
  CHECK(said["cache"]["state_bytes_per_request"] == 36 * 1097728);
}

TEST_CASE("states of one layer have the sizes that the kernels keep") {
  // vLLM 0.28 mamba_utils.py, by hand.
  model::State gated_delta;
  gated_delta.kind = model::StateKind::gated_delta;
  gated_delta.heads = 32;
  gated_delta.head_dim = 128;
  gated_delta.key_heads = 16;
  gated_delta.key_head_dim = 128;
  gated_delta.conv_kernel = 4;
  const auto bytes = [](const model::State& state, bool wide, std::uint64_t ranks) {
    return cache::state_bytes(state, wide, precision::Dtype::bfloat16, ranks);
  };
  // (2 x 16 x 128 + 32 x 128) x 3 x 2 + 32 x 128 x 128 x 2
  CHECK(bytes(gated_delta, false, 1) == 1097728);
  CHECK(bytes(gated_delta, false, 2) == 548864);
  CHECK(bytes(gated_delta, true, 1) == 49152 + 2097152);

  model::State kda = gated_delta;
  kda.kind = model::StateKind::kda;
  kda.key_heads = 32;
  // (2 x 32 x 128 + 32 x 128) x 3 x 2, and 32 x 128 x 128 in float32 whatever is asked.
  CHECK(bytes(kda, false, 1) == 73728 + 2097152);

  model::State mamba2;
  mamba2.kind = model::StateKind::mamba2;
  mamba2.inner_size = 8192;
  mamba2.groups = 8;
  mamba2.state_size = 128;
  mamba2.heads = 128;
  mamba2.head_dim = 64;
  mamba2.conv_kernel = 4;
  // (8,192 + 2 x 8 x 128) x 3 x 2 + 128 x 64 x 128 x 2
  CHECK(bytes(mamba2, false, 1) == 61440 + 2097152);
  CHECK(bytes(mamba2, true, 1) == 61440 + 4194304);
  mamba2.groups = 1;
  // One group is copied to both ranks: (8,192 + 2 x 2 x 128) / 2 x 3 x 2 + 64 x 64 x 128 x 2
  CHECK(bytes(mamba2, false, 2) == 26112 + 1048576);

  model::State short_conv;
  short_conv.kind = model::StateKind::short_conv;
  short_conv.inner_size = 1024;
  short_conv.conv_kernel = 3;
  CHECK(bytes(short_conv, false, 1) == 1024 * 2 * 2);

  model::State mamba1;
  mamba1.kind = model::StateKind::mamba1;
  mamba1.inner_size = 8192;
  mamba1.state_size = 16;
  mamba1.conv_kernel = 4;
  CHECK(bytes(mamba1, false, 1) == 8192 * 3 * 2 + 8192 * 16 * 2);

  model::State linear;
  linear.kind = model::StateKind::linear;
  linear.heads = 64;
  linear.head_dim = 128;
  CHECK(bytes(linear, true, 2) == 32 * 128 * 128 * 4);
}

TEST_CASE("sparse attention caches rows and index keys") {
  const char* name = "deepseek-ai--DeepSeek-V3.2";
  // FlashMLA's rows of 656 bytes for any fp8 on Hopper, 576 with FlashInfer on Blackwell; keys of
  // 128 bytes and a float32 scale.
  const Json fp8 = {{"kv-cache-dtype", "fp8"}};
  CHECK(serve(name, "h100", fp8)["cache"]["bytes_per_token"] == 61 * (656 + 132));
  CHECK(serve(name, "b200", fp8)["cache"]["bytes_per_token"] == 61 * (576 + 132));
  CHECK(serve(name, "h100")["cache"]["bytes_per_token"] == 61 * (1152 + 132));
}

TEST_CASE("an encoder's keys and values come with each request, whatever its length") {
  const Json said = serve("openai--whisper-base", "a100-sxm-80gb", {{"max-model-len", 448}});
  // 6 layers x 2 x 512 x 2 bytes a decoded token; the same for 1,500 tokens of sound.
  CHECK(said["cache"]["bytes_per_token"] == 12288);
  Json request = fixtures::request();
  request["model"]["config"] = fixtures::config("openai--whisper-base");
  request["workload"] = {{"context", 100}};
  CHECK(fixtures::answer(request)["cache"]["bytes_per_request"] == 12288 * (100 + 1500));
}

TEST_CASE("an encoder caches nothing and is limited by the scheduler") {
  Json request = fixtures::request();
  request["model"]["config"] = fixtures::config("google-bert--bert-base-uncased");
  request["engine"]["args"] = {{"max-num-seqs", 64}};
  request["workload"] = {{"context", 512}};
  const Json said = fixtures::answer(request);
  REQUIRE(!said.contains("error"));
  CHECK(said["model"]["attention"] == "encoder");
  CHECK(said["cache"]["bytes_per_token"] == 0);
  CHECK(said["capacity"]["max_requests"]["best"] == 64);
  CHECK(said["verdict"]["serves"] == true);
}

TEST_CASE("chunked attention turned the hybrid manager off until 0.12") {
  const auto said_of = [](const char* version) {
    Json request = fixtures::request();
    request["model"]["config"] = fixtures::config("meta-llama--Llama-4-Scout-17B-16E-Instruct");
    request["gpu"] = {{"id", "h200"}, {"count", 4}};
    request["engine"] = {{"version", version}};
    request["workload"] = {{"context", 8192}};
    // 12 layers of 2 heads x 128 x 2 x 2 bytes a rank, 16 tokens: 196,608 bytes a block.
    request["measured"] = {{"kv_pool_bytes", 196608ULL * 91495}};
    return fixtures::answer(request);
  };
  const Json whole = said_of("0.11.0");
  CHECK(whole["assumptions"].dump().find("Chunked") != std::string::npos);
  CHECK(whole["cache"]["blocks"]["best"] == 91495 / 4);
  // A measured start of 0.19 over four GPUs: 91,495 blocks and 365,968 tokens printed.
  const Json grouped = said_of("0.19.0");
  CHECK(grouped["cache"]["blocks"]["best"] == 91495);
  CHECK(grouped["cache"]["tokens"]["best"] == 365968);
}

TEST_CASE("a version that does not run the model says so, whatever the memory") {
  const auto limit = [](std::string_view fixture, const char* version) {
    Json request = fixtures::request();
    request["model"]["config"] = fixtures::config(fixture);
    request["gpu"] = {{"id", "b200"}};
    request["engine"]["version"] = version;
    request["workload"] = {{"context", 64}};
    return fixtures::answer(request)["verdict"]["limit"].get<std::string>();
  };
  // vLLM's registry of what it ran before: Mllama until 0.10.2, Baichuan until 0.23.0.
  CHECK(limit("meta-llama--Llama-3.2-11B-Vision-Instruct", "0.10.2") == "none");
  CHECK(limit("meta-llama--Llama-3.2-11B-Vision-Instruct", "0.11.0") == "architecture");
  CHECK(limit("baichuan-inc--Baichuan2-7B-Base", "0.23.0") == "none");
  CHECK(limit("baichuan-inc--Baichuan2-7B-Base", "0.24.0") == "architecture");
  CHECK(limit("google-t5--t5-base", "0.28.0") == "architecture");
  CHECK(limit("meta-llama--Meta-Llama-3-8B", "0.28.0") == "none");
}

TEST_CASE("quantised matrices are cut between blocks only") {
  const auto outcome = [](int ranks, bool expert) {
    Json request = fixtures::request();
    request["model"]["config"] = fixtures::config("Qwen--Qwen3-30B-A3B");
    request["model"]["config"]["quantization_config"] = {{"quant_method", "fp8"},
                                                         {"weight_block_size", {128, 128}}};
    request["gpu"] = {{"id", "h100"}, {"count", ranks}};
    if (expert) {
      request["engine"]["args"] = {{"enable-expert-parallel", true}};
    }
    const Json said = fixtures::answer(request);
    return said.contains("error") ? said["error"]["code"].get<std::string>() : std::string("ok");
  };
  // Experts 768 wide: 384 at two ranks, 192 at four, which is one and a half blocks of 128.
  CHECK(outcome(2, false) == "ok");
  CHECK(outcome(4, false) == "bad_parallelism");
  CHECK(outcome(4, true) == "ok");
}

TEST_CASE("shared experts are whole where tokens are split instead of them") {
  const auto shared = [](const Json& args) {
    return serve("deepseek-ai--DeepSeek-V3", "b200",
                 args)["memory"]["weights_by_part"]["shared_experts"]
        .get<std::uint64_t>();
  };
  // 58 layers x 3 x 7,168 x 2,048 in FP8 with a float32 scale each 128 x 128.
  const std::uint64_t whole = 58ULL * (3 * 7168 * 2048 + 3 * 56 * 16 * 4);
  CHECK(shared({{"tensor-parallel-size", 4},
                {"data-parallel-size", 2},
                {"enable-expert-parallel", true}}) == whole);
  CHECK(shared({{"tensor-parallel-size", 4}, {"data-parallel-size", 2}}) < whole / 3);
}
