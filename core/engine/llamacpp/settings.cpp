#include "engine/llamacpp/settings.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/flag_reader.hpp"
#include "engine/llamacpp/constants.hpp"
#include "engine/llamacpp/flags.hpp"
#include "json/fields.hpp"
#include "json/writer.hpp"
#include "precision/name_pattern.hpp"
#include "wording.hpp"

namespace ridgepoint::engine::llamacpp {
namespace {

constexpr std::uint64_t kMostTokens = 1ULL << 28U;
constexpr std::uint64_t kMostBatch = 1ULL << 16U;
constexpr std::uint64_t kMostSlots = 256;
constexpr std::uint64_t kMostDevices = 16;
constexpr std::uint64_t kMostLayers = 1ULL << 20U;
constexpr std::size_t kMostOverrides = 128;
constexpr std::uint64_t kMiB = 1ULL << 20U;
constexpr std::uint64_t kDefaultLength = 4096;
constexpr std::string_view kCacheTypes = "f32 f16 bf16 q8_0 q4_0 q4_1 iq4_nl q5_0 q5_1";

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// "3", "0.5" as a number of at most nine digits; empty when it is none.
std::optional<double> small_number(std::string_view text) {
  double value = 0;
  double place = 0;
  std::size_t digits = 0;
  for (const char c : text) {
    if (c == '.' && place == 0 && digits != 0) {
      place = 1;
    } else if (c >= '0' && c <= '9' && digits < 9) {
      value = value * 10 + (c - '0');
      place *= 10;
      ++digits;
    } else {
      return std::nullopt;
    }
  }
  if (digits == 0) {
    return std::nullopt;
  }
  return place > 1 ? value / place : value;
}

/// Variables that stand for a flag that is not given (common/arg.cpp, set_env).
constexpr std::pair<std::string_view, std::string_view> kVariables[] = {
    {"LLAMA_ARG_CTX_SIZE", "ctx-size"},
    {"LLAMA_ARG_N_PARALLEL", "parallel"},
    {"LLAMA_ARG_KV_UNIFIED", "kv-unified"},
    {"LLAMA_ARG_KV_UNIFIED_PER_SLOT", "kv-unified-per-slot"},
    {"LLAMA_ARG_BATCH", "batch-size"},
    {"LLAMA_ARG_UBATCH", "ubatch-size"},
    {"LLAMA_ARG_CACHE_TYPE_K", "cache-type-k"},
    {"LLAMA_ARG_CACHE_TYPE_V", "cache-type-v"},
    {"LLAMA_ARG_FLASH_ATTN", "flash-attn"},
    {"LLAMA_ARG_SWA_FULL", "swa-full"},
    {"LLAMA_ARG_KV_OFFLOAD", "kv-offload"},
    {"LLAMA_ARG_N_GPU_LAYERS", "n-gpu-layers"},
    {"LLAMA_ARG_CPU_MOE", "cpu-moe"},
    {"LLAMA_ARG_N_CPU_MOE", "n-cpu-moe"},
    {"LLAMA_ARG_N_CPU_FFN", "n-cpu-ffn"},
    {"LLAMA_ARG_OVERRIDE_TENSOR", "override-tensor"},
    {"LLAMA_ARG_SPLIT_MODE", "split-mode"},
    {"LLAMA_ARG_TENSOR_SPLIT", "tensor-split"},
    {"LLAMA_ARG_MAIN_GPU", "main-gpu"},
    {"LLAMA_ARG_DEVICE", "device"},
    {"LLAMA_ARG_FIT", "fit"},
    {"LLAMA_ARG_FIT_TARGET", "fit-target"},
    {"LLAMA_ARG_FIT_CTX", "fit-ctx"},
    {"LLAMA_ARG_MODEL", "model"},
    {"LLAMA_ARG_MODEL_URL", "model-url"},
    {"LLAMA_ARG_HF_REPO", "hf-repo"},
    {"LLAMA_ARG_HF_FILE", "hf-file"},
    {"LLAMA_ARG_DOCKER_REPO", "docker-repo"},
    {"LLAMA_ARG_MMPROJ", "mmproj"},
    {"LLAMA_ARG_MMPROJ_URL", "mmproj-url"},
    {"LLAMA_ARG_EMBEDDINGS", "embedding"},
    {"LLAMA_ARG_RERANKING", "reranking"},
    {"LLAMA_ARG_SPEC_TYPE", "spec-type"},
    {"LLAMA_ARG_SPEC_DRAFT_N_MAX", "spec-draft-n-max"},
    {"LLAMA_ARG_SPEC_DRAFT_MODEL", "model-draft"},
};

/// A variable's text as a flag's value: switches are said in several ways.
FlagValue flag_of_variable(std::string_view name, const std::string& text) {
  const FlagFacts* facts = find_flag(flags(), name);
  FlagValue flag{std::string(name), text};
  if (facts != nullptr && facts->type == FlagType::boolean) {
    for (const std::string_view on : {"true", "1", "on", "enabled"}) {
      if (text == on) {
        flag.value = true;
      }
    }
    for (const std::string_view off : {"false", "0", "off", "disabled"}) {
      if (text == off) {
        flag.value = false;
      }
    }
  }
  return flag;
}

/// The flags of a request and, where a flag is not among them, the variable that stands for it.
std::vector<FlagValue> with_variables(const Inputs& inputs) {
  std::vector<FlagValue> all = inputs.args;
  const auto given = [&](std::string_view name) {
    return std::any_of(inputs.args.begin(), inputs.args.end(), [&](const FlagValue& flag) {
      const FlagFacts* facts = find_flag(flags(), flag.name);
      return facts != nullptr && (facts->name == name || facts->name == worded({"no-", name}));
    });
  };
  for (const auto& [variable, flag] : kVariables) {
    for (const auto& [name, text] : inputs.env) {
      if (name == variable && !given(flag)) {
        all.push_back(flag_of_variable(flag, text));
      }
    }
  }
  return all;
}

std::string text_of(const FlagValue& flag) {
  if (const auto* text = std::get_if<std::string>(&flag.value)) {
    return *text;
  }
  if (const auto* whole = std::get_if<std::int64_t>(&flag.value)) {
    return std::to_string(*whole);
  }
  if (const auto* real = std::get_if<double>(&flag.value)) {
    return json::number_text(*real);
  }
  return std::get<bool>(flag.value) ? "on" : "off";
}

/// Builds the settings of one request, step by step; the first error stops the later steps.
class SettingsReader {
 public:
  SettingsReader(const Inputs& inputs, Version version)
      : inputs_(inputs), args_(with_variables(inputs)), flags_(args_, flags(), version.build) {
    s_.version = std::move(version);
  }

