#include <catch2/catch.hpp>
#include <cstdint>

#include "fixtures.hpp"
#include "precision/weight_format.hpp"
#include "weights/weights.hpp"

using ridgepoint::precision::Packing;
using ridgepoint::precision::scale_count;
using ridgepoint::precision::stored_elements;
using ridgepoint::precision::WeightFormat;

namespace {

WeightFormat fp8_blocks() {
  WeightFormat format;
  format.packing = Packing::fp8_block;
  format.bits = 8;
  format.block_rows = 128;
  format.block_cols = 128;
  return format;
}

std::uint64_t blocks(std::uint64_t out, std::uint64_t in) {
  return scale_count(fp8_blocks(), out, in);
}

WeightFormat four_bit(Packing packing, std::uint32_t group) {
  WeightFormat format;
  format.packing = packing;
  format.bits = 4;
  format.group_size = group;
  return format;
}

}  // namespace

TEST_CASE("DeepSeek-V3's scales make its published total") {
  // 62 layers of latent attention, the prediction layer's among them: q_a 12 x 56 blocks, q_b 192 x
  // 12, kv_a 5 x 56, kv_b 256 x 4, o 56 x 128.
  const std::uint64_t attention = blocks(1536, 7168) + blocks(24576, 1536) + blocks(576, 7168) +
                                  blocks(32768, 512) + blocks(7168, 16384);
  CHECK(attention == 672 + 2304 + 280 + 1024 + 7168);
  const std::uint64_t dense = 2 * blocks(18432, 7168) + blocks(7168, 18432);
  const std::uint64_t expert = 2 * blocks(2048, 7168) + blocks(7168, 2048);
  CHECK(expert == 3 * 16 * 56);
  const std::uint64_t scales = 62 * attention + 3 * dense + 59 * 257 * expert;
  CHECK(scales == 41540496);
  // Hugging Face's safetensors.total of deepseek-ai/DeepSeek-V3 and R1.
  CHECK(684489845504 + scales == 684531386000);
}

TEST_CASE("Qwen3-8B-FP8's scales make its published total") {
  const std::uint64_t layer = 2 * blocks(4096, 4096) + 2 * blocks(1024, 4096) +
                              2 * blocks(12288, 4096) + blocks(4096, 12288);
  // Hugging Face's safetensors.total of Qwen/Qwen3-8B-FP8; Qwen3-8B has 8,190,735,360 parameters.
  CHECK(8190735360 + 36 * layer == 8191159296);
}

TEST_CASE("the FP8 Llama 3.1 405B has a scale for each row of 124 layers' feed-forward") {
  WeightFormat rows;
  rows.packing = Packing::fp8_channel;
  rows.bits = 8;
  const std::uint64_t layer = 2 * scale_count(rows, 53248, 16384) + scale_count(rows, 16384, 53248);
  // safetensors.total of meta-llama/Llama-3.1-405B-Instruct-FP8 above 405,853,388,800 parameters.
  CHECK(405853388800 + 124 * layer == 405868625920);
}

TEST_CASE("Kimi-K2.5's experts have a scale for 32 values and a shape each") {
  const WeightFormat format = four_bit(Packing::packed_int, 32);
  const std::uint64_t matrix = scale_count(format, 2048, 7168);
  CHECK(matrix == 2048 * 7168 / 32 + 2);
  // Kimi-K2 has 1,026,408,232,448 parameters. safetensors.total of moonshotai/Kimi-K2.5 is
  // 1,058,589,420,528; what is left is its image tower and projector, 472 million parameters.
  const std::uint64_t text = 1026408232448 + 60 * 384 * 3 * matrix;
  CHECK(1058589420528 - text == 472111600);
}

TEST_CASE("packed weights count by what they are packed in") {
  // 64 outputs, 256 inputs, groups of 128: 2,048 int32, 128 scales, 2 x 8 int32 of zeros, 256
  // indices.
  CHECK(stored_elements(four_bit(Packing::gptq, 128), 64, 256) == 2048 + 128 + 16 + 256);
  CHECK(stored_elements(four_bit(Packing::awq, 128), 64, 256) == 2048 + 128 + 16);
  CHECK(stored_elements(four_bit(Packing::packed_int, 128), 64, 256) == 2048 + 128 + 2);
  // 8,192 bytes, 1,024 scales, two scales of the tensor.
  CHECK(stored_elements(four_bit(Packing::nvfp4, 16), 64, 256) == 8192 + 1024 + 2);
  CHECK(stored_elements(four_bit(Packing::mxfp4, 32), 64, 256) == 8192 + 512);
  CHECK(stored_elements(four_bit(Packing::mlx, 64), 64, 256) == 2048 + 256 + 256);
  CHECK(stored_elements({}, 64, 256) == 16384);
  CHECK(scale_count({}, 64, 256) == 0);
}

