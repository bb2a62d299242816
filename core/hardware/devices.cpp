#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

#include "device.hpp"

namespace ridgepoint::hardware {
namespace {

/// A name that means a card: its id or an alias, with the card's place in kDevices.
struct DeviceName {
  std::string_view name;
  std::uint16_t device;
};

#include "tables/gpus.inc"

constexpr std::size_t longest_name() {
  std::size_t longest = 0;
  for (const DeviceName& entry : kNames) longest = std::max(longest, entry.name.size());
  return longest;
}

constexpr std::size_t kMaxName = longest_name();
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

}  // namespace

std::span<const DeviceFacts> devices() { return kDevices; }

const DeviceFacts* find_device(std::string_view name) {
  // A cut name could match by its beginning.
  if (name.size() > kMaxRead) return nullptr;
  const FoldedName folded = fold(name);
  const std::string_view wanted = folded.view();
  const auto* const found = std::lower_bound(
      std::begin(kNames), std::end(kNames), wanted,
      [](const DeviceName& entry, std::string_view value) { return entry.name < value; });
  if (found == std::end(kNames) || found->name != wanted) return nullptr;
  return &kDevices[found->device];
}

std::string nearest_ids(std::string_view name) {
  const FoldedName folded = fold(name);
  const std::string_view asked = folded.view();
  if (asked.empty()) return {};

  std::array<int, std::size(kDevices)> score{};
  for (const DeviceName& entry : kNames) {
    score[entry.device] = std::max(score[entry.device], likeness(asked, entry.name));
  }
  std::string ids;
  for (std::size_t i = 0; i < kSuggestions; ++i) {
    // The first of equals, so that the order of the data file decides.
    auto* const best = std::max_element(score.begin(), score.end());
    if (*best < kLikeness / 2) break;
    if (!ids.empty()) ids += ", ";
    ids += kDevices[best - score.begin()].id;
    *best = 0;
  }
  return ids;
}

}  // namespace ridgepoint::hardware
