#include <string>

#include "schemes.hpp"

using namespace schemes;

// Bytes are of a 4,096 x 4,096 weight: 16,777,216 values, 131,072 groups of 128.

TEST_CASE("a bare quantize_config.json is GPTQ's") {
  // TheBloke/wizard-mega-13B-GPTQ and its like have no quantization_config.
  const Json bare = {{"bits", 4},         {"group_size", 128}, {"damp_percent", 0.01},
                     {"desc_act", false}, {"sym", true},       {"true_sequential", true}};
  const Quantization scheme = read_whole({{"model_type", "llama"}}, bare);
  CHECK(scheme.method == "gptq");
  CHECK(linear(scheme).packing == Packing::gptq);
  // Values / 2, 131,072 scales x 2, zeros x 1/2, 4,096 indices x 4.
  CHECK(square(bare) == kSquare / 2 + 262144 + 65536 + 16384);
  // The config's own word counts before a file beside it.
  CHECK(read_whole({{"quantization_config", {{"quant_method", "fp8"}}}}, bare).method == "fp8");
  CHECK_FALSE(read_whole({{"model_type", "llama"}}).quantized());
}

TEST_CASE("GPTQ's dynamic settings leave modules out or give them their own bits") {
  const Quantization scheme = read({{"quant_method", "gptq"},
                                    {"bits", 4},
                                    {"dynamic",
                                     {{"-:.*shared_expert.*", Json::object()},
                                      {"+:.*down_proj.*", {{"bits", 8}, {"group_size", 64}}}}}});
  CHECK(packing(scheme, "model.layers.0.mlp.shared_expert.up_proj") == Packing::plain);
  CHECK(scheme.format_of("model.layers.0.mlp.down_proj", ModuleKind::linear).bits == 8);
  CHECK(linear(scheme).bits == 4);
  const Quantization inside = read({{"quant_method", "gptq"},
                                    {"bits", 4},
                                    {"modules_in_block_to_quantize", {{"self_attn.q_proj"}}}});
  CHECK(linear(inside).packing == Packing::gptq);
  CHECK(packing(inside, "model.layers.0.mlp.up_proj") == Packing::plain);
}

TEST_CASE("GPTQ and AWQ leave towers alone, methods of torch modules only what they list") {
  const std::string_view vision = "visual.blocks.0.attn.qkv";
  for (const char* method : {"gptq", "awq", "auto-round"}) {
    CHECK(packing(read({{"quant_method", method}, {"bits", 4}}), vision, ModuleKind::vision) ==
          Packing::plain);
  }
  for (const char* method : {"fp8", "bitsandbytes", "eetq"}) {
    INFO(method);
    const Quantization scheme = read({{"quant_method", method}, {"load_in_8bit", true}});
    CHECK(packing(scheme, vision, ModuleKind::vision) != Packing::plain);
    CHECK(packing(scheme, vision, ModuleKind::convolution) == Packing::plain);
  }
  // mistralai/Devstral-2-123B-Instruct-2512.
  const Quantization listed =
      read({{"quant_method", "fp8"},
            {"activation_scheme", "static"},
            {"modules_to_not_convert",
             {"model.vision_tower", "model.multi_modal_projector", "lm_head"}}});
  CHECK(packing(listed, "vision_tower.layers.0.fc1", ModuleKind::vision) == Packing::plain);
  CHECK(packing(listed, "multi_modal_projector.linear_1", ModuleKind::projector) == Packing::plain);
  CHECK(linear(listed).static_activation);
}

TEST_CASE("auto-round stores what its packing and data type say") {
  const Json base = {{"quant_method", "auto-round"}, {"bits", 4}, {"group_size", 128}};
  const auto with = [&](const char* key, const Json& value) {
    Json config = base;
    config[key] = value;
    return config;
  };
  // As GPTQ without an index.
  CHECK(square(base) == kSquare / 2 + 262144 + 65536);
  CHECK(linear(read(with("packing_format", "auto_round:auto_awq"))).packing == Packing::awq);
  CHECK(square(with("packing_format", "auto_gptq")) == kSquare / 2 + 262144 + 65536 + 16384);
  CHECK(linear(read(with("data_type", "mx_fp"))).packing == Packing::mxfp4);
  CHECK(linear(read(with("data_type", "nv_fp"))).packing == Packing::nvfp4);
  const Quantization mixed =
      read(with("extra_config", {{"model.layers.0.mlp.gate", {{"bits", 16}}},
                                 {"model.layers.3.self_attn.q_proj", {{"bits", 8}}},
                                 {".*shared_expert.*", {{"bits", 16}, {"data_type", "float"}}},
                                 {"lm_head", {{"bits", 4}}}}));
  CHECK(linear(mixed).bits == 8);
  CHECK(packing(mixed, "model.layers.2.mlp.shared_expert.up_proj") == Packing::plain);
  CHECK(packing(mixed, "lm_head", ModuleKind::lm_head) == Packing::gptq);
  CHECK(packing(mixed, "model.layers.2.mlp.up_proj") == Packing::gptq);
}

