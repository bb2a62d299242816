// The error tables of measured speeds, and the compact facts that the page and the README show.
import { FIGURES } from './speed_groups.mjs';

const OTHERS = ['roofline', 'original'];
/** Below this many rows no percentage is claimed. */
const FEWEST = 4;

const sorted = (list) => [...list].sort((a, b) => a - b);
const quantile = (list, q) => sorted(list)[Math.floor(q * (list.length - 1))];
const percent = (x) => (x === null ? ''.padStart(9) : `${(100 * x).toFixed(1).padStart(7)} %`);
const round = (x) => Math.round(x * 1e4) / 1e4;

export function summaryOf(list) {
  const errors = list.map((one) => one.predicted.ours / one.measured - 1);
  const apart = errors.map(Math.abs);
  const others = OTHERS.map((whose) => {
    const known = list.filter((one) => one.predicted[whose] > 0);
    if (known.length < FEWEST) return [whose, null];
    return [
      whose,
      round(
        quantile(
          known.map((one) => Math.abs(one.predicted[whose] / one.measured - 1)),
          0.5,
        ),
      ),
    ];
  });
  return {
    rows: list.length,
    median: round(quantile(apart, 0.5)),
    bias: round(quantile(errors, 0.5)),
    p90: round(quantile(apart, 0.9)),
    held: round(
      list.filter((one) => one.measured >= one.low && one.measured <= one.high).length /
        list.length,
    ),
    ...Object.fromEntries(others),
  };
}

/** Lists by a name, in the order of the names; short ones are left out. */
function grouped(list, nameOf) {
  const groups = new Map();
  for (const one of list) {
    const name = nameOf(one);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups.entries()]
    .filter(([, members]) => members.length >= FEWEST)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function print(title, list) {
  const s = summaryOf(list);
  console.log(
    title.padEnd(52) +
      String(s.rows).padStart(5) +
      [s.median, s.bias, s.p90, s.held, s.roofline, s.original].map(percent).join(''),
  );
}

export function printSpeed(errors, rows, left) {
  console.log(`${rows} rows, ${new Set(errors.map((one) => one.id)).size} used; left out:`);
  for (const [why, count] of left) console.log(`  ${count}  ${why}`);
  console.log(
    `\n${''.padEnd(53)}rows   median     bias      p90     held roofline original   (errors without sign, but bias)`,
  );
  for (const [name, list] of grouped(errors, (one) => `${one.figure}  ${one.group}`)) {
    print(name, list);
    for (const [half, members] of grouped(list, (one) => one.half)) print(`    ${half}`, members);
  }
}

const PLACES = 4;
const short = (x) => Number(x.toPrecision(PLACES));

/** Columns, so that a name is written once. */
export function factsOfSpeed(errors, rows, left) {
  const list = (key) => [...new Set(errors.map(key))];
  const engines = list((one) => one.source.engine);
  const models = list((one) => one.source.model);
  const cards = list((one) => one.source.gpu);
  const groups = list((one) => one.group);
  const sources = list((one) => one.source.source.split(';')[0].trim());
  return {
    source: 'measured speeds with public sources, run by tests/accuracy.sh speed',
    rows,
    used: new Set(errors.map((one) => one.id)).size,
    left_out: Object.fromEntries(left),
    figures: FIGURES,
    summary: grouped(errors, (one) => `${one.figure}|${one.group}`).map(([name, members]) => {
      const [figure, group] = name.split('|');
      const halves = Object.fromEntries(
        grouped(members, (one) => one.half).map(([half, of]) => [half, summaryOf(of)]),
      );
      return { figure, group, ...summaryOf(members), halves };
    }),
    engines,
    models,
    cards,
    groups,
    sources,
    columns: [
      'figure',
      'group',
      'engine',
      'version',
      'model',
      'card',
      'cards',
      'input',
      'output',
      'users',
      'measured',
      'predicted',
      'low',
      'high',
      'source',
      'half',
    ],
    points: errors.map((one) => [
      FIGURES.indexOf(one.figure),
      groups.indexOf(one.group),
      engines.indexOf(one.source.engine),
      one.source.engine_version ?? '',
      models.indexOf(one.source.model),
      cards.indexOf(one.source.gpu),
      one.source.gpus ?? 1,
      one.source.input_len ?? null,
      one.source.output_len ?? null,
      one.source.concurrency ?? null,
      short(one.measured),
      short(one.predicted.ours),
      short(one.low),
      short(one.high),
      sources.indexOf(one.source.source.split(';')[0].trim()),
      one.half === 'fit' ? 0 : 1,
    ]),
  };
}
