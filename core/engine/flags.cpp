#include "engine/flags.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "table_text.hpp"

namespace ridgepoint::engine {
namespace {

constexpr std::size_t kSuggestions = 3;
/// No flag is as long; what is longer is not a slip of the keyboard, and is not compared.
constexpr std::size_t kLongestName = 64;

char dashed(char c) { return c == '_' ? '-' : c; }

bool same(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return dashed(a) == dashed(b); });
}

bool has_alias(std::string_view aliases, std::string_view name) {
  while (!aliases.empty()) {
    const std::size_t space = std::min(aliases.find(' '), aliases.size());
    if (same(aliases.substr(0, space), name)) return true;
    aliases.remove_prefix(std::min(space + 1, aliases.size()));
  }
  return false;
}

/// How many letters must be put in, left out or changed to make one name the other.
std::size_t edits(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  for (std::size_t j = 0; j <= right.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t change = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[right.size()];
}

/// The parts between dashes that both names have, so that `max-tokens-batched` finds its flag
/// although the letters are far off.
std::size_t shared_words(std::string_view left, std::string_view right) {
  std::size_t shared = 0;
  while (!left.empty()) {
    const std::size_t dash = std::min(left.find('-'), left.size());
    const std::string_view word = left.substr(0, dash);
    std::string_view rest = right;
    while (!word.empty() && !rest.empty()) {
      const std::size_t end = std::min(rest.find('-'), rest.size());
      if (rest.substr(0, end) == word) {
        ++shared;
        break;
      }
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    left.remove_prefix(std::min(dash + 1, left.size()));
  }
  return shared;
}

}  // namespace

std::vector<FlagFacts> read_flags(std::string_view table) {
  std::vector<FlagFacts> flags;
  for (TableText fields(table); !fields.done();) {
    FlagFacts& flag = flags.emplace_back();
    flag.name = fields.text();
    flag.aliases = fields.text();
    flag.type = static_cast<FlagType>(fields.number());
    flag.effect = static_cast<FlagEffect>(fields.number());
    flag.choices = fields.text();
    flag.default_text = fields.text();
    flag.since = fields.small();
    flag.until = fields.small();
    flag.help = fields.text();
  }
  return flags;
}

const FlagFacts* find_flag(const FlagTable& table, std::string_view name) {
  if (name.empty() || name.front() == '-' || name.front() == '_') return nullptr;
  for (const FlagFacts& flag : table.flags) {
    if (same(flag.name, name) || has_alias(flag.aliases, name)) return &flag;
  }
  return nullptr;
}

std::string nearest_flags(const FlagTable& table, std::string_view name) {
  std::string wanted;
  for (const char c : name) {
    const char next = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : dashed(c);
    if (wanted.empty() && next == '-') continue;  // dashes that lead are no part of a name
    wanted += next;
    if (wanted.size() > kLongestName) return {};
  }
  if (wanted.empty()) return {};

  std::vector<std::pair<std::size_t, std::string_view>> close;
  for (const FlagFacts& flag : table.flags) {
    const std::size_t distance = edits(wanted, flag.name);
    const std::size_t slips = std::max<std::size_t>(2, wanted.size() / 4);
    const std::size_t shared = shared_words(wanted, flag.name);
    if (distance > slips && shared < 2) continue;
    // A shared word outweighs a few letters; otherwise a short name that shares nothing would win.
    const std::size_t saved = 3 * shared;
    close.push_back({distance > saved ? distance - saved : 0, flag.name});
  }
  std::string names;
  for (std::size_t i = 0; i < kSuggestions && !close.empty(); ++i) {
    // The first of equals, so that the order of the data file decides.
    const auto nearest = std::min_element(
        close.begin(), close.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    if (i != 0) names += ", ";
    names += nearest->second;
    close.erase(nearest);
  }
  return names;
}

}  // namespace ridgepoint::engine
