#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include "hardware/device.hpp"

using namespace ridgepoint;
using namespace ridgepoint::hardware;

namespace {

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr std::uint64_t kMiBytes = 1048576;
constexpr std::uint64_t kGiBytes = 1024 * kMiBytes;

const DeviceFacts& known(std::string_view name) {
  const DeviceFacts* found = find_device(name);
  INFO(name);
  REQUIRE(found != nullptr);
  return *found;
}

std::string id_of(std::string_view name) {
  const DeviceFacts* found = find_device(name);
  return found == nullptr ? "unknown" : std::string(found->id);
}

DeviceRequest named(const std::string& id) {
  DeviceRequest request;
  request.id = id;
  return request;
}

DeviceRequest sized(std::uint64_t total) {
  DeviceRequest request;
  request.total_bytes = total;
  return request;
}

Error error_of(const DeviceRequest& request) {
  const Result<Device> result = make_device(request);
  REQUIRE_FALSE(result.ok());
  return result.error();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

// What engines print as the card's total, to the two decimals they print it with: vLLM start-up
// logs (A100 79.25, H100 79.18 or 79.19, L40S 44.39, H200 139.8, T4 14.56 and 14.74), TensorRT-LLM
// logs (B200 178.35, GB200 184.31, B300 267.68) and torch out-of-memory messages (L4 22.03,
// RTX 5090 31.36).
TEST_CASE("Memory is what the CUDA runtime reports, not the figure on the box") {
  const auto gib = [](std::string_view id) {
    return static_cast<double>(known(id).total_bytes) / kGiB;
  };
  CHECK(gib("a100-sxm-80gb") == Approx(79.25).margin(0.006));
  CHECK(gib("h100-sxm-80gb") == Approx(79.185).margin(0.011));
  CHECK(gib("l40s") == Approx(44.39).margin(0.016));
  CHECK(gib("l4") == Approx(22.03).margin(0.006));
  CHECK(gib("h200") == Approx(139.8).margin(0.06));
  CHECK(gib("t4") == Approx(14.65).margin(0.1));
  CHECK(gib("rtx-5090") == Approx(31.38).margin(0.03));
  CHECK(gib("b200") == Approx(178.35).margin(0.006));
  CHECK(gib("gb200") == Approx(184.31).margin(0.006));
  CHECK(gib("b300") == Approx(267.68).margin(0.011));
  // ROCm prints 191.98 for an MI300X: AMD cards hide nothing.
  CHECK(gib("mi300x") == Approx(191.98).margin(0.006));
  // The only exact byte count published: device_total_memory of a benchmark record.
  CHECK(known("rtx-4090").total_bytes == 25'250'627'584u);
}

// nvidia-smi prints 81920, 81559, 46068 and 24564 MiB for these.
TEST_CASE("The driver's total is kept beside the runtime's") {
  CHECK(known("a100-sxm-80gb").driver_total_bytes == 81'920 * kMiBytes);
  CHECK(known("h100-sxm-80gb").driver_total_bytes == 81'559 * kMiBytes);
  CHECK(known("l40s").driver_total_bytes == 46'068 * kMiBytes);
  CHECK(known("rtx-4090").driver_total_bytes == 24'564 * kMiBytes);
}

// NVIDIA data sheets: A100 80GB SXM 2,039 GB/s, 312 TFLOPS dense; H100 SXM 3.35 TB/s, 1,979 FP8
// TFLOPS dense (3,958 with sparsity), 132 multiprocessors, 900 GB/s NVLink.
TEST_CASE("Rates are dense and in base units") {
  const DeviceFacts& a100 = known("a100-sxm-80gb");
  CHECK(a100.bandwidth_bytes_per_s == 2039e9);
  CHECK(a100.bf16_flops == 312e12);
  CHECK(a100.fp8_flops == 0);
  CHECK(a100.multiprocessors == 108);
  CHECK(a100.compute_capability == 80);

  const DeviceFacts& h100 = known("h100-sxm-80gb");
  CHECK(h100.bandwidth_bytes_per_s == 3350e9);
  CHECK(h100.fp8_flops == Approx(1979e12).epsilon(0.001));
  CHECK(h100.multiprocessors == 132);
  CHECK(h100.link_bytes_per_s == 900e9);
  CHECK(known("t4").bf16_flops == 0);
  CHECK(known("gtx-1080-ti").bf16_flops == 0);
}

TEST_CASE("Every card states enough to size memory and bound speed") {
  for (const DeviceFacts& card : devices()) {
    INFO(card.id);
    CHECK_FALSE(card.name.empty());
    CHECK_FALSE(card.architecture.empty());
    CHECK_FALSE(card.total_source.empty());
    CHECK(static_cast<double>(card.total_bytes) > 5 * kGiB);
    CHECK(static_cast<double>(card.total_bytes) <= card.marketing_gb * kGiB);
    CHECK((card.driver_total_bytes == 0 || card.driver_total_bytes >= card.total_bytes));
    CHECK(card.bandwidth_bytes_per_s >= 50e9);
    CHECK(card.fp16_flops >= 1e12);
    CHECK((card.compute_capability != 0) == (card.vendor == "nvidia"));
  }
  CHECK(devices().size() >= 150);
}

TEST_CASE("A derived total says so in its source and a measured one too") {
  for (const DeviceFacts& card : devices()) {
    INFO(card.id);
    CHECK((card.total_source.substr(0, 8) == "measured") == card.total_is_measured);
  }
  CHECK(known("a100-sxm-80gb").total_is_measured);
  CHECK_FALSE(known("tpu-v4").total_is_measured);
}

TEST_CASE("People's short names find the card they mean") {
  CHECK(id_of("a100") == "a100-sxm-80gb");
  CHECK(id_of("a100-80gb") == "a100-sxm-80gb");
  CHECK(id_of("a100-40gb") == "a100-sxm-40gb");
  CHECK(id_of("h100") == "h100-sxm-80gb");
  CHECK(id_of("h100-80gb") == "h100-sxm-80gb");
  CHECK(id_of("h200") == "h200-sxm-141gb");
  CHECK(id_of("h20") == "h20-96gb");
  CHECK(id_of("b200") == "b200-sxm-180gb");
  CHECK(id_of("b300") == "b300-sxm-288gb");
  CHECK(id_of("gb200") == "gb200-nvl72");
  CHECK(id_of("4090") == "rtx-4090");
  CHECK(id_of("rtx4090") == "rtx-4090");
  CHECK(id_of("4060ti") == "rtx-4060-ti-8gb");
  CHECK(id_of("a10g") == "a10g");
  CHECK(id_of("v100") == "v100-sxm2-16gb");
  CHECK(id_of("mi300") == "mi300x");
  CHECK(id_of("dgx-spark") == "gb10-dgx-spark");
  CHECK(id_of("gb10") == "gb10-dgx-spark");
  CHECK(id_of("a6000") == "rtx-a6000");
  CHECK(id_of("rtx-6000-ada") == "rtx-6000-ada");
  CHECK(id_of("rtx-pro-6000") == "rtx-pro-6000-blackwell");
  CHECK(id_of("7900xtx") == "rx-7900-xtx");
  CHECK(id_of("m4-max") == "apple-m4-max-40c");
}

// The names in the left column are what nvidia-smi and rocminfo print.
TEST_CASE("The names that drivers print find the card") {
  CHECK(id_of("NVIDIA A100-SXM4-80GB") == "a100-sxm-80gb");
  CHECK(id_of("NVIDIA A100-SXM4-40GB") == "a100-sxm-40gb");
  CHECK(id_of("NVIDIA A100 80GB PCIe") == "a100-pcie-80gb");
  CHECK(id_of("NVIDIA H100 80GB HBM3") == "h100-sxm-80gb");
  CHECK(id_of("NVIDIA H100 PCIe") == "h100-pcie-80gb");
  CHECK(id_of("NVIDIA H200") == "h200-sxm-141gb");
  CHECK(id_of("NVIDIA B200") == "b200-sxm-180gb");
  CHECK(id_of("NVIDIA GH200 480GB") == "gh200-96gb");
  CHECK(id_of("NVIDIA L40S") == "l40s");
  CHECK(id_of("NVIDIA L4") == "l4");
  CHECK(id_of("NVIDIA A10G") == "a10g");
  CHECK(id_of("Tesla T4") == "t4");
  CHECK(id_of("Tesla V100-SXM2-16GB") == "v100-sxm2-16gb");
  CHECK(id_of("NVIDIA GeForce RTX 4090") == "rtx-4090");
  CHECK(id_of("NVIDIA GeForce RTX 4070 Ti SUPER") == "rtx-4070-ti-super");
  CHECK(id_of("NVIDIA GeForce RTX 4090 Laptop GPU") == "rtx-4090-laptop");
  CHECK(id_of("NVIDIA RTX A6000") == "rtx-a6000");
  CHECK(id_of("NVIDIA RTX 6000 Ada Generation") == "rtx-6000-ada");
  CHECK(id_of("NVIDIA RTX PRO 6000 Blackwell Server Edition") == "rtx-pro-6000-blackwell");
  CHECK(id_of("NVIDIA RTX PRO 6000 Blackwell Workstation Edition") == "rtx-pro-6000-blackwell");
  CHECK(id_of("NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition") == "rtx-pro-6000-maxq");
  CHECK(id_of("NVIDIA GB10") == "gb10-dgx-spark");
  CHECK(id_of("AMD Instinct MI300X") == "mi300x");
  CHECK(id_of("AMD Radeon RX 7900 XTX") == "rx-7900-xtx");
}

TEST_CASE("Letter case and the kind and number of separators do not matter") {
  CHECK(id_of("A100_SXM_80GB") == "a100-sxm-80gb");
  CHECK(id_of("  a100 sxm - 80gb_") == "a100-sxm-80gb");
  CHECK(id_of("RTX_4090") == "rtx-4090");
}

TEST_CASE("Every id and alias finds its own card") {
  std::set<std::string_view> names;
  for (const DeviceFacts& card : devices()) {
    std::string_view rest = card.aliases;
    std::string_view name = card.id;
    while (!name.empty()) {
      INFO(name);
      CHECK(find_device(name) == &card);
      CHECK(names.insert(name).second);
      const std::size_t end = std::min(rest.find(' '), rest.size());
      name = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
}

TEST_CASE("Names that mean no card find none") {
  CHECK(find_device("") == nullptr);
  CHECK(find_device(" - _ ") == nullptr);
  CHECK(find_device("a100-sxm-80gb-or-so") == nullptr);
  CHECK(find_device("a100sxm80gb!") == nullptr);
  CHECK(find_device(std::string_view("a100\0", 5)) == nullptr);
  CHECK(find_device(std::string(1 << 20, 'a')) == nullptr);
  CHECK(find_device(std::string(1 << 20, '-')) == nullptr);
  CHECK(find_device("a100" + std::string(1 << 20, ' ') + "80gb") == nullptr);
  // An RTX 2060 or 3050 has versions of two sizes, and the one listed is not the usual one.
  CHECK(find_device("rtx-2060") == nullptr);
  CHECK(find_device("rtx-3050") == nullptr);
}

TEST_CASE("Near names are offered, best first and at most three") {
  CHECK(nearest_ids("h1000").substr(0, 13) == "h100-sxm-80gb");
  CHECK(nearest_ids("a100-120gb").substr(0, 5) == "a100-");
  CHECK(nearest_ids("rtx 4090 titan").substr(0, 8) == "rtx-4090");
  CHECK(contains(nearest_ids("L40 S"), "l40s"));
  CHECK(nearest_ids("GeForce RTX 5090 Super").substr(0, 8) == "rtx-5090");
  const std::string near = nearest_ids("rtx-40");
  CHECK(std::count(near.begin(), near.end(), ',') == 2);
  CHECK(nearest_ids("").empty());
  CHECK(nearest_ids("gpu").empty());
  CHECK(nearest_ids("qqqqqqqqqqqqqqqqqqqqqqqq").empty());
  CHECK(nearest_ids(std::string(1 << 20, 'q')).empty());
}

TEST_CASE("A request for a known card gives its facts") {
  const Result<Device> result = make_device(named("H100"));
  REQUIRE(result.ok());
  const DeviceFacts& facts = known("h100-sxm-80gb");
  CHECK(result->id == "h100-sxm-80gb");
  CHECK(result->name == facts.name);
  CHECK(result->vendor == "nvidia");
  CHECK(result->architecture == "hopper");
  CHECK(result->total_bytes == facts.total_bytes);
  CHECK(result->total_is_measured);
  CHECK(result->total_source == facts.total_source);
  CHECK(result->driver_total_bytes == facts.driver_total_bytes);
  CHECK(result->bandwidth_bytes_per_s == facts.bandwidth_bytes_per_s);
  CHECK(result->fp8_flops == facts.fp8_flops);
  CHECK_FALSE(result->free_bytes.has_value());
}

TEST_CASE("Numbers beside an id override what is known") {
  DeviceRequest request = named("rtx-4090");
  request.total_bytes = 48 * kGiBytes;
  request.free_bytes = 47 * kGiBytes;
  request.bandwidth_bytes_per_s = 900e9;
  request.flops = known("rtx-4090").fp16_flops / 2;
  const Result<Device> result = make_device(request);
  REQUIRE(result.ok());
  CHECK(result->id == "rtx-4090");
  CHECK(result->total_bytes == 48 * kGiBytes);
  CHECK(result->total_source == "given in the request");
  CHECK(result->free_bytes == 47 * kGiBytes);
  CHECK(result->bandwidth_bytes_per_s == 900e9);
  CHECK(result->bf16_flops == *request.flops);
  CHECK(result->fp8_flops == known("rtx-4090").fp8_flops / 2);
  // The driver keeps back as much as on the 24 GB board.
  CHECK(result->driver_total_bytes - result->total_bytes ==
        known("rtx-4090").driver_total_bytes - known("rtx-4090").total_bytes);
}

TEST_CASE("An override of the rate does not give a card a format that it lacks") {
  DeviceRequest request = named("t4");
  request.flops = 30e12;
  const Result<Device> result = make_device(request);
  REQUIRE(result.ok());
  CHECK(result->fp16_flops == 30e12);
  CHECK(result->bf16_flops == 0);
}

TEST_CASE("A total without an id is a card of its own") {
  const Result<Device> bare = make_device(sized(80'000'000'000));
  REQUIRE(bare.ok());
  CHECK(bare->id.empty());
  CHECK_FALSE(bare->name.empty());
  CHECK(bare->total_bytes == 80'000'000'000);
  CHECK(bare->driver_total_bytes == 80'000'000'000);
  CHECK(bare->bandwidth_bytes_per_s == 0);
  CHECK(bare->fp16_flops == 0);

  DeviceRequest request = sized(80'000'000'000);
  request.bandwidth_bytes_per_s = 0;
  request.flops = 500e12;
  const Result<Device> rated = make_device(request);
  REQUIRE(rated.ok());
  CHECK(rated->bandwidth_bytes_per_s == 0);
  CHECK(rated->fp16_flops == 500e12);
  CHECK(rated->bf16_flops == 500e12);
  CHECK(rated->fp8_flops == 0);
}

TEST_CASE("An unknown card is an error that says how to go on") {
  const Error error = error_of(named("A100-120GB"));
  CHECK(error.code == "unknown_gpu");
  CHECK(error.path == "gpu.id");
  CHECK(contains(error.message, "A100-120GB"));
  CHECK(contains(error.message, "a100-"));
  CHECK(contains(error.message, "gpu.total_bytes"));

  SECTION("a total does not make up for a wrong id") {
    DeviceRequest request = named("a100-120gb");
    request.total_bytes = 120'000'000'000;
    CHECK(error_of(request).code == "unknown_gpu");
  }
  SECTION("a very long id is shortened, never inside a character") {
    CHECK(error_of(named(std::string(1 << 20, 'x'))).message.size() < 500);
    for (std::size_t lead = 0; lead < 4; ++lead) {
      std::string id(lead, 'x');
      while (id.size() < 200) id += "\xe2\x82\xac";
      const std::string message = error_of(named(id)).message;
      const std::size_t cut = message.find("...");
      REQUIRE(cut != std::string::npos);
      CHECK(message[cut - 1] == '\xac');
    }
  }
}

TEST_CASE("No id and no total is an error") {
  CHECK(error_of({}).code == "missing_field");
  CHECK(error_of({}).path == "gpu.id");
}

TEST_CASE("Absurd sizes are errors") {
  const std::uint64_t huge = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t total : {std::uint64_t{0}, std::uint64_t{80}, huge, huge / 8}) {
    INFO(total);
    CHECK(error_of(sized(total)).code == "bad_value");
    CHECK(error_of(sized(total)).path == "gpu.total_bytes");
    DeviceRequest request = named("l4");
    request.total_bytes = total;
    CHECK(error_of(request).path == "gpu.total_bytes");
  }
}

TEST_CASE("Free memory is at most the total") {
  DeviceRequest request = named("l4");
  request.free_bytes = known("l4").total_bytes;
  CHECK(make_device(request).ok());
  request.free_bytes = 0;
  CHECK(make_device(request).ok());
  request.free_bytes = known("l4").total_bytes + 1;
  CHECK(error_of(request).code == "bad_value");
  CHECK(error_of(request).path == "gpu.free_bytes");
  request.total_bytes = known("l4").total_bytes + 1;
  CHECK(make_device(request).ok());
}

TEST_CASE("Rates that are no numbers or in another unit are errors") {
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  // 2039 is an A100's bandwidth in GB/s, 312 its rate in TFLOPS.
  for (const double rate : {nan, infinity, -infinity, -1e12, 2039.0, 312.0, 1e300}) {
    INFO(rate);
    DeviceRequest request = sized(80'000'000'000);
    request.bandwidth_bytes_per_s = rate;
    CHECK(error_of(request).code == "bad_value");
    CHECK(error_of(request).path == "gpu.bandwidth");
    request = named("a100");
    request.flops = rate;
    CHECK(error_of(request).code == "bad_value");
    CHECK(error_of(request).path == "gpu.flops");
  }
  DeviceRequest request = named("a100");
  request.flops = 0;
  CHECK(error_of(request).path == "gpu.flops");
}
