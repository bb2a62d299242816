#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/sglang/flags.hpp"

namespace sglang = ridgepoint::engine::sglang;
using ridgepoint::engine::FlagEffect;
using ridgepoint::engine::FlagFacts;

namespace {

std::string_view name_of(std::string_view spelling) {
  const FlagFacts* flag = find_flag(sglang::flags(), spelling);
  return flag == nullptr ? std::string_view() : flag->name;
}

}  // namespace

TEST_CASE("an SGLang flag is found by each of its spellings") {
  CHECK(name_of("tp") == "tensor-parallel-size");
  CHECK(name_of("tp_size") == "tensor-parallel-size");
  CHECK(name_of("dp-size") == "data-parallel-size");
  CHECK(name_of("ep") == "expert-parallel-size");
  CHECK(name_of("nsa-prefill-backend") == "dsa-prefill-backend");
  CHECK(name_of("cuda-graph-max-bs-decode") == "cuda-graph-max-bs");
  CHECK(name_of("model") == "model-path");
  CHECK(name_of("mamba-radix-cache-strategy") == "mamba-scheduler-strategy");
  CHECK(name_of("speculative-algo") == "speculative-algorithm");
  CHECK(name_of("max-model-len").empty());
}

TEST_CASE("every SGLang flag is told in a sentence") {
  for (const FlagFacts& flag : sglang::flags().flags) {
    INFO(flag.name);
    CHECK(flag.help.size() > 10);
    CHECK(flag.help.back() == '.');
    CHECK(flag.help.find('\n') == std::string_view::npos);
  }
  CHECK(sglang::flags().flags.size() > 350);
}

TEST_CASE("a version is told as SGLang writes it") {
  CHECK(sglang::flags().version_text(5017) == "0.5.17");
  CHECK(sglang::flags().version_text(4010) == "0.4.10");
}

TEST_CASE("what decides the pool is used, not passed over") {
  for (const char* name :
       {"mem-fraction-static", "max-total-tokens", "max-running-requests", "chunked-prefill-size",
        "kv-cache-dtype", "page-size", "swa-full-tokens-ratio", "mamba-full-memory-ratio",
        "max-mamba-cache-size", "enable-dp-attention", "speculative-algorithm"}) {
    const FlagFacts* flag = find_flag(sglang::flags(), name);
    INFO(name);
    REQUIRE(flag != nullptr);
    CHECK(flag->effect == FlagEffect::used);
  }
}
