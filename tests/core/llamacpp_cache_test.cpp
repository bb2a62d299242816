// Caches as logs of llama.cpp print them; the sums are in the comments.
#include "llamacpp_requests.hpp"

using llamacpp_requests::mib;
using llamacpp_requests::pool;
using llamacpp_requests::refusal;
using llamacpp_requests::slots;
using llamacpp_requests::start;
using tests::Json;

TEST_CASE("keys and values take their formats' bytes in every layer") {
  // 32 layers x 8 heads x 128 x 2 x 8,192 cells x 2 bytes.
  CHECK(mib(start("meta-llama--Meta-Llama-3-8B", "b8000", {{"c", 8192}}), "kv_pool") == 1024.0);
  // 48 layers x 4 x 128 x 2 x 34/32 x 32,768 cells: 1,632 MiB, printed by b8157.
  const Json eight_bits = start("Qwen--Qwen3-30B-A3B", "b8157",
                                {{"c", 32768}, {"np", 4}, {"ctk", "q8_0"}, {"ctv", "q8_0"}});
  CHECK(mib(eight_bits, "kv_pool") == 1632.0);
  CHECK(eight_bits["cache"]["bytes_per_token"] == 52224);
  CHECK(eight_bits["cache"]["format"] == "q8_0");
  // q4_0 keys, f16 values: 32 x 1,024 x (18/32 + 2).
  CHECK(start("meta-llama--Meta-Llama-3-8B", "b8000",
              {{"c", 8192}, {"ctk", "q4_0"}})["cache"]["bytes_per_token"] == 83968);
}

TEST_CASE("a context is padded to 256 cells, and each slot's part where slots do not share") {
  const auto tokens = [](Json args) {
    return start("meta-llama--Meta-Llama-3-8B", "b8000",
                 std::move(args))["cache"]["tokens"]["best"];
  };
  CHECK(tokens({{"c", 120000}}) == 120064);
  CHECK(tokens({{"c", 8192}, {"np", 4}}) == 8192);
  CHECK(tokens({{"c", 1000}, {"np", 3}}) == 1536);  // 1,024 / 3 = 341, padded to 512, three times
}

TEST_CASE("slots that share one cache may each use the whole of it") {
  const Json shared = start("meta-llama--Meta-Llama-3-8B", "b8000", {{"c", 8192}});
  CHECK(shared["engine"]["max_model_len"] == 8192);
  CHECK(shared["engine"]["max_num_seqs"] == 4);
  CHECK(llamacpp_requests::says(shared, "four slots"));
  const Json apart = start("meta-llama--Meta-Llama-3-8B", "b8000", {{"c", 8192}, {"np", 4}});
  CHECK(apart["engine"]["max_model_len"] == 2048);
  CHECK(apart["capacity"]["max_concurrency"]["best"] == 4.0);
  const Json asked =
      start("meta-llama--Meta-Llama-3-8B", "b8000", {{"c", 8192}, {"np", 4}, {"kvu", true}});
  CHECK(asked["engine"]["max_model_len"] == 8192);
  // Before the slots shared their cells, one slot was the default.
  CHECK(start("meta-llama--Meta-Llama-3-8B", "b6000",
              {{"c", 8192}, {"ngl", 99}})["engine"]["max_num_seqs"] == 1);
}

TEST_CASE("windows keep the slots' windows and a micro-batch") {
  const auto cells = [](Json args) {
    args["c"] = 131072;
    return slots(start("openai--gpt-oss-20b", "b8000", std::move(args)), "sliding window");
  };
  // 128 + 512, 128 + 2,048, 128 + 128: padded to 768, 2,304 and 256 as printed.
  CHECK(cells({{"np", 1}}) == 768);
  CHECK(cells({{"np", 1}, {"ub", 2048}}) == 2304);
  CHECK(cells({{"np", 1}, {"ub", 128}}) == 256);
  CHECK(cells({}) == 1024);  // 4 x 128 + 512
  CHECK(cells({{"np", 1}, {"swa-full", true}}) == 131072);
  // 12 layers x 8 x 64 x 2 x 2 bytes: 54 MiB of 2,304 cells, 3,072 of 131,072, printed on an M5.
  const Json wide = start("openai--gpt-oss-20b", "b9000", {{"c", 131072}, {"np", 1}, {"ub", 2048}});
  CHECK(pool(wide, "sliding window") == 54.0);
  CHECK(pool(wide, "full attention") == 3072.0);
}

TEST_CASE("four slots of Gemma-2's window save nothing at 8,192, nor do builds before windows") {
  // 26 layers x 4 x 256 x 2 x 2 x 8,192: 832 MiB, printed.
  CHECK(mib(start("google--gemma-2-2b", "b9000", {{"c", 8192}}), "kv_pool") == 832.0);
  const auto old = start("google--gemma-2-2b", "b5000", {{"c", 8192}, {"ngl", 99}});
  CHECK(mib(old, "kv_pool") == 832.0);
  CHECK(mib(start("google--gemma-2-2b", "b9000", {{"c", 8192}, {"np", 1}}), "kv_pool") ==
        Approx(832.0 / 2 + 832.0 / 2 * 4608 / 8192));
}

TEST_CASE("latent attention keeps one row, and its values beside it until b7886") {
  const auto bytes = [](const char* build) {
    return start("deepseek-ai--DeepSeek-V3", build,
                 {{"c", 4096}, {"cmoe", true}})["cache"]["bytes_per_token"];
  };
  CHECK(bytes("b8000") == 61 * 576 * 2);
  CHECK(bytes("b7500") == 61 * 1088 * 2);
}

