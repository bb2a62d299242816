// The error tables, as text.
import { median, quantile } from './figures.mjs';

const percent = (x) => (x === null ? '-' : `${(x * 100).toFixed(2)} %`);
const pad = (text, width) => String(text).padStart(width);

/** One line a row: each term measured, estimated, error; `!` where the band misses it. */
export function printRows(result) {
  for (const one of result.used) {
    const terms = Object.entries(one.terms).map(([term, t]) => {
      const unit = ['blocks', 'tokens', 'concurrency'].includes(term) ? 1 : 2 ** 30;
      return `${term} ${(t.measured / unit).toFixed(2)} ${(t.best / unit).toFixed(2)} ${(t.error * 100).toFixed(2)}%${t.held ? '' : '!'}`;
    });
    const verdict = one.report.verdict.serves ? '' : ` [${one.report.verdict.limit}]`;
    console.log(
      `${one.id} | ${one.era} | ${one.kind} | ${one.row.outcome}${verdict} | ${terms.join(' | ')}`,
    );
  }
  for (const { id, why } of result.excluded) console.log(`excluded ${id}: ${why}`);
}

export function groupsOf(result) {
  const groups = new Map([['all', []]]);
  for (const one of result.used) {
    groups.get('all').push(one);
    for (const name of [one.era, `${one.era}, ${one.kind}`]) {
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(one);
    }
  }
  return [...groups].sort(([a], [b]) => (a === 'all' ? -1 : b === 'all' ? 1 : a < b ? -1 : 1));
}

export function summary(list, term) {
  const seen = list.map((one) => one.terms[term]).filter((t) => t !== undefined);
  const sizes = seen.map((t) => Math.abs(t.error));
  const wide = list
    .filter((one) => one.terms[term])
    .map((one) => one.terms[term].width / one.report.memory.per_gpu.total);
  return {
    n: seen.length,
    signed: median(seen.map((t) => t.error)),
    median: median(sizes),
    p90: quantile(sizes, 0.9),
    worst: sizes.length === 0 ? null : Math.max(...sizes),
    held: seen.length === 0 ? null : seen.filter((t) => t.held).length / seen.length,
    width: median(wide),
  };
}

export function otherSummary(list, whose, term) {
  const sizes = list
    .filter((one) => one.said[term] && one.others[whose]?.[term] !== undefined)
    .filter((one) => one.others[whose][term] !== null)
    .map((one) => Math.abs(one.others[whose][term] / one.said[term] - 1));
  return { n: sizes.length, median: median(sizes), p90: quantile(sizes, 0.9) };
}

const TERMS = [
  'weights',
  'activation',
  'non_torch',
  'outside',
  'graphs',
  'kv_pool',
  'blocks',
  'tokens',
  'concurrency',
];

export function printTables(result, causes = {}) {
  console.log(`\n== ${result.engine}: ${result.rows} rows, ${result.used.length} used`);
  const why = new Map();
  for (const one of result.excluded) why.set(one.why, (why.get(one.why) ?? 0) + 1);
  for (const [reason, n] of [...why].sort((a, b) => b[1] - a[1])) {
    console.log(`   excluded ${n}: ${reason}`);
  }
  console.log(
    `${'started'.padEnd(36)} ${'term'.padEnd(11)} ${pad('n', 4)} ${pad('signed', 9)} ${pad('median', 9)} ${pad('p90', 9)} ${pad('worst', 9)} ${pad('held', 9)} ${pad('width', 8)} ${pad('naive', 10)} ${pad('earlier', 10)}`,
  );
  const started = { ...result, used: result.used.filter((one) => !one.refused) };
  for (const [name, list] of groupsOf(started)) {
    for (const term of TERMS) {
      const s = summary(list, term);
      if (s.n === 0) continue;
      console.log(
        `${name.padEnd(36)} ${term.padEnd(11)} ${pad(s.n, 4)} ${pad(percent(s.signed), 9)} ${pad(percent(s.median), 9)} ${pad(percent(s.p90), 9)} ${pad(percent(s.worst), 9)} ${pad(percent(s.held), 9)} ${pad(percent(s.width), 8)} ${pad(percent(otherSummary(list, 'naive', term).median), 10)} ${pad(percent(otherSummary(list, 'earlier', term).median), 10)}`,
      );
    }
  }
  printMisses(result, causes);
  printGiven(result);
  printRefusals(result);
}

/** The tenth that is furthest off, with what is known of each. */
function printMisses(result, causes) {
  const started = result.used.filter((one) => one.terms.kv_pool ?? one.terms.tokens);
  const term = (one) => one.terms.kv_pool ?? one.terms.tokens;
  const limit = quantile(
    started.map((one) => Math.abs(term(one).error)),
    0.9,
  );
  for (const one of started.filter((each) => Math.abs(term(each).error) > limit)) {
    const inside = term(one).held ? 'inside the range' : 'outside the range';
    console.log(
      `   miss: ${one.id} (${one.era}, ${one.kind}) ${percent(term(one).error)}, ${inside}: ${causes[one.id] ?? 'cause unknown'}`,
    );
  }
}

/** What follows from measured figures, once those are put in. */
function printGiven(result) {
  for (const term of ['kv_pool', 'tokens', 'concurrency', 'needed', 'max_len']) {
    const seen = result.checked.filter((one) => one[term]);
    if (seen.length === 0) continue;
    const holds = seen.filter((one) => one[term].holds).length;
    const sizes = seen.map((one) => Math.abs(one[term].error));
    console.log(
      `given: ${term.padEnd(12)} ${pad(seen.length, 4)} starts, ${holds} exactly; median ${percent(median(sizes))}, p90 ${percent(quantile(sizes, 0.9))}`,
    );
    for (const one of seen.filter((each) => !each[term].holds)) {
      console.log(`   off: ${one.id} ${percent(one[term].error)}`);
    }
  }
}

function printRefusals(result) {
  const refused = result.used.filter((one) => one.refused);
  if (refused.length === 0) return;
  const told = refused.filter((one) => !one.report.verdict.serves);
  console.log(`refused to start: ${refused.length}, and the verdict says so of ${told.length}`);
}
