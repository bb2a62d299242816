#include "engine/start_log.hpp"

#include <algorithm>
#include <cmath>

#include "engine/llamacpp/start_log.hpp"
#include "engine/log_facts.hpp"
#include "engine/sglang/start_log.hpp"
#include "engine/trtllm/start_log.hpp"
#include "engine/vllm/start_log.hpp"
#include "json/fields.hpp"
#include "log/line_reader.hpp"
#include "log/rank.hpp"
#include "log/wording.hpp"
#include "wording.hpp"

namespace ridgepoint::engine {
namespace {

constexpr std::size_t kMostFacts = 4096;
constexpr std::size_t kMostRanks = 256;
constexpr std::size_t kMostSettingLists = 16;
constexpr std::size_t kSeam = 256;         ///< bytes on each side of the end of a line
constexpr std::size_t kLeastWrapped = 24;  ///< no terminal is narrower
constexpr std::size_t kMostText = 160;
constexpr std::size_t kMostListLines = 400;

using T = LogTerm;

/// What every engine on PyTorch or CUDA prints, and its server.
constexpr Wording kShared[] = {
    {"CUDA out of memory. Tried to allocate {size}",
     {T::wanted},
     T::out_of_memory,
     "all",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"HIP out of memory. Tried to allocate {size}",
     {T::wanted},
     T::out_of_memory,
     "all",
     "PyTorch c10/hip/HIPCachingAllocator.cpp"},
    {"CUDA error: out of memory", {}, T::out_of_memory, "all", "CUDA runtime"},
    {"HIP error: out of memory", {}, T::out_of_memory, "all", "HIP runtime"},
    {"total capacity of {size} of which {size} is free",
     {T::total, T::free_then},
     T::none,
     "torch 2.2 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"total capacty of {size} of which {size} is free",
     {T::total, T::free_then},
     T::none,
     "torch 2.1",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"GiB total capacity; {size} already allocated; {size} free",
     {T::none, T::free_then},
     T::none,
     "torch 2.0 and earlier",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"this process has {size} memory in use",
     {T::used_by_process},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"Process {n} has {size} memory in use",
     {T::none, T::used_by_other},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"is allocated by PyTorch, and {size} is reserved by PyTorch but unallocated",
     {T::reserved_unused},
     T::none,
     "torch 2.1 and later",
     "PyTorch c10/cuda/CUDACachingAllocator.cpp"},
    {"Application startup complete", {}, T::started, "all", "uvicorn lifespan"},
    {"Traceback (most recent call last)", {}, T::traceback, "all", "Python"},
    {"GPU 0: {name}", {T::device}, T::none, "all", "nvidia-smi -L, torch collect_env"},
};

/// Whether a term shows that a start got as far as its memory.
bool is_memory(LogTerm term) {
  return term > T::none && term < T::tokens && term != T::total && term != T::wanted;
}

class Scanner {
 public:
  Scanner() {
    std::vector<std::string_view> patterns;
    const auto add = [&](std::span<const Wording> list, int engine) {
      for (const Wording& wording : list) {
        wordings_.push_back({&wording, engine});
        patterns.push_back(wording.pattern);
      }
    };
    add(kShared, kNoEngine);
    for (std::size_t i = 0; i < start_log_rules().size(); ++i) {
      add(start_log_rules()[i].wordings, static_cast<int>(i));
    }
    search_ = log::Wordings(patterns);
    hits_.resize(wordings_.size());
    found_here_.resize(wordings_.size());
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
    std::vector<std::size_t> score(start_log_rules().size());
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
    continue_list(line.text);
    std::fill(found_here_.begin(), found_here_.end(), false);
    read_seam(line.text);
    line_ = line.number;
    tag_line_ = line.text;
    search_.search(line.text, 0, line.text.size(), [&](const log::Match& match) {
      found_here_[match.wording] = true;
      take_match(match);
    });
    found_before_.swap(found_here_);
    found_here_.resize(wordings_.size());
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
    tag_line_ = before_head_;
    search_.search(seam_, 0, middle, [&](const log::Match& match) {
      const bool known = !found_before_.empty() && found_before_[match.wording];
      const bool list = match.count != 0 && match.captures[match.count - 1].hole == log::Hole::rest;
      if (match.end > middle && !known && !list) {
        take_match(match);
      }
    });
  }

