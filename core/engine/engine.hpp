#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/flags.hpp"
#include "engine/schedule.hpp"
#include "estimate.hpp"
#include "hardware/device.hpp"
#include "model/spec.hpp"
#include "model/tensors.hpp"
#include "result.hpp"

namespace ridgepoint::engine {

/// A flag as a request gives it: its own name without dashes, and a typed value.
struct FlagValue {
  std::string name;
  std::variant<bool, std::int64_t, double, std::string> value;
};

/// What the engine is asked to do. Lengths are in tokens.
struct Workload {
  std::optional<std::uint64_t> context;  ///< length of one request, prompt and output
  std::optional<std::uint64_t> prompt;
  std::optional<std::uint64_t> output;
  std::optional<std::uint64_t> concurrency;  ///< requests at once
  /// A load is to be served: where the engine makes its cache for the length and slots that flags
  /// say (llama.cpp) and none says the length, each of the slots has `context`.
  bool in_every_slot = false;
};

/// Figures read from an engine's log; each replaces the predicted one.
struct Measured {
  std::optional<std::uint64_t> weights_bytes;
  std::optional<std::uint64_t> activation_bytes;
  std::optional<std::uint64_t> non_torch_bytes;
  std::optional<std::uint64_t> cuda_graphs_bytes;
  std::optional<std::uint64_t> kv_pool_bytes;
};

/// A second model that proposes tokens for the first to verify.
struct Draft {
  model::ModelSpec model;
  std::vector<model::Tensor> tensors;
};

/// A LoRA adapter to be served; what the engine reserves follows its own flags.
struct Adapter {
  std::string name;
  std::uint64_t rank = 0;
};

struct Inputs {
  const model::ModelSpec& model;
  const std::vector<model::Tensor>& tensors;
  const Draft* draft;  ///< null: none
  std::span<const Adapter> adapters;
  const hardware::Device& device;
  std::optional<std::uint64_t> gpu_count;
  std::string version;  ///< as given; empty: the newest covered
  std::vector<FlagValue> args;
  std::vector<std::pair<std::string, std::string>> env;
  Workload workload;
  Measured measured;
  bool explain = true;  ///< false: no steps are written
  /// False: on llama.cpp no longest context is sought (0), which costs more than all the rest and
  /// which a search for cards does not read.
  bool longest = true;
};

/// One line of the answer to "why": a term, its rule, the numbers put in, the result.
struct Step {
  std::string term;
  std::string formula;
  std::string with_numbers;
  double value = 0;
  std::string_view unit;  ///< "bytes", "tokens", "requests", "blocks", "ratio"
  std::string source;
};

struct Parallelism {
  std::uint64_t tensor = 1;
  std::uint64_t pipeline = 1;
  std::uint64_t data = 1;
  bool expert = false;
};

/// Why a start fails, or "none".
enum class Limit : std::uint8_t {
  none,
  weights,
  kv_pool,
  context,
  free_memory,
  architecture,  ///< the version does not run the model, whatever the memory
};
std::string_view limit_name(Limit limit);

/// One of several parts that an engine cuts its cache memory into, on the tightest GPU.
struct Pool {
  std::string name;  ///< "full attention", "sliding window", "recurrent state" …
  Bytes bytes;
  std::uint64_t slots = 0;   ///< tokens it holds, or requests where it keeps states
  std::uint64_t window = 0;  ///< tokens that it keeps of a request at most; 0: all
};

/// A part of a card's memory that is not the pool. Below zero it gives memory back: what is missing
/// where the others pass the card, or what a rule counts twice.
struct Charge {
  std::string_view term;  ///< "weights", "not_claimed", "shortfall" …
  std::string_view what;  ///< for people
  std::int64_t bytes = 0;
};

/// What one rule of an engine leaves of the whole requests that a replica may run.
struct RequestRule {
  std::string_view term;  ///< "whole_blocks", "sequence_cap" …
  std::string_view what;  ///< for people
  std::uint64_t requests = 0;
};

/// How the requests at once come out of the pool, on the tightest GPU.
struct Holding {
  std::uint64_t pool_bytes = 0;  ///< that requests are counted from
  /// Of one request of the length asked about, on that GPU, before anything is rounded; 0: a
  /// request keeps nothing there.
  double request_bytes = 0;
  std::uint64_t replicas = 1;
  std::vector<RequestRule> rules;  ///< as they follow; the last one's, times replicas, are served
};

/// What an engine makes of a card's memory. Memory terms are those of the tightest GPU; the cache
/// figures are those the engine prints, per data-parallel replica.
struct MemoryPlan {
  std::string version;  ///< resolved, e.g. "0.28.0"
  Parallelism parallelism;
  std::uint64_t total_bytes = 0;
  std::optional<std::uint64_t> requested_bytes;  ///< what the engine claims up front
  Bytes weights;
  Bytes activation;
  Bytes cuda_graphs;
  Bytes cuda_graphs_charged;
  Bytes non_torch;
  Bytes kv_pool;
  std::vector<std::pair<std::string_view, std::uint64_t>> weights_by_part;
  std::vector<Pool> pools;       ///< of kv_pool, where the engine keeps several apart
  std::uint64_t host_bytes = 0;  ///< of weights and caches left in the machine's memory
  /// Of host_bytes: tables that only look tokens up there, while cards do all the computing.
  std::uint64_t host_table_bytes = 0;
  precision::KvFormat kv_format = precision::KvFormat::model_dtype;
  precision::Dtype dtype = precision::Dtype::bfloat16;
  std::uint64_t bytes_per_token = 0;
  std::uint64_t growing_bytes_per_token = 0;
  std::uint64_t state_bytes_per_request = 0;
  std::uint64_t bytes_per_request = 0;  ///< at the length asked about, unsharded
  std::uint64_t block_tokens = 0;
  Count blocks;
  Count tokens;
  Rate max_concurrency;
  Count max_requests;             ///< whole deployment, at the length asked about
  std::uint64_t max_context = 0;  ///< the longest single request that fits, 0: none
  std::uint64_t max_model_len = 0;
  std::uint64_t context = 0;  ///< the length asked about
  std::uint64_t max_num_seqs = 0;
  std::uint64_t max_num_batched_tokens = 0;

