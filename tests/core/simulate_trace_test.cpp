#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "exact_math.hpp"
#include "simulated.hpp"

// 300 requests of one run of vLLM 0.19 on one RTX 4090 with Llama-3.1-8B, whose cache was full most
// of the time. The steps' times are those of the rule below, so that this tests the scheduling.

namespace {

using ridgepoint::exact_pow;
namespace speed = tests::speed;

/// Llama-3.1-8B in 16 bits on an RTX 4090: products of matrices at 0.86 of 1,008 GB/s and 0.87 of
/// 165 TFLOP/s, which round each other off by a power mean; attention at 0.82 and 0.5 of them.
class Rtx4090 : public speed::StepTimer {
 public:
  [[nodiscard]] const speed::ContextCaps& caps() const override { return caps_; }

  speed::StepTime time(const speed::StepLoad& load) override {
    double tokens = static_cast<double>(load.decoding);
    double attention = 0;
    if (load.decoding != 0) {
      attention += 8e-6 + static_cast<double>(load.context[0]) * 4096 / (0.82 * kBandwidth);
    }
    for (const speed::Chunk& chunk : load.chunks) {
      const auto c = static_cast<double>(chunk.tokens);
      const double scores = c * static_cast<double>(chunk.cached) + c * c / 2;
      tokens += c;
      attention += 20e-6 + 4 * 32 * 128 * scores / (0.5 * kPeak);
    }
    const double layer = gemm(tokens, 6144, 4096) + gemm(tokens, 4096, 4096) +
                         gemm(tokens, 28672, 4096) + gemm(tokens, 4096, 14336);
    const double elementwise =
        5 * 1.8e-6 + 2 * tokens * (8 * 4096 + 3 * 14336) / (0.8 * kBandwidth);
    speed::StepTime time;
    time.host = 0.23e-3 + 4e-6 * static_cast<double>(load.sampled);
    time.linear = 32 * layer;
    time.attention = 32 * attention;
    time.elementwise = 32 * elementwise;
    time.head = gemm(static_cast<double>(load.sampled), 128256, 4096);
    time.total = time.host + time.linear + time.attention + time.elementwise + time.head;
    return time;
  }

 private:
  static constexpr double kBandwidth = 1008e9;
  static constexpr double kPeak = 165.2e12;

  static double gemm(double m, double n, double k) {
    if (m <= 0) {
      return 0;
    }
    const double memory = 2 * (n * k + m * (n + k)) / (0.86 * kBandwidth);
    const double compute = 2 * m * n * k / (0.87 * kPeak);
    return 4e-6 + exact_pow(exact_pow(memory, 2.3) + exact_pow(compute, 2.3), 1 / 2.3);
  }

  speed::ContextCaps caps_ = {~0ULL, 0, 0, 0};
};

struct Row {
  double arrival;
  double input;
  double output;
  double first;
  double last;
};

std::vector<Row> measured() {
  std::ifstream file(std::string(RIDGEPOINT_FIXTURES) + "/speed/rtx4090_llama-3.1-8b.csv");
  std::vector<Row> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream in(line);
    Row row{};
    in >> row.arrival >> row.input >> row.output >> row.first >> row.last;
    rows.push_back(row);
  }
  return rows;
}

double exact_quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<std::size_t>(std::ceil(q * static_cast<double>(values.size())));
  return values[rank - 1];
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) {
    sum += value;
  }
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("a run that was measured is met", "[simulate]") {
  const std::vector<Row> rows = measured();
  REQUIRE(rows.size() == 300);
  std::vector<double> ttft;
  std::vector<double> tpot;
  tests::load::Load load;
  load.arrivals.kind = tests::load::ArrivalKind::trace;
  load.requests = rows.size();
  for (const Row& row : rows) {
    load.trace.push_back({row.arrival, static_cast<std::uint32_t>(row.input),
                          static_cast<std::uint32_t>(row.output), 0});
    ttft.push_back(row.first - row.arrival);
    tpot.push_back((row.last - row.first) / (row.output - 1));
  }
  Rtx4090 timer;
  tests::simulate::Inputs inputs;
  inputs.timers = {&timer};
  inputs.load = load;
  inputs.pool = tests::simulate::plain_pool(2588, 16);
  inputs.front_end.fixed_s = 8e-3;
  inputs.schedule.max_num_seqs = 256;
  inputs.schedule.max_num_batched_tokens = 2048;
  inputs.schedule.overlapped = true;
  const auto got = tests::run(inputs);
  CHECK(got.finished == 300);
  const auto near = [](double value, double wanted, double share) {
    return std::abs(value / wanted - 1) <= share;
  };
  CHECK(near(got.ttft_s.mean, mean_of(ttft), 0.12));
  CHECK(near(got.ttft_s.p50, exact_quantile(ttft, 0.5), 0.12));
  CHECK(near(got.ttft_s.p90, exact_quantile(ttft, 0.9), 0.12));
  CHECK(near(got.ttft_s.p99, exact_quantile(ttft, 0.99), 0.12));
  CHECK(near(got.tpot_s.mean, mean_of(tpot), 0.08));
  CHECK(near(got.tpot_s.p50, exact_quantile(tpot, 0.5), 0.08));
  CHECK(near(got.tpot_s.p90, exact_quantile(tpot, 0.9), 0.08));
  // 49 were seen to run at once.
  CHECK(std::abs(got.running.peak - 49) <= 3);
  CHECK(got.preemptions > 60);
  CHECK(got.preemptions < 600);
  // What a preempted request left in the cache is found again, or all of it would be computed anew.
  inputs.schedule.prefix_caching = false;
  const auto without = tests::run(inputs);
  CHECK(without.recomputed_tokens > got.recomputed_tokens * 3 / 2);
  CHECK(without.duration_s > got.duration_s);
}
