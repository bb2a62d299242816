import { load } from 'ridgepoint';
import { beforeAll, describe, expect, test } from 'vitest';
import { inPlaces, layOut } from '../../web/src/bar.ts';
import { withChange } from '../../web/src/change.ts';
import { layOutCurve, nearestPoint } from '../../web/src/charts/curve-layout.ts';
import { heatStep, layOutHeat } from '../../web/src/charts/heat-layout.ts';
import { enclosing, logScale, powers, tokens } from '../../web/src/charts/log-scale.ts';
import { layOutScatter, nearestOf } from '../../web/src/charts/scatter-layout.ts';
import { layOutStacks, linksOf, partsOf } from '../../web/src/charts/stack-layout.ts';
import { formatsOf } from '../../web/src/format.ts';
import { first, recommendQuery, unreadable } from '../../web/src/rooms/find/query.ts';
import { contexts, curveContexts, loads, thin } from '../../web/src/rooms/map/axes.ts';
import { fitOf } from '../../web/src/rooms/map/fits.ts';
import { en } from '../../web/src/words/en.ts';

const plain = (value) => String(value);

describe('a logarithmic axis', () => {
  test('gives each doubling the same way', () => {
    const scale = logScale(1024, 131072, 40, 740);
    expect([1024, 2048, 4096, 131072].map(scale.at)).toEqual([40, 140, 240, 740]);
  });

  test('keeps what is beyond its ends at them, and zero with them', () => {
    const scale = logScale(1, 8, 0, 90);
    expect([0, 0.5, 16].map(scale.at)).toEqual([0, 0, 90]);
  });

  test('may run upwards', () => {
    const scale = logScale(1, 4, 200, 0);
    expect([1, 2, 4].map(scale.at)).toEqual([200, 100, 0]);
  });

  test('ends at powers of its base that hold all values', () => {
    expect(enclosing([3, 56, 0], 2)).toEqual([2, 64]);
    expect(enclosing([1000], 10)).toEqual([1000, 10_000]);
    expect(enclosing([0], 2)).toEqual([1, 2]);
    expect(enclosing([8, 8], 2)).toEqual([8, 16]);
  });

  test('shows no two ticks closer than asked', () => {
    const scale = logScale(1, 1024, 0, 200);
    expect(powers(scale, 2, 15)).toHaveLength(11);
    const ticks = powers(scale, 2, 50);
    expect(ticks).toEqual([1, 8, 64, 512]);
    expect(scale.at(8) - scale.at(1)).toBeGreaterThanOrEqual(50);
  });

  test('names lengths as people do', () => {
    expect([8192, 131072, 2 ** 20, 8000, 512].map((n) => tokens(n, plain))).toEqual([
      '8K',
      '128K',
      '1M',
      '8000',
      '512',
    ]);
  });
});

describe('the heat grid', () => {
  const columns = ['1K', '2K', '4K', '8K', '16K'];
  const rows = ['1', '16', '256'];

  test.each([280, 320, 672, 1200])(
    'fills %i px, and its cells neither touch nor leave it',
    (width) => {
      const layout = layOutHeat(rows, columns, ['+240'], width, 13);
      const last = layout.columns.at(-1) ?? 0;
      expect(last + layout.cell.width).toBeCloseTo(width);
      for (const [at, next] of layout.columns.slice(1).map((x, i) => [layout.columns[i], x])) {
        expect(next - at).toBeGreaterThan(layout.cell.width);
      }
      expect((layout.rows.at(-1) ?? 0) + layout.cell.height).toBeLessThanOrEqual(layout.height);
      expect(layout.cell.height).toBeGreaterThanOrEqual(44);
    },
  );

  test('cells are a finger wide on a phone of 320 px', () => {
    expect(layOutHeat(rows, columns, ['+240'], 280, 13).cell.width).toBeGreaterThanOrEqual(44);
  });

  test('long labels stand above their rows where they would take the cells’ place', () => {
    const named = ['INT4 checkpoint (AWQ g128)'];
    expect(layOutHeat(named, columns, ['56'], 320, 13)).toMatchObject({ above: true });
    expect(layOutHeat(named, columns, ['56'], 320, 13).columns[0]).toBe(0);
    expect(layOutHeat(named, columns, ['56'], 900, 13).above).toBe(false);
  });

  test('the icon stands over the number where beside it there is no place', () => {
    expect(layOutHeat(rows, columns, ['−1,021'], 280, 13).beside).toBe(false);
    expect(layOutHeat(rows, columns, ['−1,021'], 900, 13).beside).toBe(true);
  });

  test('arrow keys step through it and stop at its edges', () => {
    const step = (key, at, wide = false) => heatStep(key, wide, at, 3, 5);
    expect(step('ArrowRight', 0)).toBe(1);
    expect(step('ArrowRight', 4)).toBe(4);
    expect(step('ArrowDown', 4)).toBe(9);
    expect(step('ArrowUp', 4)).toBe(4);
    expect(step('Home', 7)).toBe(5);
    expect(step('End', 7)).toBe(9);
    expect(step('Home', 7, true)).toBe(0);
    expect(step('End', 7, true)).toBe(14);
    expect(step('x', 7)).toBeNull();
  });
});

