#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "plan/trials.hpp"
#include "wording.hpp"

// Cards: more of them, the same ones in another arrangement, others; and other releases.

namespace ridgepoint::plan {
namespace {

using engine::Parallelism;

constexpr Troubles kAnyMemory{Trouble::weights, Trouble::room, Trouble::free_memory,
                              Trouble::requests};
constexpr std::array<std::uint64_t, 4> kFactors = {2, 4, 8, 16};

std::string on_cards(std::uint64_t cards) {
  return " on " + grouped(cards) + (cards == 1 ? " card" : " cards");
}

bool groups_now(const Situation& s) {
  const std::string_view name = s.request.engine->levers.attention_groups;
  if (name.empty()) {
    return false;
  }
  const engine::FlagValue* flag = given_flag(s.request, name);
  const bool* on = flag == nullptr ? nullptr : std::get_if<bool>(&flag->value);
  return flag != nullptr && (on == nullptr || *on);
}

std::uint64_t cards(const Situation& s, const Parallelism& p) {
  return p.tensor * p.pipeline * (groups_now(s) ? 1 : p.data);
}

/// More ranks of one kind, by factors.
Knob more_ranks(const Situation& s, std::string_view flag, std::uint64_t Parallelism::*ranks,
                const char* how, const char* cost) {
  Knob knob;
  knob.level = Level::cards;
  knob.helps = kAnyMemory;
  knob.positions = kFactors.size();
  knob.gaps = true;
  knob.at = [s, flag, ranks, how, cost](std::uint64_t position) {
    Parallelism wanted = s.now.parallelism;
    wanted.*ranks *= kFactors[static_cast<std::size_t>(position - 1)];
    Trial trial;
    trial.parallel = wanted;
    trial.told = typed(s.request, flag, std::to_string(wanted.*ranks)) + on_cards(cards(s, wanted));
    trial.how = how;
    trial.cost = cost;
    return trial;
  };
  return knob;
}

void more_cards(const Situation& s, std::vector<Knob>& list) {
  const engine::Levers& levers = s.request.engine->levers;
  const Parallelism& now = s.now.parallelism;
  constexpr std::uint64_t kMostCards = 1024;
  if (cards(s, now) > kMostCards) {
    return;
  }
  if (levers.tensor_parallel.empty()) {
    Knob knob;
    knob.level = Level::cards;
    knob.helps = kAnyMemory;
    knob.positions = kFactors.size();
    knob.gaps = true;
    knob.at = [before = cards(s, now)](std::uint64_t position) {
      const std::uint64_t count = before * kFactors[static_cast<std::size_t>(position - 1)];
      Trial trial;
      trial.change.gpu_count = count;
      trial.told = grouped(count) + " cards";
      trial.how = "It divides the layers over more cards.";
      trial.cost = "More cards, which work one after the other.";
      return trial;
    };
    list.push_back(std::move(knob));
    return;
  }
  list.push_back(more_ranks(s, levers.tensor_parallel, &Parallelism::tensor,
                            "It divides every layer over more cards.",
                            "More cards, which exchange results in every layer: best with a fast "
                            "link between them."));
  const model::Attention* attention = model::first_attention(s.request.model);
  const bool divide =
      attention != nullptr && attention->num_attention_heads % (2 * now.tensor) == 0;
  if (!divide) {
    list.push_back(more_ranks(s, levers.pipeline_parallel, &Parallelism::pipeline,
                              "It divides the layers over more cards, since their heads do not "
                              "divide.",
                              "More cards, which work one after the other on a request."));
  }
}

void replicas(const Situation& s, std::vector<Knob>& list) {
  const std::string_view flag = s.request.engine->levers.data_parallel;
  const Parallelism& now = s.now.parallelism;
  constexpr std::uint64_t kMostCards = 1024;
  if (flag.empty() || groups_now(s) || s.now.max_requests.best == 0 || cards(s, now) > kMostCards) {
    return;
  }
  const std::uint64_t most = kMostCards / std::max<std::uint64_t>(1, now.tensor * now.pipeline);
  // vLLM divides experts over all replicas, which takes even numbers of them.
  const bool shared_experts = s.request.model.moe() && s.request.engine->name == "vllm";
  std::vector<std::uint64_t> counts;
  for (std::uint64_t n = shared_experts ? now.data * 2 : now.data + 1; n <= most;
       n = shared_experts ? n * 2 : n + 1) {
    counts.push_back(n);
  }
  Knob knob;
  knob.level = Level::replicas;
  knob.helps = Troubles(Trouble::requests);
  knob.positions = counts.size();
  const std::uint64_t each = std::max<std::uint64_t>(1, s.now.max_requests.best / now.data);
  const std::uint64_t wanted = s.concurrency / each + (s.concurrency % each == 0 ? 0 : 1);
  const auto enough = std::lower_bound(counts.begin(), counts.end(), wanted);
  knob.guess = enough == counts.end() ? 0 : static_cast<std::uint64_t>(enough - counts.begin()) + 1;
  knob.at = [s, flag, shared_experts, counts = std::move(counts)](std::uint64_t position) {
    Parallelism wider = s.now.parallelism;
    wider.data = counts[static_cast<std::size_t>(position - 1)];
    Trial trial;
    trial.parallel = wider;
    trial.told = typed(s.request, flag, std::to_string(wider.data)) + on_cards(cards(s, wider));
    trial.how = "It runs " + grouped(wider.data) + " replicas, each with a cache of its own.";
    trial.cost = shared_experts
                     ? "More cards: each replica's hold all weights but the experts, which are "
                       "divided over all."
                     : "More cards: each replica's hold all the weights.";
    return trial;
  };
  list.push_back(std::move(knob));
}

/// Latent rows and single heads are whole on every rank: groups that each keep their own requests
/// hold more.
void attention_by_groups(const Situation& s, std::vector<Knob>& list) {
  const engine::Levers& levers = s.request.engine->levers;
  const Parallelism& now = s.now.parallelism;
  const model::Attention* attention = model::first_attention(s.request.model);
  const bool repeated = s.request.model.latent() ||
                        (attention != nullptr && attention->num_key_value_heads < now.tensor);
  if (now.tensor < 2 || groups_now(s) || !repeated) {
    return;
  }
  Knob knob;
  knob.level = Level::arrangement;
  knob.helps = Troubles(Trouble::requests, Trouble::room);
  if (!levers.attention_groups.empty()) {
    knob.at = [s, &levers](std::uint64_t /*position*/) {
      Trial trial;
      trial.change.set.push_back({std::string(levers.attention_groups), true});
      trial.told = typed(s.request, levers.attention_groups, "");
      if (!levers.data_parallel.empty()) {
        const std::uint64_t groups = s.now.parallelism.tensor;
        trial.change.set.push_back(
            {std::string(levers.data_parallel), static_cast<std::int64_t>(groups)});
        trial.told += " " + typed(s.request, levers.data_parallel, std::to_string(groups));
      }
      trial.how = "Each card keeps the cache of its own requests in place of a copy of all.";
      trial.cost =
          "Attention weights are whole on every card, and a single request is answered "
          "more slowly.";
      return trial;
    };
    list.push_back(std::move(knob));
  } else if (!levers.data_parallel.empty() && s.request.model.moe()) {
    knob.at = [s, &levers](std::uint64_t /*position*/) {
      Parallelism apart = s.now.parallelism;
      apart.data *= apart.tensor;
      apart.tensor = 1;
      apart.expert = true;
      Trial trial;
      trial.parallel = apart;
      trial.change.set.push_back({std::string(levers.expert_parallel), true});
      trial.told = typed(s.request, levers.tensor_parallel, "1") + " " +
                   typed(s.request, levers.data_parallel, std::to_string(apart.data)) + " " +
                   typed(s.request, levers.expert_parallel, "");
      trial.how = "Each card keeps the cache of its own requests, and experts are divided.";
      trial.cost =
          "Attention weights are whole on every card, and a single request is answered "
          "more slowly.";
      return trial;
    };
    list.push_back(std::move(knob));
  }
}

void whole_experts(const Situation& s, std::vector<Knob>& list) {
  const engine::Levers& levers = s.request.engine->levers;
  const Parallelism& now = s.now.parallelism;
  if (!s.request.model.moe() || now.tensor < 2 || now.expert || levers.expert_parallel.empty()) {
    return;
  }
  Knob knob;
  knob.level = Level::arrangement;
  knob.helps = kAnyMemory;
  const bool counted = levers.expert_parallel.ends_with("size");
  knob.at = [s, counted, flag = levers.expert_parallel](std::uint64_t /*position*/) {
    const std::uint64_t ranks = s.now.parallelism.tensor;
    Trial trial;
    if (counted) {
      trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(ranks)});
    } else {
      trial.change.set.push_back({std::string(flag), true});
    }
    trial.told = typed(s.request, flag, counted ? std::to_string(ranks) : "");
    trial.how = "Each card holds whole experts in place of slices of all.";
    trial.cost = "Cards with much-asked experts work more than others.";
    return trial;
  };
  list.push_back(std::move(knob));
}

