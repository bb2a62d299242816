#include "engine/vllm/settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/flag_reader.hpp"
#include "engine/vllm/constants.hpp"
#include "engine/vllm/flags.hpp"
#include "json/fields.hpp"

namespace ridgepoint::engine::vllm {
namespace {

using precision::Dtype;
using precision::KvFormat;

constexpr std::uint64_t kMostRanks = 1U << 16U;
constexpr std::uint64_t kMostTokens = 1ULL << 32U;
constexpr std::uint64_t kDefaultLength = 2048;

/// Builds the settings of one request, step by step; the first error stops the later steps.
class SettingsReader {
 public:
  SettingsReader(const Inputs& inputs, Version version)
      : inputs_(inputs), model_(inputs.model), flags_(inputs.args, flags(), version.minor) {
    settings_.version = std::move(version);
  }

  Result<Settings> read() {
    say_version();
    for (const auto& [given, path] : {std::pair{inputs_.draft != nullptr, "model.draft"},
                                      std::pair{!inputs_.adapters.empty(), "model.adapters"}}) {
      if (given) {
        return Error{"not_supported",
                     std::string(path) +
                         " is not computed by this version for vLLM. Leave it out to see the "
                         "estimate without it.",
                     path};
      }
    }
    for (const auto step : {&SettingsReader::read_parallelism, &SettingsReader::check_divisible,
                            &SettingsReader::read_dtype, &SettingsReader::read_kv_format,
                            &SettingsReader::read_quantization, &SettingsReader::read_memory,
                            &SettingsReader::read_lengths, &SettingsReader::read_batch,
                            &SettingsReader::read_schedule, &SettingsReader::read_graphs}) {
      (this->*step)();
      if (error_) {
        return *error_;
      }
      if (flags_.error()) {
        return *flags_.error();
      }
    }
    return std::move(settings_);
  }

 private:
  [[nodiscard]] std::uint32_t minor() const { return settings_.version.minor; }
  void assume(std::string text) { settings_.assumptions.push_back(std::move(text)); }
  void fail(std::string code, std::string message, std::string path) {
    if (!error_) {
      error_ = Error{std::move(code), std::move(message), std::move(path)};
    }
  }

  void say_version() {
    const Version& version = settings_.version;
    if (inputs_.version.empty()) {
      assume("No engine version given: vLLM " + version.text + ", the newest covered.");
    } else if (version.nearest_rules) {
      assume("vLLM " + version.text +
             " is newer than covered or a development build: the rules of 0." +
             std::to_string(version.minor) + " are used, with wider ranges.");
    }
  }

  void read_parallelism() {
    const auto tp = flags_.whole("tensor-parallel-size", 1, kMostRanks);
    const auto pp = flags_.whole("pipeline-parallel-size", 1, kMostRanks);
    const auto dp = flags_.whole("data-parallel-size", 1, kMostRanks);
    Parallelism& p = settings_.parallelism;
    p.tensor = tp.value_or(1);
    p.pipeline = pp.value_or(1);
    p.data = dp.value_or(1);
    p.expert = flags_.boolean("enable-expert-parallel").value_or(false);
    if (!inputs_.gpu_count || flags_.error()) {
      return;
    }
    const std::uint64_t count = *inputs_.gpu_count;
    if (!tp && !pp && !dp) {
      p.tensor = count;
      if (count > 1) {
        assume("No parallel flag given: --tensor-parallel-size " + std::to_string(count) +
               ", the number of cards.");
      }
    } else if (p.tensor * p.pipeline * p.data != count) {
      fail("bad_parallelism",
           "gpu.count is " + std::to_string(count) +
               ", and tensor x pipeline x data parallel size " + "is " + std::to_string(p.tensor) +
               " x " + std::to_string(p.pipeline) + " x " + std::to_string(p.data) + " = " +
               std::to_string(p.tensor * p.pipeline * p.data) + "; make them agree.",
           "gpu.count");
    }
  }

