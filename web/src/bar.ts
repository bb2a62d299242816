import { cachesNothing } from './cache';
import type { Estimate, Maybe, Report } from './types';
import type { Words } from './words/en';

// Where each term lies on the bar of one card. The sizes are the report's; the only sums made here
// are the lengths between two of them.

/** In their order on every bar; what works with weights and pool lies before or behind the pool. */
const order = [
  'weights',
  'activation',
  'other',
  'graphs',
  'spare',
  'kv',
  'kv-free',
  'activation',
  'other',
  'graphs-outside',
  'untouched',
] as const;

export interface Segment {
  key: (typeof order)[number];
  label: string;
  start: number;
  bytes: number;
  estimate?: Estimate;
}

export interface Bar {
  segments: Segment[];
  /** What is asked for beyond the card. */
  missing: number;
  /** The end of the scale: the card, or what is asked of it where that is more. */
  end: number;
  total: number;
  requested: number | null;
  /** Between its lowest and highest value the pool begins (or ends) somewhere here. */
  band: { start: number; end: number } | null;
}

/** Less is rounding, and not worth a row. */
const SMALLEST = 2 ** 20;

const best = (estimate: Maybe<Estimate>) => Math.max(estimate?.best ?? 0, 0);

/** `kvUsed` is the part of the pool, 0 to 1, that the asked requests fill, where it is known. */
export function layOut(report: Report, kvUsed: number | null, words: Words): Bar {
  const names = words.memory.parts;
  const gpu = report.memory.per_gpu;
  const segments: Segment[] = [];
  let at = 0;
  const add = (key: Segment['key'], label: string, bytes: number, estimate?: Maybe<Estimate>) => {
    if (bytes <= 0) return;
    segments.push({ key, label, start: at, bytes, ...(estimate ? { estimate } : {}) });
    at += bytes;
  };
  const charged = best(gpu.cuda_graphs_charged);
  const uncharged = Math.max(best(gpu.cuda_graphs) - charged, 0);
  const requested = gpu.requested ?? null;
  const pool = best(gpu.kv_pool);
  const ggml = report.engine.name === 'llamacpp';
  const working = () => {
    add(
      'activation',
      ggml ? names.activationGgml : names.activation,
      best(gpu.activation),
      gpu.activation,
    );
    add('other', ggml ? names.otherGgml : names.other, best(gpu.non_torch), gpu.non_torch);
  };
  // SGLang claims weights and pool alone: what works with them lies behind the claim.
  const inClaim = best(gpu.weights) + best(gpu.activation) + best(gpu.non_torch) + charged + pool;
  const behind = requested !== null && pool > 0 && inClaim > requested + SMALLEST;
  add('weights', names.weights, best(gpu.weights), gpu.weights);
  if (!behind) working();
  add('graphs', names.graphs, charged, gpu.cuda_graphs_charged);
  // The pool ends where the claim ends. Another GPU or a flag may have made it smaller than its place.
  const spare = requested !== null && pool > 0 ? requested - pool - at : 0;
  if (spare >= SMALLEST) add('spare', names.spare, spare);
  const poolStart = at;
  if (cachesNothing(report)) add('kv-free', names.nothingCached, pool, gpu.kv_pool);
  else if (kvUsed === null) add('kv', names.kv, pool, gpu.kv_pool);
  else {
    add('kv', names.kvFilled, pool * kvUsed);
    add('kv-free', names.kvFree, pool * (1 - kvUsed));
  }
  const poolEnd = at;
  if (behind) working();
  add('graphs-outside', names.graphsOutside, uncharged, gpu.cuda_graphs);
  const left = gpu.total - Math.max(at, requested ?? 0);
  if (left > 0) {
    at = gpu.total - left;
    add('untouched', requested === null ? names.leftOver : names.untouched, left);
  }
  const spread = gpu.kv_pool && pool > 0 ? gpu.kv_pool.high - gpu.kv_pool.low : 0;
  const band =
    gpu.kv_pool && spread > 0
      ? requested === null || behind
        ? { start: poolStart + gpu.kv_pool.low, end: poolStart + gpu.kv_pool.high }
        : { start: Math.max(poolEnd - gpu.kv_pool.high, 0), end: poolEnd - gpu.kv_pool.low }
      : null;
  const end = Math.max(at, gpu.total);
  return { segments, missing: end - gpu.total, end, total: gpu.total, requested, band };
}

/**
 * Draws the parts into a list in which each has the same place always: one that comes or goes leaves
 * the others drawn as they are.
 */
export function inPlaces<T>(segments: Segment[], draw: (segment: Segment) => T): (T | null)[] {
  let next = 0;
  return order.map((key) => {
    const segment = segments[next];
    if (segment?.key !== key) return null;
    next++;
    return draw(segment);
  });
}