void other_card(const Situation& s, std::vector<Knob>& list) {
  const hardware::Device& now = s.request.device;
  // A card of one's own description may be exchanged for any of the vendor that engines begin with.
  const std::string_view vendor = now.vendor.empty() ? "nvidia" : std::string_view(now.vendor);
  std::vector<const hardware::DeviceFacts*> bigger;
  for (const hardware::DeviceFacts& facts : hardware::devices()) {
    if (facts.vendor == vendor && facts.total_bytes > now.total_bytes + now.total_bytes / 20 &&
        facts.unified_memory == now.unified_memory) {
      bigger.push_back(&facts);
    }
  }
  std::stable_sort(bigger.begin(), bigger.end(),
                   [](const auto* a, const auto* b) { return a->total_bytes < b->total_bytes; });
  if (bigger.empty()) {
    return;
  }
  Knob knob;
  knob.level = Level::other_card;
  // Where other programs hold the memory, it is not the card that is too small.
  knob.helps =
      now.free_bytes ? Troubles(Trouble::weights, Trouble::room, Trouble::requests) : kAnyMemory;
  knob.positions = bigger.size();
  if (s.trouble == Trouble::weights || s.trouble == Trouble::room) {
    const std::uint64_t wanted = now.total_bytes + shortfall(s.now);
    const auto enough = std::find_if(bigger.begin(), bigger.end(), [&](const auto* facts) {
      return facts->total_bytes >= wanted;
    });
    knob.guess =
        enough == bigger.end() ? 0 : static_cast<std::uint64_t>(enough - bigger.begin()) + 1;
  }
  knob.at = [bigger = std::move(bigger)](std::uint64_t position) {
    const hardware::DeviceFacts& facts = *bigger[static_cast<std::size_t>(position - 1)];
    Trial trial;
    trial.change.gpu_id = std::string(facts.id);
    trial.told = "--gpu " + std::string(facts.id);
    trial.how = "It takes the smallest known card of the vendor that is large enough, " +
                std::string(facts.name) + ".";
    trial.cost = "Another card, of " + in_gib(facts.total_bytes) + ".";
    return trial;
  };
  list.push_back(std::move(knob));
}

