#include "cache/compressed.hpp"

#include "arithmetic.hpp"

namespace ridgepoint::cache {
namespace {

using precision::KvFormat;

constexpr std::uint64_t kMainBlock = 256;
constexpr std::uint64_t kWindowBlock = 64;
constexpr std::uint64_t kRopeValues = 64;
constexpr std::uint64_t kFloatBytes = 4;

bool is_fp8(KvFormat format) { return format == KvFormat::fp8 || format == KvFormat::fp8_ds_mla; }

/// Of a compressed token or one of the window: with fp8_ds_mla the rotated values stay in 16 bits
/// and eight bytes of scales come along.
std::uint64_t row_bytes(std::uint64_t head_dim, KvFormat format) {
  if (format == KvFormat::fp8_ds_mla) {
    return head_dim + kRopeValues + 8;
  }
  return head_dim * (is_fp8(format) ? 1 : 2);
}

/// FP8 keys with a float32 scale beside fp8_ds_mla; MXFP4 keys with a scale each 32 values else.
std::uint64_t indexer_row_bytes(std::uint64_t head_dim, KvFormat format) {
  return format == KvFormat::fp8_ds_mla ? head_dim + kFloatBytes : head_dim / 2 + head_dim / 32;
}

}  // namespace

std::vector<CompressedCache> compressed_caches(const model::Attention& attention, KvFormat format) {
  const std::uint64_t alignment = format == KvFormat::fp8_ds_mla ? 576 : 512;
  const auto page = [&](std::uint64_t bytes) { return round_up(bytes, alignment); };
  const std::uint64_t row = row_bytes(attention.head_dim, format);
  const std::uint64_t index = attention.indexer.head_dim;
  std::vector<CompressedCache> caches;
  const std::uint64_t ratio = attention.compress_ratio;
  if (ratio > 1) {
    caches.push_back({kMainBlock, page(kMainBlock / ratio * row), 0, false});
  }
  // A compressor keeps float32 values: two gates and two sums a value in blocks of 4 tokens, one of
  // each in blocks of 8.
  if (ratio == 4) {
    caches.push_back(
        {kMainBlock, page(kMainBlock / ratio * indexer_row_bytes(index, format)), 0, false});
    caches.push_back({4, page(16 * attention.head_dim * kFloatBytes), 8, true});
    caches.push_back({4, page(16 * index * kFloatBytes), 8, true});
  } else if (ratio > 4) {
    caches.push_back({8, page(16 * attention.head_dim * kFloatBytes), ratio, true});
  }
  caches.push_back({kWindowBlock, page(kWindowBlock * row), attention.window, false});
  return caches;
}

}  // namespace ridgepoint::cache
