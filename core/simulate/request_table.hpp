#pragma once

#include <cstdint>
#include <vector>

namespace ridgepoint::simulate {

/// Where a request is kept; given to another once it is over.
using Slot = std::uint32_t;
inline constexpr Slot kNone = ~Slot{0};

enum class Stage : std::uint8_t {
  waiting,     ///< was preempted, and holds nothing
  prefilling,  ///< its prompt is computed in part
  ending,      ///< the step at hand computes the last of its prompt
  decoding,
  over,  ///< all came out; the engine has yet to notice
};

/// A request that runs, or was preempted. Times are in seconds; tokens come out at the client's.
struct Request {
  double arrival_s = 0;
  double admitted_s = 0;  ///< when it first was in a step
  double first_token_s = 0;
  double last_token_s = 0;
  std::uint64_t computed = 0;  ///< tokens in the cache; of a decoding one by the DecodeSet
  std::uint64_t target = 0;    ///< tokens that are computed before the next one comes out
  std::uint32_t input = 1;
  std::uint32_t output = 1;
  std::uint32_t generated = 0;  ///< tokens that came out; of a decoding one by the DecodeSet
  std::uint32_t session = 0;    ///< tokens in the cache by an earlier turn
  std::uint32_t shared = 0;     ///< tokens of the shared prompt
  Stage stage = Stage::waiting;
  bool counted = true;      ///< statistics take it in
  bool shares = false;      ///< holds the blocks of the shared prompt in common with others
  std::uint64_t order = 0;  ///< rising as requests are admitted

  // Of the DecodeSet.
  std::uint64_t base = 0;         ///< computed, less the step count
  std::uint64_t finish_step = 0;  ///< the step count at which the last token comes out
  std::uint64_t late = 0;         ///< gaps between tokens that were longer than wished
  std::uint64_t late_mark = 0;
  std::uint32_t stamp = 0;  ///< tells events of the past apart
  bool apart = false;       ///< its last token came out at another time than most

  // Of the replica: preempted, what was freed since tells how much is still cached.
  std::uint64_t freed_mark = 0;
  std::uint64_t freed_ahead = 0;

  Slot before = kNone;  ///< in order of admission
  Slot after = kNone;
};

/// The requests of one replica, and those that run as a list in order of admission.
class RequestTable {
 public:
  Slot add();
  void remove(Slot slot);

  Request& operator[](Slot slot) { return requests_[slot]; }
  const Request& operator[](Slot slot) const { return requests_[slot]; }

  void append_running(Slot slot);
  void remove_running(Slot slot);

  [[nodiscard]] Slot first() const { return first_; }
  [[nodiscard]] Slot last() const { return last_; }
  [[nodiscard]] std::uint64_t running() const { return running_; }

 private:
  std::vector<Request> requests_;
  std::vector<Slot> free_;
  Slot first_ = kNone;
  Slot last_ = kNone;
  std::uint64_t running_ = 0;
  std::uint64_t orders_ = 0;
};

}  // namespace ridgepoint::simulate
