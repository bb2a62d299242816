#include "speed/attention.hpp"

#include <algorithm>
#include <bit>

#include "arithmetic.hpp"
#include "cache/geometry.hpp"

namespace ridgepoint::speed {
namespace {

using model::Attention;
using model::AttentionKind;

double real(std::uint64_t n) { return static_cast<double>(n); }

/// Rows that sparse attention chooses where a config does not tell: index_topk of DeepSeek-V3.2.
constexpr std::uint64_t kChosenRows = 2048;
/// Bytes of a row that DeepSeek-V4 keeps, of a token or of several (vLLM 0.28 models/deepseek_v4).
constexpr double kCompressedRowBytes = 584;

/// Share of the peak that attention of a chunk reaches, by the logarithm of its length: rising from
/// 512 to 16,384 tokens. The logarithm is straight between powers of two.
double chunk_share(const Kernels& kernels, std::uint64_t tokens) {
  constexpr double kFirst = 9;
  constexpr double kLast = 14;
  const int whole = static_cast<int>(std::bit_width(std::max<std::uint64_t>(1, tokens))) - 1;
  const double logarithm = whole + real(tokens) / real(std::uint64_t{1} << whole) - 1.0;
  const double along = std::clamp((logarithm - kFirst) / (kLast - kFirst), 0.0, 1.0);
  return kernels.prefill_mfu_512 + along * (kernels.prefill_mfu_16384 - kernels.prefill_mfu_512);
}

/// Pairs of a chunk's tokens and the rows they look at: all before them, or up to a window.
double pairs_of(const Chunk& chunk, std::uint64_t window) {
  const double tokens = real(chunk.tokens);
  const double all = tokens * (real(chunk.cached) + tokens / 2);
  return window == 0 ? all : std::min(all, tokens * real(window));
}

}  // namespace

Memory::Memory(const Setup& setup, const Kernels& kernels)
    : kernels_(kernels),
      bandwidth_(setup.device.bandwidth_bytes_per_s),
      peak_(peak_of(Math::bits16, setup.device, kernels)) {
  for (const model::Layer& layer : setup.model.layers) {
    const model::Indexer& indexer = layer.attention.indexer;
    if (layer.attention.kind == AttentionKind::latent && indexer.heads != 0) {
      chosen_ = indexer.chosen == 0 ? kChosenRows : indexer.chosen;
    }
  }
  for (const model::Layer& layer : setup.model.layers) {
    if (layer.attention.kind != AttentionKind::none) {
      add_attention(setup, layer.attention);
    }
    if (layer.state.kind != model::StateKind::none) {
      add_state(setup, layer.state);
    }
  }
}

std::size_t Memory::cap_of(std::uint64_t window) {
  if (window == 0) {
    return 0;
  }
  for (std::size_t i = 1; i < kContextSums; ++i) {
    if (caps_[i] == window) {
      return i;
    }
    if (caps_[i] == 0) {
      caps_[i] = window;
      return i;
    }
  }
  // More lengths than sums: the nearest longer one, or none.
  std::size_t best = 0;
  for (std::size_t i = 1; i < kContextSums; ++i) {
    if (caps_[i] >= window && (best == 0 || caps_[i] < caps_[best])) {
      best = i;
    }
  }
  return best;
}

void Memory::add_reads(CacheReads reads) {
  reads.cap = cap_of(reads.window);
  for (CacheReads& other : reads_) {
    if (other.window == reads.window && other.row_bytes == reads.row_bytes &&
        other.rows_a_token == reads.rows_a_token && other.decode_flops == reads.decode_flops &&
        other.prefill_flops == reads.prefill_flops && other.launches == reads.launches) {
      other.count += reads.count;
      return;
    }
  }
  reads_.push_back(reads);
}

void Memory::add_attention(const Setup& setup, const Attention& attention) {
  const std::uint64_t ranks = setup.layout.tensor;
  const double heads = real(ceil_div(attention.num_attention_heads, ranks));
  CacheReads reads;
  reads.count = 1;
  reads.eight_bit = setup.kv_format != precision::KvFormat::model_dtype;
  // A layer that shares another's cache reads it all the same.
  Attention owner = attention;
  owner.shares_cache_of.reset();
  reads.row_bytes = real(cache::layer_bytes_per_token(owner, setup.kv_format, setup.dtype, ranks));
  switch (attention.kind) {
    case AttentionKind::sliding:
    case AttentionKind::chunked:
      reads.window = attention.window;
      break;
    case AttentionKind::compressed:
      reads.window = attention.window;
      reads.row_bytes = kCompressedRowBytes;
      break;
    case AttentionKind::cross:
    case AttentionKind::bidirectional:
      return;  // of an encoder's output, which decoding reads little of
    default:
      break;
  }
  if (attention.kind == AttentionKind::latent && !attention.cached_per_head) {
    // Decoding multiplies queries into the latent rows, prompts unpack the rows into heads.
    reads.decode_flops =
        2.0 * heads * real(2 * attention.kv_lora_rank + attention.qk_rope_head_dim);
    reads.prefill_flops =
        2.0 * heads *
        real(attention.qk_nope_head_dim + attention.qk_rope_head_dim + attention.v_head_dim);
  } else {
    reads.decode_flops = 2.0 * heads * real(attention.head_dim + attention.v_head_dim);
    reads.prefill_flops = reads.decode_flops;
  }
  if (attention.kind == AttentionKind::compressed) {
    add_reads(reads);
    add_compressed(attention, reads);
    return;
  }
  const model::Indexer& indexer = attention.indexer;
  if (indexer.heads != 0) {
    reads.window = indexer.chosen == 0 ? kChosenRows : indexer.chosen;
    add_keys(indexer, real(cache::indexer_bytes_per_token(owner)), 1);
  } else if (attention.kind == AttentionKind::latent && chosen_ != 0) {
    reads.window = chosen_;  // by the choice of an earlier layer
  }
  if (reads.window != 0 && attention.kind == AttentionKind::latent) {
    // Sparse prompts stay in the latent space: each token has rows of its own.
    reads.prefill_flops = reads.decode_flops;
  }
  add_reads(reads);
}

/// The keys by which an indexer chooses among all rows.
void Memory::add_keys(const model::Indexer& indexer, double row_bytes, double rows_a_token) {
  if (!indexer.caches) {
    return;
  }
  CacheReads keys;
  keys.count = 1;
  keys.launches = false;
  keys.eight_bit = true;
  keys.row_bytes = row_bytes;
  keys.rows_a_token = rows_a_token;
  // Two operations a value, in FP8 and so at twice the rate of 16 bits.
  keys.decode_flops = real(indexer.heads * indexer.head_dim);
  keys.prefill_flops = keys.decode_flops;
  add_reads(keys);
}

/// Rows that stand for several tokens: all of them, or those that the layer's indexer chooses.
void Memory::add_compressed(const Attention& attention, const CacheReads& window) {
  const std::uint64_t ratio = attention.compress_ratio;
  if (ratio < 2) {
    return;
  }
  CacheReads rows = window;
  rows.launches = false;
  rows.window = 0;
  rows.rows_a_token = 1.0 / real(ratio);
  const model::Indexer& indexer = attention.indexer;
  if (indexer.heads != 0) {
    // An FP8 value each, and a scale.
    constexpr double kScale = 4;
    rows.window = ratio * (indexer.chosen == 0 ? kChosenRows : indexer.chosen);
    add_keys(indexer, real(indexer.head_dim) + kScale, rows.rows_a_token);
  }
  add_reads(rows);
}

void Memory::add_state(const Setup& setup, const model::State& state) {
  const std::uint64_t ranks = setup.layout.tensor;
  StatePasses passes;
  passes.count = 1;
  passes.state_bytes =
      real(cache::state_bytes(state, setup.model.state_float32, setup.dtype, ranks));
  // Chunked scans: six operations a value of the state and token, and products inside a chunk.
  constexpr double kStateOperations = 6;
  constexpr double kChunk = 64;
  double values = 0;
  double width = 0;
  switch (state.kind) {
    case model::StateKind::mamba1:
    case model::StateKind::mamba2:
      values = real(state.inner_size * state.state_size);
      width = real(state.inner_size);
      break;
    case model::StateKind::gated_delta:
    case model::StateKind::kda:
      values = real(state.heads * state.head_dim * state.key_head_dim);
      width = real(state.heads * (state.head_dim + state.key_head_dim));
      break;
    case model::StateKind::linear:
      values = real(state.heads * state.head_dim * state.head_dim);
      width = 2.0 * real(state.heads * state.head_dim);
      break;
    default:
      break;
  }
  passes.token_flops = (kStateOperations * values + 2.0 * kChunk * width) / real(ranks);
  for (StatePasses& other : states_) {
    if (other.state_bytes == passes.state_bytes && other.token_flops == passes.token_flops) {
      other.count += 1;
      return;
    }
  }
  states_.push_back(passes);
}

Spent Memory::spent(const StepLoad& load, std::uint64_t parts) const {
  Spent total;
  double prompt_tokens = 0;
  for (const Chunk& chunk : load.chunks) {
    prompt_tokens += real(chunk.tokens);
  }
  const double part = 1.0 / real(parts);
  const bool decodes = load.decoding != 0;
  const bool any = decodes || prompt_tokens > 0;
  for (const CacheReads& reads : reads_) {
    const double share = reads.eight_bit ? kernels_.cache_share_8 : kernels_.cache_share;
    double work = 0;
    if (decodes) {
      const double rows =
          (real(load.context[reads.cap]) + real(load.decoding)) * reads.rows_a_token;
      const double read = rows * reads.row_bytes / bandwidth_;
      const double compute = rows * reads.decode_flops / peak_.flops;
      work += rounded_roof(read / share, compute / kernels_.scores_share);
      total.read += reads.count * part * read;
      total.compute += reads.count * part * compute;
    }
    for (const Chunk& chunk : load.chunks) {
      const double compute =
          pairs_of(chunk, reads.window) * reads.rows_a_token * reads.prefill_flops / peak_.flops;
      work += compute / chunk_share(kernels_, chunk.tokens);
      total.compute += reads.count * part * compute;
    }
    const double launch = reads.launches && any ? kernels_.attention_launch_s : 0.0;
    total.seconds += reads.count * (launch + part * work);
  }
  // Of matrix products: scans reach about a fifth of what those reach.
  constexpr double kScanShare = 0.2;
  for (const StatePasses& passes : states_) {
    const double read = 2.0 * real(load.decoding) * passes.state_bytes / bandwidth_;
    const double compute = prompt_tokens * passes.token_flops / peak_.flops;
    const double work = read / kernels_.state_share + compute / kScanShare;
    total.seconds += passes.count * ((any ? kernels_.attention_launch_s : 0.0) + part * work);
    total.read += passes.count * part * read;
    total.compute += passes.count * part * compute;
  }
  return total;
}

double Memory::request_bytes(std::uint64_t context) const {
  double bytes = 0;
  for (const CacheReads& reads : reads_) {
    const std::uint64_t rows = reads.window == 0 ? context : std::min(context, reads.window);
    bytes += reads.count * real(rows) * reads.rows_a_token * reads.row_bytes;
  }
  for (const StatePasses& passes : states_) {
    bytes += 2.0 * passes.count * passes.state_bytes;
  }
  return bytes;
}

}  // namespace ridgepoint::speed
