// What may be served beside a model: drafts, adapters, pictures; and where weights and caches go.
#include <cmath>

#include "evaluated.hpp"

namespace {

using tests::Json;
using tests::kGiB;

constexpr std::uint64_t kOneGiB = 1ULL << 30U;

Json request(const char* fixture, Json args, int cards = 1, const char* card = "h100-sxm-80gb") {
  return {{"model", {{"config", tests::config_fixture(fixture)}}},
          {"gpu", {{"id", card}, {"count", cards}}},
          {"engine", {{"version", "0.28.0"}, {"args", std::move(args)}}},
          {"workload", {{"context", 8192}}}};
}

Json said_of(const char* fixture, Json args, int cards = 1, const char* card = "h100-sxm-80gb") {
  return tests::evaluate(request(fixture, std::move(args), cards, card));
}

std::uint64_t best(const Json& said, const char* term) {
  return said.at("memory").at("per_gpu").at(term).at("best").get<std::uint64_t>();
}

std::string wrong(const Json& said) {
  return said.contains("error") ? said["error"]["code"].get<std::string>() + " at " +
                                      said["error"]["path"].get<std::string>()
                                : std::string("nothing");
}

/// One decoder layer as wide as Llama-3-8B, as EAGLE's drafts for it are.
Json one_layer_draft() {
  Json config = tests::config_fixture("meta-llama--Meta-Llama-3-8B");
  config["num_hidden_layers"] = 1;
  return {{"config", config}};
}

const char* const kLlama = "meta-llama--Meta-Llama-3-8B";

}  // namespace

TEST_CASE("a draft's layer is in the pool and its weights on the card") {
  // A measured start of Llama-3.1-8B with EAGLE caches 132 KiB a token: 33 layers x 4,096.
  Json with_draft = request(
      kLlama, {{"speculative-config", {{"method", "eagle"}, {"num_speculative_tokens", 3}}}});
  with_draft["model"]["draft"] = one_layer_draft();
  const Json said = tests::evaluate(with_draft);
  CHECK(said.at("cache").at("bytes_per_token") == 135168);
  // One layer: (4,096 x 6,144 + 4,096 x 4,096 + 3 x 4,096 x 14,336 + 2 x 4,096 + 4,096) x 2 bytes.
  const std::uint64_t layer =
      (4096ULL * 6144 + 4096ULL * 4096 + 3ULL * 4096 * 14336 + 3 * 4096) * 2;
  CHECK(best(said, "weights") - best(said_of(kLlama, Json::object()), "weights") == layer);
}

TEST_CASE("an EAGLE-3 head is read as a draft, and only as one") {
  // The published head of Llama-3.1-8B is a file of 850 MB: fc 4,096 x 12,288, queries, keys and
  // values over 8,192 inputs, one feed-forward, 32,000 rows of its own head; no embedding.
  Json config = {{"architectures", Json::array({"LlamaForCausalLMEagle3"})},
                 {"model_type", "llama"},
                 {"hidden_size", 4096},
                 {"intermediate_size", 14336},
                 {"num_attention_heads", 32},
                 {"num_key_value_heads", 8},
                 {"num_hidden_layers", 1},
                 {"max_position_embeddings", 2048},
                 {"torch_dtype", "bfloat16"},
                 {"vocab_size", 128256},
                 {"draft_vocab_size", 32000}};
  Json drafted = request(
      kLlama, {{"speculative-config", {{"method", "eagle3"}, {"num_speculative_tokens", 3}}}});
  drafted["model"]["draft"]["config"] = config;
  const Json said = tests::evaluate(drafted);
  CHECK(said.at("cache").at("bytes_per_token") == 135168);
  const std::uint64_t head =
      best(said, "weights") - best(said_of(kLlama, Json::object()), "weights");
  CHECK(static_cast<double>(head) == Approx(850e6).epsilon(0.002));

  Json alone = request(kLlama, Json::object());
  alone["model"]["config"] = config;
  CHECK(wrong(tests::evaluate(alone)) == "not_a_model at model.config.draft_vocab_size");
  drafted["model"]["draft"]["config"]["draft_vocab_size"] = 0;
  CHECK(wrong(tests::evaluate(drafted)) == "bad_value at model.draft.config.draft_vocab_size");
}

TEST_CASE("settings that name the cache are held against the card") {
  // An H100 has 79.2 GiB: neither 200 GiB of cache nor 4 million blocks of 2 MiB are to be had.
  for (const Json& args :
       {Json{{"kv-cache-memory-bytes", "200G"}}, Json{{"num-gpu-blocks-override", 4000000}}}) {
    const Json said = said_of(kLlama, args);
    CHECK(said.at("verdict").at("serves") == false);
  }
  CHECK(said_of(kLlama, {{"kv-cache-memory-bytes", "20G"}}).at("verdict").at("serves") == true);
}

