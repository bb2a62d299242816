#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "load/load.hpp"
#include "load/trace_time.hpp"
#include "result.hpp"

namespace ridgepoint::load {

/// A trace as it was pasted.
struct Trace {
  std::vector<TraceRow> rows;      ///< rising arrival, the first at 0
  bool has_times = false;          ///< else all arrive at once
  bool has_lengths = false;        ///< else lengths are by Lengths
  std::vector<std::string> notes;  ///< what was assumed or left out, in sentences
};

/// Reads a trace: a table with a line of column names (commas, semicolons or tabs between, quotes
/// around what holds them), or JSON, an object a line or all in one array. Names are told apart by
/// their letters and digits alone:
/// - when: timestamp, arrival, arrival_time, arrived_at, start_time, request_time, created_at,
/// time,
///   t_s, and any of them with a unit behind: _s, _ms, _us, _ns;
/// - prompt: input_toks, input_tokens, input_length, input_len, prompt_len, prompt_tokens,
///   ContextTokens, "Request tokens", num_prefill_tokens;
/// - output: output_toks, output_tokens, output_length, output_len, GeneratedTokens,
///   "Response tokens", completion_tokens, num_decode_tokens;
/// - hash_ids: of the prompt's blocks of 512 tokens, as Mooncake's traces have them. Blocks at the
///   front that an earlier line had are taken to be in the cache;
/// - conversations: of ShareGPT; its first two turns are the prompt and the output, a token being
///   four bytes of their text.
/// Times are dates (2023-11-16 18:15:46.68, a T between, a zone behind) or numbers. Numbers are of
/// the unit that is `stated`, else that the column's name says, else milliseconds where hash_ids
/// are, else what their size tells (unit_by_size); a note says which, and why. They count from the
/// earliest; lines out of order are put in order. Lines of no output tokens (failed requests) are
/// left out. Two columns that say the same are refused. Errors: `empty_trace`, `bad_trace` with the
/// number of the line, `too_many_requests`; all have the path load.arrivals.text.
Result<Trace> read_trace(std::string_view text, std::optional<TimeUnit> stated = std::nullopt);

}  // namespace ridgepoint::load
