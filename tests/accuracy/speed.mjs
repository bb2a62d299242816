// `node tests/accuracy/speed.mjs --evaluate <speed_rows> [--rows] [--write <file>]`: every measured
// speed of the corpus against the step model, beside the plain roofline and the usual two formulas.
// speed_rows is a program of the native build (tests/native). Rows of one configuration (engine,
// version, model, card, format, ranks) go together into one of two halves: constants were fitted on the
// first, and the second checks them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FIGURES, groupOf, halfOf } from './speed_groups.mjs';
import { speedRequest, speedRows } from './speed_rows.mjs';
import { sharedOf } from './truth.mjs';

const LARGEST_OUTPUT = 1 << 30;
const WHOSE = ['ours', 'roofline', 'original'];

const { values } = parseArgs({
  options: {
    evaluate: { type: 'string' },
    rows: { type: 'boolean', default: false },
    write: { type: 'string' },
  },
});

function evaluated(requests) {
  const folder = mkdtempSync(join(tmpdir(), 'speed-'));
  const file = join(folder, 'rows.jsonl');
  writeFileSync(file, requests.map((row) => JSON.stringify(row)).join('\n'));
  const options = { input: '{}\n', encoding: 'utf8', maxBuffer: LARGEST_OUTPUT };
  const run = spawnSync(values.evaluate, [file], options);
  rmSync(folder, { recursive: true });
  if (run.error) throw run.error;
  return new Map(JSON.parse(run.stdout).map((answer) => [answer.id, answer]));
}

const sorted = (list) => [...list].sort((a, b) => a - b);
const quantile = (list, q) => sorted(list)[Math.floor(q * (list.length - 1))];
const percent = (x) => `${(100 * x).toFixed(1).padStart(6)} %`;

function print(title, list) {
  if (list.length < 4) return;
  const errors = list.map((one) => one.predicted.ours / one.measured - 1);
  const others = WHOSE.slice(1).map((whose) => {
    const known = list.filter((one) => one.predicted[whose] > 0);
    const apart = known.map((one) => Math.abs(one.predicted[whose] / one.measured - 1));
    return known.length < 4 ? ''.padStart(8) : percent(quantile(apart, 0.5));
  });
  const held = list.filter((one) => one.measured >= one.low && one.measured <= one.high);
  console.log(
    `${title.padEnd(52)}${String(list.length).padStart(5)}` +
      percent(quantile(errors.map(Math.abs), 0.5)) +
      percent(quantile(errors, 0.5)) +
      percent(quantile(errors.map(Math.abs), 0.9)) +
      percent(held.length / list.length) +
      others.join(''),
  );
}

function byGroup(list, nameOf) {
  const groups = new Map();
  for (const one of list) {
    const name = nameOf(one);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  for (const name of [...groups.keys()].sort()) print(name, groups.get(name));
}

const rows = speedRows();
if (rows === null) {
  console.log('skipped: the measured speeds are not here');
  process.exit(0);
}
const shared = sharedOf();
const left = new Map();
const used = [];
for (const row of rows) {
  const made = 'AB'.includes(row.tier)
    ? speedRequest(row, shared)
    : { excluded: `tier ${row.tier}` };
  if (made.excluded) left.set(made.excluded, (left.get(made.excluded) ?? 0) + 1);
  else used.push({ row, ...made, source: row });
}
const answers = evaluated(used.map((one) => one.row));
const errors = used.flatMap(({ source, measured }) => {
  const answer = answers.get(source.id);
  return FIGURES.filter((figure) => measured[figure] > 0 && answer?.[figure] > 0).map((figure) => {
    const half = `${figure}_p50`;
    const name = /p50$/.test(measured[`${figure}_is`] ?? '') && answer[half] > 0 ? half : figure;
    const band = 1 + (figure === 'ttft' ? answer.ttft_band : answer.tpot_band);
    return {
      id: source.id,
      figure,
      group: groupOf(source),
      half: halfOf(source),
      measured: measured[figure],
      predicted: {
        ours: answer[name],
        roofline: answer[`roofline_${figure}`],
        original: answer[`original_${figure}`],
      },
      low: answer[name] / band,
      high: answer[name] * band,
    };
  });
});

console.log(`${rows.length} rows, ${used.length} used; left out:`);
for (const [why, count] of left) console.log(`  ${count}  ${why}`);
console.log(
  `\n${''.padEnd(52)} rows  median    bias     p90    held  roofline original   (errors without sign, but bias)`,
);
byGroup(errors, (one) => `${one.figure}  ${one.group}`);
console.log();
byGroup(errors, (one) => `${one.figure}  ${one.group}, ${one.half}`);
if (values.rows) {
  for (const one of errors) {
    console.log([one.id, one.figure, one.measured, one.predicted.ours].join('\t'));
  }
}
if (values.write) writeFileSync(values.write, JSON.stringify(errors));
