#include <catch2/catch.hpp>
#include <cstdint>

#include "fixtures.hpp"
#include "speed/roofline.hpp"

using ridgepoint::Basis;
using ridgepoint::hardware::Device;
using ridgepoint::speed::Load;
using ridgepoint::speed::roofline;
using ridgepoint::speed::Speed;

namespace {

/// The A100 SXM 80GB of the data sheet: 312 TFLOP/s dense 16-bit, 2,039 GB/s.
Device a100() {
  Device device;
  device.fp16_flops = 312e12;
  device.bf16_flops = 312e12;
  device.bandwidth_bytes_per_s = 2039e9;
  return device;
}

/// Meta-Llama-3-8B in 16 bits: 8,030,261,248 parameters, 16,060,522,496 bytes, of which the input
/// table 128,256 x 4,096 x 2 = 1,050,673,152; one request of 8,192 tokens at 131,072 bytes.
Load llama() {
  Load load;
  load.active_parameters = 8030261248;
  load.weight_bytes = 16060522496;
  load.embedding_bytes = 1050673152;
  load.cache_bytes_per_request = 1073741824;
  load.prompt = 2048;
  return load;
}

/// Mixtral-8x7B in 16 bits: 46,702,792,704 parameters of which 12,879,925,248 active; experts
/// 32 layers x 8 x 3 x 4,096 x 14,336 x 2 bytes; table 32,000 x 4,096 x 2 bytes.
Load mixtral() {
  Load load;
  load.active_parameters = 12879925248;
  load.weight_bytes = 93405585408;
  load.expert_bytes = 90194313216;
  load.embedding_bytes = 262144000;
  load.expert_share_per_token = 0.25;
  load.prompt = 2048;
  return load;
}

}  // namespace

TEST_CASE("prefill of Llama-3-8B on an A100 takes what the roofline by hand says") {
  const Speed speed = roofline(llama(), a100());
  REQUIRE(speed.known);
  // 2 x 8,030,261,248 x 2,048 = 3.2891950e13 FLOP; / 312e12 = 0.10542292 s at the peak;
  // / 0.55, / 0.40, / 0.25.
  CHECK(speed.ttft_s.low == Approx(0.1916780).epsilon(1e-5));
  CHECK(speed.ttft_s.best == Approx(0.2635573).epsilon(1e-5));
  CHECK(speed.ttft_s.high == Approx(0.4216917).epsilon(1e-5));
  CHECK(speed.ttft_s.basis == Basis::literature);
}

TEST_CASE("decoding of Llama-3-8B on an A100 takes what the roofline by hand says") {
  const Speed speed = roofline(llama(), a100());
  // 16,060,522,496 - 1,050,673,152 + 1,073,741,824 = 16,083,591,168 bytes; / 2,039e9 = 7.8879800 ms
  // at the full bandwidth; / 0.68, / 0.61, / 0.55.
  CHECK(speed.tpot_s.low == Approx(0.01159997).epsilon(1e-5));
  CHECK(speed.tpot_s.best == Approx(0.01293111).epsilon(1e-5));
  CHECK(speed.tpot_s.high == Approx(0.01434178).epsilon(1e-5));
  CHECK(speed.tpot_s.basis == Basis::measured);
  // 1 / 0.01434178, 1 / 0.01293111, 1 / 0.01159997.
  CHECK(speed.decode_tokens_per_s.low == Approx(69.7263).epsilon(1e-4));
  CHECK(speed.decode_tokens_per_s.best == Approx(77.3329).epsilon(1e-4));
  CHECK(speed.decode_tokens_per_s.high == Approx(86.2071).epsilon(1e-4));
  CHECK(speed.decode_tokens_per_s.basis == Basis::measured);
}

TEST_CASE("a batch reads the weights once and every request's cache") {
  Load load = llama();
  load.batch = 16;
  const Speed speed = roofline(load, a100());
  // 15,009,849,344 + 16 x 1,073,741,824 = 32,189,718,528 bytes; / 2,039e9 = 15.787012 ms; / 0.61.
  CHECK(speed.tpot_s.best == Approx(0.02588035).epsilon(1e-5));
  CHECK(speed.decode_tokens_per_s.best == Approx(16 / 0.02588035).epsilon(1e-5));
}

TEST_CASE("the ridge batch is where reading the weights takes as long as computing with them") {
  // Weights 15,009,849,344 / 2,039e9 = 7.361378 ms; a token 16,060,522,496 / 312e12 = 51.476 us:
  // 143 requests.
  CHECK(roofline(llama(), a100()).ridge_batch == 143);
}

