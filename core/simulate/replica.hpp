#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "engine/schedule.hpp"
#include "load/demand_source.hpp"
#include "simulate/decode_set.hpp"
#include "simulate/pool.hpp"
#include "simulate/request_table.hpp"
#include "simulate/scheduler.hpp"
#include "simulate/tally.hpp"
#include "speed/step.hpp"

namespace ridgepoint::simulate {

/// The request that is next to be admitted.
struct Candidate {
  Slot slot = kNone;         ///< of one that was preempted
  std::uint64_t target = 0;  ///< tokens to have in the cache before its next token comes out
  std::uint64_t total = 0;   ///< tokens of prompt and output
  std::uint64_t cached = 0;  ///< of target, what need not be computed
  bool shares = false;       ///< of that, the shared prompt is held in common

  [[nodiscard]] std::uint64_t to_compute() const { return target - cached; }
};

/// One copy of the model with its cache and its queue. Time goes by in its steps: `complete` ends
/// the one that ran, `start` plans the next one.
class Replica {
 public:
  Replica(const engine::Schedule& schedule, const Pool& pool, speed::StepTimer& timer,
          const Slo& slo, double fixed_s, std::uint64_t count, Tally& tally);

  enum class Dealt : std::uint8_t { queued, longer_than_limit, longer_than_pool, longer_than_step };

  /// A request that left the front end at `ready_s`. Refused ones are counted.
  Dealt deal(const load::Demand& demand, double ready_s, bool counted);

  /// Plans a step at `now` and says how long it takes; 0: there is nothing to do. Errors: `stalled`
  /// when requests wait and none can ever run, `bad_step_time`.
  Result<double> start(double now);

  /// Tokens that come out of the step that runs.
  [[nodiscard]] std::uint64_t sampled() const { return load_.sampled; }

  /// The step's tokens reach the clients at `client_s`. Returns how many requests are over.
  std::uint64_t complete(double end_s, double client_s);

  [[nodiscard]] std::uint64_t waiting() const { return queue_.size(); }
  [[nodiscard]] double share_in_use() const { return ledger_.share_in_use(); }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }

  // --- For schedulers --------------------------------------------------------------------------

  /// Requests that take one of the places, those included that the engine does not yet know to be
  /// over.
  [[nodiscard]] std::uint64_t running() const { return requests_.running() + releasing_.size(); }
  [[nodiscard]] const RequestTable& requests() const { return requests_; }
  [[nodiscard]] const DecodeSet& decodes() const { return decodes_; }
  [[nodiscard]] const std::vector<Slot>& prefilling() const { return prefilling_; }

  /// Requests that the engine knows to be over, since the start.
  [[nodiscard]] std::uint64_t gone() const { return gone_; }

  /// Tokens, of all requests that came.
  [[nodiscard]] std::uint64_t longest_output() const { return longest_output_; }

  /// First of the queue, up to `seen_s`.
  [[nodiscard]] std::optional<Candidate> head(double seen_s) const;

  /// Whether there is a place for its state, and blocks for it at `tokens` beside `kept` units.
  [[nodiscard]] bool fits(const Candidate& candidate, std::uint64_t tokens, Units kept = {}) const;

  /// Puts the head of the queue into the step with `chunk` tokens.
  void admit(const Candidate& candidate, std::uint64_t chunk, StepPlan& plan);

  /// `chunk` more tokens of a prompt that is computed in part; their blocks are free.
  void extend(Slot slot, std::uint64_t chunk, StepPlan& plan);

  /// All that decode compute one token; their blocks are free.
  void decode_all(StepPlan& plan);

  /// Takes the block that one needs for its next token.
  [[nodiscard]] Units next_need(Slot slot) const;
  void take(const Units& units) { ledger_.take(units); }

  /// Takes all of its blocks and puts it into the queue, where it is first or last.
  void preempt(Slot slot, bool first = true);

  /// One that decodes is left out of the step.
  void skip(Slot slot, StepPlan& plan);

  /// Tokens in the cache of any that runs.
  [[nodiscard]] std::uint64_t computed(Slot slot) const;
  [[nodiscard]] std::uint64_t generated(Slot slot) const;

 private:
  struct Queued {
    double arrival_s;
    double ready_s;
    std::uint32_t input;
    std::uint32_t output;
    std::uint32_t session;
    std::uint32_t shared;
    bool counted;
    Slot slot = kNone;  ///< of one that was preempted
  };

  [[nodiscard]] std::uint64_t known_tokens(std::uint32_t session, std::uint32_t shared) const;
  [[nodiscard]] std::uint64_t left_over(const Request& request) const;
  [[nodiscard]] Candidate candidate_of(std::uint64_t tokens, std::uint64_t total,
                                       std::uint32_t shared, std::uint64_t known) const;
  [[nodiscard]] Units common() const;
  [[nodiscard]] Units held(const Request& request) const;
  [[nodiscard]] Units cost(const Candidate& candidate, std::uint64_t tokens) const;
  Slot dequeue(const Candidate& candidate);
  void share(Request& request);
  void note_shared(Request& request);
  void plan_chunk(Slot slot, std::uint64_t chunk, StepPlan& plan);
  void fill_load();
  void release(Slot slot);
  void release_finished();
  void give_back(Request& request);
  void emit_prompt_token(Slot slot, double client_s);
  void finish(Slot slot);
  [[nodiscard]] bool keeps_wishes(const Request& request, double ttft, double tpot,
                                  double e2e) const;
  void hold_levels(double start_s, double end_s);
  Result<double> step_seconds();

  const engine::Schedule& schedule_;
  speed::StepTimer& timer_;
  Slo slo_;
  double fixed_s_;
  double count_;
  Tally& tally_;
  std::unique_ptr<Scheduler> scheduler_;
  bool reserves_;
  std::uint64_t state_slots_;
  Ledger ledger_;
  RequestTable requests_;
  DecodeSet decodes_;
  std::deque<Queued> queue_;
  std::vector<Slot> prefilling_;     ///< in order of admission
  std::vector<Slot> releasing_;      ///< over in the step before, which the engine has not yet seen
  std::uint64_t shared_tokens_ = 0;  ///< of the shared prompt, whole blocks
  std::uint64_t sharers_ = 0;
  std::uint64_t longest_output_ = 0;
  std::uint64_t gone_ = 0;
  bool shared_cached_ = false;
  StepPlan plan_;
  speed::StepLoad load_;
  std::vector<speed::Chunk> chunks_;
  std::vector<Slot> over_;
  double now_ = 0;         ///< when the step that runs, or ran last, began
  double free_since_ = 0;  ///< when it ended
  bool ran_ = false;       ///< a step ended just now
};

}  // namespace ridgepoint::simulate
