import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { load } from 'ridgepoint';
import { describe, expect, it, vi } from 'vitest';
import {
  FEWEST,
  follows,
  otherSummary,
  refusals,
  summary,
} from '../../web/src/accuracy/aggregate.ts';
import { followedOf, startOf } from '../../web/src/accuracy/compare.ts';
import { rowsOf as unpacked } from '../../web/src/accuracy/rows.ts';
import { compare } from '../accuracy/compare.mjs';
import * as llamacpp from '../accuracy/llamacpp.mjs';
import { CODES, reasonCode } from '../accuracy/reasons.mjs';
import { reduced, sameAnswer } from '../accuracy/reduce.mjs';
import * as sglang from '../accuracy/sglang.mjs';
import * as trtllm from '../accuracy/trtllm.mjs';
import { rowsOf, sharedOf } from '../accuracy/truth.mjs';
import * as vllm from '../accuracy/vllm.mjs';

vi.setConfig({ testTimeout: 60_000 });

const core = await load();
const corpora = { vllm, sglang, trtllm, llamacpp };
const engines = Object.keys(corpora);
const data = (path) => new URL(`../../core/data/accuracy/${path}`, import.meta.url);
const factsOf = (path) => JSON.parse(readFileSync(data(path), 'utf8'));
const evaluate = (requests) => requests.map((request) => core.evaluate(request));

/** All that the page works out of one engine's rows. */
function live(engine) {
  const rows = unpacked(factsOf(`rows/${engine}.json`));
  const starts = rows.flatMap((row) => {
    if (!row.request) return [];
    const report = core.evaluate(row.request);
    return [startOf(row, report)];
  });
  const followed = rows.map((row) => followedOf(row, evaluate(row.given)));
  return { rows, starts, followed };
}

const rounded = (x) => (x === null ? null : Math.round(x * 1e5) / 1e5);

describe.each(engines)('the rows of %s', (engine) => {
  const published = factsOf(`${engine}.json`);
  const { rows, starts, followed } = live(engine);

  it('are all there, each used or with a word for why not', () => {
    expect(rows).toHaveLength(published.rows);
    expect(rows.filter(({ leftOut }) => leftOut === null)).toHaveLength(published.used);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    for (const { leftOut } of rows) expect([null, ...CODES]).toContain(leftOut);
  });

  it('have a source each: an address, a number, or a copy without one', () => {
    for (const { source } of rows) expect(source).toMatch(/^(https:\/\/[^\s]+|\d*)$/);
  });

  it('give the published figures, worked out again', () => {
    const all = published.groups.filter(({ group }) => group === 'all');
    expect(all.length).toBeGreaterThan(2);
    for (const fact of published.groups) {
      const list = starts.filter(({ row }) => fact.group === 'all' || row.era === fact.group);
      const own = summary(list, fact.term);
      const other = (whose) => rounded(otherSummary(list, whose, fact.term).median);
      expect({
        group: fact.group,
        term: fact.term,
        starts: own.starts,
        median_error: rounded(own.median),
        p90_error: rounded(own.nineInTen),
        held: rounded(own.held),
        naive_median_error: other('naive'),
        original_median_error: other('original'),
      }).toEqual(fact);
    }
  });

  it('give what follows from the pools of their logs, as published', () => {
    const told = follows(followed).filter(({ starts }) => starts > 0);
    const byTerm = (list) => new Map(list.map((one) => [one.term, one]));
    expect(byTerm(told)).toEqual(byTerm(published.follows));
  });

  it('claim no percentage of fewer than ten starts', () => {
    for (const count of [FEWEST - 1, FEWEST]) {
      const list = starts.filter(({ terms }) => terms.kv_pool).slice(0, count);
      expect(summary(list, 'kv_pool').median === null).toBe(count < FEWEST);
    }
  });
});

it('say that no refused start of vLLM serves', () => {
  const { refused, told } = refusals(live('vllm').starts);
  expect(refused).toBeGreaterThan(0);
  expect(told).toBe(refused);
});

it('weigh less than 60 kB together', () => {
  const sizes = engines.map(
    (engine) => brotliCompressSync(readFileSync(data(`rows/${engine}.json`))).length,
  );
  expect(sizes.reduce((a, b) => a + b)).toBeLessThan(60_000);
});

it('need a word for every reason', () => {
  expect(reasonCode('the source does not name the version')).toBe('version');
  expect(() => reasonCode('the moon was full')).toThrow(/reasons\.mjs/);
});

describe('a reduced config', () => {
  const config = {
    architectures: ['LlamaForCausalLM'],
    hidden_size: 4096,
    intermediate_size: 14336,
    num_hidden_layers: 32,
    num_attention_heads: 32,
    num_key_value_heads: 8,
    vocab_size: 128256,
    max_position_embeddings: 8192,
    torch_dtype: 'bfloat16',
    initializer_range: 0.02,
    bos_token_id: 128000,
  };
  const requests = [{ gpu: { id: 'h100' }, engine: { name: 'vllm' } }];

  it('keeps what changes an answer and nothing else', () => {
    const [model] = reduced([{ model: { config }, requests, instead: [] }], evaluate);
    const { initializer_range: _, bos_token_id: __, ...wanted } = config;
    expect(model.config).toEqual(wanted);
  });

  it('is a built-in id where that gives the same answers', () => {
    const instead = [{ id: 'Qwen/Qwen3-8B' }, { id: 'meta-llama/Meta-Llama-3-8B' }];
    const [model] = reduced([{ model: { config }, requests, instead }], evaluate);
    expect(model).toEqual({ id: 'meta-llama/Meta-Llama-3-8B' });
  });
});

const shared = sharedOf();

describe.each(engines)('the configs of %s beside their whole ones', (engine) => {
  const truth = rowsOf(engine);

  it.skipIf(truth === null)('answer the same, report for report', () => {
    const rows = new Map(unpacked(factsOf(`rows/${engine}.json`)).map((row) => [row.id, row]));
    const { cases } = compare(engine, corpora[engine], truth, shared, evaluate);
    expect([...rows.keys()]).toEqual(truth.map(({ id }) => id));
    let compared = 0;
    for (const { row, request, given } of cases) {
      const small = rows.get(row.id);
      const pairs = (given ?? []).map((whole, i) => [whole, small.given[i]]);
      if (small.request) pairs.push([request, small.request]);
      for (const [whole, part] of pairs) {
        const [a, b] = evaluate([whole, part]);
        expect(a.error ?? sameAnswer(a)).toEqual(b.error ?? sameAnswer(b));
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });
});
