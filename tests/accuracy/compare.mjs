// Runs the rows of one engine through the core and holds the answers against what was measured.
import { estimated, naive, original } from './figures.mjs';

/** @import { Corpus, Row, Shared } from './types' */

/**
 * @typedef {object} Comparison
 * @property {string} engine
 * @property {number} rows
 * @property {any[]} used
 * @property {{ id: string, why: string }[]} excluded
 * @property {any[]} checked
 * @property {Case[]} cases
 */

/**
 * A row with what was asked of it.
 *
 * @typedef {object} Case
 * @property {Row} row
 * @property {any} [request]
 * @property {any[] | null} [given]
 * @property {string} [excluded]
 */

/** Logs print bytes as GiB with two decimals. */
const ROUNDING = 0.005 * 2 ** 30;

/**
 * @param {string} engine
 * @param {Corpus} corpus
 * @param {Row[]} rows
 * @param {Shared} shared
 * @param {(requests: object[]) => any[]} evaluate
 * @returns {Comparison}
 */
export function compare(engine, corpus, rows, shared, evaluate) {
  const cases = rows.map((row) => ({ row, ...corpus.requestOf(row, shared) }));
  for (const one of cases) {
    for (const request of [one.request, ...(one.given ?? [])]) nameBuiltIn(request?.model);
  }
  const asked = cases.flatMap((one) => [
    ...(one.request ? [one.request] : []),
    ...(one.given ?? []),
  ]);
  const answers = evaluate(asked);
  let next = 0;
  const used = [];
  const checked = [];
  const excluded = [];
  for (const one of cases) {
    const report = one.request ? answers[next++] : null;
    const given = (one.given ?? []).map(() => answers[next++]);
    const follows = { id: one.row.id, ...exactness(corpus, one.row, given) };
    if (Object.keys(follows).length > 1) checked.push(follows);
    const error = report?.error;
    if (!report || error) {
      const why = error ? `${error.code}: ${error.message}` : one.excluded;
      excluded.push({ id: one.row.id, why });
      continue;
    }
    const compared = outcome(corpus, one, report, shared.facts(one.request));
    if (Object.keys(compared.terms).length === 0 && !compared.refused) {
      excluded.push({ id: one.row.id, why: 'its source has no figure that is compared' });
      continue;
    }
    used.push(compared);
  }
  return { engine, used, excluded, checked, cases, rows: rows.length };
}

function outcome(corpus, { row }, report, facts) {
  const said = corpus.measured(row);
  const ours = estimatedBy(corpus, report, said);
  const kind =
    corpus.kind?.(row, report) ?? report.model.attention + (report.model.moe ? '+moe' : '');
  const others = { naive: naive(report), original: original(report, facts) };
  const terms = {};
  for (const [term, value] of Object.entries(said)) {
    if (!value || !ours[term]) continue;
    const slack =
      term === 'tokens' || term === 'blocks' ? 0 : term === 'concurrency' ? 0.005 : ROUNDING;
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
    era: corpus.era(row),
    kind,
    refused: row.outcome === 'refused',
    out_of_memory: row.outcome === 'oom',
    row,
    report,
    said,
    terms,
    others,
  };
}

/** What is checked of a pool that is known, by default. */
export const FOLLOWS = ['tokens', 'concurrency', 'needed', 'max_len'];

/** Whether what follows from the figures given is what was measured; null where nothing is. */
function exactness(corpus, row, given) {
  const said = corpus.measured(row);
  const terms = corpus.follows ?? FOLLOWS;
  const answers = given.filter((report) => !report.error).map(followed);
  if (answers.length === 0 || answers.length !== given.length) return {};
  const exact = {};
  for (const term of terms) {
    if (said[term] === null || said[term] === undefined) continue;
    const slack = Math.max(SLACK[term] ?? ROUNDING, (corpus.tolerance ?? 0) * said[term]);
    const low = Math.min(...answers.map((answer) => answer[term])) - slack;
    const high = Math.max(...answers.map((answer) => answer[term])) + slack;
    exact[term] = {
      holds: low <= said[term] && said[term] <= high,
      error: answers[0][term] / said[term] - 1,
    };
  }
  return exact;
}

/** What a report of given figures is held to; logs of what is needed have two decimals. */
const SLACK = { tokens: 0.5, concurrency: 0.00501, max_len: 15 };

function followed(report) {
  const all = estimated(report);
  return {
    tokens: all.tokens.best,
    concurrency: all.concurrency.best,
    kv_pool: all.kv_pool.best,
    needed: report.verdict.needed_bytes,
    max_len: report.capacity.max_context,
  };
}

/** The report's figures by the corpus's own names of terms. */
function estimatedBy(corpus, report, said) {
  if (!corpus.predicted) return estimated(report);
  const terms = Object.keys(said);
  return Object.fromEntries(terms.map((term) => [term, corpus.predicted(report, term)]));
}

/** A built-in model is asked for by its id. */
function nameBuiltIn(model) {
  if (!model?.config?.builtIn) return;
  model.id = model.config.builtIn;
  delete model.config;
}
