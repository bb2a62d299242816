#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ridgepoint::api {

/// One request (JSON text) to one report (JSON text). Bad input of any kind gives
/// `{"error":{"code","message","path"}}`; nothing throws and nothing is read but the argument.
std::string evaluate(std::string_view request);

// Every function below takes one JSON value as text and gives one JSON value as text, with the `id`
// of what came in and a `kind`; or `{"id","error":{…}}`. `request` is a request of the contract.
// E is the estimate of a report: {"low","best","high","basis","starts"}.

/// One setup over one or two axes.
/// In: `{"id","request":{…},"axes":[{"name":"context|concurrency|count|utilization|batched_tokens|
/// weight_format|kv_format","values":[…]}]}`; without values each axis has its own usual ones,
/// without axes the one is context. At most 64 values an axis and 1,024 cells.
/// Out: `{"kind":"scan","axes":[{"name","unit","values":[…],"titles":[of formats…],"asked":index of
/// the request's own value|null}],"cells":[{"at":[index…],"serves","limit","limiting":id,
/// "limiting_term","max_requests":E,"enough":bool|null,"naive_requests","max_context","tokens":E,
/// "kv_pool":E,"speed":{"ttft_s":E,"tpot_s":E,"decode_tokens_per_s":E}|null,"change":{…}}|
/// {"at":[…],"error":{…},"change":{…}}],"notes":[text…]}`, the last axis running fastest. `enough`:
/// workload.concurrency, where it is given, is served at once. A length flag moves with the context
/// (plan/axes.hpp).
std::string scan(std::string_view query);

/// The setups that carry a load, best first, at most one a card and engine: the best at the
/// smallest count that carries it.
/// In:
/// `{"id","model":{…},"engines":[{"name","version","args","env"}],"workload":{"context","prompt",
/// "output","concurrency","ttft_s","tpot_s"},"constraints":{"gpus":[id…],"vendors":[…],
/// "min_card_bytes","max_card_bytes","max_count","counts":[…],"interconnect":"any|link",
/// "weight_formats":[…],"kv_formats":[…],"pipeline":bool,"tune":bool,"budget_per_hour"},
/// "prices":{id: number per card and hour, or null for none},"use_list_prices":true,
/// "rank_by":"cards|price|headroom","limit":n}`. Without engines the newest vLLM; without counts
/// all up to max_count, 8 unless said, at most 64; a constraint that is absent allows all; limit is
/// 20 unless said, at most 200. Prices given replace those of the list; `use_list_prices` false: no
/// others. A card of 80 GB passes a min_card_bytes of 80 GiB. Formats by the names of
/// plan/weight_choice.hpp; the checkpoint also by that of its own format, "bf16".
/// Out: `{"kind":"recommend","searched":{"cards","setups","estimates","carriers"},"prices":
/// {"currency","date","source","per_card_and_hour":{id: number}}|null,"answers":[{"gpu":{"id",
/// "name"},"count","engine":{"name","version"},"parallelism":{"tensor","pipeline","data","expert",
/// "attention_groups"},"weight_format","weight_title","kv_format","args":{…},"price_per_hour":
/// number|null,"max_requests":E,"headroom_requests","max_context","kv_pool":E,"speed":{…}|null,
/// "reason","limiting_term":"kv_pool|<flag>","breaks_first","request":{…}}],"left_out":[{"engine",
/// "reason","cards"}],"none":null|{"text","limit"}}`; `carriers` counts the answers there are, of
/// which `limit` are given, `left_out` the cards without one and why. With `load` and `slo` it is a
/// run (api/run.hpp), and a setup carries the load that holds on at least four draws of five.
std::string recommend(std::string_view query);

/// Two or more setups, each but the first against the first.
/// In: `{"id","setups":[{"label","request":{…}}…]}`, 2 to 16 of them; labels are A, B … unless
/// given. Out:
/// `{"kind":"compare","setups":[{"label","split":{"total","terms":[{"term","what","bytes"}],
/// "kv_pool"},"report":{…}}],"differences":[{"from":0,"to":n,"pool":{"from","to","difference",
/// "terms":[{"term","what","from","to","difference","why"}]},"requests":{"from","to","difference",
/// "terms":[…]},"changes":[{"what","from","to","pool_difference","requests_difference"}],
/// "text":[…]}]}`. `split`: total = kv_pool + its terms, of one GPU. Terms and changes add up to
/// the difference to the byte and the request (plan/pool_terms.hpp, plan/request_terms.hpp,
/// plan/change_path.hpp); a setup that cannot be computed is an error of the whole.
std::string compare(std::string_view query);

/// The smallest changes that mend what does not start or serves too few, each tried out; of what
/// does, what is wasted. In: a request (workload.concurrency is what must be served at once).
/// Out: `{"kind":"advise","verdict":{…},"problem","changes":[{"change","how","cost","effect",
/// "level","level_number","level_reason","max_requests":E,"context","max_context","kv_pool":E,
/// "parallelism":{"tensor","pipeline","data","expert"},"edit":{…},"request":{…}}],"waste":[{"what",
/// "bytes","text","edit":{…}|null,"request":{…}|null}]}`, smallest change first: `level` says how
/// far one goes (core/plan/levels.hpp), and `context` is the length that max_requests are of.
/// `problem` is empty for what serves all that is asked, and `changes` with it; where nothing
/// helps, `changes` is empty and `problem` says so. Waste is most bytes first. `request` is null
/// where what came in is larger than 2 MiB: the edit says it all.
std::string advise(std::string_view request);

