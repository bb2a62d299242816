// The compact facts that the page and the README show.
import { groupsOf, otherSummary, summary } from './table.mjs';

/** @import { Comparison } from './compare.mjs' */

const TERMS = ['weights', 'activation', 'graphs', 'kv_pool', 'blocks', 'tokens', 'concurrency'];
/** Below this many starts no percentage is claimed. */
const FEWEST = 10;

/** @param {Comparison} result */
export function factsOf(result) {
  const started = { ...result, used: result.used.filter((one) => !one.refused) };
  const eras = groupsOf(started).filter(([name]) => !name.includes(', '));
  return {
    engine: result.engine,
    source: 'measured start-ups with public sources, run by tests/accuracy.sh',
    rows: result.rows,
    used: result.used.length,
    excluded: result.excluded.length,
    groups: eras.flatMap(([name, list]) => TERMS.flatMap((term) => factOf(name, list, term))),
    follows: followsOf(result),
  };
}

function factOf(group, list, term) {
  const s = summary(list, term);
  if (s.n === 0) return [];
  const claimed = s.n >= FEWEST;
  const other = (whose) => {
    const { n, median } = otherSummary(list, whose, term);
    return n < FEWEST ? null : round(median);
  };
  return [
    {
      group,
      term,
      starts: s.n,
      median_error: claimed ? round(s.median) : null,
      p90_error: claimed ? round(s.p90) : null,
      held: claimed ? round(s.held) : null,
      naive_median_error: other('naive'),
      original_median_error: other('original'),
    },
  ];
}

/** How often what follows from a log's own pool was what the log said. */
function followsOf(result) {
  const terms = [...new Set(result.checked.flatMap((one) => Object.keys(one)))];
  return terms
    .filter((term) => term !== 'id')
    .map((term) => {
      const seen = result.checked.filter((one) => one[term]);
      return { term, starts: seen.length, exact: seen.filter((one) => one[term].holds).length };
    });
}

const round = (x) => (x === null ? null : Math.round(x * 1e5) / 1e5);
