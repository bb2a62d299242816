#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "result.hpp"

namespace ridgepoint::hardware {

/// Facts of one card, compiled from core/data/gpus.json. Zero means "not known" for every number.
struct DeviceFacts {
  std::string_view id;            ///< lower case, e.g. "a100-sxm-80gb"
  std::string_view name;          ///< e.g. "A100 SXM4 80GB"
  std::string_view vendor;        ///< "nvidia", "amd", "intel", "apple", "google", "aws"
  std::string_view architecture;  ///< lower case, e.g. "ampere", "hopper", "cdna3"
  std::uint32_t year;
  std::uint32_t compute_capability;  ///< NVIDIA: 10 x major + minor (A100: 80); else 0
  std::uint32_t multiprocessors;     ///< NVIDIA streaming multiprocessors; else 0
  std::uint32_t marketing_gb;        ///< the figure on the box, for search and display only
  std::uint64_t total_bytes;  ///< what the CUDA/HIP runtime reports to an engine (cudaMemGetInfo)
  std::uint64_t driver_total_bytes;  ///< what nvidia-smi / NVML reports
  double bandwidth_bytes_per_s;      ///< memory bandwidth
  double fp16_flops;                 ///< dense peaks, FLOP/s
  double bf16_flops;
  double fp8_flops;
  double int8_ops;
  double fp4_flops;
  double link_bytes_per_s;  ///< NVLink / xGMI, both directions summed, per card; 0: PCIe only
  std::string_view pcie;    ///< e.g. "4.0 x16"
  std::uint32_t tdp_w;
  bool unified_memory;     ///< shares its memory with the CPU
  bool total_is_measured;  ///< false: derived from the driver's or the marketing figure by a rule
  std::string_view total_source;  ///< where total_bytes comes from, for people
  std::string_view aliases;       ///< space-separated lower-case names that also mean this card
};

/// A card as a request describes it: a known one, a known one with numbers overridden, or a custom
/// one. Same units and meanings as DeviceFacts, but for driver_total_bytes.
struct Device {
  std::string id;    ///< empty for a custom card
  std::string name;  ///< for people
  std::string vendor;
  std::string architecture;
  std::uint32_t compute_capability = 0;
  std::uint32_t multiprocessors = 0;
  std::uint64_t total_bytes = 0;
  bool total_is_measured = false;
  std::uint64_t driver_total_bytes = 0;     ///< never below total_bytes, which it is if not known
  std::optional<std::uint64_t> free_bytes;  ///< free before the engine starts; absent: nearly all
  double bandwidth_bytes_per_s = 0;
  double fp16_flops = 0;
  double bf16_flops = 0;
  double fp8_flops = 0;
  double int8_ops = 0;
  double fp4_flops = 0;
  double link_bytes_per_s = 0;
  bool unified_memory = false;
  std::string total_source;
};

/// All known cards, in the order of the data file.
std::span<const DeviceFacts> devices();

/// The card that `name` means: its id or an alias, any letter case, with spaces, underscores and
/// dashes taken as the same. Null when unknown.
const DeviceFacts* find_device(std::string_view name);

/// False in a program that knows the cards by few of their names.
bool all_names_here();

/// Ids close to `name`, best first, at most three, separated by ", ", for "did you mean". Empty
/// when nothing is close. Slower than find_device; meant for the way out of an error.
std::string nearest_ids(std::string_view name);

/// What a request says of the card (`gpu` of the contract); absent fields are empty. With an id the
/// numbers override what is known of that card; without one they are the card, and a rate of zero
/// or none is not known.
struct DeviceRequest {
  std::string id;
  std::optional<std::uint64_t> total_bytes;
  std::optional<std::uint64_t> free_bytes;
  std::optional<double> bandwidth_bytes_per_s;
  std::optional<double> flops;  ///< dense 16-bit FLOP/s; other peaks follow in proportion
};

/// The card of a request. Errors: `unknown_gpu` (gpu.id), `missing_field` (neither id nor
/// total_bytes; gpu.id), `bad_value` (gpu.total_bytes, gpu.bandwidth or gpu.flops absurd, zero or
/// not a number, gpu.free_bytes above the total).
Result<Device> make_device(const DeviceRequest& request);

}  // namespace ridgepoint::hardware
