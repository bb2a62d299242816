#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/start_log.hpp"

namespace ridgepoint::engine {

/// The facts of a scan by rank and term.
class LogFacts {
 public:
  explicit LogFacts(const LogScan& scan);

  [[nodiscard]] std::optional<double> first(std::size_t rank, LogTerm term) const;
  [[nodiscard]] std::optional<double> last(std::size_t rank, LogTerm term) const;
  [[nodiscard]] std::optional<double> sum(std::size_t rank, LogTerm term) const;

  /// The last of a term on a rank, else on the main process, else the largest of any rank.
  [[nodiscard]] std::optional<double> nearest(std::size_t rank, LogTerm term) const;
  [[nodiscard]] std::optional<double> least(LogTerm term) const;
  [[nodiscard]] std::optional<double> most(LogTerm term) const;
  [[nodiscard]] bool has(LogTerm term) const;
  /// The last text of a term; empty when there is none.
  [[nodiscard]] std::string_view text(LogTerm term) const;
  [[nodiscard]] std::string_view first_text(LogTerm term) const;
  /// The last version printed that is one: it begins with a digit, but for a "v".
  [[nodiscard]] std::string_view version() const;

  /// The rank on which a term is smallest; 0 where no rank prints it.
  [[nodiscard]] std::size_t tightest(LogTerm term) const;
  [[nodiscard]] std::size_t ranks() const { return ranks_; }

 private:
  struct Cell {
    double first = 0;
    double last = 0;
    double sum = 0;
    std::uint32_t count = 0;
  };
  [[nodiscard]] const Cell& cell(std::size_t rank, LogTerm term) const;

  const LogScan& scan_;
  std::size_t ranks_;
  std::vector<Cell> cells_;
};

/// Whole bytes or counts of a figure; empty for none and for what is below zero.
std::optional<std::uint64_t> whole(const std::optional<double>& value);

/// The outcome that the events of a log tell.
Outcome outcome_of(const LogScan& scan);

/// Settings of one list as flags of an engine, those that its table calls used. Values that are
/// nothing are left out; what changes memory and is not modelled goes to `unread`. `only`: the
/// settings to take and the flags they are (empty: all, by their own names).
struct SettingFlag {
  std::string_view setting;
  std::string_view flag;
};
void add_flags(const std::vector<log::Setting>& settings, const Engine& engine,
               std::span<const SettingFlag> only, StartLog& out);

/// Adds or replaces a flag by any of its spellings.
void put_flag(const Engine& engine, FlagValue flag, std::vector<FlagValue>& args);

/// Takes out flags that say nothing: switches that are off, "auto", and one GPU of a kind.
void drop_defaults(std::vector<FlagValue>& args);

/// A setting's text: of a string, or of Python source. Null when it is neither or not there.
const std::string* setting_text(const std::vector<log::Setting>& settings, std::string_view name);

}  // namespace ridgepoint::engine
