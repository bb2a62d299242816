#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/vllm/reading.hpp"
#include "estimate_sums.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

/// LoRA slots are made at start-up for the largest rank served, whatever adapters come later
/// (lora/layers, config/lora.py).
void read_lora(Reading& r) {
  LoraSlots& lora = r.settings.lora;
  const auto enabled = r.flags.boolean("enable-lora");
  const auto max_loras = r.flags.whole("max-loras", 1, 4096);
  const auto rank = r.flags.whole("max-lora-rank", 1, 4096);
  lora.fully_sharded = r.flags.boolean("fully-sharded-loras").value_or(false);
  if (!enabled.value_or(!r.inputs.adapters.empty())) {
    return;
  }
  lora.max_loras = max_loras.value_or(1);
  lora.max_lora_rank = rank.value_or(16);
  for (const Adapter& adapter : r.inputs.adapters) {
    if (adapter.rank > lora.max_lora_rank) {
      r.fail("bad_flag",
             worded({"LoRA rank ", adapter.rank, " is greater than max_lora_rank ",
                     lora.max_lora_rank, "; raise --max-lora-rank."}),
             "engine.args.max-lora-rank");
    }
  }
  if (r.model.moe()) {
    r.assume("LoRA slots are counted for experts too, as vLLM makes them since 0.11.");
  }
}

void read_redundant_experts(Reading& r) {
  r.settings.redundant_experts = r.flags.whole("num-redundant-experts", 0, 1U << 16U).value_or(0);
  json::Value parsed;
  if (auto config = object_of(r, "eplb-config", parsed)) {
    r.settings.redundant_experts = config->whole_or({"num_redundant_experts"}, {0, 1U << 16U}, 0);
  }
  if (!r.flags.boolean("enable-eplb").value_or(false)) {
    r.settings.redundant_experts = 0;
  }
}

}  // namespace

void read_extras(Reading& r) {
  read_lora(r);
  read_redundant_experts(r);
  r.settings.cpu_offload_bytes =
      static_cast<std::uint64_t>(r.flags.number("cpu-offload-gb", 0.0, 1e6).value_or(0.0) * kGiB);
}

std::optional<json::Fields> object_of(Reading& r, std::string_view flag, json::Value& parsed) {
  const auto text = r.flags.given(flag) ? r.flags.text(flag) : std::nullopt;
  if (!text || text->empty() || *text == "None") {
    return std::nullopt;
  }
  const std::string path = worded({"engine.args.", flag});
  auto value = json::parse(*text, path);
  if (!value || !value->is_object()) {
    r.fail("bad_flag", worded({"--", flag, " takes a JSON object."}), path);
    return std::nullopt;
  }
  parsed = std::move(value.value());
  return json::Fields(parsed, path);
}

}  // namespace ridgepoint::engine::vllm