  Result<Settings> read() {
    say_version();
    for (const auto step :
         {&SettingsReader::read_devices, &SettingsReader::read_shares, &SettingsReader::read_layers,
          &SettingsReader::read_overrides, &SettingsReader::read_batch, &SettingsReader::read_slots,
          &SettingsReader::read_cache, &SettingsReader::read_length, &SettingsReader::read_drafting,
          &SettingsReader::read_fit, &SettingsReader::read_model, &SettingsReader::read_rest}) {
      (this->*step)();
      if (error_) {
        return *error_;
      }
      if (flags_.error()) {
        return *flags_.error();
      }
    }
    return std::move(s_);
  }

 private:
  [[nodiscard]] std::uint32_t build() const { return s_.version.build; }
  [[nodiscard]] bool has(std::string_view rule) const { return has_rule(rule, build()); }
  void assume(std::string text) { s_.assumptions.push_back(std::move(text)); }

  void fail(std::string code, std::string message, std::string path) {
    if (!error_) {
      error_ = Error{std::move(code), std::move(message), std::move(path)};
    }
  }

  void bad_flag(std::string_view name, std::string message) {
    fail("bad_flag", std::move(message), path_of(name));
  }

  /// The flag as the request spells it.
  [[nodiscard]] std::string path_of(std::string_view name) const {
    for (const FlagValue& flag : inputs_.args) {
      const FlagFacts* facts = find_flag(flags(), flag.name);
      if (facts != nullptr && facts->name == name) {
        return worded({"engine.args.", json::excerpt(flag.name, 80)});
      }
    }
    return worded({"engine.args.", name});
  }

