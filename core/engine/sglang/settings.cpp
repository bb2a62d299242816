#include "engine/sglang/settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/flag_reader.hpp"
#include "engine/sglang/architectures.hpp"
#include "engine/sglang/attention_backend.hpp"
#include "engine/sglang/flags.hpp"
#include "engine/sglang/graphs.hpp"
#include "json/fields.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::sglang {
namespace {

using precision::Dtype;
using precision::KvFormat;

constexpr std::uint64_t kMostRanks = 1U << 16U;
constexpr std::uint64_t kMostTokens = 1ULL << 32U;
constexpr std::uint64_t kMostRequests = 1U << 20U;
constexpr std::uint64_t kDefaultLength = 2048;
constexpr std::uint64_t kMiB = 1U << 20U;

struct DraftDefaults {
  std::uint64_t steps;
  std::uint64_t topk;
  std::uint64_t tokens;
};

/// Source: SGLang 0.5.17 server_args.py, auto_choose_speculative_params.
DraftDefaults draft_defaults(const model::ModelSpec& model) {
  constexpr std::array<std::string_view, 2> kBushy = {"LlamaForCausalLM", "Grok1ForCausalLM"};
  if (std::find(kBushy.begin(), kBushy.end(), model.architecture) != kBushy.end()) {
    return {5, 4, 8};
  }
  return model.latent() || model.moe() ? DraftDefaults{3, 1, 4} : DraftDefaults{5, 4, 8};
}

/// Builds the settings of one request, step by step; the first error stops the later steps.
class SettingsReader {
 public:
  SettingsReader(const Inputs& inputs, Version version)
      : inputs_(inputs), model_(inputs.model), flags_(inputs.args, flags(), version.number) {
    settings_.version = std::move(version);
    // One figure in MiB as nvidia-smi prints it.
    settings_.gpu_mib = std::max<std::uint64_t>(
        1, std::max(inputs.device.driver_total_bytes, inputs.device.total_bytes) / kMiB);
  }

