#include "engine/trtllm/settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "engine/flag_reader.hpp"
#include "engine/trtllm/constants.hpp"
#include "engine/trtllm/flags.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::trtllm {
namespace {

using precision::Dtype;
using precision::KvFormat;

constexpr std::uint64_t kMostRanks = 1U << 16U;
constexpr std::uint64_t kMostTokens = 1ULL << 32U;
constexpr std::uint64_t kMostSequences = 1U << 20U;
constexpr std::uint64_t kMostDraftTokens = 1024;
constexpr std::uint64_t kDefaultBatch = 2048;
constexpr std::uint64_t kDefaultTokens = 8192;
constexpr std::uint64_t kDefaultGraphs = 128;
constexpr std::uint64_t kDefaultLength = 2048;

/// Builds the settings of one request, step by step; the first error stops the later steps.
class SettingsReader {
 public:
  SettingsReader(const Inputs& inputs, const std::vector<FlagValue>& options, Version version)
      : inputs_(inputs),
        model_(inputs.model),
        options_(options),
        flags_(options, flags(), version.number) {
    settings_.version = std::move(version);
  }

  Result<Settings> read() {
    say_version();
    for (const auto step : {&SettingsReader::check_model, &SettingsReader::read_backend,
                            &SettingsReader::read_parallelism, &SettingsReader::check_divisible,
                            &SettingsReader::read_dtype, &SettingsReader::read_kv_format,
                            &SettingsReader::read_cache, &SettingsReader::read_speculation,
                            &SettingsReader::read_lengths, &SettingsReader::read_windows,
                            &SettingsReader::read_graphs, &SettingsReader::read_experts,
                            &SettingsReader::read_transfer, &SettingsReader::read_env}) {
      if (flags_.error()) {
        return *flags_.error();
      }
      (this->*step)();
      if (error_) {
        return *error_;
      }
    }
    if (flags_.error()) {
      return *flags_.error();
    }
    return std::move(settings_);
  }

 private:
  [[nodiscard]] std::uint32_t number() const { return settings_.version.number; }
  [[nodiscard]] bool pytorch() const { return settings_.backend == Backend::pytorch; }
  void assume(std::string text) { settings_.assumptions.push_back(std::move(text)); }
  void fail(std::string code, std::string message, std::string path) {
    if (!error_) {
      error_ = Error{std::move(code), std::move(message), std::move(path)};
    }
  }

  void say_version() {
    const Version& version = settings_.version;
    if (inputs_.version.empty()) {
      assume(worded({"No engine version given: TensorRT-LLM ", version.text,
                     ", the newest release covered."}));
    } else if (version.nearest_rules) {
      assume(worded({"TensorRT-LLM ", version.text,
                     " is newer than covered or a build between releases: the rules of ",
                     version_text(version.number), " are used, with wider ranges."}));
    }
  }

  void check_model() {
    if (!inputs_.adapters.empty()) {
      fail("not_supported",
           "LoRA adapters are not computed by this version for TensorRT-LLM. Leave them out to see "
           "the estimate without them.",
           "model.adapters");
    } else if (model_.encoder_only) {
      fail("not_supported",
           "Encoders keep no cache, and how TensorRT-LLM serves them is not computed by this "
           "version.",
           "model.config.architectures");
    } else if (model_.has(model::AttentionKind::compressed)) {
      fail("not_supported",
           "Compressed attention (DeepSeek-V4) has a cache manager of its own in TensorRT-LLM, "
           "which this version does not compute.",
           "model.config.architectures");
    } else if (model_.encoder_tokens != 0) {
      fail("not_supported",
           "The cross attention caches of encoder-decoder models are not computed by this version "
           "for TensorRT-LLM.",
           "model.config.architectures");
    }
    if (const auto file = flags_.text("extra-llm-api-options")) {
      assume(
          worded({"The contents of ", json::excerpt(*file, 60),
                  " are not known here: give them as JSON in its place, or as single options."}));
    }
  }

  void read_backend() {
    const auto name = flags_.text("backend");
    if (!name) {
      const bool torch = number() >= kPytorch;
      settings_.backend = torch ? Backend::pytorch : Backend::tensorrt;
      assume(worded({"No --backend given: ", (torch ? "pytorch" : "tensorrt"),
                     ", the default of trtllm-serve in this version."}));
    } else if (*name == "_autodeploy") {
      flags_.fail("unmodelled_flag", "backend",
                  "The AutoDeploy backend keeps its cache in pages of its own, which this version "
                  "does not compute.");
    } else {
      settings_.backend = *name == "pytorch" ? Backend::pytorch : Backend::tensorrt;
    }
  }

