#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "plan/trials.hpp"
#include "wording.hpp"

// What divides a card's memory and cuts the work: the share, steps, requests at once.

namespace ridgepoint::plan {
namespace {

using engine::FlagValue;

constexpr Troubles kShortOfMemory{Trouble::weights, Trouble::room, Trouble::requests};

/// Shares are turned by hundredths; a guard against 0.29 x 100 = 28.999….
std::uint64_t hundredths(double share) {
  return static_cast<std::uint64_t>(std::floor(std::clamp(share, 0.0, 1.0) * 100.0 + 1e-6));
}

Trial share_trial(const Request& request, std::uint64_t hundredth, std::string how,
                  std::string cost) {
  const std::string_view flag = request.engine->levers.memory_share;
  const double share = static_cast<double>(hundredth) / 100.0;
  Trial trial;
  trial.change.set.push_back({std::string(flag), share});
  trial.told = typed(request, flag, decimal(share));
  trial.how = std::move(how);
  trial.cost = std::move(cost);
  return trial;
}

void more_share(const Situation& s, std::vector<Knob>& list) {
  constexpr std::uint64_t kMost = 98;
  constexpr std::uint64_t kUsual = 95;
  const std::uint64_t now = hundredths(memory_share(s.request, s.now));
  if (now == 0 || now >= kMost) {
    return;
  }
  Knob knob;
  knob.level = Level::share;
  knob.helps = kShortOfMemory;
  knob.positions = kMost - now;
  knob.paired = kUsual > now ? kUsual - now : 0;
  const std::uint64_t hundredth = std::max<std::uint64_t>(1, s.now.total_bytes / 100);
  const std::uint64_t needed = shortfall(s.now) / hundredth + 1;
  knob.guess = s.trouble == Trouble::requests || needed > knob.positions ? 0 : needed;
  knob.at = [&request = s.request, now](std::uint64_t position) {
    return share_trial(request, now + position,
                       "It lets the engine fill more of the card, and the whole of the difference "
                       "becomes cache.",
                       "Less is left for what lies outside the engine's claim: other programs, and "
                       "graphs where they are not counted.");
  };
  list.push_back(std::move(knob));
}

void less_share(const Situation& s, std::vector<Knob>& list) {
  constexpr std::uint64_t kLeast = 5;
  const std::uint64_t now = hundredths(memory_share(s.request, s.now));
  if (now <= kLeast) {
    return;
  }
  Knob knob;
  knob.level = Level::share;
  knob.helps = Troubles(Trouble::free_memory);
  // Of 0.905 the first step is 0.90 and of 0.90 it is 0.89.
  const bool between = memory_share(s.request, s.now) * 100.0 > static_cast<double>(now) + 1e-6;
  const std::uint64_t first = between ? now + 1 : now;
  knob.positions = first - kLeast;
  const std::uint64_t hundredth = std::max<std::uint64_t>(1, s.now.total_bytes / 100);
  const std::uint64_t fits = s.now.available_bytes / hundredth;
  knob.guess = fits < first && fits >= kLeast ? first - fits : 0;
  knob.at = [&request = s.request, first](std::uint64_t position) {
    return share_trial(request, first - position, "It lets the engine claim no more than is free.",
                       "The cache shrinks by as much, and with it the requests at once.");
  };
  list.push_back(std::move(knob));
}

/// Limits of the pool that were given by hand.
void no_bound(const Situation& s, std::vector<Knob>& list) {
  for (const std::string_view flag :
       {"kv-cache-memory-bytes", "num-gpu-blocks-override", "max-total-tokens",
        "kv-cache-config.max-tokens", "kv-cache-config.max-gpu-total-bytes"}) {
    if (given_flag(s.request, flag) == nullptr) {
      continue;
    }
    Knob knob;
    knob.level = Level::share;
    knob.helps = Troubles(Trouble::room, Trouble::requests, Trouble::free_memory);
    knob.at = [flag](std::uint64_t /*position*/) {
      Trial trial;
      trial.change.unset.emplace_back(flag);
      trial.told = "without --" + std::string(flag);
      trial.how = "It lets the engine size the cache by what the card has left.";
      trial.cost = "The cache takes all that the engine's share of the card leaves.";
      return trial;
    };
    list.push_back(std::move(knob));
  }
}

void free_the_card(const Situation& s, std::vector<Knob>& list) {
  const auto& free = s.request.device.free_bytes;
  if (!free || *free >= s.request.device.total_bytes) {
    return;
  }
  Knob knob;
  knob.level = Level::programs;
  knob.helps = Troubles(Trouble::weights, Trouble::room, Trouble::free_memory, Trouble::requests);
  knob.at = [held = s.request.device.total_bytes - *free](std::uint64_t /*position*/) {
    Trial trial;
    trial.change.whole_card_free = true;
    trial.told = "stop the other programs on the card";
    trial.how = "It gives the engine the " + in_gib(held) +
                " that something else holds (nvidia-smi or rocm-smi tells what).";
    trial.cost = "What ran there runs elsewhere.";
    return trial;
  };
  list.push_back(std::move(knob));
}

/// A flag that is lowered to one of a list of numbers.
Knob lower_number(const Situation& s, Level level, std::string_view flag,
                  std::vector<std::uint64_t> values, std::string how, std::string cost) {
  Knob knob;
  knob.level = level;
  knob.positions = values.size();
  knob.at = [&request = s.request, flag, values = std::move(values), how = std::move(how),
             cost = std::move(cost)](std::uint64_t position) {
    const std::uint64_t value = values[static_cast<std::size_t>(position - 1)];
    Trial trial;
    trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(value)});
    trial.told = typed(request, flag, std::to_string(value));
    trial.how = how;
    trial.cost = cost;
    return trial;
  };
  return knob;
}

