import { readFileSync } from 'node:fs';
import { load } from 'ridgepoint';
import { beforeAll, describe, expect, it } from 'vitest';
import { presets, usualSession } from '../../web/src/rooms/load/settings.ts';
import { parseCsv } from './support/csv.mjs';

// Loads on the real core: what the answers are made of, how they are stopped, and what is refused.

const config = (name) =>
  JSON.parse(readFileSync(new URL(`../fixtures/configs/${name}.json`, import.meta.url), 'utf8'));
const LLAMA = {
  id: 'meta-llama/Meta-Llama-3-8B',
  config: config('meta-llama--Meta-Llama-3-8B'),
};
const REQUEST = {
  model: LLAMA,
  gpu: { id: 'h100' },
  engine: { name: 'vllm' },
  workload: { context: 8192 },
};
const LOAD = {
  arrivals: { kind: 'poisson', rate: 4 },
  lengths: { kind: 'uniform', input: [500, 1500], output: [20, 60] },
  requests: 100,
};
const SLO = { ttft_s: 1, tpot_s: 0.05, percentile: 0.95 };

let core;
beforeAll(async () => {
  core = await load();
});

const simulate = (load = {}, more = {}) =>
  core.askRun('simulate', { request: REQUEST, load: { ...LOAD, ...load }, slo: SLO, ...more });
const TIMES = ['mean', 'p50', 'p90', 'p95', 'p99', 'max', 'count'];

