#include <algorithm>
#include <string_view>
#include <utility>

#include "plan/trials.hpp"
#include "wording.hpp"

// The longest request.

namespace ridgepoint::plan {
namespace {

/// The flag of the maximum length at `length` tokens a request.
Trial length_trial(const Situation& s, std::uint64_t length, bool asked) {
  const std::string_view flag = s.request.engine->levers.max_length;
  const bool divided = s.request.engine->name == "llamacpp" &&
                       given_flag(s.request, s.request.engine->levers.most_requests) != nullptr;
  const std::uint64_t value = divided ? length * s.now.max_num_seqs : length;
  Trial trial;
  trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(value)});
  if (asked) {
    trial.change.context = length;
  }
  trial.told = typed(s.request, flag, std::to_string(value));
  return trial;
}

/// Shorter lengths from `most` down to `least`, by steps.
Knob shorter(const Situation& s, std::uint64_t most, std::uint64_t least, bool asked) {
  const std::uint64_t step = s.request.engine->name == "llamacpp" ? 256 : 16;
  const std::uint64_t top = (most - 1) / step;  // in steps
  const std::uint64_t bottom = (least + step - 1) / step;
  Knob knob;
  knob.level = asked ? Level::asked_length : Level::length;
  knob.helps = Troubles(Trouble::room, Trouble::free_memory);
  if (asked) {
    knob.helps = Troubles(Trouble::room, Trouble::free_memory, Trouble::requests);
  }
  knob.positions = top >= bottom && top > 0 ? top - std::max<std::uint64_t>(1, bottom) + 1 : 0;
  const std::uint64_t fits = s.now.max_context / step;
  knob.guess =
      s.trouble == Trouble::room && fits <= top && fits >= bottom && fits > 0 ? top - fits + 1 : 0;
  knob.at = [s, top, step, asked](std::uint64_t position) {
    const std::uint64_t length = (top - position + 1) * step;
    Trial trial = length_trial(s, length, asked);
    trial.how =
        "It shortens the longest request to " + grouped(length) + " tokens, the most that fits.";
    trial.cost = asked ? "Requests of more than " + grouped(length) +
                             " tokens, which were asked about, are refused."
                       : "Requests of more than " + grouped(length) + " tokens are refused.";
    return trial;
  };
  return knob;
}

void lengths(const Situation& s, std::vector<Knob>& list) {
  if (s.request.engine->levers.max_length.empty()) {
    return;
  }
  const std::uint64_t now = s.now.max_model_len;
  const std::uint64_t asked = s.now.context;
  const bool wants_less = s.request.workload.context.has_value();
  if (now > asked || !wants_less) {
    list.push_back(shorter(s, now, wants_less ? asked : 1, false));
  }
  if (wants_less && asked > 1) {
    // To serve more at once, less than a quarter of the length is another question.
    const std::uint64_t least = s.trouble == Trouble::requests ? (asked + 3) / 4 : 1;
    list.push_back(shorter(s, asked, least, true));
  }
}

/// A length above the engine's maximum: the maximum goes up, or less is asked.
void length_mismatch(const Situation& s, std::vector<Knob>& list) {
  if (s.trouble != Trouble::context || s.request.engine->levers.max_length.empty()) {
    return;
  }
  Knob longer;
  longer.level = Level::length;
  longer.helps = Troubles(Trouble::context);
  longer.at = [s](std::uint64_t /*position*/) {
    Trial trial = length_trial(s, s.now.context, false);
    trial.how = "It raises the maximum length to the one that is asked about.";
    trial.cost = "The engine checks at the start that one request of that length fits.";
    return trial;
  };
  list.push_back(std::move(longer));
  Knob own;
  own.level = Level::length;
  own.helps = Troubles(Trouble::context);
  own.at = [s](std::uint64_t /*position*/) {
    const std::string_view flag = s.request.engine->levers.max_length;
    Trial trial;
    trial.change.unset.emplace_back(flag);
    trial.told = "without --" + std::string(flag);
    trial.how = "It leaves the maximum length to the model.";
    trial.cost = "The engine checks at the start that one request of that length fits.";
    return trial;
  };
  if (given_flag(s.request, s.request.engine->levers.max_length) != nullptr) {
    list.push_back(std::move(own));
  }
  const std::uint64_t most = std::min(s.now.max_model_len, s.now.context - 1);
  if (most == 0) {
    return;
  }
  Knob less;
  less.level = Level::asked_length;
  less.helps = Troubles(Trouble::context);
  less.at = [most](std::uint64_t /*position*/) {
    Trial trial;
    trial.change.context = most;
    trial.told = "ask for " + grouped(most) + " tokens a request";
    trial.how = "It keeps requests within the engine's maximum length.";
    trial.cost = "Requests of more than " + grouped(most) + " tokens are refused.";
    return trial;
  };
  list.push_back(std::move(less));
}

}  // namespace

void add_length_knobs(const Situation& s, std::vector<Knob>& list) {
  lengths(s, list);
  length_mismatch(s, list);
}

}  // namespace ridgepoint::plan
