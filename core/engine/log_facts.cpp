#include "engine/log_facts.hpp"

#include <algorithm>
#include <cmath>

#include "json/fields.hpp"

namespace ridgepoint::engine {
namespace {

constexpr auto kTermCount = static_cast<std::size_t>(LogTerm::count_);

std::size_t place(std::size_t rank, LogTerm term) {
  return rank * kTermCount + static_cast<std::size_t>(term);
}

}  // namespace

LogFacts::LogFacts(const LogScan& scan)
    : scan_(scan),
      ranks_(std::max<std::size_t>(1, scan.ranks.size())),
      cells_(ranks_ * kTermCount) {
  for (const LogFact& fact : scan.facts) {
    Cell& cell = cells_[place(fact.rank, fact.term)];
    if (cell.count == 0) {
      cell.first = fact.value;
    }
    cell.last = fact.value;
    cell.sum += fact.value;
    ++cell.count;
  }
}

const LogFacts::Cell& LogFacts::cell(std::size_t rank, LogTerm term) const {
  return cells_[place(rank, term)];
}

std::optional<double> LogFacts::first(std::size_t rank, LogTerm term) const {
  const Cell& c = cell(rank, term);
  return c.count == 0 ? std::nullopt : std::optional<double>(c.first);
}

std::optional<double> LogFacts::last(std::size_t rank, LogTerm term) const {
  const Cell& c = cell(rank, term);
  return c.count == 0 ? std::nullopt : std::optional<double>(c.last);
}

std::optional<double> LogFacts::sum(std::size_t rank, LogTerm term) const {
  const Cell& c = cell(rank, term);
  return c.count == 0 ? std::nullopt : std::optional<double>(c.sum);
}

std::optional<double> LogFacts::nearest(std::size_t rank, LogTerm term) const {
  if (const auto own = last(rank, term)) {
    return own;
  }
  if (const auto main = last(0, term)) {
    return main;
  }
  return most(term);
}

std::optional<double> LogFacts::least(LogTerm term) const {
  std::optional<double> least;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    if (const auto value = last(rank, term)) {
      least = least ? std::min(*least, *value) : *value;
    }
  }
  return least;
}

std::optional<double> LogFacts::most(LogTerm term) const {
  std::optional<double> most;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    if (const auto value = last(rank, term)) {
      most = most ? std::max(*most, *value) : *value;
    }
  }
  return most;
}

bool LogFacts::has(LogTerm term) const {
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    if (cell(rank, term).count != 0) {
      return true;
    }
  }
  return false;
}

std::string_view LogFacts::text(LogTerm term) const {
  for (std::size_t i = scan_.facts.size(); i-- > 0;) {
    if (scan_.facts[i].term == term) {
      return scan_.facts[i].text;
    }
  }
  return {};
}

std::string_view LogFacts::first_text(LogTerm term) const {
  for (const LogFact& fact : scan_.facts) {
    if (fact.term == term) {
      return fact.text;
    }
  }
  return {};
}

std::string_view LogFacts::version() const {
  for (std::size_t i = scan_.facts.size(); i-- > 0;) {
    std::string_view text = scan_.facts[i].text;
    if (scan_.facts[i].term != LogTerm::version || text.empty()) {
      continue;
    }
    if (text.front() == 'v') {
      text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == '.') {
      text.remove_suffix(1);
    }
    if (!text.empty() && text.front() >= '0' && text.front() <= '9') {
      return text;
    }
  }
  return {};
}

std::size_t LogFacts::tightest(LogTerm term) const {
  std::size_t tightest = 0;
  std::optional<double> least;
  for (std::size_t rank = 0; rank < ranks_; ++rank) {
    const auto value = last(rank, term);
    if (value && (!least || *value < *least)) {
      least = value;
      tightest = rank;
    }
  }
  return tightest;
}

std::optional<std::uint64_t> whole(const std::optional<double>& value) {
  if (!value || !(*value >= 0) || *value > 9e18) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(std::llround(*value));
}

Outcome outcome_of(const LogScan& scan) {
  bool started = false;
  bool refused = false;
  bool oom = false;
  bool failed = false;
  for (const LogFact& fact : scan.facts) {
    // What goes wrong while serving is no failed start, but for memory.
    started = started || fact.term == LogTerm::started;
    refused = refused || fact.term == LogTerm::refused;
    oom = oom || fact.term == LogTerm::out_of_memory;
    failed =
        failed || (!started && (fact.term == LogTerm::failed || fact.term == LogTerm::traceback));
  }
  if (refused && !started) {
    return Outcome::refused;
  }
  if (oom) {
    return Outcome::oom;
  }
  if (started) {
    return Outcome::started;
  }
  return failed ? Outcome::error : Outcome::unfinished;
}