TEST_CASE("speculation is refused where something is missing") {
  CHECK(wrong(said_of(kLlama, {{"speculative-config", {{"method", "eagle"}}}})) ==
        "missing_field at model.draft.config");
  CHECK(wrong(said_of(kLlama, {{"speculative-config", {{"method", "mtp"}}}})) ==
        "bad_flag at engine.args.speculative-config");
  CHECK(wrong(said_of(kLlama, {{"speculative-config", {{"method", "medusa"}}}})) ==
        "unmodelled_flag at engine.args.speculative-config");
  CHECK(wrong(said_of(kLlama, {{"speculative-config", "eagle"}})) ==
        "bad_flag at engine.args.speculative-config");
  Json unused = request(kLlama, Json::object());
  unused["model"]["draft"] = one_layer_draft();
  CHECK(wrong(tests::evaluate(unused)) == "missing_field at engine.args.speculative-config");
  CHECK(wrong(said_of(kLlama, {{"speculative-config",
                                {{"method", "ngram"}, {"num_speculative_tokens", 4}}}})) ==
        "nothing");
}

TEST_CASE("prediction layers are loaded and cached only when they are used") {
  // DeepSeek-V3: 61 layers of 576 x 2 bytes a token, and one prediction layer more. Its README
  // counts 14 B parameters in the module, of which the tables, 2 x 129,280 x 7,168, are shared.
  const char* const fixture = "deepseek-ai--DeepSeek-V3";
  const Json plain = said_of(fixture, Json::object(), 8, "h200");
  const Json predicted =
      said_of(fixture,
              {{"speculative-config", {{"method", "mtp"}, {"num_speculative_tokens", 1}}},
               {"tensor-parallel-size", 8}},
              8, "h200");
  CHECK(plain.at("cache").at("bytes_per_token") == 70272);
  CHECK(predicted.at("cache").at("bytes_per_token") == 71424);
  const double more = static_cast<double>(best(predicted, "weights") - best(plain, "weights")) * 8;
  CHECK(more > 11.0e9);
  CHECK(more < 13.5e9);
}

TEST_CASE("a state keeps a slot and a column more for each drafted token") {
  // Qwen3-Next: 12 full layers and three groups of 12 delta layers. A request takes its tokens over
  // the block size, and 1 + s states in each group with s drafted tokens.
  const auto states_a_request = [](Json args) {
    args["enable-prefix-caching"] = false;
    const Json said = said_of("Qwen--Qwen3-Next-80B-A3B-Instruct", std::move(args), 4);
    const double blocks = said.at("cache").at("blocks").at("best").get<double>();
    const double block = said.at("cache").at("block_tokens").get<double>();
    return blocks / said.at("capacity").at("max_concurrency").at("best").get<double>() -
           std::ceil(8192.0 / block);
  };
  const double plain = states_a_request({{"tensor-parallel-size", 4}});
  const double drafted = states_a_request(
      {{"tensor-parallel-size", 4},
       {"speculative-config", {{"method", "ngram"}, {"num_speculative_tokens", 2}}}});
  CHECK(plain == Approx(3.0));
  CHECK(drafted == Approx(9.0));
}

TEST_CASE("LoRA slots are made for the largest rank") {
  // Rank 16 on all linear layers of Llama-3-8B is known as 41,943,040 parameters; the two tables
  // take 16 x (4,096 + 128,256) each. Two bytes a value.
  const std::uint64_t plain = best(said_of(kLlama, Json::object()), "weights");
  const auto more = [&](Json args) {
    args["enable-lora"] = true;
    return best(said_of(kLlama, std::move(args)), "weights") - plain;
  };
  const std::uint64_t one = (41943040ULL + 2ULL * 16 * (4096 + 128256)) * 2;
  CHECK(more(Json::object()) == one);
  CHECK(more({{"max-loras", 4}, {"max-lora-rank", 64}}) == 16 * one);
  Json given = request(kLlama, Json::object());
  given["model"]["adapters"] = {{{"name", "a"}, {"rank", 64}}};
  CHECK(wrong(tests::evaluate(given)) == "bad_flag at engine.args.max-lora-rank");
}

TEST_CASE("weights kept in host memory leave the card by as much") {
  const Json plain = said_of(kLlama, Json::object());
  const Json said = said_of(kLlama, {{"cpu-offload-gb", 4}});
  CHECK(best(plain, "weights") - best(said, "weights") == 4 * kOneGiB);
  CHECK(said.at("memory").at("host_bytes") == 4 * kOneGiB);
  CHECK(said.at("speed").is_null());
  // Only the layers can go: 32 x 436,224,000 bytes or so, not the tables.
  const Json all = said_of(kLlama, {{"cpu-offload-gb", 100}});
  CHECK(best(all, "weights") > 2ULL * 128256 * 4096 * 2);
}

