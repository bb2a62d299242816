#include <string>

#include "schemes.hpp"

using namespace schemes;

namespace {

Json group(const Json& weights, bool activations = false) {
  Json out = {{"targets", {"Linear"}}, {"weights", weights}};
  if (activations) {
    out["input_activations"] = {{"num_bits", 8}, {"dynamic", true}};
  }
  return out;
}

Json compressed(const char* container, const Json& only) {
  return {{"quant_method", "compressed-tensors"},
          {"format", container},
          {"ignore", {"lm_head"}},
          {"config_groups", {{"group_0", only}}}};
}

Json modelopt(const char* algorithm) {
  return {{"quant_method", "modelopt"}, {"quant_algo", algorithm}};
}

}  // namespace

// Bytes are of a 4,096 x 4,096 weight: 16,777,216 values. compressed-tensors keeps scales in 16
// bit.

TEST_CASE("every compressed-tensors container takes its bytes") {
  const Json int4 = {{"num_bits", 4}, {"type", "int"}, {"strategy", "group"}, {"group_size", 128}};
  const Json int8 = {{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}};
  const Json fp8 = {{"num_bits", 8}, {"type", "float"}, {"strategy", "channel"}};
  const Json fp4 = {{"num_bits", 4}, {"type", "float"}, {"group_size", 16}};
  CHECK(square(compressed("pack-quantized", group(int4))) == kSquare / 2 + 131072 * 2 + 16);
  CHECK(square(compressed("pack-quantized", group(int8))) == kSquare + 4096 * 2 + 16);
  CHECK(square(compressed("float-quantized", group(fp8, true))) == kSquare + 4096 * 2);
  CHECK(square(compressed("int-quantized", group(int8, true))) == kSquare + 4096 * 2);
  // Narrow integers in whole bytes.
  CHECK(square(compressed("naive-quantized", group(int4))) == kSquare + 131072 * 2);
  CHECK(square(compressed("naive-quantized", group(fp8))) == kSquare + 4096 * 2);
  CHECK(square(compressed("mxfp4-pack-quantized", group(fp4))) == kSquare * 17 / 32);
  CHECK(square(compressed("nvfp4-pack-quantized", group(fp4, true))) == kSquare * 9 / 16 + 8);
  CHECK(square(compressed("nvfp4-pack-quantized", group(fp4))) == kSquare * 9 / 16 + 4);
  CHECK(square(compressed("mxfp8-quantized", group(fp8, true))) == kSquare * 33 / 32);
  // Half the values in 4 bits, two bits of position for each, 131,072 scales.
  CHECK(square(compressed("marlin-24", group(int4))) == kSquare / 4 + kSquare / 8 + 262144);
  CHECK(square(compressed("dense", group(int4))) == kSquare * 2);
}

TEST_CASE("compressed-tensors keeps an order, zero points and static scales") {
  Json weights = {{"num_bits", 4},     {"type", "int"},      {"strategy", "group"},
                  {"group_size", 128}, {"symmetric", false}, {"actorder", "group"}};
  CHECK(square(compressed("pack-quantized", group(weights))) ==
        kSquare / 2 + 131072 * 2 + 65536 + 4096 * 4 + 16);
  weights["actorder"] = "weight";
  CHECK(square(compressed("pack-quantized", group(weights))) ==
        kSquare / 2 + 131072 * 2 + 65536 + 16);
  Json tensor = group({{"num_bits", 8}, {"type", "float"}, {"strategy", "tensor"}}, true);
  tensor["input_activations"]["dynamic"] = false;
  CHECK(square(compressed("float-quantized", tensor)) == kSquare + 2 + 4);
}

TEST_CASE("sparse containers are refused because no config says how many zeros there are") {
  const Json int8 = {{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}};
  Json config = compressed("int-quantized", group(int8, true));
  config["sparsity_config"] = {{"format", "sparse-24-bitmask"}, {"sparsity_structure", "2:4"}};
  CHECK(refusal(config) == "unsupported_quantization at q.sparsity_config.format");
  config["sparsity_config"] = {{"format", "dense"}};
  CHECK(refusal(config).empty());
  config["sparsity_config"] = Json::object();
  CHECK(refusal(config).empty());
  CHECK(refusal(compressed("sparse-bitmask", group(int8))) ==
        "unsupported_quantization at q.config_groups.group_0.weights.num_bits");
}