  void bad_split(std::string_view what, std::uint64_t size, std::uint64_t ranks,
                 std::string_view flag) {
    const bool from_flag = flags_.given(flag);
    fail("bad_parallelism",
         "The model's " + std::string(what) + " (" + std::to_string(size) +
             ") cannot be divided over --" + std::string(flag) + " " + std::to_string(ranks) +
             "; choose a divisor.",
         from_flag ? "engine.args." + std::string(flag) : std::string("gpu.count"));
  }

  bool divides_attention(const model::Attention& a, std::uint64_t ranks) {
    if (a.kind == model::AttentionKind::none) {
      return true;
    }
    if (a.num_attention_heads % ranks != 0) {
      bad_split("num_attention_heads", a.num_attention_heads, ranks, "tensor-parallel-size");
      return false;
    }
    const bool replicated = ranks > a.num_key_value_heads;
    const bool fits =
        replicated ? ranks % a.num_key_value_heads == 0 : a.num_key_value_heads % ranks == 0;
    if (a.kind != model::AttentionKind::latent && !fits) {
      bad_split("num_key_value_heads", a.num_key_value_heads, ranks, "tensor-parallel-size");
      return false;
    }
    return true;
  }

  bool divides_state(const model::State& s, std::uint64_t ranks) {
    for (const auto& [what, size] : {std::pair("number of state heads", s.heads),
                                     std::pair("number of state key heads", s.key_heads),
                                     std::pair("state width", s.inner_size)}) {
      if (size % ranks != 0) {
        bad_split(what, size, ranks, "tensor-parallel-size");
        return false;
      }
    }
    return true;
  }

  /// Quantised matrices are cut between blocks or groups only: "not divisible by weight
  /// quantization block_n", "not aligned with the quantized weight shape" (v0.28
  /// quantization/fp8.py, gptq.py).
  void check_quantised_shares() {
    if (!model_.quantization.quantized()) {
      return;
    }
    const precision::WeightFormat& format = model_.quantization.groups.front().format;
    const bool blocks = format.packing == precision::Packing::fp8_block;
    const std::uint64_t unit = blocks ? format.block_rows : format.group_size;
    const bool grouped = blocks || format.packing == precision::Packing::awq ||
                         format.packing == precision::Packing::gptq ||
                         format.packing == precision::Packing::packed_int;
    if (!grouped || unit == 0) {
      return;
    }
    const Parallelism& p = settings_.parallelism;
    const std::uint64_t expert_ranks = p.expert ? 1 : p.tensor * p.data;
    for (const model::Layer& layer : model_.layers) {
      const model::FeedForward& f = layer.feed_forward;
      const bool dense = p.tensor == 1 || f.intermediate_size / p.tensor % unit == 0;
      const bool experts = expert_ranks == 1 || f.moe_intermediate_size / expert_ranks % unit == 0;
      if (!dense || !experts) {
        const std::uint64_t width = dense ? f.moe_intermediate_size : f.intermediate_size;
        const std::uint64_t ranks = dense ? expert_ranks : p.tensor;
        fail("bad_parallelism",
             "A width of " + std::to_string(width) + " over " + std::to_string(ranks) +
                 " ranks leaves " + std::to_string(width / ranks) +
                 ", which is no multiple of the quantisation's blocks of " + std::to_string(unit) +
                 "; vLLM refuses it. Use fewer ranks" +
                 (f.moe() ? ", or --enable-expert-parallel." : "."),
             "gpu.count");
        return;
      }
    }
  }