TEST_CASE("prefill of a mixture counts the active parameters only") {
  const Speed speed = roofline(mixtral(), a100());
  // 2 x 12,879,925,248 x 2,048 / 312e12 / 0.40; all 46.7e9 would give 1.5328 s.
  CHECK(speed.ttft_s.best == Approx(0.4227258).epsilon(1e-5));
}

TEST_CASE("a single request of a mixture reads its own experts only") {
  // Other weights 93,405,585,408 - 90,194,313,216 - 262,144,000 = 2,949,128,192 bytes, and a
  // quarter of the experts, 22,548,578,304: 25,497,706,496 / 2,039e9 / 0.61.
  CHECK(roofline(mixtral(), a100()).tpot_s.best == Approx(0.02050000).epsilon(1e-4));
}

TEST_CASE("a large batch of a mixture reads all experts") {
  Load load = mixtral();
  load.batch = 64;
  // 1 - 0.75^64 = 0.99999999: 93,143,441,408 bytes / 2,039e9 / 0.61.
  CHECK(roofline(load, a100()).tpot_s.best == Approx(0.07488679).epsilon(1e-5));
  load.batch = 2;
  // 1 - 0.75^2 = 7/16 of the experts: 2,949,128,192 + 39,460,012,032 = 42,409,140,224 bytes.
  CHECK(roofline(load, a100()).tpot_s.best == Approx(0.03409670).epsilon(1e-5));
}

TEST_CASE("a batch beyond the ridge is bound by arithmetic") {
  Load load = llama();
  load.cache_bytes_per_request = 0;
  load.batch = 4096;
  // 4,096 x 51.476034 us = 0.21084584 s at the peak; / 0.40.
  CHECK(roofline(load, a100()).tpot_s.best == Approx(0.5271146).epsilon(1e-5));
}

TEST_CASE("cards that share a replica add up") {
  Load load = llama();
  load.gpus = 4;
  const Speed speed = roofline(load, a100());
  CHECK(speed.ttft_s.best == Approx(0.2635573 / 4).epsilon(1e-5));
  CHECK(speed.tpot_s.best == Approx(0.01293111 / 4).epsilon(1e-5));
  CHECK(speed.ridge_batch == 143);
}

TEST_CASE("eight-bit arithmetic counts only where the card has it") {
  Load load = llama();
  load.eight_bit_math = true;
  CHECK(roofline(load, a100()).ttft_s.best == Approx(0.2635573).epsilon(1e-5));
  Device hopper = a100();
  hopper.fp8_flops = 624e12;
  CHECK(roofline(load, hopper).ttft_s.best == Approx(0.1317787).epsilon(1e-5));
}

TEST_CASE("no speed is given for a card without known bandwidth or peak") {
  Device no_bandwidth = a100();
  no_bandwidth.bandwidth_bytes_per_s = 0;
  CHECK_FALSE(roofline(llama(), no_bandwidth).known);
  Device no_peak = a100();
  no_peak.fp16_flops = 0;
  no_peak.bf16_flops = 0;
  CHECK_FALSE(roofline(llama(), no_peak).known);
}

TEST_CASE("the report carries the speed of the roofline with its bases") {
  fixtures::Json request = fixtures::request();
  request["workload"] = {{"context", 8192}, {"prompt", 2048}};
  const fixtures::Json report = fixtures::answer(request);
  const fixtures::Json& speed = report.at("speed");
  CHECK(speed.at("ttft_s").at("best").get<double>() == Approx(0.2635573).epsilon(1e-5));
  CHECK(speed.at("ttft_s").at("basis") == "literature");
  // Loaded weights are a little over the checkpoint's (position tables), so within 0.5 %.
  CHECK(speed.at("tpot_s").at("best").get<double>() == Approx(0.01293111).epsilon(5e-3));
  CHECK(speed.at("tpot_s").at("basis") == "measured");
  CHECK(speed.at("ridge_batch") == 143);
}

TEST_CASE("a custom card without rates is given no speed rather than a wrong one") {
  fixtures::Json request = fixtures::request();
  request["gpu"] = {{"total_bytes", 85899345920}};
  const fixtures::Json report = fixtures::answer(request);
  REQUIRE(report.contains("speed"));
  CHECK(report.at("speed").is_null());
}