describe('the parts of one card', () => {
  const model = { id: 'meta-llama/Meta-Llama-3-8B' };
  const workload = { context: 8192 };
  const engines = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
  const cards = ['a100-sxm-80gb', 'rtx-4090', 't4'];
  let core;

  beforeAll(async () => {
    core = await load();
  });

  test.each(engines.flatMap((engine) => cards.map((card) => [engine, card])))(
    'of %s on %s each have their place in the drawing, whether the pool is filled or not',
    (engine, card) => {
      const report = core.evaluate({
        model,
        gpu: { id: card },
        engine: { name: engine },
        workload,
      });
      expect(report.error).toBeUndefined();
      const drawn = [null, 0, 0.4, 1].map((filled) => {
        const { segments } = layOut(report, filled, en(formatsOf('en')));
        const places = inPlaces(segments, ({ key }) => key);
        expect(places.filter(Boolean)).toEqual(segments.map(({ key }) => key));
        return places;
      });
      const place = (key) =>
        new Set(drawn.map((places) => places.indexOf(key)).filter((at) => at >= 0));
      for (const key of ['weights', 'activation', 'untouched']) {
        expect(place(key).size, key).toBeLessThanOrEqual(1);
      }
    },
  );
});

describe('the capacity curve', () => {
  const point = (x, best, naive = best) => ({ x, low: best, best, high: best, naive });

  test('a capacity that halves with every doubling is a straight line', () => {
    const points = [1024, 2048, 4096, 8192].map((x) => point(x, 65_536 / x));
    const layout = layOutCurve(points, null, 640, 13, plain);
    const steps = points.map(({ x, best }) => [layout.x.at(x), layout.y(best)]);
    const slopes = steps.slice(1).map(([x, y], i) => (y - steps[i][1]) / (x - steps[i][0]));
    expect(slopes[0]).toBeGreaterThan(0);
    for (const slope of slopes) expect(slope).toBeCloseTo(slopes[0]);
    expect(layout.yTicks).toEqual([8, 16, 32, 64]);
  });

  test('no request at all lies below one request, and has its own tick', () => {
    const layout = layOutCurve([point(1024, 2), point(2048, 0)], null, 640, 13, plain);
    expect(layout.y(0)).toBe(layout.bottom);
    expect(layout.y(1)).toBeLessThan(layout.bottom - 13);
    expect(layout.yTicks[0]).toBe(0);
  });

  test.each([280, 350, 672])('at %i px every tick and the asked load are on it', (width) => {
    const points = curveContexts(131072, 8192).map((x) => point(x, Math.floor(464_272 / x)));
    const layout = layOutCurve(points, 2048, width, 13, plain);
    for (const tick of layout.yTicks) {
      expect(layout.y(tick)).toBeGreaterThanOrEqual(layout.top - 0.01);
      expect(layout.y(tick)).toBeLessThanOrEqual(layout.bottom + 0.01);
    }
    expect(layout.y(2048)).toBeGreaterThanOrEqual(layout.top - 0.01);
    expect(layout.x.at(131072)).toBeLessThanOrEqual(width);
    const gaps = layout.xTicks
      .slice(1)
      .map((x, i) => layout.x.at(x) - layout.x.at(layout.xTicks[i]));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(40);
  });

  test('a pointer reads the point next to it', () => {
    const points = [1024, 2048, 4096].map((x) => point(x, 4));
    const layout = layOutCurve(points, null, 640, 13, plain);
    expect(nearestPoint(points, layout, layout.x.at(2048) + 10)).toBe(1);
    expect(nearestPoint(points, layout, 9999)).toBe(2);
  });
});

