#include "engine/log_scanner.hpp"

#include <algorithm>

#include "json/fields.hpp"
#include "log/line_reader.hpp"
#include "log/rank.hpp"
#include "log/settings.hpp"
#include "log/wording.hpp"

namespace ridgepoint::engine {
namespace {

constexpr std::size_t kMostRanks = 256;
constexpr std::size_t kMostSettingLists = 16;
constexpr std::size_t kSeam = 256;         ///< bytes on each side of the end of a line
constexpr std::size_t kLeastWrapped = 24;  ///< no terminal is narrower
constexpr std::size_t kLeastLine = 4;
constexpr std::size_t kMostText = 160;
constexpr std::size_t kMostFoundInLine = 64;
constexpr std::size_t kMostListLines = 400;

using T = LogTerm;

/// Whether a term shows that a start got as far as its memory.
bool is_memory(LogTerm term) {
  return term > T::none && term < T::tokens && term != T::total && term != T::wanted;
}

class Scanner {
 public:
  explicit Scanner(std::span<const StartLogRules> rules) : engines_(rules.size()) {
    std::vector<std::string_view> patterns;
    const auto add = [&](std::span<const Wording> list, int engine) {
      for (const Wording& wording : list) {
        wordings_.push_back({&wording, engine});
        patterns.push_back(wording.pattern);
      }
    };
    add(shared_log_wordings(), kNoEngine);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      add(rules[i].wordings, static_cast<int>(i));
    }
    search_ = log::Wordings(patterns);
    hits_.resize(wordings_.size());
  }

  void scan(std::string_view text) {
    log::LineReader reader(text);
    log::Line line;
    while (reader.next(line)) {
      if (!line.text.empty()) {
        read_line(line);
      }
    }
    close_list();
    cut_lines_ = reader.cut_any();
  }

  /// The engine with the most wordings found; negative: none.
  [[nodiscard]] int engine() const {
    std::vector<std::size_t> score(engines_);
    for (std::size_t i = 0; i < wordings_.size(); ++i) {
      if (wordings_[i].engine != kNoEngine && hits_[i]) {
        ++score[static_cast<std::size_t>(wordings_[i].engine)];
      }
    }
    const auto best = std::max_element(score.begin(), score.end());
    return *best == 0 ? kNoEngine : static_cast<int>(best - score.begin());
  }

  /// The facts of one engine's last start that got anywhere.
  LogScan take(int engine) {
    LogScan out;
    out.ranks = std::move(ranks_);
    out.cut_lines = cut_lines_;
    std::size_t begin = 0;
    bool memory = false;  // of the start that is being read
    std::size_t last_good = 0;
    std::size_t end_of_good = facts_.size();
    std::vector<std::uint16_t> begun;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      const Found& found = facts_[i];
      if (found.engine != engine && found.engine != kNoEngine) {
        continue;
      }
      if (found.fact.term == T::begins) {
        const bool again =
            std::find(begun.begin(), begun.end(), found.fact.rank) != begun.end() && memory;
        if (again) {
          last_good = begin;
          end_of_good = i;
          begin = i;
          begun.clear();
          memory = false;
          ++out.starts;
        }
        begun.push_back(found.fact.rank);
      }
      memory = memory || is_memory(found.fact.term) || found.fact.term == T::refused;
    }
    const bool use_last = memory || out.starts == 1;
    const std::size_t from = use_last ? begin : last_good;
    const std::size_t to = use_last ? facts_.size() : end_of_good;
    for (std::size_t i = from; i < to; ++i) {
      if (facts_[i].engine == engine || facts_[i].engine == kNoEngine) {
        out.facts.push_back(std::move(facts_[i].fact));
      }
    }
    for (Listed& listed : lists_) {
      if (listed.engine == engine && listed.fact >= from && listed.fact <= to) {
        out.settings.push_back(std::move(listed.list));
      }
    }
    out.cut_facts = cut_facts_;
    return out;
  }

  static constexpr int kNoEngine = -1;

 private:
  struct Known {
    const Wording* wording;
    int engine;
  };
  struct Found {
    LogFact fact;
    int engine;
  };
  struct Listed {
    LogSettings list;
    int engine;
    std::size_t fact;  ///< how many facts came before
  };

  void read_line(const log::Line& line) {
    // Too short to begin a wording, or to be the rest of one.
    if (line.text.size() < kLeastLine && list_of_ == nullptr && before_.size() < kLeastWrapped) {
      before_.clear();
      return;
    }
    const bool entry = log::starts_entry(line.text);
    continue_list(line.text, entry);
    read_seam(line.text);
    if (entry) {
      entry_.assign(log::head_of(line.text, kSeam));
    }
    line_ = line.number;
    text_ = line.text;
    found_before_.clear();
    search_.search(line.text, 0, line.text.size(), [&](const log::Match& match) {
      if (found_before_.size() < kMostFoundInLine) {
        found_before_.push_back(match.wording);
      }
      take_match(match);
    });
    before_.assign(line.text.substr(line.text.size() - std::min(line.text.size(), kSeam)));
    before_head_.assign(log::head_of(line.text, kSeam));
    before_number_ = line.number;
  }

