// The README's tables of speeds, from core/data/accuracy/speed.json:
// `node tests/accuracy/speed_readme.mjs` writes them in place of those that are there.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIGURES } from './speed_groups.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const README = file('README.md');
export const START = '| speeds | runs |';
export const BY_SOURCE = '| data-centre cards, by source | runs |';
/** Below this many runs no percentage is told, as for the starts. */
const FEWEST = 10;

const names = {
  tpot: 'time per output token',
  ttft: 'time to the first token',
  output_tok_s: 'output tokens per second',
};
const groups = [
  ['data centre, dense', 'data-centre cards, dense'],
  ['data centre, mixtures', 'data-centre cards, mixtures'],
  ['one workstation card, dense', 'one workstation card, dense'],
  ['one workstation card, mixtures', 'one workstation card, mixtures'],
  ['SGLang, dense', 'SGLang, dense'],
  ['SGLang, mixtures', 'SGLang, mixtures'],
  ['llama.cpp', 'llama.cpp'],
  ['others, dense', 'other cards and old versions, dense'],
  ['others, mixtures', 'other cards and old versions, mixtures'],
];

const percent = (x) =>
  x === null || x === undefined ? '' : `${(100 * x).toFixed(x < 0.0995 ? 1 : 0)} %`;
const signed = (x) => `${x < 0 ? '−' : '+'}${percent(Math.abs(x))}`;

function line(row, name) {
  const { fit, check } = row.halves;
  const cells = [
    `${names[row.figure]}, ${name}`,
    row.rows.toLocaleString('en'),
    percent(row.median),
    signed(row.bias),
    percent(row.p90),
    `${(100 * row.held).toFixed(0)} %`,
    percent(row.roofline),
    percent(row.original),
    `${percent(fit?.median) || '–'} / ${percent(check?.median) || '–'}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

export function speedTable(facts) {
  const rows = FIGURES.flatMap((figure) =>
    groups.flatMap(([group, name]) => {
      const row = facts.summary.find((one) => one.figure === figure && one.group === group);
      return row && row.rows >= FEWEST ? [line(row, name)] : [];
    }),
  );
  return [
    `${START} median | bias | nine in ten below | in the range | plain roofline | usual formulas | fitted / checked half |`,
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** The runs of one figure and group by where they were published. */
function bySource(facts, figure, group) {
  const at = Object.fromEntries(facts.columns.map((name, i) => [name, i]));
  const runs = new Map();
  for (const point of facts.points) {
    const value = (name) => point[at[name]];
    if (facts.figures[value('figure')] !== figure || facts.groups[value('group')] !== group)
      continue;
    const [measured, low, high] = ['measured', 'low', 'high'].map(value);
    const source = facts.sources[value('source')];
    runs.set(source, [
      ...(runs.get(source) ?? []),
      {
        error: Math.abs(value('predicted') / measured - 1),
        held: low <= measured && measured <= high,
        fitted: value('half') === 0,
      },
    ]);
  }
  return [...runs].filter(([, rows]) => rows.length >= FEWEST);
}

const shareOf = (rows, holds) =>
  `${((100 * rows.filter(holds).length) / rows.length).toFixed(0)} %`;

/** "InferenceX/InferenceMAX run" of "github:… silicon_sample.csv (InferenceX/InferenceMAX run)". */
const sourceName = (source) =>
  /silicon_sample\.csv \((.*) run\)$/.exec(source)?.[1] ??
  source.replace(/^github:|NVIDIA\/| \(.*\)$/g, '');

export function sourceTable(facts) {
  const rows = ['tpot', 'ttft'].flatMap((figure) =>
    groups.slice(0, 2).flatMap(([group, name]) =>
      bySource(facts, figure, group)
        .sort(([, a], [, b]) => b.length - a.length)
        .map(([source, runs]) => {
          const errors = runs.map(({ error }) => error).sort((a, b) => a - b);
          const cells = [
            `${names[figure]}, ${name.split(', ')[1]}: ${sourceName(source)}`,
            runs.length.toLocaleString('en'),
            percent(errors[errors.length >> 1]),
            shareOf(runs, ({ held }) => held),
            shareOf(runs, ({ fitted }) => fitted),
          ];
          return `| ${cells.join(' | ')} |`;
        }),
    ),
  );
  return [
    `${BY_SOURCE} median | in the range | in the fitted half |`,
    '|---|--:|--:|--:|--:|',
    ...rows,
  ].join('\n');
}

/** The table that is in a text: from its first line to the first empty one. */
export function tableIn(text, start = START) {
  const from = text.indexOf(start);
  return from < 0 ? null : text.slice(from, text.indexOf('\n\n', from));
}

export const factsOnDisk = () =>
  JSON.parse(readFileSync(file('core/data/accuracy/speed.json'), 'utf8'));
export const readme = () => readFileSync(README, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const facts = factsOnDisk();
  let text = readme();
  for (const [start, table] of [
    [START, speedTable(facts)],
    [BY_SOURCE, sourceTable(facts)],
  ]) {
    const before = tableIn(text, start);
    if (before === null) throw new Error(`README.md has no line that begins with "${start}"`);
    text = text.replace(before, () => table);
  }
  writeFileSync(README, text);
}
