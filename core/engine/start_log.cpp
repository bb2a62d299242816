#include "engine/start_log.hpp"

#include "engine/llamacpp/start_log.hpp"
#include "engine/log_facts.hpp"
#include "engine/log_scanner.hpp"
#include "engine/sglang/start_log.hpp"
#include "engine/trtllm/start_log.hpp"
#include "engine/vllm/start_log.hpp"
#include "wording.hpp"

namespace ridgepoint::engine {
namespace {

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
                        grouped(kMostLogFacts) + " figures were read.");
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
  log.device = facts.first_text(LogTerm::device);
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
  ScannedLog scanned = scan_log(text, start_log_rules());
  if (scanned.rules == nullptr) {
    return Error{"not_a_log",
                 "No line of this text is one that vLLM, SGLang, TensorRT-LLM or llama.cpp prints "
                 "when it starts. Paste the log from the start command on, at the log level info.",
                 "log"};
  }
  return concluded(*find_engine(scanned.rules->engine), std::move(scanned.scan), std::nullopt);
}

void conclude_start_log(StartLog& log, std::uint64_t total_bytes) {
  const Engine& engine = *log.engine;
  log = concluded(engine, std::move(log.scan), total_bytes);
}

}  // namespace ridgepoint::engine