  /// The value as it was written, whatever its type.
  [[nodiscard]] std::optional<std::string> written(std::string_view name) const {
    for (const FlagValue& flag : args_) {
      const FlagFacts* facts = find_flag(flags(), flag.name);
      if (facts != nullptr && facts->name == name) {
        return text_of(flag);
      }
    }
    return std::nullopt;
  }

  /// "on", "off" and their like of a flag that also takes other words.
  std::optional<bool> on_or_off(std::string_view name) {
    const auto text = written(name);
    if (!text || *text == "auto" || *text == "-1") {
      return std::nullopt;
    }
    for (const std::string_view on : {"on", "1", "true", "True", "enabled", ""}) {
      if (*text == on) {
        return true;
      }
    }
    for (const std::string_view off : {"off", "0", "false", "False", "disabled"}) {
      if (*text == off) {
        return false;
      }
    }
    bad_flag(name, worded({"--", name, " takes on, off or auto, and \"", json::excerpt(*text, 40),
                           "\" is none."}));
    return std::nullopt;
  }

  bool switched(std::string_view name) { return flags_.boolean(name).value_or(false); }

  void say_version() {
    const Version& version = s_.version;
    if (inputs_.version.empty()) {
      assume(
          worded({"No engine version given: llama.cpp ", version.text, ", the newest covered."}));
    } else if (version.nearest_rules) {
      assume(worded({"llama.cpp ", version.text, " is newer than covered: the rules of b",
                     version.build, " are used, with wider ranges."}));
    }
  }

  void read_devices() {
    const std::uint64_t count = inputs_.gpu_count.value_or(1);
    const std::string mode = flags_.text("split-mode").value_or("layer");
    s_.split_mode = mode == "none"  ? SplitMode::none
                    : mode == "row" ? SplitMode::row
                                    : (mode == "tensor" ? SplitMode::tensor : SplitMode::layer);
    s_.devices = count;
    if (count > kMostDevices) {
      fail("bad_parallelism",
           worded({"llama.cpp works on at most 16 devices, and gpu.count is ", count, "."}),
           "gpu.count");
      return;
    }
    if (const auto list = flags_.text("device")) {
      const std::uint64_t named = *list == "none" ? 0 : split(*list, ",").size();
      if (named != count) {
        fail("bad_parallelism",
             *list == "none"
                 ? "--device none uses no card, and this estimate is of cards: leave it out."
                 : worded({"--device names ", named, " devices, and gpu.count is ", count,
                           "; make them agree."}),
             path_of("device"));
        return;
      }
    }
    if (s_.split_mode == SplitMode::none && count > 1) {
      fail("bad_parallelism",
           worded({"--split-mode none runs on one card, and gpu.count is ", count,
                   ": ask for one card."}),
           "gpu.count");
      return;
    }
    if (count > 1 && !flags_.given("split-mode")) {
      assume(
          worded({"No --split-mode given: layer, whole layers on each of the ", count, " cards."}));
    }
    s_.main_gpu = flags_.whole("main-gpu", 0, count - 1).value_or(0);
  }

  void read_shares() {
    const auto text = written("tensor-split");
    if (!text) {
      return;
    }
    double sum = 0;
    for (const std::string_view part : split(*text, ",/")) {
      const auto share = small_number(part);
      if (!share) {
        bad_flag("tensor-split", worded({"--tensor-split takes proportions such as 3,1, and \"",
                                         json::excerpt(*text, 40), "\" is none."}));
        return;
      }
      s_.shares.push_back(*share);
      sum += *share;
    }
    if (s_.shares.size() > s_.devices || sum <= 0) {
      fail("bad_parallelism",
           sum <= 0 ? std::string("--tensor-split gives no card a share.")
                    : worded({"--tensor-split has ", s_.shares.size(), " shares, and gpu.count is ",
                              s_.devices, "."}),
           path_of("tensor-split"));
      return;
    }
    s_.shares.resize(s_.devices, 0.0);
  }