describe('a simulation', () => {
  it('has the currency of a list price', async () => {
    expect(await simulate()).toMatchObject({ price_per_hour: expect.any(Number), currency: 'USD' });
  });

  it('has all that is said of it', async () => {
    const told = await simulate({}, { id: 'mine', prices: { h100: 3 } });
    expect(told).toMatchObject({
      id: 'mine',
      kind: 'simulation',
      engine: { name: 'vllm', version: expect.any(String) },
      scheduler: 'vllm_v1',
      gpu: { id: 'h100-sxm-80gb', count: 1 },
      requests: { asked: 100, finished: 100, refused: 0, refused_why: '', longest: 1560 },
      stopped: false,
      goodput: { meets: true },
      price_per_hour: 3,
      currency: null,
      limit: { what: expect.any(String), text: expect.stringMatching(/\.$/) },
    });
    for (const times of Object.values(told.latency)) expect(Object.keys(times)).toEqual(TIMES);
    expect(Object.keys(told.latency)).toEqual(['ttft_s', 'tpot_s', 'itl_s', 'e2e_s', 'queue_s']);
    const lengths = new Set(Object.values(told.series).map((values) => values.length));
    expect(lengths.size).toBe(1);
    const { total_s: total, ...parts } = told.step_time;
    const sum = Object.values(parts).reduce((all, one) => all + one, 0);
    expect(sum).toBeCloseTo(total + parts.idle_s, 3);
  });

  it('is the same text for the same seed, and another for another', async () => {
    const text = (seed) =>
      core.runText('simulate', JSON.stringify({ request: REQUEST, load: { ...LOAD, seed } }));
    const first = await text(1);
    expect(await text(1)).toBe(first);
    expect(await text(2)).not.toBe(first);
  });

  it('counts requests that are refused as missing the goal', async () => {
    const pairs = [...Array(9).fill([500, 20]), [9000, 20]];
    const told = await simulate({ lengths: { kind: 'pairs', pairs } });
    const { asked, finished, refused, refused_why, longest } = told.requests;
    expect(finished + refused).toBe(asked);
    expect(refused).toBeGreaterThan(0);
    expect(refused_why).toMatch(/longer than the engine's maximum length/);
    expect(longest).toBe(9020);
    expect(told.goodput.share).toBeLessThanOrEqual(finished / asked);
  });

  it('takes what of a prompt its session sent before from the lengths of that name', async () => {
    for (const name of presets.filter((each) => !['own', 'trace'].includes(each))) {
      const lengths = { kind: 'preset', name };
      const { assumptions } = await simulate({ lengths, requests: 10 });
      const usual = assumptions.flatMap((text) => /^Of each prompt (\d+) %/.exec(text)?.[1] ?? []);
      expect(usual).toEqual(usualSession[name] ? [usualSession[name]] : []);
    }
    const own = { lengths: { kind: 'preset', name: 'chat' }, prefix: { session_share: 0 } };
    expect((await simulate(own)).prefix_hit_tokens).toBe(0);
  });

  it.each(['vllm', 'sglang', 'trtllm', 'llamacpp'])('is made of %s', async (name) => {
    const told = await simulate({}, { request: { ...REQUEST, engine: { name } } });
    expect(told).toMatchObject({ engine: { name }, requests: { finished: 100 } });
  });

  it('is a table of each kind', async () => {
    const answer = await simulate();
    const csv = (table) => parseCsv(core.exportAnswer({ answer, format: 'csv', table }));
    expect(csv('latency')).toHaveLength(6);
    expect(csv('series')).toHaveLength(answer.series.t_s.length + 1);
    expect(csv('steps').at(0)).toEqual(['part', 'time_s']);
    expect(core.exportAnswer({ answer, format: 'markdown' })).toMatch(/^## MEETS THE SLO/);
    expect(core.exportAnswer({ answer, format: 'text' })).toMatch(
      /^MEETS THE SLO {2}1 x h100-sxm-80gb/,
    );
  });
});

describe('a capacity', () => {
  const capacity = (more = {}) =>
    core.askRun('capacity', { request: REQUEST, load: LOAD, slo: SLO, seeds: 2, ...more });

  it('has all that is said of it, and is the same each time', async () => {
    const load = { lengths: LOAD.lengths, requests: 60 };
    const told = await capacity({ load, prices: { h100: 3 } });
    expect(told).toMatchObject({
      kind: 'capacity',
      over: 'rate',
      price_per_hour: 3,
      currency: null,
    });
    expect(told.best.low).toBeLessThanOrEqual(told.best.high);
    expect(told.best.seeds).toHaveLength(2);
    expect(told.curve.length).toBeGreaterThan(4);
    for (const { ttft_s, e2e_s, share_meeting } of told.curve) {
      expect([Object.keys(ttft_s), Object.keys(e2e_s)]).toEqual([TIMES, TIMES]);
      expect(share_meeting).toBeLessThanOrEqual(1);
    }
    for (const { change, how, cards, edit, request, best } of told.changes) {
      expect([change, how, edit].every(Boolean)).toBe(true);
      expect(request.gpu.count ?? 1).toBe(cards);
      expect(best).toBeGreaterThan(told.best.value * 0.9);
    }
    expect(await capacity({ load, prices: { h100: 3 } })).toEqual(told);
    const csv = (table) => parseCsv(core.exportAnswer({ answer: told, format: 'csv', table }));
    expect(csv('curve')).toHaveLength(told.curve.length + 1);
    expect(csv('changes')).toHaveLength(told.changes.length + 1);
    expect(core.exportAnswer({ answer: told, format: 'text' })).toMatch(
      /^CARRIES {2}[\d.,]+ requests/,
    );
  });

  it('gives the reason of a smaller cache that applies', async () => {
    const load = { lengths: { kind: 'fixed', input: 4000, output: 400 }, requests: 60 };
    // 0.03 s a token is missed long before 80 GB are full of requests of half a GiB each.
    const told = await capacity({ load, slo: { tpot_s: 0.012, percentile: 0.9 }, seeds: 1 });
    expect(told.limit.what).not.toBe('kv_pool');
    const small = told.changes.find(({ change }) => change.includes('kv-cache-dtype'));
    expect(small?.how).toMatch(/^A step reads half as much of the cache/);
  });

  it('is nothing where not even one request keeps to the goal', async () => {
    const told = await capacity({ slo: { ttft_s: 1e-6 }, changes: false });
    expect(told).toMatchObject({ best: null, at_best: null, changes: [] });
  });

  it('speeds a trace up', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => `${at},1000,50`);
    const text = ['arrival_s,input_tokens,output_tokens', ...rows].join('\n');
    const load = { arrivals: { kind: 'trace', text } };
    const told = await capacity({ load, changes: false, seeds: 1 });
    expect(told.best.value).toBeGreaterThan(1);
  });
});

