// Pools of SGLang from a budget of exactly 50 GiB = 53,687,091,200 bytes (sglang_given.hpp). Bytes
// a token are sums over the published sizes; tokens are the quotient, rounded down to pages.
#include "sglang_given.hpp"

using tests::answer_to;
using tests::Json;
using tests::kGiB;
using tests::pool_named;
using tests::tokens_of;

TEST_CASE("grouped-query attention divides its heads over the ranks, down to one") {
  // 36 layers x 8 heads x 128 x 2 x 2 bytes = 147,456
  CHECK(tokens_of({"Qwen--Qwen3-8B"}) == 364088);
  CHECK(tokens_of({"Qwen--Qwen3-8B", "0.5.17", {{"tp-size", 4}}, 4}) == 1456355);
  // 16 ranks hold one of 8 heads each: 18,432
  CHECK(tokens_of({"Qwen--Qwen3-8B", "0.5.17", {{"tp", 16}}, 16}) == 2912711);
  CHECK(answer_to({"Qwen--Qwen3-8B"})["cache"]["bytes_per_token"] == 147456);
}

TEST_CASE("latent rows are whole on every rank") {
  // 61 layers x 576 x 2 = 70,272
  CHECK(tokens_of({"deepseek-ai--DeepSeek-V3"}) == 763989);
  CHECK(tokens_of({"deepseek-ai--DeepSeek-V3", "0.5.17", {{"tp", 8}}, 8}) == 763989);
}

TEST_CASE("FP8 halves the cell, NVFP4 and MXFP8 carry scales") {
  const auto tokens = [](const char* dtype, const char* version) {
    return tokens_of({"Qwen--Qwen3-8B", version, {{"kv-cache-dtype", dtype}}});
  };
  CHECK(tokens("fp8_e4m3", "0.5.17") == 728177);
  CHECK(tokens("fp8_e5m2", "0.5.17") == 728177);
  CHECK(tokens("bf16", "0.5.17") == 364088);
  // 36 x (8 x 256 / 2 + 8 x 128 x 2 / 16) = 41,472; from 0.5.17 one layer is unpacked, + 2,048
  CHECK(tokens("fp4_e2m1", "0.5.16") == 1294538);
  CHECK(tokens("nvfp4", "0.5.17") == 1233618);
  // 36 x 8 x (256 + 256 / 32)
  CHECK(tokens("mxfp8", "0.5.17") == 706111);
}

TEST_CASE("sparse attention adds 132 bytes a layer and comes in pages of 64") {
  // 78 x (576 x 2 + 132) = 100,152; 536,058 down to a multiple of 64
  const Json plain = answer_to({"zai-org--GLM-5", "0.5.17", {{"kv-cache-dtype", "bfloat16"}}});
  CHECK(plain["cache"]["tokens"]["best"] == 536000);
  CHECK(plain["cache"]["block_tokens"] == 64);
  CHECK(plain["cache"]["bytes_per_token"] == 100152);
}

TEST_CASE("FP8 rows of sparse attention are 656 bytes, and were counted as 576 until 0.5.16") {
  const Json args = {{"kv-cache-dtype", "fp8_e4m3"}, {"dsa-decode-backend", "flashmla_kv"}};
  // 78 x (656 + 132) = 61,464
  const Json now = answer_to({"zai-org--GLM-5", "0.5.17", args});
  CHECK(now["cache"]["tokens"]["best"] == 873472);
  // 78 x (576 + 132) = 55,224 by the estimate, 61,464 in the pool
  const Json before = answer_to({"zai-org--GLM-5", "0.5.16", args});
  CHECK(before["cache"]["tokens"]["best"] == 972160);
  CHECK(before["memory"]["per_gpu"]["kv_pool"]["best"] == (972160ULL + 64) * 61464);
  CHECK(tests::assumes(before, "too small"));
  const Json trtllm = {{"kv-cache-dtype", "fp8_e4m3"}, {"nsa-decode-backend", "trtllm"}};
  CHECK(tokens_of({"zai-org--GLM-5", "0.5.17", trtllm}) == 972160);
}