void put_flag(const Engine& engine, FlagValue flag, std::vector<FlagValue>& args) {
  const FlagFacts* facts = find_flag(engine.flags(), flag.name);
  const auto same = [&](const FlagValue& other) {
    return other.name == flag.name ||
           (facts != nullptr && find_flag(engine.flags(), other.name) == facts);
  };
  args.erase(std::remove_if(args.begin(), args.end(), same), args.end());
  args.push_back(std::move(flag));
}

void drop_defaults(std::vector<FlagValue>& args) {
  const auto says_nothing = [](const FlagValue& flag) {
    if (const auto* on = std::get_if<bool>(&flag.value)) {
      return !*on && flag.name != "enable-chunked-prefill";
    }
    if (const auto* text = std::get_if<std::string>(&flag.value)) {
      return *text == "auto" || *text == "none" || text->empty();
    }
    const auto* number = std::get_if<std::int64_t>(&flag.value);
    return number != nullptr && *number == 1 && flag.name.ends_with("parallel-size");
  };
  args.erase(std::remove_if(args.begin(), args.end(), says_nothing), args.end());
}

const std::string* setting_text(const std::vector<log::Setting>& settings, std::string_view name) {
  for (const log::Setting& setting : settings) {
    if (setting.name != name) {
      continue;
    }
    if (const auto* text = std::get_if<std::string>(&setting.value)) {
      return text;
    }
    if (const auto* source = std::get_if<log::Source>(&setting.value)) {
      return &source->text;
    }
  }
  return nullptr;
}

namespace {

std::string dashed(std::string_view name) {
  std::string out(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

/// "torch.bfloat16" and "<KvDtype.auto: 'auto'>" by the word that counts.
std::string plain_word(const std::string& source) {
  const std::size_t dot = source.rfind('.');
  std::string word = dot == std::string::npos ? source : source.substr(dot + 1);
  while (!word.empty() && (word.back() == '>' || word.back() == '\'')) {
    word.pop_back();
  }
  return word;
}

std::optional<FlagValue> as_flag(const log::Setting& setting, std::string name) {
  FlagValue flag{std::move(name), false};
  if (const auto* truth = std::get_if<bool>(&setting.value)) {
    flag.value = *truth;
  } else if (const auto* number = std::get_if<std::int64_t>(&setting.value)) {
    flag.value = *number;
  } else if (const auto* real = std::get_if<double>(&setting.value)) {
    flag.value = *real;
  } else if (const auto* text = std::get_if<std::string>(&setting.value)) {
    flag.value = json::excerpt(*text, 1000);
  } else if (const auto* source = std::get_if<log::Source>(&setting.value)) {
    const bool nested = source->text.find_first_of("[{(") != std::string::npos;
    std::string word = nested ? log::python_as_json(source->text) : plain_word(source->text);
    if (word.empty()) {
      return std::nullopt;
    }
    flag.value = std::move(word);
  } else {
    return std::nullopt;
  }
  return flag;
}

}  // namespace

void add_flags(const std::vector<log::Setting>& settings, const Engine& engine,
               std::span<const SettingFlag> only, StartLog& out) {
  for (const log::Setting& setting : settings) {
    std::string name = dashed(setting.name);
    if (!only.empty()) {
      const auto found = std::find_if(only.begin(), only.end(), [&](const SettingFlag& entry) {
        return entry.setting == setting.name;
      });
      if (found == only.end()) {
        continue;
      }
      name = std::string(found->flag);
    }
    const FlagFacts* facts = find_flag(engine.flags(), name);
    if (facts == nullptr || facts->effect == FlagEffect::no_effect ||
        std::holds_alternative<log::Nothing>(setting.value)) {
      continue;
    }
    auto flag = as_flag(setting, std::string(facts->name));
    if (facts->effect == FlagEffect::unmodelled || !flag) {
      out.unread.emplace_back(facts->name);
    } else {
      put_flag(engine, std::move(*flag), out.args);
    }
  }
}

}  // namespace ridgepoint::engine