TEST_CASE("MLX quantises embeddings and head too, with exceptions by module") {
  const Quantization scheme =
      read({{"group_size", 64},
            {"bits", 4},
            {"mode", "affine"},
            {"language_model.model.layers.0.mlp.gate", {{"group_size", 64}, {"bits", 8}}},
            {"model.layers.1.mlp.gate", false}});
  CHECK(scheme.method == "mlx");
  // 4 bits, and a 16-bit scale and bias for 64 values: 4.5 bits.
  CHECK(square({{"group_size", 64}, {"bits", 4}}) == kSquare * 9 / 16);
  CHECK(packing(scheme, "model.embed_tokens", ModuleKind::embedding) == Packing::mlx);
  CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::mlx);
  CHECK(scheme.format_of("model.layers.0.mlp.gate", ModuleKind::router).bits == 8);
  CHECK(packing(scheme, "model.layers.1.mlp.gate", ModuleKind::router) == Packing::plain);
  CHECK(square({{"group_size", 32}, {"bits", 4}, {"mode", "mxfp4"}}) == kSquare * 17 / 32);
  CHECK(square({{"group_size", 16}, {"bits", 4}, {"mode", "nvfp4"}}) == kSquare * 9 / 16);
  CHECK(refusal({{"bits", 4}, {"mode", "squeeze"}}) == "unsupported_quantization at q.mode");
}

TEST_CASE("MLX sizes Qwen3-14B-MLX-4bit's head and matrices as published") {
  // Qwen/Qwen3-14B-MLX-4bit: index total_size 8,307,783,680. 40 layers of norms (2 x 5,120 + 2 x
  // 128) and a last one stay 16-bit; 14,768,307,200 parameters in all, the rest at 4.5 bits.
  const std::uint64_t norms = 40 * (2 * 5120 + 2 * 128) + 5120;
  const WeightFormat format = linear(read({{"group_size", 64}, {"bits", 4}}));
  CHECK(2 * norms + checkpoint_bytes(format, Dtype::bfloat16, (14768307200 - norms) / 64, 64) ==
        8307783680);
}

TEST_CASE("torchao is read by class, by function and in short") {
  const auto by_class = [](const Json& config) {
    return Json{{"quant_method", "torchao"}, {"quant_type", {{"default", config}}}};
  };
  const Json int4 = {{"_type", "Int4WeightOnlyConfig"}, {"_data", {{"group_size", 64}}}};
  // Half a byte, and a 16-bit scale and zero for 64 values.
  CHECK(square(by_class(int4)) == kSquare / 2 + kSquare / 64 * 4);
  CHECK(square({{"quant_method", "torchao"}, {"quant_type", "int4wo-128"}}) ==
        kSquare / 2 + kSquare / 128 * 4);
  CHECK(square({{"quant_method", "torchao"},
                {"quant_type", "int4_weight_only"},
                {"quant_type_kwargs", {{"group_size", 32}}}}) == kSquare / 2 + kSquare / 32 * 4);
  CHECK(square({{"quant_method", "torchao"}, {"quant_type", "int8_weight_only"}}) ==
        kSquare + 4096 * 2);
  CHECK(square({{"quant_method", "torchao"}, {"quant_type", "int8dq"}}) == kSquare + 4096 * 2);
  CHECK(square({{"quant_method", "torchao"}, {"quant_type", "float8wo"}}) == kSquare + 4096 * 4);
  const Json rows = {{"_type", "Float8DynamicActivationFloat8WeightConfig"},
                     {"_data", {{"granularity", {{{"_type", "PerRow"}}, {{"_type", "PerRow"}}}}}}};
  CHECK(linear(read(by_class(rows))).packing == Packing::fp8_channel);
  CHECK(square({{"quant_method", "torchao"}, {"quant_type", "float8dq"}}) == kSquare + 4);
  const Quantization named =
      read(by_class({{"_type", "ModuleFqnToConfig"},
                     {"_data",
                      {{"module_fqn_to_config",
                        {{"_default", int4},
                         {"model.embed_tokens", {{"_type", "Int8WeightOnlyConfig"}}},
                         {"model.layers.0.mlp.up_proj", nullptr}}}}}}));
  CHECK(linear(named).packing == Packing::packed_group);
  CHECK(packing(named, "model.embed_tokens", ModuleKind::embedding) == Packing::int8_channel);
  CHECK(packing(named, "model.layers.0.mlp.up_proj") == Packing::plain);
  CHECK(refusal({{"quant_method", "torchao"}, {"quant_type", "autoquant"}}) ==
        "unsupported_quantization at q.quant_type");
  CHECK(refusal(by_class({{"_type", "IntxWeightOnlyConfig"}})) ==
        "unsupported_quantization at q.quant_type.default._type");
}