void newer_version(const Situation& s, std::vector<Knob>& list) {
  std::vector<std::string_view> newer;
  bool found = false;
  for (const std::string_view version : s.request.engine->versions) {
    if (found) {
      newer.push_back(version);
    }
    found = found || version == s.now.version;
  }
  if (!found) {
    // A build between two covered ones: any covered one may be asked about.
    newer.assign(s.request.engine->versions.begin(), s.request.engine->versions.end());
  }
  if (newer.empty()) {
    return;
  }
  Knob knob;
  knob.level = Level::version;
  knob.helps = Troubles(Trouble::architecture);
  knob.positions = newer.size();
  knob.at = [newer = std::move(newer), title = s.request.engine->title](std::uint64_t position) {
    const std::string version(newer[static_cast<std::size_t>(position - 1)]);
    Trial trial;
    trial.change.engine_version = version;
    trial.told = std::string(title) + " " + version;
    trial.how = "It is the first covered release that runs the model and serves it here.";
    trial.cost = "Another release has to be installed; its defaults differ.";
    return trial;
  };
  list.push_back(std::move(knob));
}

}  // namespace

void add_card_knobs(const Situation& s, std::vector<Knob>& list) {
  attention_by_groups(s, list);
  whole_experts(s, list);
  newer_version(s, list);
  more_cards(s, list);
  replicas(s, list);
  other_card(s, list);
}

}  // namespace ridgepoint::plan
