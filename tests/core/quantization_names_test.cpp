#include <string>

#include "precision/module_names.hpp"
#include "schemes.hpp"

using namespace schemes;
using ridgepoint::precision::canonical_name;
using ridgepoint::precision::NameRules;

namespace {

bool covered(std::string_view entry, std::string_view module) {
  NameRules rules;
  rules.add(entry, 0);
  return rules.find(module).has_value();
}

}  // namespace

TEST_CASE("wrappers' prefixes do not count in names") {
  CHECK(canonical_name("model.language_model.layers.3.mlp.gate") == "layers.3.mlp.gate");
  CHECK(canonical_name("language_model.model.layers.3.mlp") == "layers.3.mlp");
  CHECK(canonical_name("backbone.layers.3.mixer.in_proj") == "layers.3.mixer.in_proj");
  CHECK(canonical_name("transformer.h.3.attn") == "h.3.attn");
  CHECK(canonical_name("model.visual.blocks.0") == "visual.blocks.0");
  CHECK(canonical_name("model.layers.0.mlp.up_proj.weight") == "layers.0.mlp.up_proj");
  CHECK(canonical_name("lm_head") == "lm_head");
}

TEST_CASE("a literal name covers a module however either is wrapped") {
  for (const char* entry : {"model.layers.3.mlp", "layers.3.mlp", "language_model.model.layers.3",
                            "model.language_model.layers.3.mlp.up_proj", "mlp.up_proj", "mlp"}) {
    INFO(entry);
    CHECK(covered(entry, "model.layers.3.mlp.up_proj"));
    CHECK(covered(entry, "language_model.model.layers.3.mlp.up_proj"));
    CHECK_FALSE(covered(entry, "model.layers.30.attn.q_proj"));
  }
}

TEST_CASE("a name from the root does not reach into towers") {
  CHECK_FALSE(covered("model.layers.0.self_attn", "vision_tower.layers.0.self_attn.q_proj"));
  CHECK_FALSE(covered("model.vision_tower.transformer.layers.0.attention.k_proj",
                      "model.layers.0.attention.k_proj"));
  // Molmo leaves the head ff_out and not each block's.
  CHECK(covered("model.transformer.ff_out", "model.transformer.ff_out"));
  CHECK_FALSE(covered("model.transformer.ff_out", "model.transformer.blocks.0.ff_out"));
}

TEST_CASE("fused and split layers stand for each other") {
  CHECK(covered("model.layers.0.self_attn.qkv_proj", "model.layers.0.self_attn.k_proj"));
  CHECK(covered("model.layers.0.self_attn.k_proj", "model.layers.0.self_attn.qkv_proj"));
  CHECK(covered("mlp.gate_up_proj", "model.layers.0.mlp.up_proj"));
  CHECK(covered("model.layers.1.linear_attn.in_proj_qkvz", "layers.1.linear_attn.in_proj_z"));
  CHECK(covered("model.layers.1.linear_attn.in_proj_ba", "layers.1.linear_attn.in_proj_a"));
  CHECK_FALSE(covered("model.layers.0.self_attn.qkv_proj", "model.layers.0.self_attn.o_proj"));
}

TEST_CASE("experts are covered by their list, their numbers or their stack") {
  const std::string_view expert = "model.layers.4.mlp.experts.0.gate_proj";
  for (const char* entry :
       {"mlp.experts", "model.layers.4.mlp.experts", "mlp.experts.0.gate_proj",
        "model.layers.4.mlp.experts.gate_up_proj", "mlp.experts.*", "model.layers.*.mlp.experts"}) {
    INFO(entry);
    CHECK(covered(entry, expert));
  }
  CHECK(covered("block_sparse_moe.experts.*", "model.layers.4.block_sparse_moe.experts.0.w1"));
  CHECK_FALSE(covered("mlp.shared_experts", expert));
}

TEST_CASE("towers are covered by name, glob and expression") {
  for (const char* entry : {"visual", "model.visual", "re:.*visual.*", "model.visual*", "visual*",
                            "re:visual.*", "re:model.visual.*", "re:.*\\.visual\\..*"}) {
    INFO(entry);
    CHECK(covered(entry, "visual.blocks.0.attn.qkv"));
    CHECK(covered(entry, "model.visual.blocks.0.attn.qkv"));
    CHECK_FALSE(covered(entry, "model.layers.0.self_attn.q_proj"));
  }
  CHECK(covered("re:.*vision.*", "vision_tower.encoder.layers.0.fc1"));
  CHECK(covered("vision_tower", "model.vision_tower.encoder.layers.0.fc1"));
}

TEST_CASE("globs keep numbers apart") {
  CHECK(covered("model.layers.1.*", "model.layers.1.mlp.up_proj"));
  CHECK_FALSE(covered("model.layers.1.*", "model.layers.10.mlp.up_proj"));
  CHECK(covered("model.language_model.layers.0.mlp*", "model.layers.0.mlp.shared_expert.up_proj"));
  CHECK(covered("model.layers.*.self_attn", "model.layers.7.self_attn.q_proj"));
  CHECK(covered("*.mlp.shared_expert.*", "model.layers.0.mlp.shared_expert.up_proj"));
  CHECK(covered("mtp*", "mtp.layers.0.mlp.up_proj"));
}

TEST_CASE("expressions are held against names without their wrappers") {
  CHECK(covered("re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "model.layers.0.mlp.up_proj"));
  CHECK_FALSE(covered("re:.*mlp\\.(gate|up)_proj.*", "model.layers.0.mlp.experts.0.up_proj"));
  CHECK(covered("re:^model\\.language_model\\.layers\\.0\\.", "model.layers.0.mlp.up_proj"));
  CHECK(covered("re:model.layers.0.", "language_model.model.layers.0.mlp.up_proj"));
  CHECK(covered("re:.*language_model.*", "model.layers.0.mlp.up_proj"));
}

TEST_CASE("literal names come before patterns") {
  NameRules rules;
  rules.add("re:.*mlp.*", 1);
  rules.add("model.layers.*", 2);
  rules.add("model.layers.0.mlp.up_proj", 3);
  CHECK(rules.find("model.layers.0.mlp.up_proj") == 3U);
  CHECK(rules.find("model.layers.1.mlp.up_proj") == 2U);
  CHECK_FALSE(rules.find_name("model.layers.1.mlp.up_proj").has_value());
}

TEST_CASE("a list of 90,000 experts is looked up by its hash") {
  Json list = Json::array();
  for (int layer = 0; layer < 60; ++layer) {
    for (int expert = 0; expert < 500; ++expert) {
      for (const char* matrix : {"w1", "w2", "w3"}) {
        list.push_back("model.layers." + std::to_string(layer) + ".mlp.experts." +
                       std::to_string(expert) + "." + matrix);
      }
    }
  }
  const Quantization scheme = read({{"quant_method", "fp8"}, {"modules_to_not_convert", list}});
  CHECK(scheme.by_name(ModuleKind::expert));
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "model.layers." + std::to_string(i % 80) + ".mlp.experts.0.w1";
    REQUIRE((packing(scheme, name, ModuleKind::expert) == Packing::plain) == (i % 80 < 60));
  }
}