TEST_CASE("bitsandbytes counts the elements its values are kept in") {
  WeightFormat format = four_bit(Packing::bnb_nf4, 0);
  // 8,192 bytes, 256 scales, 16 table values.
  CHECK(stored_elements(format, 64, 256) == 8192 + 256 + 16);
  format.storage_bytes = 2;
  CHECK(stored_elements(format, 64, 256) == 4096 + 256 + 16);
}

// What follows are sums over the linear layers of a whole model against Hugging Face's
// safetensors.total of a repository that holds it. Sums of packed values divide by what a byte or
// an int32 holds, so all matrices of a model can be counted as rows of one group.

TEST_CASE("MLX repositories count their int32, scales and biases") {
  // Qwen3-8B: 8,190,735,360 parameters, 308,224 of them norms; everything else is quantised.
  const std::uint64_t norms = 36 * (2 * 4096 + 2 * 128) + 4096;
  const std::uint64_t rows = (8190735360 - norms) / 64;
  WeightFormat format = four_bit(Packing::mlx, 64);
  // lmstudio-community/DeepSeek-R1-0528-Qwen3-8B-MLX-4bit and -8bit.
  CHECK(stored_elements(format, rows, 64) + norms == 1280062464);
  format.bits = 8;
  CHECK(stored_elements(format, rows, 64) + norms == 2303865856);
}

TEST_CASE("compressed-tensors NVFP4 counts bytes, block scales and two scales a matrix") {
  // RedHatAI/Qwen3-14B-NVFP4: 280 matrices of 13,212,057,600 values; embedding, head, norms.
  const std::uint64_t rest = 2 * 151936 * 5120 + 40 * (2 * 5120 + 2 * 128) + 5120;
  const std::uint64_t values = 14768307200 - rest;
  WeightFormat format = four_bit(Packing::nvfp4, 16);
  format.tensor_scales = 0;
  CHECK(stored_elements(format, values / 5120, 5120) + 280 * 2 + rest == 8988032560);
}

TEST_CASE("pack-quantized counts int32, scales and a shape a matrix") {
  // cyankiwi/Qwen3-30B-A3B-Instruct-2507-AWQ-4bit and -8bit, groups of 32: 48 layers of 4 + 3 x 128
  // matrices; embedding, head, routers and norms stay.
  const std::uint64_t rest = 2 * 151936 * 2048 + 48 * 128 * 2048 + 48 * (2 * 2048 + 2 * 128) + 2048;
  const std::uint64_t rows = (30532122624 - rest) / 2048;
  const std::uint64_t further_shapes = (48 * (4 + 3 * 128) - 1) * 2;
  WeightFormat format = four_bit(Packing::packed_int, 32);
  CHECK(stored_elements(format, rows, 2048) + further_shapes + rest == 5306567040);
  format.bits = 8;
  CHECK(stored_elements(format, rows, 2048) + further_shapes + rest == 9043691904);
}

TEST_CASE("scales by output row are counted by compressed-tensors repositories") {
  WeightFormat rows;
  rows.packing = Packing::fp8_channel;
  rows.bits = 8;
  // RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8-dynamic.
  const std::uint64_t layer = scale_count(rows, 4096, 4096) * 2 +
                              scale_count(rows, 1024, 4096) * 2 +
                              scale_count(rows, 14336, 4096) * 2 + scale_count(rows, 4096, 14336);
  CHECK(8030261248 + 32 * layer == 8031637504);
  // nytopop/Qwen3-30B-A3B.w8a8.
  rows.packing = Packing::int8_channel;
  const std::uint64_t attention = scale_count(rows, 4096, 2048) + 2 * scale_count(rows, 512, 2048) +
                                  scale_count(rows, 2048, 4096);
  const std::uint64_t expert = 2 * scale_count(rows, 768, 2048) + scale_count(rows, 2048, 768);
  CHECK(30532122624 + 48 * (attention + 128 * expert) == 30554486784);
}

TEST_CASE("static FP8 has two scales a matrix") {
  WeightFormat format;
  format.packing = Packing::fp8_tensor;
  format.bits = 8;
  format.static_activation = true;
  // RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8: 32 layers of 7 matrices.
  CHECK(8030261248 + 32 * 7 * scale_count(format, 4096, 4096) == 8030261696);
}

TEST_CASE("a whole model's packed total is the published one") {
  // Hugging Face's safetensors.total of nvidia/Qwen3-8B-NVFP4 leaves ModelOpt's scales out.
  const auto spec = fixtures::model("nvidia--Qwen3-8B-NVFP4");
  const auto tensors = ridgepoint::model::tensors(spec);
  CHECK(ridgepoint::weights::packed_parameters(spec, tensors) -
            ridgepoint::weights::scale_parameters(spec, tensors) ==
        4717851648);
  CHECK(ridgepoint::weights::packed_parameters(fixtures::model("Qwen--Qwen3-8B"), tensors) == 0);
}