  void read_parallelism() {
    const auto tp = flags_.whole("tensor-parallel-size", 1, kMostRanks);
    const auto pp = flags_.whole("pipeline-parallel-size", 1, kMostRanks);
    Parallelism& p = settings_.parallelism;
    p.tensor = tp.value_or(1);
    p.pipeline = pp.value_or(1);
    settings_.attention_dp = flags_.boolean("enable-attention-dp").value_or(false);
    if (!inputs_.gpu_count || flags_.error()) {
      return;
    }
    const std::uint64_t count = *inputs_.gpu_count;
    if (!tp && !pp) {
      p.tensor = count;
      if (count > 1) {
        assume(worded({"No parallel option given: --tp_size ", count, ", the number of cards."}));
      }
    } else if (p.tensor * p.pipeline != count) {
      fail("bad_parallelism",
           worded({"gpu.count is ", count, ", and tensor x pipeline parallel size is ", p.tensor,
                   " x ", p.pipeline, " = ", p.tensor * p.pipeline, "; make them agree."}),
           "gpu.count");
    }
  }

  void bad_split(std::string_view what, std::uint64_t size, std::uint64_t ranks,
                 std::string_view flag) {
    fail("bad_parallelism",
         worded({"The model's ", what, " (", size, ") cannot be divided over --", flag, " ", ranks,
                 "; choose a divisor."}),
         flags_.given(flag) ? worded({"engine.args.", flag}) : std::string("gpu.count"));
  }

  void check_divisible() {
    Parallelism& p = settings_.parallelism;
    if (p.pipeline > model_.layers.size()) {
      bad_split("number of layers", model_.layers.size(), p.pipeline, "pipeline-parallel-size");
      return;
    }
    const std::uint64_t ranks = settings_.attention_ranks();
    for (const model::Layer& layer : model_.layers) {
      const model::Attention& a = layer.attention;
      if (a.kind != model::AttentionKind::none && a.num_attention_heads % ranks != 0) {
        bad_split("num_attention_heads", a.num_attention_heads, ranks, "tensor-parallel-size");
        return;
      }
      for (const std::uint64_t size :
           {layer.state.heads, layer.state.key_heads, layer.state.inner_size}) {
        if (size % ranks != 0) {
          bad_split("state width", size, ranks, "tensor-parallel-size");
          return;
        }
      }
    }
    read_expert_parallelism();
  }

  void read_expert_parallelism() {
    const std::uint64_t tp = settings_.parallelism.tensor;
    const auto ep = flags_.whole("moe-expert-parallel-size", 1, kMostRanks);
    const auto split = flags_.whole("moe-tensor-parallel-size", 1, kMostRanks);
    if (flags_.error()) {
      return;
    }
    if ((ep && tp % *ep != 0) || (split && tp % *split != 0) ||
        (ep && split && *ep * *split != tp)) {
      const bool by_split = !ep || tp % *ep == 0;
      const std::string flag = by_split ? "moe-tensor-parallel-size" : "moe-expert-parallel-size";
      fail("bad_parallelism",
           worded({"Expert parallel size x expert tensor parallel size must be the tensor parallel "
                   "size, ",
                   tp, "."}),
           worded({"engine.args.", flag}));
      return;
    }
    settings_.expert_ranks = ep.value_or(split ? tp / *split : 1);
    settings_.parallelism.expert = settings_.expert_ranks > 1;
    for (const model::Layer& layer : model_.layers) {
      const std::uint64_t width = layer.feed_forward.moe_intermediate_size;
      if (layer.feed_forward.moe() && width % (tp / settings_.expert_ranks) != 0) {
        bad_split("expert width", width, tp / settings_.expert_ranks, "tensor-parallel-size");
        return;
      }
    }
    if (settings_.parallelism.expert && !model_.moe()) {
      settings_.expert_ranks = 1;
      settings_.parallelism.expert = false;
      assume("Expert parallelism has no effect: the model has no experts.");
    }
  }

