import { load } from 'ridgepoint';
import { beforeAll, describe, expect, test } from 'vitest';
import { formatsOf } from '../../web/src/format.ts';
import { inputDifferences } from '../../web/src/rooms/compare/input-differences.ts';
import { partNames } from '../../web/src/rooms/compare/legend.ts';
import { plainSize, signedSize, signedWhole, span } from '../../web/src/rooms/compare/signed.ts';
import { otherCards, smallCache, withEdit } from '../../web/src/rooms/compare/variations.ts';
import { flagWords, onEngine } from '../../web/src/rooms/engines/requests.ts';
import { example } from '../../web/src/state.ts';

/** @typedef {import('../../web/src/state.ts').Inputs} Inputs */

/** @type {import('ridgepoint').Catalogue} */
let catalogue;
beforeAll(async () => {
  catalogue = (await load()).catalogue();
});

const en = formatsOf('en');
const texts = { pasted: 'the pasted config', custom: 'custom card' };

/** @param {Partial<Inputs>} a @param {Partial<Inputs>} b */
const differing = (a, b) =>
  inputDifferences(
    [
      { ...example, ...a },
      { ...example, ...b },
    ],
    catalogue,
    en.whole,
    texts,
  ).map(({ field, values }) => [field, ...values]);

/** @param {string} name */
const flagsOf = (name) => catalogue.engines.find((engine) => engine.name === name)?.flags ?? [];

describe('what differs in the inputs', () => {
  test('is nothing where the same is written in another way', () => {
    expect(differing({}, {})).toEqual([]);
    expect(
      differing(
        { context: '8192', gpu: 'h100', model: 'Qwen/Qwen3-8B', count: '2' },
        { context: '8,192', gpu: 'H100-SXM-80GB', model: 'qwen/qwen3-8b ', count: '2 ' },
      ),
    ).toEqual([]);
  });

  test('an empty version is the newest', () => {
    const newest = catalogue.engines.find(({ name }) => name === 'vllm')?.versions.at(-1) ?? '';
    expect(differing({ version: '' }, { version: newest })).toEqual([]);
    expect(differing({ version: '' }, { version: '0.10.0' })).toEqual([['version', '', '0.10.0']]);
  });

  test('names cards, lengths, flags and terms', () => {
    expect(
      differing(
        {
          context: '32K',
          args: { vllm: { 'max-num-seqs': '8' } },
          measured: { kv_pool_bytes: '9' },
        },
        { gpu: 't4', free: '12', args: { vllm: { 'enforce-eager': 'true' } } },
      ),
    ).toEqual([
      ['gpu', 'A100 SXM4 80GB', 'Tesla T4'],
      ['free', '', '12 GiB'],
      ['context', '32,768', '8,192'],
      ['max-num-seqs', '8', ''],
      ['enforce-eager', '', 'true'],
      ['kv_pool_bytes', '9', ''],
    ]);
  });

  test('two configs of one name are two models', () => {
    /** @type {Partial<Inputs>} */
    const pasted = { use: 'config', configName: 'config.json', config: '{"a":1}' };
    expect(differing(pasted, { ...pasted, config: '{"a":2}' })).toEqual([
      ['model', 'config.json', 'config.json'],
    ]);
    expect(differing(pasted, { ...pasted, revision: 'x' })).toEqual([]);
  });
});

