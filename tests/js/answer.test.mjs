import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { AnswerCore, RidgepointError, startAnswer } from '../../wasm/answer-node.mjs';
import { startAnswerCore } from '../../wasm/lib/answer-core.mjs';
import { load } from '../../wasm/node.mjs';

// Modules for the first answer say what the whole module says, or that they cannot.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const MODULES = ['vllm', 'sglang', 'trtllm', 'llamacpp', 'all'];
/** Bytes after brotli: what a page downloads before its first answer. */
const MOST_BYTES = {
  vllm: 104_000,
  sglang: 96_000,
  trtllm: 96_000,
  llamacpp: 99_000,
  all: 180_000,
};

const inTests = (path) => new URL(`../${path}`, import.meta.url);
const bytesOf = (name) => readFileSync(inTests(`../wasm/dist/answer-${name}.wasm`));

/** The text of a report without the keys that a first answer leaves out, speed to reasons; an error as it is. */
function firstPart(text) {
  const begin = text.indexOf(',"speed":');
  return begin < 0 ? text : text.slice(0, begin) + text.slice(text.lastIndexOf(',"assumptions":'));
}

const codeOf = (text) => JSON.parse(text).error?.code;

const ARGS = {
  vllm: [
    {},
    { 'max-model-len': 8192, 'gpu-memory-utilization': 0.85, 'kv-cache-dtype': 'fp8' },
    { 'enforce-eager': true, 'max-num-seqs': 37, dtype: 'float16' },
    { 'no-such-flag': 1 },
  ],
  sglang: [{}, { 'mem-fraction-static': 0.8, 'kv-cache-dtype': 'fp8_e4m3' }],
  trtllm: [{}, { 'max-batch-size': 16, 'free-gpu-memory-fraction': 0.8 }],
  llamacpp: [{}, { 'ctx-size': 16384, 'cache-type-k': 'q8_0', parallel: 4 }],
};
const CARDS = [{ id: 'h100', count: 8 }, { id: 'l4' }, { total_bytes: 48e9, bandwidth: 1e12 }];

const text = (model, engine, index) =>
  JSON.stringify({
    id: String(index),
    model,
    gpu: CARDS[index % CARDS.length],
    engine: { name: engine, args: ARGS[engine][index % ARGS[engine].length] },
    workload: { context: 4096 + 512 * (index % 5), concurrency: 1 + (index % 7) },
  });

const fixtures = readdirSync(inTests('fixtures/configs'))
  .filter((name) => name.endsWith('.json'))
  .map((name) => readFileSync(inTests(`fixtures/configs/${name}`), 'utf8'));

let whole;
/** @type {Record<string, AnswerCore>} */
const cores = {};
beforeAll(async () => {
  whole = await load();
  for (const name of MODULES) {
    cores[name] =
      name === 'all'
        ? await startAnswerCore(bytesOf('all'), 'all')
        : await startAnswer({ engine: name });
  }
});

const modulesOf = (engine) => [cores[engine], cores.all];

