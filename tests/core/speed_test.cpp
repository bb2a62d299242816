#include <catch2/catch.hpp>
#include <cstdint>

#include "fixtures.hpp"

namespace {

fixtures::Json speed_of(const char* gpu, std::uint64_t prompt, std::uint64_t output,
                        std::uint64_t requests = 1) {
  fixtures::Json request = fixtures::request();
  request["model"] = {{"id", "meta-llama/Llama-3.1-8B"}};
  request["gpu"] = {{"id", gpu}};
  request["engine"] = {{"name", "vllm"}, {"version", "0.20.0"}};
  request["workload"] = {{"context", prompt + output},
                         {"prompt", prompt},
                         {"output", output},
                         {"concurrency", requests}};
  return fixtures::answer(request).at("speed");
}

double best(const fixtures::Json& estimate) { return estimate.at("best").get<double>(); }

}  // namespace

// Measured by AccelMark and others, bfloat16, one request: 10.77 ms a token on an A100 with vLLM
// 0.20, 6.5 ms on an H100; in the engine's own process a prompt of 28,600 tokens in 2.84 to 3.18 s
// on the A100 and in 1.08 s on the H100, to which reading it over HTTP adds 0.31 s.
TEST_CASE("a report tells the speed that was measured", "[speed]") {
  CHECK(best(speed_of("a100-sxm-80gb", 236, 345).at("tpot_s")) == Approx(0.01077).epsilon(0.12));
  CHECK(best(speed_of("h100-sxm-80gb", 236, 345).at("tpot_s")) == Approx(0.0065).epsilon(0.12));
  CHECK(best(speed_of("a100-sxm-80gb", 28600, 220).at("ttft_s")) ==
        Approx(3.0 + 0.31).epsilon(0.16));
  CHECK(best(speed_of("h100-sxm-80gb", 28600, 220).at("ttft_s")) ==
        Approx(1.08 + 0.31).epsilon(0.16));
}

TEST_CASE("a report tells how much of the ceilings that is, and what takes the time", "[speed]") {
  const fixtures::Json speed = speed_of("h100-sxm-80gb", 8192, 1024);
  // An H100 reads Llama-3.1-8B's 15 GB in 4.5 ms at its full bandwidth: 0.70 of it was measured.
  CHECK(speed.at("mbu").get<double>() == Approx(0.70).epsilon(0.1));
  // Prompts of this length reach 0.54 to 0.76 of the peak in matrix products, less with attention.
  CHECK(speed.at("mfu").get<double>() > 0.4);
  CHECK(speed.at("mfu").get<double>() < 0.78);
  CHECK(speed.at("dominant") == "linear");
  CHECK(speed.at("tpot_s").at("basis") == "measured");
  CHECK(speed.at("tpot_s").at("low").get<double>() < best(speed.at("tpot_s")));
}

TEST_CASE("a batch reads the weights once and every request's cache", "[speed]") {
  const double one = best(speed_of("h100-sxm-80gb", 2048, 1024, 1).at("tpot_s"));
  const double many = best(speed_of("h100-sxm-80gb", 2048, 1024, 32).at("tpot_s"));
  CHECK(many > one);
  CHECK(many < 2 * one);
}

TEST_CASE("a custom card without rates is given no speed rather than a wrong one") {
  fixtures::Json request = fixtures::request();
  request["gpu"] = {{"total_bytes", 85899345920}};
  const fixtures::Json report = fixtures::answer(request);
  REQUIRE(report.contains("speed"));
  CHECK(report.at("speed").is_null());
}