  /// What a terminal broke in two: wordings that begin in the line before and end in this one.
  void read_seam(std::string_view text) {
    if (before_.size() < kLeastWrapped) {
      return;
    }
    seam_ = before_;
    const std::size_t middle = seam_.size();
    seam_ += log::head_of(text, kSeam);
    line_ = before_number_;
    text_ = before_head_;
    search_.search(seam_, 0, middle, [&](const log::Match& match) {
      const bool known = std::find(found_before_.begin(), found_before_.end(), match.wording) !=
                         found_before_.end();
      const bool list = match.count != 0 && match.captures[match.count - 1].hole == log::Hole::rest;
      if (match.end > middle && !known && !list) {
        take_match(match);
      }
    });
  }

  /// The rest of a wrapped line is of the process that wrote its beginning.
  [[nodiscard]] std::string rank_label() const {
    std::string label = log::rank_of(text_);
    return label.empty() && !log::starts_entry(text_) ? log::rank_of(entry_) : label;
  }

  void take_match(const log::Match& match) {
    const Known& known = wordings_[match.wording];
    hits_[match.wording] = true;
    if (facts_.size() + log::kMostCaptures > kMostLogFacts) {
      cut_facts_ = true;
      return;
    }
    std::uint16_t rank = rank_number(rank_label());
    for (std::size_t i = 0; i < match.count; ++i) {
      const LogTerm term = known.wording->terms[i];
      const log::Capture& capture = match.captures[i];
      if (term == T::buffer_of) {
        rank = rank_number(json::excerpt(capture.text, 60));
      } else if (term == T::settings) {
        open_list(known, capture.text);
      } else if (term != T::none) {
        LogFact fact{line_, rank, term, capture.value, {}};
        if (log_term_unit(term) == "text") {
          fact.text = json::excerpt(capture.text, kMostText);
        }
        facts_.push_back({std::move(fact), known.engine});
      }
    }
    if (known.wording->event != T::none) {
      facts_.push_back({{line_, rank, known.wording->event, 0, {}}, known.engine});
    }
  }

  std::uint16_t rank_number(const std::string& label) {
    const auto found = std::find(ranks_.begin(), ranks_.end(), label);
    if (found != ranks_.end()) {
      return static_cast<std::uint16_t>(found - ranks_.begin());
    }
    if (ranks_.size() == kMostRanks) {
      cut_facts_ = true;
      return 0;
    }
    ranks_.push_back(label);
    return static_cast<std::uint16_t>(ranks_.size() - 1);
  }

  void open_list(const Known& known, std::string_view text) {
    close_list();
    if (lists_.size() == kMostSettingLists) {
      cut_facts_ = true;
      return;
    }
    list_ = text;
    list_of_ = &known;
    list_lines_ = 0;
  }

  /// A list of settings goes on where a terminal wrapped it: until its brackets close, or an entry
  /// begins.
  void continue_list(std::string_view text, bool entry) {
    if (list_of_ == nullptr) {
      return;
    }
    const bool whole =
        entry || list_lines_ == kMostListLines || list_.size() + text.size() > log::kMostLineBytes;
    if (whole || list_.size() < kLeastWrapped) {
      close_list();
      return;
    }
    list_ += text;
    ++list_lines_;
  }

  void close_list() {
    if (list_of_ != nullptr) {
      lists_.push_back({{T::settings, list_of_->wording->pattern, log::read_settings(list_)},
                        list_of_->engine,
                        facts_.size()});
      list_of_ = nullptr;
    }
  }

  std::size_t engines_;
  std::vector<Known> wordings_;
  log::Wordings search_{{}};
  std::vector<bool> hits_;
  std::vector<std::size_t> found_before_;  ///< wordings of the line before
  std::vector<std::string> ranks_{""};
  std::vector<Found> facts_;
  std::vector<Listed> lists_;
  std::string list_;
  const Known* list_of_ = nullptr;
  std::size_t list_lines_ = 0;
  std::string before_;
  std::string before_head_;
  std::string seam_;
  std::uint64_t before_number_ = 0;
  std::uint64_t line_ = 0;
  std::string_view text_;  ///< the line that is searched, or its beginning
  std::string entry_;      ///< the beginning of the last line that was no rest of another
  bool cut_facts_ = false;
  bool cut_lines_ = false;
};

}  // namespace

ScannedLog scan_log(std::string_view text, std::span<const StartLogRules> rules) {
  Scanner scanner(rules);
  scanner.scan(text);
  const int found = scanner.engine();
  if (found == Scanner::kNoEngine) {
    return {};
  }
  return {&rules[static_cast<std::size_t>(found)], scanner.take(found)};
}

}  // namespace ridgepoint::engine
