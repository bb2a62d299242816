#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "fixtures.hpp"
#include "precision/kv_format.hpp"
#include "precision/name_pattern.hpp"
#include "precision/quantization.hpp"
#include "precision/weight_format.hpp"

using fixtures::Json;
using ridgepoint::precision::checkpoint_bytes;
using ridgepoint::precision::Dtype;
using ridgepoint::precision::glob_matches;
using ridgepoint::precision::has_components;
using ridgepoint::precision::kv_bytes_per_head;
using ridgepoint::precision::KvFormat;
using ridgepoint::precision::latent_bytes;
using ridgepoint::precision::loaded_bytes;
using ridgepoint::precision::ModuleKind;
using ridgepoint::precision::Packing;
using ridgepoint::precision::parse_kv_format;
using ridgepoint::precision::Quantization;
using ridgepoint::precision::read_quantization;
using ridgepoint::precision::regex_is_understood;
using ridgepoint::precision::regex_matches;
using ridgepoint::precision::WeightFormat;

namespace {

constexpr Dtype kHalf = Dtype::bfloat16;
constexpr std::string_view kProjection = "model.layers.3.self_attn.q_proj";

WeightFormat format(Packing packing, std::uint32_t bits, std::uint32_t group = 0) {
  WeightFormat out;
  out.packing = packing;
  out.bits = bits;
  out.group_size = group;
  return out;
}

Quantization read(const Json& config) {
  auto scheme = read_quantization(fixtures::parsed(config), "model.config.quantization_config");
  if (!scheme) {
    FAIL(scheme.error().path << ": " << scheme.error().message);
  }
  return scheme.value();
}

std::string refusal(const Json& config) {
  const auto scheme = read_quantization(fixtures::parsed(config), "q");
  return scheme ? "" : scheme.error().code + " at " + scheme.error().path;
}

WeightFormat linear(const Quantization& scheme, std::string_view module = kProjection) {
  return scheme.format_of(module, ModuleKind::linear);
}

bool plain(const Quantization& scheme, std::string_view module,
           ModuleKind kind = ModuleKind::linear) {
  return scheme.format_of(module, kind).packing == Packing::plain;
}

Json compressed(const Json& weights, std::string_view container, bool activations = false) {
  Json group = {{"targets", {"Linear"}}, {"weights", weights}};
  if (activations) {
    group["input_activations"] = {{"num_bits", 8}, {"type", "float"}, {"dynamic", true}};
  }
  return {{"quant_method", "compressed-tensors"},
          {"format", container},
          {"ignore", {"lm_head"}},
          {"config_groups", {{"group_0", group}}}};
}

}  // namespace

// Shapes below are 64 outputs x 256 inputs = 16,384 values unless said.

TEST_CASE("an unquantised weight takes its dtype's bytes") {
  CHECK(checkpoint_bytes({}, Dtype::bfloat16, 64, 256) == 32768);
  CHECK(checkpoint_bytes({}, Dtype::float16, 64, 256) == 32768);
  CHECK(checkpoint_bytes({}, Dtype::float32, 64, 256) == 65536);
  CHECK(loaded_bytes({}, Dtype::bfloat16, 64, 256) == 32768);
}

TEST_CASE("AWQ takes packed values, scales and packed zeros of each group") {
  const WeightFormat awq = format(Packing::awq, 4, 128);
  // Values 16,384 / 2 = 8,192; 2 groups x 64 scales x 2 = 256; 2 groups x 64 zeros / 2 = 64.
  CHECK(checkpoint_bytes(awq, kHalf, 64, 256) == 8512);
  CHECK(loaded_bytes(awq, kHalf, 64, 256) == 8512);
}

TEST_CASE("AWQ costs 0.5195 bytes a value in groups of 128") {
  // 4 bits, a 16-bit scale and a 4-bit zero per 128 values: 4.15625 bits.
  CHECK(static_cast<double>(checkpoint_bytes(format(Packing::awq, 4, 128), kHalf, 8192, 8192)) /
            (8192.0 * 8192.0) ==
        Approx(0.51953125));
}

