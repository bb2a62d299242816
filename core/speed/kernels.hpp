#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "hardware/device.hpp"

namespace ridgepoint::speed {

/// How far the kernels of one card, or of one generation of cards, come to its ceilings. Shares are
/// of the memory bandwidth or of the dense peak of the arithmetic that is used.
struct Kernels {
  std::string_view name;          ///< what the figures are of: "H100 SXM", "Ada"
  std::string_view cards;         ///< ids they were fitted on, parted by spaces; else empty
  std::string_view architecture;  ///< or the generation; empty: any
  std::uint32_t capability = 0;   ///< of the generation, NVIDIA's compute capability; 0: any

  double launch_s = 0;      ///< a matrix product's least time
  double weight_share = 0;  ///< of the bandwidth, while weights are read
  double mfu_16 = 0;        ///< of the peak, large matrix products in 16 bits …
  double mfu_8 = 0;         ///< … in 8 bits, FP8 and INT8
  double mfu_4 = 0;         ///< … in 4 bits
  double attention_launch_s = 0;
  double cache_share = 0;        ///< of the bandwidth, while a cache is read …
  double cache_share_8 = 0;      ///< … that is kept in less than 16 bits
  double scores_share = 0;       ///< of the 16-bit peak, attention of one token a request
  double prefill_mfu_512 = 0;    ///< of the 16-bit peak, attention of prompt chunks of 512 …
  double prefill_mfu_16384 = 0;  ///< … and of 16,384 tokens; between them by their logarithm
  double experts_launch_s = 0;   ///< gate, choice, sorting, two grouped products, sum of a mixture
  double expert_share = 0;       ///< of the bandwidth, while experts are read
  double expert_mfu = 0;         ///< of mfu_16, mfu_8, mfu_4: grouped products …
  double unpacked_mfu = 0;       ///< … of weights that are unpacked into 16 bits on the way
  double state_share = 0;        ///< of the bandwidth, while recurrent states are read and written
  double elementwise_launch_s = 0;
  double tpot_band = 0;     ///< half the width of the range around a time a token, relative
  double mixture_band = 0;  ///< what layers of experts add to both
  double ttft_band = 0;     ///< likewise around the time of a prompt alone …
  double queue_band = 0;  ///< … and around that to the first token of a load, its queue included
  bool measured = false;  ///< false: taken over from the generation or from cards like it
};

/// The figures of the card, of its generation, or of any card.
const Kernels& kernels_of(const hardware::Device& device);

/// How ranks of tensor parallelism are joined.
struct Links {
  std::string_view name;
  std::string_view cards;         ///< ids it is for, parted by spaces; empty: by the two below
  double least_link = 0;          ///< bytes/s of the card's own links that the entry is for
  std::string_view architecture;  ///< that it is for; empty: any
  /// An all-reduce over 2, 4, 8 and 16 ranks: its least time, and bytes/s on the busiest link.
  std::array<double, 4> floor_s{};
  std::array<double, 4> bus_bytes_per_s{};
  double band = 0;  ///< what it adds to the range of a time, relative
};

const Links& links_of(const hardware::Device& device);

/// What an engine's own processes take beside the cards.
struct Host {
  std::string_view engine;
  std::uint64_t since = 0;  ///< version_key of the first and the last version it is of
  std::uint64_t until = 0;
  double step_s = 0;           ///< of each step, not hidden behind the cards
  double per_sequence_s = 0;   ///< of each token sampled
  double ranks_s = 0;          ///< of each step, each time the ranks double
  double eager_layer_s = 0;    ///< launching the kernels of a layer one by one
  double eager_gap_s = 0;      ///< that cards wait for it in a layer of an engine without graphs
  double mixed_layer_s = 0;    ///< likewise in steps with prompts …
  double mixture_layer_s = 0;  ///< … and more in layers of experts …
  double latent_layer_s = 0;   ///< … and in layers of latent attention
  double cast_s = 0;           ///< of each product whose inputs are cast to fewer than 16 bits
  double experts_scale = 1;    ///< of experts_launch_s, by the engine's own kernels
  double request_s = 0;        ///< front end, see FrontEnd
  double queued_request_s = 0;
  double queued_token_s = 0;
  double queued_output_s = 0;
};

/// Versions as numbers that compare: 1,000,000 x major + 1,000 x minor + patch, "b6300" is 6300.
/// What is no version counts as the newest.
std::uint64_t version_key(std::string_view version);

const Host& host_of(std::string_view engine, std::string_view version);

}  // namespace ridgepoint::speed