TEST_CASE("a mixed-precision config has formats by group and targets of every kind") {
  const Json fp8 = {{"num_bits", 8}, {"type", "float"}, {"strategy", "channel"}};
  const Json fp4 = {{"num_bits", 4}, {"type", "float"}, {"group_size", 16}};
  Json config = compressed("mixed-precision", group(fp4, true));
  config["config_groups"]["group_0"]["format"] = "nvfp4-pack-quantized";
  config["config_groups"]["group_1"] = group(fp8, true);
  config["config_groups"]["group_1"]["format"] = "float-quantized";
  config["config_groups"]["group_1"]["targets"] = {"re:.*self_attn.*", "model.layers.0.mlp.up_proj",
                                                   "Embedding"};
  const Quantization scheme = read(config);
  CHECK(linear(scheme).packing == Packing::fp8_channel);
  CHECK(packing(scheme, "model.layers.0.mlp.up_proj") == Packing::fp8_channel);
  CHECK(packing(scheme, "model.layers.1.mlp.up_proj") == Packing::nvfp4);
  CHECK(packing(scheme, "model.embed_tokens", ModuleKind::embedding) == Packing::fp8_channel);
  CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::plain);
  CHECK(packing(scheme, "model.layers.0.mlp.gate", ModuleKind::router) == Packing::plain);
}

TEST_CASE("a compressed-tensors head is a Linear like any other unless it is ignored") {
  Json config = compressed(
      "int-quantized", group({{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}}, true));
  config["ignore"] = Json::array();
  CHECK(packing(read(config), "lm_head", ModuleKind::lm_head) == Packing::int8_channel);
  config["ignore"] = {"re:.*lm_head.*"};
  CHECK(packing(read(config), "lm_head", ModuleKind::lm_head) == Packing::plain);
  // Cut-down configs have no list at all.
  config.erase("ignore");
  CHECK(packing(read(config), "lm_head", ModuleKind::lm_head) == Packing::plain);
}

TEST_CASE("a cache scheme asks for FP8 only when it is FP8") {
  Json config = compressed(
      "int-quantized", group({{"num_bits", 8}, {"type", "int"}, {"strategy", "channel"}}, true));
  config["kv_cache_scheme"] = {{"num_bits", 8}, {"type", "float"}};
  CHECK(read(config).kv_cache == KvFormat::fp8);
  config["kv_cache_scheme"]["type"] = "int";
  CHECK_FALSE(read(config).kv_cache.has_value());
}

TEST_CASE("Kimi-K2.5 packs its routed experts alone") {
  // moonshotai/Kimi-K2.5.
  Json config = compressed(
      "pack-quantized",
      group({{"num_bits", 4}, {"type", "int"}, {"strategy", "group"}, {"group_size", 32}}));
  config["ignore"] = {"lm_head", "re:.*self_attn.*", "re:.*shared_experts.*",
                      "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"};
  const Quantization scheme = read(config);
  CHECK(packing(scheme, "model.layers.1.mlp.experts.0.up_proj", ModuleKind::expert) ==
        Packing::packed_int);
  CHECK(packing(scheme, "model.layers.0.mlp.up_proj") == Packing::plain);
  CHECK(packing(scheme, "model.layers.1.mlp.shared_experts.up_proj") == Packing::plain);
  CHECK(linear(scheme).packing == Packing::plain);
}

