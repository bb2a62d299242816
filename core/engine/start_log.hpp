#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.hpp"
#include "log/settings.hpp"
#include "result.hpp"

namespace ridgepoint::engine {

/// What a figure or an event of a start-up log is. Names and units: log_term_name, log_term_unit.
enum class LogTerm : std::uint8_t {
  none,
  // bytes of one GPU
  weights,
  weights_in_profile,  ///< the same, printed again and rounded
  consumed,            ///< weights and what lies outside torch together
  activation,
  peak_torch,  ///< weights and activation together
  non_torch,
  cuda_graphs,
  cuda_graphs_estimated,
  kv_pool,
  requested,
  total,
  free_at_start,
  free_before_load,
  free_after_load,
  free_after_pool,
  free_before_graphs,
  free_after_graphs,
  free_at_end,
  used_by_distributed,
  needed_kv,
  available_kv,
  k_cache,
  v_cache,
  kv_cache,
  window_pool,  ///< caches of full and windowed layers together
  conv_state,
  recurrent_state,
  draft_state,  ///< recurrent states of proposed tokens
  outside_torch_at_load,
  peak,
  temporary_kv,
  free_for_kv,
  execution_context,
  runtime_buffers,
  decoder_buffers,
  engine_size,
  kv_allocated,
  kv_estimated,
  model_buffer,
  kv_buffer,
  compute_buffer,
  output_buffer,
  unaccounted,
  table_free,
  table_self,
  table_model,
  table_context,
  table_compute,
  projected,
  fit_leaves,
  fit_target,
  fit_short,  ///< what --fit has to save
  checkpoint,
  fits_requested,  ///< the cache that the engine says would fit its claim
  fits_gpu,
  wanted,  ///< the allocation that failed
  free_then,
  used_by_process,
  used_by_other,
  reserved_unused,  ///< by torch's allocator
  // counts
  tokens,
  tokens_after_draft,
  window_tokens,
  blocks,
  host_blocks,
  block_tokens,
  max_model_len,
  max_that_fits,
  max_num_seqs,
  max_num_batched_tokens,
  ubatch,
  slots,
  cells,
  layers,
  gpu_layers,
  bytes_per_token,
  encoder_tokens,
  encoder_items,
  trained_length,
  // ratios
  utilization,
  fraction,
  least_fraction,
  max_concurrency,
  seconds,
  parameters_billion,
  // text
  version,
  device,     ///< a GPU's name
  buffer_of,  ///< the device a llama.cpp line is about: it takes the place of the rank
  model,
  model_class,
  file_type,
  key_type,
  value_type,
  flash_attention,
  unified_cache,
  settings,  ///< a list of settings, read apart
  // events
  begins,
  old_engine,
  new_engine,
  draft_begins,
  context_begins,
  projection_ends,  ///< what came before was a projection
  compile_cache_used,
  unbalanced,
  started,
  refused,
  out_of_memory,
  failed,
  traceback,
  count_,
};
std::string_view log_term_name(LogTerm term);
std::string_view log_term_unit(LogTerm term);  ///< "bytes", "tokens", "event" …

/// One wording of one line: the placeholders of `pattern` (log/wording.hpp) are `terms` in their
/// order; `event` is what the line says besides.
struct Wording {
  std::string_view pattern;
  LogTerm terms[8];
  LogTerm event;
  std::string_view versions;  ///< that print it
  std::string_view source;    ///< where it is printed
};

struct LogFact {
  std::uint64_t line = 0;
  std::uint16_t rank = 0;  ///< of LogScan::ranks
  LogTerm term = LogTerm::none;
  double value = 0;
  std::string text;  ///< of terms that are text
};

struct LogSettings {
  LogTerm term = LogTerm::settings;
  std::string_view wording;  ///< the pattern that found them
  std::vector<log::Setting> settings;
};

/// What the lines of a log say, before anything is made of it.
struct LogScan {
  std::vector<std::string> ranks;  ///< the first is the main process, ""
  std::vector<LogFact> facts;      ///< in the order of the log
  std::vector<LogSettings> settings;
  std::uint32_t starts = 1;  ///< starts in the log; the facts are of the last that got anywhere
  bool cut_lines = false;
  bool cut_facts = false;
};

enum class Outcome : std::uint8_t { started, refused, oom, error, unfinished };
std::string_view outcome_name(Outcome outcome);

/// A start as its log tells it. Terms are of the tightest rank and mean what they mean in a
/// MemoryPlan of the engine; what the log does not print is empty.
struct StartLog {
  const Engine* engine = nullptr;
  LogScan scan;
  std::string version;  ///< as printed; empty: not printed
  Outcome outcome = Outcome::unfinished;
  Measured measured;
  std::string measured_rank;  ///< whose pool is the smallest
  std::optional<std::uint64_t> total_bytes;
  std::optional<std::uint64_t> requested_bytes;
  std::optional<std::uint64_t> free_bytes;  ///< when the engine began to count
  /// Weights and what lies outside torch in one figure, or activation and the same.
  std::optional<std::uint64_t> activation_and_non_torch_bytes;
  std::optional<std::uint64_t> cuda_graphs_estimated_bytes;
  std::optional<std::uint64_t> needed_bytes;     ///< by one request, of a refusal
  std::optional<std::uint64_t> available_bytes;  ///< for it
  std::optional<std::uint64_t> fits_tokens;      ///< the longest request that fits, of a refusal
  std::optional<std::uint64_t> tokens;
  std::optional<std::uint64_t> blocks;
  std::optional<double> max_concurrency;
  std::optional<double> utilization;
  std::string model;   ///< as given to the engine: an id or a path
  std::string device;  ///< the GPU's name
  std::optional<std::uint64_t> gpu_count;
  std::vector<FlagValue> args;      ///< settings of the log as flags of the engine
  std::vector<std::string> unread;  ///< settings that change memory and are not modelled
  std::vector<std::string> notes;
};

/// An engine's part: its wordings, and what they mean together. `total_bytes` is the card's where
/// the log does not print it.
struct StartLogRules {
  std::string_view engine;
  std::span<const Wording> wordings;
  void (*conclude)(const LogScan& scan, std::optional<std::uint64_t> total_bytes, StartLog& out);
};
std::span<const StartLogRules> start_log_rules();

inline constexpr std::size_t kMostLogBytes = 96U << 20U;

/// Reads a log of any engine. Errors: `log_too_long`, `not_a_log` (nothing in it is a line of a
/// covered engine). One pass, memory that does not grow with the log.
Result<StartLog> read_start_log(std::string_view text);

/// Draws the conclusions again for a card whose size the log does not print.
void conclude_start_log(StartLog& log, std::uint64_t total_bytes);

}  // namespace ridgepoint::engine