  void check_divisible() {
    const Parallelism& p = settings_.parallelism;
    if (p.pipeline > model_.layers.size()) {
      fail("bad_parallelism",
           "--pipeline-parallel-size " + std::to_string(p.pipeline) + " is more stages than the " +
               std::to_string(model_.layers.size()) + " layers of the model; use fewer.",
           "engine.args.pipeline-parallel-size");
      return;
    }
    for (const model::Layer& layer : model_.layers) {
      const model::Attention& a = layer.attention;
      const model::FeedForward& f = layer.feed_forward;
      if (!divides_attention(a, p.tensor) || !divides_attention(layer.cross, p.tensor) ||
          !divides_state(layer.state, p.tensor)) {
        return;
      }
      if (!f.moe() && f.intermediate_size % p.tensor != 0) {
        bad_split("intermediate_size", f.intermediate_size, p.tensor, "tensor-parallel-size");
        return;
      }
      if (f.moe() && !p.expert && f.moe_intermediate_size % (p.tensor * p.data) != 0) {
        bad_split("expert width", f.moe_intermediate_size, p.tensor * p.data,
                  "tensor-parallel-size");
        return;
      }
    }
    check_quantised_shares();
    if (p.expert && !model_.moe()) {
      assume("--enable-expert-parallel has no effect: the model has no experts.");
    }
  }

  void read_dtype() {
    const std::string name = flags_.text("dtype").value_or("auto");
    const bool bf16_lacking = inputs_.device.vendor == "nvidia" &&
                              inputs_.device.compute_capability != 0 &&
                              inputs_.device.compute_capability < 80;
    if (name == "half" || name == "float16") {
      settings_.dtype = Dtype::float16;
    } else if (name == "float" || name == "float32") {
      settings_.dtype = Dtype::float32;
    } else if (name == "bfloat16") {
      settings_.dtype = Dtype::bfloat16;
      if (bf16_lacking) {
        fail("bad_flag",
             "This card has no bfloat16 (compute capability below 8.0); use --dtype half.",
             "engine.args.dtype");
      }
    } else {
      settings_.dtype = model_.dtype;
      if (model_.dtype == Dtype::float32) {
        settings_.dtype = Dtype::bfloat16;
        assume("A float32 checkpoint is loaded in 16 bits, as --dtype auto does.");
      }
      if (settings_.dtype == Dtype::bfloat16 && bf16_lacking) {
        settings_.dtype = Dtype::float16;
        assume("The card has no bfloat16: float16 instead, as --dtype auto does.");
      }
    }
  }

  void read_kv_format() {
    const std::string name = flags_.text("kv-cache-dtype").value_or("auto");
    if (name == "auto") {
      settings_.kv_format = model_.quantization.kv_cache.value_or(KvFormat::model_dtype);
      if (model_.quantization.kv_cache) {
        assume("The checkpoint asks for a " +
               std::string(precision::kv_format_name(settings_.kv_format)) + " KV cache.");
      }
    } else if (const auto format = precision::parse_kv_format(name)) {
      settings_.kv_format = *format;
    } else {
      flags_.fail("bad_flag", "kv-cache-dtype",
                  "--kv-cache-dtype " + json::excerpt(name, 40) + " is not known.");
    }
    choose_sparse_format(name == "auto");
    const bool latent = model_.latent();
    const bool compressed = model_.has(model::AttentionKind::compressed);
    if (latent && !precision::latent_bytes(settings_.kv_format, Dtype::bfloat16, 576)) {
      flags_.fail("bad_flag", "kv-cache-dtype",
                  "--kv-cache-dtype " + name + " does not exist for latent (MLA) attention.");
    }
    if (!latent && !compressed && settings_.kv_format == KvFormat::fp8_ds_mla) {
      flags_.fail("bad_flag", "kv-cache-dtype",
                  "--kv-cache-dtype fp8_ds_mla is for DeepSeek's latent attention only.");
    }
  }