TEST_CASE("Quark is read with its layers and what it excludes") {
  const auto quark = [](const Json& weight) {
    return Json{{"quant_method", "quark"}, {"global_quant_config", {{"weight", weight}}}};
  };
  const Json fp4 = {{"dtype", "fp4"}, {"qscheme", "per_group"}, {"group_size", 32}};
  const Json fp8 = {{"dtype", "fp8_e4m3"}, {"qscheme", "per_tensor"}};
  CHECK(square(quark(fp4)) == kSquare * 17 / 32);
  CHECK(square(quark(fp8)) == kSquare + 4);
  CHECK(square(quark({{"dtype", "int8"}, {"qscheme", "per_channel"}})) == kSquare + 4096 * 4);
  // Quantised in two steps, stored as the last: half a byte and a scale a row.
  CHECK(square(quark({fp8, {{"dtype", "int4"}, {"qscheme", "per_channel"}}})) ==
        kSquare / 2 + 4096 * 2);
  Json config = quark(fp4);
  config["layer_quant_config"] = {{"*self_attn*", {{"weight", fp8}}}};
  config["exclude"] = {"lm_head", "re:.*mlp.gate$", "*shared_expert*"};
  config["kv_cache_quant_config"] = {{"*k_proj", {{"dtype", "fp8_e4m3"}}}};
  const Quantization scheme = read(config);
  CHECK(linear(scheme).packing == Packing::fp8_tensor);
  CHECK(packing(scheme, "model.layers.0.mlp.up_proj") == Packing::mxfp4);
  CHECK(packing(scheme, "model.layers.0.mlp.shared_expert.up_proj") == Packing::plain);
  CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::plain);
  CHECK(scheme.kv_cache == KvFormat::fp8);
  CHECK(refusal(quark({{"dtype", "fp6_e3m2"}})) ==
        "unsupported_quantization at q.global_quant_config.weight.dtype");
  CHECK(refusal({{"quant_method", "quark"}}) ==
        "unsupported_quantization at q.global_quant_config");
}

TEST_CASE("HQQ is read whole and by tags") {
  const Json four = {{"weight_quant_params", {{"nbits", 4}, {"group_size", 64}}}};
  const Json whole = {
      {"quant_method", "hqq"}, {"quant_config", four}, {"skip_modules", {"lm_head"}}};
  // Half a byte, and a 16-bit scale and zero for 64 values.
  CHECK(square(whole) == kSquare / 2 + kSquare / 64 * 4);
  CHECK(packing(read(whole), "lm_head", ModuleKind::lm_head) == Packing::plain);
  // Three bits: ten values an int32, rounded up.
  CHECK(square({{"quant_method", "hqq"}, {"nbits", 3}, {"group_size", 128}}) ==
        1677722 * 4 + kSquare / 128 * 4);
  const Quantization tags =
      read({{"quant_method", "hqq"}, {"quant_config", {{"mlp.up_proj", four}}}});
  CHECK(packing(tags, "model.layers.0.mlp.up_proj") == Packing::hqq);
  CHECK(packing(tags, "model.layers.0.mlp.down_proj") == Packing::plain);
}

TEST_CASE("methods of one kind of weight take its bytes") {
  CHECK(square({{"quant_method", "eetq"}}) == kSquare + 4096 * 2);
  CHECK(square({{"quant_method", "w8a8_int8"}}) == kSquare + 4096 * 4);
  CHECK(square({{"quant_method", "w8a8_fp8"}}) == kSquare + 4096 * 4);
  CHECK(square({{"quant_method", "blockwise_int8"}, {"weight_block_size", {128, 128}}}) ==
        kSquare + 32 * 32 * 4);
  CHECK(square({{"quant_method", "bitnet"}}) == kSquare / 4 + 2);
  // One 16-bit code for 8 inputs, 65,536 codes of 8 halves, a half a row.
  CHECK(square({{"quant_method", "aqlm"},
                {"in_group_size", 8},
                {"out_group_size", 1},
                {"num_codebooks", 1},
                {"nbits_per_codebook", 16}}) == kSquare / 8 * 2 + 65536 * 8 * 2 + 4096 * 2);
}