/// Numbers of tokens below `now` as people write them, largest first.
std::vector<std::uint64_t> smaller_steps(std::uint64_t now) {
  constexpr std::uint64_t kCoarse = 512;
  constexpr std::uint64_t kFine = 128;
  constexpr std::uint64_t kMost = 256 * kCoarse;
  std::vector<std::uint64_t> values;
  std::uint64_t value = std::min(now, kMost + kCoarse);
  while (value > kFine) {
    const std::uint64_t unit = value > 4 * kCoarse ? kCoarse : kFine;
    value = (value - 1) / unit * unit;
    if (value >= kFine) {
      values.push_back(value);
    }
  }
  return values;
}

std::uint64_t tokens_of_a_step(const Situation& s) {
  if (s.request.engine->name != "llamacpp") {
    return s.now.max_num_batched_tokens;
  }
  // llama.cpp computes by micro-batches, of 512 tokens where none is given (common/common.h).
  constexpr std::uint64_t kMicroBatch = 512;
  const FlagValue* given = given_flag(s.request, s.request.engine->levers.batched_tokens);
  const auto* whole = given == nullptr ? nullptr : std::get_if<std::int64_t>(&given->value);
  return whole == nullptr || *whole < 1 ? kMicroBatch : static_cast<std::uint64_t>(*whole);
}

void smaller_steps(const Situation& s, std::vector<Knob>& list) {
  const std::string_view flag = s.request.engine->levers.batched_tokens;
  const std::uint64_t now = tokens_of_a_step(s);
  if (cannot_be_enough(s, s.now.activation.best)) {
    return;
  }
  std::vector<std::uint64_t> values = smaller_steps(now);
  if (flag.empty() || values.empty()) {
    return;
  }
  std::uint64_t guess = 0;
  const std::uint64_t activation = s.now.activation.best;
  if (s.trouble == Trouble::room && shortfall(s.now) < activation) {
    const double kept =
        1.0 - static_cast<double>(shortfall(s.now)) / static_cast<double>(activation);
    const double tokens = kept * static_cast<double>(now);
    while (guess < values.size() &&
           static_cast<double>(values[static_cast<std::size_t>(guess)]) > tokens) {
      ++guess;
    }
    guess = std::min<std::uint64_t>(guess + 1, values.size());
  }
  const auto usual =
      std::find_if(values.begin(), values.end(), [](std::uint64_t value) { return value <= 2048; });
  const auto paired = static_cast<std::uint64_t>(usual - values.begin()) + 1;
  Knob knob = lower_number(
      s, Level::steps, flag, std::move(values),
      "It makes the largest step smaller, and activations shrink with it.",
      "Prompts are prefilled in smaller steps: the first token of a long one comes later.");
  knob.helps = Troubles(Trouble::room, Trouble::requests, Trouble::free_memory);
  knob.guess = guess;
  knob.paired = std::min(paired, knob.positions);
  list.push_back(std::move(knob));
}

