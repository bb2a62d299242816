// Runs the rows of one engine through the core and holds the answers against what was measured.
import { earlier, estimated, naive } from './figures.mjs';

/** @import { Corpus, Row, Shared } from './types' */

/** Logs print bytes as GiB with two decimals. */
const ROUNDING = 0.005 * 2 ** 30;

/**
 * @param {string} engine
 * @param {Corpus} corpus
 * @param {Row[]} rows
 * @param {Shared} shared
 * @param {(requests: object[]) => any[]} evaluate
 */
export function compare(engine, corpus, rows, shared, evaluate) {
  const cases = rows.map((row) => ({ row, ...corpus.request_of(row, shared) }));
  for (const one of cases) {
    if (one.request?.model?.config?.built_in) delete one.request.model.config;
    for (const given of one.given ?? []) if (given.model?.config?.built_in) delete given.model.config;
  }
  const asked = cases.flatMap((one) => (one.request ? [one.request, ...(one.given ?? [])] : []));
  const answers = evaluate(asked);
  let next = 0;
  const used = [];
  const excluded = [];
  for (const one of cases) {
    if (!one.request) {
      excluded.push({ id: one.row.id, why: one.excluded });
      continue;
    }
    const report = answers[next++];
    const given = (one.given ?? []).map(() => answers[next++]);
    const error = report.error;
    if (error) {
      excluded.push({ id: one.row.id, why: `${error.code}: ${error.message}` });
      continue;
    }
    used.push(outcome(engine, corpus, one.row, one.request, report, given));
  }
  return { engine, used, excluded, asked, rows: rows.length };
}

function outcome(engine, corpus, row, request, report, given) {
  const said = corpus.measured(row);
  const ours = estimated(report);
  const kind =
    corpus.kind?.(row, report) ?? report.model.attention + (report.model.moe ? '+moe' : '');
  const others = { naive: naive(report) };
  const hidden = hidden_size(request.model.config);
  if (hidden) others.earlier = earlier(report, hidden);
  const terms = {};
  for (const [term, value] of Object.entries(said)) {
    if (value === null || value === undefined || !ours[term]) continue;
    const slack = term === 'tokens' || term === 'blocks' ? 0 : term === 'concurrency' ? 0.005 : ROUNDING;
    terms[term] = {
      measured: value,
      ...ours[term],
      error: ours[term].best / value - 1,
      held: ours[term].low - slack <= value && value <= ours[term].high + slack,
      width: ours[term].high - ours[term].low,
    };
  }
  return {
    id: row.id,
    engine,
    era: corpus.era(row),
    kind,
    refused: row.outcome === 'refused',
    out_of_memory: row.outcome === 'oom',
    row,
    report,
    given,
    said,
    terms,
    others,
    exact: exactness(said, given),
  };
}

/** Whether what follows from the figures given is what was measured; null where nothing is. */
function exactness(said, given) {
  const answers = given.filter((report) => !report.error).map(estimated);
  if (answers.length === 0 || answers.length !== given.length) return {};
  const exact = {};
  for (const term of ['tokens', 'concurrency', 'kv_pool']) {
    if (said[term] === null || said[term] === undefined) continue;
    const slack = term === 'tokens' ? 0.5 : term === 'concurrency' ? 0.00501 : ROUNDING;
    const low = Math.min(...answers.map((answer) => answer[term].best)) - slack;
    const high = Math.max(...answers.map((answer) => answer[term].best)) + slack;
    exact[term] = {
      holds: low <= said[term] && said[term] <= high,
      error: answers[0][term].best / said[term] - 1,
    };
  }
  return exact;
}

function hidden_size(config) {
  if (!config || typeof config !== 'object') return null;
  return config.hidden_size ?? config.text_config?.hidden_size ?? config.n_embd ?? null;
}
