// The default of --mem-fraction-static by version and card. Sums in MiB; cards as nvidia-smi names
// them: H100 81,559, H200 143,771, RTX 4090 24,564.
#include <catch2/catch.hpp>

#include "engine/sglang/graphs.hpp"
#include "engine/sglang/static_fraction.hpp"

using namespace ridgepoint::engine::sglang;

namespace {

constexpr std::uint64_t kH100 = 81559;
constexpr std::uint64_t kH200 = 143771;
constexpr std::uint64_t kRtx4090 = 24564;

/// A start with this version's defaults for the card.
FractionInputs on(std::uint32_t number, std::uint64_t gpu_mib, std::uint64_t tensor) {
  FractionInputs in;
  in.number = number;
  in.gpu_mib = gpu_mib;
  in.tensor = tensor;
  in.chunk = default_chunk(number, gpu_mib);
  in.max_prefill_tokens = 16384;
  in.decode_graph_most = default_graph_most(number, gpu_mib, tensor);
  return in;
}

FractionInputs with_prompt_graphs(FractionInputs in) {
  in.prefill_graphs = prefill_sizes(in.chunk).size();
  return in;
}

double value(const FractionInputs& in) { return default_static_fraction(in).value; }

}  // namespace

TEST_CASE("prompt graphs are 42, 50, 58 and 74 for the four chunks, decode graphs 36 and 52") {
  CHECK(prefill_sizes(2048).size() == 42);
  CHECK(prefill_sizes(4096).size() == 50);
  CHECK(prefill_sizes(8192).size() == 58);
  CHECK(prefill_sizes(16384).size() == 74);
  CHECK(decode_sizes(256, false, false, 5017).size() == 36);
  CHECK(decode_sizes(512, false, false, 5017).size() == 52);
  // A B200 start of July 2025 recorded 51 sizes up to 512.
  CHECK(decode_sizes(512, false, false, 4009).size() == 51);
  CHECK(decode_sizes(8, true, false, 5017).size() == 8);
  CHECK(decode_sizes(24, false, true, 5017).size() == 24);
  CHECK(decode_sizes(0, false, false, 5017).empty());
}

TEST_CASE("an H100 reserves 13,440 MiB on one rank and 14,848 on eight, more with prompt graphs") {
  // 512 + 1.5 x 8192 + 1024 / 8 + 2 x 256 = 13,440
  CHECK(default_static_fraction(on(5017, kH100, 1)).reserved_mib == 13440);
  CHECK(value(on(5017, kH100, 1)) == Approx(0.835));
  CHECK(default_static_fraction(with_prompt_graphs(on(5017, kH100, 1))).reserved_mib == 13904);
  CHECK(value(with_prompt_graphs(on(5017, kH100, 1))) == Approx(0.830));
  CHECK(value(with_prompt_graphs(on(5017, kH100, 2))) == Approx(0.828));
  // 512 + 12,288 + 1,024 + 2 x 512
  CHECK(default_static_fraction(on(5017, kH100, 8)).reserved_mib == 14848);
  CHECK(value(on(5017, kH100, 8)) == Approx(0.818));
  CHECK(value(with_prompt_graphs(on(5017, kH100, 8))) == Approx(0.812));
}

TEST_CASE("an H200 gets 0.897 on eight ranks, an RTX 4090 0.847, or 0.893 and 0.833 with graphs") {
  CHECK(value(on(5017, kH200, 8)) == Approx(0.897));
  CHECK(value(with_prompt_graphs(on(5017, kH200, 8))) == Approx(0.893));
  CHECK(value(on(5017, kRtx4090, 1)) == Approx(0.847));
  CHECK(value(with_prompt_graphs(on(5017, kRtx4090, 1))) == Approx(0.833));
}

TEST_CASE("cards above 60 GiB keep at least 10 GiB") {
  FractionInputs in = on(5017, 192 * 1024, 1);
  in.chunk = 2048;
  in.decode_graph_most = 8;
  CHECK(default_static_fraction(in).reserved_mib == 10240);
}

TEST_CASE("288 GiB of an AMD card give 0.911, and a vision tower takes it to 0.826 on eight") {
  // 512 + 24,576 + 128 + 1,024 = 26,240 of 294,912
  CHECK(value(on(5009, 294912, 1)) == Approx(0.911));
  // 27,136 on eight ranks: 0.908; 27 layers of 1,152: 0.95 x 0.958
  FractionInputs in = on(5009, 294912, 8);
  in.vision = VisionSize{27, 1152};
  CHECK(value(in) == Approx(0.826).margin(0.0005));
}