  void read_layers() {
    const auto text = written("n-gpu-layers");
    if (!text) {
      if (has("all_layers")) {
        return;
      }
      s_.gpu_layers = 0;
      assume(worded({"No --n-gpu-layers given: 0 by default in ", s_.version.text,
                     ", the model stays in the machine's memory."}));
      return;
    }
    if (*text == "auto" || *text == "-1") {
      return;
    }
    if (*text == "all" || *text == "-2") {
      s_.gpu_layers = kMostLayers;
      return;
    }
    const auto number = small_number(*text);
    if (!number || *number != static_cast<double>(static_cast<std::uint64_t>(*number)) ||
        *number > static_cast<double>(kMostLayers)) {
      bad_flag("n-gpu-layers", worded({"--n-gpu-layers takes a whole number, auto or all, and \"",
                                       json::excerpt(*text, 40), "\" is none."}));
      return;
    }
    s_.gpu_layers = static_cast<std::uint64_t>(*number);
  }

  void read_overrides() {
    s_.cpu_moe_layers = flags_.whole("n-cpu-moe", 0, kMostLayers).value_or(0);
    if (switched("cpu-moe")) {
      s_.cpu_moe_layers = kMostLayers;
    }
    s_.cpu_ffn_layers = flags_.whole("n-cpu-ffn", 0, kMostLayers).value_or(0);
    const auto text = flags_.text("override-tensor");
    if (!text) {
      return;
    }
    for (const std::string_view part : split(*text, ",")) {
      const std::size_t equals = part.rfind('=');
      if (equals == std::string_view::npos || equals == 0) {
        bad_flag("override-tensor",
                 worded({"--override-tensor takes pattern=buffer pairs such as exps=CPU, and \"",
                         json::excerpt(part, 40), "\" is none."}));
        return;
      }
      if (!precision::expressions_here()) {
        error_ = not_here("What reads expressions", path_of("override-tensor"));
        return;
      }
      const std::string pattern = worded({".*(", std::string(part.substr(0, equals)), ")"});
      if (!precision::regex_is_understood(pattern)) {
        bad_flag("override-tensor",
                 worded({"The pattern \"", json::excerpt(part.substr(0, equals), 60),
                         "\" is beyond what this version reads of expressions."}));
        return;
      }
      if (s_.overrides.size() == kMostOverrides) {
        bad_flag("override-tensor", worded({"--override-tensor has more than ", kMostOverrides,
                                            " pairs; join patterns with |."}));
        return;
      }
      TensorOverride rule{precision::NameExpression(pattern)};
      const std::string_view buffer = part.substr(equals + 1);
      rule.to_host = buffer.starts_with("CPU") || buffer.ends_with("_Host");
      if (!rule.to_host) {
        const std::size_t digit = buffer.find_first_of("0123456789");
        const auto number = digit == std::string_view::npos ? std::optional(0.0)
                                                            : small_number(buffer.substr(digit));
        if (!number || *number >= static_cast<double>(s_.devices)) {
          bad_flag("override-tensor",
                   worded({"The buffer \"", json::excerpt(buffer, 40),
                           "\" is none of CPU, CUDA0 … of the cards asked about."}));
          return;
        }
        rule.device = static_cast<std::uint64_t>(*number);
      }
      s_.overrides.push_back(std::move(rule));
    }
  }

  void read_batch() {
    s_.batch = flags_.whole("batch-size", 1, kMostBatch).value_or(2048);
    s_.ubatch = flags_.whole("ubatch-size", 0, kMostBatch).value_or(512);
    s_.ubatch = s_.ubatch == 0 ? s_.batch : std::min(s_.batch, s_.ubatch);
    if (switched("embedding") || switched("reranking")) {
      s_.batch = s_.ubatch;
    }
  }

