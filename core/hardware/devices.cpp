#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "device.hpp"
#include "table_text.hpp"

namespace ridgepoint::hardware {
namespace {

#include "tables/gpus.inc"

constexpr std::size_t kMaxName = 64;            // the build refuses longer ones
constexpr std::size_t kMaxRead = 4 * kMaxName;  // room for doubled separators
constexpr std::size_t kSuggestions = 3;
constexpr int kLikeness = 1000;

/// A name as the table spells it: lower case, single dashes for any run of spaces, underscores and
/// dashes. It stops one character past the longest name there is, so that the time and memory it
/// takes have a bound whatever the input.
struct FoldedName {
  std::array<char, kMaxName + 1> text{};
  std::size_t size = 0;

  [[nodiscard]] std::string_view view() const { return {text.data(), size}; }
};

FoldedName fold(std::string_view name) {
  FoldedName folded;
  bool separated = false;
  for (const char c : name.substr(0, kMaxRead)) {
    if (c == ' ' || c == '_' || c == '-') {
      separated = folded.size > 0;
      continue;
    }
    if (separated && folded.size < folded.text.size()) folded.text[folded.size++] = '-';
    separated = false;
    if (folded.size == folded.text.size()) break;
    folded.text[folded.size++] = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return folded;
}

/// Levenshtein distance; both names fit FoldedName.
int edit_distance(std::string_view a, std::string_view b) {
  std::array<int, kMaxName + 2> row{};
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

std::string_view next_word(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('-'), rest.size());
  const std::string_view word = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return word;
}

bool has_word(std::string_view name, std::string_view word) {
  while (!name.empty()) {
    if (next_word(name) == word) return true;
  }
  return false;
}

/// A number tells cards apart; "rtx" or "super" hardly does.
bool is_telling(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// How alike two names are: letters in place, up to kLikeness, and the share of the telling words
/// that they have in common, up to as much again, since "a100-120gb" is an A100 before it is
/// anything of the same length.
int likeness(std::string_view asked, std::string_view name) {
  int words = 0;
  int shared = 0;
  for (std::string_view rest = asked; !rest.empty();) {
    const std::string_view word = next_word(rest);
    if (!is_telling(word)) continue;
    ++words;
    if (has_word(name, word)) ++shared;
  }
  const int longer = static_cast<int>(std::max(asked.size(), name.size()));
  return kLikeness - kLikeness * edit_distance(asked, name) / longer +
         kLikeness * shared / std::max(words, 1);
}

std::vector<DeviceFacts> read_devices(std::string_view table) {
  std::vector<DeviceFacts> devices;
  for (TableText fields(table); !fields.done();) {
    DeviceFacts& device = devices.emplace_back();
    device.id = fields.text();
    device.name = fields.text();
    device.vendor = fields.text();
    device.architecture = fields.text();
    device.year = fields.small();
    device.compute_capability = fields.small();
    device.multiprocessors = fields.small();
    device.marketing_gb = fields.small();
    device.total_bytes = fields.number();
    device.driver_total_bytes = fields.number();
    for (double* rate :
         {&device.bandwidth_bytes_per_s, &device.fp16_flops, &device.bf16_flops, &device.fp8_flops,
          &device.int8_ops, &device.fp4_flops, &device.link_bytes_per_s}) {
      *rate = fields.real();
    }
    device.pcie = fields.text();
    device.tdp_w = fields.small();
    device.unified_memory = fields.flag();
    device.total_is_measured = fields.flag();
    device.total_source = fields.text();
    device.aliases = fields.text();
  }
  return devices;
}

/// Calls `visit` with the id and each alias of a card, until it is content.
template <typename Visit>
bool any_name(const DeviceFacts& device, Visit&& visit) {
  if (visit(device.id)) return true;
  for (std::string_view rest = device.aliases; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (visit(rest.substr(0, end))) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace

std::span<const DeviceFacts> devices() {
  static const std::vector<DeviceFacts> kFacts = read_devices(kDevices);
  return kFacts;
}

const DeviceFacts* find_device(std::string_view name) {
  // A cut name could match by its beginning.
  if (name.size() > kMaxRead) return nullptr;
  const FoldedName folded = fold(name);
  const std::string_view wanted = folded.view();
  for (const DeviceFacts& device : devices()) {
    if (any_name(device, [&](std::string_view each) { return each == wanted; })) return &device;
  }
  return nullptr;
}

bool all_names_here() { return kAllNames; }

std::string nearest_ids(std::string_view name) {
  if (!kAllNames) return {};
  const FoldedName folded = fold(name);
  const std::string_view asked = folded.view();
  if (asked.empty()) return {};

  std::vector<int> score;
  for (const DeviceFacts& device : devices()) {
    int best = 0;
    any_name(device, [&](std::string_view each) {
      best = std::max(best, likeness(asked, each));
      return false;
    });
    score.push_back(best);
  }
  std::string ids;
  for (std::size_t i = 0; i < kSuggestions; ++i) {
    // The first of equals, so that the order of the data file decides.
    const auto best = std::max_element(score.begin(), score.end());
    if (*best < kLikeness / 2) break;
    if (!ids.empty()) ids += ", ";
    ids += devices()[static_cast<std::size_t>(best - score.begin())].id;
    *best = 0;
  }
  return ids;
}

}  // namespace ridgepoint::hardware
