// vLLM before 0.9.1: two engines, other budgets, other caches. Measured figures are those that the
// engines printed; sums by hand are in the comments.
#include "evaluated.hpp"

namespace {

using tests::Json;
using tests::kGiB;

struct Start {
  const char* fixture;
  const char* version;
  Json gpu;
  Json args = Json::object();
  Json env = Json::object();
  Json measured = Json::object();
};

Json report(const Start& start) {
  return tests::evaluate(
      {{"model", {{"config", tests::config_fixture(start.fixture)}}},
       {"gpu", start.gpu},
       {"engine",
        {{"name", "vllm"}, {"version", start.version}, {"args", start.args}, {"env", start.env}}},
       {"measured", start.measured}});
}

double best_gib(const Json& said, const char* term) {
  return said.at("memory").at("per_gpu").at(term).at("best").get<double>() / kGiB;
}

/// Blocks that a pool of so many bytes becomes.
std::uint64_t blocks_of(Start start, std::uint64_t pool_bytes) {
  start.measured = {{"kv_pool_bytes", pool_bytes}};
  return report(start).at("cache").at("blocks").at("best").get<std::uint64_t>();
}

}  // namespace

TEST_CASE("a card before Ampere runs V0, which profiles one whole prompt") {
  // Qwen2.5-7B on a V100 of 31.74 GiB, vLLM 0.8.5 with its defaults and a length of 32,768: the
  // log says 14.25 GiB of weights, a peak of 4.35 and a pool of 9.88.
  const Json said = report({"Qwen--Qwen2.5-7B",
                            "0.8.5",
                            {{"id", "v100-sxm2-32gb"}, {"total_bytes", 34080567787}},
                            {{"max-model-len", 32768}}});
  CHECK(best_gib(said, "activation") == Approx(4.35).epsilon(0.01));
  CHECK(best_gib(said, "kv_pool") == Approx(9.88).epsilon(0.02));
  CHECK(said.at("engine").at("max_num_seqs") == 256);
}

TEST_CASE("V0 prints requests as blocks x 16 over the length") {
  // Qwen2.5-1.5B's row of a T4: 5,519 blocks at 32,768 are 2.69 requests.
  const Json said = report({"Qwen--Qwen2.5-7B",
                            "0.6.4",
                            {{"total_bytes", 15634042880}},
                            {{"max-model-len", 32768}, {"num-gpu-blocks-override", 5519}}});
  CHECK(said.at("capacity").at("max_concurrency").at("best").get<double>() ==
        Approx(2.69).margin(0.005));
}

TEST_CASE("V0 counts what a request lacks in tokens") {
  const Json said = report({"meta-llama--Meta-Llama-3-8B",
                            "0.7.3",
                            {{"total_bytes", 25769803776}},
                            {{"max-model-len", 8192}, {"num-gpu-blocks-override", 100}}});
  CHECK(said.at("verdict").at("serves") == false);
  CHECK(said.at("verdict").at("text").get<std::string>().find(
            "The model's max seq len (8192) is larger than the maximum number of tokens that can "
            "be stored in KV cache (1600).") == 0);
}

TEST_CASE("latent rows: by heads of 256 in 0.6, padded to 256 bytes in V0, as they are in V1") {
  // DeepSeek-V2-Lite, 27 layers. 0.6: 16 heads x (256 + 256) x 2 B = 16,384 a layer. V0: 576 x 2 =
  // 1,152 become 1,280. V1: 1,152.
  const Json card = {{"id", "a100-sxm-80gb"}};
  const Start start{"deepseek-ai--DeepSeek-V2-Lite", "0.6.3", card, {{"max-model-len", 1024}}};
  CHECK(blocks_of(start, 27ULL * 16384 * 16 * 100) == 100);
  Start v0 = start;
  v0.version = "0.8.5";
  v0.env = {{"VLLM_USE_V1", "0"}};
  CHECK(blocks_of(v0, 27ULL * 1280 * 16 * 100) == 100);
  Start v1 = v0;
  v1.env = Json::object();
  CHECK(blocks_of(v1, 27ULL * 1152 * 16 * 100) == 100);
}