  /// Sparse kernels have rows of their own: FlashMLA's on Hopper and consumer Blackwell take 656
  /// bytes a token for any fp8, FlashInfer's on datacentre Blackwell plain fp8 (v0.28
  /// v1/attention/backends/mla, models/deepseek_v4).
  void choose_sparse_format(bool automatic) {
    const bool compressed = model_.has(model::AttentionKind::compressed);
    const bool indexed =
        std::any_of(model_.layers.begin(), model_.layers.end(),
                    [](const model::Layer& layer) { return layer.attention.indexer.heads != 0; });
    const std::uint32_t generation = inputs_.device.compute_capability / 10;
    const bool plain_fp8 = generation == 10;
    KvFormat& format = settings_.kv_format;
    if (compressed && format == KvFormat::model_dtype && automatic) {
      format = plain_fp8 ? KvFormat::fp8 : KvFormat::fp8_ds_mla;
      assume("Compressed attention is cached as " + std::string(precision::kv_format_name(format)) +
             ".");
    } else if (indexed && format == KvFormat::fp8 && !plain_fp8) {
      format = KvFormat::fp8_ds_mla;
      assume("Sparse attention caches fp8 as fp8_ds_mla on this card.");
    } else if (indexed && format == KvFormat::model_dtype && automatic &&
               (generation == 12 || minor() == 11)) {
      format = KvFormat::fp8_ds_mla;
      assume("This version caches sparse attention as fp8_ds_mla on this card by default.");
    }
  }

  void read_quantization() {
    const auto name = flags_.text("quantization");
    if (!name) {
      return;
    }
    settings_.quantization = *name;
    const std::string& method = model_.quantization.method;
    if (method.empty()) {
      if (*name != "fp8" && *name != "bitsandbytes") {
        flags_.fail("bad_flag", "quantization",
                    "The config has no quantization_config, and --quantization " + *name +
                        " does not quantise while loading (fp8 and bitsandbytes do). Give the "
                        "config of the quantised checkpoint.");
      }
      return;
    }
    const bool same = name->starts_with(method) || method.starts_with(*name) ||
                      (method == "modelopt" && name->starts_with("modelopt")) ||
                      name->find(method) != std::string::npos;
    if (!same) {
      flags_.fail(
          "bad_flag", "quantization",
          "The checkpoint is quantised by " + method + ", and --quantization says " + *name + ".");
    }
  }

  void read_memory() {
    const Constant& utilization = constant("gpu_memory_utilization", minor());
    settings_.gpu_memory_utilization =
        flags_.number("gpu-memory-utilization", 0.01, 1.0).value_or(utilization.best);
    settings_.kv_cache_memory_bytes = flags_.whole("kv-cache-memory-bytes", 1, 1ULL << 50U);
    settings_.num_gpu_blocks_override = flags_.whole("num-gpu-blocks-override", 1, 1ULL << 40U);
    settings_.block_size = flags_.whole("block-size", 1, 4096);
    if (settings_.block_size && *settings_.block_size % 16 != 0) {
      flags_.fail("bad_flag", "block-size", "--block-size must be a multiple of 16.");
    }
  }

  /// `auto` and -1 mean: the longest that fits.
  bool wants_auto_length() {
    for (const FlagValue& flag : inputs_.args) {
      if (flag.name != "max-model-len" && flag.name != "max_model_len") {
        continue;
      }
      const auto* text = std::get_if<std::string>(&flag.value);
      const auto* number = std::get_if<std::int64_t>(&flag.value);
      return (text != nullptr && (*text == "auto" || *text == "-1")) ||
             (number != nullptr && *number == -1);
    }
    return false;
  }