describe('the scatter', () => {
  const GIB = 2 ** 30;
  const points = [
    { x: 2 * GIB, y: 2.2 * GIB },
    { x: 60 * GIB, y: 60 * GIB },
  ];

  test('is square with the same scale both ways, so that the diagonal is right', () => {
    const layout = layOutScatter(points, 600, 13, GIB, 40);
    expect(layout.right - layout.left).toBeCloseTo(layout.bottom - layout.top);
    const { diagonal } = layout;
    expect(diagonal).toMatchObject({ x1: layout.left, y1: layout.bottom, x2: layout.right });
    expect(diagonal.y2).toBeCloseTo(layout.top);
    expect(layout.x.at(60 * GIB) - layout.left).toBeCloseTo(layout.bottom - layout.y.at(60 * GIB));
  });

  test('what is a tenth too much lies on the upper bound', () => {
    const layout = layOutScatter(points, 600, 13, GIB, 40);
    const [upper, lower] = layout.bounds;
    const share = (layout.x.at(2 * GIB) - upper.x1) / (upper.x2 - upper.x1);
    expect(layout.y.at(2.2 * GIB)).toBeCloseTo(upper.y1 + share * (upper.y2 - upper.y1));
    for (const { x1, y1, x2, y2 } of [upper, lower]) {
      for (const x of [x1, x2]) expect(x).toBeLessThanOrEqual(layout.right + 1e-9);
      for (const y of [y1, y2]) expect(y).toBeGreaterThanOrEqual(layout.top - 1e-9);
    }
    expect(lower.y1).toBeGreaterThan(upper.y1 - 1e-9);
  });

  test('its ticks are round in the unit and on the chart', () => {
    const layout = layOutScatter(points, 600, 13, GIB, 40);
    expect(layout.ticks.map((tick) => tick / GIB)).toEqual([2, 5, 10, 20, 50, 100]);
  });

  test('holds one point alone, equal values and none', () => {
    for (const values of [[points[0]], [points[1], points[1]], []]) {
      const layout = layOutScatter(values, 320, 13, GIB, 40);
      expect(Number.isFinite(layout.diagonal.y2)).toBe(true);
      for (const { x } of values) expect(Number.isFinite(layout.x.at(x))).toBe(true);
      expect(layout.width).toBeLessThanOrEqual(320);
    }
  });

  test('a pointer reads the point next to it in both directions', () => {
    const layout = layOutScatter(points, 600, 13, GIB, 40);
    expect(nearestOf(points, layout, layout.left, layout.bottom)).toBe(0);
    expect(nearestOf(points, layout, layout.right, layout.top)).toBe(1);
  });
});

describe('the values of the map', () => {
  test('are even steps that end at the model’s length and hold the asked one', () => {
    expect(contexts(131072, 8192, 8)).toEqual([
      1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072,
    ]);
    expect(contexts(131072, 8192, 5)).toEqual([2048, 8192, 32768, 131072]);
    expect(contexts(131072, 6000, 5)).toEqual([2048, 6000, 8192, 32768, 131072]);
    expect(contexts(40960, 8192, 8).at(-1)).toBe(40960);
    expect(contexts(0, null, 8).at(-1)).toBe(131072);
  });

  test('never more than there is room for', () => {
    for (const asked of [null, 1, 3, 700, 1024, 5000]) {
      const values = loads(asked, 8);
      expect(values.length).toBeLessThanOrEqual(8);
      expect(values).toEqual([...new Set(values)].sort((a, b) => a - b));
      if (asked !== null) expect(values).toContain(asked);
    }
    expect(thin([1, 2], 3, 2)).toContain(3);
  });

  test('of a curve are few enough for the core', () => {
    const values = curveContexts(10_485_760, 5000);
    expect(values.length).toBeLessThanOrEqual(28);
    expect(values).toContain(5000);
    expect(values.at(-1)).toBe(10_485_760);
  });
});

describe('what a cell of a scan is', () => {
  let core;
  beforeAll(async () => {
    core = await load();
  });
  const base = {
    model: { id: 'meta-llama/Llama-3.1-8B' },
    gpu: { id: 'a100-sxm-80gb', count: 1 },
    engine: { name: 'vllm', args: { 'max-model-len': 8192 } },
    workload: { context: 8192, prompt: 2048, output: 256, concurrency: 16 },
  };
  const flagsOf = (name) => core.catalogue().engines.find((one) => one.name === name).flags;

  const cell = (low, best, serves = true) => ({ serves, max_requests: { low, best, high: best } });
  test('told by the load, the best number and its lower end', () => {
    expect(fitOf(cell(55, 56), 16)).toBe('ample');
    expect(fitOf(cell(55, 56), 56)).toBe('tight');
    expect(fitOf(cell(52, 56), 53)).toBe('tight');
    expect(fitOf(cell(52, 100), 53)).toBe('tight');
    expect(fitOf(cell(52, 56), 57)).toBe('short');
    expect(fitOf(cell(0, 0, false), 1)).toBe('never');
    expect(fitOf({ error: { code: 'x', message: '', path: '' } }, 1)).toBe('void');
  });

  test.each([
    ['concurrency', 'vllm', {}],
    ['weight_format', 'vllm', {}],
    ['weight_format', 'sglang', {}],
    ['count', 'vllm', { tp: 2 }],
    ['utilization', 'vllm', { 'gpu-memory-utilization': 0.5 }],
  ])('its change of %s on %s leads to the very setup', (name, engine, args) => {
    const request = {
      ...base,
      gpu: { ...base.gpu, count: args.tp ?? 1 },
      engine: { name: engine, args: { ...(engine === 'vllm' ? base.engine.args : {}), ...args } },
    };
    const axes = [{ name }, { name: 'context', values: [2048, 8192] }];
    const { cells } = core.scan({ request, axes });
    expect(cells.length).toBeGreaterThan(4);
    for (const { max_requests, kv_pool, change, error } of cells) {
      expect(error).toBeUndefined();
      const report = core.fit(withChange(request, change, flagsOf(engine)));
      expect(report.capacity.max_requests).toEqual(max_requests);
      expect(report.memory.per_gpu.kv_pool).toEqual(kv_pool);
    }
  });

  test('prompt and answer stay where they fit into the new length, and go where they do not', () => {
    const shorter = withChange(base, { workload: { context: 1024 } }, []);
    expect(shorter.workload).toEqual({ context: 1024, concurrency: 16 });
    const longer = withChange(base, { workload: { context: 4096 } }, []);
    expect(longer.workload).toEqual({ context: 4096, prompt: 2048, output: 256, concurrency: 16 });
    expect(base.workload.context).toBe(8192);
  });
});

