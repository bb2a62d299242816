// How fast the simulator goes, as wasm in node and natively:
// `node tests/bench/simulate.mjs <native program> <the same as wasm>`.
import { spawnSync } from 'node:child_process';
import { table } from './table.mjs';

const ROUNDS = 3;

function run(program, args) {
  const { stdout, status, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw error ?? new Error(`${program} ended with ${status}`);
  return stdout.trim().split('\n').map(JSON.parse);
}

// The best of some rounds: whatever else runs on the machine only adds.
function best(program, args) {
  let found;
  for (let round = 0; round < ROUNDS; round++) {
    const runs = run(program, args);
    found = found
      ? found.map((one, i) => (runs[i].seconds < one.seconds ? runs[i] : one))
      : runs;
  }
  return found;
}

const native = best(process.argv[2], []);
const wasm = best(process.execPath, [process.argv[3]]);

console.log(`\nThe simulator on one core (best of ${ROUNDS})`);
table(
  ['load', 'wasm', 'native', 'ratio', 'wasm tokens/s', 'wasm us a step', 'steps', 'preemptions'],
  wasm.map((one, i) => {
    if (one.tokens !== native[i].tokens || one.steps !== native[i].steps)
      throw new Error(`${one.name}: wasm and native differ`);
    return [
      one.name,
      `${(one.seconds * 1e3).toFixed(1)} ms`,
      `${(native[i].seconds * 1e3).toFixed(1)} ms`,
      (one.seconds / native[i].seconds).toFixed(2),
      `${(one.tokens / one.seconds / 1e6).toFixed(1)} M`,
      ((one.seconds / one.steps) * 1e6).toFixed(2),
      one.steps,
      one.preemptions,
    ];
  }),
);
