import { describe, expect, it, test } from 'vitest';
import {
  axisOf,
  layOutLines,
  linePath,
  logTicks,
  nearestIndex,
  roundTicks,
} from '../../web/src/charts/lines-layout.ts';
import {
  capacityQuery,
  fieldOf,
  simulateQuery,
  sloOf,
  unreadable,
} from '../../web/src/rooms/load/query.ts';
import { RunQuestion } from '../../web/src/rooms/load/run.ts';
import { presets, readSettings, settingsText, startOf } from '../../web/src/rooms/load/settings.ts';
import { standingOf } from '../../web/src/rooms/load/standing.ts';
import { packTrace, unpackTrace } from '../../web/src/rooms/load/trace.ts';
import { words } from '../../web/src/rooms/load/words.ts';
import { simulation } from './support/canned-load.mjs';

// The view of a setup under load: what it is set to, what it asks, and what it makes of the answer.

const ANSWER = {
  report: { capacity: { context: 8192 }, verdict: { serves: true } },
  request: {
    model: { id: 'org/known' },
    gpu: { id: 'a100', count: 1 },
    engine: { name: 'vllm' },
    workload: { context: 8192, prompt: 2048, output: 256, concurrency: 16 },
  },
};
const ask = (settings, trace = null) => simulateQuery(settings, ANSWER, trace);

describe('the settings', () => {
  test('as the view opens are nothing in a link', () => {
    expect(settingsText(startOf('chat'))).toBe('');
    expect(readSettings('')).toEqual(startOf('chat'));
  });

  test.each(presets)('of %s are its name', (use) => {
    const text = settingsText(startOf(use));
    expect(text).toBe(use === 'chat' ? '' : `u:${use}`);
    expect(readSettings(text)).toEqual(startOf(use));
  });

  test('come back from a link, whatever was typed', () => {
    const typed = {
      ...startOf('own'),
      arrive: 'closed',
      people: 'a/b:c%',
      flow: 'waves',
      ttft: '',
      paceUnit: 'ms',
      traceName: 'mine.csv',
      seed: '7',
    };
    expect(readSettings(settingsText(typed))).toEqual(typed);
  });

  test('of a link that was once written', () => {
    expect(readSettings('u:coding_agent/n:32/h:90/t:1500/d:40/s:95/k:500')).toEqual({
      ...startOf('coding_agent'),
      arrive: 'closed',
      people: '32',
      session: '90',
      ttft: '1500',
      pace: '40',
      share: '95',
      requests: '500',
    });
  });

  test('that are none are those of the preset', () => {
    expect(readSettings('u:nothing/a:never/f:odd/zz:1/r')).toEqual(startOf('chat'));
  });
});

