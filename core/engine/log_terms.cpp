#include <cstddef>
#include <iterator>

#include "engine/start_log.hpp"

namespace ridgepoint::engine {
namespace {

struct TermFacts {
  std::string_view name;
  std::string_view unit;
};

// In the order of LogTerm.
constexpr TermFacts kTerms[] = {
    {"", ""},
    {"weights", "bytes"},
    {"weights_in_profile", "bytes"},
    {"weights_and_non_torch", "bytes"},
    {"activation", "bytes"},
    {"weights_and_activation", "bytes"},
    {"non_torch", "bytes"},
    {"cuda_graphs", "bytes"},
    {"cuda_graphs_estimated", "bytes"},
    {"kv_pool", "bytes"},
    {"requested", "bytes"},
    {"total", "bytes"},
    {"free_at_start", "bytes"},
    {"free_before_load", "bytes"},
    {"free_after_load", "bytes"},
    {"free_after_pool", "bytes"},
    {"free_before_graphs", "bytes"},
    {"free_after_graphs", "bytes"},
    {"free_at_end", "bytes"},
    {"used_by_distributed", "bytes"},
    {"needed_kv", "bytes"},
    {"available_kv", "bytes"},
    {"k_cache", "bytes"},
    {"v_cache", "bytes"},
    {"kv_cache", "bytes"},
    {"window_pool", "bytes"},
    {"conv_state", "bytes"},
    {"recurrent_state", "bytes"},
    {"recurrent_state_of_proposed_tokens", "bytes"},
    {"outside_torch_at_load", "bytes"},
    {"peak", "bytes"},
    {"temporary_kv", "bytes"},
    {"free_for_kv", "bytes"},
    {"execution_context", "bytes"},
    {"runtime_buffers", "bytes"},
    {"decoder_buffers", "bytes"},
    {"engine_size", "bytes"},
    {"kv_allocated", "bytes"},
    {"kv_estimated", "bytes"},
    {"model_buffer", "bytes"},
    {"kv_buffer", "bytes"},
    {"compute_buffer", "bytes"},
    {"output_buffer", "bytes"},
    {"unaccounted", "bytes"},
    {"free_in_table", "bytes"},
    {"used_in_table", "bytes"},
    {"model_in_table", "bytes"},
    {"context_in_table", "bytes"},
    {"compute_in_table", "bytes"},
    {"projected", "bytes"},
    {"free_after_fit", "bytes"},
    {"fit_target", "bytes"},
    {"short_of_fit_target", "bytes"},
    {"checkpoint", "bytes"},
    {"kv_pool_that_fits_the_claim", "bytes"},
    {"kv_pool_that_fits_the_card", "bytes"},
    {"failed_allocation", "bytes"},
    {"free_at_failure", "bytes"},
    {"used_by_process", "bytes"},
    {"used_by_other_process", "bytes"},
    {"reserved_unused", "bytes"},
    {"tokens", "tokens"},
    {"draft_tokens", "tokens"},
    {"window_tokens", "tokens"},
    {"blocks", "blocks"},
    {"host_blocks", "blocks"},
    {"block_tokens", "tokens"},
    {"max_model_len", "tokens"},
    {"max_length_that_fits", "tokens"},
    {"max_num_seqs", "requests"},
    {"max_num_batched_tokens", "tokens"},
    {"ubatch", "tokens"},
    {"slots", "requests"},
    {"cells", "tokens"},
    {"layers", "layers"},
    {"gpu_layers", "layers"},
    {"bytes_per_token", "bytes"},
    {"encoder_tokens", "tokens"},
    {"encoder_items", "items"},
    {"trained_length", "tokens"},
    {"utilization", "ratio"},
    {"fraction", "ratio"},
    {"least_fraction", "ratio"},
    {"max_concurrency", "requests"},
    {"seconds", "seconds"},
    {"parameters_billion", "billions"},
    {"version", "text"},
    {"device", "text"},
    {"buffer_of", "text"},
    {"model", "text"},
    {"model_class", "text"},
    {"file_type", "text"},
    {"key_type", "text"},
    {"value_type", "text"},
    {"flash_attention", "text"},
    {"unified_cache", "text"},
    {"settings", "text"},
    {"begins", "event"},
    {"old_engine", "event"},
    {"new_engine", "event"},
    {"draft_begins", "event"},
    {"context_begins", "event"},
    {"projection_ends", "event"},
    {"compile_cache_used", "event"},
    {"unbalanced_gpus", "event"},
    {"started", "event"},
    {"refused", "event"},
    {"out_of_memory", "event"},
    {"failed", "event"},
    {"traceback", "event"},
};
static_assert(std::size(kTerms) == static_cast<std::size_t>(LogTerm::count_));

}  // namespace

std::string_view log_term_name(LogTerm term) { return kTerms[static_cast<std::size_t>(term)].name; }
std::string_view log_term_unit(LogTerm term) { return kTerms[static_cast<std::size_t>(term)].unit; }

std::string_view outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::started:
      return "started";
    case Outcome::refused:
      return "refused";
    case Outcome::oom:
      return "oom";
    case Outcome::error:
      return "error";
    case Outcome::unfinished:
      return "unfinished";
  }
  return "";
}

}  // namespace ridgepoint::engine
