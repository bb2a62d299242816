import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ridgepoint from 'ridgepoint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { csvRows, parseCsv } from './support/csv.mjs';
import { runInside, runProgram, unbroken } from './support/run.mjs';

// The questions against the compiled core: without wasm/dist these tests fail, as they should.

const MODEL = 'meta-llama/Meta-Llama-3-8B';
const SETUP = [MODEL, '--gpu', 'a100-sxm-80gb', '--engine', 'vllm@0.28.0', '--ctx', '8192'];
const REQUEST = {
  model: { id: MODEL },
  gpu: { id: 'a100-sxm-80gb' },
  engine: { name: 'vllm', version: '0.28.0', args: {} },
  workload: { context: 8192 },
};
/**
 * The figures of a published start of Qwen/Qwen3-8B on one H100
 * (https://github.com/llm-d-incubation/llm-d-planner/pull/205), in the words of vLLM 0.19.0.
 */
const LOG = `(APIServer pid=1) INFO 04-22 10:00:00 [utils.py:299] vLLM API server version 0.19.0
(APIServer pid=1) INFO 04-22 10:00:00 [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192, 'enable_prefix_caching': False, 'gpu_memory_utilization': 0.95}
(EngineCore pid=9) INFO 04-22 10:00:30 [gpu_model_runner.py:4820] Model loading took 15.27 GiB memory and 4.1 seconds
(EngineCore pid=9) INFO 04-22 10:00:50 [gpu_worker.py:423] Available KV cache memory: 57.5 GiB
(EngineCore pid=9) INFO 04-22 10:00:50 [kv_cache_utils.py:1316] GPU KV cache size: 418,688 tokens
(EngineCore pid=9) INFO 04-22 10:00:50 [kv_cache_utils.py:1321] Maximum concurrency for 8,192 tokens per request: 51.11x
(EngineCore pid=9) INFO 04-22 10:01:05 [gpu_model_runner.py:5900] Graph capturing finished in 15 secs, took 0.96 GiB
(APIServer pid=1) INFO:     Application startup complete.
`;
const GIB = 2 ** 30;

/** What each verb is asked, its exit status and the kind of its answer. */
const RUNS = [
  ['fit', ['fit', ...SETUP], 0, undefined],
  ['fit of what does not start', ['fit', MODEL, '--gpu', 't4'], 1, undefined],
  ['scan', ['scan', ...SETUP], 0, 'scan'],
  [
    'scan over two axes',
    ['scan', ...SETUP, '--axis', 'context=4K,32K,128K', '--axis', 'kv_format'],
    0,
    'scan',
  ],
  ['scan of what never starts', ['scan', MODEL, '--gpu', 't4', '--axis', 'context=8K'], 1, 'scan'],
  [
    'recommend',
    ['recommend', MODEL, '--ctx', '8192', '--concurrency', '16', '--gpus', 'l4,h100,a100-sxm-80gb'],
    0,
    'recommend',
  ],
  [
    'recommend where nothing will do',
    ['recommend', 'meta-llama/Meta-Llama-3-70B', '--ctx', '8K', '--gpus', 't4', '--max-gpus', '1'],
    1,
    'recommend',
  ],
  [
    'compare',
    ['compare', ...SETUP, '--with', '--kv-cache-dtype fp8', '--with', '--gpu h100:2 -tp 2'],
    0,
    'compare',
  ],
  ['advise', ['advise', MODEL, '--gpu', 'l4', '--ctx', '8192', '--concurrency', '64'], 1, 'advise'],
  ['advise on waste', ['advise', ...SETUP], 0, 'advise'],
  ['explain', ['explain', ...SETUP], 0, 'explain'],
  ['command', ['command', ...SETUP, '--explain'], 0, 'command_text'],
  [
    'command --read',
    ['command', '--read', `FOO=1 vllm serve ${MODEL} --max-num-seqs 64 --frob 3 --port 80`],
    0,
    'command',
  ],
  ['log', ['log', '-', '--gpu', 'h100'], 0, 'log'],
];