describe('the question', () => {
  test('of a preset has its lengths and its goal', () => {
    expect(ask(startOf('chat'))).toEqual({
      request: ANSWER.request,
      load: {
        arrivals: { kind: 'poisson', rate: 4 },
        lengths: { kind: 'preset', name: 'chat' },
      },
      slo: { ttft_s: 0.5, tpot_s: 0.05, percentile: 0.99 },
    });
    const fresh = { ...startOf('chat'), session: '0' };
    expect(ask(fresh).load.prefix).toEqual({ session_share: 0 });
    expect(ask(startOf('batch'))).toMatchObject({ load: { arrivals: { kind: 'at_once' } } });
    expect(ask(startOf('batch'))).not.toHaveProperty('slo');
  });

  test('of own numbers has those of the inputs where none are given', () => {
    expect(ask(startOf('own')).load.lengths).toEqual({ kind: 'fixed', input: 2048, output: 256 });
    const given = { ...startOf('own'), input: '1K', output: '100', spread: 'near' };
    expect(ask(given).load.lengths).toEqual({
      kind: 'uniform',
      input: [819, 1229],
      output: [80, 120],
    });
  });

  test.each([
    [
      { flow: 'uneven', rate: '2,5' },
      { kind: 'gamma', rate: 2.5, burstiness: 0.5 },
    ],
    [{ flow: 'waves' }, { kind: 'bursty', rate: 4, on_s: 20, off_s: 40, peak: 2.5 }],
    [
      { arrive: 'closed', people: '64' },
      { kind: 'closed', concurrency: 64 },
    ],
  ])('says how requests come: %j', (patch, arrivals) => {
    expect(ask({ ...startOf('own'), ...patch }).load.arrivals).toEqual(arrivals);
  });

  test('of a trace waits for it, and has nothing that it tells itself', () => {
    const settings = { ...startOf('trace'), speedUp: '2', requests: '10', shared: '500' };
    expect(ask(settings)).toBeNull();
    expect(ask(settings, 'a,b\n').load).toEqual({
      arrivals: { kind: 'trace', text: 'a,b\n', speed_up: 2 },
      prefix: { shared_tokens: 500 },
    });
  });

  test('is none while a field that counts cannot be read', () => {
    const wrong = { ...startOf('own'), rate: '', ttft: 'soon', session: '100', input: '-3' };
    expect(unreadable(wrong)).toEqual(['rate', 'input', 'session', 'ttft']);
    expect(ask(wrong)).toBeNull();
    // What another choice hides is not in the way.
    expect(unreadable({ ...startOf('chat'), input: 'x', people: '' })).toEqual([]);
  });

  test('has the pace in either unit, and no goal where none is set', () => {
    const goal = (patch) => sloOf({ ...startOf('own'), ...patch });
    expect(goal({ pace: '40', paceUnit: 'ms' }).tpot_s).toBeCloseTo(0.04);
    expect(goal({ ttft: '', share: '95' })).toEqual({ tpot_s: 0.05, percentile: 0.95 });
    expect(goal({ ttft: '', pace: '' })).toBeNull();
  });

  test('of the most raises what the requests come by', () => {
    const most = (settings, trace) => capacityQuery(ask(settings, trace), settings);
    expect(most(startOf('rag'))).toMatchObject({ over: 'rate', changes: true });
    expect(most(startOf('reasoning'))).toMatchObject({ over: 'concurrency' });
    const batch = { ...startOf('batch'), ttft: '500' };
    expect(most(batch).load.arrivals).toEqual({ kind: 'poisson', rate: 1 });
    expect(most(startOf('batch'))).toBeNull();
    const trace = { ...startOf('trace'), arrive: 'closed' };
    expect(most(trace, 'a\n')).toMatchObject({ over: 'rate', load: { arrivals: { text: 'a\n' } } });
  });

  test('that is refused leads to a field', () => {
    expect(fieldOf('load.arrivals.rate', startOf('chat'))).toBe('rate');
    expect(fieldOf('load.arrivals.concurrency', startOf('reasoning'))).toBe('people');
    expect(fieldOf('load.arrivals.text', startOf('trace'))).toBe('trace');
    expect(fieldOf('slo.tpot_s', startOf('chat'))).toBe('pace');
    expect(fieldOf('request.gpu.id', startOf('chat'))).toBe('');
  });
});

test('a trace is packed for a link and comes back', async () => {
  const text = Array.from({ length: 500 }, (_, at) => `${at / 4},${at % 90},256`).join('\n');
  const packed = await packTrace({ name: 'a.csv', text });
  expect(packed.length).toBeLessThan(text.length / 2);
  expect(await unpackTrace(packed)).toBe(text);
  expect(await packTrace({ name: 'a.csv', text: 'x'.repeat(1_000_000) })).toBe('');
});

describe('how it stands', () => {
  const told = (rate, slo) => simulation({ load: { arrivals: { kind: 'poisson', rate } }, slo });
  const standing = (rate, slo) => standingOf(told(rate, slo), slo);

  test('is met, met just so, or missed', () => {
    expect(standing(1, { ttft_s: 1, tpot_s: 0.1, percentile: 0.99 })).toBe('meets');
    const { p99 } = told(1, {}).latency.ttft_s;
    expect(standing(1, { ttft_s: p99 * 1.1, percentile: 0.99 })).toBe('tight');
    expect(standing(6, { ttft_s: 0.2, percentile: 0.99 })).toBe('misses');
    expect(standing(6, undefined)).toBeNull();
  });
});