TEST_CASE("before 0.9.1 windows are cached whole and nothing free is checked") {
  // Gemma-2-2B, 26 layers of 4 heads x 256 x 2 x 2 B = 4,096 bytes a token: 0.9.0 keeps all of
  // them, 1,703,936 bytes a block of 16; later ones share blocks between 13 and 13 layers.
  const Json card = {{"id", "a100-sxm-80gb"}, {"free_bytes", 40000000000}};
  const Start old{"google--gemma-2-2b", "0.9.0", card, {{"max-model-len", 8192}}};
  CHECK(blocks_of(old, 26ULL * 4096 * 16 * 1000) == 1000);
  CHECK(report(old).at("verdict").at("limit") == "none");
  Start later = old;
  later.version = "0.9.1";
  CHECK(blocks_of(later, 26ULL * 4096 * 16 * 1000) == 2000);
  CHECK(report(later).at("verdict").at("limit") == "free_memory");
}

TEST_CASE("V1 up to 0.9.0 pays for all that lies on the card") {
  Start start{"meta-llama--Meta-Llama-3-8B", "0.8.5", {{"id", "a100-sxm-80gb"}}};
  const Json free = report(start);
  start.gpu["free_bytes"] =
      free.at("memory").at("per_gpu").at("total").get<std::uint64_t>() - (std::uint64_t{2} << 30U);
  CHECK(best_gib(free, "kv_pool") - best_gib(report(start), "kv_pool") == Approx(2.0));
}

TEST_CASE("each version has its batch") {
  const auto batch = [](const char* version, const char* card) {
    const Json said = report({"meta-llama--Meta-Llama-3-8B", version, {{"id", card}}});
    return std::pair(said.at("engine").at("max_num_batched_tokens").get<int>(),
                     said.at("engine").at("max_num_seqs").get<int>());
  };
  CHECK(batch("0.6.3", "a100-sxm-80gb") == std::pair(8192, 256));  // one whole prompt
  CHECK(batch("0.8.3", "a100-sxm-80gb") == std::pair(2048, 1024));
  CHECK(batch("0.8.3", "h100-sxm-80gb") == std::pair(8192, 1024));
  CHECK(batch("0.8.4", "a100-sxm-80gb") == std::pair(2048, 256));
  CHECK(batch("0.8.5", "a100-sxm-80gb") == std::pair(8192, 1024));
  CHECK(batch("0.9.0", "a100-sxm-80gb") == std::pair(2048, 256));
}

TEST_CASE("VLLM_USE_V1 chooses where there is a choice") {
  const auto path = [](const char* version, const char* value) {
    const Json said = report({"meta-llama--Meta-Llama-3-8B",
                              version,
                              {{"id", "a100-sxm-80gb"}},
                              Json::object(),
                              {{"VLLM_USE_V1", value}}});
    return said.contains("error") ? said["error"]["path"].get<std::string>() : std::string();
  };
  CHECK(path("0.8.5", "0").empty());
  CHECK(path("0.6.4", "1").empty());
  CHECK(path("0.6.3", "1") == "engine.env.VLLM_USE_V1");
  CHECK(path("0.11.0", "0") == "engine.env.VLLM_USE_V1");
}

TEST_CASE("a release before an architecture's first does not start it") {
  // gpt-oss came with 0.10.1 (August 2025), by its release notes.
  const auto limit = [](const char* version) {
    return report({"openai--gpt-oss-20b", version, {{"id", "h100-sxm-80gb"}}})
        .at("verdict")
        .at("limit")
        .get<std::string>();
  };
  CHECK(limit("0.9.2") == "architecture");
  CHECK(limit("0.10.0") == "architecture");
  CHECK(limit("0.10") == "none");
  CHECK(limit("0.10.1") == "none");
}
