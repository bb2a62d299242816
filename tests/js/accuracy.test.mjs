import { load } from 'ridgepoint';
import { describe, expect, it } from 'vitest';
import { compare } from '../accuracy/compare.mjs';
import { median, quantile } from '../accuracy/figures.mjs';
import * as llamacpp from '../accuracy/llamacpp.mjs';
import * as sglang from '../accuracy/sglang.mjs';
import { summary } from '../accuracy/table.mjs';
import * as trtllm from '../accuracy/trtllm.mjs';
import { rowsOf, sharedOf } from '../accuracy/truth.mjs';
import * as vllm from '../accuracy/vllm.mjs';

const core = await load();
const shared = sharedOf();
const evaluate = (requests) =>
  requests.map((request) => JSON.parse(core.evaluateText(JSON.stringify(request))));

/** The comparison of an engine; null when the measured starts are not on this machine. */
function comparison(engine, corpus) {
  const rows = rowsOf(engine);
  return rows === null ? null : compare(engine, corpus, rows, shared, evaluate);
}

const started = (result) => result.used.filter((one) => !one.refused);

describe('vLLM against its measured starts', () => {
  const result = comparison('vllm', vllm);
  const skipped = result === null;

  it.skipIf(skipped)('meets the KV pool', () => {
    const pool = summary(started(result), 'kv_pool');
    expect(pool.n).toBeGreaterThanOrEqual(70);
    expect(pool.median).toBeLessThan(0.01);
    expect(pool.p90).toBeLessThan(0.04);
  });

  it.skipIf(skipped)('meets the weights', () => {
    const weights = summary(started(result), 'weights');
    expect(weights.n).toBeGreaterThanOrEqual(60);
    expect(weights.median).toBeLessThan(0.005);
    expect(weights.p90).toBeLessThan(0.02);
  });

  it.skipIf(skipped)('gives ranges that hold what was measured and say something', () => {
    const pool = summary(started(result), 'kv_pool');
    expect(pool.held).toBeGreaterThanOrEqual(0.9);
    expect(pool.width).toBeLessThan(0.06);
  });

  it.skipIf(skipped)('prints the tokens and the concurrency of a pool that is known', () => {
    for (const [term, least] of [
      ['tokens', 75],
      ['concurrency', 85],
    ]) {
      const seen = result.checked.filter((one) => one[term]);
      expect(seen.length).toBeGreaterThanOrEqual(least);
      expect(seen.filter((one) => one[term].holds).length / seen.length).toBeGreaterThan(0.95);
    }
  });

  it.skipIf(skipped)('says what a refused start needed and what would have fitted', () => {
    for (const term of ['needed', 'max_len']) {
      const seen = result.checked.filter((one) => one[term]);
      expect(seen.length).toBeGreaterThanOrEqual(5);
      expect(seen.every((one) => one[term].holds)).toBe(true);
    }
  });

  it.skipIf(skipped)('refuses what was refused, and nothing that started', () => {
    const told = (one) => one.report.verdict.serves;
    expect(result.used.filter((one) => one.refused).some(told)).toBe(false);
    const began = result.used.filter((one) => one.row.outcome === 'started' && !told(one));
    expect(began.map((one) => one.id)).toEqual([]);
  });

  it.skipIf(skipped)('says of each row that is left out why', () => {
    expect(result.excluded.every(({ why }) => why.length > 10)).toBe(true);
    expect(result.used.length + result.excluded.length).toBe(result.rows);
  });
});

describe.each([
  // The engine, the median error of its pool from the config alone, and starts behind that.
  ['sglang', sglang, 0.03, 20],
  ['trtllm', trtllm, 0.03, 25],
  ['llamacpp', llamacpp, 0.01, 15],
])('%s against its measured starts', (engine, corpus, most, starts) => {
  const result = comparison(engine, corpus);
  const skipped = result === null;

  it.skipIf(skipped)('meets the cache from the config alone', () => {
    const pool = summary(started(result), 'kv_pool');
    expect(pool.n).toBeGreaterThanOrEqual(starts);
    expect(pool.median).toBeLessThan(most);
    expect(pool.held).toBeGreaterThanOrEqual(0.9);
  });

  it.skipIf(skipped)('meets the cache exactly where the log gives what it follows from', () => {
    for (const term of ['kv_pool', 'tokens']) {
      const seen = result.checked.filter((one) => one[term]);
      expect(seen.length).toBeGreaterThanOrEqual(9);
      expect(median(seen.map((one) => Math.abs(one[term].error)))).toBeLessThan(0.005);
      expect(seen.filter((one) => one[term].holds).length / seen.length).toBeGreaterThan(0.9);
    }
  });

  it.skipIf(skipped)('says of each row that is left out why', () => {
    expect(result.excluded.every(({ why }) => why.length > 10)).toBe(true);
    expect(result.used.length + result.excluded.length).toBe(result.rows);
  });
});

/** The paths of figures that say they are measured and name no start. */
function unfounded(value, path = '') {
  if (value === null || typeof value !== 'object') return [];
  const own = value.basis === 'measured' && value.starts === 0 ? [path] : [];
  const inner = Object.entries(value).flatMap(([key, each]) => unfounded(each, `${path}.${key}`));
  return [...own, ...inner];
}

describe('figures that are measured', () => {
  it.each([
    ['vllm', vllm],
    ['sglang', sglang],
    ['trtllm', trtllm],
    ['llamacpp', llamacpp],
  ])('of %s name the starts behind them', (engine, corpus) => {
    const used = comparison(engine, corpus)?.used ?? [];
    expect(used.flatMap((one) => unfounded(one.report))).toEqual([]);
  });
});

describe('the figures of a comparison', () => {
  it('are quantiles of what was seen', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(quantile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9)).toBe(10);
    expect(median([])).toBeNull();
  });
});