describe('a long question', () => {
  /** A planner that answers when it is told to. */
  function planner() {
    const runs = [];
    return {
      runs,
      run: (kind, query, { onProgress, signal }) =>
        new Promise((answer, fail) => {
          runs.push({ kind, query, onProgress, signal, answer });
          signal.addEventListener('abort', () => fail(signal.reason));
        }),
    };
  }

  const soon = () => new Promise((go) => setTimeout(go));

  function question() {
    const asked = planner();
    let changes = 0;
    const one = new RunQuestion(asked, 'simulate', () => {
      changes += 1;
    });
    return { one, runs: asked.runs, changes: () => changes };
  }

  it('is asked once for the same query, followed, and answered', async () => {
    const { one, runs, changes } = question();
    const query = { load: 1 };
    one.ask(query, 0);
    one.ask(query, 0);
    expect(runs).toHaveLength(1);
    expect(one.state).toMatchObject({ running: true, answer: null });
    runs[0].onProgress({ share: 0.5 });
    expect(one.state.progress).toEqual({ share: 0.5 });
    runs[0].answer({ kind: 'simulation' });
    await soon();
    expect(one.state).toMatchObject({ running: false, progress: null, of: query });
    expect(one.state.answer).toEqual({ kind: 'simulation' });
    expect(changes()).toBe(2);
  });

  it('stops the one before, whose answer no longer counts', async () => {
    const { one, runs } = question();
    one.ask({ load: 1 }, 0);
    one.ask({ load: 2 }, 0);
    expect(runs[0].signal.aborted).toBe(true);
    runs[0].onProgress({ share: 0.9 });
    expect(one.state.progress).toBeNull();
    runs[1].answer({ kind: 'simulation', which: 2 });
    await soon();
    expect(one.state.answer.which).toBe(2);
  });

  it('waits until the typing stops', async () => {
    const { one, runs } = question();
    one.ask({ load: 1 }, 20);
    one.ask({ load: 2 }, 20);
    expect(one.state.running).toBe(true);
    expect(runs).toHaveLength(0);
    await new Promise((go) => setTimeout(go, 40));
    expect(runs.map(({ query }) => query.load)).toEqual([2]);
  });

  it('is stopped by the reader, keeps what was there, and can be asked again', async () => {
    const { one, runs } = question();
    const query = { load: 1 };
    one.ask(query, 0);
    one.stop();
    expect(one.state).toMatchObject({ running: false, stopped: true, answer: null });
    expect(runs[0].signal.aborted).toBe(true);
    one.ask(query, 0);
    expect(runs).toHaveLength(1);
    one.again();
    expect(runs).toHaveLength(2);
    runs[1].answer({ error: { code: 'bad_value', message: 'no', path: '' } });
    await soon();
    expect(one.state).toMatchObject({ stopped: false, problem: { code: 'bad_value' } });
  });
});

describe('a chart of lines', () => {
  test('has round ticks', () => {
    expect(roundTicks(6.4, 6)).toEqual([0, 2, 4, 6]);
    expect(roundTicks(1, 4)).toEqual([0, 0.5, 1]);
    expect(roundTicks(0, 4)).toEqual([0]);
    expect(logTicks(0.1, 5, 8)).toEqual([0.1, 0.2, 0.5, 1, 2, 5].map((x) => expect.closeTo(x, 9)));
  });

  test('holds all its values', () => {
    expect(axisOf([0.13, 3.4], true)).toEqual({
      least: expect.closeTo(0.1),
      most: expect.closeTo(5),
      log: true,
    });
    expect(axisOf([0, 7], false)).toEqual({ least: 0, most: 7, log: false });
    expect(axisOf([], true)).toEqual({ least: 1, most: 10, log: true });
  });

  test('is broken where there is no value, and read at the nearest point', () => {
    const place = { width: 600, type: 13, high: 300, lanes: 0 };
    const layout = layOutLines(axisOf([0, 10], false), axisOf([0, 4], false), place, String);
    expect(linePath([0, 5, 10], [1, null, 4], layout).match(/M/g)).toHaveLength(2);
    expect(layout.y(4)).toBeCloseTo(layout.top);
    expect(layout.y(0)).toBeCloseTo(layout.bottom);
    expect(nearestIndex([0, 5, 10], layout, layout.x(6))).toBe(1);
  });
});

describe('its words', () => {
  /** The texts of all functions and fields, by path. */
  const texts = (value, path = '') => {
    if (typeof value === 'string') return [[path, value]];
    if (typeof value === 'function') return [[path, value('1', '2', '3')]];
    return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
  };
  const letters = { ru: /[а-яё]/i, zh: /\p{Script=Han}/u };
  const same = /\.(?:and|short\.(?:ttft_s|tpot_s|itl_s)|goalPace)$|%/;

  it.each(['ru', 'zh'])('say everything in %s', (lang) => {
    const english = new Map(texts(words.en));
    const said = texts(words[lang]);
    expect(said.map(([path]) => path)).toEqual([...english.keys()]);
    const unsaid = said.filter(([path, text]) => !same.test(path) && !letters[lang].test(text));
    expect(unsaid).toEqual([]);
  });
});
