import { readFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { speedOf } from '../../web/src/accuracy/speed/facts.ts';
import {
  asksForSpeed,
  chosenSpeeds,
  errorOf,
  everySpeed,
  sortedSpeeds,
  speedFilterOf,
  speedToHash,
} from '../../web/src/accuracy/speed/filter.ts';
import { figures, groups, kindOf } from '../../web/src/accuracy/speed/groups.ts';
import { OWN, reasonsOf } from '../../web/src/accuracy/speed/left-out.ts';
import { addressOf, calculatorLink, setupOf } from '../../web/src/accuracy/speed/link.ts';
import { pack } from '../../web/src/accuracy/speed/packed.ts';
import { words } from '../../web/src/accuracy/speed/words.ts';
import { fromHash } from '../../web/src/hash.ts';
import { BY_SOURCE, readme, sourceTable, speedTable, tableIn } from '../accuracy/speed_readme.mjs';

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const facts = JSON.parse(read('core/data/accuracy/speed.json'));
const packed = pack(facts);
const speed = speedOf(JSON.parse(JSON.stringify(packed)));
const near = (value, wanted, share) =>
  expect(Math.abs(value / wanted - 1), `${value} for ${wanted}`).toBeLessThan(share);

describe('the measured speeds', () => {
  it('are the same packed and unpacked, to the digits that are shown', () => {
    expect(speed.points).toHaveLength(facts.points.length);
    speed.points.forEach((point, i) => {
      const of = Object.fromEntries(facts.columns.map((name, c) => [name, facts.points[i][c]]));
      expect(point).toMatchObject({
        figure: facts.figures[of.figure],
        group: facts.groups[of.group],
        engine: facts.engines[of.engine],
        version: of.version,
        model: facts.models[of.model],
        card: facts.cards[of.card],
        cards: of.cards,
        input: of.input,
        output: of.output,
        users: of.users,
        source: facts.sources[of.source],
        half: of.half === 0 ? 'fit' : 'check',
        held: of.measured >= of.low && of.measured <= of.high,
      });
      near(point.measured, of.measured, 0.006);
      near(point.predicted / point.measured, of.predicted / of.measured, 0.001);
      near(point.low, of.low, 0.03);
      near(point.high, of.high, 0.03);
    });
  });

  it('give the figures of the summary again', () => {
    for (const row of facts.summary) {
      const list = speed.points.filter(
        ({ figure, group }) => figure === row.figure && group === row.group,
      );
      expect(list).toHaveLength(row.rows);
      const errors = list.map((point) => Math.abs(errorOf(point))).sort((a, b) => a - b);
      expect(errors[Math.floor((errors.length - 1) / 2)]).toBeCloseTo(row.median, 2);
      // Four digits of a figure can lie on the other side of the end of a range.
      const held = list.filter((point) => point.held).length;
      expect(Math.abs(held - row.held * row.rows)).toBeLessThan(2.5);
    }
  });

  it('are as the words say: first tokens of SGLang too low', () => {
    const sglang = facts.summary.filter(
      ({ figure, group }) => figure === 'ttft' && group === 'SGLang, mixtures',
    );
    expect(sglang.length).toBeGreaterThan(0);
    for (const { bias } of sglang) expect(bias).toBeLessThan(-0.1);
  });

  it('are told by the README as they are; else run node tests/accuracy/speed_readme.mjs', () => {
    expect(tableIn(readme())).toBe(speedTable(facts));
    expect(tableIn(readme(), BY_SOURCE)).toBe(sourceTable(facts));
  });

  it('weigh less than 30 kB', () => {
    expect(brotliCompressSync(JSON.stringify(packed)).length).toBeLessThan(30_000);
  });

  it('have a name in every language for what they hold', () => {
    expect(facts.figures).toEqual([...figures]);
    for (const group of facts.groups) expect(groups).toContain(group);
    for (const told of Object.values(words)) {
      for (const { kind } of reasonsOf(facts.left_out)) expect(told.reasons[kind]).toBeTruthy();
    }
  });

  it('are left out with a reason each, and none is lost', () => {
    const reasons = reasonsOf(facts.left_out);
    const all = Object.values(facts.left_out).reduce((a, b) => a + b, 0);
    expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(all);
    const own = reasons.find(({ kind }) => kind === OWN);
    expect(own.own.reduce((sum, { count }) => sum + count, 0)).toBe(own.count);
    for (const { text } of own.own) expect(text).toMatch(/ .* /);
  });
});

describe('a choice of speeds', () => {
  it('is kept by the address', () => {
    const filter = {
      figure: 'ttft',
      engine: 'sglang',
      kind: 'moe',
      card: 'B200-SXM-180GB',
      order: 'measured',
      falling: false,
    };
    const hash = speedToHash(filter);
    expect(asksForSpeed(hash)).toBe(true);
    expect(speedFilterOf(hash)).toEqual(filter);
    expect(speedToHash(everySpeed)).toBe('#part=speed');
    expect(speedFilterOf('#part=speed&figure=moon')).toEqual(everySpeed);
    expect(asksForSpeed('#engine=vllm')).toBe(false);
  });

  it('narrows by figure, engine, kind and card', () => {
    const chosen = chosenSpeeds(speed.points, { ...everySpeed, engine: 'trtllm', kind: 'dense' });
    expect(chosen.length).toBeGreaterThan(0);
    for (const point of chosen) {
      expect(point.figure).toBe('tpot');
      expect(['trtllm', 'tensorrt-llm']).toContain(point.engine);
      expect(kindOf(point)).toBe('dense');
    }
    const { card } = chosen[0];
    const ofCard = chosenSpeeds(speed.points, { ...everySpeed, card });
    expect(new Set(ofCard.map((point) => point.card))).toEqual(new Set([card]));
  });

  it('comes with what is farthest off first, too fast or too slow', () => {
    const points = [1, 1.2, 0.5, 1.9].map((predicted, id) => ({ id, predicted, measured: 1 }));
    expect(sortedSpeeds(points, everySpeed).map(({ id }) => id)).toEqual([2, 3, 1, 0]);
  });
});

describe('the links of a speed', () => {
  const gpus = new Set(JSON.parse(read('core/data/gpus.json')).gpus.map(({ id }) => id));

  it('name cards and models as the calculator does', () => {
    const setups = speed.points.map(setupOf).filter((setup) => setup !== null);
    expect(setups.length).toBeGreaterThan(0.9 * speed.points.length);
    expect([...new Set(setups.map(({ gpu }) => gpu))].filter((id) => !gpus.has(id))).toEqual([]);
  });

  it('open the setup as it was run', async () => {
    const point = speed.points.find(
      ({ engine, cards, users, version }) =>
        engine === 'vllm' && cards > 1 && users > 1 && /^\d/.test(version),
    );
    const href = calculatorLink(point);
    const { sides } = await fromHash(href.slice(href.indexOf('#')));
    expect(sides[0]).toMatchObject({
      model: point.model,
      gpu: point.card.toLowerCase(),
      count: String(point.cards),
      engine: 'vllm',
      prompt: String(point.input),
      output: String(point.output),
      concurrency: String(point.users),
      args: { vllm: { 'tensor-parallel-size': String(point.cards) } },
    });
    expect(calculatorLink({ ...point, model: 'llama-2-7b.Q4_0' })).toBeNull();
  });

  it('lead to sources that are addresses or repositories', () => {
    expect(addressOf('github:org/name results/a/b.json')).toBe(
      'https://github.com/org/name/blob/HEAD/results/a/b.json',
    );
    expect(addressOf('github:org/name table.csv (a run)')).toBe('https://github.com/org/name');
    expect(addressOf('https://example.org/a')).toBe('https://example.org/a');
    expect(addressOf('a note of a day')).toBeNull();
  });
});
