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

/** The same figures for another formula: `naive`, or the `original` one. */
export function otherSummary(list, whose, term) {
  const errors = list
    .filter((one) => one.said[term] && typeof one.others[whose]?.[term] === 'number')
    .map((one) => one.others[whose][term] / one.said[term] - 1);
  const sizes = errors.map(Math.abs);
  return {
    n: errors.length,
    signed: median(errors),
    median: median(sizes),
    p90: quantile(sizes, 0.9),
    worst: sizes.length === 0 ? null : Math.max(...sizes),
  };
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
    line(['started', 'term', 'by', 'n', 'signed', 'median', 'p90', 'worst', 'held', 'width']),
  );
  const started = { ...result, used: result.used.filter((one) => !one.refused) };
  for (const [name, list] of groupsOf(started)) {
    for (const term of TERMS) {
      const own = summary(list, term);
      if (own.n === 0) continue;
      console.log(
        line([name, term, 'ridgepoint', ...columns(own), percent(own.held), percent(own.width)]),
      );
      for (const whose of ['naive', 'original']) {
        const other = otherSummary(list, whose, term);
        if (other.n !== 0) console.log(line([name, term, whose, ...columns(other), '', '']));
      }
    }
  }
  printMisses(result, causes);
  printGiven(result, causes);
  printRefusals(result);
}

const columns = (s) => [
  s.n,
  percent(s.signed),
  percent(s.median),
  percent(s.p90),
  percent(s.worst),
];

function line([name, term, by, ...figures]) {
  const cells = figures.map((figure) => pad(figure, 10)).join('');
  return `${name.padEnd(36)} ${term.padEnd(12)} ${by.padEnd(10)}${cells}`;
}

/** The tenth of each term that is furthest off, with what is known of each. */
function printMisses(result, causes) {
  const started = result.used.filter((one) => !one.refused);
  for (const term of TERMS) {
    const seen = started.filter((one) => one.terms[term]);
    const limit = quantile(
      seen.map((one) => Math.abs(one.terms[term].error)),
      0.9,
    );
    for (const one of seen.filter((each) => Math.abs(each.terms[term].error) > limit)) {
      const { error, held } = one.terms[term];
      const cause =
        causes[`${one.id} ${term}`] ?? causes[term] ?? causes[one.id] ?? 'cause unknown';
      console.log(
        `   miss: ${term} of ${one.id} (${one.era}, ${one.kind}) ${percent(error)}, ${held ? 'inside' : 'outside'} the range: ${cause}`,
      );
    }
  }
}

/** What follows from measured figures, once those are put in. */
function printGiven(result, causes) {
  for (const term of ['kv_pool', 'tokens', 'concurrency', 'needed', 'max_len']) {
    const seen = result.checked.filter((one) => one[term]);
    if (seen.length === 0) continue;
    const holds = seen.filter((one) => one[term].holds).length;
    const sizes = seen.map((one) => Math.abs(one[term].error));
    console.log(
      `given: ${term.padEnd(12)} ${pad(seen.length, 4)} starts, ${holds} exactly; median ${percent(median(sizes))}, p90 ${percent(quantile(sizes, 0.9))}`,
    );
    for (const one of seen.filter((each) => !each[term].holds)) {
      const cause = causes[`${one.id} given`] ?? causes[one.id] ?? 'cause unknown';
      console.log(`   off: ${one.id} ${percent(one[term].error)}: ${cause}`);
    }
  }
}

function printRefusals(result) {
  const refused = result.used.filter((one) => one.refused);
  if (refused.length === 0) return;
  const told = refused.filter((one) => !one.report.verdict.serves);
  console.log(`refused to start: ${refused.length}, and the verdict says so of ${told.length}`);
}