  Result<Settings> read() {
    if (!inputs_.adapters.empty()) {
      return Error{"not_supported",
                   "model.adapters is not computed by this version for SGLang. Leave it out to see "
                   "the estimate without it.",
                   "model.adapters"};
    }
    say_version();
    for (const auto step :
         {&SettingsReader::read_parallelism, &SettingsReader::read_attention_groups,
          &SettingsReader::read_experts, &SettingsReader::check_divisible,
          &SettingsReader::read_dtype, &SettingsReader::read_backend,
          &SettingsReader::read_kv_format, &SettingsReader::read_quantization,
          &SettingsReader::read_lengths, &SettingsReader::read_batch, &SettingsReader::read_draft,
          &SettingsReader::read_page_size, &SettingsReader::read_graphs,
          &SettingsReader::read_pools, &SettingsReader::read_states, &SettingsReader::read_fraction,
          &SettingsReader::divide_chunk, &SettingsReader::read_env}) {
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
  [[nodiscard]] std::uint32_t number() const { return settings_.version.number; }
  [[nodiscard]] bool nvidia() const { return inputs_.device.vendor == "nvidia"; }
  [[nodiscard]] std::uint32_t generation() const { return inputs_.device.compute_capability / 10; }
  void assume(std::string text) { settings_.assumptions.push_back(std::move(text)); }
  void fail(std::string code, std::string message, std::string path) {
    if (!error_) {
      error_ = Error{std::move(code), std::move(message), std::move(path)};
    }
  }
  [[nodiscard]] bool on(std::string_view flag) { return flags_.boolean(flag).value_or(false); }

  void say_version() {
    const Version& version = settings_.version;
    if (inputs_.version.empty()) {
      assume(worded({"No engine version given: SGLang ", version.text, ", the newest covered."}));
    } else if (version.nearest_rules) {
      assume(worded({"SGLang ", version.text,
                     " is newer than covered or a development build: the rules of 0.",
                     version.number / 1000, ".", version.number % 1000,
                     " are used, with wider ranges."}));
    }
  }

  void read_parallelism() {
    const auto tp = flags_.whole("tensor-parallel-size", 1, kMostRanks);
    const auto pp = flags_.whole("pipeline-parallel-size", 1, kMostRanks);
    const auto dp = flags_.whole("data-parallel-size", 1, kMostRanks);
    settings_.data_parallel_attention = on("enable-dp-attention") && dp.value_or(1) > 1;
    Parallelism& p = settings_.parallelism;
    p.tensor = tp.value_or(1);
    p.pipeline = pp.value_or(1);
    p.data = dp.value_or(1);
    if (!inputs_.gpu_count || flags_.error()) {
      return;
    }
    const std::uint64_t count = *inputs_.gpu_count;
    const bool grouped_attention = settings_.data_parallel_attention;
    if (!tp && !pp && (!dp || grouped_attention)) {
      p.tensor = count;
      if (count > 1) {
        assume(worded({"No parallel flag given: --tp-size ", count, ", the number of cards."}));
      }
      return;
    }
    // The groups of data-parallel attention are cut out of the tensor-parallel ranks.
    const std::uint64_t cards = p.tensor * p.pipeline * (grouped_attention ? 1 : p.data);
    if (cards != count) {
      fail("bad_parallelism",
           worded({"gpu.count is ", count, ", and --tp-size x --pp-size",
                   (grouped_attention ? "" : " x --dp-size"), " is ", cards, "; make them agree."}),
           "gpu.count");
    }
  }

  void read_attention_groups() {
    const Parallelism& p = settings_.parallelism;
    context_ranks_ = flags_.whole("attention-context-parallel-size", 1, kMostRanks).value_or(1);
    const std::uint64_t groups = (settings_.data_parallel_attention ? p.data : 1) * context_ranks_;
    if (p.tensor % groups != 0) {
      fail("bad_parallelism",
           worded({"--tp-size ", p.tensor, " is not a multiple of the ", groups,
                   " groups of its attention."}),
           settings_.data_parallel_attention ? "engine.args.data-parallel-size"
                                             : "engine.args.attention-context-parallel-size");
      return;
    }
    settings_.attention_tensor = p.tensor / groups;
    settings_.head_by_group = on("enable-dp-lm-head");
  }

  void read_experts() {
    Parallelism& p = settings_.parallelism;
    settings_.deepep =
        flags_.text("moe-a2a-backend").value_or("none") == "deepep" || on("enable-deepep-moe");
    const auto given = flags_.whole("expert-parallel-size", 1, kMostRanks);
    const bool all_ranks = settings_.deepep || on("enable-ep-moe");
    settings_.expert_ranks = all_ranks ? p.tensor : given.value_or(1);
    p.expert = settings_.expert_ranks > 1;
    if (p.tensor % settings_.expert_ranks != 0) {
      fail("bad_parallelism",
           worded({"--ep-size ", settings_.expert_ranks, " does not divide --tp-size ", p.tensor,
                   "."}),
           "engine.args.expert-parallel-size");
      return;
    }
    settings_.dense_tensor = flags_.whole("moe-dense-tp-size", 1, kMostRanks).value_or(p.tensor);
    if (p.tensor % settings_.dense_tensor != 0) {
      fail("bad_parallelism",
           worded({"--moe-dense-tp-size ", settings_.dense_tensor, " does not divide --tp-size ",
                   p.tensor, "."}),
           "engine.args.moe-dense-tp-size");
    }
  }

  void bad_split(std::string_view what, std::uint64_t size, std::uint64_t ranks) {
    fail("bad_parallelism",
         worded({"The model's ", what, " (", size, ") cannot be divided over ", ranks,
                 " ranks; choose a divisor."}),
         flags_.given("tensor-parallel-size") ? "engine.args.tensor-parallel-size"
                                              : std::string("gpu.count"));
  }

  void check_divisible() {
    const Parallelism& p = settings_.parallelism;
    if (p.pipeline > model_.layers.size()) {
      fail("bad_parallelism",
           worded({"--pp-size ", p.pipeline, " is more stages than the ", model_.layers.size(),
                   " layers of the model; use fewer."}),
           "engine.args.pipeline-parallel-size");
      return;
    }
    const std::uint64_t ranks = settings_.attention_tensor;
    for (const model::Layer& layer : model_.layers) {
      const model::Attention& a = layer.attention;
      if (a.kind != model::AttentionKind::none && a.num_attention_heads % ranks != 0) {
        bad_split("num_attention_heads", a.num_attention_heads, ranks);
        return;
      }
      const model::State& s = layer.state;
      for (const auto& [what, size] : {std::pair("number of state heads", s.heads),
                                       std::pair("number of state key heads", s.key_heads),
                                       std::pair("state width", s.inner_size)}) {
        if (size % ranks != 0) {
          bad_split(what, size, ranks);
          return;
        }
      }
      const model::FeedForward& f = layer.feed_forward;
      if (f.moe() && f.num_experts % settings_.expert_ranks != 0) {
        bad_split("number of experts", f.num_experts, settings_.expert_ranks);
        return;
      }
    }
  }

  void read_dtype() {
    const std::string name = flags_.text("dtype").value_or("auto");
    if (name == "half" || name == "float16") {
      settings_.dtype = Dtype::float16;
    } else if (name == "float" || name == "float32") {
      settings_.dtype = Dtype::float32;
    } else if (name == "bfloat16") {
      settings_.dtype = Dtype::bfloat16;
    } else {
      settings_.dtype = model_.dtype;
      if (model_.dtype == Dtype::float32) {
        settings_.dtype = Dtype::float16;
        assume("A float32 checkpoint is loaded as float16, as --dtype auto does.");
      }
    }
    const std::uint32_t capability = inputs_.device.compute_capability;
    if (settings_.dtype == Dtype::bfloat16 && nvidia() && capability != 0 && capability < 80) {
      settings_.dtype = Dtype::float16;
      assume("The card has no bfloat16 (compute capability below 8.0): SGLang takes float16.");
    }
  }

  [[nodiscard]] bool latent_without_index() const {
    return model_.latent() && !sparse_latent(model_);
  }

  void read_backend() {
    const auto given = flags_.text("attention-backend");
    settings_.attention_backend =
        given ? *given
              : std::string(default_attention_backend(model_, inputs_.device,
                                                      settings_.attention_tensor, number()));
    if (!given && settings_.attention_backend != "flashinfer") {
      assume(worded({"Attention backend ", settings_.attention_backend,
                     ", this version's choice for the model and card."}));
    }
  }

  void read_kv_format() {
    const std::string name = flags_.text("kv-cache-dtype").value_or("auto");
    KvFormat& format = settings_.kv_format;
    if (name == "auto") {
      format = automatic_kv_format();
    } else if (name == "mxfp8") {
      format = KvFormat::mxfp8;
    } else if (name == "fp4_e2m1" || name == "nvfp4" || name == "fp4_mx_block16") {
      format = KvFormat::nvfp4;
    } else if (name == "fp8_e4m3" || name == "fp8_e5m2") {
      format = KvFormat::fp8;
    }
    if (model_.latent() && format == KvFormat::mxfp8) {
      flags_.fail("bad_flag", "kv-cache-dtype",
                  "--kv-cache-dtype mxfp8 does not exist for latent (MLA) attention.");
    }
    if (format == KvFormat::fp8 && sparse_latent(model_) && !plain_sparse_rows()) {
      format = KvFormat::fp8_ds_mla;
      assume("Sparse attention keeps FP8 rows of 656 bytes a token and layer.");
    }
  }

  [[nodiscard]] KvFormat automatic_kv_format() {
    if (sparse_latent(model_)) {
      const bool fp8 = generation() == 10;
      assume(fp8 ? "KV dtype auto means fp8_e4m3 for sparse attention on this card."
                 : "KV dtype auto means bfloat16 for sparse attention on this card.");
      return fp8 ? KvFormat::fp8 : KvFormat::model_dtype;
    }
    if (model_.quantization.kv_cache) {
      assume(worded({"The checkpoint asks for a ",
                     precision::kv_format_name(*model_.quantization.kv_cache), " KV cache."}));
      return *model_.quantization.kv_cache;
    }
    return KvFormat::model_dtype;
  }

  /// TensorRT-LLM's sparse kernels keep rows without scales.
  [[nodiscard]] bool plain_sparse_rows() {
    const auto prefill = flags_.text("dsa-prefill-backend");
    const auto decode = flags_.text("dsa-decode-backend");
    if (!prefill && !decode) {
      return (generation() == 10 && number() >= 5009) || inputs_.device.vendor == "amd";
    }
    return prefill.value_or("") == "trtllm" || decode.value_or("") == "trtllm";
  }

  void read_quantization() {
    const auto name = flags_.text("quantization");
    if (!name) {
      return;
    }
    settings_.quantization = *name;
    if (model_.quantization.method.empty() && *name != "fp8" && *name != "bitsandbytes" &&
        *name != "unquant") {
      flags_.fail(
          "bad_flag", "quantization",
          worded({"The config has no quantization_config, and what --quantization ", *name,
                  " makes of a plain checkpoint is not computed (fp8 and bitsandbytes are). "
                  "Give the config of the quantised checkpoint."}));
    }
  }

  [[nodiscard]] bool env_is_set(std::string_view name) const {
    return std::any_of(inputs_.env.begin(), inputs_.env.end(), [&](const auto& entry) {
      return entry.first == name && !entry.second.empty() && entry.second != "0" &&
             entry.second != "false";
    });
  }

  void read_lengths() {
    const std::uint64_t derived = derived_context_length(model_);
    if (inputs_.workload.context && *inputs_.workload.context > kMostTokens) {
      fail("bad_value", "workload.context is beyond 2^32 tokens.", "workload.context");
      return;
    }
    settings_.context_length = derived;
    if (const auto flag = flags_.whole("context-length", 1, kMostTokens)) {
      if (*flag > derived && !env_is_set("SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN")) {
        settings_.length_refusal = worded(
            {"SGLang refuses --context-length ", *flag, ": the model's config allows ", derived,
             " tokens. Lower it, or set SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1."});
      }
      settings_.context_length = *flag;
    } else if (inputs_.workload.context) {
      settings_.context_length = std::min(*inputs_.workload.context, derived);
      assume(worded({"No --context-length given: the length asked about, ",
                     settings_.context_length, " tokens."}));
    } else {
      assume(worded({"No length given: the model's own, ", derived, " tokens."}));
    }
    settings_.context = inputs_.workload.context.value_or(settings_.context_length);
  }

  /// A whole number, or -1 which switches chunking off.
  std::optional<std::uint64_t> given_chunk() {
    const auto value = flags_.number("chunked-prefill-size", -1, 4294967296.0);
    if (!value) {
      return std::nullopt;
    }
    if (*value < 0) {
      return 0;
    }
    const auto whole = static_cast<std::uint64_t>(*value);
    if (static_cast<double>(whole) != *value || whole == 0) {
      flags_.fail("bad_flag", "chunked-prefill-size",
                  "--chunked-prefill-size takes a whole number above 0, or -1 for none.");
    }
    return whole;
  }

  void read_batch() {
    settings_.radix_cache = !on("disable-radix-cache");
    settings_.overlap = !on("disable-overlap-schedule");
    const auto chunk = given_chunk();
    settings_.chunk = chunk.value_or(default_chunk(number(), settings_.gpu_mib));
    if (!chunk) {
      assume(worded({"--chunked-prefill-size ", settings_.chunk, ", the default of a card with ",
                     grouped(settings_.gpu_mib), " MiB."}));
    }
    settings_.max_prefill_tokens =
        flags_.whole("max-prefill-tokens", 1, kMostTokens).value_or(16384);
    settings_.max_running_requests = flags_.whole("max-running-requests", 1, kMostRequests);
    settings_.max_total_tokens = flags_.whole("max-total-tokens", 1, kMostTokens);
    settings_.symmetric_memory = on("enable-symm-mem");
    if (!settings_.max_running_requests && model_.has(model::AttentionKind::compressed)) {
      settings_.max_running_requests = 256;
      assume("--max-running-requests 256, this architecture's default.");
    }
  }

  void read_draft() {
    DraftSettings& draft = settings_.draft;
    const auto name = flags_.text("speculative-algorithm");
    if (!name) {
      if (inputs_.draft != nullptr) {
        fail("bad_flag",
             "model.draft is given without --speculative-algorithm; say which one uses it.",
             "engine.args.speculative-algorithm");
      }
      return;
    }
    draft.speculation = *name == "STANDALONE"                    ? Speculation::standalone
                        : *name == "NGRAM"                       ? Speculation::ngram
                        : *name == "DFLASH" || *name == "DSPARK" ? Speculation::dflash
                                                                 : Speculation::eagle;
    const DraftDefaults defaults =
        draft.speculation == Speculation::ngram ? DraftDefaults{0, 0, 12} : draft_defaults(model_);
    draft.steps = flags_.whole("speculative-num-steps", 0, 1024).value_or(defaults.steps);
    draft.topk = flags_.whole("speculative-eagle-topk", 0, 1024).value_or(defaults.topk);
    draft.tokens = flags_.whole("speculative-num-draft-tokens", 1, 4096)
                       .value_or(draft.topk == 1 ? draft.steps + 1 : defaults.tokens);
    if (draft.speculation != Speculation::ngram) {
      read_draft_layers(*name);
    }
    if (!settings_.max_running_requests) {
      settings_.max_running_requests = 48;
      assume("--max-running-requests 48, the default with speculative decoding.");
    }
    if (!flags_.given("speculative-num-draft-tokens")) {
      assume(worded({"Speculative decoding: ", draft.steps, " steps, top-k ", draft.topk, ", ",
                     draft.tokens, " draft tokens."}));
    }
  }

  void read_draft_layers(const std::string& algorithm) {
    DraftSettings& draft = settings_.draft;
    if (inputs_.draft != nullptr) {
      draft.own_model = true;
      draft.layers = inputs_.draft->model.layers.size();
    } else if (draft.speculation == Speculation::eagle && !model_.mtp.layers.empty()) {
      draft.layers = model_.mtp.layers.size();
      assume(worded(
          {"The draft is the model's own prediction layer", draft.layers == 1 ? "." : "s."}));
    } else {
      fail("bad_flag",
           worded({"--speculative-algorithm ", algorithm,
                   " needs a draft model: give its config as model.draft."}),
           "engine.args.speculative-algorithm");
    }
  }

  void read_page_size() {
    const std::string& backend = settings_.attention_backend;
    const std::uint64_t usual = backend_page_size(backend, model_.latent());
    const auto given = flags_.whole("page-size", 1, 65536);
    settings_.page_size = given.value_or(usual);
    const bool fixed = backend_fixes_page_size(backend);
    if (given && fixed && *given != usual) {
      settings_.page_size = usual;
      assume(
          worded({"The ", settings_.attention_backend, " backend sets --page-size ", usual, "."}));
    } else if (!given && usual != 1) {
      assume(worded(
          {"--page-size ", usual, ", set by the ", settings_.attention_backend, " backend."}));
    }
  }

  void read_graphs() {
    if (!on("disable-cuda-graph")) {
      const auto list = flags_.list("cuda-graph-bs");
      const std::uint64_t most = flags_.whole("cuda-graph-max-bs", 1, kMostRequests)
                                     .value_or(default_graph_most(number(), settings_.gpu_mib,
                                                                  settings_.parallelism.tensor));
      const bool speculative = settings_.draft.speculation != Speculation::none && number() >= 5003;
      settings_.decode_graphs =
          list ? *list
               : decode_sizes(most, speculative, on("disable-cuda-graph-padding"), number());
      decode_graph_most_ = list ? *std::max_element(list->begin(), list->end()) : most;
    }
    read_prefill_graphs();
  }

  [[nodiscard]] bool prefill_graphs_by_default() const {
    const bool unsuitable = latent_without_index() ||
                            model_.has(model::AttentionKind::compressed) || context_ranks_ > 1 ||
                            model_.architecture.starts_with("NemotronH") || model_.vision.present;
    return number() >= 5010 && nvidia() && !unsuitable;
  }

  void read_prefill_graphs() {
    const bool forced = on("enable-piecewise-cuda-graph") || on("enforce-piecewise-cuda-graph");
    const bool refused = on("disable-piecewise-cuda-graph") || on("enable-two-batch-overlap") ||
                         on("disable-cuda-graph");
    const auto list = flags_.list("piecewise-cuda-graph-tokens");
    const std::uint64_t usual =
        model_.latent() ? 2048 : (settings_.chunk == 0 ? 8192 : settings_.chunk);
    const std::uint64_t most =
        flags_.whole("piecewise-cuda-graph-max-tokens", 1, kMostRequests)
            .value_or(number() >= 5010 ? usual : std::min<std::uint64_t>(usual, 4096));
    if (!refused && (forced || prefill_graphs_by_default())) {
      settings_.prefill_graphs = list ? *list : prefill_sizes(most);
    }
  }

  void read_pools() {
    settings_.window_pools =
        pools_windows(model_, number()) && model_.windowed() && !on("disable-hybrid-swa-memory");
    const bool compressed = model_.has(model::AttentionKind::compressed);
    const bool narrow = compressed || model_.architecture.starts_with("Inkling");
    settings_.swa_full_tokens_ratio =
        flags_.number("swa-full-tokens-ratio", 0.0001, 1.0).value_or(narrow ? 0.1 : old_ratio());
    if (!settings_.window_pools && model_.windowed() && !compressed) {
      assume("SGLang caches the windowed layers of this architecture at full length.");
    }
  }

  /// Llama 4's ratio followed from its chunks before 2026.
  [[nodiscard]] double old_ratio() const {
    const model::Attention* chunked = nullptr;
    for (const model::Layer& layer : model_.layers) {
      if (layer.attention.kind == model::AttentionKind::chunked) {
        chunked = &layer.attention;
      }
    }
    if (chunked == nullptr || number() >= 5008) {
      return 0.8;
    }
    return std::clamp(
        static_cast<double>(chunked->window) / static_cast<double>(settings_.context_length),
        0.0001, 1.0);
  }

  void read_states() {
    StateSettings& state = settings_.state;
    state.max_mamba_cache_size = flags_.whole("max-mamba-cache-size", 1, kMostRequests);
    const double usual = number() < 5004                              ? 0.2
                         : model_.architecture.starts_with("Inkling") ? 0.1
                                                                      : 0.9;
    state.full_memory_ratio =
        flags_.number("mamba-full-memory-ratio", 0.001, 1000.0).value_or(usual);
    state.float32 = flags_.text("mamba-ssm-dtype").value_or("float32") == "float32";
    const std::string strategy = flags_.text("mamba-scheduler-strategy").value_or("auto");
    const bool automatic = number() >= 5013 && keeps_extra_states(model_);
    const bool extra = strategy == "extra_buffer" || strategy == "extra_buffer_lazy" ||
                       (strategy == "auto" && automatic && settings_.overlap);
    const std::uint64_t more =
        !extra ? 0 : (settings_.overlap && strategy != "extra_buffer_lazy" ? 2 : 1);
    state.slots_per_request = settings_.radix_cache ? 3 + more : 1;
    if (model_.stateful() && strategy == "auto") {
      assume(worded({"--mamba-scheduler-strategy auto is ", (extra ? "extra_buffer" : "no_buffer"),
                     " here: ", state.slots_per_request, " states a running request."}));
    }
  }

  [[nodiscard]] bool serves_pictures() {
    if (on("language-only") || !model_.vision.present) {
      return false;
    }
    return flags_.boolean("enable-multimodal").value_or(multimodal_by_default(model_, number()));
  }

  FractionInputs fraction_inputs() {
    FractionInputs in;
    in.number = number();
    in.gpu_mib = settings_.gpu_mib;
    in.tensor = settings_.parallelism.tensor;
    in.pipeline = settings_.parallelism.pipeline;
    in.attention_data = settings_.data_parallel_attention ? settings_.parallelism.data : 1;
    in.chunk = settings_.chunk;
    in.max_prefill_tokens = settings_.max_prefill_tokens;
    in.decode_graph_most = decode_graph_most_;
    in.prefill_graphs = settings_.prefill_graphs.size();
    in.max_running_requests = settings_.max_running_requests;
    in.draft_tokens = std::max<std::uint64_t>(1, settings_.draft.tokens);
    in.speculation = settings_.draft.speculation;
    const std::string mode = flags_.text("disaggregation-mode").value_or("null");
    in.role = mode == "prefill" ? Role::prefill : mode == "decode" ? Role::decode : Role::whole;
    in.latent = model_.latent();
    in.deepep = settings_.deepep;
    in.nvidia = nvidia();
    if (serves_pictures()) {
      in.vision = VisionSize{model_.vision.num_hidden_layers, model_.vision.hidden_size};
    }
    return in;
  }

  void read_fraction() {
    const FractionInputs in = fraction_inputs();
    settings_.fraction = default_static_fraction(in);
    const auto given = flags_.number("mem-fraction-static", 0.01, 0.9999);
    settings_.fraction_given = given.has_value();
    double fraction = given.value_or(settings_.fraction.value);
    if (!given && fraction <= 0.01) {
      fail("bad_value",
           "The card is too small for SGLang's default --mem-fraction-static; give one.",
           "engine.args.mem-fraction-static");
      return;
    }
    if (in.vision) {
      settings_.late_factor *= old_multimodal_factor(number());
    }
    if (settings_.attention_backend == "aiter" && settings_.context_length > 8192) {
      settings_.late_factor *= 0.85;
      assume("The aiter backend takes 0.85 of the static fraction above 8,192 tokens.");
    }
    fraction *= settings_.late_factor;
    settings_.mem_fraction_static = fraction;
    if (!given) {
      assume(worded({"--mem-fraction-static ", decimal(fraction),
                     ", the default of this version for the card and the batch sizes."}));
    }
  }

  /// Groups of data-parallel attention share the chunk; the fraction was made before.
  void divide_chunk() {
    if (settings_.data_parallel_attention && settings_.chunk != 0) {
      settings_.chunk = std::max<std::uint64_t>(1, settings_.chunk / settings_.parallelism.data);
    }
  }

  /// Environment variables: followed, known to change memory in ways not computed (an error), or
  /// named as not taken into account.
  void read_env() {
    constexpr std::array<std::string_view, 8> kUnmodelled = {"SGLANG_ENABLE_POST_CAPTURE_KV_SIZING",
                                                             "SGLANG_PP_LAYER_PARTITION",
                                                             "SGLANG_MAMBA_CONV_DTYPE",
                                                             "SGLANG_OPT_USE_ONLINE_COMPRESS",
                                                             "SGLANG_DSV4_COMPRESS_STATE_DTYPE",
                                                             "SGLANG_OPT_MAMBA_SKIP_DECODE_LOCK",
                                                             "SGLANG_SWA_EVICTION_INTERVAL",
                                                             "SGLANG_MAMBA_SSM_DTYPE"};
    for (const auto& [name, value] : inputs_.env) {
      const bool known =
          std::find(kUnmodelled.begin(), kUnmodelled.end(), name) != kUnmodelled.end();
      if (known && !value.empty() && value != "0" && value != "false") {
        fail("unmodelled_env",
             worded({name,
                     " changes memory in a way this version does not compute. Leave it out to see "
                     "the estimate without it."}),
             worded({"engine.env.", name}));
      } else if (!known && name != "SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN") {
        assume(worded(
            {"The environment variable ", json::excerpt(name, 60), " is not taken into account."}));
      }
    }
  }

  const Inputs& inputs_;
  const model::ModelSpec& model_;
  FlagReader flags_;
  Settings settings_;
  std::uint64_t context_ranks_ = 1;
  std::uint64_t decode_graph_most_ = 0;
  std::optional<Error> error_;
};

}  // namespace

std::uint64_t derived_context_length(const model::ModelSpec& spec) {
  const std::uint64_t claimed = model::claimed_context(spec);
  if (claimed == 0) {
    return kDefaultLength;
  }
  const std::string& type = spec.rope.type;
  if (type == "llama3" || type == "longrope" || spec.rope.length_is_scaled) {
    return claimed;
  }
  double length = static_cast<double>(claimed);
  if (type == "yarn" && spec.rope.original_max_position_embeddings != 0) {
    length = static_cast<double>(spec.rope.original_max_position_embeddings);
  }
  return static_cast<std::uint64_t>(std::min(length * std::max(spec.rope.factor, 1.0), 4e9));
}

Result<Settings> read_settings(const Inputs& inputs) {
  auto version = parse_version(inputs.version);
  if (!version) {
    return version.error();
  }
  return SettingsReader(inputs, std::move(version.value())).read();
}

}  // namespace ridgepoint::engine::sglang
