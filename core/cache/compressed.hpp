#pragma once

#include <cstdint>
#include <vector>

#include "model/spec.hpp"
#include "precision/kv_format.hpp"

namespace ridgepoint::cache {

/// One of the caches that a layer of DeepSeek-V4 keeps: compressed rows, their indexer, the last
/// tokens whole, the compressors' states.
struct CompressedCache {
  std::uint64_t block_tokens = 0;
  std::uint64_t page_bytes = 0;  ///< of one block, rounded up as the kernels want it
  std::uint64_t window = 0;      ///< tokens it reaches back; 0: grows with every block
  bool state = false;            ///< a compressor's state
};

/// The caches of one layer on one rank; heads share them, so every rank has all. Source: vLLM 0.28
/// models/deepseek_v4.
std::vector<CompressedCache> compressed_caches(const model::Attention& attention,
                                               precision::KvFormat format);

}  // namespace ridgepoint::cache