describe('ready variations', () => {
  test('are a faster card of that size, a larger and a smaller one of the same vendor', () => {
    const names = (/** @type {string} */ id) => otherCards(catalogue.gpus, id).map((gpu) => gpu.id);
    expect(names('a100-sxm-80gb')).toEqual(['h100-sxm-80gb', 'h200-sxm-141gb', 'rtx-a6000']);
    for (const { id, vendor, total_bytes: size } of catalogue.gpus) {
      for (const other of otherCards(catalogue.gpus, id)) {
        expect(other.id).not.toBe(id);
        expect(other.vendor).toBe(vendor);
        expect(other.bandwidth_bytes_per_s > 0 || other.total_bytes !== size).toBe(true);
      }
    }
    expect(names('no such card')).toEqual([]);
  });

  test('every engine has a smaller cache that its own flags know, once', () => {
    for (const { name, flags } of catalogue.engines) {
      const inputs = { ...example, engine: name };
      const set = smallCache(flags, inputs);
      expect(set, name).not.toBeNull();
      const made = withEdit(inputs, { set: set ?? {} }, flags);
      expect(made.args[name]).toEqual(set);
      expect(smallCache(flags, made)).toBeNull();
    }
  });

  test('an edit takes the place of a flag in any spelling, and what a log measured goes', () => {
    const inputs = {
      ...example,
      args: { vllm: { tp: '1', 'tensor-parallel-size': '1', 'max-num-seqs': '8' } },
      measured: { kv_pool_bytes: '1' },
    };
    const change = { gpu: { count: 2 }, set: { 'tensor-parallel-size': 2 } };
    const made = withEdit(inputs, change, flagsOf('vllm'));
    expect(made.args.vllm).toEqual({ 'tensor-parallel-size': '2', 'max-num-seqs': '8' });
    expect([made.count, made.measured, made.gpu]).toEqual(['2', {}, example.gpu]);
  });
});

describe('differences', () => {
  test('have a sign and one unit down to a hundredth of it', () => {
    expect(signedSize(1.2 * 2 ** 30, en)).toBe('+1.20 GiB');
    expect(signedSize(-0.14 * 2 ** 30, en)).toBe('−0.14 GiB');
    expect(signedSize(-40803, en)).toBe('−39.8 KiB');
    expect([signedSize(0, en), plainSize(0, en), signedWhole(0, en)]).toEqual(['0', '0', '0']);
    expect(signedWhole(-1234, en)).toBe('−1,234');
    expect(plainSize(-40803, en)).toBe('−39.8 KiB');
  });

  test('lie on their side of the middle, the largest to the edge', () => {
    expect(span(4, 4)).toEqual({ x: 50, width: 50 });
    expect(span(-2, 4)).toEqual({ x: 25, width: 25 });
    expect(span(0, 0)).toEqual({ x: 50, width: 0 });
  });

  test('a part that goes by two names is told by both', () => {
    const bar = (/** @type {[string, string][]} */ ...parts) =>
      /** @type {import('../../web/src/bar.ts').Bar} */ (
        /** @type {unknown} */ ({ segments: parts.map(([key, label]) => ({ key, label })) })
      );
    expect(
      partNames([
        bar(['weights', 'Weights'], ['activation', 'Activation peak']),
        bar(['weights', 'Weights'], ['activation', 'Compute buffer'], ['kv', 'KV pool']),
      ]),
    ).toEqual([
      ['weights', 'Weights'],
      ['activation', 'Activation peak / Compute buffer'],
      ['kv', 'KV pool'],
    ]);
  });
});

describe('the same on another engine', () => {
  const request = {
    model: { id: 'a/b' },
    gpu: { id: 't4' },
    engine: { name: 'vllm', version: '0.28.0', args: { 'max-num-seqs': 8 } },
    workload: { context: 4096 },
    measured: { kv_pool_bytes: 1 },
  };

  test('leaves flags and measured terms behind, and keeps them where they belong', () => {
    expect(onEngine(request, 'sglang', '')).toEqual({
      model: request.model,
      gpu: request.gpu,
      workload: request.workload,
      engine: { name: 'sglang' },
    });
    expect(onEngine(request, 'sglang', '0.4.0').engine.version).toBe('0.4.0');
    expect(onEngine(request, 'vllm', '0.9.0')).toEqual(request);
  });

  test('its flags read as they are typed', () => {
    const flags = [
      { flag: '--ctx-size', value: '8192' },
      { flag: '--enforce-eager', value: true },
    ];
    expect(flagWords(flags)).toEqual(['--ctx-size 8192', '--enforce-eager']);
  });
});