describe('a module for the first answer', () => {
  it.each(Object.keys(ARGS))('answers for every model of the catalogue on %s', (engine) => {
    for (const [index, { id }] of whole.catalogue().models.entries()) {
      const request = text({ id }, engine, index);
      const expected = firstPart(whole.evaluateText(request));
      for (const core of modulesOf(engine))
        expect(firstPart(core.evaluateText(request))).toBe(expected);
    }
  });

  it.each(Object.keys(ARGS))('reads any config as the whole one does, or not, on %s', (engine) => {
    let read = 0;
    for (const [index, config] of fixtures.entries()) {
      const request = text({ config }, engine, index);
      const expected = firstPart(whole.evaluateText(request));
      for (const core of modulesOf(engine)) {
        const given = firstPart(core.evaluateText(request));
        if (codeOf(given) !== 'not_here') expect(given).toBe(expected);
        read += codeOf(given) === undefined ? 1 : 0;
      }
    }
    expect(read).toBeGreaterThan(50);
  });

  const model = { id: 'Qwen/Qwen3-8B' };
  const gpu = { id: 'h100' };
  const llama = { architectures: ['LlamaForCausalLM'], model_type: 'llama' };
  it.each([
    ['another engine', { model, gpu, engine: { name: 'sglang' } }, 'engine.name'],
    ['an alias of another engine', { model, gpu, engine: { name: 'tensorrt-llm' } }, 'engine.name'],
    ['tensors', { model: { ...model, tensors: {} }, gpu }, 'model.tensors'],
    ['a draft', { model: { ...model, draft: model }, gpu }, 'model.draft.config'],
    ['a rare name of a card', { model, gpu: { id: 'nvidia-h100-80gb-hbm3' } }, 'gpu.id'],
    [
      'an architecture that is not here',
      { model: { config: { architectures: ['MambaForCausalLM'], model_type: 'mamba' } }, gpu },
      'model.config.architectures',
    ],
    [
      'a config that names no architecture',
      { model: { config: { model_type: 'llama' } }, gpu },
      'model.config',
    ],
    ['an adapter', { model: { config: { ...llama, peft_type: 'LORA' } }, gpu }, 'model.config'],
    [
      'speculation',
      {
        model,
        gpu,
        engine: { name: 'vllm', args: { 'speculative-config': '{"method":"ngram"}' } },
      },
      'engine.args.speculative-config',
    ],
  ])('says that %s is not here', (_, request, path) => {
    const { error } = cores.vllm.evaluate(request);
    expect(error).toMatchObject({ code: 'not_here', path });
  });

  it('says what is wrong with a request as the whole one does', () => {
    for (const request of [
      '{"model":',
      '[]',
      'null',
      '1e999',
      '{"model":{"id":"no/such-model"},"gpu":{"id":"l4"}}',
      '{"model":{"id":"Qwen/Qwen3-8B"},"gpu":{"id":"l4","count":3}}',
      '{"model":{"id":"Qwen/Qwen3-8B"},"gpu":{"id":"l4"},"engine":{"version":"seven"}}',
      '{"model":{"id":"Qwen/Qwen3-8B"},"gpu":{"id":"l4"},"engine":{"name":"no-engine"}}',
      '{"id":"\\u0000\\ud83d\\ude00é","model":{"id":"Qwen/Qwen3-8B"},"gpu":{"id":"l4"}}',
      '['.repeat(100_000),
    ]) {
      expect(firstPart(cores.vllm.evaluateText(request))).toBe(
        firstPart(whole.evaluateText(request)),
      );
    }
  });

  it('knows the models, cards, engines and its own flags', () => {
    const all = whole.catalogue();
    const some = cores.sglang.catalogue();
    expect(some.models).toEqual(all.models);
    expect(some.gpus).toHaveLength(all.gpus.length);
    for (const [index, card] of some.gpus.entries()) {
      const { aliases, total_source, ...facts } = card;
      expect(all.gpus[index]).toMatchObject(facts);
    }
    for (const [index, engine] of some.engines.entries()) {
      const { flags, ...rest } = all.engines[index];
      expect(engine).toEqual(
        engine.name === 'sglang'
          ? { ...rest, flags: flags.map(({ help, ...flag }) => flag) }
          : rest,
      );
    }
    expect(cores.all.catalogue().engines.every(({ flags }) => flags.length > 0)).toBe(true);
    expect(cores.vllm.version()).toBe(whole.version());
  });

  it.each(MODULES)('is small: %s', (name) => {
    expect(brotliCompressSync(bytesOf(name)).length).toBeLessThan(MOST_BYTES[name]);
  });
});

describe('starting one', () => {
  it('takes bytes and responses', async () => {
    for (const type of ['application/wasm', 'application/octet-stream']) {
      const response = new Response(bytesOf('vllm'), { headers: { 'content-type': type } });
      const core = await startAnswerCore(response, 'vllm');
      expect(core.version()).toBe(whole.version());
    }
  });

  it('fails with a code', async () => {
    for (const source of [new Uint8Array([1, 2, 3]), new Response('', { status: 404 })]) {
      const error = await startAnswerCore(source, 'vllm').catch((caught) => caught);
      expect(error).toBeInstanceOf(RidgepointError);
      expect(error.code).toBe('load_failed');
    }
  });

  it('is told when it has stopped by a defect', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const evaluate = vi.fn(() => {
      throw new WebAssembly.RuntimeError('unreachable');
    });
    const core = new AnswerCore({ memory, room: () => 1024, evaluate }, 'vllm');
    expect(core.evaluate({}).error).toMatchObject({ code: 'internal' });
    expect(core.usable).toBe(false);
    expect(core.evaluate({}).error.message).toContain('unreachable');
    expect(evaluate).toHaveBeenCalledOnce();
  });

  it('refuses what JSON cannot hold', () => {
    const request = { id: 'x', workload: { context: Number.NaN } };
    expect(cores.vllm.evaluate(request)).toMatchObject({
      id: 'x',
      error: { code: 'bad_value', path: 'workload.context' },
    });
  });
});
