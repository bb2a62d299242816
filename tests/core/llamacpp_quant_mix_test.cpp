// Formats of tensors by the mixes of llama-quantize; sizes are those that logs of such files print.
#include "engine/llamacpp/quant_mix.hpp"
#include "llamacpp_requests.hpp"

namespace llamacpp = ridgepoint::engine::llamacpp;
using llamacpp::Mix;
using llamacpp::MixModel;
using llamacpp::Role;
using llamacpp::TensorPlace;
using llamacpp_requests::mib;
using llamacpp_requests::start;
using tests::Json;

namespace {

std::string mix_name(std::string_view name) {
  const auto mix = llamacpp::find_mix(name);
  return mix ? mix->name : "";
}

std::string_view type_of(std::string_view mix, Role role, std::uint64_t layer, std::uint64_t cols,
                         MixModel model = {}) {
  model.layers = model.layers == 0 ? 32 : model.layers;
  model.attention_count = model.attention_count == 0 ? model.layers : model.attention_count;
  TensorPlace place;
  place.role = role;
  place.layer = layer;
  place.attention_index = layer;
  place.cols = cols;
  return llamacpp::tensor_type(*llamacpp::find_mix(mix), model, place).name;
}

}  // namespace

TEST_CASE("a mix is read from the names that files and tags have") {
  CHECK(mix_name("Llama-3.2-3B-Q4_K_M.gguf") == "Q4_K_M");
  CHECK(mix_name("org/name-GGUF:Q4_K_M") == "Q4_K_M");
  CHECK(mix_name("model_q5_k_s.gguf") == "Q5_K_S");
  CHECK(mix_name("Model.Q8_0.gguf") == "Q8_0");
  CHECK(mix_name("Big-IQ3_XXS-00001-of-00003.gguf") == "IQ3_XXS");
  CHECK(mix_name("Big-IQ4_NL.gguf") == "IQ4_NL");
  CHECK(mix_name("small-bf16.gguf") == "BF16");
  CHECK(mix_name("gpt-oss-20b-MXFP4_MOE.gguf") == "MXFP4_MOE");
  CHECK(mix_name("Meta-Llama-3-8B.gguf").empty());
  CHECK(mix_name("Q4_Knot-a-mix").empty());
  CHECK(mix_name("").empty());
}

TEST_CASE("a publisher's own mix is the nearest known and is said to be one") {
  const auto mix = llamacpp::find_mix("Qwen3.6-27B-UD-Q4_K_XL.gguf");
  REQUIRE(mix);
  CHECK(mix->name == "Q4_K_M");
  CHECK(mix->third_party);
  CHECK(llamacpp::find_mix("x-UD-IQ2_M.gguf")->third_party);
  CHECK_FALSE(llamacpp::find_mix("x-IQ2_M.gguf")->third_party);
}

TEST_CASE("Q4_K_M gives more bits to a half of the layers' values and down projections") {
  // Of 32 layers the first four, the last four and every third between.
  std::vector<std::uint64_t> more;
  for (std::uint64_t i = 0; i < 32; ++i) {
    const auto type = type_of("Q4_K_M", Role::ffn_down, i, 14336);
    CHECK(type == type_of("Q4_K_M", Role::attn_v, i, 4096));
    if (type == "Q6_K") {
      more.push_back(i);
    } else {
      CHECK(type == "Q4_K");
    }
  }
  CHECK(more ==
        std::vector<std::uint64_t>{0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31});
  CHECK(type_of("Q4_K_M", Role::ffn_up, 0, 4096) == "Q4_K");
  CHECK(type_of("Q4_K_M", Role::attn_qkv, 0, 4096) == "Q5_K");
  CHECK(type_of("Q4_K_M", Role::output, 0, 4096) == "Q6_K");
  CHECK(type_of("Q4_K_M", Role::token_embd, 0, 4096) == "Q4_K");
}

TEST_CASE("a tied table is quantised as the output is") {
  MixModel tied;
  tied.tied = true;
  CHECK(type_of("Q4_K_M", Role::token_embd, 0, 2560, tied) == "Q6_K");
  CHECK(type_of("Q8_0", Role::token_embd, 0, 2560, tied) == "Q8_0");
  CHECK(type_of("IQ2_XS", Role::token_embd, 0, 2560, tied) == "Q5_K");
}

TEST_CASE("rows that do not divide into blocks take smaller ones, or none") {
  CHECK(type_of("Q4_K_M", Role::ffn_up, 0, 2880) == "Q5_0");
  CHECK(type_of("Q5_K_S", Role::ffn_up, 0, 2880) == "Q5_1");
  CHECK(type_of("Q6_K", Role::ffn_up, 0, 2880) == "Q8_0");
  CHECK(type_of("Q2_K", Role::attn_q, 0, 2880) == "Q4_0");
  CHECK(type_of("IQ3_S", Role::attn_q, 0, 2880) == "IQ4_NL");
  CHECK(type_of("Q4_K_M", Role::ffn_up, 0, 2890) == "F16");
}

TEST_CASE("models of 70B and those of eight experts have rules of their own") {
  MixModel big;
  big.layers = 80;
  big.seventy_billion = true;
  CHECK(type_of("Q4_K_S", Role::attn_v, 40, 8192, big) == "Q5_K");
  CHECK(type_of("Q4_K_M", Role::attn_v, 0, 8192, big) == "Q6_K");
  MixModel eight;
  eight.experts = 8;
  CHECK(type_of("Q4_K_M", Role::attn_v, 10, 4096, eight) == "Q8_0");
  CHECK(type_of("Q4_K_M", Role::attn_k, 10, 4096, eight) == "Q8_0");
  CHECK(type_of("Q4_K_M", Role::attn_output, 10, 4096, eight) == "Q5_K");
}

