#include <cmath>
#include <cstddef>

#include "device.hpp"
#include "wording.hpp"

namespace ridgepoint::hardware {
namespace {

// Outside of these a figure is in another unit or made up, and would only give absurd answers.
constexpr std::uint64_t kMinBytes = std::uint64_t{1} << 20;
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 50;
constexpr double kMinRate = 1e6;
constexpr double kMaxBandwidth = 1e18;
constexpr double kMaxFlops = 1e21;

constexpr std::size_t kQuotedBytes = 60;
constexpr std::string_view kGiven = "given in the request";

/// `id` fit for a message: short, and cut between UTF-8 characters, so that it stays valid JSON.
std::string quoted(std::string_view id) {
  std::string text = "\"";
  if (id.size() <= kQuotedBytes) {
    text += id;
  } else {
    std::size_t end = kQuotedBytes;
    while (end > 0 && (static_cast<unsigned char>(id[end]) & 0xc0u) == 0x80u) --end;
    text += id.substr(0, end);
    text += "...";
  }
  return text + '"';
}

Error unknown_gpu(std::string_view id) {
  if (!all_names_here()) return not_here("The name " + quoted(id), "gpu.id");
  std::string message = worded({"No card is known as ", quoted(id), "."});
  const std::string near = nearest_ids(id);
  if (!near.empty()) message += worded({" Close to it: ", near, "."});
  message += " A card that is not listed can be given by gpu.total_bytes instead of gpu.id.";
  return {"unknown_gpu", message, "gpu.id"};
}

Error bad_value(std::string_view field, const std::string& message) {
  return {"bad_value", message, worded({"gpu.", field})};
}

Check check_total(std::uint64_t total) {
  if (total < kMinBytes) {
    return bad_value("total_bytes", worded({"gpu.total_bytes is the memory of one card in bytes; ",
                                            total, " is less than a MiB."}));
  }
  if (total > kMaxBytes) {
    return bad_value("total_bytes", worded({"gpu.total_bytes is the memory of one card in bytes; ",
                                            total, " is more than a PiB."}));
  }
  return {};
}

/// Zero passes for a card without an id only: with one it would have to mean "forget what is
/// known".
Check check_rate(std::string_view field, std::string_view unit, double value, double highest,
                 bool zero_is_unknown) {
  if (value == 0 && zero_is_unknown) return {};
  // Written so that it refuses a NaN too.
  if (value >= kMinRate && value <= highest) return {};
  return bad_value(field, worded({"gpu.", field, " is not a sensible number of ", unit,
                                  "; leave it out if it is not known."}));
}

Device known_device(const DeviceFacts& facts) {
  Device device;
  device.id = facts.id;
  device.name = facts.name;
  device.vendor = facts.vendor;
  device.architecture = facts.architecture;
  device.compute_capability = facts.compute_capability;
  device.multiprocessors = facts.multiprocessors;
  device.total_bytes = facts.total_bytes;
  device.total_is_measured = facts.total_is_measured;
  device.driver_total_bytes =
      facts.driver_total_bytes != 0 ? facts.driver_total_bytes : facts.total_bytes;
  device.bandwidth_bytes_per_s = facts.bandwidth_bytes_per_s;
  device.fp16_flops = facts.fp16_flops;
  device.bf16_flops = facts.bf16_flops;
  device.fp8_flops = facts.fp8_flops;
  device.int8_ops = facts.int8_ops;
  device.fp4_flops = facts.fp4_flops;
  device.link_bytes_per_s = facts.link_bytes_per_s;
  device.unified_memory = facts.unified_memory;
  device.total_source = facts.total_source;
  return device;
}

void set_total(Device& device, std::uint64_t total) {
  // What the driver keeps back hardly depends on the size, so the gap of the known card stays.
  const std::uint64_t kept_back = device.driver_total_bytes - device.total_bytes;
  device.total_bytes = total;
  device.driver_total_bytes = total + kept_back;
  device.total_is_measured = true;
  device.total_source = kGiven;
}

/// Peaks of other formats follow the 16-bit one in proportion; a format the card lacks stays at 0.
void set_flops(Device& device, double flops) {
  if (device.fp16_flops == 0) {
    device.fp16_flops = flops;
    device.bf16_flops = flops;
    return;
  }
  const double ratio = flops / device.fp16_flops;
  device.fp16_flops = flops;
  device.bf16_flops *= ratio;
  device.fp8_flops *= ratio;
  device.int8_ops *= ratio;
  device.fp4_flops *= ratio;
}

Check check_numbers(const DeviceRequest& request, bool custom) {
  if (request.total_bytes) {
    if (Check wrong = check_total(*request.total_bytes)) return wrong;
  }
  if (request.bandwidth_bytes_per_s) {
    if (Check wrong = check_rate("bandwidth", "bytes per second", *request.bandwidth_bytes_per_s,
                                 kMaxBandwidth, custom)) {
      return wrong;
    }
  }
  if (request.flops) {
    if (Check wrong = check_rate("flops", "FLOP per second", *request.flops, kMaxFlops, custom)) {
      return wrong;
    }
  }
  return {};
}

}  // namespace

Result<Device> make_device(const DeviceRequest& request) {
  const bool custom = request.id.empty();
  if (custom && !request.total_bytes) {
    return Error{"missing_field",
                 "No card is given. Name one by gpu.id, for example a100-sxm-80gb, or give its "
                 "memory in bytes by gpu.total_bytes.",
                 "gpu.id"};
  }

  Device device;
  if (custom) {
    device.name = "custom card";
  } else {
    const DeviceFacts* facts = find_device(request.id);
    if (facts == nullptr) return unknown_gpu(request.id);
    device = known_device(*facts);
  }
  if (Check wrong = check_numbers(request, custom)) return *wrong;

  if (request.total_bytes) set_total(device, *request.total_bytes);
  if (request.bandwidth_bytes_per_s) device.bandwidth_bytes_per_s = *request.bandwidth_bytes_per_s;
  if (request.flops) set_flops(device, *request.flops);
  if (request.free_bytes && *request.free_bytes > device.total_bytes) {
    return bad_value("free_bytes", worded({"gpu.free_bytes (", *request.free_bytes,
                                           ") is above the card's total (", device.total_bytes,
                                           "); give gpu.total_bytes too if the card has more."}));
  }
  device.free_bytes = request.free_bytes;
  return device;
}

}  // namespace ridgepoint::hardware