TEST_CASE("models on the list pool windows apart, at 0.8 of the full tokens") {
  // 12 full and 12 windowed layers x 2,048 bytes: 24,576 + 0.8 x 24,576 = 44,236.8
  const Json report = answer_to({"openai--gpt-oss-20b"});
  CHECK(report["cache"]["tokens"]["best"] == 1213629);
  CHECK(pool_named(report, "sliding window")["slots"] == 970903);
  CHECK(pool_named(report, "full attention")["slots"] == 1213629);
  CHECK(tokens_of({"openai--gpt-oss-20b", "0.5.17", {{"disable-hybrid-swa-memory", true}}}) ==
        1092266);
  // 5 full layers of 2 x 1,024 x 2 bytes, 25 windowed of 8 x 512 x 2.
  CHECK(tokens_of({"google--gemma-4-26B-A4B-text"}) == 291271);
  // With NVFP4 a start printed 51,840 bytes a full token: 5 x 1,152 + 0.8 x 25 x 2,304.
  CHECK(tokens_of({"google--gemma-4-26B-A4B-text", "0.5.17", {{"kv-cache-dtype", "nvfp4"}}}) ==
        1035630);
}

TEST_CASE("models off the list cache their windowed layers at full length") {
  // 62 x 16 x 256 x 2 = 507,904
  const Json report = answer_to({"google--gemma-3-27b-it"});
  CHECK(report["cache"]["tokens"]["best"] == 105703);
  CHECK(report["cache"]["growing_bytes_per_token"] == report["cache"]["bytes_per_token"]);
  CHECK(tests::assumes(report, "full length"));
}

TEST_CASE("a bounded number of requests without prefixes caps the window pool") {
  const Json args = {
      {"disable-radix-cache", true}, {"max-running-requests", 16}, {"chunked-prefill-size", 8192}};
  const Json report = answer_to({"google--gemma-4-26B-A4B-text", "0.5.17", args});
  // 16 x (1,024 + 128 + 1 + 1) + 2 x 8,192 + 1 = 34,849 tokens of 204,800 bytes; the rest by 20,480
  CHECK(pool_named(report, "sliding window")["slots"] == 34849);
  CHECK(report["cache"]["tokens"]["best"] == 2272950);
  CHECK(report["capacity"]["max_requests"]["best"].get<std::uint64_t>() <= 16);
}

TEST_CASE("a window that fills the window pool is refused") {
  const Json request =
      tests::request_of({"google--gemma-4-26B-A4B-text", "0.5.17", {{"max-total-tokens", 1200}}});
  CHECK(tests::outcome_of(request) == "kv_pool");
}

TEST_CASE("recurrent states take 0.9 of what the KV cache takes") {
  // 36 x (32 x 128 x 128 x 4 + (2 x 16 x 128 + 32 x 128) x 3 x 2) = 77,266,944 bytes a state;
  // 12 layers x 2 x 512 x 2 = 24,576 bytes a token; of 53,644,141,528 bytes (0.04 GiB are lost).
  const Json now = answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct"});
  CHECK(now["cache"]["state_bytes_per_request"] == 77266944);
  CHECK(pool_named(now, "recurrent state")["slots"] == 327);
  CHECK(pool_named(now, "recurrent state")["bytes"]["best"] == 328 * 77266944ULL);
  CHECK(now["cache"]["tokens"]["best"] == 1151553);
  // Five states a request with the overlapping scheduler.
  CHECK(now["engine"]["max_num_seqs"] == 65);
  const Json before = answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct", "0.5.16"});
  CHECK(pool_named(before, "recurrent state")["slots"] == 328);
  CHECK(before["cache"]["tokens"]["best"] == 1151553);
  // 0.2 until October 2025, and three states a request.
  const Json first = answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct", "0.5.3"});
  CHECK(pool_named(first, "recurrent state")["slots"] == 115);
  CHECK(first["cache"]["tokens"]["best"] == 1821225);
  CHECK(first["engine"]["max_num_seqs"] == 38);
}