  void read_slots() {
    const auto text = written("parallel");
    std::optional<std::uint64_t> given;
    if (text && *text != "-1") {
      given = flags_.whole("parallel", 1, kMostSlots);
    }
    const auto unified =
        switched("no-kv-unified") ? std::optional(false) : flags_.boolean("kv-unified");
    s_.parallel_given = given.has_value();
    // Flags that the server does not have tell that it is the command-line tool.
    for (const std::string_view flag : {"prompt", "file", "conversation", "no-conversation",
                                        "interactive", "interactive-first", "single-turn"}) {
      command_line_ = command_line_ || flags_.given(flag);
    }
    if (command_line_) {
      assume("llama-cli by its flags: one sequence, and logits of every token of a micro-batch.");
    }
    if (given) {
      s_.parallel = *given;
    } else if (has("four_slots") && !command_line_) {
      s_.parallel = 4;
      assume(worded({"No --parallel given: four slots, the server's default since ",
                     first_build("four_slots"),
                     (inputs_.model.has(model::AttentionKind::compressed)
                          ? "; this model's caches are made for each of them."
                          : "; they share one cache.")}));
    }
    const bool automatic = !given && has("four_slots") && !command_line_;
    // DeepSeek-V4's caches are made for each sequence, whatever the flags say.
    const bool shareable = !inputs_.model.has(model::AttentionKind::compressed);
    s_.unified = shareable && (automatic || !has("streams") || unified.value_or(false));
    s_.shares_cells = has("four_slots") && s_.unified;
    if (s_.parallel == 1) {
      s_.shares_cells = true;
    }
  }

  [[nodiscard]] std::string first_build(std::string_view rule) const {
    return worded(
        {"b", static_cast<std::uint64_t>(constant(worded({"since_", rule}), build()).best)});
  }

  const GgmlType* cache_type(std::string_view flag) {
    const auto name = flags_.text(flag);
    if (!name) {
      return find_type("f16");
    }
    for (const std::string_view known : split(kCacheTypes, " ")) {
      if (*name == known) {
        return find_type(known);
      }
    }
    bad_flag(flag, worded({"--", flag, " takes one of ", kCacheTypes, ", and \"",
                           json::excerpt(*name, 40), "\" is none."}));
    return find_type("f16");
  }

  void read_cache() {
    s_.type_k = cache_type("cache-type-k");
    s_.type_v = cache_type("cache-type-v");
    const bool by_default = has("flash_auto");
    const auto flash = on_or_off("flash-attn");
    s_.flash = flash.value_or(by_default);
    const bool quantised_values = s_.type_v->block > 1;
    if (quantised_values && !s_.flash) {
      bad_flag("cache-type-v",
               "llama.cpp refuses a quantised V cache without flash attention: add --flash-attn "
               "on, or leave --cache-type-v out.");
      return;
    }
    if (!flash) {
      assume(by_default
                 ? "No --flash-attn given: auto, which takes it on this card."
                 : worded({"No --flash-attn given: off by default in ", s_.version.text, "."}));
    }
    s_.swa_full = switched("swa-full");
    s_.kv_offload = !switched("no-kv-offload") && flags_.boolean("kv-offload").value_or(true);
    s_.op_offload = !switched("no-op-offload") && flags_.boolean("op-offload").value_or(true);
    // Rows of a cache are whole blocks of its format.
    for (const model::Layer& layer : inputs_.model.layers) {
      check_rows(layer.attention);
    }
  }

  void check_rows(const model::Attention& a) {
    if (!a.caches()) {
      return;
    }
    const bool latent = a.kind == model::AttentionKind::latent && !a.cached_per_head;
    const std::uint64_t key = latent ? a.kv_lora_rank + a.qk_rope_head_dim : a.head_dim;
    if (key % s_.type_k->block != 0) {
      bad_flag("cache-type-k", worded({"Heads of ", key, " values do not divide into blocks of ",
                                       s_.type_k->name, "."}));
    } else if (!latent && a.v_head_dim % s_.type_v->block != 0) {
      bad_flag("cache-type-v",
               worded({"Heads of ", a.v_head_dim, " values do not divide into blocks of ",
                       s_.type_v->name, "."}));
    }
  }

