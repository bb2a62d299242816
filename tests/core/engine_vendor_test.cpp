// Which cards an engine's rules are for.
#include "evaluated.hpp"

namespace {

using tests::Json;

std::string code(const char* engine, const char* card) {
  const Json said = tests::evaluate(
      {{"model", {{"config", tests::config_fixture("meta-llama--Meta-Llama-3-8B")}}},
       {"gpu", {{"id", card}}},
       {"engine", {{"name", engine}}},
       {"workload", {{"context", 4096}}}});
  return said.contains("error") ? said["error"]["code"].get<std::string>() + " at " +
                                      said["error"]["path"].get<std::string>()
                                : "";
}

}  // namespace

TEST_CASE("an engine answers for the cards that its rules are for") {
  const std::string refused = "not_supported at gpu.id";
  for (const char* engine : {"vllm", "sglang", "trtllm", "llamacpp"}) {
    CAPTURE(engine);
    CHECK(code(engine, "h100-sxm-80gb") == "");
    CHECK(code(engine, "tpu-v5e") == refused);
    CHECK(code(engine, "trainium2") == refused);
    CHECK(code(engine, "gaudi3") == refused);
  }
  CHECK(code("vllm", "mi300x") == "");
  CHECK(code("trtllm", "mi300x") == refused);
  CHECK(code("llamacpp", "apple-m4-max-40c") == "");
  CHECK(code("vllm", "apple-m4-max-40c") == refused);
}
