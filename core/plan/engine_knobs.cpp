#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "plan/trials.hpp"
#include "wording.hpp"

// What engines have besides: graphs, towers, drafts, adapters, pools within the pool, offloading.

namespace ridgepoint::plan {
namespace {

constexpr Troubles kAnyMemory{Trouble::weights, Trouble::room, Trouble::free_memory,
                              Trouble::requests};
constexpr Troubles kCacheMemory{Trouble::room, Trouble::free_memory, Trouble::requests};

/// A knob with one position that sets one flag.
Knob one_flag(const Situation& s, Level level, Troubles helps, engine::FlagValue flag,
              std::string shown, std::string how, std::string cost) {
  Knob knob;
  knob.level = level;
  knob.helps = helps;
  knob.at = [&request = s.request, flag = std::move(flag), shown = std::move(shown),
             how = std::move(how), cost = std::move(cost)](std::uint64_t /*position*/) {
    Trial trial;
    trial.change.set.push_back(flag);
    trial.told = typed(request, flag.name, shown);
    trial.how = how;
    trial.cost = cost;
    return trial;
  };
  return knob;
}

void graph_sizes(const Situation& s, std::vector<Knob>& list) {
  static constexpr std::array<std::uint64_t, 8> kSizes = {256, 128, 64, 32, 16, 8, 4, 1};
  const std::string_view flag = graph_size_flag(*s.request.engine);
  if (flag.empty() || s.now.cuda_graphs.best == 0 ||
      cannot_be_enough(s, s.now.cuda_graphs_charged.best)) {
    return;
  }
  Knob knob;
  knob.level = Level::graph_sizes;
  knob.helps = kCacheMemory;
  knob.positions = kSizes.size();
  knob.at = [&request = s.request, flag](std::uint64_t position) {
    const std::uint64_t size = kSizes[static_cast<std::size_t>(position - 1)];
    Trial trial;
    trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(size)});
    trial.told = typed(request, flag, std::to_string(size));
    trial.how = "It records CUDA graphs for batches of up to " + grouped(size) + " only.";
    trial.cost = "Larger batches decode without a graph, more slowly.";
    return trial;
  };
  list.push_back(std::move(knob));
}

void no_graphs(const Situation& s, std::vector<Knob>& list) {
  const std::string_view flag = s.request.engine->levers.no_graphs;
  constexpr const char* kHow = "It records no CUDA graphs.";
  constexpr const char* kCost = "Decoding is slower, most on small batches and small models.";
  // Without compilation the profile run holds less as well.
  if (cannot_be_enough(s, s.now.cuda_graphs_charged.best + s.now.activation.best)) {
    return;
  }
  if (!flag.empty()) {
    list.push_back(
        one_flag(s, Level::graphs, kCacheMemory, {std::string(flag), true}, "", kHow, kCost));
  } else if (s.request.engine->name == "trtllm") {
    list.push_back(one_flag(s, Level::graphs, kCacheMemory,
                            {"cuda-graph-config", std::string("null")}, "null", kHow, kCost));
  }
}

/// V0 of vLLM computed a whole prompt in one step where it was not told to cut it.
void cut_prompts(const Situation& s, std::vector<Knob>& list) {
  if (s.request.engine->name == "vllm" && s.now.max_num_batched_tokens >= s.now.max_model_len &&
      given_flag(s.request, "enable-chunked-prefill") == nullptr) {
    list.push_back(one_flag(s, Level::steps, kCacheMemory, {"enable-chunked-prefill", true}, "",
                            "It cuts prompts into steps, and activations are those of a step.",
                            "Prompts are prefilled in steps: the first token of a long one comes "
                            "later."));
  }
}

bool has_tower(const engine::MemoryPlan& plan) {
  return std::any_of(
      plan.weights_by_part.begin(), plan.weights_by_part.end(),
      [](const auto& part) { return part.first == "vision" || part.first == "audio"; });
}

void text_only(const Situation& s, std::vector<Knob>& list) {
  constexpr const char* kHow = "It leaves the tower that reads pictures or sounds out.";
  constexpr const char* kCost = "Only text is served.";
  if (!has_tower(s.now) && !s.request.model.vision.present) {
    return;
  }
  if (s.request.engine->name == "vllm") {
    list.push_back(
        one_flag(s, Level::inputs, kAnyMemory, {"language-model-only", true}, "", kHow, kCost));
    const std::string none = R"({"image": 0, "video": 0, "audio": 0})";
    list.push_back(one_flag(s, Level::inputs, kAnyMemory, {"limit-mm-per-prompt", none},
                            "'" + none + "'", "It keeps no room for pictures or sounds.", kCost));
  } else if (s.request.engine->name == "sglang") {
    list.push_back(
        one_flag(s, Level::inputs, kAnyMemory, {"language-only", true}, "", kHow, kCost));
  } else if (s.request.engine->name == "llamacpp" && given_flag(s.request, "mmproj") != nullptr) {
    Knob knob;
    knob.level = Level::inputs;
    knob.helps = kAnyMemory;
    knob.at = [](std::uint64_t /*position*/) {
      Trial trial;
      trial.change.unset.emplace_back("mmproj");
      trial.told = "without --mmproj";
      trial.how = kHow;
      trial.cost = kCost;
      return trial;
    };
    list.push_back(std::move(knob));
  }
}