  /// What a start that serves is likely to take of the card outside the engine's claim, and what
  /// the claim leaves for it; both 0 where the engine claims nothing or the start fails.
  std::uint64_t beside_claim_bytes = 0;
  std::uint64_t left_beside_claim_bytes = 0;

  Limit limit = Limit::none;
  std::string limit_text;  ///< the engine's own words where it has some
  std::uint64_t needed_bytes = 0;
  std::uint64_t available_bytes = 0;

  /// Of total_bytes, in the order the engine goes by them: with kv_pool they add up to it.
  std::vector<Charge> charges;
  Holding holding;

  std::vector<Step> steps;
  std::vector<std::string> assumptions;
};

/// The engine's own names of what one may turn when a model does not fit; empty: it has no such.
struct Levers {
  std::string_view max_length;         ///< "max-model-len"
  std::string_view cache_format;       ///< "kv-cache-dtype"
  std::string_view small_cache;        ///< its value of half a cache: "fp8"
  std::string_view memory_share;       ///< "gpu-memory-utilization"
  std::string_view no_graphs;          ///< a switch: "enforce-eager"
  std::string_view batched_tokens;     ///< tokens of one step: "max-num-batched-tokens"
  std::string_view most_requests;      ///< requests at once: "max-num-seqs"
  std::string_view quantization;       ///< quantises while loading: "quantization"
  std::string_view online_fp8;         ///< its value that makes 16-bit weights FP8: "fp8"
  std::string_view tensor_parallel;    ///< "tensor-parallel-size"
  std::string_view pipeline_parallel;  ///< "pipeline-parallel-size"
  std::string_view data_parallel;      ///< replicas: "data-parallel-size"
  std::string_view attention_groups;   ///< a switch, attention by groups: "enable-dp-attention"
  std::string_view expert_parallel;    ///< "enable-expert-parallel", or a number of GPUs
  std::string_view front_ends;         ///< processes before the scheduler: "api-server-count"
};

/// The rules of an engine, which not every program links in; null where it has not.
struct Rules {
  const FlagTable& (*flags)() = nullptr;
  /// Errors: `bad_version`, `version_too_old` (engine.version), `unknown_flag`, `bad_flag`,
  /// `unmodelled_flag` (engine.args.<name>), `bad_parallelism` (gpu.count or the flag).
  Result<MemoryPlan> (*plan)(const Inputs& inputs) = nullptr;
  /// How the engine puts requests into steps, with the plan made of the same inputs. Null also in
  /// programs that simulate nothing. Errors as those of `plan`.
  Result<Schedule> (*schedule)(const Inputs& inputs, const MemoryPlan& plan) = nullptr;

  [[nodiscard]] bool here() const { return plan != nullptr; }
};

/// One engine behind the common interface; a folder of rules each.
struct Engine {
  std::string_view name;                       ///< "vllm"
  std::string_view title;                      ///< for people: "vLLM"
  std::string_view aliases;                    ///< space-separated other names
  std::string_view vendors;                    ///< space-separated, of cards its rules are for
  std::span<const std::string_view> versions;  ///< covered, oldest first
  Levers levers;
  Rules rules;

  [[nodiscard]] const FlagTable& flags() const { return rules.flags(); }
  [[nodiscard]] Result<MemoryPlan> plan(const Inputs& inputs) const { return rules.plan(inputs); }
};

std::span<const Engine> engines();

/// `not_supported` (gpu.id) on a vendor's cards that the engine's rules say nothing of; a device of
/// unknown vendor passes. vLLM's ports to TPU, Trainium and Gaudi and its Metal plugin size memory
/// by rules of their own.
Check check_vendor(const Engine& engine, const hardware::Device& device);

/// By name or alias. Null when this build has no such engine.
const Engine* find_engine(std::string_view name);

}  // namespace ridgepoint::engine