  void read_dtype() {
    const std::string name = flags_.text("dtype").value_or("auto");
    if (name == "float16" || name == "half") {
      settings_.dtype = Dtype::float16;
    } else if (name == "float32") {
      settings_.dtype = Dtype::float32;
    } else if (name == "bfloat16") {
      settings_.dtype = Dtype::bfloat16;
    } else {
      settings_.dtype = model_.dtype;
      if (model_.dtype == Dtype::float32) {
        settings_.dtype = Dtype::bfloat16;
        assume("A float32 checkpoint is loaded as bfloat16, as dtype auto does.");
      }
    }
  }

  void read_kv_format() {
    const std::string name = flags_.text("kv-cache-config.dtype").value_or("auto");
    if (name == "fp8") {
      settings_.kv_format = KvFormat::fp8;
    } else if (name == "nvfp4") {
      settings_.kv_format = KvFormat::nvfp4;
    } else if (name == "auto" && model_.quantization.kv_cache) {
      settings_.kv_format = *model_.quantization.kv_cache;
      assume(worded({"The checkpoint asks for a ", precision::kv_format_name(settings_.kv_format),
                     " KV cache."}));
    }
    if (settings_.kv_format == KvFormat::nvfp4 && model_.latent()) {
      flags_.fail("bad_flag", "kv-cache-config.dtype",
                  "An NVFP4 KV cache does not exist for latent (MLA) attention; use fp8.");
    }
    const std::string states =
        flags_.text("kv-cache-config.mamba-ssm-cache-dtype").value_or("auto");
    settings_.state_float32 = states == "auto" ? model_.state_float32 : states == "float32";
  }

  void read_cache() {
    const auto fraction = flags_.number("free-gpu-memory-fraction", 0.0001, 1.0);
    settings_.free_gpu_memory_fraction =
        fraction.value_or(constant("free_gpu_memory_fraction", number()).best);
    if (!fraction && !flags_.error()) {
      assume("No memory fraction given: 0.9 of what the model and its dry run leave free.");
    }
    if (!pytorch() && settings_.free_gpu_memory_fraction >= 1.0) {
      flags_.fail("bad_flag", "free-gpu-memory-fraction",
                  "The C++ runtime wants a fraction below 1.");
    }
    settings_.max_tokens = flags_.whole("kv-cache-config.max-tokens", 1, 1ULL << 40U);
    settings_.max_gpu_total_bytes =
        flags_.whole("kv-cache-config.max-gpu-total-bytes", 0, 1ULL << 50U);
    if (settings_.max_gpu_total_bytes == 0U) {
      settings_.max_gpu_total_bytes.reset();
    }
    settings_.block_reuse = flags_.boolean("kv-cache-config.enable-block-reuse").value_or(true);
    settings_.chunked_prefill = flags_.boolean("enable-chunked-prefill").value_or(false);
    settings_.fail_fast = flags_.boolean("fail-fast-on-attention-window-too-large").value_or(false);
    read_manager();
    read_block_size();
    if (flags_.text("attn-backend").value_or("TRTLLM") == "VANILLA") {
      settings_.dry_run = false;
      assume(
          "VANILLA attention has no dry run: the fraction is taken of what the loaded model "
          "leaves.");
    }
  }

  /// true, false or auto.
  void read_manager() {
    const std::string name = flags_.given("kv-cache-config.use-kv-cache-manager-v2")
                                 ? switch_text("kv-cache-config.use-kv-cache-manager-v2")
                                 : "auto";
    settings_.manager_v2 = name == "true";
    if (settings_.manager_v2 && settings_.max_tokens) {
      settings_.max_tokens.reset();
      assume(
          "The second KV cache manager does not heed max_tokens; it goes by "
          "max_gpu_total_bytes.");
    }
  }