describe('setups for a load', () => {
  it('say what they did with it, and are the same each time', async () => {
    const ask = () =>
      core.askRun('recommend', {
        model: LLAMA,
        load: LOAD,
        slo: SLO,
        constraints: { gpus: ['h100', 'l40s'], max_count: 2 },
      });
    const told = await ask();
    expect(told.searched).toMatchObject({
      simulations: expect.any(Number),
      carriers: expect.any(Number),
    });
    expect(told.answers.length).toBeGreaterThan(0);
    for (const { load } of told.answers) {
      expect(load.share_meeting).toBeGreaterThanOrEqual(SLO.percentile);
      expect(Object.keys(load.e2e_s)).toEqual(TIMES);
    }
    expect(await ask()).toEqual(told);
    expect(core.exportAnswer({ answer: told, format: 'text' })).toContain('keep to the wishes');
  });
});

describe('a question that takes long', () => {
  const long = { ...LOAD, requests: 1e6 };
  const questions = {
    simulate: { request: REQUEST, load: long },
    capacity: { request: REQUEST, load: long, slo: SLO },
    recommend: { model: LLAMA, load: long, slo: SLO },
  };

  it.each(Object.keys(questions))('of the kind %s is stopped between slices', async (kind) => {
    const abort = new AbortController();
    let told = 0;
    const onProgress = () => {
      told += 1;
      abort.abort();
    };
    const running = core.run(kind, questions[kind], { signal: abort.signal, onProgress });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(told).toBe(1);
    expect(core.usable).toBe(true);
  });
});

describe('what is wrong', () => {
  const fault = async (load, more) => (await simulate(load, more)).error;
  const arrivals = (more) => ({ arrivals: { kind: 'poisson', ...more } });
  const trace = (text) => ({ arrivals: { kind: 'trace', text }, lengths: undefined });
  const lengths = (input, output) => ({ lengths: { kind: 'fixed', input, output } });

  it.each([
    ['a rate of 0', arrivals({ rate: 0 }), 'load.arrivals.rate'],
    ['a rate below 0', arrivals({ rate: -1 }), 'load.arrivals.rate'],
    ['a rate that is no number', arrivals({ rate: Number.NaN }), 'load.arrivals.rate'],
    ['a rate without end', arrivals({ rate: Number.POSITIVE_INFINITY }), 'load.arrivals.rate'],
    ['no rate', arrivals({}), 'load.arrivals.rate'],
    ['1e9 requests', { requests: 1e9 }, 'load.requests'],
    ['no request', { requests: 0 }, 'load.requests'],
    ['an empty trace', trace(''), 'load.arrivals.text'],
    ['a trace of a heading', trace('timestamp,input_tokens,output_tokens\n'), 'load.arrivals.text'],
    ['a trace that is none', trace('{"a":'), 'load.arrivals.text'],
    ['a trace of unknown names', trace('a,b\n1,2\n'), 'load.arrivals.text'],
    ['a length of 0', lengths(0, 5), 'load.lengths.input'],
    ['a length without end', lengths(5, Number.POSITIVE_INFINITY), 'load.lengths.output'],
    ['a length beyond all', lengths(1e15, 5), 'load.lengths.input'],
    ['lengths of no name', { lengths: { kind: 'preset', name: 'x' } }, 'load.lengths.name'],
  ])('is said of %s', async (_, load, path) => {
    expect(await fault(load)).toMatchObject({ path, message: expect.stringMatching(/\w{3,}/) });
  });

  it('is said of a number that JSON has not', async () => {
    const text = JSON.stringify({ request: REQUEST, load: LOAD }).replace(
      '"rate":4',
      '"rate":1e999',
    );
    const { error } = JSON.parse(await core.runText('simulate', text));
    expect(error.code).toBe('not_json');
  });

  it('is said of a request longer than the pool', async () => {
    const args = { 'num-gpu-blocks-override': 520 };
    const request = { ...REQUEST, engine: { name: 'vllm', args } };
    const pairs = { lengths: { kind: 'pairs', pairs: [[8300, 10]] } };
    const told = await simulate(pairs, { request });
    expect(told.requests ?? told.error).toMatchObject(
      told.error ? { code: 'does_not_serve' } : { finished: 0, refused: 100 },
    );
  });

  it('is said of wishes that are none', async () => {
    expect(await fault({}, { slo: { ttft_s: -1 } })).toMatchObject({ path: 'slo.ttft_s' });
    expect(await fault({}, { slo: { percentile: 2 } })).toMatchObject({ path: 'slo.percentile' });
  });
});