/// A pasted command, compose file or Kubernetes manifest as a request.
/// In: `{"id","text","engine","gpu":{…},"workload":{…},"model":{…},"files":{name: text}}`, all but
/// text optional. `engine` is a name or `{"name","version"}`, for a text that does not say it;
/// `gpu`, `workload` and `model` go into the request, but for the count of cards where the command
/// says it; `files` are the texts of YAML files that the command names, where they are not in the
/// text. Out:
/// `{"kind":"command","form":"shell|docker|compose|kubernetes","request":{…},"flags":[{"flag",
/// "value","use":"used|no_effect|unmodelled|unknown","name","note"}],"env":[{"name","value","use",
/// "note"}],"notes":[…]}`. The request holds what is used; what is not modelled or not known is
/// listed and left out of it. What an engine itself would refuse stays in the request. Errors at
/// text: `no_command`, `not_yaml`, `too_long`.
std::string read_command(std::string_view query);

/// The command that starts a setup.
/// In: `{"id","request":{…},"form":"shell|docker|compose|kubernetes"}`, shell where it is absent.
/// Out: `{"kind":"command_text","form","text","flags":[{"flag","value","why"}],"notes":[…],
/// "request":{…},"checked":true}`. The request is the one asked about as the text says it: flags
/// that say the version's default are left out, and what the estimate took for granted (the length
/// asked about, the parallel size) is written as flags. The text was read back, and gives that
/// request's report to the byte. Errors, beside the estimate's: `not_writable` (engine.args.…)
/// where the engine's command line has no words for a setting, `not_supported` (gpu.id) where no
/// container reaches the card.
std::string write_command(std::string_view query);

/// A start-up log as measured terms. The log is the text itself, for it may be long (at most 96
/// MiB); `query` is `{"id","request":{…}}` or empty. A request that is given, or a part of one, is
/// put over what the log shows, and the start is compared with what the whole predicts.
/// Out: `{"kind":"log","engine","version","outcome":"started|refused|oom|error|unfinished",
/// "ranks":["main","TP0"…],"measured_rank","facts":[{"line","rank","term","value","unit"}],
/// "measured":{…},"settings":{…},"request":{…}|null,"comparison":[{"term","unit","measured",
/// "predicted":E,"inside","difference","cause"}],"causes":[…],"calibrated":{…}|null,"row":{…},
/// "notes":[…]}`. `measured` is of the rank with the smallest pool; `settings` is what the log
/// alone shows as a request; `value` is a number, a text or, of an event, null; `cause` is null
/// within the range and "cause unknown" where no rule knows it; `calibrated` is the request with
/// the log's terms, to go on from; `row` is a line for a corpus of measured starts that tells
/// nothing of whose it was. Errors: `not_a_log`, `log_too_long`, `wrong_engine`, and those of a
/// request.
std::string read_log(std::string_view log, std::string_view query);

/// The derivation of a request's answer, step by step, from parameters to speed: groups one after
/// the other in the order in which the engine works, of `model`, `weights`, `claim`, `terms`,
/// `pool`, `cache`, `capacity`, `verdict` and `speed`. A term is there once.
/// Out:
/// `{"kind":"explain","verdict":{…},"steps":[{"number","group","term","formula","with_numbers",
/// "value","unit","rule","source"}],"assumptions":[…]}`.
std::string explain(std::string_view request);

/// An answer of any kind, a report too, as text of another form.
/// In: `{"id","answer":{…},"format":"csv|markdown|text","width":80,"table":name}`.
/// Out: the text, which never starts with a brace, or `{"error":{…}}`. CSV (RFC 4180) is one table:
/// the answer's main one, or the one of that name (a name that is not there gives the names that
/// are): of a report `figures`, `memory`, `advice`; scan `cells`; recommend `answers`; compare
/// `setups`, `terms`, `changes`; advise `changes`, `waste`; command `flags`, `env`; command_text
/// `flags`; log `facts`, `measured`, `comparison`; explain `steps`. Its numbers are bytes, tokens
/// and seconds as the heads say, a range is three columns, and text that a spreadsheet would run as
/// a formula has an apostrophe before it. `width` is of text, from 40 to 1000.
std::string export_answer(std::string_view query);

/// The header at the front of a .safetensors or .gguf file, as JSON text that goes into
/// `model.tensors` of a request. `bytes` are the first bytes of the file, however many; one of
/// `{"header":{…}}`, `{"gguf":{"version","header_bytes","metadata":{…},"tensors":[…]}}`,
/// `{"need_bytes":n}` when at least n bytes from the start of the file are wanted, and
/// `{"error":{…}}`.
std::string read_checkpoint_header(std::span<const std::byte> bytes);

/// vLLM's KV-cache planner by itself, on bare layer specs: one line (JSON text) in, one out.
/// In: `{"id","L","R","mamba_mode","hma","dcp","num_gpu_blocks_override","auto_len","enc_tokens",
/// "version","workers":[{"mem","first","layers":[{"n","t","B","kv","hd","hdv","dt","w","c","bytes",
/// "page_padded","s","stride"}]}]}` with t one of full, sw, chunk, mla, sw_mla, mamba, cross; what
/// is absent has its default. Out: `{"id","out":[{"num_blocks","kv_bytes_allocated",
/// "bytes_per_block","groups":[{"n","type","B","page"}],"concurrency","tokens"}],"max_model_len"}`,
/// or `{"id","error","msg"}` where the engine refuses, or `{"error":{…}}` for a line that is wrong.
std::string kv_plan(std::string_view line);

/// What this build knows, as JSON text:
/// `{"version","gpus":[…],"models":[…],"engines":[{"name","versions":[…],"flags":[…]}]}`.
std::string catalogue();

/// The version of the library, for example "0.1.0".
std::string_view version();

}  // namespace ridgepoint::api
