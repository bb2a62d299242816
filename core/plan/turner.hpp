#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "plan/asker.hpp"
#include "plan/trials.hpp"

namespace ridgepoint::plan {

/// How a knob's position turned out.
enum class Outcome : std::uint8_t {
  enough,
  too_little,  ///< the trouble is still there
  too_much,    ///< the trouble is gone and there is another, or a larger claim leaves too little
  refused,     ///< the engine does not take the change
  unanswered,  ///< the engine may not be asked again
};

struct Tried {
  Outcome outcome = Outcome::unanswered;
  std::optional<engine::MemoryPlan> plan;
};

/// The position of a knob that is enough, the trial it made and what the engine made of that.
struct Turned {
  std::uint64_t position = 0;
  Trial trial;
  engine::MemoryPlan plan;
};

/// Turns knobs and asks what comes of it.
class Turner {
 public:
  /// `request` and `now`, its plan, must outlive this. `concurrency` requests at once are asked
  /// for, and the engine is asked `most` times.
  Turner(const Request& request, const engine::MemoryPlan& now, std::uint64_t concurrency,
         std::size_t most);

  [[nodiscard]] const Situation& situation() const { return situation_; }
  [[nodiscard]] bool exhausted() const { return asker_.exhausted(); }
  [[nodiscard]] std::size_t asked() const { return asker_.asked(); }

  /// Learns from a measured pool what the engine's sum does not know of this setup.
  void calibrate();

  /// From now on it is enough to start; for when nothing gives all that is asked.
  void settle_for_a_start() { situation_.concurrency = 1; }

  /// The position up to `furthest` that changes least and is enough, with another trial made
  /// besides (null: none). What is beyond it is taken to be enough or too much as well.
  std::optional<Turned> turn(const Knob& knob, std::uint64_t furthest, const Trial* beside);

  Tried attempt(const Trial& trial);

 private:
  [[nodiscard]] Outcome judged(const engine::MemoryPlan& plan) const;
  /// A position with the trial besides; nothing when the two contradict each other.
  std::optional<Trial> trial_at(const Knob& knob, std::uint64_t position,
                                const Trial* beside) const;
  std::optional<Turned> turn_one_by_one(const Knob& knob, std::uint64_t furthest,
                                        const Trial* beside);
  std::optional<Turned> halve(const Knob& knob, std::uint64_t furthest, const Trial* beside);

  Asker asker_;
  Situation situation_;
  Trouble before_;  ///< what the knob is turned against
};

}  // namespace ridgepoint::plan
