#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/vllm/reading.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

constexpr std::uint64_t kMostDrafted = 1024;

struct Method {
  std::string_view name;
  SpeculationKind kind;
  bool shares_embedding;
};

/// `method` of --speculative-config (config/speculative.py). EAGLE's drafts and prediction layers
/// use the model's own tables; a draft model has its own.
constexpr std::array<Method, 16> kMethods = {{
    {"mtp", SpeculationKind::mtp, true},
    {"deepseek_mtp", SpeculationKind::mtp, true},
    {"qwen3_next_mtp", SpeculationKind::mtp, true},
    {"ernie_mtp", SpeculationKind::mtp, true},
    {"glm4_moe_mtp", SpeculationKind::mtp, true},
    {"mimo_mtp", SpeculationKind::mtp, true},
    {"longcat_flash_mtp", SpeculationKind::mtp, true},
    {"eagle", SpeculationKind::draft, true},
    {"eagle3", SpeculationKind::draft, true},
    {"dflash", SpeculationKind::draft, true},
    {"dspark", SpeculationKind::draft, true},
    {"draft_model", SpeculationKind::draft, false},
    {"ngram", SpeculationKind::no_model, true},
    {"[ngram]", SpeculationKind::no_model, true},
    {"ngram_gpu", SpeculationKind::no_model, true},
    {"suffix", SpeculationKind::no_model, true},
}};

/// What a request says of speculation, by the flags of its version.
struct Asked {
  std::string method;
  std::string model;
  std::optional<std::uint64_t> tokens;
  std::optional<std::uint64_t> tensor_parallel;
  std::string_view flag = "speculative-config";
};

Asked asked_of(Reading& r) {
  Asked asked;
  json::Value parsed;
  if (auto config = object_of(r, "speculative-config", parsed)) {
    asked.method = std::string(config->text({"method"}).value_or(""));
    asked.model = std::string(config->text({"model"}).value_or(""));
    asked.tokens = config->whole({"num_speculative_tokens"}, {1, kMostDrafted});
    asked.tensor_parallel = config->whole({"draft_tensor_parallel_size"}, {1, 1U << 16U});
    if (config->error()) {
      r.error = *config->error();
    }
    return asked;
  }
  // Flags of their own: 0.8 and before, and again since 0.28.
  if (const auto method = r.flags.text("spec-method")) {
    asked.method = *method;
    asked.flag = "spec-method";
  }
  for (const std::string_view flag : {"spec-model", "speculative-model"}) {
    if (const auto model = r.flags.text(flag)) {
      asked.model = *model;
      asked.flag = flag;
    }
  }
  for (const std::string_view flag : {"spec-tokens", "num-speculative-tokens"}) {
    if (const auto tokens = r.flags.whole(flag, 1, kMostDrafted)) {
      asked.tokens = tokens;
    }
  }
  asked.tensor_parallel = r.flags.whole("speculative-draft-tensor-parallel-size", 1, 1U << 16U);
  return asked;
}

void set_method(Reading& r, const Asked& asked) {
  Speculation& speculation = r.settings.speculation;
  std::string name = asked.method;
  if (name.empty()) {
    name = asked.model == "[ngram]" ? "ngram" : (asked.model.empty() ? "mtp" : "draft_model");
  }
  const auto* found = std::find_if(kMethods.begin(), kMethods.end(),
                                   [&](const Method& method) { return method.name == name; });
  if (found == kMethods.end()) {
    r.fail("unmodelled_flag",
           worded({"Speculation by ", json::excerpt(name, 40),
                   " may change memory in a way this version does not compute. Leave it out to see "
                   "the estimate without it."}),
           worded({"engine.args.", asked.flag}));
    return;
  }
  speculation.kind = found->kind;
  speculation.method = name;
  speculation.shares_embedding = found->shares_embedding;
  // A model of its own that predicts several tokens (Gemma 4's drafters) is a draft.
  if (found->kind == SpeculationKind::mtp && r.inputs.draft != nullptr) {
    speculation.kind = SpeculationKind::draft;
  }
}

}  // namespace

void read_speculation(Reading& r) {
  const Asked asked = asked_of(r);
  if (r.error || r.flags.error()) {
    return;
  }
  Speculation& speculation = r.settings.speculation;
  const bool none = asked.method.empty() && asked.model.empty() && !asked.tokens;
  if (none && r.inputs.draft != nullptr) {
    r.fail("missing_field", "A draft is given, and no --speculative-config says how it is used.",
           "engine.args.speculative-config");
  }
  if (none) {
    return;
  }
  set_method(r, asked);
  if (r.error) {
    return;
  }
  const std::uint64_t modules = r.model.mtp.layers.size();
  if (speculation.kind == SpeculationKind::mtp && modules == 0) {
    r.fail("bad_flag",
           "The config has no prediction layers to speculate with (num_nextn_predict_layers). Give "
           "model.draft, or another method.",
           worded({"engine.args.", asked.flag}));
    return;
  }
  if (speculation.kind == SpeculationKind::draft && r.inputs.draft == nullptr) {
    r.fail("missing_field",
           worded({"Speculation by ", speculation.method,
                   " loads a second model: give its config in model.draft."}),
           "model.draft.config");
    return;
  }
  speculation.tokens = asked.tokens.value_or(std::max<std::uint64_t>(1, modules));
  speculation.tensor_parallel = asked.tensor_parallel.value_or(0);
}

}  // namespace ridgepoint::engine::vllm
