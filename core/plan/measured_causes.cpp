#include "plan/measured_causes.hpp"

#include <algorithm>
#include <cmath>

#include "engine/log_facts.hpp"
#include "plan/change.hpp"
#include "precision/weight_format.hpp"
#include "wording.hpp"

namespace ridgepoint::plan {
namespace {

using engine::LogTerm;
using engine::Outcome;

constexpr double kGiB = 1073741824.0;
constexpr std::string_view kUnknown = "cause unknown";

std::string value_text(const engine::FlagValue& flag) {
  if (const auto* truth = std::get_if<bool>(&flag.value)) {
    return *truth ? "on" : "off";
  }
  if (const auto* number = std::get_if<std::int64_t>(&flag.value)) {
    return std::to_string(*number);
  }
  if (const auto* real = std::get_if<double>(&flag.value)) {
    return decimal(*real);
  }
  const std::string& text = *std::get_if<std::string>(&flag.value);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

double as_number(const engine::FlagValue& flag) {
  if (const auto* number = std::get_if<std::int64_t>(&flag.value)) {
    return static_cast<double>(*number);
  }
  const auto* real = std::get_if<double>(&flag.value);
  return real == nullptr ? std::nan("") : *real;
}

bool same_value(const engine::FlagValue& a, const engine::FlagValue& b) {
  const double x = as_number(a);
  const double y = as_number(b);
  if (!std::isnan(x) && !std::isnan(y)) {
    return std::abs(x - y) <= 0.0051;  // shares are printed with two decimals
  }
  return value_text(a) == value_text(b);
}

/// Whether rules for a version are known: a release of the same minor number is covered. Builds of
/// llama.cpp between two covered ones follow the earlier one's.
bool covers(const engine::Engine& engine, const std::string& version) {
  if (version.empty()) {
    return true;
  }
  const std::string_view newest = engine.versions.back();
  if (newest.front() == 'b') {
    return version.size() < newest.size() || (version.size() == newest.size() && version <= newest);
  }
  std::string release = version.front() == 'v' ? version.substr(1) : version;
  const std::size_t first = release.find('.');
  const std::size_t second = first == std::string::npos ? first : release.find('.', first + 1);
  const std::size_t end = release.find_first_not_of("0123456789.");
  release.resize(std::min({second, end, release.size()}));
  release += '.';
  return std::any_of(engine.versions.begin(), engine.versions.end(),
                     [&](std::string_view known) { return known.starts_with(release); });
}

bool near(double ratio, double low, double high) { return ratio >= low && ratio <= high; }

}  // namespace

namespace {

/// What a flag that is not given comes to; empty: no flag of the levers, so its default is not
/// known here.
std::optional<std::uint64_t> resolved(const engine::Levers& levers, const engine::MemoryPlan& plan,
                                      std::string_view flag) {
  if (flag == levers.most_requests) {
    return plan.max_num_seqs;
  }
  if (flag == levers.batched_tokens) {
    return plan.max_num_batched_tokens;
  }
  if (flag == levers.max_length) {
    return plan.max_model_len;
  }
  return std::nullopt;
}

std::string lacking(const engine::Levers& levers, const engine::MemoryPlan& plan,
                    const engine::FlagValue& flag) {
  const std::string ran = "the log ran with " + flag.name + " " + value_text(flag);
  if (const auto value = resolved(levers, plan, flag.name)) {
    const double given = as_number(flag);
    return given == static_cast<double>(*value) || std::isnan(given)
               ? std::string()
               : ran + ", the request comes to " + std::to_string(*value);
  }
  const auto* on = std::get_if<bool>(&flag.value);
  const bool format = flag.name == levers.cache_format;
  return (on != nullptr && *on) || format ? ran + ", which the request lacks" : std::string();
}

}  // namespace

std::vector<std::string> setup_differences(const Request& request, const Report& predicted,
                                           const engine::StartLog& log) {
  std::vector<std::string> out;
  const std::string& asked = request.engine_version;
  // A release within a build's name is that release: 0.10.2 of 0.10.2+cu129.
  if (!log.version.empty() && !asked.empty() && !log.version.starts_with(asked) &&
      !asked.starts_with(log.version) && "v" + log.version != asked) {
    out.push_back("the log is of version " + log.version + ", the request of " + asked);
  }
  if (log.gpu_count && request.gpu_count && *log.gpu_count != *request.gpu_count) {
    out.push_back("the log ran on " + grouped(*log.gpu_count) + " GPUs, the request is for " +
                  grouped(*request.gpu_count));
  }
  for (const engine::FlagValue& flag : log.args) {
    const engine::FlagValue* given = given_flag(request, flag.name);
    if (given == nullptr) {
      if (std::string text = lacking(log.engine->levers, predicted.memory, flag); !text.empty()) {
        out.push_back(std::move(text));
      }
    } else if (!same_value(flag, *given)) {
      out.push_back("the log ran with " + flag.name + " " + value_text(flag) +
                    ", the request has " + value_text(*given));
    }
  }
  return out;
}

Causes::Causes(const Request& request, const Report& predicted, const engine::StartLog& log,
               const std::vector<ComparedTerm>& terms)
    : request_(request),
      predicted_(predicted),
      log_(log),
      terms_(terms),
      differences_(setup_differences(request, predicted, log)) {}

const ComparedTerm* Causes::find(std::string_view name) const {
  for (const ComparedTerm& term : terms_) {
    if (term.term == name) {
      return &term;
    }
  }
  return nullptr;
}

std::uint64_t Causes::embedding_bytes() const {
  const model::ModelSpec& model = request_.model;
  const std::uint64_t width = model.embedding_size == 0 ? model.hidden_size : model.embedding_size;
  const std::uint64_t ranks = std::max<std::uint64_t>(1, predicted_.memory.parallelism.tensor);
  return model.vocab_size * width * precision::dtype_bytes(predicted_.memory.dtype) / ranks;
}

std::string Causes::of(const ComparedTerm& term) const {
  std::string cause;
  if (term.term == "weights") {
    cause = weights(term);
  } else if (term.term == "activation" || term.term == "activation_and_non_torch") {
    cause = activation(term);
  } else if (term.term == "non_torch") {
    cause = outside(term);
  } else if (term.term.starts_with("cuda_graphs")) {
    cause = graphs(term);
  } else if (term.term == "kv_pool") {
    cause = pool(term);
  } else {
    cause = tokens(term);
  }
  if (cause.empty() && setup_differs()) {
    cause = "another setup: " + differences_.front();
  }
  if (cause.empty() && !covers(*log_.engine, request_.engine_version)) {
    cause = "version " + request_.engine_version + " is not among those whose rules are known (" +
            std::string(log_.engine->versions.front()) + " to " +
            std::string(log_.engine->versions.back()) + "): the nearest rules were used";
  }
  return cause.empty() ? std::string(kUnknown) : cause;
}

std::string Causes::weights(const ComparedTerm& term) const {
  if (setup_differs() && log_.gpu_count && request_.gpu_count &&
      *log_.gpu_count != *request_.gpu_count) {
    return "another number of GPUs: " + differences_.front();
  }
  const double ratio = term.predicted.best > 0 ? term.measured / term.predicted.best : 1;
  const std::string times = decimal(ratio) + " times the bytes predicted";
  if (near(ratio, 0.44, 0.66)) {
    return times +
           ": a checkpoint of half the bits (FP8, INT8), or quantised while loading. Give "
           "the config of the checkpoint that was loaded";
  }
  if (near(ratio, 0.22, 0.44)) {
    return times +
           ": a checkpoint of about 4 bits (AWQ, GPTQ, NVFP4, MXFP4). Give the config of "
           "the checkpoint that was loaded";
  }
  if (near(ratio, 1.6, 2.3) || near(ratio, 2.6, 4.4)) {
    return times +
           ": a checkpoint of more bits than the config says, or one whose kernels unpack "
           "it while loading. Give the config of the checkpoint that was loaded";
  }
  for (const engine::FlagValue& flag : log_.args) {
    const bool lora = flag.name == "enable-lora" || flag.name == "max-loras";
    const bool draft = flag.name.starts_with("spec");
    if ((lora || draft) && term.difference > 0 && given_flag(request_, flag.name) == nullptr) {
      return std::string(lora ? "room for LoRA adapters" : "a draft for speculation") +
             " is in the figure: the log ran with " + flag.name + " " + value_text(flag) +
             ", which the request lacks";
    }
  }
  return {};
}

/// A difference of a setting that the step's tensors go by.
std::string Causes::step_difference() const {
  const engine::Levers& levers = log_.engine->levers;
  for (const std::string& difference : differences_) {
    for (const std::string_view flag : {levers.most_requests, levers.batched_tokens,
                                        levers.max_length, std::string_view("GPUs")}) {
      if (!flag.empty() && difference.find(flag) != std::string::npos) {
        return "another setup: " + difference;
      }
    }
  }
  return {};
}

std::string Causes::activation(const ComparedTerm& term) const {
  if (std::string difference = step_difference(); !difference.empty()) {
    return difference;
  }
  const engine::LogFacts facts(log_.scan);
  const auto encoder = engine::whole(facts.most(LogTerm::encoder_tokens));
  if (encoder && term.difference > 0) {
    const auto items = engine::whole(facts.most(LogTerm::encoder_items));
    return "the profiling run encodes media of " + grouped(*encoder) + " tokens" +
           (items ? " (" + grouped(*items) + " items of the largest size)" : std::string()) +
           ". Lower --limit-mm-per-prompt or the largest picture, or give --language-model-only "
           "when no media come";
  }
  const auto table = static_cast<double>(embedding_bytes());
  const double missing = -term.difference;
  const bool of_table = table > 0 && near(missing / table, 0.8, 1.2);
  if (term.difference < 0 && (facts.has(LogTerm::compile_cache_used) || of_table)) {
    return "a later start, with the cache of torch.compile warm: the first start of this setup "
           "holds about the embedding table more (" +
           in_gib(embedding_bytes()) + "). Plan with the first start's figure";
  }
  return {};
}

std::string Causes::outside(const ComparedTerm& term) const {
  if (request_.device.unified_memory) {
    return "the card shares its memory with the machine, and what other programs hold counts. Give "
           "gpu.free_bytes as the machine has it free before the start";
  }
  const std::uint64_t others = held_by_others(log_);
  if (others != 0 && term.difference > 0) {
    return "another process: " + in_gib(others) + " were taken before the engine began to count";
  }
  return {};
}

std::string Causes::graphs(const ComparedTerm& term) const {
  if (term.term == "cuda_graphs_charged") {
    return "the engine takes off its own estimate of the graphs, which it draws from two of them "
           "and may miss by much. Set VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS=0 and choose "
           "--gpu-memory-utilization by hand to have what it took back";
  }
  if (request_.device.unified_memory) {
    return "the card shares its memory with the machine: what other programs took or gave back "
           "meanwhile is in the figure";
  }
  return {};
}

std::string Causes::pool(const ComparedTerm& term) const {
  const engine::MemoryPlan& plan = predicted_.memory;
  double explained = 0;
  std::string parts;
  for (const std::string_view name :
       {"weights", "activation", "non_torch", "activation_and_non_torch"}) {
    const ComparedTerm* other = find(name);
    if (other != nullptr) {
      explained -= other->difference;
      parts +=
          (parts.empty() ? "" : ", ") + std::string(name) + " " + signed_gib(other->difference);
    }
  }
  if (log_.cuda_graphs_estimated_bytes && plan.cuda_graphs_charged.best != 0) {
    const double charged = static_cast<double>(*log_.cuda_graphs_estimated_bytes) -
                           static_cast<double>(plan.cuda_graphs_charged.best);
    explained -= charged;
    parts += (parts.empty() ? "" : ", ") + std::string("graphs charged ") + signed_gib(charged);
  }
  const bool claims = log_.engine->name == "vllm" || log_.engine->name == "sglang";
  if (claims && !parts.empty() &&
      std::abs(term.difference - explained) <
          std::max(0.05 * kGiB, 0.1 * std::abs(term.difference))) {
    return "it follows from the other terms: " + parts;
  }
  if (log_.requested_bytes && plan.requested_bytes) {
    const double claim =
        static_cast<double>(*log_.requested_bytes) - static_cast<double>(*plan.requested_bytes);
    if (std::abs(claim) > 0.05 * kGiB &&
        std::abs(term.difference - explained - claim) < 0.1 * std::abs(term.difference) + 5e7) {
      return "the log's claim is " + signed_gib(claim) +
             " against the predicted one: another "
             "share of the memory, or less of it free";
    }
  }
  if (log_.engine->name == "sglang" && log_.requested_bytes && log_.measured.weights_bytes) {
    const double left = static_cast<double>(*log_.requested_bytes) -
                        static_cast<double>(*log_.measured.weights_bytes);
    if (!request_.model.stateful() && left > 1 * kGiB && term.measured < 0.5 * left) {
      return "the claim leaves " + in_gib(static_cast<std::uint64_t>(left)) +
             " and the pool has much less: the loader still held temporary copies when the pool "
             "was sized. Start again with a later version, or set --max-total-tokens";
    }
  }
  return held_by_others(log_) != 0 && term.difference < 0
             ? "another process: " + in_gib(held_by_others(log_)) +
                   " were taken before the engine began to count"
             : std::string();
}

std::string Causes::tokens(const ComparedTerm& term) const {
  const ComparedTerm* pool = find("kv_pool");
  if (term.term != "tokens" || pool == nullptr || pool->measured <= 0 ||
      pool->predicted.best <= 0 || term.predicted.best <= 0) {
    return pool != nullptr && !pool->inside ? "it follows from kv_pool" : std::string();
  }
  const double ratio =
      (term.measured / term.predicted.best) / (pool->measured / pool->predicted.best);
  if (near(ratio, 1.7, 2.1)) {
    return "twice the tokens for the bytes: the cache is of 8 bits where 16 were predicted (" +
           std::string(log_.engine->levers.cache_format) + ", or the checkpoint asks for it)";
  }
  if (near(ratio, 0.47, 0.6)) {
    return "half the tokens for the bytes: the cache is of 16 bits where 8 were predicted (" +
           std::string(log_.engine->levers.cache_format) + ")";
  }
  if (near(ratio, 0.9, 1.1) && !pool->inside) {
    return "it follows from kv_pool";
  }
  return {};
}

std::string Causes::worst_term() const {
  const ComparedTerm* worst = nullptr;
  for (const ComparedTerm& term : terms_) {
    if (term.unit == "bytes" && term.term != "kv_pool" && !term.inside &&
        (worst == nullptr || std::abs(term.difference) > std::abs(worst->difference))) {
      worst = &term;
    }
  }
  if (worst == nullptr) {
    return terms_.empty() ? std::string()
                          : "Every term that the log prints is as predicted: the setting asks for "
                            "more than the card has.";
  }
  std::string text = "The term that is off is " + std::string(worst->term) + ": " +
                     in_gib(static_cast<std::uint64_t>(worst->measured)) + " where " +
                     in_gib(static_cast<std::uint64_t>(worst->predicted.best)) +
                     " were predicted, " + signed_gib(worst->difference) + ".";
  return worst->cause.empty() ? text + " Reason: " + of(*worst) + "." : text;
}

void Causes::add_refusal(std::vector<std::string>& out) const {
  if (log_.outcome != Outcome::refused && log_.outcome != Outcome::oom) {
    return;
  }
  if (std::string text = worst_term(); !text.empty()) {
    out.push_back(std::move(text));
  }
}

/// Graphs are recorded after the cache is made: what was not charged must fit beside the claim.
void Causes::add_graphs(std::vector<std::string>& out) const {
  const engine::MemoryPlan& plan = predicted_.memory;
  if (log_.engine->name != "vllm" || plan.cuda_graphs_charged.best != 0 || !plan.requested_bytes) {
    return;
  }
  const std::uint64_t graphs = log_.measured.cuda_graphs_bytes.value_or(plan.cuda_graphs.best);
  const std::uint64_t beside = plan.total_bytes - std::min(plan.total_bytes, *plan.requested_bytes);
  const bool short_of = graphs + (512ULL << 20U) > beside;
  if (graphs != 0 && (log_.outcome == Outcome::oom || short_of)) {
    out.push_back("CUDA graphs take " + in_gib(graphs) +
                  " and this version does not take them off the claim: they have to fit into the " +
                  in_gib(beside) +
                  " beside it, with the context. Lower --gpu-memory-utilization, "
                  "record fewer sizes, or give --enforce-eager.");
  }
}

std::vector<std::string> Causes::sentences() const {
  std::vector<std::string> out = causes_in_log(log_);
  add_refusal(out);
  add_graphs(out);
  if (request_.device.unified_memory) {
    out.push_back(
        "The card shares its memory with the machine: what other programs hold when the "
        "engine starts is missing from the cache, and changes from start to start.");
  }
  if (!differences_.empty()) {
    std::string text = "The log and the request are not of one setup: ";
    for (std::size_t i = 0; i < differences_.size() && i < 8; ++i) {
      text += (i == 0 ? "" : "; ") + differences_[i];
    }
    out.push_back(text + ". Compare like with like, or expect the difference.");
  }
  return out;
}

}  // namespace ridgepoint::plan
