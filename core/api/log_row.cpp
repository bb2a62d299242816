#include "api/log_row.hpp"

#include <cmath>
#include <string>

#include "api/log_names.hpp"
#include "engine/log_facts.hpp"

namespace ridgepoint::api {
namespace {

using engine::LogFacts;
using engine::LogTerm;

constexpr double kGiB = 1073741824.0;
constexpr double kMiB = 1048576.0;

/// Writes members of one row: figures, flags and text, or null.
class RowWriter {
 public:
  RowWriter(json::Writer& out, const engine::StartLog& log)
      : out_(out), log_(log), facts_(log.scan) {}

  void write() {
    out_.key("row");
    out_.begin_object();
    out_.member("id", "");
    null("source");
    null("date");
    out_.member("engine", log_.engine->name);
    text("engine_version", log_.version);
    log_.engine->name == "vllm" ? vllm() : others();
    out_.member("outcome", engine::outcome_name(log_.outcome));
    end();
    out_.end_object();
  }

 private:
  void null(std::string_view name) {
    out_.key(name);
    out_.null();
  }

  void text(std::string_view name, const std::string& value) {
    value.empty() ? null(name) : out_.member(name, json::excerpt(value, 80));
  }

  /// Four decimals, which is finer than any log.
  void scaled(std::string_view name, const std::optional<double>& bytes, double unit) {
    bytes ? out_.member(name, std::round(*bytes / unit * 1e4) / 1e4) : null(name);
  }
  void gib(std::string_view name, const std::optional<double>& bytes) { scaled(name, bytes, kGiB); }
  void gib(std::string_view name, const std::optional<std::uint64_t>& bytes) {
    gib(name, bytes ? std::optional<double>(static_cast<double>(*bytes)) : std::nullopt);
  }

  void count(std::string_view name, const std::optional<std::uint64_t>& value) {
    value ? out_.member(name, *value) : null(name);
  }
  void number(std::string_view name, const std::optional<double>& value) {
    value ? out_.member(name, *value) : null(name);
  }

  [[nodiscard]] const engine::FlagValue* find(std::string_view flag) const {
    for (const engine::FlagValue& candidate : log_.args) {
      if (candidate.name == flag) {
        return &candidate;
      }
    }
    return nullptr;
  }

  [[nodiscard]] std::optional<std::uint64_t> whole(std::string_view flag) const {
    const engine::FlagValue* found = find(flag);
    const auto* value = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->value);
    return value != nullptr && *value >= 0 ? std::optional<std::uint64_t>(*value) : std::nullopt;
  }

  /// A word of a flag; anything longer, or with a path in it, is left out.
  [[nodiscard]] std::string word(std::string_view flag) const {
    const engine::FlagValue* found = find(flag);
    const auto* value = found == nullptr ? nullptr : std::get_if<std::string>(&found->value);
    const bool plain = value != nullptr && value->size() <= 32 &&
                       value->find_first_of("/\\@:~ {") == std::string::npos;
    return plain ? *value : std::string();
  }

  void flag_switch(std::string_view name, std::string_view flag) {
    const engine::FlagValue* found = find(flag);
    const auto* value = found == nullptr ? nullptr : std::get_if<bool>(&found->value);
    value == nullptr ? null(name) : out_.member(name, *value);
  }

  void model_and_card() {
    text("model", hub_id(log_.model));
    const auto* card = card_of_name(log_.device, log_.total_bytes);
    text("gpu", card == nullptr ? std::string() : std::string(card->name));
    gib("gpu_total_gib", log_.total_bytes);
  }

  /// What the log shows of a split; absent flags of a log that prints its settings are 1.
  [[nodiscard]] std::optional<std::uint64_t> split(std::string_view flag) const {
    const auto value = whole(flag);
    return value || log_.scan.settings.empty() ? value : std::optional<std::uint64_t>(1);
  }

  void parallelism() {
    const engine::Levers& levers = log_.engine->levers;
    count("tp", split(levers.tensor_parallel));
    count("pp", split(levers.pipeline_parallel));
    count("dp", split(levers.data_parallel));
    const engine::FlagValue* ep = find(levers.expert_parallel);
    const auto* on = ep == nullptr ? nullptr : std::get_if<bool>(&ep->value);
    on != nullptr ? out_.member("ep", *on) : count("ep", whole(levers.expert_parallel));
  }

