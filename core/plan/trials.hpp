#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "plan/change.hpp"
#include "plan/levels.hpp"

namespace ridgepoint::plan {

/// What is wrong with a setup, as far as it decides what may help. The first six are the limits of
/// a plan; the last is one that starts and holds fewer requests than are asked for.
enum class Trouble : std::uint8_t {
  none,
  weights,
  room,
  free_memory,
  context,
  architecture,
  requests,
};

/// The trouble of a plan that `concurrency` requests at once are asked of (0: any).
Trouble trouble_of(const engine::MemoryPlan& plan, std::uint64_t concurrency);

/// A set of troubles.
class Troubles {
 public:
  constexpr Troubles() = default;
  template <typename... More>
  constexpr explicit Troubles(Trouble first, More... more) : bits_(bit(first)) {
    ((bits_ |= bit(more)), ...);
  }
  [[nodiscard]] constexpr bool has(Trouble trouble) const { return (bits_ & bit(trouble)) != 0; }

 private:
  static constexpr unsigned bit(Trouble trouble) { return 1U << static_cast<unsigned>(trouble); }
  unsigned bits_ = 0;
};

/// One change to try, and how it is told.
struct Trial {
  Change change;
  std::optional<engine::Parallelism> parallel;  ///< cards to be used; its flags are made of it
  std::string told;                             ///< as people type it
  std::string how;                              ///< what it does, one sentence
  std::string cost;                             ///< what it costs, one sentence
};

/// A thing one may turn. Each position changes more than the one before it.
struct Knob {
  Level level = Level::share;
  Troubles helps;
  std::uint64_t positions = 1;
  std::uint64_t guess = 0;   ///< the position that is likely to be enough; 0: no idea
  std::uint64_t paired = 0;  ///< how far it is turned beside another knob; 0: as far as it goes
  /// Some positions may be refused where later ones are not (heads that do not divide).
  bool gaps = false;
  std::function<Trial(std::uint64_t)> at;
};

/// What knobs are made for.
struct Situation {
  const Request& request;
  const engine::MemoryPlan& now;
  Trouble trouble;
  std::uint64_t concurrency;  ///< requests at once that are asked for, at least 1
  /// What must be outside torch for the measured pool to follow from the engine's sum; where it
  /// is known, pools of changed setups are as far off as the measured one is.
  std::optional<std::uint64_t> calibrated_non_torch = std::nullopt;
};

/// What a plan lacks, in bytes a GPU; 0 where it lacks none.
std::uint64_t shortfall(const engine::MemoryPlan& plan);

/// Whether what is short exceeds all that a term could give back, in engines whose cache is what
/// the terms leave, so that nothing needs to be asked. Of windows and states the need itself may
/// shrink: those are asked about.
bool cannot_be_enough(const Situation& situation, std::uint64_t term_bytes);

/// Everything that may be turned, by level. Each only may help: whoever turns it asks the engine.
std::vector<Knob> knobs(const Situation& situation);

/// Two changes at once; nothing when they contradict each other.
std::optional<Trial> both(const Situation& situation, const Trial& a, const Trial& b);

/// The flags and the number of cards that a trial's parallelism means, put into its change.
Change whole_change(const Situation& situation, const Trial& trial);

/// A flag and its value as people type them: "--max-model-len 32768".
std::string typed(const Request& request, std::string_view flag, std::string_view value);

/// The flag of the largest batch that CUDA graphs are recorded for; empty: there is none.
std::string_view graph_size_flag(const engine::Engine& engine);

/// The share of memory that the engine may fill, as its flag counts it; 0: it has no such flag.
double memory_share(const Request& request, const engine::MemoryPlan& plan);

// The rooms below are where knobs come from, by what they turn.
void add_memory_knobs(const Situation& situation, std::vector<Knob>& list);
void add_length_knobs(const Situation& situation, std::vector<Knob>& list);
void add_format_knobs(const Situation& situation, std::vector<Knob>& list);
void add_engine_knobs(const Situation& situation, std::vector<Knob>& list);
void add_card_knobs(const Situation& situation, std::vector<Knob>& list);

}  // namespace ridgepoint::plan