TEST_CASE("every ModelOpt algorithm takes its bytes") {
  CHECK(square(modelopt("FP8")) == kSquare + 8);
  CHECK(square(modelopt("FP8_PER_CHANNEL_PER_TOKEN")) == kSquare + 4096 * 4);
  CHECK(square(modelopt("FP8_PB_WO")) == kSquare + 32 * 32 * 4);
  CHECK(square(modelopt("fp8_pb_wo")) == kSquare + 32 * 32 * 4);
  CHECK(square(modelopt("NVFP4")) == kSquare * 9 / 16 + 8);
  CHECK(square(modelopt("W4A16_NVFP4")) == kSquare * 9 / 16 + 4);
  CHECK(square(modelopt("NVFP4_AWQ")) == kSquare * 9 / 16 + 8 + 4096 * 2);
  CHECK(square(modelopt("MXFP8")) == kSquare * 33 / 32);
  // Half a byte, a 16-bit scale for 128 values and one for each input.
  CHECK(square(modelopt("W4A16_AWQ")) == kSquare / 2 + 131072 * 2 + 4096 * 2);
  CHECK(square(modelopt("W4A8_AWQ")) == kSquare / 2 + 131072 * 2 + 4096 * 2);
  CHECK(square({{"quant_algo", "FP8"}}) == kSquare + 8);
}

TEST_CASE("ModelOpt's mixed precision names each layer") {
  // nvidia/Qwen3.6-35B-A3B-NVFP4, shortened; its hf_quant_config.json says the same.
  const Json layers = {
      {"model.language_model.layers.0.linear_attn.in_proj_qkv", {{"quant_algo", "FP8"}}},
      {"model.language_model.layers.0.linear_attn.in_proj_z", {{"quant_algo", "FP8"}}},
      {"model.language_model.layers.0.mlp.experts",
       {{"quant_algo", "W4A16_NVFP4"}, {"group_size", 16}}},
      {"model.language_model.layers.0.mlp.shared_expert.up_proj",
       {{"quant_algo", "W4A16_NVFP4"}, {"group_size", 16}}},
      {"lm_head", {{"quant_algo", "W4A16_NVFP4"}, {"group_size", 16}}}};
  Json inside = modelopt("MIXED_PRECISION");
  inside["quantized_layers"] = layers;
  inside["ignore"] = {"mtp*", "mtp.layers.0*"};
  const Json own = {{"producer", {{"name", "modelopt"}}},
                    {"quantization",
                     {{"quant_algo", "MIXED_PRECISION"},
                      {"kv_cache_quant_algo", "FP8"},
                      {"quantized_layers", layers},
                      {"exclude_modules", {"mtp*"}}}}};
  for (const Json& config : {inside, own}) {
    const Quantization scheme = read(config);
    CHECK(scheme.groups.front().format.packing == Packing::nvfp4);
    CHECK(packing(scheme, "model.layers.0.linear_attn.in_proj_qkvz") == Packing::fp8_tensor);
    CHECK(packing(scheme, "model.layers.0.linear_attn.out_proj") == Packing::plain);
    CHECK(packing(scheme, "model.layers.0.mlp.experts.0.up_proj", ModuleKind::expert) ==
          Packing::nvfp4);
    CHECK(packing(scheme, "model.layers.0.mlp.gate", ModuleKind::router) == Packing::plain);
    CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::nvfp4);
    CHECK(scheme.by_name(ModuleKind::linear));
  }
  CHECK(read(own).kv_cache == KvFormat::fp8);
  inside["quantized_layers"]["lm_head"] = {{"quant_algo", "FP7"}};
  CHECK(refusal(inside) == "unsupported_quantization at q.quantized_layers.lm_head.quant_algo");
}

TEST_CASE("ModelOpt leaves towers alone and layers by glob") {
  Json config = modelopt("NVFP4");
  config["ignore"] = {"language_model.lm_head", "language_model.model.layers.0*",
                      "language_model.model.layers.1.self_attn*", "mm_projector*", "vision_tower*"};
  const Quantization scheme = read(config);
  CHECK(packing(scheme, "vision_tower.blocks.0.mlp.fc0", ModuleKind::vision) == Packing::plain);
  CHECK(packing(scheme, "mm_projector.linear_1", ModuleKind::projector) == Packing::plain);
  CHECK(packing(scheme, "model.layers.0.mlp.up_proj") == Packing::plain);
  CHECK(packing(scheme, "model.layers.1.self_attn.q_b_proj") == Packing::plain);
  CHECK(packing(scheme, "model.layers.1.mlp.experts.0.up_proj", ModuleKind::expert) ==
        Packing::nvfp4);
  CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::plain);
}
