import { readFile } from 'node:fs/promises';
import * as ridgepoint from 'ridgepoint';
import { describe, expect, it } from 'vitest';

// Against the compiled core: without wasm/dist these tests fail, as they should.

const CONFIG = JSON.parse(
  await readFile(
    new URL('../fixtures/configs/meta-llama--Meta-Llama-3-8B.json', import.meta.url),
    'utf8',
  ),
);
const REQUEST = {
  id: 'the first',
  model: { id: 'meta-llama/Meta-Llama-3-8B', config: CONFIG },
  gpu: { id: 'a100-sxm-80gb', count: 1 },
  engine: { name: 'vllm', version: '0.28.0', args: {} },
  workload: { context: 8192 },
};

const number = expect.any(Number);
const text = expect.any(String);
const flag = expect.any(Boolean);

function expectEstimate(value, name) {
  expect(value, name).toMatchObject({ low: number, best: number, high: number, starts: number });
  expect(value.basis, name).toMatch(/^(exact|measured|literature|assumed)$/);
  expect(value.low, name).toBeLessThanOrEqual(value.best);
  expect(value.best, name).toBeLessThanOrEqual(value.high);
}

describe('a report', () => {
  it('has every field of the contract', async () => {
    const report = await ridgepoint.fit(REQUEST);
    expect(report).toMatchObject({
      schema: 1,
      id: 'the first',
      model: {
        id: 'meta-llama/Meta-Llama-3-8B',
        attention: 'gqa',
        moe: false,
        layers: 32,
        parameters: 8030261248,
        active_parameters: 8030261248,
        checkpoint_bytes: 16060522496,
        max_context: 8192,
        confidence: 'exact',
        notes: expect.any(Array),
      },
      verdict: { serves: true, limit: 'none', text, needed_bytes: number, available_bytes: number },
      memory: { per_gpu: { total: number, requested: number } },
      cache: {
        bytes_per_token: 131072,
        growing_bytes_per_token: 131072,
        state_bytes_per_request: 0,
        bytes_per_request: 8192 * 131072,
        block_tokens: 16,
      },
      capacity: { max_context: number },
      naive: { fits: flag, bytes_per_token: number, max_requests: number, why: text },
      speed: { ridge_batch: number },
      advice: expect.any(Array),
      explain: expect.any(Array),
      assumptions: expect.any(Array),
    });
    const estimates = {
      ...report.memory.per_gpu,
      total: undefined,
      requested: undefined,
      blocks: report.cache.blocks,
      tokens: report.cache.tokens,
      max_concurrency: report.capacity.max_concurrency,
      max_requests: report.capacity.max_requests,
      ttft_s: report.speed.ttft_s,
      tpot_s: report.speed.tpot_s,
      decode_tokens_per_s: report.speed.decode_tokens_per_s,
    };
    for (const name of [
      'weights',
      'activation',
      'cuda_graphs',
      'cuda_graphs_charged',
      'non_torch',
      'kv_pool',
      'blocks',
      'tokens',
      'max_concurrency',
      'max_requests',
      'ttft_s',
      'tpot_s',
      'decode_tokens_per_s',
    ]) {
      expectEstimate(estimates[name], name);
    }
    expect(report.explain.length).toBeGreaterThan(0);
    for (const term of report.explain) {
      expect(term).toMatchObject({
        term: text,
        formula: text,
        with_numbers: text,
        value: number,
        unit: text,
        source: text,
      });
    }
    for (const advice of report.advice)
      expect(advice).toMatchObject({ change: text, effect: text });
    for (const sentence of report.assumptions) expect(sentence).toEqual(text);
  });

  it('is the same by every function', async () => {
    const core = await ridgepoint.load();
    const report = await ridgepoint.fit(REQUEST);
    expect(core.fit(REQUEST)).toEqual(report);
    expect(core.evaluate(REQUEST)).toEqual(report);
    expect(await ridgepoint.evaluate(REQUEST)).toEqual(report);
    expect(JSON.parse(await ridgepoint.evaluateText(JSON.stringify(REQUEST)))).toEqual(report);
    expect(core.evaluateText(JSON.stringify(REQUEST))).not.toContain('\n');
  });

  it('of a built-in model needs no config', async () => {
    const { model, ...rest } = REQUEST;
    const short = await ridgepoint.fit({ ...rest, model: { id: model.id } });
    const full = await ridgepoint.fit(REQUEST);
    expect(short.memory.per_gpu.weights.best).toBe(full.memory.per_gpu.weights.best);
    expect(short.cache.bytes_per_token).toBe(full.cache.bytes_per_token);
  });

  it('says when a model does not serve', async () => {
    const report = await ridgepoint.fit({ ...REQUEST, gpu: { id: 't4' } });
    expect(report.verdict.serves).toBe(false);
    expect(report.verdict.limit).not.toBe('none');
    expect(report.verdict.needed_bytes).toBeGreaterThan(report.verdict.available_bytes);
    expect(report.memory.per_gpu.kv_pool.low).toBeGreaterThanOrEqual(0);
  });
});