TEST_CASE("a tower whose sizes the config does not name costs five percent, a huge one 24") {
  FractionInputs in = on(5017, kH100, 1);
  in.vision = VisionSize{};
  CHECK(value(in) == Approx(0.835 * 0.95));
  in.vision = VisionSize{80, 8192};
  CHECK(value(in) == Approx(0.835 * 0.95 * 0.8));
  in.role = Role::decode;
  in.max_running_requests = 8192;
  CHECK(default_static_fraction(in).multimodal_factor == 1.0);
}

TEST_CASE("chunking switched off reserves for max-prefill-tokens") {
  FractionInputs in = on(5017, kH200, 1);
  in.chunk = 0;
  // 512 + 1.5 x 16,384 + 128 + 2 x 256
  CHECK(default_static_fraction(in).reserved_mib == 25728);
}

TEST_CASE("data-parallel attention reserves by its groups") {
  FractionInputs in = on(5017, kH200, 8);
  in.attention_data = 8;
  // 14,848 + 3 x 512 x 8 + 1.5 x 512 x 8
  CHECK(default_static_fraction(in).reserved_mib == 14848 + 12288 + 6144);
}

TEST_CASE("until 0.4.7 a table by ranks applies") {
  CHECK(value(on(4003, kH100, 1)) == 0.88);
  CHECK(value(on(4003, kH100, 2)) == 0.87);
  CHECK(value(on(4003, kRtx4090, 4)) == 0.85);
  CHECK(value(on(4003, kH100, 8)) == 0.81);
  CHECK(value(on(4003, kH100, 16)) == 0.79);
  // 192 GiB on 0.4.6: the lesser of 0.88 + 48 x 0.12 / 192 = 0.91 and 174 / 192.
  CHECK(value(on(4006, 192 * 1024, 8)) == Approx(0.90625));
  CHECK(value(on(4007, 183359, 8)) == 0.79);
  FractionInputs drafts = on(4007, kH100, 1);
  drafts.speculation = Speculation::eagle;
  CHECK(value(drafts) == Approx(0.88 * 0.95));
}

TEST_CASE("from 0.4.8 to 0.5.2 the reserve follows the class of the card") {
  // (2.8 + 1 / 10) x 1024 = 2,969.6 of 24,564: a start of July 2025 printed 0.879.
  CHECK(value(on(4009, kRtx4090, 1)) == Approx(0.879));
  // (9.5 + 8 / 2) x 1024
  CHECK(default_static_fraction(on(5002, kH100, 8)).reserved_mib == Approx(13824));
  CHECK(default_static_fraction(on(5002, 183359, 8)).reserved_mib == 32768);
  FractionInputs in = on(5002, 189471, 4);
  in.attention_data = 2;
  CHECK(value(in) == Approx(0.805));
  in.vision = VisionSize{};
  in.number = 4009;
  CHECK(default_static_fraction(in).multimodal_factor == 0.9);
}

TEST_CASE("drafts are reserved for until 0.5.12, and charged afterwards") {
  FractionInputs in = on(5005, kH100, 1);
  in.speculation = Speculation::eagle;
  CHECK(default_static_fraction(in).reserved_mib == 13440 + 2048);
  in.speculation = Speculation::standalone;
  CHECK(default_static_fraction(in).reserved_mib == 13440 + 6144);
  in.speculation = Speculation::ngram;
  CHECK(default_static_fraction(in).reserved_mib == 13440);
  in.number = 5012;
  in.speculation = Speculation::eagle;
  CHECK(default_static_fraction(in).reserved_mib == 13440 + 4096);
  in.number = 5013;
  CHECK(default_static_fraction(in).reserved_mib == 13440);
}

TEST_CASE("chunks and largest graphs by card and version") {
  CHECK(default_chunk(4005, kRtx4090) == 2048);
  CHECK(default_chunk(4005, 40960) == 8192);
  CHECK(default_chunk(5017, 46068) == 4096);
  CHECK(default_chunk(5017, kH200) == 8192);
  CHECK(default_chunk(5017, 183359) == 16384);
  CHECK(default_graph_most(4004, kRtx4090, 4) == 80);
  CHECK(default_graph_most(4010, kH100, 8) == 160);
  CHECK(default_graph_most(5003, kRtx4090, 1) == 16);
  CHECK(default_graph_most(5017, kRtx4090, 1) == 24);
  CHECK(default_graph_most(5017, 16376, 1) == 8);
  CHECK(default_graph_most(5017, 46068, 4) == 160);
}
