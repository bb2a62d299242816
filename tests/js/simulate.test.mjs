import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cannedRun, simulation } from './support/canned-load.mjs';
import { fakeModule } from './support/fake-core.mjs';
import { runInside, unbroken } from './support/run.mjs';

// What the command line asks of a load, and what it makes of the answer.

const SETUP = ['org/known', '--gpu', 'a100:2', '--engine', 'vllm@0.28.0'];
const LOAD = ['--rate', '4', '--input', '1k', '--output', '256'];

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-simulate-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function ask(args, { answers, pace, ...options } = {}) {
  const { Run, runs } = cannedRun(answers, pace);
  const result = await runInside(args, { module: { ...fakeModule(), Run }, ...options });
  return { ...result, runs, query: runs[0]?.query, kind: runs[0]?.kind };
}

const simulate = (args, options) => ask(['simulate', ...SETUP, ...args], options);

describe('the question', () => {
  it('is the setup under a load', async () => {
    const { kind, query, status, stderr } = await simulate([
      ...LOAD,
      ...['--max-model-len', '4096', '--requests', '2k', '--seed', '7', '--warmup', '10%'],
      ...['--shared-prompt', '500', '--session-share', '0.25', '--price', 'a100=2'],
    ]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(kind).toBe('simulate');
    expect(query).toEqual({
      request: {
        model: { id: 'org/known' },
        gpu: { id: 'a100', count: 2 },
        engine: { name: 'vllm', version: '0.28.0', args: { 'max-model-len': 4096 } },
        workload: { prompt: 1000, output: 256 },
      },
      load: {
        arrivals: { kind: 'poisson', rate: 4 },
        requests: 2000,
        prefix: { shared_tokens: 500, session_share: 0.25 },
        seed: 7,
        warmup: 0.1,
      },
      prices: { a100: 2 },
    });
  });

  it.each([
    ['at once', '--concurrency 64 --load chat', { kind: 'closed', concurrency: 64 }],
    ['a batch', '--at-once --load batch', { kind: 'at_once' }],
    ['uneven', '--rate 2.5 --burstiness 0.5', { kind: 'gamma', rate: 2.5, burstiness: 0.5 }],
  ])('of requests %s', async (_, words, arrivals) => {
    const { query } = await simulate(words.split(' '));
    expect(query.load.arrivals).toEqual(arrivals);
    expect(query.request.workload).toEqual({});
  });

  it('of lengths that have a name, or lie in a range', async () => {
    const named = await simulate(['--rate', '1', '--load', 'coding-agent']);
    expect(named.query.load.lengths).toEqual({ kind: 'preset', name: 'coding_agent' });
    const ranged = await simulate(['--rate', '1', '--input', '800-1K', '--output', '200']);
    expect(ranged.query.load.lengths).toEqual({
      kind: 'uniform',
      input: [800, 1024],
      output: [200, 200],
    });
    expect(ranged.query.request.workload).toEqual({ prompt: 1024, output: 200 });
  });

  it('of a trace, from a file or standard input', async () => {
    const text = 'arrival,prompt,output\n0,10,20\n';
    const path = join(folder, 'trace.csv');
    await writeFile(path, text);
    const trace = { kind: 'trace', text };
    expect((await simulate(['--trace', path])).query.load).toEqual({ arrivals: trace });
    const piped = await simulate(['--trace', '-', '--speed-up', '2'], { input: text });
    expect(piped.query.load.arrivals).toEqual({ ...trace, speed_up: 2 });
    const stated = await simulate(['--trace', path, '--trace-unit', 'ms']);
    expect(stated.query.load.arrivals).toEqual({ ...trace, time_unit: 'ms' });
  });

  it.each([
    ['ttft=0.5,tpot=0.05,p=99', { ttft_s: 0.5, tpot_s: 0.05, percentile: 0.99 }],
    ['TTFT=500ms, e2e=1min, p=0.9', { ttft_s: 0.5, e2e_s: 60, percentile: 0.9 }],
    ['itl=80ms', { itl_s: 0.08 }],
  ])('with the SLO %s', async (text, slo) => {
    expect((await simulate([...LOAD, '--slo', text])).query.slo).toEqual(slo);
  });

  it('is how much it carries, with --find', async () => {
    const slo = ['--slo', 'ttft=1'];
    const { kind, query, status } = await simulate(['--load', 'rag', '--find', 'rate', ...slo]);
    expect(status).toBe(0);
    expect(kind).toBe('capacity');
    expect(query).toMatchObject({ over: 'rate', changes: true, slo: { ttft_s: 1 } });
    expect(query.load.arrivals).toEqual({ kind: 'poisson', rate: 1 });
    const closed = await simulate([
      ...['--load', 'rag', '--find', 'concurrency', '--seeds', '3', '--max', '100'],
      ...['--no-changes', ...slo],
    ]);
    expect(closed.query).toMatchObject({ over: 'concurrency', seeds: 3, max: 100, changes: false });
    expect(closed.query.load.arrivals).toEqual({ kind: 'closed', concurrency: 1 });
  });

  it.each([
    ['nothing says how requests come', ['--load', 'chat'], /say how requests come/],
    ['two things do', [...LOAD, '--at-once'], /one of --rate/],
    ['lengths are told twice', [...LOAD, '--load', 'chat'], /--load has its own lengths/],
    ['a range is upside down', ['--rate', '1', '--input', '9-3'], /--input takes .* not "9-3"/],
    ['an SLO is none', [...LOAD, '--slo', 'fast'], /--slo takes goals .* not "fast"/],
    ['an SLO has no time', [...LOAD, '--slo', 'p=99'], /--slo needs a time/],
    ['an SLO says a goal twice', [...LOAD, '--slo', 'ttft=1,TTFT=2'], /--slo says ttft twice/],
    ['a number is too large', [...LOAD, '--seed', '18446744073709551615'], /--seed takes .* up to/],
    ['a unit is none', ['--trace', '-', '--trace-unit', 'min'], /--trace-unit takes s, ms/],
    ['a unit is of no trace', [...LOAD, '--trace-unit', 'ms'], /is of a --trace/],
    ['a share is none', [...LOAD, '--session-share', 'half'], /--session-share takes a share/],
    ['a search has no SLO', ['--load', 'chat', '--find', 'rate'], /--find needs/],
    ['a search is for something else', [...LOAD, '--find', 'luck'], /--find takes rate or/],
    ['seeds are of no search', [...LOAD, '--seeds', '3'], /are of --find/],
    ['a speed is of no trace', [...LOAD, '--speed-up', '3'], /is of a --trace/],
    ['a trace is missing', ['--trace', '/nowhere.csv'], /nowhere/],
  ])('is none where %s', async (_, args, message) => {
    const { status, stdout, stderr, runs } = await simulate(args);
    expect(stderr).toMatch(/^error: /);
    expect(unbroken(stderr)).toMatch(message);
    expect(stdout).toBe('');
    expect(status).toBe(2);
    expect(runs).toEqual([]);
  });
});

describe('the answer', () => {
  const SLO = ['--slo', 'ttft=1,tpot=50ms,p=99'];

  it('is told in tables', async () => {
    const { stdout, status } = await simulate([...LOAD, ...SLO]);
    expect(status).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  it('is told of a search', async () => {
    const { stdout } = await simulate(['--load', 'chat', '--find', 'rate', ...SLO]);
    expect(stdout).toMatchSnapshot();
  });

  it('counts one request, and tells the currency of a list price', async () => {
    const one = { ...simulation({ load: { arrivals: { kind: 'at_once' }, requests: 1 } }) };
    const answers = { simulate: () => ({ ...one, currency: 'USD' }) };
    const args = ['--at-once', '--requests', '1', '--input', '1', '--output', '9'];
    const { stdout } = await simulate(args, { answers });
    expect(stdout).toContain(', 1 token in, 9 out: 1 request in ');
    expect(stdout).toMatch(/a million output tokens +[\d.]+ USD, at 1\.79 USD an hour/);
  });

  it.each([
    [
      'load.requests',
      'requests must be a whole number from 1 to 9, and it is 0.',
      '--requests must',
    ],
    [
      'load.lengths',
      'The trace has lengths of its own; leave load.lengths out.',
      'leave --load (or',
    ],
    ['slo.ttft_s', 'ttft_s must be a number from 1e-9 to 9, and it is 0.', '--slo ttft must be'],
    ['gpu.count', 'gpu.count is 2, and the size 1; make them agree.', 'agree. (--gpu)'],
    ['measured.x', 'It is no number.', 'It is no number. (measured.x)'],
  ])('names the flag of %s where it is wrong, within the line', async (path, message, words) => {
    const answers = { simulate: () => ({ error: { code: 'bad_value', message, path } }) };
    const { stderr, status } = await simulate(LOAD, { answers, columns: 40 });
    expect(status).toBe(2);
    expect(unbroken(stderr)).toContain(words);
    expect(stderr.split('\n').filter((line) => line.length > 40)).toEqual([]);
  });

  it.each([40, 60, 80, 100])('keeps to %i columns', async (columns) => {
    for (const find of [[], ['--find', 'rate']]) {
      const { stdout } = await simulate([...LOAD, ...SLO, ...find], { columns });
      const long = stdout.split('\n').filter((line) => line.length > columns);
      // The name of the setup is never broken.
      expect(long.filter((line) => !/^(MEETS|CARRIES)/.test(line))).toEqual([]);
      expect(stdout).not.toMatch(/NaN|undefined|\[object/);
    }
  });

  it('ends with 1 where the SLO is missed', async () => {
    const { stdout, status } = await simulate([
      '--rate',
      '6.4',
      '--load',
      'chat',
      '--slo',
      'ttft=0.3',
    ]);
    expect(stdout).toMatch(/^MISSES THE SLO {2}/);
    expect(status).toBe(1);
    const nothing = await simulate([...LOAD, ...SLO, '--find', 'rate'], {
      answers: {
        capacity: () => ({
          kind: 'capacity',
          engine: { name: 'vllm', version: '0.29.0' },
          over: 'rate',
          best: null,
          at_best: null,
          curve: [],
          knee: null,
          limit: { what: 'compute', text: 'One prompt takes too long.' },
          changes: [],
          cost_per_million_output_tokens: null,
          assumptions: [],
        }),
      },
    });
    expect(nothing.stdout).toMatch(/^CARRIES NOTHING {2}/);
    expect(nothing.status).toBe(1);
  });

  it('ends with 1 where the setup does not serve, and with 2 for bad input', async () => {
    const refusal = (code, path) => ({
      answers: { simulate: () => ({ error: { code, message: 'It does not fit.', path } }) },
    });
    const short = await simulate(LOAD, refusal('does_not_serve', ''));
    expect(short.stdout).toBe('DOES NOT SERVE  It does not fit.\n');
    expect(short.status).toBe(1);
    const bad = await simulate(LOAD, refusal('bad_value', 'load.arrivals.rate'));
    expect(bad.stderr).toBe('error: It does not fit. (--rate)\n');
    expect(bad.status).toBe(2);
    const json = await simulate([...LOAD, '--json'], refusal('does_not_serve', ''));
    expect(JSON.parse(json.stdout).error.code).toBe('does_not_serve');
    expect(json.status).toBe(1);
  });

  it('is the text of the core as JSON, and its table as CSV', async () => {
    const { stdout, query } = await simulate([...LOAD, '--json']);
    expect(stdout).toBe(`${JSON.stringify(simulation(query))}\n`);
    expect((await simulate([...LOAD, '--format', 'csv'])).stdout).toBe('csv of simulation\n');
  });
});

describe('a long run', () => {
  const pace = { steps: 4000 };

  it('tells a terminal how far it is, and leaves nothing of that', async () => {
    const { stderr } = await simulate(LOAD, { tty: true, columns: 80, pace });
    expect(stderr).toMatch(/\d+ % {2}[\d,]+ of 1,000 requests, \S+ m?s of it, 12 running/);
    expect(stderr.endsWith('\r\u001b[K')).toBe(true);
    expect((await simulate(LOAD, { pace })).stderr).toBe('');
  });

  it('stops at Ctrl-C', async () => {
    const { status, stdout, stderr, runs } = await simulate(LOAD, {
      pace: { steps: 1e12 },
      onInterrupt: (stop) => {
        const timer = setTimeout(stop, 20);
        return () => clearTimeout(timer);
      },
    });
    expect(status).toBe(130);
    expect(stdout).toBe('');
    expect(stderr).toBe('Stopped.\n');
    expect(runs[0].deleted).toBe(true);
  });
});

describe('recommend', () => {
  const recommend = (args, options) => ask(['recommend', 'org/known', ...args], options);

  it('tries setups with a load and an SLO', async () => {
    const { kind, query, status } = await recommend([
      ...['--load', 'chat', '--rate', '10', '--ctx', '8K', '--slo', 'ttft=0.5'],
    ]);
    expect(status).toBe(0);
    expect(kind).toBe('recommend');
    expect(query).toMatchObject({
      model: { id: 'org/known' },
      workload: { context: 8192 },
      load: {
        arrivals: { kind: 'poisson', rate: 10 },
        lengths: { kind: 'preset', name: 'chat' },
      },
      slo: { ttft_s: 0.5 },
    });
  });

  it('needs no run without', async () => {
    const answers = { recommend: () => ({ kind: 'recommend', answers: [{}] }) };
    const module = fakeModule(undefined, answers);
    const args = ['recommend', 'org/known', '--ctx', '8K', '--concurrency', '16'];
    expect((await runInside(args, { module })).status).toBe(0);
    expect(module.queries[0][1].workload).toEqual({ context: 8192, concurrency: 16 });
    expect(module.queries[0][1]).not.toHaveProperty('load');
  });

  it('wants an SLO with a load', async () => {
    const { status, stderr } = await recommend(['--load', 'chat', '--rate', '10']);
    expect(stderr).toMatch(/say what the load is to keep to/);
    expect(status).toBe(2);
  });
});
