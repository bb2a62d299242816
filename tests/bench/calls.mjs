// Microseconds from request text to report text, as wasm in node and natively:
// `node tests/bench/calls.mjs <evaluate_lines>`.
import { spawnSync } from 'node:child_process';
import { load } from 'ridgepoint';
import { requests } from './requests.mjs';
import { table } from './table.mjs';

const REPEATS = 2000;
const ROUNDS = 5;

const core = await load();

function timeWasm(text) {
  for (let i = 0; i < REPEATS / 4; i++) core.evaluateText(text);
  const begin = process.hrtime.bigint();
  for (let i = 0; i < REPEATS; i++) core.evaluateText(text);
  return Number(process.hrtime.bigint() - begin) / 1000 / REPEATS;
}

function timeNative() {
  const { stdout, status, error } = spawnSync(process.argv[2], ['--time', String(REPEATS)], {
    input: requests.map(({ text }) => `${text}\n`).join(''),
    encoding: 'utf8',
  });
  if (status !== 0) throw error ?? new Error(`${process.argv[2]} ended with ${status}`);
  return stdout.trim().split('\n').map(Number);
}

// The best of some rounds: whatever else runs on the machine only adds.
const wasm = requests.map(() => Number.POSITIVE_INFINITY);
const native = requests.map(() => Number.POSITIVE_INFINITY);
for (let round = 0; round < ROUNDS; round++) {
  for (const [i, time] of timeNative().entries()) native[i] = Math.min(native[i], time);
  for (const [i, { text }] of requests.entries()) wasm[i] = Math.min(wasm[i], timeWasm(text));
}

console.log(
  `\nOne call, request text to report text (microseconds, best of ${ROUNDS} x ${REPEATS})`,
);
table(
  ['model', 'wasm', 'native', 'ratio', 'request', 'report'],
  requests.map(({ name, text }, i) => {
    const answer = core.evaluateText(text);
    if ('error' in JSON.parse(answer)) throw new Error(`${name}: ${answer}`);
    return [
      name,
      wasm[i].toFixed(1),
      native[i].toFixed(1),
      (wasm[i] / native[i]).toFixed(2),
      `${text.length} B`,
      `${answer.length} B`,
    ];
  }),
);
