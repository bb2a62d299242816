// The README's table of speeds, from core/data/accuracy/speed.json:
// `node tests/accuracy/speed_readme.mjs` writes it in place of the one that is there.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FIGURES } from './speed_groups.mjs';

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const README = file('README.md');
export const START = '| speeds | runs |';
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

/** The table that is in a text: from its first line to the first empty one. */
export function tableIn(text) {
  const from = text.indexOf(START);
  return from < 0 ? null : text.slice(from, text.indexOf('\n\n', from));
}

export const factsOnDisk = () =>
  JSON.parse(readFileSync(file('core/data/accuracy/speed.json'), 'utf8'));
export const readme = () => readFileSync(README, 'utf8');

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const text = readme();
  const before = tableIn(text);
  if (before === null) throw new Error(`README.md has no line that begins with "${START}"`);
  writeFileSync(
    README,
    text.replace(before, () => speedTable(factsOnDisk())),
  );
}
