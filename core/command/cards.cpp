#include "command/cards.hpp"

#include <algorithm>

namespace ridgepoint::command {
namespace {

constexpr std::uint64_t kMostCards = 1U << 16U;

struct Seen {
  std::optional<std::uint64_t> count;
  std::string said_by;
};

/// What the command may see: the fewest that the container and the variables leave.
Seen visible(const Serving& serving, const std::vector<ReadVariable>& variables) {
  Seen seen{serving.gpus, serving.gpus_said_by};
  for (const ReadVariable& variable : variables) {
    const bool names =
        variable.name == "CUDA_VISIBLE_DEVICES" || variable.name == "HIP_VISIBLE_DEVICES" ||
        variable.name == "ROCR_VISIBLE_DEVICES" || variable.name == "NVIDIA_VISIBLE_DEVICES" ||
        variable.name == "GGML_VK_VISIBLE_DEVICES" || variable.name == "ZE_AFFINITY_MASK";
    const auto count = names ? visible_devices(variable.value) : std::nullopt;
    if (count && (!seen.count || *count < *seen.count)) {
      seen = {count, variable.name};
    }
  }
  return seen;
}

std::optional<std::uint64_t> size_of(const Arguments& arguments, std::string_view name) {
  const Value* value = arguments.used(name);
  const auto* number = value == nullptr ? nullptr : std::get_if<std::int64_t>(&value->scalar);
  if (number == nullptr || *number < 1) {
    return std::nullopt;
  }
  return std::min(static_cast<std::uint64_t>(*number), kMostCards);
}

bool is_on(const Arguments& arguments, std::string_view name) {
  const Value* value = arguments.used(name);
  const auto* on = value == nullptr ? nullptr : std::get_if<bool>(&value->scalar);
  return on != nullptr && *on;
}

std::string cards(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " card" : " cards");
}

std::optional<std::uint64_t> llamacpp_cards(const Arguments& arguments, const Seen& seen,
                                            std::optional<std::uint64_t> asked,
                                            std::vector<std::string>& notes) {
  const auto text_of = [&](std::string_view name) {
    const Value* value = arguments.used(name);
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(&value->scalar);
    return text == nullptr ? std::string() : *text;
  };
  if (text_of("split-mode") == "none") {
    return 1;
  }
  const auto listed = [](const std::string& text, std::string_view separators) {
    std::uint64_t count = 1;
    for (const char c : text) {
      count += separators.find(c) != std::string_view::npos ? 1 : 0;
    }
    return count;
  };
  if (const std::string devices = text_of("device"); !devices.empty() && devices != "none") {
    return listed(devices, ",");
  }
  if (seen.count) {
    if (asked && *asked != *seen.count) {
      notes.push_back("llama.cpp uses all of the " + cards(*seen.count) + " that it may see (" +
                      seen.said_by + ").");
    }
    return seen.count;
  }
  if (const std::string split = text_of("tensor-split"); !split.empty() && !asked) {
    return listed(split, ",/");
  }
  return asked;
}

}  // namespace

std::optional<std::uint64_t> count_cards(const engine::Engine& engine, const Arguments& arguments,
                                         const Serving& serving,
                                         const std::vector<ReadVariable>& variables,
                                         std::optional<std::uint64_t> asked,
                                         std::vector<std::string>& notes) {
  const Seen seen = visible(serving, variables);
  if (engine.name == "llamacpp") {
    return llamacpp_cards(arguments, seen, asked, notes);
  }
  const auto tensor = size_of(arguments, engine.levers.tensor_parallel);
  const auto pipeline = size_of(arguments, engine.levers.pipeline_parallel);
  auto data = engine.levers.data_parallel.empty() ? std::optional<std::uint64_t>()
                                                  : size_of(arguments, engine.levers.data_parallel);
  // SGLang's groups of data-parallel attention are cut out of the tensor-parallel cards.
  if (engine.name == "sglang" && is_on(arguments, "enable-dp-attention")) {
    data.reset();
  }
  if (!tensor && !pipeline && !data) {
    if (seen.count && *seen.count > 1) {
      notes.push_back(std::string(engine.title) + " without a parallel flag uses one of the " +
                      cards(*seen.count) + " that it may see (" + seen.said_by +
                      "): the request is of 1.");
      return 1;
    }
    if (asked && *asked > 1) {
      notes.push_back("The command has no parallel flag, with which " + std::string(engine.title) +
                      " uses one card; it is taken over the " + std::to_string(*asked) +
                      " that are asked for.");
      return asked;
    }
    return 1;
  }
  const std::uint64_t product = tensor.value_or(1) * pipeline.value_or(1) * data.value_or(1);
  if (seen.count && *seen.count != product) {
    notes.push_back(
        "The flags are for " + cards(product) + ", and " + std::to_string(*seen.count) +
        " may be seen (" + seen.said_by + ")" +
        (*seen.count < product ? ": on one machine it does not start." : ": the rest stays idle."));
  }
  if (asked && *asked != product) {
    notes.push_back("The flags are for " + cards(product) + ", not the " + std::to_string(*asked) +
                    " that are asked for.");
  }
  return product;
}

}  // namespace ridgepoint::command