TEST_CASE("GPTQ stores a group index that is dropped on loading unless the order matters") {
  WeightFormat gptq = format(Packing::gptq, 4, 128);
  // Values 8,192, scales 256, zeros 64, and 256 inputs x 4 bytes of index.
  CHECK(checkpoint_bytes(gptq, kHalf, 64, 256) == 9536);
  // Symmetric: zeros say nothing and go too.
  CHECK(loaded_bytes(gptq, kHalf, 64, 256) == 8448);
  gptq.activation_order = true;
  CHECK(loaded_bytes(gptq, kHalf, 64, 256) == 9472);
  gptq.symmetric = false;
  CHECK(loaded_bytes(gptq, kHalf, 64, 256) == 9536);
}

TEST_CASE("GPTQ without groups has one scale an output") {
  // Values 8,192, 64 scales x 2, 64 zeros / 2, index 1,024.
  CHECK(checkpoint_bytes(format(Packing::gptq, 4), kHalf, 64, 256) == 9376);
  // Eight bits: values 16,384, scales 2 x 64 x 2, zeros 2 x 64, index 1,024.
  CHECK(checkpoint_bytes(format(Packing::gptq, 8, 128), kHalf, 64, 256) == 17792);
}

TEST_CASE("FP8 takes a byte a value and its scales") {
  CHECK(checkpoint_bytes(format(Packing::fp8_tensor, 8), kHalf, 64, 256) == 16384 + 4);
  CHECK(checkpoint_bytes(format(Packing::fp8_channel, 8), kHalf, 64, 256) == 16384 + 64 * 4);
  WeightFormat with_input = format(Packing::fp8_tensor, 8);
  with_input.static_activation = true;
  CHECK(checkpoint_bytes(with_input, kHalf, 64, 256) == 16384 + 8);
}

TEST_CASE("FP8 in blocks takes one scale a tile, edges included") {
  WeightFormat block = format(Packing::fp8_block, 8);
  block.block_rows = 128;
  block.block_cols = 128;
  CHECK(checkpoint_bytes(block, kHalf, 256, 256) == 65536 + 4 * 4);
  CHECK(checkpoint_bytes(block, kHalf, 64, 256) == 16384 + 2 * 4);
  // DeepSeek's kv_a_proj: 576 x 7,168 is 5 x 56 tiles, the last row of tiles half full.
  CHECK(checkpoint_bytes(block, kHalf, 576, 7168) == 4128768 + 280 * 4);
}

TEST_CASE("MXFP4 takes half a byte a value and a byte of scale for 32") {
  CHECK(checkpoint_bytes(format(Packing::mxfp4, 4), kHalf, 64, 256) == 8192 + 512);
}

TEST_CASE("NVFP4 takes half a byte a value, a byte of scale for 16 and two scales a tensor") {
  CHECK(checkpoint_bytes(format(Packing::nvfp4, 4), kHalf, 64, 256) == 8192 + 1024 + 8);
}

TEST_CASE("bitsandbytes NF4 takes a float scale for 64 values and its table") {
  const WeightFormat nf4 = format(Packing::bnb_nf4, 4);
  // 8,192 + 256 blocks x 4 + 16 table values x 4.
  CHECK(checkpoint_bytes(nf4, kHalf, 64, 256) == 9280);
  WeightFormat twice = nf4;
  twice.double_quantised = true;
  // 8,192 + 256 blocks x 1 + 1 outer block x 4 + 256 code values x 4 + 16 x 4.
  CHECK(checkpoint_bytes(twice, kHalf, 64, 256) == 9540);
  // Where it pays: 4,096 x 4,096 is 8,388,608 + 262,144 + 1,024 x 4 + 1,024 + 64.
  CHECK(checkpoint_bytes(twice, kHalf, 4096, 4096) == 8655936);
  CHECK(checkpoint_bytes(nf4, kHalf, 4096, 4096) == 8388608 + 1048576 + 64);
}

