/**
 * @import { ErrorReport, Progress, RunOptions } from '../ridgepoint.d.ts'
 * @typedef {object} Steps a question that takes long, answered bit by bit
 * @property {(steps: number) => string} advance
 * @property {() => string} result
 * @typedef {Steps & { delete(): void }} CoreRun the same as the module holds it
 */

/** Long enough that the way in and out does not count, short enough to stop at once. */
const SLICE_MS = 10;
/** More would not be seen. */
const TELL_MS = 50;
/** Of some questions one step is a whole search. */
const FIRST_STEPS = 4;
/** Where steps suddenly take ten times as long, as when a search goes on to a full batch, still short. */
const MOST_STEPS = 2 ** 12;

/**
 * Lets everything else that waits have its turn: timers and messages, such as one that says to stop.
 * A timer would do it too, but browsers hold back those that follow each other.
 *
 * @returns {Promise<void>}
 */
function pause() {
  if (typeof setImmediate === 'function') return new Promise((go) => setImmediate(go));
  return new Promise((go) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      go();
    };
    port2.postMessage(null);
  });
}

/**
 * Runs to the end in slices.
 *
 * @param {Steps} run
 * @param {RunOptions} [options]
 * @returns {Promise<string>} the answer as JSON
 */
export async function runToEnd(run, { onProgress, signal } = {}) {
  let steps = FIRST_STEPS;
  let told = Number.NEGATIVE_INFINITY;
  while (true) {
    const start = performance.now();
    const text = run.advance(steps);
    /** @type {Progress | ErrorReport} */
    const progress = JSON.parse(text);
    if ('error' in progress) return text;
    const end = performance.now();
    if (onProgress && (progress.done || end - told >= TELL_MS)) {
      told = end;
      onProgress(progress);
    }
    if (progress.done) return run.result();
    steps = nextSteps(steps, end - start);
    await pause();
    signal?.throwIfAborted();
  }
}

/**
 * A step takes longer the more requests run, so that no number of steps is right for long.
 *
 * @param {number} steps
 * @param {number} took milliseconds
 */
function nextSteps(steps, took) {
  const factor = Math.min(2, Math.max(0.25, SLICE_MS / Math.max(took, 0.1)));
  return Math.min(MOST_STEPS, Math.max(1, Math.round(steps * factor)));
}
