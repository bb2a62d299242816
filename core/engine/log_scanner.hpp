#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/start_log.hpp"

namespace ridgepoint::engine {

inline constexpr std::size_t kMostLogFacts = 4096;

/// What PyTorch, CUDA and servers print under every engine.
std::span<const Wording> shared_log_wordings();

struct ScannedLog {
  const StartLogRules* rules = nullptr;  ///< of the engine that wrote it; null: of none
  LogScan scan;
};

/// Finds the wordings of all engines in one pass, decides which engine wrote the log, and keeps the
/// facts of the last start in it that got as far as its memory. Holds one line, the one before, and
/// at most kMostLogFacts facts.
ScannedLog scan_log(std::string_view text, std::span<const StartLogRules> rules);

}  // namespace ridgepoint::engine