TEST_CASE("eight-bit integers take a byte a value and a float scale a row") {
  CHECK(checkpoint_bytes(format(Packing::bnb_int8, 8), kHalf, 64, 256) == 16640);
  CHECK(checkpoint_bytes(format(Packing::int8_channel, 8), kHalf, 64, 256) == 16640);
}

TEST_CASE("pack-quantized has zeros only when it is asymmetric") {
  WeightFormat packed = format(Packing::packed_int, 4, 128);
  // Values 8,192, scales 2 x 64 x 2 = 256, the shape of the weight as two int64.
  CHECK(checkpoint_bytes(packed, kHalf, 64, 256) == 8192 + 256 + 16);
  CHECK(loaded_bytes(packed, kHalf, 64, 256) == 8192 + 256);
  packed.symmetric = false;
  CHECK(checkpoint_bytes(packed, kHalf, 64, 256) == 8192 + 256 + 64 + 16);
  CHECK(loaded_bytes(packed, kHalf, 64, 256) == 8192 + 256 + 64);
}

TEST_CASE("a group that does not divide the inputs rounds up") {
  // 130 inputs, 8 outputs, groups of 128: 2 groups. Values 130 x 8 / 2 = 520, scales 2 x 8 x 2 =
  // 32, zeros 2 x 8 / 2 = 8.
  CHECK(checkpoint_bytes(format(Packing::awq, 4, 128), kHalf, 8, 130) == 560);
}

TEST_CASE("formats describe themselves for people") {
  CHECK(describe(format(Packing::awq, 4, 128), kHalf) == "AWQ 4-bit g128");
  CHECK(describe({}, kHalf) == "bfloat16");
  for (const Packing packing :
       {Packing::plain, Packing::fp8_tensor, Packing::fp8_channel, Packing::fp8_block,
        Packing::int8_channel, Packing::awq, Packing::gptq, Packing::packed_int, Packing::mxfp4,
        Packing::nvfp4, Packing::bnb_nf4, Packing::bnb_int8}) {
    CHECK_FALSE(describe(format(packing, 4), kHalf).empty());
  }
}

TEST_CASE("cache formats take the bytes of vLLM's table for a head of 128") {
  const auto bytes = [](KvFormat kv) { return kv_bytes_per_head(kv, kHalf, 128, 128); };
  CHECK(bytes(KvFormat::model_dtype) == 512);
  CHECK(bytes(KvFormat::fp8) == 256);
  CHECK(bytes(KvFormat::nvfp4) == 144);
  CHECK(bytes(KvFormat::turboquant_k8v4) == 196);
  CHECK(bytes(KvFormat::turboquant_4bit_nc) == 134);
  CHECK(bytes(KvFormat::turboquant_k3v4_nc) == 118);
  CHECK(bytes(KvFormat::turboquant_3bit_nc) == 102);
  CHECK(bytes(KvFormat::int8_per_token_head) == 264);
  CHECK(bytes(KvFormat::int4_per_token_head) == 136);
  CHECK(kv_bytes_per_head(KvFormat::model_dtype, Dtype::float32, 128, 128) == 1024);
}

TEST_CASE("keys and values of different widths count each") {
  CHECK(kv_bytes_per_head(KvFormat::model_dtype, kHalf, 192, 128) == 640);
  CHECK(kv_bytes_per_head(KvFormat::fp8, kHalf, 192, 128) == 320);
}

TEST_CASE("latent cache rows take the bytes of vLLM's table") {
  CHECK(latent_bytes(KvFormat::model_dtype, kHalf, 576) == 1152U);
  CHECK(latent_bytes(KvFormat::fp8, kHalf, 576) == 576U);
  CHECK(latent_bytes(KvFormat::fp8_ds_mla, kHalf, 576) == 656U);
  CHECK_FALSE(latent_bytes(KvFormat::nvfp4, kHalf, 576).has_value());
  CHECK_FALSE(latent_bytes(KvFormat::turboquant_k8v4, kHalf, 576).has_value());
}