TEST_CASE("states are as many as a flag says, or as requests run without prefixes") {
  const auto slots = [](Json args) {
    const Json report = answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct", "0.5.17", std::move(args)});
    return pool_named(report, "recurrent state")["slots"];
  };
  CHECK(slots({{"max-mamba-cache-size", 40}}) == 40);
  CHECK(slots({{"disable-radix-cache", true}, {"max-running-requests", 16}}) == 16);
  const Json half =
      answer_to({"Qwen--Qwen3-Next-80B-A3B-Instruct", "0.5.17", {{"mamba-ssm-dtype", "bfloat16"}}});
  // 36 x (32 x 128 x 128 x 2 + 49,152)
  CHECK(half["cache"]["state_bytes_per_request"] == 39518208);
  const Json lean = answer_to(
      {"Qwen--Qwen3-Next-80B-A3B-Instruct", "0.5.17", {{"mamba-scheduler-strategy", "no_buffer"}}});
  CHECK(lean["engine"]["max_num_seqs"] == 109);
}

TEST_CASE("DeepSeek-V4 costs 15,955.85 bytes a token with its states and 7,763.85 without") {
  // 0.1 x 584 x 44 + 584 x 21 / 4 + 584 x 20 / 128 + 132 x 21 / 4 + 0.1 x 8 / 128 x 10,240 x 21,
  // and until 0.5.14 0.1 x 4,096 x 20 more. Pages of 256.
  const Json before = answer_to({"deepseek-ai--DeepSeek-V4-Flash", "0.5.12"});
  CHECK(before["cache"]["tokens"]["best"] == 3364608);
  CHECK(before["cache"]["block_tokens"] == 256);
  // States of 257 requests: 33,152 rows of 4,096 bytes in 20 layers.
  const Json now = answer_to({"deepseek-ai--DeepSeek-V4-Flash", "0.5.17"});
  CHECK(now["cache"]["tokens"]["best"] == 6565120);
  CHECK(now["engine"]["max_num_seqs"] == 256);
}

TEST_CASE("groups of attention have a pool each, and share the chunk") {
  const Json args = {{"tp", 8}, {"dp", 4}, {"enable-dp-attention", true}};
  const Json report = answer_to({"Qwen--Qwen3-8B", "0.5.17", args, 8, {{"context", 32768}}});
  // Two ranks a group: 4 heads, 73,728 bytes
  CHECK(report["cache"]["tokens"]["best"] == 728177);
  CHECK(report["engine"]["max_num_batched_tokens"] == 2048);
  // 22 of 32,768 tokens in each of four
  CHECK(report["capacity"]["max_requests"]["best"] == 88);
}

TEST_CASE("the least of the stages counts, and the last ones have a layer more") {
  // 36 layers over 5: the last stage has 8, 32,768 bytes a token
  CHECK(tokens_of({"Qwen--Qwen3-8B", "0.5.17", {{"pp", 5}}, 5}) == 1638400);
}

TEST_CASE("drafts are in the cell since 0.5.13, and their tokens on top until early 2026") {
  const Json args = {{"speculative-algorithm", "NEXTN"}};
  // int(70,272 x 62 / 61) = 71,424
  CHECK(tokens_of({"deepseek-ai--DeepSeek-V3", "0.5.17", args}) == 751667);
  CHECK(tokens_of({"deepseek-ai--DeepSeek-V3", "0.5.12", args}) == 763989);
  // + 48 requests x (3 steps + 4 tokens) + 100
  const Json old = answer_to({"deepseek-ai--DeepSeek-V3", "0.5.2", args});
  CHECK(old["cache"]["tokens"]["best"] == 763989 + 436);
  CHECK(old["engine"]["max_num_seqs"] == 48);
  CHECK(tests::assumes(old, "does not charge the draft"));
  CHECK(pool_named(answer_to({"deepseek-ai--DeepSeek-V3", "0.5.17", args}), "draft") != nullptr);
}