TEST_CASE("before latent caches every head of DeepSeek-V3 keeps keys and values") {
  // 61 layers x 128 heads x (192 of a key + 128 of a value) x 2 bytes: 4,997,120 a token.
  const Json heads = start("deepseek-ai--DeepSeek-V3", "b5000", {{"c", 4096}});
  CHECK(heads["cache"]["bytes_per_token"] == 4997120);
  // Since: 61 x (576 + 512) x 2.
  const Json latent = start("deepseek-ai--DeepSeek-V3", "b5200", {{"c", 4096}});
  CHECK(latent["cache"]["bytes_per_token"] == 132736);
}

TEST_CASE("DeepSeek-V4's slots share nothing, whatever the default") {
  const Json said = start("deepseek-ai--DeepSeek-V4-Flash", "b10470", {{"c", 8192}});
  CHECK(said["engine"]["max_num_seqs"] == 4);
  CHECK(said["engine"]["max_model_len"] == 2048);
}

TEST_CASE("GLM-5.2 at 768,000 tokens has the latent and indexer caches that its log prints") {
  // 78 layers x 576 x 2: 65,812.5 MiB; 21 layers with an indexer of their own x 128 x 2: 3,937.5.
  const Json report =
      start("zai-org--GLM-5.2", "b10470", {{"c", 768000}, {"np", 1}, {"cmoe", true}});
  CHECK(mib(report, "kv_pool") == 65812.5 + 3937.5);
}

TEST_CASE("recurrent states are float32, one for each slot and rollback copy") {
  // 48 layers x (3 x 10,240 + 48 x 128 x 128) x 4 bytes: 149.625 MiB a sequence, 598.50 printed.
  const Json four =
      start("Qwen--Qwen3.5-27B--text", "b9150", {{"c", 131072}, {"ctk", "q8_0"}, {"ctv", "q8_0"}});
  CHECK(pool(four, "recurrent state") == 598.5);
  CHECK(pool(four, "full attention") == 4352.0);
  CHECK(four["cache"]["state_bytes_per_request"] == 149.625 * llamacpp_requests::kMiB);
  // 50.25 MiB of the 4B, four times with three drafted tokens: 201; the drafting layer's own
  // cache is 131,072 x 2,048 x 2 bytes.
  const Json drafting = start("Qwen--Qwen3.5-4B--text", "b9500",
                              {{"c", 131072},
                               {"np", 1},
                               {"ctk", "q8_0"},
                               {"ctv", "q8_0"},
                               {"spec-type", "draft-mtp"},
                               {"spec-draft-n-max", 3}});
  CHECK(pool(drafting, "recurrent state") == 201.0);
  CHECK(pool(drafting, "full attention") == 2176.0);
  CHECK(pool(drafting, "draft") == 512.0);
}

TEST_CASE("layers that share a cache have none of their own") {
  // Gemma-4-E2B: 15 of 35 layers cache; 24 MiB in 3 global ones, 48 in 12 windowed, as printed.
  const Json report = start("google--gemma-4-E2B-text", "b9370", {{"c", 4096}, {"swa-full", true}});
  CHECK(pool(report, "full attention") == 24.0);
  CHECK(pool(report, "sliding window") == 48.0);
}

TEST_CASE("caches may stay in the machine's memory") {
  const Json report = start("meta-llama--Meta-Llama-3-8B", "b8000",
                            {{"c", 8192}, {"nkvo", true}, {"model", "L-Q4_0.gguf"}});
  CHECK(mib(report, "kv_pool") == 0.0);
  CHECK(report["memory"]["host_bytes"].get<double>() / llamacpp_requests::kMiB ==
        Approx(1024.0 + 281.81).margin(0.01));
  CHECK(report["speed"].is_null());
}

TEST_CASE("a quantised V cache wants flash attention") {
  const Json error = refusal("b8000", {{"ctv", "q8_0"}, {"fa", "off"}});
  CHECK(error["code"] == "bad_flag");
  CHECK(error["path"] == "engine.args.ctv");
  // Off by default before b6325.
  CHECK(refusal("b6000", {{"cache-type-v", "q4_0"}})["path"] == "engine.args.cache-type-v");
}

TEST_CASE("DeepSeek-V4 keeps rows that stand for 4 and 128 tokens beside its window") {
  // 21 layers x 262,144 x (512 + 128 of the indexer) x 2 and 20 x 8,192 x 512 x 2: 6,720 + 160 MiB;
  // 43 windows of 128 + 512 padded to 768 cells x 512 x 2.
  const Json report = start("deepseek-ai--DeepSeek-V4-Flash", "b10470",
                            {{"c", 1048576}, {"np", 1}, {"cmoe", true}});
  CHECK(pool(report, "full attention") == 6880.0);
  CHECK(pool(report, "sliding window") == 32.25);
  CHECK(slots(report, "sliding window") == 768);
}

TEST_CASE("gpt-oss-120b at 65,535 tokens with the server's four slots is as printed") {
  // 18 layers x 8 x 64 x 2 x 2 bytes: 2,304 MiB of 65,536 cells and 36 of 4 x 128 + 512.
  const Json report = start("openai--gpt-oss-120b", "b9000", {{"c", 65535}, {"cmoe", true}});
  CHECK(pool(report, "full attention") == 2304.0);
  CHECK(pool(report, "sliding window") == 36.0);
}
