#include "weights/allocation.hpp"

#include "evaluated.hpp"

namespace {

using ridgepoint::model::matrix;
using ridgepoint::model::Part;
using ridgepoint::model::Split;
using ridgepoint::model::Tensor;
using ridgepoint::weights::Allocation;

constexpr std::uint64_t kMiB = 1ULL << 20U;

Tensor in_layers(Split split, std::uint64_t cols) {
  Tensor tensor = matrix(Part::dense_ffn, split, "m", 1, cols);
  tensor.block = "mlp.";
  tensor.layers = 4;
  return tensor;
}

std::uint64_t rest_of(std::uint64_t bytes) {
  Allocation allocation;
  allocation.add(in_layers(Split::row, 8), bytes, 1);
  return allocation.rest_bytes();
}

}  // namespace

TEST_CASE("a large tensor keeps a rest of up to 1 MiB of its segment") {
  CHECK(rest_of(125 * kMiB) == kMiB);         // in 126
  CHECK(rest_of(126 * kMiB) == 0);            // fits
  CHECK(rest_of(441 * kMiB / 2) == 0);        // 220.5 in 222: 1.5 are split off
  CHECK(rest_of(95 * kMiB / 2) == kMiB / 2);  // 47.5 in 48
  CHECK(rest_of(9 * kMiB) == 0);              // shares a segment with others
}

TEST_CASE("matrices of one input are one tensor, on every layer") {
  Allocation allocation;
  allocation.add(in_layers(Split::column, 8), 95 * kMiB / 2, 4);
  allocation.add(in_layers(Split::column, 8), 95 * kMiB / 2, 4);  // gate and up: 95 in 96
  allocation.add(in_layers(Split::row, 16), 95 * kMiB / 2, 4);    // down: 47.5 in 48
  CHECK(allocation.rest_bytes() == 4 * (kMiB + kMiB / 2));
}

TEST_CASE("loaded weights with such rests are those that vLLM printed") {
  const auto weights = [](const char* fixture, const char* version, int ranks) {
    const tests::Json said =
        tests::evaluate({{"model", {{"config", tests::config_fixture(fixture)}}},
                         {"gpu", {{"id", "h100-sxm-80gb"}, {"count", ranks}}},
                         {"engine", {{"version", version}}},
                         {"workload", {{"context", 8192}}}});
    return said.at("memory").at("per_gpu").at("weights").at("best").get<double>() / tests::kGiB;
  };
  CHECK(weights("Qwen--Qwen3-32B", "0.11.0", 2) == Approx(30.59).margin(0.01));
  CHECK(weights("Qwen--Qwen3-32B", "0.11.0", 1) == Approx(61.03).margin(0.01));
  CHECK(weights("google--gemma-3-27b-it", "0.19.0", 1) == Approx(51.45).margin(0.02));
}