TEST_CASE("a cache dealt over ranks holds as many times more") {
  const char* const fixture = "deepseek-ai--DeepSeek-V3";
  const auto concurrency = [&](Json args) {
    args["tensor-parallel-size"] = 8;
    return said_of(fixture, std::move(args), 8, "h200")
        .at("capacity")
        .at("max_concurrency")
        .at("best")
        .get<double>();
  };
  CHECK(concurrency({{"decode-context-parallel-size", 8}}) ==
        Approx(8.0 * concurrency(Json::object())).epsilon(0.01));
  CHECK(wrong(said_of(kLlama, {{"tensor-parallel-size", 4}, {"decode-context-parallel-size", 2}},
                      4)) == "bad_parallelism at engine.args.decode-context-parallel-size");
}

TEST_CASE("TurboQuant leaves the first and last two layers as they are") {
  // A measured start of a model with 36 layers, 8 heads of 128: 46,592 bytes a token, which are 32
  // x 8 x 118 + 4 x 8 x 512.
  const Json said = said_of("Qwen--Qwen3-8B", {{"kv-cache-dtype", "turboquant_k3v4_nc"}});
  CHECK(said.at("cache").at("bytes_per_token") == 46592);
  // Named layers instead: 35 x 8 x 256 + 8 x 512 with one layer left in 16 bits.
  const Json skipped =
      said_of("Qwen--Qwen3-8B", {{"kv-cache-dtype", "fp8"}, {"kv-cache-dtype-skip-layers", {0}}});
  CHECK(skipped.at("cache").at("bytes_per_token") == 35 * 2048 + 4096);
}

TEST_CASE("float32 states make longer blocks") {
  // Qwen3-Next on one card: a state of 2,146,304 bytes against 2,048 a token needs 66 x 16 tokens.
  const Json said = said_of("Qwen--Qwen3-Next-80B-A3B-Instruct",
                            {{"mamba-ssm-cache-dtype", "float32"}}, 1, "b200");
  CHECK(said.at("cache").at("block_tokens") == 1056);
}

TEST_CASE("pictures are profiled unless they are left out") {
  // Gemma-3-27B on H100, vLLM 0.19 with 1,024 sequences and 8,192 tokens: a peak of 3.99 GiB and
  // 51.45 of weights. Its SigLIP encoder has 0.42 B parameters.
  Json start = request(
      "google--gemma-3-27b-it",
      {{"gpu-memory-utilization", 0.95}, {"max-num-seqs", 1024}, {"max-num-batched-tokens", 8192}});
  start["engine"]["version"] = "0.19.0";
  const Json said = tests::evaluate(start);
  CHECK(static_cast<double>(best(said, "activation")) / kGiB == Approx(3.99).epsilon(0.03));
  start["engine"]["args"]["language-model-only"] = true;
  const Json alone = tests::evaluate(start);
  CHECK(static_cast<double>(best(said, "weights") - best(alone, "weights")) ==
        Approx(2 * 0.42e9).epsilon(0.05));
  CHECK(best(alone, "activation") < best(said, "activation"));
}

TEST_CASE("compilation settings say which graphs are captured") {
  const auto graphs = [](Json config) {
    return best(said_of(kLlama, {{"compilation-config", std::move(config)}}), "cuda_graphs");
  };
  CHECK(graphs({{"cudagraph_mode", "NONE"}}) == 0);
  CHECK(graphs({{"cudagraph_capture_sizes", {1, 2, 4}}}) < graphs(Json::object()));
  CHECK(wrong(said_of(kLlama, {{"compilation-config", {{"cudagraph_capture_sizes", {0}}}}})) ==
        "bad_flag at engine.args.compilation-config.cudagraph_capture_sizes");
}

TEST_CASE("layers are dealt to stages as the partition says") {
  Json start = request(kLlama, {{"pipeline-parallel-size", 2}}, 2);
  start["engine"]["env"] = {{"VLLM_PP_LAYER_PARTITION", "20,12"}};
  const Json said = tests::evaluate(start);
  const Json even = said_of(kLlama, {{"pipeline-parallel-size", 2}}, 2);
  CHECK(said.at("cache").at("blocks").at("best").get<std::uint64_t>() <
        even.at("cache").at("blocks").at("best").get<std::uint64_t>());
  start["engine"]["env"] = {{"VLLM_PP_LAYER_PARTITION", "20,11"}};
  CHECK(wrong(tests::evaluate(start)) == "bad_env at engine.env.VLLM_PP_LAYER_PARTITION");
}