/// The flags of the request whose own name has one of two words in it.
std::vector<std::string> given_with(const Request& request, std::string_view word,
                                    std::string_view other) {
  std::vector<std::string> names;
  for (const engine::FlagValue& flag : request.args) {
    const engine::FlagFacts* facts = engine::find_flag(request.engine->flags(), flag.name);
    const std::string_view name = facts == nullptr ? std::string_view() : facts->name;
    if (name.find(word) != std::string_view::npos || name.find(other) != std::string_view::npos) {
      names.emplace_back(name);
    }
  }
  return names;
}

void drop_helpers(const Situation& s, std::vector<Knob>& list) {
  const auto drop = [&](std::vector<std::string> flags, bool draft, const char* told,
                        const char* how, const char* cost) {
    Knob knob;
    knob.level = Level::helpers;
    knob.helps = kAnyMemory;
    knob.at = [flags = std::move(flags), draft, told, how, cost](std::uint64_t /*position*/) {
      Trial trial;
      trial.change.unset = flags;
      (draft ? trial.change.without_draft : trial.change.without_adapters) = true;
      trial.told = told;
      trial.how = how;
      trial.cost = cost;
      return trial;
    };
    list.push_back(std::move(knob));
  };
  std::vector<std::string> drafts = given_with(s.request, "spec", "draft");
  if (s.request.draft || !drafts.empty()) {
    drop(std::move(drafts), true, "without the draft model",
         "It gives up speculation, its weights and its cache.",
         "One token a step: single requests are answered more slowly.");
  }
  std::vector<std::string> adapters = given_with(s.request, "lora", "adapter");
  if (!s.request.adapters.empty() || !adapters.empty()) {
    drop(std::move(adapters), false, "without LoRA adapters",
         "It gives up the slots that are kept for adapters.", "Only the base model is served.");
  }
}

/// Ratios that divide SGLang's pool, from the default towards the part that is short.
void pool_ratios(const Situation& s, std::vector<Knob>& list) {
  if (s.request.engine->name != "sglang") {
    return;
  }
  const auto ratio = [&](std::string_view flag, bool up, const char* how, const char* cost) {
    static constexpr std::array<double, 6> kUp = {1.0, 1.2, 1.5, 2.0, 3.0, 5.0};
    static constexpr std::array<double, 6> kDown = {0.7, 0.5, 0.4, 0.3, 0.2, 0.1};
    Knob knob;
    knob.level = Level::slots;
    knob.helps = Troubles(Trouble::room, Trouble::requests);
    knob.positions = kUp.size();
    knob.gaps = true;
    knob.at = [&request = s.request, flag, up, how, cost](std::uint64_t position) {
      const double value = (up ? kUp : kDown)[static_cast<std::size_t>(position - 1)];
      Trial trial;
      trial.change.set.push_back({std::string(flag), value});
      trial.told = typed(request, flag, decimal(value));
      trial.how = how;
      trial.cost = cost;
      return trial;
    };
    list.push_back(std::move(knob));
  };
  if (s.request.model.stateful()) {
    ratio("mamba-full-memory-ratio", true, "It gives more of the pool to recurrent states.",
          "Fewer tokens are kept for attention.");
    ratio("mamba-full-memory-ratio", false, "It gives more of the pool to attention.",
          "Fewer recurrent states are kept, and with them requests at once.");
  }
  if (s.request.model.windowed()) {
    ratio("swa-full-tokens-ratio", false, "It gives more of the pool to full attention.",
          "Fewer tokens are kept in windows, and with them requests at once.");
  }
}

void offload(const Situation& s, std::vector<Knob>& list) {
  const auto count = [&](std::string_view flag, std::uint64_t most, bool left, const char* how,
                         const char* cost) {
    Knob knob;
    knob.level = Level::offload;
    knob.helps = kAnyMemory;
    knob.positions = most;
    const std::uint64_t gib = (shortfall(s.now) >> 30U) + 1;
    knob.guess = !left && flag == "cpu-offload-gb" && gib <= most ? gib : 0;
    knob.at = [&request = s.request, flag, most, left, how, cost](std::uint64_t position) {
      const std::uint64_t value = left ? most - position : position;
      Trial trial;
      trial.change.set.push_back({std::string(flag), static_cast<std::int64_t>(value)});
      trial.told = typed(request, flag, std::to_string(value));
      trial.how = how;
      trial.cost = cost;
      return trial;
    };
    list.push_back(std::move(knob));
  };
  const std::uint64_t layers = s.request.model.layers.size();
  if (s.request.engine->name == "vllm" && given_flag(s.request, "cpu-offload-gb") == nullptr) {
    count("cpu-offload-gb", s.now.weights.best >> 30U, false,
          "It leaves a part of the weights in the machine's memory.",
          "Every step fetches it over PCIe: several times slower.");
  } else if (s.request.engine->name == "llamacpp") {
    if (s.request.model.moe()) {
      count("n-cpu-moe", layers, false, "It leaves the experts of so many layers to the processor.",
            "Those layers run at the speed of the machine's memory.");
    }
    count("n-gpu-layers", layers + 1, true, "It leaves the other layers to the processor.",
          "Those layers run at the speed of the machine's memory.");
  }
}

}  // namespace

void add_engine_knobs(const Situation& s, std::vector<Knob>& list) {
  cut_prompts(s, list);
  pool_ratios(s, list);
  graph_sizes(s, list);
  no_graphs(s, list);
  text_only(s, list);
  drop_helpers(s, list);
  offload(s, list);
}

}  // namespace ridgepoint::plan