TEST_CASE("blocks of ggml's formats take the bytes of their structs") {
  const auto bytes = [](std::string_view type, std::uint64_t elements) {
    return llamacpp::row_bytes(*llamacpp::find_type(type), elements);
  };
  CHECK(bytes("q8_0", 128) == 136);
  CHECK(bytes("Q4_0", 128) == 72);
  CHECK(bytes("Q5_1", 128) == 96);
  CHECK(bytes("IQ4_NL", 128) == 72);
  CHECK(bytes("Q4_K", 4096) == 2304);
  CHECK(bytes("Q6_K", 4096) == 3360);
  CHECK(bytes("MXFP4", 2880) == 1530);
  CHECK(bytes("f16", 576) == 1152);
}

TEST_CASE("model buffers of Llama-3-8B files are those that logs print") {
  // Q4_K_M: CUDA0 4403.49 and CPU 281.81 MiB, 33 of 33 layers. Q4_0: CUDA0 4156.00.
  const Json medium =
      start("meta-llama--Meta-Llama-3-8B", "b8000", {{"model", "L-Q4_K_M.gguf"}, {"c", 512}});
  CHECK(mib(medium, "weights") == Approx(4403.49).margin(0.01));
  CHECK(medium["memory"]["host_bytes"].get<double>() / llamacpp_requests::kMiB ==
        Approx(281.81).margin(0.01));
  const Json small =
      start("meta-llama--Meta-Llama-3-8B", "b8000", {{"model", "L-Q4_0.gguf"}, {"c", 512}});
  CHECK(mib(small, "weights") == Approx(4156.00).margin(0.01));
}

TEST_CASE("without a name the checkpoint is converted in 16 bits, vectors in 32") {
  // 8,030,261,248 parameters less the table of 128,256 x 4,096, two bytes each, and 65 norms of
  // 4,096 with two bytes more.
  const Json report = start("meta-llama--Meta-Llama-3-8B", "b8000", {{"c", 512}});
  CHECK(report["memory"]["per_gpu"]["weights"]["best"] ==
        (8030261248ULL - 128256ULL * 4096) * 2 + 65ULL * 4096 * 2);
  CHECK(llamacpp_requests::says(report, "converted as it is"));
}

TEST_CASE("a checkpoint in MXFP4 keeps its experts") {
  // 24 layers x 32 experts x 3 x 2,880 x 2,880 values, 17 bytes for 32 of them, and biases of
  // 3 x 2,880 values of 4 bytes.
  const double experts =
      24.0 * 32 * (3.0 * 2880 * 2880 / 32 * 17 + 3 * 2880 * 4) / llamacpp_requests::kMiB;
  const Json report = start("openai--gpt-oss-20b", "b8000", {{"c", 4096}});
  CHECK(report["memory"]["weights_by_part"]["experts"].get<double>() / llamacpp_requests::kMiB ==
        Approx(experts).epsilon(0.001));
  const Json published = start("openai--gpt-oss-20b", "b8000",
                               {{"c", 4096}, {"hf-repo", "ggml-org/gpt-oss-20b-GGUF"}});
  CHECK(mib(published, "weights") < mib(report, "weights"));
  CHECK(llamacpp_requests::says(published, "MXFP4_MOE"));
}

TEST_CASE("published files of Llama-3-8B are larger by their header alone, whatever the mix") {
  // Sizes of the files on Hugging Face; metadata and tokenizer take 7,836,672 bytes of each, and
  // paddings differ by a few kilobytes.
  const std::pair<const char*, std::uint64_t> files[] = {
      {"Q8_0", 8540771328},    {"Q6_K", 6596006912},   {"Q5_K_M", 5732987904},
      {"Q4_K_S", 4692669440},  {"Q3_K_L", 4321956864}, {"Q3_K_M", 4018918400},
      {"Q3_K_S", 3664499712},  {"Q2_K", 3179131904},   {"IQ4_XS", 4447662080},
      {"IQ3_XXS", 3274913792}, {"IQ2_M", 2948281344}};
  for (const auto& [mix, size] : files) {
    CAPTURE(mix);
    const Json report = start("meta-llama--Meta-Llama-3-8B", "b8000",
                              {{"c", 512}, {"model", std::string("L-") + mix + ".gguf"}});
    const auto tensors = report["memory"]["per_gpu"]["weights"]["best"].get<std::uint64_t>() +
                         report["memory"]["host_bytes"].get<std::uint64_t>();
    CHECK(static_cast<double>(size - tensors) == Approx(7836672.0).margin(4096));
  }
}

TEST_CASE("a tied table is in the file once and in memory twice") {
  // Llama-3.2-3B Q4_K_M: CUDA0 1918.36 MiB and CPU_Mapped 308.24, as printed.
  Json config = tests::config_fixture("meta-llama--Meta-Llama-3-8B");
  config["hidden_size"] = 3072;
  config["intermediate_size"] = 8192;
  config["num_hidden_layers"] = 28;
  config["num_attention_heads"] = 24;
  config["num_key_value_heads"] = 8;
  config["head_dim"] = 128;
  config["tie_word_embeddings"] = true;
  const Json report = tests::evaluate(llamacpp_requests::request(
      config, "b8000", {{"c", 512}, {"model", "Llama-3.2-3B-Q4_K_M.gguf"}}));
  CHECK(mib(report, "weights") == Approx(1918.36).margin(0.02));
  CHECK(report["memory"]["host_bytes"].get<double>() / llamacpp_requests::kMiB ==
        Approx(308.23).margin(0.02));
}