void fewer_slots(const Situation& s, std::vector<Knob>& list) {
  const std::string_view flag = s.request.engine->levers.most_requests;
  const std::uint64_t least = std::max<std::uint64_t>(
      1, (s.concurrency + s.now.parallelism.data - 1) / s.now.parallelism.data);
  const std::uint64_t now = s.now.max_num_seqs;
  if (flag.empty() || now <= least ||
      cannot_be_enough(s, s.now.activation.best + s.now.cuda_graphs_charged.best)) {
    return;
  }
  Knob knob;
  knob.level = Level::slots;
  knob.helps = Troubles(Trouble::room, Trouble::requests, Trouble::free_memory, Trouble::context);
  knob.positions = now - least;
  // An engine that wants a state for each sequence says how many there are.
  const std::uint64_t states = s.now.blocks.best;
  knob.guess = s.request.model.stateful() && states >= least && states < now ? now - states : 0;
  knob.paired = now > 16 && least <= 16 ? now - 16 : 0;
  knob.at = [&request = s.request, flag, now](std::uint64_t position) {
    const std::uint64_t slots = now - position;
    Trial trial;
    trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(slots)});
    trial.told = typed(request, flag, std::to_string(slots));
    trial.how = "It sets less aside for requests that run at once.";
    trial.cost = "At most " + grouped(slots) + (slots == 1 ? " request runs" : " requests run") +
                 " at once; the rest wait.";
    return trial;
  };
  list.push_back(std::move(knob));
}

void more_slots(const Situation& s, std::vector<Knob>& list) {
  const std::string_view flag = s.request.engine->levers.most_requests;
  const std::uint64_t data = std::max<std::uint64_t>(1, s.now.parallelism.data);
  const std::uint64_t wanted = (s.concurrency + data - 1) / data;
  const bool slots_have_length = s.request.engine->name == "llamacpp";
  if (flag.empty() || (wanted <= s.now.max_num_seqs && !slots_have_length) ||
      wanted > (1ULL << 20U)) {
    return;
  }
  Knob knob;
  knob.level = Level::slots;
  knob.helps = Troubles(Trouble::requests);
  knob.at = [&request = s.request, flag, wanted, length = s.now.context,
             slots_have_length](std::uint64_t /*position*/) {
    Trial trial;
    trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(wanted)});
    trial.told = typed(request, flag, std::to_string(wanted));
    trial.how = "It lets as many requests run at once as are asked for.";
    trial.cost = "More memory is set aside for them, and each is answered more slowly.";
    if (slots_have_length && length < (1ULL << 32U)) {
      // llama.cpp divides the context over its slots.
      const std::uint64_t all = length * wanted;
      const std::string_view context = request.engine->levers.max_length;
      trial.change.set.push_back({std::string(context), static_cast<std::int64_t>(all)});
      trial.told += " " + typed(request, context, std::to_string(all));
    }
    return trial;
  };
  list.push_back(std::move(knob));
}

}  // namespace

void add_memory_knobs(const Situation& s, std::vector<Knob>& list) {
  less_share(s, list);
  more_share(s, list);
  no_bound(s, list);
  free_the_card(s, list);
  smaller_steps(s, list);
  fewer_slots(s, list);
  more_slots(s, list);
}

}  // namespace ridgepoint::plan