  void read_lengths() {
    settings_.sliding_window = !flags_.boolean("disable-sliding-window").value_or(false);
    std::uint64_t derived = derive_max_model_len(model_);
    if (!settings_.sliding_window && model_.windowed()) {
      for (const model::Layer& layer : model_.layers) {
        if (layer.attention.window != 0) {
          derived = std::min(derived, layer.attention.window);
        }
      }
    }
    if (inputs_.workload.context && *inputs_.workload.context > kMostTokens) {
      fail("bad_value", "workload.context is beyond 2^32 tokens.", "workload.context");
      return;
    }
    settings_.max_model_len = derived;
    if (wants_auto_length()) {
      if (minor() < 14) {
        flags_.fail("bad_flag", "max-model-len",
                    "vLLM finds the length itself from 0.14 on; give a number.");
      }
      settings_.auto_length = true;
    } else if (const auto flag = flags_.whole("max-model-len", 1, kMostTokens)) {
      if (*flag > derived && !env_is_set("VLLM_ALLOW_LONG_MAX_MODEL_LEN")) {
        settings_.length_refusal = "vLLM refuses --max-model-len " + std::to_string(*flag) +
                                   ": the model's config allows " + std::to_string(derived) +
                                   " tokens. Lower it, or set VLLM_ALLOW_LONG_MAX_MODEL_LEN=1.";
      }
      settings_.max_model_len = *flag;
    } else if (inputs_.workload.context) {
      settings_.max_model_len = std::min(*inputs_.workload.context, derived);
      assume("No --max-model-len given: the length asked about, " +
             std::to_string(settings_.max_model_len) + " tokens.");
    } else {
      // Without a flag a longrope model is served at its original length only (since 0.11).
      const std::uint64_t original = model_.rope.original_max_position_embeddings;
      if (model_.rope.type == "longrope" && original != 0 && minor() >= 11) {
        settings_.max_model_len = std::min(derived, original);
      }
      assume("No length given: the model's own, " + std::to_string(settings_.max_model_len) +
             " tokens.");
    }
    settings_.context = inputs_.workload.context.value_or(settings_.max_model_len);
  }

  [[nodiscard]] bool env_is_set(std::string_view name) const {
    return std::any_of(inputs_.env.begin(), inputs_.env.end(), [&](const auto& entry) {
      return entry.first == name && !entry.second.empty() && entry.second != "0";
    });
  }

  void read_batch() {
    settings_.chunked_prefill = flags_.boolean("enable-chunked-prefill").value_or(true);
    const BatchDefaults& defaults = batch_defaults(inputs_.device, minor());
    const auto given_tokens = flags_.whole("max-num-batched-tokens", 1, kMostTokens);
    const auto given_seqs = flags_.whole("max-num-seqs", 1, 1U << 20U);
    const bool doubled = flags_.text("performance-mode").value_or("") == "throughput";
    const std::uint64_t factor = doubled ? 2 : 1;
    std::uint64_t tokens = given_tokens.value_or(defaults.max_num_batched_tokens * factor);
    std::uint64_t seqs = given_seqs.value_or(defaults.max_num_seqs * factor);
    const std::uint64_t length = settings_.max_model_len;
    if (!given_tokens) {
      if (!settings_.chunked_prefill) {
        tokens = std::max(tokens, length);
      }
      tokens = std::min(tokens, seqs * length);
    }
    if (!given_seqs) {
      seqs = std::min(seqs, tokens);
    }
    if (given_tokens && tokens < length && !settings_.chunked_prefill) {
      flags_.fail("bad_flag", "max-num-batched-tokens",
                  "Without chunked prefill --max-num-batched-tokens must be at least the maximum "
                  "length, " +
                      std::to_string(length) + ".");
    }
    if (tokens < seqs && given_seqs) {
      flags_.fail("bad_flag", given_tokens ? "max-num-batched-tokens" : "max-num-seqs",
                  "--max-num-batched-tokens (" + std::to_string(tokens) +
                      ") must be at least --max-num-seqs (" + std::to_string(seqs) + ").");
    }
    settings_.max_num_batched_tokens = tokens;
    settings_.max_num_seqs = seqs;
  }