let core;
let folder;
beforeAll(async () => {
  core = await ridgepoint.load();
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-answers-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (args, options = {}) =>
  runInside(args, {
    load: async () => core,
    fetch: () => expect.fail('no network is needed'),
    input: args.includes('-') ? LOG : '',
    ...options,
  });

describe.each(RUNS)('%s', (_name, args, status, kind) => {
  it('prints the verdict first, in lines of 80 columns', async () => {
    const { stdout, stderr, status: ended } = await run([...args, '--width', '80']);
    expect(stderr).toBe('');
    expect(ended).toBe(status);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^[A-Z]+/);
    for (const line of lines) expect([...line].length, line).toBeLessThanOrEqual(80);
    expect(stdout).not.toMatch(/NaN|undefined|\[object|null/);
  });

  it('prints JSON, which is exported again', async () => {
    const json = await run([...args, '--json']);
    expect(json.status).toBe(status);
    const answer = JSON.parse(json.stdout);
    expect(answer.kind).toBe(kind);
    expect(answer.error).toBeUndefined();
    for (const format of ['text', 'csv', 'markdown']) {
      const direct = await run([...args, '--format', format]);
      const again = await run(['export', '--format', format], { input: json.stdout });
      expect(again.status).toBe(0);
      // "fit" has its own text for people.
      if (kind !== undefined || format !== 'text') expect(again.stdout).toBe(direct.stdout);
    }
  });

  it('prints CSV that reads back, of every table that it has', async () => {
    const missing = await run([...args, '--format', 'csv', '--table', 'frob']);
    expect(missing.status).toBe(2);
    const [, names] = /it has (.*)\. \(--table\)/.exec(unbroken(missing.stderr)) ?? [];
    for (const table of names.split(', ')) {
      const { stdout } = await run([...args, '--format', 'csv', '--table', table]);
      const records = parseCsv(stdout);
      expect(records.length, table).toBeGreaterThan(0);
      for (const record of records) expect(record, table).toHaveLength(records[0].length);
    }
  });

  it('prints Markdown whose tables are tables', async () => {
    const { stdout } = await run([...args, '--format', 'markdown']);
    expect(stdout).toMatch(/^## [A-Z]/);
    const cells = (line) => line.replaceAll(/\\\|/g, '').split('|').length;
    let heads = 0;
    for (const line of stdout.split('\n')) {
      if (!line.startsWith('|')) heads = 0;
      else if (heads === 0) heads = cells(line);
      else expect(cells(line), line).toBe(heads);
    }
  });
});

describe('what the answers say', () => {
  it('the points of a scan agree with fit', async () => {
    const { stdout } = await run([
      'scan',
      ...SETUP,
      '--axis',
      'context=4096,8192',
      '--format',
      'csv',
    ]);
    const [short, long] = csvRows(stdout);
    const report = core.fit(REQUEST);
    expect(short.context_tokens).toBe('4096');
    expect(long.max_requests).toBe(String(report.capacity.max_requests.best));
    expect(long.kv_pool_bytes_low).toBe(String(report.memory.per_gpu.kv_pool.low));
    expect(Number(short.max_requests)).toBeGreaterThan(Number(long.max_requests));
  });

  it('a recommendation is a request that serves the load', async () => {
    const { answers } = core.recommend({
      model: { id: MODEL },
      workload: { context: 8192, concurrency: 16 },
      constraints: { gpus: ['l4', 'a100-sxm-80gb'] },
    });
    expect(answers.length).toBeGreaterThan(0);
    for (const { request, count, max_requests } of answers) {
      const report = core.fit(request);
      expect(report.verdict.serves).toBe(true);
      expect(report.capacity.max_requests.best).toBe(max_requests.best);
      expect(report.capacity.max_requests.best).toBeGreaterThanOrEqual(16);
      expect(request.gpu.count ?? 1).toBe(count);
    }
  });

  it('the terms of a comparison add up in the table too', async () => {
    const args = ['compare', ...SETUP, '--with', '--kv-cache-dtype fp8 --max-num-seqs 64'];
    const { stdout } = await run([...args, '--format', 'csv', '--table', 'terms']);
    const pool = csvRows(stdout).filter((row) => row.of === 'pool');
    const sum = pool.reduce((total, row) => total + Number(row.difference), 0);
    const { differences } = JSON.parse((await run([...args, '--json'])).stdout);
    expect(sum).toBe(differences[0].pool.difference);
  });

  it('the first advice mends what it is about', async () => {
    const request = { ...REQUEST, gpu: { id: 'l4' }, workload: { context: 8192, concurrency: 64 } };
    const { changes, problem } = core.advise(request);
    expect(problem).not.toBe('');
    expect(changes.length).toBeGreaterThan(0);
    const report = core.fit(changes[0].request);
    expect(report.verdict.serves).toBe(true);
    expect(report.capacity.max_requests.best).toBe(changes[0].max_requests.best);
  });

  it('a command that is written reads back as the same setup', async () => {
    for (const form of ['shell', 'docker', 'compose', 'kubernetes']) {
      const args = ['command', ...SETUP, '--max-num-seqs', '64', '--form', form];
      const written = await run(args);
      expect(written.status).toBe(0);
      const path = join(folder, `${form}.txt`);
      await writeFile(path, written.stdout);
      // A shell line does not say which version it is for.
      const engine = ['--engine', 'vllm@0.28.0', '--gpu', 'a100-sxm-80gb'];
      const again = await run(['fit', '--from-command', path, ...engine, '--json']);
      const direct = await run(['fit', ...SETUP, '--max-num-seqs', '64', '--json']);
      const figures = ({ stdout }) => {
        const { memory, capacity, cache, verdict } = JSON.parse(stdout);
        return { memory, capacity, cache, verdict };
      };
      expect(figures(again), form).toEqual(figures(direct));
    }
  });

  it('a command is estimated by its flags, and what is left out is said', async () => {
    const command = `vllm serve ${MODEL} --max-model-len 8192 --frob 3`;
    const args = ['fit', '--from-command', command, '--gpu', 'a100-sxm-80gb'];
    const { stdout, stderr, status } = await run(args);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^note: .*frob/m);
    expect(stdout).toMatch(/^SERVES {2}meta-llama/);
    expect(stdout).toContain('requests of 8,192 tokens');
    const over = await run([...args, '--max-model-len', '4096', '--gpu', 'h100', '--json']);
    const report = JSON.parse(over.stdout);
    expect(report.engine.max_model_len).toBe(4096);
    expect(report.gpu.id).toMatch(/^h100/);
  });

  it('a log gives its measured terms to fit', async () => {
    const path = join(folder, 'server.log');
    await writeFile(path, LOG);
    const args = ['fit', '--from-log', path, '--gpu', 'h100', '--json'];
    const { stdout, status } = await run(args);
    expect(status).toBe(0);
    const { memory, engine, capacity } = JSON.parse(stdout);
    expect(memory.per_gpu.weights.best / GIB).toBeCloseTo(15.27, 6);
    expect(memory.per_gpu.weights.basis).toBe('measured');
    // The other terms are predicted, and give the pool of that start within a hundredth.
    expect(memory.per_gpu.kv_pool.best / GIB / 57.5).toBeCloseTo(1, 2);
    expect(capacity.max_concurrency.best).toBeCloseTo(51.11, 0);
    expect(engine).toMatchObject({ name: 'vllm', version: '0.19.0', max_model_len: 8192 });
    const facts = csvRows((await run(['log', path, '--format', 'csv'])).stdout);
    expect(facts.find(({ value }) => value === '418688')).toMatchObject({ line: '5' });
  });

  it('a log of 50 MB is read, and a longer one refused with what to do', async () => {
    const noise = 'INFO 06-01 10:00:30 [loggers.py:1] Avg prompt throughput: 1.0 tokens/s\n';
    const log = Buffer.from(LOG + noise.repeat(Math.ceil(50e6 / noise.length)));
    const path = join(folder, 'long.log');
    await writeFile(path, log);
    const { stdout, status } = await run(['log', path, '--json']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout).measured.weights_bytes / GIB).toBeCloseTo(15.27, 6);
    await writeFile(path, Buffer.concat([log, log]));
    const refused = await run(['log', path]);
    expect(refused.status).toBe(2);
    expect(unbroken(refused.stderr)).toMatch(
      /^error: .*larger than 64 MiB; give its beginning: head -c 64M/,
    );
    expect(core.usable).toBe(true);
  }, 120_000);
});

describe('the program itself', () => {
  it('pipes an answer into export', async () => {
    const answer = await runProgram(['scan', ...SETUP, '--axis', 'count=1,2', '--json']);
    const { stdout, status } = await runProgram(['export', '--format', 'csv'], {
      input: answer.stdout,
    });
    expect(status).toBe(0);
    expect(csvRows(stdout)).toHaveLength(2);
  });
});

describe('the library', () => {
  it('answers every question, throwing for what is wrong', async () => {
    const functions = { ...ridgepoint };
    const bad = { ...REQUEST, gpu: { id: 'z9000' } };
    const questions = {
      scan: [{ request: REQUEST }, { request: bad }],
      recommend: [
        {
          model: REQUEST.model,
          workload: { context: 8192 },
          constraints: { gpus: ['a100-sxm-80gb'] },
        },
        { model: REQUEST.model, workload: { context: 8192 }, constraints: { gpus: ['z9000'] } },
      ],
      compare: [{ setups: [{ request: REQUEST }, { request: REQUEST }] }, { setups: [] }],
      advise: [REQUEST, bad],
      explain: [REQUEST, bad],
      readCommand: [{ text: `vllm serve ${MODEL}` }, { text: 3 }],
      writeCommand: [{ request: REQUEST }, { request: bad }],
    };
    for (const [name, [good, wrong]] of Object.entries(questions)) {
      const answer = await functions[name](good);
      expect(answer.kind, name).toMatch(/^[a-z_]+$/);
      expect(core[name](good), name).toEqual(answer);
      expect(core.ask(name, good), name).toEqual(answer);
      expect(await ridgepoint.ask(name, good), name).toEqual(answer);
      const markdown = await ridgepoint.exportAnswer({ answer, format: 'markdown' });
      expect(markdown, name).toMatch(/^## /);

      const error = await functions[name](wrong).catch((caught) => caught);
      expect(error, name).toBeInstanceOf(ridgepoint.RidgepointError);
      expect(core.ask(name, wrong).error, name).toMatchObject({
        code: error.code,
        message: error.message,
        path: error.path,
      });
    }
  });

  it('echoes the id, and refuses what JSON cannot hold', () => {
    expect(core.scan({ id: 'mine', request: REQUEST }).id).toBe('mine');
    const unfit = { id: 'mine', request: { ...REQUEST, workload: { context: Number.NaN } } };
    expect(core.ask('scan', unfit)).toMatchObject({
      id: 'mine',
      error: { code: 'bad_value', path: 'request.workload.context' },
    });
    expect(() => core.exportAnswer({ answer: unfit, format: 'csv' })).toThrow(
      ridgepoint.RidgepointError,
    );
  });

  it('reads a log from text and from bytes', async () => {
    const answer = await ridgepoint.readLog(LOG);
    expect(answer).toMatchObject({ kind: 'log', engine: 'vllm', outcome: 'started' });
    expect(core.readLog(new TextEncoder().encode(LOG))).toEqual(answer);
    expect(await ridgepoint.askLog(LOG)).toEqual(answer);
    expect(core.askLog('nothing of a server').error.code).toMatch(/^[a-z_]+$/);
    await expect(ridgepoint.readLog('nothing of a server')).rejects.toThrow(
      ridgepoint.RidgepointError,
    );
  });

  it('says what is wrong with an export', () => {
    const answer = core.fit(REQUEST);
    expect(() => core.exportAnswer({ answer, format: 'csv', table: 'frob' })).toThrow(/figures/);
    expect(() => core.exportAnswer({ answer, format: 'pdf' })).toThrow(/csv, markdown or text/);
    expect(core.exportAnswer({ answer, format: 'text', width: 60 })).toMatch(/^SERVES /);
  });
});