TEST_CASE("a second model as a draft is charged with its weights and layers") {
  Json request =
      tests::request_of({"Qwen--Qwen3-8B", "0.5.17", {{"speculative-algorithm", "STANDALONE"}}});
  CHECK(tests::outcome_of(request) == "bad_flag at engine.args.speculative-algorithm");
  request["model"]["draft"] = {{"config", tests::config_fixture("Qwen--Qwen2.5-0.5B")}};
  const Json report = tests::evaluate(request);
  // 24 layers on 36: int(147,456 x (1 + 24 / 36)), which in floating point is 245,759
  CHECK(report["cache"]["tokens"]["best"] == 218454);
  request["measured"].erase("weights_bytes");
  Json alone = request;
  alone["model"].erase("draft");
  alone["engine"]["args"].erase("speculative-algorithm");
  const auto weights = [](const Json& from) {
    return tests::evaluate(from)["memory"]["per_gpu"]["weights"]["best"].get<double>() / kGiB;
  };
  // 494,032,768 parameters in 16 bits
  CHECK(weights(request) - weights(alone) == Approx(0.92).margin(0.01));
  alone["model"]["draft"] = request["model"]["draft"];
  CHECK(tests::outcome_of(alone) == "bad_flag at engine.args.speculative-algorithm");
}

TEST_CASE(
    "NVFP4 experts keep their block scales twice, latent attention its up-projection by heads") {
  const auto weights = [](const char* key) {
    Json request = tests::request_of({"deepseek-ai--DeepSeek-V3", "0.5.9", {{"tp", 8}}, 8});
    request["measured"].erase("weights_bytes");
    request["model"]["config"]["quantization_config"] = {
        {"quant_method", "modelopt"}, {"quant_algo", "NVFP4"}, {"ignore", {"lm_head"}}};
    const Json report = tests::evaluate(request);
    for (const Json& step : report["explain"]) {
      if (step["term"] == "weights") {
        return step["with_numbers"].get<std::string>().find(key) != std::string::npos;
      }
    }
    return false;
  };
  // 58 layers x 256 experts x 3 x 7,168 x 2,048 / 16 / 8 ranks = 5,108,662,272 bytes
  CHECK(weights("4.758 GiB"));
  // 61 layers x 16 heads x 256 x 512 x 2 bytes
  CHECK(weights("0.238 GiB"));
  // 163,840 positions x 64 x 4 bytes
  CHECK(weights("0.039 GiB"));
}

TEST_CASE("--max-total-tokens only lowers, in whole pages") {
  const auto tokens = [](std::uint64_t cap, std::uint64_t page) {
    return tokens_of(
        {"Qwen--Qwen3-8B", "0.5.17", {{"max-total-tokens", cap}, {"page-size", page}}});
  };
  CHECK(tokens(100000, 1) == 100000);
  CHECK(tokens(100000, 64) == 99968);
  CHECK(tokens(900000, 1) == 364088);
  CHECK(tokens(900000, 64) == 364032);
}

TEST_CASE("requests are bounded by flag, by tokens and by the pool") {
  const auto requests = [](Json args, std::uint64_t context) {
    return answer_to({"Qwen--Qwen3-8B",
                      "0.5.17",
                      std::move(args),
                      1,
                      {{"context", context}}})["capacity"]["max_requests"]["best"];
  };
  CHECK(requests({{"context-length", 32768}}, 32768) == 11);
  CHECK(requests({{"context-length", 32768}, {"max-running-requests", 4}}, 32768) == 4);
  // 364,088 / 16 = 22,755, and 364,088 / 32,768 x 512 = 5,688 is cut at 4,096
  CHECK(requests({{"context-length", 32768}}, 16) == 4096);
}

TEST_CASE("a measured pool gives the tokens it holds") {
  Json request = tests::request_of({"Qwen--Qwen3-8B"});
  request["measured"] = {{"kv_pool_bytes", 147456ULL * 1000}};
  CHECK(tests::evaluate(request)["cache"]["tokens"]["best"] == 1000);
}
