#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace ridgepoint::api {

/// A question that takes long, answered bit by bit, so that who asks can show how far it is and
/// stop it by asking no further. Kinds:
/// - "simulate": `{"id","request":{…},"load":{…},"slo":{…},"prices","use_list_prices"}`, a load on
///   a setup. `load` and `slo` are those of api/load_query.hpp. Out: `{"kind":"simulation",…}` as
///   api/simulation_answer.hpp writes it.
/// - "capacity": the same and `"over":"rate|concurrency"`, rate unless said or the arrivals are a
///   closed loop, `"seeds"` (1 to 20, 5 unless said), `"max"` (of the value) and `"changes"` (true
///   unless said). Arrivals need no rate and no concurrency. `piles_up`:
///   more requests come than are answered, and the queue grows as long as the load lasts. Out:
///   `{"kind":"capacity","engine":{"name","version"},"over","best":
///   {"value","low","high","seeds":[…]}|null,"at_best":{…}|null,"curve":[{"value","ttft_s":D,
///   "tpot_s":D,"e2e_s":D,"output_tokens_per_s","share_meeting","kv_peak_share","meets",
///   "piles_up"}…],"knee",
///   "limit":{"what","text"},"changes":[{"change","how","cards","edit","request","best"}…],
///   "cost_per_million_output_tokens","price_per_hour","currency","bands","assumptions"}`.
/// - "recommend": a query of `recommend` with `load` and `slo`; answers are setups that meet the
///   wishes under the load, as simulations found: on the first draw of the load, and on at least
///   four of five, whose seeds are the load's own and the four after it. Beside what `recommend`
///   says of each: `"load":{"share_meeting","share_by_draw":{"low","high","seeds":[…]},"ttft_s":D,
///   "tpot_s":D,"e2e_s":D,"output_tokens_per_s","kv_peak_share",
///   "cost_per_million_output_tokens"}`, all but share_by_draw of the first draw; and of the whole
///   `"notes":[text…]`. A workload without a context gets the longest request of the load.
///
/// On llama.cpp, where no flag says the length, "simulate" and "capacity" give each slot the room
/// of the load's longest request; "recommend" tries several numbers of slots.
///
/// Errors, as the result and as every progress: `bad_kind`, those of the parts, `does_not_serve`,
/// `speed_unknown`, `not_generative`, `stalled`, `bad_step_time`.
class Run {
 public:
  /// Never null: what is wrong with a query is its answer.
  static std::unique_ptr<Run> create(std::string_view kind, std::string_view query);

  Run() = default;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  Run(Run&&) = delete;
  Run& operator=(Run&&) = delete;
  virtual ~Run() = default;

  /// Goes on by about that many steps of a simulation, and tells how far it is: `{"done","share",
  /// "finished","asked","time_s","steps","running","waiting","kv_share","note"}`.
  virtual std::string advance(std::uint64_t steps) = 0;

  /// The answer; of a run that is not done, of what ran so far.
  virtual std::string result() = 0;
};

/// A question of one of the kinds, run to its end.
std::string run(std::string_view kind, std::string_view query);

}  // namespace ridgepoint::api
