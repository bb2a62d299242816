#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "simulated.hpp"

/// The V1 scheduler once more, written down token by token with every request touched in every
/// step: what the simulator's shortcuts must not change.
namespace tests {

struct NaiveRequest {
  double arrival = 0;
  std::uint64_t input = 0;
  std::uint64_t output = 0;
  std::uint64_t computed = 0;
  std::uint64_t generated = 0;
  std::uint64_t target = 0;  ///< tokens it was admitted to compute before it decodes
  bool over = false;
  std::vector<double> tokens;  ///< when they came out
};

class NaiveV1 {
 public:
  NaiveV1(const simulate::Inputs& inputs, PlainTimer& timer)
      : schedule_(inputs.schedule), pool_(inputs.pool), timer_(timer), free_(pool_.budgets) {
    load::DemandSource source(inputs.load);
    while (source.next_arrival()) {
      const load::Demand demand = source.next();
      NaiveRequest request;
      request.arrival = demand.arrival_s;
      request.input = demand.input;
      request.output = demand.output;
      requests.push_back(request);
    }
  }

  void run() {
    double now = 0;
    double began = 0;
    bool ran = false;
    while (finished_ < requests.size()) {
      const double seen = schedule_.overlapped && ran ? began : now;
      bool any = plan(seen, now);
      let_go();
      if (!any) {
        any = plan(now, now);
      }
      if (!any) {
        now = std::max(now, requests[next_].arrival);
        ran = false;
        continue;
      }
      began = now;
      now += duration();
      complete(now);
      ran = true;
    }
  }

  std::vector<NaiveRequest> requests;
  std::uint64_t preemptions = 0;
  double end = 0;
  std::uint64_t least_free = ~0ULL;

 private:
  struct Part {
    std::size_t request;
    std::uint64_t tokens;
    std::uint64_t cached;
    bool decode;
  };

  [[nodiscard]] std::vector<std::uint64_t> units(std::uint64_t tokens) const {
    std::vector<std::uint64_t> sum(pool_.budgets.size(), 0);
    for (const simulate::PoolGroup& group : pool_.groups) {
      std::uint64_t blocks = (tokens + pool_.block_tokens - 1) / pool_.block_tokens;
      if (group.window != 0) {
        const std::uint64_t whole = (group.window + pool_.block_tokens - 1) / pool_.block_tokens;
        blocks = std::min(blocks, pool_.block_tokens == 1 ? whole : whole + 1);
      }
      sum[group.budget] += blocks * group.units;
    }
    return sum;
  }

  bool grow(std::uint64_t from, std::uint64_t to, std::uint64_t kept = 0) {
    const auto before = units(from);
    const auto after = units(to);
    for (std::size_t b = 0; b < free_.size(); ++b) {
      if (after[b] - before[b] + (b == 0 ? kept : 0) > free_[b]) {
        return false;
      }
    }
    for (std::size_t b = 0; b < free_.size(); ++b) {
      free_[b] -= after[b] - before[b];
    }
    least_free = std::min(least_free, free_[0]);
    return true;
  }

  void shrink(NaiveRequest& request) {
    const auto held = units(request.computed);
    for (std::size_t b = 0; b < free_.size(); ++b) {
      free_[b] += held[b];
    }
  }

  [[nodiscard]] static bool decoding(const NaiveRequest& r) { return r.computed >= r.target; }

  [[nodiscard]] std::uint64_t most(std::uint64_t remaining, std::uint64_t budget) const {
    if (schedule_.chunk_tokens != 0) {
      remaining = std::min(remaining, schedule_.chunk_tokens);
    }
    return std::min(remaining, budget);
  }

  bool plan(double seen, double now) {
    parts_.clear();
    while (next_ < requests.size() && requests[next_].arrival <= now) {
      waiting_.push_back(next_++);
    }
    std::uint64_t budget = schedule_.max_num_batched_tokens;
    bool preempted = false;
    for (std::size_t i = 0; i < running_.size() && budget > 0; ++i) {
      NaiveRequest& r = requests[running_[i]];
      const std::uint64_t chunk = most(r.input + r.generated - r.computed, budget);
      bool room = grow(r.computed, r.computed + chunk);
      while (!room) {
        const std::size_t victim = running_.back();
        running_.pop_back();
        shrink(requests[victim]);
        requests[victim].computed = 0;
        waiting_.push_front(victim);
        ++preemptions;
        preempted = true;
        if (victim == running_or(i, victim)) {
          break;
        }
        room = grow(r.computed, r.computed + chunk);
      }
      if (!room) {
        break;
      }
      parts_.push_back({running_[i], chunk, r.computed, decoding(r)});
      r.computed += chunk;
      budget -= chunk;
    }
    if (!preempted) {
      admit(seen, budget);
    }
    return !parts_.empty();
  }

  /// The victim itself when it was the one at that place.
  [[nodiscard]] std::size_t running_or(std::size_t place, std::size_t victim) const {
    return place < running_.size() ? running_[place] : victim;
  }

  void admit(double seen, std::uint64_t budget) {
    const auto kept =
        static_cast<std::uint64_t>(static_cast<double>(pool_.budgets[0]) * schedule_.watermark);
    while (budget > 0 && running_.size() + leaving_.size() < schedule_.max_num_seqs &&
           !waiting_.empty()) {
      NaiveRequest& r = requests[waiting_.front()];
      const std::uint64_t target = r.input + r.generated;
      if (r.generated == 0 && r.arrival > seen) {
        return;
      }
      if (!schedule_.chunked_prefill && target > budget) {
        return;
      }
      const auto before = free_;
      if (!grow(0, target, kept)) {
        return;
      }
      free_ = before;
      const std::uint64_t chunk = most(target, budget);
      grow(0, chunk);
      parts_.push_back({waiting_.front(), chunk, 0, false});
      r.computed = chunk;
      r.target = target;
      budget -= chunk;
      running_.push_back(waiting_.front());
      waiting_.pop_front();
    }
  }

  double duration() {
    speed::StepLoad load;
    std::vector<speed::Chunk> chunks;
    for (const Part& part : parts_) {
      const NaiveRequest& r = requests[part.request];
      if (part.decode) {
        ++load.decoding;
        load.context[0] += part.cached;
        for (std::size_t c = 1; c < load.context.size(); ++c) {
          load.context[c] += std::min(part.cached, timer_.limits[c]);
        }
      } else {
        chunks.push_back({part.tokens, part.cached});
      }
      load.sampled += r.computed == r.input + r.generated ? 1 : 0;
    }
    load.chunks = chunks;
    return timer_.time(load).total;
  }

  void complete(double now) {
    end = now;
    for (const Part& part : parts_) {
      NaiveRequest& r = requests[part.request];
      if (r.computed != r.input + r.generated) {
        continue;
      }
      ++r.generated;
      r.tokens.push_back(now);
      if (r.generated == r.output) {
        r.over = true;
        ++finished_;
        running_.erase(std::find(running_.begin(), running_.end(), part.request));
        leaving_.push_back(part.request);
      }
    }
    if (!schedule_.overlapped) {
      let_go();
    }
  }

  void let_go() {
    for (const std::size_t request : leaving_) {
      shrink(requests[request]);
    }
    leaving_.clear();
  }

  const engine::Schedule& schedule_;
  const simulate::Pool& pool_;
  PlainTimer& timer_;
  std::vector<std::uint64_t> free_;
  std::deque<std::size_t> waiting_;
  std::vector<std::size_t> running_;
  std::vector<std::size_t> leaving_;
  std::vector<Part> parts_;
  std::size_t next_ = 0;
  std::size_t finished_ = 0;
};

}  // namespace tests
