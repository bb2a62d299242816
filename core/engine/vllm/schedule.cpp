#include <algorithm>
#include <array>
#include <iterator>

#include "engine/vllm/constants.hpp"
#include "engine/vllm/reading.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::vllm {
namespace {

/// An architecture outside the usual rule that runs on the second model runner, and since when.
struct SecondRunner {
  std::uint32_t since;
  std::string_view architecture;
};

constexpr SecondRunner kSecondRunner[] = {
    {24, "DeepseekV2ForCausalLM"},          {24, "Qwen2MoeForCausalLM"},
    {24, "GraniteMoeForCausalLM"},          {28, "DeepseekV4ForCausalLM"},
    {28, "KimiK3ForConditionalGeneration"}, {28, "LongcatFlashNgramForCausalLM"},
};

/// Speculation that the second model runner hands back to the first.
bool needs_first_runner(const Speculation& speculation, const Parallelism& parallelism) {
  return speculation.kind == SpeculationKind::no_model || speculation.method == "draft_model" ||
         (speculation.method == "eagle3" && parallelism.pipeline > 1);
}

/// Models that run on the second model runner by default: Qwen3's dense ones since 0.22, every
/// dense one without states since 0.25, and some by name (config/vllm.py, use_v2_model_runner).
bool default_model_runner_v2(Reading& r) {
  const std::string& name = r.model.architecture;
  // Prompts as embeddings and own processors of logits run on the first.
  const bool by_flag =
      r.flags.boolean("enable-prompt-embeds").value_or(false) || r.flags.given("logits-processors");
  if (r.model.encoder_only || by_flag ||
      needs_first_runner(r.settings.speculation, r.settings.parallelism)) {
    return false;
  }
  const bool listed = std::any_of(
      std::begin(kSecondRunner), std::end(kSecondRunner),
      [&](const auto& entry) { return r.minor() >= entry.since && entry.architecture == name; });
  if (listed || r.minor() >= 25) {
    return listed || (!r.model.moe() && !r.model.stateful());
  }
  const bool quantised = r.model.quantization.quantized();
  return r.minor() >= 22 && name == "Qwen3ForCausalLM" && (r.minor() >= 24 || !quantised);
}

/// Environment variables: followed, known to change memory in ways not computed (an error), or
/// named as not taken into account.
void read_env(Reading& r) {
  constexpr std::array<std::string_view, 4> kUnmodelled = {
      "VLLM_MLA_DISABLE", "VLLM_ENABLE_STARTUP_PLAN", "VLLM_FUSED_MOE_CHUNK_SIZE",
      "VLLM_USE_FLASHINFER_SAMPLER"};
  constexpr std::array<std::string_view, 5> kReadElsewhere = {
      "VLLM_ALLOW_LONG_MAX_MODEL_LEN", "VLLM_USE_V1", "VLLM_PP_LAYER_PARTITION",
      "VLLM_ATTENTION_BACKEND", "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE"};
  for (const auto& [name, value] : r.inputs.env) {
    if (name == "VLLM_USE_V2_MODEL_RUNNER") {
      r.settings.model_runner_v2 = value == "1";
    } else if (name == "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS") {
      r.settings.charges_graphs = value != "0";
    } else if (std::find(kUnmodelled.begin(), kUnmodelled.end(), name) != kUnmodelled.end()) {
      r.fail(
          "unmodelled_env",
          worded({name,
                  " changes memory in a way this version does not compute. Leave it out to see the "
                  "estimate without it."}),
          worded({"engine.env.", name}));
    } else if (std::find(kReadElsewhere.begin(), kReadElsewhere.end(), name) ==
               kReadElsewhere.end()) {
      r.assume(worded(
          {"The environment variable ", json::excerpt(name, 60), " is not taken into account."}));
    }
  }
}

/// The kernels that attention runs on, by flag or variable, in capitals as vLLM names them.
void read_backend(Reading& r) {
  std::string name =
      r.flags.text("attention-backend").value_or(std::string(r.env("VLLM_ATTENTION_BACKEND")));
  for (char& c : name) {
    c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  for (const std::string_view end : {"_VLLM_V1", "_V1"}) {
    if (name.ends_with(end)) {
      name.resize(name.size() - end.size());
    }
  }
  r.settings.attention_backend = name == "AUTO" ? "" : name;
}

void read_mamba_mode(Reading& r) {
  const bool has_attention = model::first_attention(r.model) != nullptr;
  const std::string mode = r.flags.text("mamba-cache-mode").value_or("");
  r.settings.mamba_block_size = r.flags.whole("mamba-block-size", 1, 1U << 20U).value_or(0);
  if (!r.model.stateful() || !has_attention) {
    return;
  }
  const bool caches_prefixes = r.flags.boolean("enable-prefix-caching").value_or(r.minor() >= 28);
  if (mode == "all") {
    r.settings.mamba_mode = MambaMode::all;
  } else if (mode == "none") {
    r.settings.mamba_mode = MambaMode::none;
  } else {
    r.settings.mamba_mode = caches_prefixes || mode == "align" ? MambaMode::align : MambaMode::none;
  }
}

/// Chunked attention turned the hybrid manager off unless a variable allows it (0.10.1 and later);
/// hybrids keep a second state a request when prefix caching is on, which is their default since
/// 0.28 (config/vllm.py, engine/arg_utils.py).
void read_cache_manager(Reading& r) {
  const bool chunked =
      std::any_of(r.model.layers.begin(), r.model.layers.end(), [](const model::Layer& layer) {
        return layer.attention.kind == model::AttentionKind::chunked;
      });
  // The variable is on by default since 0.12 or so: a measured start of Llama 4 on 0.19 groups its
  // chunked layers apart (91,495 blocks of 12 layers).
  const std::string_view allowed = r.env("VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE");
  const bool groups = allowed.empty() ? r.minor() >= 12 : allowed != "0";
  if (chunked && r.minor() >= 10 && !groups) {
    r.settings.hybrid_manager = false;
    r.assume("Chunked attention turns the hybrid cache manager off: every layer is cached whole.");
  }
  if (r.flags.boolean("disable-hybrid-kv-cache-manager").value_or(false)) {
    r.settings.hybrid_manager = false;
  }
  // Until 0.13 the hybrid manager gave way to a connector of caches and to its events.
  for (const std::string_view flag : {"kv-transfer-config", "kv-events-config"}) {
    if (r.flags.given(flag) && r.minor() <= 13) {
      r.settings.hybrid_manager = false;
    }
  }
  read_mamba_mode(r);
}

}  // namespace

namespace {

/// V0 cut prompts up for long models without windows or states alone (engine/arg_utils.py).
bool default_chunked_prefill(const Reading& r) {
  constexpr std::uint64_t kLong = 32768;
  return r.settings.era.v1 ||
         (r.settings.max_model_len > kLong && !r.model.windowed() && !r.model.stateful());
}

struct Batch {
  std::uint64_t max_num_batched_tokens;
  std::uint64_t max_num_seqs;
};

/// V0: one whole prompt, or a small piece of one (config.py, SchedulerConfig).
Batch default_batch(const Reading& r) {
  constexpr std::uint64_t kV0Seqs = 256;
  constexpr std::uint64_t kWholePrompt = 2048;
  if (r.settings.era.v1) {
    const BatchDefaults& row = batch_defaults(r.inputs.device, r.settings.version);
    return {row.max_num_batched_tokens, row.max_num_seqs};
  }
  if (r.settings.chunked_prefill) {
    return {r.settings.version.at_least(6, 4) ? kWholePrompt : std::uint64_t{512}, kV0Seqs};
  }
  return {std::max(r.settings.max_model_len, kWholePrompt), kV0Seqs};
}

}  // namespace

void read_batch(Reading& r) {
  r.settings.chunked_prefill =
      r.flags.boolean("enable-chunked-prefill").value_or(default_chunked_prefill(r));
  const Batch defaults = default_batch(r);
  const auto given_tokens = r.flags.whole("max-num-batched-tokens", 1, kMostTokens);
  const auto given_seqs = r.flags.whole("max-num-seqs", 1, 1U << 20U);
  const bool doubled = r.flags.text("performance-mode").value_or("") == "throughput";
  const std::uint64_t factor = doubled ? 2 : 1;
  std::uint64_t tokens = given_tokens.value_or(defaults.max_num_batched_tokens * factor);
  std::uint64_t seqs = given_seqs.value_or(defaults.max_num_seqs * factor);
  const std::uint64_t length = r.settings.max_model_len;
  if (!given_tokens) {
    if (!r.settings.chunked_prefill) {
      tokens = std::max(tokens, length);
    }
    if (r.settings.era.v1) {
      tokens = std::min(tokens, seqs * length);
    }
  }
  if (!given_seqs) {
    seqs = std::min(seqs, tokens);
  }
  if (given_tokens && tokens < length && !r.settings.chunked_prefill) {
    r.flags.fail(
        "bad_flag", "max-num-batched-tokens",
        worded({"Without chunked prefill --max-num-batched-tokens must be at least the maximum "
                "length, ",
                length, "."}));
  }
  if (tokens < seqs && given_seqs) {
    r.flags.fail("bad_flag", given_tokens ? "max-num-batched-tokens" : "max-num-seqs",
                 worded({"--max-num-batched-tokens (", tokens,
                         ") must be at least --max-num-seqs (", seqs, ")."}));
  }
  r.settings.max_num_batched_tokens = tokens;
  r.settings.max_num_seqs = seqs;
}

void read_schedule(Reading& r) {
  r.settings.model_runner_v2 = default_model_runner_v2(r);
  r.settings.charges_graphs = r.minor() >= 21;
  read_env(r);
  // On by default since 0.14, but for speculation that proposes on the processor.
  const Speculation& speculation = r.settings.speculation;
  const bool proposes_apart = speculation.kind == SpeculationKind::no_model;
  r.settings.async_scheduling =
      r.flags.boolean("async-scheduling").value_or(r.minor() >= 14 && !proposes_apart);
  read_backend(r);
  read_cache_manager(r);
}

std::uint64_t in_flight_tokens(const Settings& settings) {
  std::uint64_t batches = 1;
  if (settings.version.minor >= 26) {
    const std::uint64_t pipeline = settings.parallelism.pipeline;
    batches = pipeline;
    if (settings.async_scheduling) {
      batches = settings.model_runner_v2 ? pipeline + 1 : std::max<std::uint64_t>(2, pipeline);
    }
  }
  return batches * settings.max_num_batched_tokens;
}

}  // namespace ridgepoint::engine::vllm