describe('an error', () => {
  it.each([
    ['a card that is not known', { gpu: { id: 'z9000' } }, 'gpu.id'],
    ['an engine that is not known', { engine: { name: 'frobnicator' } }, 'engine.name'],
    [
      'a flag that is not known',
      { engine: { name: 'vllm', args: { frob: 1 } } },
      'engine.args.frob',
    ],
    ['a field that is not known', { frobnicate: 1 }, 'frobnicate'],
    ['a wrong type', { workload: { context: 'long' } }, 'workload.context'],
    ['a number that JSON cannot hold', { workload: { context: Number.NaN } }, 'workload.context'],
  ])('names the field: %s', async (_what, change, path) => {
    const request = { ...REQUEST, ...change };
    const answer = await ridgepoint.evaluate(request);
    expect(answer).toEqual({
      id: REQUEST.id,
      error: { code: expect.stringMatching(/^[a-z_]+$/), message: text, path },
    });
    const error = await ridgepoint.fit(request).catch((caught) => caught);
    expect(error).toBeInstanceOf(ridgepoint.RidgepointError);
    expect(error).toMatchObject(answer.error);
  });

  it.each(['', '{', '[]', 'null', '"text"', '{"model":{"id":"\ud800"}}', '[[[['.repeat(50_000)])(
    'is a value for the text %.30j too',
    async (request) => {
      expect(JSON.parse(await ridgepoint.evaluateText(request)).error.code).toMatch(/^[a-z_]+$/);
      expect((await ridgepoint.evaluate(REQUEST)).verdict.serves).toBe(true);
    },
  );
});

describe('the catalogue', () => {
  it('has the shape of the types', async () => {
    const { version, gpus, models, engines } = await ridgepoint.catalogue();
    expect(version).toBe(await ridgepoint.version());
    expect(gpus.length).toBeGreaterThan(20);
    for (const gpu of gpus) {
      expect(gpu).toMatchObject({
        id: expect.stringMatching(/^[a-z0-9.-]+$/),
        name: text,
        vendor: text,
        architecture: text,
        marketing_gb: number,
        total_bytes: number,
        total_is_measured: flag,
        driver_total_bytes: number,
        bandwidth_bytes_per_s: number,
        fp16_flops: number,
        bf16_flops: number,
        fp8_flops: number,
        link_bytes_per_s: number,
        unified_memory: flag,
        total_source: text,
        aliases: expect.any(Array),
      });
    }
    expect(models.length).toBeGreaterThan(5);
    for (const model of models) {
      expect(model).toMatchObject({
        id: expect.stringContaining('/'),
        source: text,
      });
      if (model.parameters !== null) expect(model.parameters).toBeGreaterThan(1e8);
    }
    const vllm = engines.find(({ name }) => name === 'vllm');
    expect(vllm.versions).toContain('0.28.0');
    for (const each of vllm.flags) {
      expect(each).toMatchObject({
        name: expect.stringMatching(/^[a-z]/),
        aliases: expect.any(Array),
        type: expect.stringMatching(/^(boolean|integer|number|text|json)$/),
        effect: expect.stringMatching(/^(used|no_effect|unmodelled)$/),
        choices: expect.any(Array),
        default: text,
        help: text,
      });
    }
  });

  it('has no model that the core does not serve by its id alone', async () => {
    const { models } = await ridgepoint.catalogue();
    for (const { id } of models) {
      const answer = await ridgepoint.evaluate({
        model: { id },
        gpu: { total_bytes: 2 ** 42 },
        engine: { name: 'vllm' },
      });
      expect(answer.error, id).toBeUndefined();
    }
  });

  it('has the version of the package', async () => {
    const file = new URL('../../wasm/package.json', import.meta.url);
    expect(await ridgepoint.version()).toBe(JSON.parse(await readFile(file, 'utf8')).version);
  });
});

describe('loading', () => {
  it('takes the bytes or the file of the module', async () => {
    const file = new URL('../../wasm/dist/ridgepoint.wasm', import.meta.url);
    const byBytes = await ridgepoint.load({ wasmBinary: await readFile(file) });
    const byFile = await ridgepoint.load({ wasmUrl: file });
    const byText = await ridgepoint.load({ wasmUrl: file.href });
    for (const core of [byBytes, byFile, byText]) expect(core.fit(REQUEST).id).toBe('the first');
  });

  it('says what is wrong when there is no module', async () => {
    const error = await ridgepoint.load({ wasmUrl: '/nowhere.wasm' }).catch((caught) => caught);
    expect(error).toMatchObject({ name: 'RidgepointError', code: 'load_failed' });
    expect(error.message).toContain('/nowhere.wasm');
  });
});