  /// Models that run on the second model runner by default (config/vllm.py, by version).
  bool default_model_runner_v2() const {
    constexpr std::array<std::string_view, 3> kMoe = {
        "DeepseekV2ForCausalLM", "GraniteMoeForCausalLM", "Qwen2MoeForCausalLM"};
    const std::string& name = model_.architecture;
    const bool moe = model_.moe();
    if (minor() >= 25) {
      return !moe || std::find(kMoe.begin(), kMoe.end(), name) != kMoe.end();
    }
    if (minor() == 24) {
      return name == "Qwen3ForCausalLM" || std::find(kMoe.begin(), kMoe.end(), name) != kMoe.end();
    }
    return minor() >= 22 && name == "Qwen3ForCausalLM" && !model_.quantization.quantized();
  }

  /// Environment variables: followed, known to change memory in ways not computed (an error), or
  /// named as not taken into account.
  void read_env() {
    constexpr std::array<std::string_view, 8> kUnmodelled = {
        "VLLM_PP_LAYER_PARTITION",     "VLLM_MLA_DISABLE",
        "VLLM_ATTENTION_BACKEND",      "VLLM_USE_V1",
        "VLLM_ENABLE_STARTUP_PLAN",    "VLLM_FUSED_MOE_CHUNK_SIZE",
        "VLLM_USE_FLASHINFER_SAMPLER", "VLLM_ALLOW_CHUNKED_LOCAL_ATTN_WITH_HYBRID_KV_CACHE"};
    for (const auto& [name, value] : inputs_.env) {
      if (name == "VLLM_USE_V2_MODEL_RUNNER") {
        settings_.model_runner_v2 = value == "1";
      } else if (name == "VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS") {
        settings_.charges_graphs = value != "0";
      } else if (std::find(kUnmodelled.begin(), kUnmodelled.end(), name) != kUnmodelled.end()) {
        fail("unmodelled_env",
             name +
                 " changes memory in a way this version does not compute. Leave it out to see the "
                 "estimate without it.",
             "engine.env." + name);
      } else if (name != "VLLM_ALLOW_LONG_MAX_MODEL_LEN") {
        assume("The environment variable " + json::excerpt(name, 60) +
               " is not taken into account.");
      }
    }
  }

  void read_schedule() {
    settings_.model_runner_v2 = default_model_runner_v2();
    settings_.charges_graphs = minor() >= 21;
    read_env();
    settings_.async_scheduling = flags_.boolean("async-scheduling").value_or(minor() >= 14);
    read_cache_manager();
  }

  /// Chunked attention turns the hybrid manager off unless a variable allows it (0.10.1 and later);
  /// hybrids keep a second state a request when prefix caching is on, which is their default since
  /// 0.28 (config/vllm.py, engine/arg_utils.py).
  void read_cache_manager() {
    const bool chunked =
        std::any_of(model_.layers.begin(), model_.layers.end(), [](const model::Layer& layer) {
          return layer.attention.kind == model::AttentionKind::chunked;
        });
    if (chunked && minor() >= 10) {
      settings_.hybrid_manager = false;
      assume("Chunked attention turns the hybrid cache manager off: every layer is cached whole.");
    }
    if (flags_.boolean("disable-hybrid-kv-cache-manager").value_or(false)) {
      settings_.hybrid_manager = false;
    }
    const bool has_attention = model::first_attention(model_) != nullptr;
    if (model_.stateful() && has_attention) {
      const bool caches_prefixes = flags_.boolean("enable-prefix-caching").value_or(minor() >= 28);
      settings_.mamba_mode = caches_prefixes ? MambaMode::align : MambaMode::none;
    }
  }

