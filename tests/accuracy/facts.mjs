// The compact facts that the page and the README show.
import { groups_of, other_summary, summary } from './table.mjs';

const TERMS = ['weights', 'activation', 'graphs', 'kv_pool', 'blocks', 'tokens', 'concurrency'];
/** Below this many starts no percentage is claimed. */
const FEWEST = 10;

export function facts_of(result) {
  const groups = [];
  const started = { ...result, used: result.used.filter((one) => !one.refused) };
  for (const [name, list] of groups_of(started)) {
    for (const term of TERMS) {
      const s = summary(list, term);
      if (s.n === 0) continue;
      const claimed = s.n >= FEWEST;
      groups.push({
        group: name,
        term,
        starts: s.n,
        median_error: claimed ? round(s.median) : null,
        p90_error: claimed ? round(s.p90) : null,
        worst_error: round(s.worst),
        held: claimed ? round(s.held) : null,
        naive_median_error: claimed ? round(other_summary(list, 'naive', term).median) : null,
      });
    }
  }
  const excluded = {};
  for (const { why } of result.excluded) excluded[why] = (excluded[why] ?? 0) + 1;
  return {
    engine: result.engine,
    source: 'measured start-ups with public sources, run by tests/accuracy.sh',
    rows: result.rows,
    used: result.used.length,
    excluded,
    groups,
  };
}

const round = (x) => (x === null ? null : Math.round(x * 1e5) / 1e5);