TEST_CASE("cache formats are known by vLLM's names") {
  for (const char* name : {"fp8", "fp8_e4m3", "fp8_e5m2", "fp8_inc"}) {
    CHECK(parse_kv_format(name) == KvFormat::fp8);
  }
  CHECK(parse_kv_format("bfloat16") == KvFormat::model_dtype);
  CHECK(parse_kv_format("int8_per_token_head") == KvFormat::int8_per_token_head);
  CHECK(parse_kv_format("fp8_per_token_head") == KvFormat::int8_per_token_head);
  CHECK(parse_kv_format("nvfp4") == KvFormat::nvfp4);
  CHECK(parse_kv_format("fp8_ds_mla") == KvFormat::fp8_ds_mla);
  CHECK(parse_kv_format("turboquant_3bit_nc") == KvFormat::turboquant_3bit_nc);
  CHECK_FALSE(parse_kv_format("auto").has_value());
  CHECK_FALSE(parse_kv_format("").has_value());
  CHECK_FALSE(parse_kv_format("FP8").has_value());
  CHECK_FALSE(parse_kv_format("model dtype").has_value());
}

TEST_CASE("AWQ is read in its new and old spellings") {
  const Quantization scheme = read({{"quant_method", "awq"},
                                    {"bits", 4},
                                    {"group_size", 128},
                                    {"zero_point", true},
                                    {"version", "gemm"}});
  CHECK(linear(scheme).packing == Packing::awq);
  CHECK(linear(scheme).group_size == 128);
  CHECK_FALSE(linear(scheme).symmetric);
  const Quantization old = read({{"w_bit", 4}, {"q_group_size", 64}, {"zero_point", true}});
  CHECK(linear(old).packing == Packing::awq);
  CHECK(linear(old).group_size == 64);
  CHECK(linear(read({{"quant_method", "AWQ"}, {"bits", 4}})).packing == Packing::awq);
}

TEST_CASE("embeddings, router and head stay as they are in AWQ") {
  const Quantization scheme = read({{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}});
  CHECK(plain(scheme, "model.embed_tokens", ModuleKind::embedding));
  CHECK(plain(scheme, "lm_head", ModuleKind::lm_head));
  CHECK(plain(scheme, "model.layers.0.mlp.gate", ModuleKind::router));
  CHECK_FALSE(plain(scheme, "model.layers.0.mlp.experts.0.up_proj", ModuleKind::expert));
}

TEST_CASE("GPTQ is read with its order, symmetry and head") {
  const Quantization scheme = read({{"quant_method", "gptq"},
                                    {"bits", 8},
                                    {"group_size", -1},
                                    {"desc_act", true},
                                    {"sym", false},
                                    {"lm_head", true}});
  CHECK(linear(scheme).packing == Packing::gptq);
  CHECK(linear(scheme).bits == 8);
  CHECK(linear(scheme).group_size == 0);
  CHECK(linear(scheme).activation_order);
  CHECK_FALSE(linear(scheme).symmetric);
  CHECK_FALSE(plain(scheme, "lm_head", ModuleKind::lm_head));
}

TEST_CASE("FP8 is read by block, by tensor and by channel") {
  const Quantization block = read({{"quant_method", "fp8"}, {"weight_block_size", {128, 64}}});
  CHECK(linear(block).packing == Packing::fp8_block);
  CHECK(linear(block).block_rows == 128);
  CHECK(linear(block).block_cols == 64);
  const Quantization tensor = read(
      {{"quant_method", "fp8"}, {"activation_scheme", "static"}, {"weight_block_size", nullptr}});
  CHECK(linear(tensor).packing == Packing::fp8_tensor);
  CHECK(linear(tensor).static_activation);
  CHECK(linear(read({{"quant_method", "fbgemm_fp8"}})).packing == Packing::fp8_channel);
}

TEST_CASE("bitsandbytes is read as four or eight bits") {
  const Quantization four =
      read({{"quant_method", "bitsandbytes"},
            {"load_in_4bit", true},
            {"bnb_4bit_use_double_quant", true},
            {"llm_int8_skip_modules", {"lm_head", "model.layers.3.self_attn.q_proj"}}});
  CHECK(linear(four, "model.layers.2.self_attn.q_proj").packing == Packing::bnb_nf4);
  CHECK(linear(four, "model.layers.2.self_attn.q_proj").double_quantised);
  CHECK(plain(four, kProjection));
  CHECK(linear(read({{"load_in_8bit", true}})).packing == Packing::bnb_int8);
}