  void take_match(const log::Match& match) {
    const Known& known = wordings_[match.wording];
    hits_[match.wording] = true;
    if (facts_.size() + log::kMostCaptures > kMostFacts) {
      cut_facts_ = true;
      return;
    }
    std::uint16_t rank = rank_number(log::rank_of(tag_line_));
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
  void continue_list(std::string_view text) {
    if (list_of_ == nullptr) {
      return;
    }
    const bool whole = log::starts_entry(text) || list_lines_ == kMostListLines ||
                       list_.size() + text.size() > log::kMostLineBytes;
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

  std::vector<Known> wordings_;
  log::Wordings search_{{}};
  std::vector<bool> hits_;
  std::vector<bool> found_here_;
  std::vector<bool> found_before_;
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
  std::string_view tag_line_;
  bool cut_facts_ = false;
  bool cut_lines_ = false;
};

const StartLogRules* rules_of(const Engine& engine) {
  for (const StartLogRules& rules : start_log_rules()) {
    if (rules.engine == engine.name) {
      return &rules;
    }
  }
  return nullptr;
}

void say_what_was_left_out(StartLog& log) {
  if (log.scan.starts > 1) {
    log.notes.push_back("The log holds " + std::to_string(log.scan.starts) +
                        " starts; the last that reached its memory is read.");
  }
  if (log.scan.cut_lines) {
    log.notes.push_back("Lines longer than 64 KiB were read to that length.");
  }
  if (log.scan.cut_facts) {
    log.notes.push_back("The log repeats itself so often that only the first " +
                        grouped(kMostFacts) + " figures were read.");
  }
}

/// Settings that are found again for a card of another size must not stay from the first time.
StartLog concluded(const Engine& engine, LogScan scan, std::optional<std::uint64_t> total) {
  StartLog log;
  log.engine = &engine;
  log.scan = std::move(scan);
  log.outcome = outcome_of(log.scan);
  say_what_was_left_out(log);
  const LogFacts facts(log.scan);
  log.device = facts.first_text(T::device);
  rules_of(engine)->conclude(log.scan, total, log);
  return log;
}

}  // namespace

std::span<const StartLogRules> start_log_rules() {
  static const StartLogRules kRules[] = {
      vllm::start_log_rules(),
      sglang::start_log_rules(),
      trtllm::start_log_rules(),
      llamacpp::start_log_rules(),
  };
  return kRules;
}

Result<StartLog> read_start_log(std::string_view text) {
  if (text.size() > kMostLogBytes) {
    return Error{"log_too_long",
                 "The log is " + grouped(text.size() >> 20U) +
                     " MiB, and at most 96 MiB are read. A start is told within its first lines: "
                     "cut the log to the first 10,000 and try again.",
                 "log"};
  }
  Scanner scanner;
  scanner.scan(text);
  const int found = scanner.engine();
  if (found == Scanner::kNoEngine) {
    return Error{"not_a_log",
                 "No line of this text is one that vLLM, SGLang, TensorRT-LLM or llama.cpp prints "
                 "when it starts. Paste the log from the start command on, at the log level info.",
                 "log"};
  }
  const StartLogRules& rules = start_log_rules()[static_cast<std::size_t>(found)];
  return concluded(*find_engine(rules.engine), scanner.take(found), std::nullopt);
}

void conclude_start_log(StartLog& log, std::uint64_t total_bytes) {
  const Engine& engine = *log.engine;
  log = concluded(engine, std::move(log.scan), total_bytes);
}

}  // namespace ridgepoint::engine
