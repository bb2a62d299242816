import { RidgepointError } from 'ridgepoint';
import { describe, expect, it } from 'vitest';
import { Ridgepoint } from '../../wasm/lib/core.mjs';
import { createEntry } from '../../wasm/lib/entry.mjs';
import { fakeModule, fakeReport } from './support/fake-core.mjs';

const REQUEST = { model: { id: 'org/known' }, gpu: { id: 'a100' }, engine: { name: 'vllm' } };
const REFUSAL = { error: { code: 'unknown_gpu', message: 'no such card', path: 'gpu.id' } };

describe('load', () => {
  it('gives one shared instance, and others on request', async () => {
    let starts = 0;
    const entry = createEntry(async () => {
      starts += 1;
      return fakeModule();
    });
    const [first, second] = await Promise.all([entry.load(), entry.load()]);
    expect(first).toBe(second);
    expect(starts).toBe(1);
    expect(await entry.load({ wasmUrl: 'https://example.com/x.wasm' })).not.toBe(first);
    expect(await entry.load({})).toBe(first);
  });

  it('tries again after a failed start', async () => {
    let starts = 0;
    const entry = createEntry(async () => {
      starts += 1;
      if (starts === 1) throw new Error('no network');
      return fakeModule();
    });
    const error = await entry.load().catch((caught) => caught);
    expect(error).toBeInstanceOf(RidgepointError);
    expect(error.code).toBe('load_failed');
    expect(error.message).toContain('no network');
    expect(await entry.version()).toBe('0.1.0');
  });

  it('replaces an instance that has stopped by a defect', async () => {
    let starts = 0;
    const entry = createEntry(async () => {
      starts += 1;
      if (starts > 1) return fakeModule();
      return {
        ...fakeModule(),
        evaluate() {
          throw new WebAssembly.RuntimeError('unreachable');
        },
      };
    });
    const first = await entry.load();
    expect(first.evaluate(REQUEST).error.code).toBe('internal');
    expect(first.usable).toBe(false);
    expect(first.evaluate(REQUEST).error.message).toContain('unreachable');
    expect((await entry.evaluate(REQUEST)).verdict.serves).toBe(true);
    expect(starts).toBe(2);
  });
});

describe('fit and evaluate', () => {
  it('give the report', async () => {
    const entry = createEntry(async () => fakeModule());
    expect(await entry.fit(REQUEST)).toEqual(fakeReport());
    expect(await entry.evaluate(REQUEST)).toEqual(fakeReport());
    expect(JSON.parse(await entry.evaluateText(JSON.stringify(REQUEST)))).toEqual(fakeReport());
  });

  it('answer a refusal as an exception and as a value', async () => {
    const entry = createEntry(async () => fakeModule(() => REFUSAL));
    expect(await entry.evaluate(REQUEST)).toEqual(REFUSAL);
    const error = await entry.fit(REQUEST).catch((caught) => caught);
    expect(error).toBeInstanceOf(RidgepointError);
    expect(error).toMatchObject({ name: 'RidgepointError', ...REFUSAL.error });
  });

  const core = new Ridgepoint(fakeModule());
  const loop = { model: {} };
  loop.model.config = loop;
  it.each([
    ['NaN', { workload: { context: Number.NaN } }, 'workload.context'],
    ['Infinity', { gpu: { bandwidth: Infinity } }, 'gpu.bandwidth'],
    ['a bigint', { model: { weight_bytes: 1n } }, 'model.weight_bytes'],
    ['a function', { engine: { args: { x: [0, () => 1] } } }, 'engine.args.x[1]'],
    ['a reference to itself', loop, 'model.config'],
  ])('refuse %s, which JSON would drop, and name its place', (_what, request, path) => {
    expect(core.evaluate(request).error).toMatchObject({ code: 'bad_value', path });
    expect(() => core.fit(request)).toThrow(RidgepointError);
  });

  it.each([['text'], [[]], [null], [undefined]])('refuse a request that is %j', (request) => {
    expect(core.evaluate(request).error).toMatchObject({ code: 'bad_request', path: '' });
  });

  it('accept the same object twice in one request', () => {
    const shared = { a: 1 };
    expect(core.evaluate({ ...REQUEST, model: { config: shared, draft: shared } })).toHaveProperty(
      'verdict',
    );
  });
});