TEST_CASE("MXFP4 of gpt-oss is the experts alone") {
  const Quantization scheme = read(fixtures::config("openai--gpt-oss-20b")["quantization_config"]);
  CHECK(plain(scheme, kProjection));
  CHECK(scheme.format_of("model.layers.0.mlp.experts.0.gate_proj", ModuleKind::expert).packing ==
        Packing::mxfp4);
}

TEST_CASE("compressed-tensors is read by what its groups say") {
  const auto packing = [](const Json& config) { return linear(read(config)).packing; };
  const Json int4 = {{"num_bits", 4}, {"type", "int"}, {"strategy", "group"}, {"group_size", 128}};
  CHECK(packing(compressed(int4, "pack-quantized")) == Packing::packed_int);
  CHECK(linear(read(compressed(int4, "pack-quantized"))).group_size == 128);
  CHECK(linear(read(compressed(int4, "pack-quantized"))).symmetric);
  Json channel = {{"num_bits", 8}, {"type", "float"}, {"strategy", "channel"}};
  CHECK(packing(compressed(channel, "float-quantized", true)) == Packing::fp8_channel);
  channel["strategy"] = "tensor";
  CHECK(packing(compressed(channel, "float-quantized", true)) == Packing::fp8_tensor);
  const Json int8 = {{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}};
  CHECK(packing(compressed(int8, "int-quantized", true)) == Packing::int8_channel);
  const Json float4 = {
      {"num_bits", 4}, {"type", "float"}, {"strategy", "tensor_group"}, {"group_size", 16}};
  CHECK(packing(compressed(float4, "nvfp4-pack-quantized", true)) == Packing::nvfp4);
  CHECK(packing(compressed(float4, "mxfp4-pack-quantized", true)) == Packing::mxfp4);
}

TEST_CASE("compressed-tensors blocks have the size they name") {
  Json block = {
      {"num_bits", 8}, {"type", "float"}, {"strategy", "block"}, {"block_structure", {64, 32}}};
  const WeightFormat read_format = linear(read(compressed(block, "float-quantized", true)));
  CHECK(read_format.packing == Packing::fp8_block);
  CHECK(read_format.block_rows == 64);
  CHECK(read_format.block_cols == 32);
}

TEST_CASE("compressed-tensors groups apply to their own targets") {
  Json config = compressed({{"num_bits", 4},
                            {"type", "int"},
                            {"strategy", "group"},
                            {"group_size", 32},
                            {"symmetric", false}},
                           "pack-quantized");
  config["config_groups"]["group_0"]["targets"] = {"re:.*mlp.*", "model.layers.0.self_attn.k_proj"};
  const Quantization scheme = read(config);
  CHECK(linear(scheme, "model.layers.7.mlp.up_proj").packing == Packing::packed_int);
  CHECK_FALSE(linear(scheme, "model.layers.7.mlp.up_proj").symmetric);
  CHECK(linear(scheme, "model.layers.0.self_attn.k_proj").packing == Packing::packed_int);
  CHECK(plain(scheme, "model.layers.7.self_attn.k_proj"));
}

TEST_CASE("ModelOpt is read from a config and from its own file") {
  const Quantization own = read({{"producer", {{"name", "modelopt"}}},
                                 {"quantization",
                                  {{"quant_algo", "FP8"},
                                   {"kv_cache_quant_algo", "FP8"},
                                   {"exclude_modules", {"lm_head", "model.layers.0.*"}}}}});
  CHECK(linear(own).packing == Packing::fp8_tensor);
  CHECK(own.kv_cache == KvFormat::fp8);
  CHECK(plain(own, "model.layers.0.self_attn.q_proj"));
  CHECK_FALSE(plain(own, "model.layers.10.self_attn.q_proj"));
  const Quantization inside =
      read(fixtures::config("nvidia--Qwen3-8B-NVFP4")["quantization_config"]);
  CHECK(linear(inside).packing == Packing::nvfp4);
  CHECK_FALSE(inside.kv_cache.has_value());
  CHECK(read({{"quant_method", "modelopt"},
              {"quant_algo", "NVFP4"},
              {"kv_cache_scheme", {{"num_bits", 8}, {"type", "float"}}}})
            .kv_cache == KvFormat::fp8);
}

