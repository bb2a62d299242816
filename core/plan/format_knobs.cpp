#include <string_view>
#include <utility>

#include "plan/trials.hpp"
#include "plan/weight_choice.hpp"

// Number formats of weights and cache.

namespace ridgepoint::plan {
namespace {

/// A cache format beside the engine's usual small one.
struct CacheFormat {
  std::string_view engine;
  std::string_view value;
  std::string_view values_flag;    ///< of engines that store keys and values apart
  std::uint32_t least_capability;  ///< NVIDIA compute capability its kernels want
  std::string_view cost;
};

/// In the order of what they cost. Which version has which is the engine's own check.
/// Sources: vLLM config/cache.py CacheDType and v1/attention backends, SGLang server_args.py,
/// TensorRT-LLM llmapi/llm_args.py KvCacheConfig, llama.cpp common/arg.cpp (--cache-type-k).
constexpr CacheFormat kCacheFormats[] = {
    {"vllm", "int8_per_token_head", "", 80,
     "Half the cache, with a scale for every token and head; a small loss of accuracy."},
    {"vllm", "turboquant_k8v4", "", 80, "Values of 4 bits: some loss of accuracy."},
    {"vllm", "nvfp4", "", 100, "A cache of 4 bits: some loss of accuracy."},
    {"vllm", "turboquant_4bit_nc", "", 80, "A cache of 4 bits: a clear loss of accuracy."},
    {"sglang", "nvfp4", "", 100, "A cache of 4 bits: some loss of accuracy."},
    {"sglang", "fp4_e2m1", "", 100, "A cache of 4 bits: some loss of accuracy."},
    {"trtllm", "nvfp4", "", 100, "A cache of 4 bits: some loss of accuracy."},
    {"llamacpp", "q5_1", "cache-type-v", 0, "A cache of 6 bits: a small loss of accuracy."},
    {"llamacpp", "q4_0", "cache-type-v", 0, "A cache of 4.5 bits: some loss of accuracy."},
};

std::string told_of(const Request& request, const FormatChoice& choice) {
  std::string told;
  for (const engine::FlagValue& flag : choice.change.set) {
    const auto* text = std::get_if<std::string>(&flag.value);
    told += (told.empty() ? "" : " ") + typed(request, flag.name, text == nullptr ? "" : *text);
  }
  return told.empty() ? "another checkpoint: " + choice.title : told;
}

Knob choice_knob(const Request& request, Level level, FormatChoice choice, std::string how) {
  Knob knob;
  knob.level = level;
  knob.at = [&request, choice = std::move(choice), how = std::move(how)](std::uint64_t) {
    Trial trial;
    trial.change = choice.change;
    trial.told = told_of(request, choice);
    trial.how = how;
    trial.cost = choice.cost;
    return trial;
  };
  return knob;
}

void cache_formats(const Situation& s, std::vector<Knob>& list) {
  const auto add = [&](FormatChoice choice) {
    Knob knob = choice_knob(s.request, Level::cache_format, std::move(choice),
                            "It stores keys and values in fewer bits.");
    knob.helps = Troubles(Trouble::room, Trouble::requests, Trouble::free_memory);
    list.push_back(std::move(knob));
  };
  for (FormatChoice& choice : kv_choices(s.request)) {
    if (!choice.change.empty()) {
      add(std::move(choice));
    }
  }
  const std::string_view flag = s.request.engine->levers.cache_format;
  const std::uint32_t capability = s.request.device.compute_capability;
  const bool another_vendor =
      !s.request.device.vendor.empty() && s.request.device.vendor != "nvidia";
  for (const CacheFormat& format : kCacheFormats) {
    const bool kernels =
        format.least_capability == 0 ||
        (!another_vendor && (capability == 0 || capability >= format.least_capability));
    if (format.engine != s.request.engine->name || !kernels) {
      continue;
    }
    FormatChoice choice;
    choice.change.set.push_back({std::string(flag), std::string(format.value)});
    if (!format.values_flag.empty()) {
      choice.change.set.push_back({std::string(format.values_flag), std::string(format.value)});
    }
    choice.cost = format.cost;
    add(std::move(choice));
  }
}

/// llama.cpp refuses quantised values without flash attention, which builds before b6325 leave off.
void cache_with_flash(const Situation& s, std::vector<Knob>& list) {
  constexpr std::uint64_t kOnByItself = 6325;
  const engine::FlagValue* given = given_flag(s.request, "flash-attn");
  const auto* text = given == nullptr ? nullptr : std::get_if<std::string>(&given->value);
  const bool* on = given == nullptr ? nullptr : std::get_if<bool>(&given->value);
  const bool off = (text != nullptr && (*text == "off" || *text == "0")) || (on != nullptr && !*on);
  std::uint64_t build = 0;
  for (const char c : s.now.version) {
    build = c >= '0' && c <= '9' && build < kOnByItself
                ? build * 10 + static_cast<std::uint64_t>(c - '0')
                : build;
  }
  if (s.request.engine->name != "llamacpp" || (given == nullptr ? build >= kOnByItself : !off)) {
    return;
  }
  FormatChoice choice;
  choice.change.set.push_back({"flash-attn", std::string("on")});
  choice.change.set.push_back({"cache-type-k", std::string("q8_0")});
  choice.change.set.push_back({"cache-type-v", std::string("q8_0")});
  choice.cost = "Half the cache; next to no loss of accuracy.";
  Knob knob = choice_knob(s.request, Level::cache_format, std::move(choice),
                          "It stores keys and values in fewer bits, which wants flash attention.");
  knob.helps = Troubles(Trouble::room, Trouble::requests, Trouble::free_memory);
  list.push_back(std::move(knob));
}

void weight_formats(const Situation& s, std::vector<Knob>& list) {
  for (FormatChoice& choice : weight_choices(s.request)) {
    if (choice.change.empty()) {
      continue;
    }
    Knob knob = choice_knob(s.request, Level::weight_format, std::move(choice),
                            "It stores the weights in fewer bits.");
    knob.helps = Troubles(Trouble::weights, Trouble::room, Trouble::free_memory, Trouble::requests);
    list.push_back(std::move(knob));
  }
}

}  // namespace

void add_format_knobs(const Situation& s, std::vector<Knob>& list) {
  cache_formats(s, list);
  cache_with_flash(s, list);
  weight_formats(s, list);
}

}  // namespace ridgepoint::plan