  void read_length() {
    const std::uint64_t claimed = model::claimed_context(inputs_.model);
    s_.train_context = claimed == 0 ? kDefaultLength : std::min(claimed, kMostTokens);
    if (claimed == 0) {
      assume("The config gives no maximum length: 4,096 is taken for it.");
    }
    const auto given = flags_.whole("ctx-size", 0, kMostTokens);
    const auto per_slot = flags_.whole("kv-unified-per-slot", 1, kMostTokens);
    s_.context = inputs_.workload.context.value_or(0);
    s_.ctx_size_given = given.has_value() || per_slot.has_value();
    const bool one_length = s_.shares_cells && !inputs_.workload.in_every_slot;
    const std::uint64_t slots = one_length ? 1 : s_.parallel;
    if (given && *given != 0) {
      s_.ctx_size = *given;
    } else if (given) {
      s_.ctx_size = s_.train_context;
    } else if (per_slot) {
      s_.ctx_size = std::min(kMostTokens, *per_slot * s_.parallel);
    } else if (inputs_.workload.context) {
      if (s_.context > kMostTokens / std::max<std::uint64_t>(1, slots)) {
        fail("bad_value", "workload.context is beyond any length that llama.cpp takes.",
             "workload.context");
        return;
      }
      s_.ctx_size = s_.context * slots;
      assume(worded({"No --ctx-size given: ", grouped(*s_.ctx_size), ", so that ",
                     (slots == 1 ? std::string("a request") : "each slot"),
                     " has the length asked about."}));
    } else if (has("context_4096") && !has("context_full")) {
      s_.ctx_size = kDefaultLength;
      assume(worded({"No --ctx-size given: 4,096, the default in ", s_.version.text, "."}));
    } else {
      assume(worded({"No --ctx-size given: the model's own length, ", grouped(s_.train_context),
                     (has("fit") ? ", which --fit shortens where memory is short." : ".")}));
    }
  }

  void read_drafting() {
    const auto types = flags_.text("spec-type").value_or("");
    s_.mtp = types.find("draft-mtp") != std::string::npos;
    if (s_.mtp && inputs_.model.mtp.layers.empty()) {
      bad_flag("spec-type",
               "draft-mtp needs a model with layers that predict further tokens, and "
               "this config has none.");
      return;
    }
    const auto drafted = flags_.whole("spec-draft-n-max", 0, 1024);
    if (s_.mtp || inputs_.draft != nullptr) {
      s_.draft_tokens = drafted.value_or(has("short_drafts") ? 3 : 16);
      if (!drafted) {
        assume(worded({"No --spec-draft-n-max given: drafts of ", s_.draft_tokens, " tokens."}));
      }
    }
    // A rejected draft must be taken back out of a state, which keeps a copy for each token.
    s_.state_copies = s_.mtp ? 1 + s_.draft_tokens : 1;
    s_.draft_type_k = cache_type("cache-type-k-draft");
    s_.draft_type_v = cache_type("cache-type-v-draft");
    for (const std::string_view flag : {"model-draft", "hf-repo-draft"}) {
      if (const auto name = flags_.text(flag)) {
        s_.draft_mix = find_mix(*name);
      }
    }
    const bool named = flags_.given("model-draft") || flags_.given("hf-repo-draft");
    if (named && inputs_.draft == nullptr) {
      fail("missing_field",
           "A draft model is named, and its config is not given: give it as model.draft.",
           "model.draft");
      return;
    }
    if (inputs_.draft != nullptr && !s_.draft_mix) {
      assume("The draft's quantisation is not named (--model-draft): 16 bits.");
    }
    const auto layers = written("n-gpu-layers-draft");
    if (layers && *layers != "auto" && *layers != "all" && *layers != "-1") {
      s_.draft_gpu_layers = flags_.whole("n-gpu-layers-draft", 0, kMostLayers).value_or(0);
    }
  }

