#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulate/pool.hpp"
#include "simulate/request_table.hpp"
#include "simulate/sketch.hpp"
#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// The requests that compute one token a step, all together. A step costs the same however many
/// they are: contexts grow by one each, so their sums follow from the count of steps; a request
/// needs a block more when the count reaches its phase; and when it ends, or reaches a cap or a
/// window, is known from the start.
class DecodeSet {
 public:
  /// `grows`: requests take blocks as they grow, and not all of them at the start.
  DecodeSet(RequestTable& requests, const Ledger& ledger, const speed::ContextCaps& caps,
            bool grows, double wished_gap_s);

  /// Its computed, generated, output and last_token_s are set, and more tokens are to come.
  void add(Slot slot);

  /// Takes one out that is not over; its computed, generated, late and last_token_s are set.
  void remove(Slot slot);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] std::uint64_t computed(Slot slot) const { return requests_[slot].base + steps_; }
  [[nodiscard]] std::uint64_t generated(Slot slot) const {
    const Request& request = requests_[slot];
    return request.output - (request.finish_step - steps_);
  }

  /// Tokens that are still to come out of all of them.
  [[nodiscard]] std::uint64_t to_come() const { return finish_sum_ - size_ * steps_; }

  /// What the next step takes of the pool.
  [[nodiscard]] Units needed() const;

  void fill(speed::StepLoad& load) const;

  /// One token of each came out at `at_s`. Those that are over are appended to `over` and no longer
  /// in the set.
  void step(double at_s, Sketch& gaps, std::vector<Slot>& over);

 private:
  /// Those of one step are handled in this order: one that is over is below no cap any more.
  enum class EventKind : std::uint8_t { cap, window, finish };

  /// What happens to a request once `step` steps were made.
  struct Event {
    std::uint64_t step;
    std::uint64_t order;  ///< of two at once, the one that was added before comes before
    Slot slot;
    std::uint32_t stamp;
    EventKind kind;
    std::uint8_t index;
  };

  /// Requests whose last token came out at one time.
  struct Cohort {
    double last_s = 0;
    std::uint64_t counted = 0;
    std::vector<Slot> members;
  };

  static bool later(const Event& a, const Event& b);

  void push(std::uint64_t step, Slot slot, EventKind kind, std::uint64_t index);
  void handle(const Event& event, std::vector<Slot>& over);
  void drop_old_events();
  void start_caps(Slot slot, std::uint64_t computed);
  void start_growing(Slot slot, std::uint64_t computed);
  std::uint64_t stop_caps(const Request& request, std::uint64_t computed);
  std::uint64_t stop_growing(std::uint64_t computed);
  void join_cohort(Slot slot);
  void leave_cohort(Slot slot);
  void take_out(Slot slot, std::uint64_t events_left);
  void count_gaps(double at_s, Sketch& gaps);
  [[nodiscard]] std::uint64_t grows_until(std::uint64_t group) const;
  [[nodiscard]] std::uint64_t phase(std::uint64_t computed) const;

  RequestTable& requests_;
  const Ledger& ledger_;
  speed::ContextCaps caps_;
  bool grows_;
  double wished_gap_s_;
  std::uint64_t block_;
  std::uint64_t steps_ = 0;
  std::uint64_t step_phase_ = 0;  ///< steps_ modulo the block
  std::uint64_t size_ = 0;
  std::uint64_t base_sum_ = 0;  ///< modulo 2^64, as all bases
  std::uint64_t finish_sum_ = 0;
  std::array<std::uint64_t, speed::kContextSums> below_{};      ///< requests below that cap …
  std::array<std::uint64_t, speed::kContextSums> below_sum_{};  ///< … and the sum of their bases
  /// Growing requests by the step count, modulo the block, at which they need one more.
  std::array<std::vector<std::uint64_t>, kMostGroups> phases_;
  std::vector<Event> events_;  ///< a heap
  std::uint64_t orders_ = 0;
  std::uint64_t old_events_ = 0;

  // Most requests had their last token at the same time; the others are kept by cohort.
  double last_s_ = 0;
  std::uint64_t together_ = 0;
  std::uint64_t together_counted_ = 0;
  std::uint64_t late_steps_ = 0;  ///< steps after which those waited longer than wished
  std::vector<Cohort> apart_;
};

}  // namespace ridgepoint::simulate