  /// A switch that text may set too, in lower case.
  std::string switch_text(std::string_view name) {
    for (const FlagValue& arg : options_) {
      const FlagFacts* facts = find_flag(flags(), arg.name);
      const auto* on = std::get_if<bool>(&arg.value);
      if (facts != nullptr && facts->name == name && on != nullptr) {
        return *on ? "true" : "false";
      }
    }
    std::string text = flags_.text(name).value_or("");
    for (char& c : text) {
      c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
  }

  void read_block_size() {
    const auto given = flags_.whole("kv-cache-config.tokens-per-block", 1, 4096);
    constexpr std::uint32_t kSmallerSince = 18;
    settings_.tokens_per_block = given.value_or(number() < kSmallerSince ? 64 : 32);
    const bool flash_mla = pytorch() && model_.latent() && number() >= kAddsBack &&
                           inputs_.device.compute_capability == 90;
    if (flash_mla) {
      settings_.tokens_per_block = 64;
      assume("Latent attention on Hopper runs FlashMLA, whose blocks hold 64 tokens.");
    }
    const std::uint64_t size = settings_.tokens_per_block;
    if ((size & (size - 1)) != 0) {
      flags_.fail("bad_flag", "kv-cache-config.tokens-per-block",
                  "tokens_per_block must be a power of two.");
    }
  }

  void read_speculation() {
    const auto name = flags_.text("speculative-config.decoding-type");
    const auto layers =
        flags_.whole("speculative-config.num-nextn-predict-layers", 1, kMostDraftTokens);
    const auto length = flags_.whole("speculative-config.max-draft-len", 1, kMostDraftTokens);
    Speculation& s = settings_.speculation;
    if (!name && !layers && !length && inputs_.draft == nullptr) {
      return;
    }
    const std::string type = name.value_or(inputs_.draft != nullptr ? "Eagle3" : "MTP");
    s.enabled = true;
    s.own_layers = type == "MTP" && inputs_.draft == nullptr;
    s.one_model = type == "MTP" || type.starts_with("E");
    s.draft_tokens = s.own_layers ? layers.value_or(length.value_or(1)) : length.value_or(3);
    if (s.own_layers && model_.mtp.layers.empty()) {
      assume(
          "The config has no prediction layers of its own (num_nextn_predict_layers): their cache "
          "is counted as the last layer's, their weights are not.");
    }
    if (!s.own_layers && !length) {
      assume("No draft length given: 3 tokens guessed a step.");
    }
    const bool needs_model = type.starts_with("E") || type.starts_with("D") || type == "PARD";
    if (needs_model && inputs_.draft == nullptr) {
      assume("No draft model given: its weights and cache are not counted (model.draft).");
    }
  }

  /// What the model class infers: its positions, times the factor of plain rope scalings
  /// (_torch/models/modeling_utils.py, infer_max_seq_len).
  [[nodiscard]] std::uint64_t model_length() const {
    const std::uint64_t claimed = model::claimed_context(model_);
    if (claimed == 0) {
      return kDefaultLength;
    }
    const bool scaled = model_.rope.type == "linear" || model_.rope.type == "dynamic";
    const double factor = scaled && model_.rope.factor > 1.0 ? model_.rope.factor : 1.0;
    const double length = static_cast<double>(claimed) * factor;
    return length >= 4294967296.0 ? kMostTokens : static_cast<std::uint64_t>(length);
  }

  void read_lengths() {
    const auto batch = flags_.whole("max-batch-size", 1, kMostSequences);
    const auto tokens = flags_.whole("max-num-tokens", 1, kMostTokens);
    settings_.max_batch_size = batch.value_or(kDefaultBatch);
    settings_.max_num_tokens = tokens.value_or(kDefaultTokens);
    settings_.max_beam_width = flags_.whole("max-beam-width", 1, 64).value_or(1);
    if (!batch || !tokens) {
      assume(worded({"Limits of one step: ", settings_.max_batch_size, " requests and ",
                     settings_.max_num_tokens, " tokens",
                     (batch || tokens ? " (one of them the default)." : ", the defaults.")}));
    }
    if (inputs_.workload.context && *inputs_.workload.context > kMostTokens) {
      fail("bad_value", "workload.context is beyond 2^32 tokens.", "workload.context");
      return;
    }
    read_max_seq_len();
    settings_.asked_length = inputs_.workload.context.has_value();
    settings_.context = inputs_.workload.context.value_or(settings_.max_seq_len);
    const bool overlap = pytorch() && !flags_.boolean("disable-overlap-scheduler").value_or(false);
    const Speculation& s = settings_.speculation;
    settings_.extra_tokens = (overlap ? 1 + s.draft_tokens : 0) + s.draft_tokens +
                             (s.one_model && s.draft_tokens > 0 ? s.draft_tokens - 1 : 0);
  }

  void read_max_seq_len() {
    const std::uint64_t longest = model_length();
    settings_.max_seq_len = longest;
    if (const auto flag = flags_.whole("max-seq-len", 1, kMostTokens)) {
      settings_.max_seq_len = *flag;
      if (*flag > longest) {
        assume(worded({"--max_seq_len ", *flag, " is beyond the ", longest,
                       " tokens of the model's config."}));
      }
    } else if (inputs_.workload.context) {
      settings_.max_seq_len =
          std::max<std::uint64_t>(1, std::min(*inputs_.workload.context, longest));
      assume(worded(
          {"No --max_seq_len given: the length asked about, ", settings_.max_seq_len, " tokens."}));
    } else {
      assume(worded({"No length given: the model's own, ", longest, " tokens."}));
    }
  }

  void read_windows() {
    if (const auto windows = flags_.list("kv-cache-config.max-attention-window")) {
      for (const std::uint64_t window : *windows) {
        settings_.max_attention_window.push_back(std::min(window, settings_.max_seq_len));
      }
    } else if (model_.windowed()) {
      assume(
          "The model's windows save no cache: without kv_cache_config.max_attention_window "
          "every layer keeps the whole request.");
    }
  }

  void read_graphs() {
    if (!pytorch()) {
      return;
    }
    Graphs& graphs = settings_.graphs;
    graphs.piecewise =
        flags_.boolean("torch-compile-config.enable-piecewise-cuda-graph").value_or(false);
    constexpr std::uint32_t kOnByDefault = 21;
    bool on = flags_.boolean("use-cuda-graph").value_or(number() >= kOnByDefault);
    if (flags_.given("cuda-graph-config")) {
      const std::string text = switch_text("cuda-graph-config");
      on = !(text == "null" || text == "none" || text == "false");
    }
    const auto listed = flags_.list("cuda-graph-config.batch-sizes");
    const auto largest = flags_.whole("cuda-graph-config.max-batch-size", 0, kMostSequences);
    const bool padding = flags_.boolean("cuda-graph-config.enable-padding").value_or(false);
    on = on || listed.has_value() || largest.value_or(0) != 0;
    if (!on || flags_.error()) {
      return;
    }
    std::vector<std::uint64_t> sizes =
        listed ? *listed
               : graph_sizes(largest.value_or(0) == 0 ? kDefaultGraphs : *largest, padding);
    keep_reachable(sizes, padding);
    graphs.sizes = sizes.size();
    graphs.largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    graphs.list = sizes;
    if (!listed && !largest) {
      assume(worded({"CUDA graphs for up to ", graphs.largest, " requests, the default."}));
    }
  }

  /// Batches are bound by max_batch_size and by the tokens of a step. With padding the bound itself
  /// is recorded in place of the sizes beyond it (model_engine.py, _filter_cuda_graph_batch_sizes).
  void keep_reachable(std::vector<std::uint64_t>& sizes, bool padding) const {
    std::sort(sizes.begin(), sizes.end());
    const std::uint64_t by_tokens =
        settings_.max_num_tokens / (1 + settings_.speculation.draft_tokens);
    const std::uint64_t bound =
        std::max<std::uint64_t>(1, std::min(settings_.max_batch_size, by_tokens));
    const bool beyond = !sizes.empty() && sizes.back() > bound;
    std::erase_if(sizes, [&](std::uint64_t size) { return size > bound; });
    if (beyond && padding && (sizes.empty() || sizes.back() != bound)) {
      sizes.push_back(bound);
    }
  }

  /// The kernels of experts that lay out each chosen expert's inputs: those of TRTLLM and DEEPGEMM.
  void read_experts() {
    const std::string name = flags_.text("moe-config.backend").value_or("AUTO");
    if (!model_.moe() || !pytorch()) {
      return;
    }
    settings_.routed_workspace = name == "TRTLLM" || name == "DEEPGEMM";
    settings_.wide_expert_tiles = name == "TRTLLM" || name == "CUTEDSL";
    if (name == "AUTO" && number() >= kAutoMoe) {
      const std::uint32_t generation = inputs_.device.compute_capability / 10;
      settings_.routed_workspace = generation == 10 && model_.quantization.quantized();
      settings_.wide_expert_tiles = settings_.routed_workspace;
      assume(worded({"The experts' kernels are chosen by the engine: ",
                     (settings_.routed_workspace ? "TRTLLM" : "CUTLASS"),
                     " for this card and format."}));
    }
  }

  void read_transfer() {
    const auto tokens =
        flags_.whole("cache-transceiver-config.max-tokens-in-buffer", 1, kMostTokens);
    const auto backend = flags_.text("cache-transceiver-config.backend");
    if (tokens || backend) {
      settings_.transfer_tokens = tokens.value_or(settings_.max_seq_len);
      if (!tokens) {
        assume(
            "No max_tokens_in_buffer given: a transfer buffer holds a request of the maximum "
            "length.");
      }
    }
  }

  void read_env() {
    constexpr std::array<std::string_view, 4> kUnmodelled = {
        "TRTLLM_USE_PY_MAMBA", "TLLM_MAMBA_MANAGER_PREFERENCE", "TRTLLM_USE_UCX_KVCACHE",
        "TRTLLM_MOE_ENABLE_ALLTOALL_WITHOUT_ALLGATHER"};
    for (const auto& [name, value] : inputs_.env) {
      if (name == "TRTLLM_SKIP_KV_CACHE_ESTIMATION") {
        settings_.dry_run = settings_.dry_run && (value.empty() || value == "0");
      } else if (name == "TRTLLM_WINDOW_SIZE_SHARES") {
        read_shares(value);
      } else if (std::find(kUnmodelled.begin(), kUnmodelled.end(), name) != kUnmodelled.end()) {
        fail("unmodelled_env",
             worded(
                 {name,
                  " changes memory in a way this version does not compute. Leave it out to see the "
                  "estimate without it."}),
             worded({"engine.env.", name}));
      } else {
        assume(worded(
            {"The environment variable ", json::excerpt(name, 60), " is not taken into account."}));
      }
    }
  }

  void read_shares(const std::string& text) {
    double sum = 0;
    bool valid = text.size() < 1000;
    for (const double share : share_list(text)) {
      settings_.window_shares.push_back(share);
      sum += share;
      valid = valid && share > 0 && share <= 1;
    }
    if (!valid || !(std::abs(sum - 1.0) < 0.01)) {
      fail(
          "bad_value",
          "TRTLLM_WINDOW_SIZE_SHARES must be shares such as 0.4,0.6 that sum to 1, smallest window "
          "first.",
          "engine.env.TRTLLM_WINDOW_SIZE_SHARES");
    }
  }

  /// Decimals between commas; what is none gives 0, which the caller refuses.
  static std::vector<double> share_list(std::string_view text) {
    std::vector<double> shares;
    while (shares.size() < 100) {
      const std::size_t comma = std::min(text.find(','), text.size());
      shares.push_back(decimal_of(text.substr(0, comma)));
      if (comma == text.size()) {
        break;
      }
      text.remove_prefix(comma + 1);
    }
    return shares;
  }

  static double decimal_of(std::string_view text) {
    double value = 0;
    double unit = 0;
    for (const char c : text) {
      if (c >= '0' && c <= '9' && unit == 0) {
        value = value * 10 + (c - '0');
      } else if (c >= '0' && c <= '9') {
        value += unit * (c - '0');
        unit /= 10;
      } else if (c == '.' && unit == 0) {
        unit = 0.1;
      } else if (c != ' ') {
        return 0;
      }
    }
    return value;
  }

  const Inputs& inputs_;
  const model::ModelSpec& model_;
  const std::vector<FlagValue>& options_;
  FlagReader flags_;
  Settings settings_;
  std::optional<Error> error_;
};

}  // namespace

std::vector<std::uint64_t> graph_sizes(std::uint64_t largest, bool padding) {
  std::vector<std::uint64_t> sizes;
  if (padding) {
    sizes = {1, 2, 4};
    for (std::uint64_t i = 8; i <= 128; i += 8) {
      sizes.push_back(i);
    }
  } else {
    for (std::uint64_t i = 1; i <= 32; ++i) {
      sizes.push_back(i);
    }
    sizes.push_back(64);
    sizes.push_back(128);
  }
  for (std::uint64_t power = 256; power < largest; power *= 2) {
    sizes.push_back(power);
  }
  std::erase_if(sizes, [&](std::uint64_t size) { return size > largest; });
  if (sizes.empty() || sizes.back() != largest) {
    sizes.push_back(largest);
  }
  return sizes;
}

Result<Settings> read_settings(const Inputs& inputs, const std::vector<FlagValue>& options) {
  auto version = parse_version(inputs.version);
  if (!version) {
    return version.error();
  }
  return SettingsReader(inputs, options, std::move(version.value())).read();
}

}  // namespace ridgepoint::engine::trtllm