TEST_CASE("an ignore list takes names, parts, globs and expressions") {
  Quantization scheme = read({{"quant_method", "fp8"},
                              {"modules_to_not_convert",
                               {"model.layers.0.mlp", "self_attn.kv_a_proj_with_mqa",
                                "model.layers.*.mlp.gate", "re:.*shared_head.*"}}});
  CHECK(plain(scheme, "model.layers.0.mlp.up_proj"));
  CHECK_FALSE(plain(scheme, "model.layers.10.mlp.up_proj"));
  CHECK(plain(scheme, "model.layers.5.self_attn.kv_a_proj_with_mqa"));
  CHECK_FALSE(plain(scheme, "model.layers.5.self_attn.kv_a_proj_with_mqa2"));
  CHECK(plain(scheme, "model.layers.9.mlp.gate"));
  CHECK_FALSE(plain(scheme, "model.layers.9.mlp.gate_proj"));
  CHECK(plain(scheme, "model.layers.61.shared_head.head"));
}

TEST_CASE("a quantisation this build does not size is refused by name") {
  CHECK(refusal({{"quant_method", "vptq"}}) == "unsupported_quantization at q.quant_method");
  CHECK(refusal(Json::object()) == "unsupported_quantization at q.quant_method");
  CHECK(refusal({{"quant_method", "modelopt"}, {"quant_algo", "NVFP5"}}) ==
        "unsupported_quantization at q.quant_algo");
  CHECK(refusal({{"quant_method", "modelopt"}, {"quant_algo", "MIXED_PRECISION"}}) ==
        "bad_value at q.quantized_layers");
  CHECK(refusal({{"quant_method", "compressed-tensors"}}) == "bad_value at q.config_groups");
  CHECK(refusal({{"quant_method", "compressed-tensors"}, {"config_groups", Json::object()}}) ==
        "bad_value at q.config_groups");
}