  /// Names of the other flags only: values may be paths and names of people's own.
  void other_flags() {
    std::string names;
    for (const engine::FlagValue& flag : log_.args) {
      names += (names.empty() ? "--" : " --") + flag.name;
    }
    out_.member("other_flags", names);
  }

  void vllm() {
    const bool settled = facts_.has(LogTerm::new_engine) || facts_.has(LogTerm::old_engine);
    out_.key("v1");
    settled ? out_.value(facts_.has(LogTerm::new_engine)) : out_.null();
    model_and_card();
    parallelism();
    number("util", log_.utilization);
    const auto length = whole("max-model-len");
    count("max_model_len", length ? length : engine::whole(facts_.least(LogTerm::max_model_len)));
    count("max_num_seqs", whole("max-num-seqs"));
    count("max_num_batched_tokens", whole("max-num-batched-tokens"));
    flag_switch("chunked_prefill", "enable-chunked-prefill");
    null("prefix_caching");
    count("block_size", engine::whole(facts_.least(LogTerm::block_tokens)));
    text("kv_cache_dtype", word("kv-cache-dtype"));
    text("dtype", word("dtype"));
    text("quantization", word("quantization"));
    flag_switch("enforce_eager", "enforce-eager");
    null("speculative");
    other_flags();
    gib("weights_gib", log_.measured.weights_bytes);
    gib("non_torch_gib", log_.measured.non_torch_bytes);
    gib("activation_peak_gib", log_.measured.activation_bytes);
    gib("cudagraph_gib", facts_.most(LogTerm::cuda_graphs));
    gib("kv_cache_gib", log_.measured.kv_pool_bytes);
    count("kv_blocks", log_.blocks);
    count("kv_tokens", log_.tokens);
    number("max_concurrency", log_.max_concurrency);
  }

  void others() {
    const engine::Levers& levers = log_.engine->levers;
    const bool llamacpp = log_.engine->name == "llamacpp";
    model_and_card();
    parallelism();
    number("mem_fraction", log_.utilization);
    count("context_len", engine::whole(facts_.most(LogTerm::max_model_len)));
    count("chunked_prefill_size", engine::whole(facts_.most(LogTerm::max_num_batched_tokens)));
    count("max_running_requests",
          engine::whole(facts_.most(llamacpp ? LogTerm::slots : LogTerm::max_num_seqs)));
    count("cuda_graph_max_bs", whole("cuda-graph-max-bs"));
    count("page_size",
          llamacpp ? std::nullopt : engine::whole(facts_.least(LogTerm::block_tokens)));
    const std::string_view keys = facts_.first_text(LogTerm::key_type);
    text("kv_cache_dtype", keys.empty() ? word(levers.cache_format) : std::string(keys));
    null("dtype");
    text("quantization",
         llamacpp ? std::string(facts_.first_text(LogTerm::file_type)) : word("quantization"));
    text("speculative", word("speculative-algorithm"));
    other_flags();
    gib("avail_before_gib", log_.free_bytes);
    gib("weights_gib", log_.measured.weights_bytes);
    gib("avail_after_weights_gib", facts_.least(LogTerm::free_after_load));
    count("kv_tokens", log_.tokens);
    gib("k_gib", facts_.least(LogTerm::k_cache));
    gib("v_gib", facts_.least(LogTerm::v_cache));
    gib("kv_cache_gib", log_.measured.kv_pool_bytes);
    scaled("compute_buffer_mib",
           llamacpp && log_.measured.activation_bytes
               ? std::optional<double>(static_cast<double>(*log_.measured.activation_bytes))
               : std::nullopt,
           kMiB);
    gib("cudagraph_gib", log_.measured.cuda_graphs_bytes);
    gib("avail_end_gib", facts_.least(LogTerm::free_at_end));
  }

  void end() {
    if (log_.engine->name == "vllm") {
      gib("error_needed_kv_gib", log_.needed_bytes);
      gib("error_available_kv_gib",
          log_.outcome == engine::Outcome::refused ? log_.available_bytes : std::nullopt);
      count("error_max_len", log_.fits_tokens);
    }
    out_.key("inferred");
    out_.begin_array();
    out_.end_array();
    out_.member("notes", "");
    null("config");
    null("config_is");
  }

  json::Writer& out_;
  const engine::StartLog& log_;
  LogFacts facts_;
};

}  // namespace

void write_log_row(json::Writer& out, const engine::StartLog& log) { RowWriter(out, log).write(); }

}  // namespace ridgepoint::api