describe('two bars above each other', () => {
  const part = (key, start, bytes) => ({ key, label: key, start, bytes });
  const bar = (total, segments) => ({
    segments,
    missing: 0,
    end: total,
    total,
    requested: null,
    band: null,
  });
  const above = bar(80, [part('weights', 0, 15), part('graphs', 15, 1), part('kv', 16, 40)]);
  const below = bar(24, [part('weights', 0, 14), part('other', 14, 1), part('kv', 15, 8)]);

  test('share the scale of the larger one and do not touch', () => {
    const layout = layOutStacks(above, below, 13);
    expect(layout.end).toBe(80);
    expect(layout.lower).toBeGreaterThan(layout.upper + layout.height + 13);
    expect(layout.whole).toBeGreaterThan(layout.lower + layout.height);
  });

  test('list every part once, with both sizes where both have it', () => {
    const parts = partsOf(above, below);
    expect(parts.map(({ key }) => key)).toEqual(['weights', 'other', 'graphs', 'kv']);
    expect(parts.map(({ from, to }) => [from?.bytes ?? null, to?.bytes ?? null])).toEqual([
      [15, 14],
      [null, 1],
      [1, null],
      [40, 8],
    ]);
  });

  test('are linked by the large parts that both have', () => {
    expect(linksOf(above, below).map(([from]) => from.key)).toEqual(['weights', 'kv']);
  });
});

describe('what is asked of the cards', () => {
  const answer = {
    report: { capacity: { context: 8192 }, engine: { name: 'vllm' } },
    request: {
      model: { id: 'meta-llama/Meta-Llama-3-70B' },
      gpu: { id: 'a100-sxm-80gb', count: 2 },
      engine: {
        name: 'vllm',
        version: '0.28.0',
        args: { 'tensor-parallel-size': 2, 'gpu-memory-utilization': 0.95 },
      },
      workload: { context: 8192, concurrency: 16 },
    },
  };
  const known = ['vllm', 'sglang'];
  const ask = (wishes) => recommendQuery(answer, { ...first, ...wishes }, known);

  test('the load and the flags are the setup’s, but for how cards share the model', () => {
    expect(ask({})).toMatchObject({
      model: answer.request.model,
      engines: [{ name: 'vllm', version: '0.28.0', args: { 'gpu-memory-utilization': 0.95 } }],
      workload: { context: 8192, concurrency: 16 },
      constraints: { max_count: 8, weight_formats: ['checkpoint'] },
    });
    expect(ask({}).engines[0].args).not.toHaveProperty('tensor-parallel-size');
  });

  test('times are milliseconds to the reader and seconds to the core', () => {
    const { workload } = ask({ ttft: '500', tpot: '30' });
    expect(workload.ttft_s).toBeCloseTo(0.5);
    expect(workload.tpot_s).toBeCloseTo(0.03);
  });

  test('chosen cards stand before their maker, and other engines are asked once each', () => {
    const query = ask({ cards: ['t4'], vendor: 'amd', allEngines: true, anyFormat: true });
    expect(query.constraints).toEqual({ max_count: 8, gpus: ['t4'] });
    expect(query.engines.map(({ name }) => name)).toEqual(['vllm', 'sglang']);
  });

  test('what is no number above zero is named, and an empty box is not', () => {
    expect(unreadable({ ...first, ttft: 'soon', tpot: '', budget: '-1' })).toEqual([
      'ttft',
      'budget',
    ]);
    expect(unreadable({ ...first, ttft: '0' })).toEqual(['ttft']);
  });

  test('the core takes it', async () => {
    const core = await load();
    const found = core.recommend({ ...ask({ ttft: '2000', rank: 'headroom' }), limit: 2 });
    expect(found.answers.length).toBe(2);
  });
});