  void read_fit() {
    s_.fit = has("fit") && on_or_off("fit").value_or(true);
    s_.fit_ctx = flags_.whole("fit-ctx", 1, kMostTokens).value_or(4096);
    std::vector<std::uint64_t> targets;
    if (const auto text = written("fit-target")) {
      for (const std::string_view part : split(*text, ",")) {
        const auto mib = small_number(part);
        if (!mib) {
          bad_flag("fit-target",
                   worded({"--fit-target takes MiB for each device such as 1024,512, and \"",
                           json::excerpt(*text, 40), "\" is none."}));
          return;
        }
        targets.push_back(static_cast<std::uint64_t>(*mib) * kMiB);
      }
    }
    if (targets.empty()) {
      targets.push_back(1024 * kMiB);
    }
    // One figure is for all devices; where some are named, the rest keep the last.
    s_.fit_target_bytes.assign(s_.devices, targets.back());
    for (std::size_t i = 0; i < std::min<std::size_t>(targets.size(), s_.devices); ++i) {
      s_.fit_target_bytes[i] = targets[i];
    }
  }

  void read_model() {
    std::string named_by;
    std::string name;
    for (const std::string_view flag :
         {"hf-file", "model", "model-url", "hf-repo", "docker-repo"}) {
      const auto text = flags_.text(flag);
      if (!text) {
        continue;
      }
      const std::size_t folder = text->find_last_of("/\\");
      const bool repository = flag == "hf-repo" || flag == "docker-repo";
      name = repository || folder == std::string::npos ? *text : text->substr(folder + 1);
      named_by = flag;
      s_.mix = find_mix(name);
      if (s_.mix) {
        break;
      }
    }
    const bool has_header = !inputs_.model.stored_tensors.empty();
    if (has_header) {
      s_.mix.reset();  // the file itself says more than its name
      return;
    }
    if (!s_.mix && (named_by == "hf-repo" || named_by == "docker-repo")) {
      const bool four_bits = inputs_.model.quantization.method == "mxfp4";
      s_.mix = find_mix(four_bits ? "MXFP4_MOE" : "Q4_K_M");
      assume(worded({"--", named_by, " names no quantisation: ",
                     (four_bits ? "MXFP4_MOE, as such checkpoints are published."
                                : "Q4_K_M, which llama.cpp asks for.")}));
    }
    if (!s_.mix) {
      const bool four_bits = inputs_.model.quantization.method == "mxfp4";
      assume(
          worded({"No quantisation is named (--model, --hf-repo, --hf-file) and no GGUF header is "
                  "given: the checkpoint converted as it is, ",
                  four_bits ? "MXFP4 experts and 16 bits else." : "in 16 bits."}));
    } else if (s_.mix->third_party) {
      assume(worded({"\"", json::excerpt(name, 60), "\" is a publisher's own mix: sized as ",
                     s_.mix->name,
                     ", the nearest of llama-quantize. Give the GGUF's header to be exact."}));
    }
  }

  void read_rest() {
    s_.limited_outputs = has("limited_outputs") && !command_line_ && !switched("embedding") &&
                         !switched("reranking");
    const bool refused = switched("no-mmproj") || switched("no-mmproj-offload") ||
                         !flags_.boolean("mmproj-offload").value_or(true);
    const bool named = flags_.given("mmproj") || flags_.given("mmproj-url");
    const bool beside = flags_.given("hf-repo") && flags_.boolean("mmproj-auto").value_or(true);
    const bool has_towers =
        std::any_of(inputs_.tensors.begin(), inputs_.tensors.end(), [](const model::Tensor& t) {
          return t.part == model::Part::vision || t.part == model::Part::audio;
        });
    s_.projector = !refused && has_towers && (named || beside);
  }

  const Inputs& inputs_;
  std::vector<FlagValue> args_;
  FlagReader flags_;
  Settings s_;
  bool command_line_ = false;
  std::optional<Error> error_;
};

}  // namespace

Result<Settings> read_settings(const Inputs& inputs) {
  auto version = parse_version(inputs.version);
  if (!version) {
    return version.error();
  }
  return SettingsReader(inputs, std::move(version.value())).read();
}

}  // namespace ridgepoint::engine::llamacpp
