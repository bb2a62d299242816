#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"

namespace ridgepoint::engine {

/// The flags of a request, checked against the table of flags and read by type. The first thing
/// wrong is kept; getters then give nothing.
class FlagReader {
 public:
  FlagReader(const std::vector<FlagValue>& args, const FlagTable& table, std::uint32_t version);

  /// Whole number; "8k" is 8000 and "8K" 8192, as vLLM reads sizes.
  std::optional<std::uint64_t> whole(std::string_view name, std::uint64_t least,
                                     std::uint64_t most);
  std::optional<double> number(std::string_view name, double least, double most);
  std::optional<bool> boolean(std::string_view name);
  std::optional<std::string> text(std::string_view name);
  /// A list of whole numbers: an array's text "[1,2,4]", "1 2 4" or one number.
  std::optional<std::vector<std::uint64_t>> list(std::string_view name, std::uint64_t least = 1);

  [[nodiscard]] bool given(std::string_view name) const { return find(name) != nullptr; }

  void fail(std::string_view code, std::string_view name, std::string message);
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  struct Entry {
    std::string name;  ///< the table's spelling
    const FlagFacts* facts;
    const FlagValue* value;
    bool negated;  ///< given as no-<name>
  };

  void check(const Entry& entry, std::uint32_t version);
  [[nodiscard]] const Entry* find(std::string_view name) const;
  void wrong_type(std::string_view name, std::string_view wanted);

  const FlagTable& table_;
  std::vector<Entry> entries_;
  std::optional<Error> error_;
};

/// Why a flag does not take a value, in a sentence: it is of another kind, or none of the choices.
/// Empty when it takes it.
std::string value_refusal(const FlagFacts& facts, const FlagValue& flag);

/// Whether a value switches a feature off, so that a flag this build cannot compute does no harm;
/// `negated` is for a flag given as no-<name>.
bool switches_off(const FlagValue& flag, bool negated);

/// "8192", "8k", "8K", "2.5G" … as a whole number; empty when it is none.
std::optional<std::uint64_t> parse_human_size(std::string_view text);

}  // namespace ridgepoint::engine
