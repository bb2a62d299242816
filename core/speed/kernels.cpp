#include "speed/kernels.hpp"

#include <algorithm>
#include <iterator>

namespace ridgepoint::speed {
namespace {

#include "tables/speed_constants.inc"

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) {
      return true;
    }
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool of_generation(const Kernels& kernels, const hardware::Device& device) {
  return kernels.architecture == device.architecture && !device.architecture.empty() &&
         (kernels.capability == 0 || kernels.capability == device.compute_capability);
}

}  // namespace

const Kernels& kernels_of(const hardware::Device& device) {
  const auto* const begin = std::begin(kKernels);
  const auto* const end = std::end(kKernels);
  const auto* found = std::find_if(begin, end, [&](const Kernels& kernels) {
    return !device.id.empty() && has_word(kernels.cards, device.id);
  });
  if (found == end) {
    found = std::find_if(begin, end,
                         [&](const Kernels& kernels) { return of_generation(kernels, device); });
  }
  // The last entry is of any card.
  return found == end ? *std::prev(end) : *found;
}

const Links& links_of(const hardware::Device& device) {
  const auto* found =
      std::find_if(std::begin(kLinks), std::prev(std::end(kLinks)), [&](const Links& links) {
        if (!links.cards.empty()) {
          return !device.id.empty() && has_word(links.cards, device.id);
        }
        return device.link_bytes_per_s >= links.least_link &&
               (links.architecture.empty() || links.architecture == device.architecture);
      });
  return *found;
}

std::uint64_t version_key(std::string_view version) {
  constexpr std::uint64_t kNewest = 999'999'999'999;
  constexpr std::uint64_t kMost = 999'999;
  if (version.starts_with('v') || version.starts_with('b')) {
    version.remove_prefix(1);
  }
  std::uint64_t parts[3] = {0, 0, 0};
  std::size_t count = 0;
  bool digits = false;
  for (const char c : version) {
    if (c >= '0' && c <= '9') {
      parts[count] = std::min(kMost, 10 * parts[count] + static_cast<std::uint64_t>(c - '0'));
      digits = true;
    } else if (c == '.' && digits && count < 2) {
      ++count;
      digits = false;
    } else {
      break;
    }
  }
  if (!digits && count == 0) {
    return kNewest;
  }
  return count == 0 ? parts[0] : 1'000'000 * parts[0] + 1'000 * parts[1] + parts[2];
}

const Host& host_of(std::string_view engine, std::string_view version) {
  const std::uint64_t key = version_key(version);
  const auto* found =
      std::find_if(std::begin(kHosts), std::prev(std::end(kHosts)), [&](const Host& host) {
        return host.engine == engine && host.since <= key && key <= host.until;
      });
  return *found;
}

}  // namespace ridgepoint::speed
