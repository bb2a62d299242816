#include "plan/recommend_text.hpp"

#include <string_view>
#include <vector>

#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

std::string requests(std::uint64_t count) {
  return grouped(count) + (count == 1 ? " request" : " requests");
}

std::string seconds(double value) {
  // Three figures that tell milliseconds apart.
  return decimal(value) + " s";
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ";
    text += parts[i];
  }
  return text;
}

/// What the setup changes of the model and the engine's defaults.
std::vector<std::string> changes_of(const Found& found, const Request& request) {
  const engine::Levers& levers = request.engine->levers;
  std::vector<std::string> parts;
  if (found.weight_rank != 0) {
    parts.push_back(found.weights.name + " weights");
  }
  if (found.steps.small_cache) {
    parts.push_back("an " + found.kv.name + " KV cache");
  }
  if (found.steps.batched) {
    parts.push_back("--" + std::string(levers.batched_tokens) + " 2048");
  }
  if (found.steps.share) {
    parts.push_back("--" + std::string(levers.memory_share) + " 0.95");
  }
  if (found.steps.no_graphs) {
    parts.push_back("--" + std::string(levers.no_graphs));
  }
  return parts;
}

std::string layout_text(const Layout& layout, const Request& request) {
  if (request.engine->levers.tensor_parallel.empty()) {
    return layout.pipeline > 1 ? "layers dealt out over the cards" : "";
  }
  std::vector<std::string> parts;
  if (layout.tensor > 1) {
    parts.push_back("tensor parallel " + std::to_string(layout.tensor));
  }
  if (layout.pipeline > 1) {
    parts.push_back(std::to_string(layout.pipeline) + " pipeline stages");
  }
  if (layout.attention_groups) {
    parts.push_back("attention by " + std::to_string(layout.data) + " groups");
  } else if (layout.data > 1) {
    parts.push_back(std::to_string(layout.data) + " replicas");
  }
  if (layout.experts) {
    parts.emplace_back("experts dealt out");
  }
  return joined(parts);
}

}  // namespace

std::string describe_setup(const Answer& answer, const Request& request) {
  const Found& found = answer.found;
  std::string text = std::to_string(found.count) + " x " + std::string(answer.card->name) +
                     " with " + std::string(request.engine->title);
  const std::vector<std::string> changes = changes_of(found, request);
  return changes.empty() ? text : text + ", " + joined(changes);
}

std::string reason_of(const Answer& answer, const Request& request, const Load& load) {
  const Found& found = answer.found;
  const bool one = found.count == 1;
  std::string text = one ? "One card" : std::to_string(found.count) + " cards";
  const std::string layout = layout_text(found.layout, request);
  text += layout.empty() ? "" : " (" + layout + ")";
  text += std::string(one ? " holds " : " hold ") + requests(load.concurrency) + " of " +
          grouped(load.context) + " tokens: " + in_gib(found.plan.weights.best) +
          " of weights and a KV pool of " + in_gib(found.plan.kv_pool.best) +
          (one ? "." : " on each.");
  if (!one) {
    text += " No smaller number that may be tried does.";
  }
  const std::vector<std::string> changes = changes_of(found, request);
  if (!changes.empty()) {
    text += " It takes " + joined(changes) + ": with less change " +
            (one ? "one card does not." : "as many cards do not.");
  }
  if (found.weight_rank != 0) {
    text += " " + found.weights.title + ": " + found.weights.cost;
  }
  if (load.ttft_s || load.tpot_s) {
    text += " First token in " + seconds(found.speed.ttft_s.best) + ", then " +
            seconds(found.speed.tpot_s.best) + " a token.";
  }
  return text;
}

std::string shortfall_of(const Answer& nearest, const Request& request, const Load& load) {
  const Found& found = nearest.found;
  std::string text = describe_setup(nearest, request);
  if (found.plan.max_requests.best < load.concurrency) {
    return text + " holds " + grouped(found.plan.max_requests.best) + " of the " +
           requests(load.concurrency) + " of " + grouped(load.context) + " tokens.";
  }
  if (!found.speed.known) {
    return text + " holds them, but how fast the card is is not known.";
  }
  return text + " holds them, but its first token takes " + seconds(found.speed.ttft_s.best) +
         " and each further one " + seconds(found.speed.tpot_s.best) + ".";
}

}  // namespace ridgepoint::plan