TEST_CASE("a quantisation config of a wrong shape is refused at its field") {
  CHECK(refusal(Json::array()) == "bad_value at q");
  CHECK(refusal("awq") == "bad_value at q");
  CHECK(refusal({{"quant_method", 4}}) == "bad_value at q.quant_method");
  CHECK(refusal({{"quant_method", "awq"}, {"bits", 0}}) == "bad_value at q.bits");
  CHECK(refusal({{"quant_method", "awq"}, {"bits", "four"}}) == "bad_value at q.bits");
  CHECK(refusal({{"quant_method", "awq"}, {"bits", 64}}) == "bad_value at q.bits");
  CHECK(refusal({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", 0}}) ==
        "bad_value at q.group_size");
  CHECK(refusal({{"quant_method", "gptq"}, {"bits", 4}, {"group_size", -2}}) ==
        "bad_value at q.group_size");
  CHECK(refusal({{"quant_method", "gptq"}, {"bits", 4}, {"desc_act", "no"}}) ==
        "bad_value at q.desc_act");
  for (const Json& block : {Json{128}, Json{0, 128}, Json{128, -1}, Json{128, 1e300},
                            Json{128, "128"}, Json{128, 128, 128}, Json::array()}) {
    INFO(block.dump());
    CHECK(refusal({{"quant_method", "fp8"}, {"weight_block_size", block}}) ==
          "bad_value at q.weight_block_size");
  }
  CHECK(refusal({{"quant_method", "fp8"}, {"weight_block_size", 128}}) ==
        "bad_value at q.weight_block_size");
  CHECK(refusal({{"quant_method", "fp8"}, {"modules_to_not_convert", "lm_head"}}) ==
        "bad_value at q.modules_to_not_convert");
  CHECK(refusal({{"quant_method", "fp8"}, {"modules_to_not_convert", {1, 2}}}) ==
        "bad_value at q.modules_to_not_convert");
  Json groups = compressed(Json(4), "pack-quantized");
  CHECK(refusal(groups) == "bad_value at q.config_groups.group_0.weights");
  groups["config_groups"] = {{"group_0", 5}};
  CHECK(refusal(groups) == "bad_value at q.config_groups.group_0");
  groups["config_groups"] = {5};
  CHECK(refusal(groups) == "bad_value at q.config_groups");
}

TEST_CASE("compressed-tensors targets that are no list are refused at their field") {
  Json groups = compressed({{"num_bits", 4}, {"type", "int"}}, "pack-quantized");
  groups["config_groups"]["group_0"]["targets"] = 7;
  CHECK(refusal(groups) == "bad_value at q.config_groups.group_0.targets");
  groups["config_groups"]["group_0"]["targets"] = {7};
  CHECK(refusal(groups) == "bad_value at q.config_groups.group_0.targets");
}

TEST_CASE("a name pattern matches from the start as Python's re.match does") {
  CHECK(regex_matches(".*q_proj", "model.layers.0.self_attn.q_proj"));
  CHECK(regex_matches("model", "model.layers"));
  CHECK_FALSE(regex_matches("layers", "model.layers"));
  CHECK(regex_matches("", "anything"));
  CHECK(regex_matches("^model\\.layers$", "model.layers"));
  CHECK_FALSE(regex_matches("^model\\.layers$", "model.layers.0"));
  CHECK_FALSE(regex_matches("model\\.l", "modelxl"));
}

TEST_CASE("a name pattern knows classes, repeats, groups and alternatives") {
  CHECK(regex_matches("model\\.layers\\.[0-9]+\\.mlp", "model.layers.31.mlp.up_proj"));
  CHECK_FALSE(regex_matches("model\\.layers\\.[0-9]+\\.mlp", "model.layers.x.mlp"));
  CHECK(regex_matches("[^a-c]x", "dx"));
  CHECK_FALSE(regex_matches("[^a-c]x", "bx"));
  CHECK(regex_matches("[]x]+$", "]x]"));
  CHECK(regex_matches("\\d\\w\\d$", "1_2"));
  CHECK(regex_matches("a?b$", "b"));
  CHECK(regex_matches("a?b$", "ab"));
  CHECK_FALSE(regex_matches("a?b$", "aab"));
  CHECK(regex_matches("(ab)+c", "ababc"));
  CHECK_FALSE(regex_matches("(ab)+c", "abac"));
  CHECK(regex_matches("(?:gate|up|down)_proj$", "down_proj"));
  CHECK_FALSE(regex_matches("(?:gate|up|down)_proj$", "side_proj"));
  CHECK(regex_matches(".*(vision|lm_head).*", "model.vision.fc"));
  CHECK(regex_matches("a.*?b$", "axxbxxb"));
  CHECK(regex_matches(".*\\.experts\\.([0-9]|1[0-5])\\.", "layers.3.experts.12.up_proj"));
  CHECK_FALSE(regex_matches(".*\\.experts\\.([0-9]|1[0-5])\\.", "layers.3.experts.22.up_proj"));
  CHECK(regex_matches("a|b", "b"));
  CHECK(regex_matches("x(a|)y", "xy"));
}

TEST_CASE("a name pattern that would take forever says no in good time") {
  const std::string many(5000, 'a');
  const std::array patterns = {"(a*)*b",           "(a+)+$b",   "(a|a)*b", "(a|aa)+$b",
                               "(.*)*(.*)*(.*)*b", "((a*)*)*b", "(a?)*b"};
  for (const std::string_view pattern : patterns) {
    INFO(pattern);
    CHECK_FALSE(regex_matches(pattern, many));
  }
}

TEST_CASE("a name pattern on a very long text ends") {
  const std::string many(1000000, 'a');
  for (const std::string_view pattern : {"a*b", ".*b", "[a-z]+0", "(a*)*b", "\\w*\\d"}) {
    INFO(pattern);
    CHECK_FALSE(regex_matches(pattern, many));
  }
}

TEST_CASE("a very long or deep name pattern ends") {
  const std::string deep = std::string(100000, '(') + "a" + std::string(100000, ')');
  const std::string wide(100000, 'a');
  std::string bars;
  for (int i = 0; i < 20000; ++i) {
    bars += "a|";
  }
  std::string stars;
  for (int i = 0; i < 20000; ++i) {
    stars += "a*";
  }
  for (const std::string& pattern : {deep, wide, bars + "b", stars + "b"}) {
    (void)regex_matches(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaac");
  }
}

TEST_CASE("a malformed name pattern does no harm") {
  for (const std::string_view pattern :
       {"(",   ")",    "((",  "))",   "[",  "]",   "[^",   "[^]",  "[a",  "[a-",  "[]",    "(?",
        "(?:", "(?:a", "*",   "+",    "?",  "**",  "a**",  "+a",   "\\",  "a\\",  "(a",    "a)",
        "|",   "||",   "(|",  "(a|",  "^",  "$",   "^$",   "$^",   "^^",  "a{3}", "(?=a)", "(?!a)",
        "[\\", "[\\]", "(\\", "(\\)", "()", "()*", "(^)*", "($)*", "(*)", "[*",   "(()"}) {
    for (const std::string_view text : {"", "a", "model.layers.0"}) {
      INFO(pattern << " on " << text);
      (void)regex_matches(pattern, text);
    }
  }
  SUCCEED();
}

TEST_CASE("a glob matches the whole name") {
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("model.layers.*.mlp.gate", "model.layers.12.mlp.gate"));
  CHECK_FALSE(glob_matches("model.layers.*.mlp.gate", "model.layers.12.mlp.gate_proj"));
  CHECK(glob_matches("*lm_head*", "model.lm_head"));
  CHECK(glob_matches("a*b*c", "a.b.b.c"));
  CHECK_FALSE(glob_matches("a*b*c", "a.c"));
  CHECK_FALSE(glob_matches("", "a"));
  CHECK(glob_matches("", ""));
  std::string stars;
  for (int i = 0; i < 50; ++i) {
    stars += "*a";
  }
  CHECK_FALSE(glob_matches(stars + "b", std::string(5000, 'a')));
}

TEST_CASE("parts of a name are whole components") {
  CHECK(has_components("model.layers.3.mlp.gate", "mlp.gate"));
  CHECK_FALSE(has_components("model.layers.3.mlp.gate_proj", "mlp.gate"));
  CHECK_FALSE(has_components("model.layers.3.xmlp.gate", "mlp.gate"));
  CHECK(has_components("lm_head", "lm_head"));
  CHECK_FALSE(has_components("lm_head", ""));
  CHECK_FALSE(has_components("", "a"));
}

TEST_CASE("a hostile ignore list ends, and one of too many expressions is refused") {
  const auto answer_to = [](int entries) {
    Json list = Json::array();
    for (int i = 0; i < entries; ++i) {
      list.push_back("re:(.*)*(.*)*" + std::to_string(i) + "#");
    }
    Json request = fixtures::request();
    request["model"]["config"]["quantization_config"] = {{"quant_method", "fp8"},
                                                         {"modules_to_not_convert", list}};
    return fixtures::answer(request);
  };
  CHECK(answer_to(8).contains("model"));
  CHECK(answer_to(200)["error"]["path"] ==
        "model.config.quantization_config.modules_to_not_convert");
}

TEST_CASE("an expression that would be misread is refused") {
  CHECK(regex_is_understood(".*self_attn\\.(q|k|v)_proj$"));
  CHECK_FALSE(regex_is_understood("layers\\.\\d{1,2}\\."));
  CHECK_FALSE(regex_is_understood("(?!lm_head).*"));
  CHECK_FALSE(regex_is_understood("\\bgate"));
}