  void read_graphs() {
    settings_.enforce_eager = flags_.boolean("enforce-eager").value_or(false);
    const auto list = flags_.list("cudagraph-capture-sizes");
    const auto old_list = flags_.list("cuda-graph-sizes");
    const auto most = flags_.whole("max-cudagraph-capture-size", 0, 1U << 20U);
    if (settings_.enforce_eager || inputs_.device.vendor == "intel") {
      return;
    }
    // One number in the older flag is the largest size, in the newer the only one.
    const bool one_old_number = !list && old_list && old_list->size() == 1;
    std::vector<std::uint64_t> sizes =
        list ? *list : old_list.value_or(std::vector<std::uint64_t>{});
    if (most && *most == 0) {
      flags_.fail("bad_flag", "max-cudagraph-capture-size",
                  "--max-cudagraph-capture-size 0 captures nothing; vLLM wants --enforce-eager for "
                  "that.");
    }
    if (sizes.empty() || one_old_number) {
      sizes = default_capture_sizes(one_old_number ? std::optional(old_list->front()) : most);
    } else if (most && *most != *std::max_element(sizes.begin(), sizes.end())) {
      flags_.fail("bad_flag", "max-cudagraph-capture-size",
                  "--max-cudagraph-capture-size " + std::to_string(*most) +
                      " is not the largest of the sizes listed; vLLM refuses it.");
    }
    const std::uint64_t tokens = settings_.max_num_batched_tokens;
    sizes.erase(std::remove_if(sizes.begin(), sizes.end(),
                               [&](std::uint64_t size) { return size > tokens; }),
                sizes.end());
    for (const std::uint64_t size : sizes) {
      settings_.max_capture_size = std::max(settings_.max_capture_size, size);
      settings_.full_graphs += minor() >= 11 && size <= settings_.max_num_seqs ? 1 : 0;
    }
    settings_.piecewise_graphs = sizes.size();
  }

  std::vector<std::uint64_t> default_capture_sizes(std::optional<std::uint64_t> given) const {
    const bool wide = model_.architecture == "GptOssForCausalLM" ||
                      (minor() >= 28 && inputs_.device.compute_capability / 10 == 10);
    const std::uint64_t cap = wide ? 1024 : 512;
    std::uint64_t most = minor() >= 10 ? std::min(settings_.max_num_seqs * 2, cap) : 512;
    if (wide && model_.architecture == "GptOssForCausalLM") {
      most = cap;
    }
    most = std::min(given.value_or(most), settings_.max_num_batched_tokens);
    std::vector<std::uint64_t> sizes;
    for (const std::uint64_t small : {1ULL, 2ULL, 4ULL}) {
      if (small <= most) {
        sizes.push_back(small);
      }
    }
    const std::uint64_t step_above_256 = minor() >= 11 ? 16 : 8;
    for (std::uint64_t size = 8; size <= most; size += size < 256 ? 8 : step_above_256) {
      sizes.push_back(size);
    }
    const std::uint64_t whole_batch = settings_.max_num_batched_tokens;
    if (given && most == whole_batch && !sizes.empty() && sizes.back() != whole_batch) {
      sizes.push_back(whole_batch);
    }
    return sizes;
  }

  const Inputs& inputs_;
  const model::ModelSpec& model_;
  FlagReader flags_;
  Settings settings_;
  std::optional<Error> error_;
};

}  // namespace

std::uint64_t derive_max_model_len(const model::ModelSpec& spec) {
  const std::uint64_t claimed = model::claimed_context(spec);
  if (claimed == 0) {
    return kDefaultLength;
  }
  const std::string& type = spec.rope.type;
  if (type == "llama3" || type == "su" || type == "longrope" || spec.rope.length_is_scaled) {
    return claimed;
  }
  double length = static_cast<double>(claimed);
  if (type == "yarn" && spec.rope.original_max_position_embeddings != 0) {
    length = static_cast<double>(spec.rope.original_max_position_embeddings);
  }
  return static_cast<std::uint64_t>(std::min(length * std::max(spec.rope.factor, 1.0), 4e9));
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

Result<Settings> read_settings(const Inputs& inputs) {
  auto version = parse_version(inputs.version);
  if (!version) {
    return version.error();
  }
  return SettingsReader(inputs, std::move(version.value())).read();
}

}  // namespace ridgepoint::engine::vllm