TEST_CASE("methods whose size does not follow from the config are refused by name") {
  for (const char* method : {"vptq", "quip_sharp", "spqr", "higgs", "quanto", "mystery"}) {
    const auto scheme =
        ridgepoint::precision::read_quantization(Json{{"quant_method", method}}, "q");
    REQUIRE_FALSE(scheme.ok());
    CHECK(scheme.error().code == "unsupported_quantization");
    CHECK(scheme.error().message.find(method) != std::string::npos);
    CHECK(scheme.error().message.find("model.weight_bytes") != std::string::npos);
  }
}

TEST_CASE("a whole config declares its quantisation in several places") {
  const Json fp8 = {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}};
  CHECK(read_whole({{"text_config", {{"quantization_config", fp8}}}}).method == "fp8");
  CHECK(read_whole({{"compression_config", fp8}}).method == "fp8");
  CHECK(read_whole({{"quantization", {{"bits", 4}, {"group_size", 64}}}}).method == "mlx");
  CHECK_FALSE(read_whole({{"quantization_bit", 0}}).quantized());
  CHECK_FALSE(read_whole({{"quantization_config", nullptr}}).quantized());
}

TEST_CASE("ChatGLM's four bits take half a byte and a half a row") {
  const Quantization scheme = read_whole({{"quantization_bit", 4}});
  CHECK(scheme.method == "chatglm");
  CHECK(packing(scheme, "lm_head", ModuleKind::lm_head) == Packing::plain);
  const auto size = [&](std::uint64_t out, std::uint64_t in) {
    return checkpoint_bytes(linear(scheme), Dtype::float16, out, in);
  };
  // THUDM/chatglm-6b-int4: file 3,893,083,075 bytes with its header. 28 blocks of four matrices
  // with biases and two norms, the embedding, which is the head too, and a last norm.
  const std::uint64_t block = size(12288, 4096) + size(4096, 4096) + size(16384, 4096) +
                              size(4096, 16384) + 2 * (12288 + 4096 + 16384 + 4096) + 2 * 4 * 4096;
  const std::uint64_t total = 28 * block + 2 * 130528 * 4096 + 2 * 2 * 4096;
  CHECK(static_cast<double>(total) == Approx(3893083075.0).epsilon(0.0001));
  const Quantization eight = read_whole({{"quantization_bit", 8}});
  CHECK(checkpoint_bytes(linear(eight), Dtype::float16, 4096, 4096) == kSquare + 4096 * 2);
}

TEST_CASE("DeepSeek-V4 keeps experts in MXFP4 beside FP8") {
  // deepseek-ai/DeepSeek-V4-Flash.
  const Json config = {{"model_type", "deepseek_v4"},
                       {"expert_dtype", "fp4"},
                       {"quantization_config",
                        {{"quant_method", "fp8"},
                         {"fmt", "e4m3"},
                         {"scale_fmt", "ue8m0"},
                         {"weight_block_size", {128, 128}}}}};
  const Quantization scheme = read_whole(config);
  CHECK(packing(scheme, "layers.0.ffn.experts.0.w1", ModuleKind::expert) == Packing::mxfp4);
  CHECK(checkpoint_bytes(linear(scheme), Dtype::bfloat16, 4096, 4096) == kSquare + 32 * 32);
  // nvidia/DeepSeek-V4-Flash-NVFP4: experts again, all else as it was.
  Json again = config;
  again["quantization_config"]["quant_algo"] = "MIXED_PRECISION";
  again["quantization_config"]["ignore"] = {"*.attn.*", "head"};
  again["quantization_config"]["quantized_layers"] = {
      {"layers.0.ffn.experts", {{"quant_algo", "NVFP4"}, {"group_size", 16}}}};
  const Quantization mixed = read_whole(again);
  CHECK(packing(mixed, "layers.0.ffn.experts.0.w1", ModuleKind::expert) == Packing::nvfp4);
  CHECK(packing(mixed, "layers.0.attn.wq_a") == Packing::fp8_block);
}
