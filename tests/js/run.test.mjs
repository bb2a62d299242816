import { RidgepointError } from 'ridgepoint';
import { describe, expect, it } from 'vitest';
import { Ridgepoint } from '../../wasm/lib/core.mjs';
import { cannedRun } from './support/canned-load.mjs';
import { fakeModule } from './support/fake-core.mjs';

// Questions that take long: sliced, followed and stopped.

const QUERY = {
  request: { model: { id: 'org/known' }, gpu: { id: 'a100' }, engine: { name: 'vllm' } },
  load: { arrivals: { kind: 'poisson', rate: 4 } },
};

/** Keeps the thread for a while, as a slice of work does. */
function busy(ms) {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function coreWith({ Run }) {
  return new Ridgepoint({ ...fakeModule(), Run });
}

describe('a run', () => {
  it('gives the answer, and is tidied up', async () => {
    const fake = cannedRun();
    const answer = await coreWith(fake).run('simulate', QUERY);
    expect(answer).toMatchObject({ kind: 'simulation', requests: { asked: 1000 } });
    expect(fake.runs).toMatchObject([{ kind: 'simulate', query: QUERY, deleted: true }]);
  });

  it('goes on in slices of some milliseconds, between which timers and messages come', async () => {
    const fake = cannedRun({}, { steps: 2000, wait: () => busy(2) });
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    await coreWith(fake).run('simulate', QUERY);
    clearInterval(timer);
    const [{ slices }] = fake.runs;
    expect(slices.length).toBeGreaterThan(5);
    expect(slices[0]).toBeLessThan(10);
    expect(slices[2]).toBeGreaterThan(slices[0]);
    expect(ticks).toBeGreaterThan(3);
  });

  it('never asks for so many steps that a stop would wait for them', async () => {
    const fake = cannedRun({}, { steps: 5e4 });
    await coreWith(fake).run('simulate', QUERY);
    expect(Math.max(...fake.runs[0].slices)).toBe(4096);
  });

  it('takes fewer steps at once where they take long', async () => {
    const fake = cannedRun({}, { steps: 20, wait: () => busy(30) });
    await coreWith(fake).run('capacity', { ...QUERY, slo: { ttft_s: 1 }, over: 'rate' });
    const [{ slices }] = fake.runs;
    expect(slices.at(-1)).toBe(1);
  });

  it('tells how far it is, not too often, and at the end', async () => {
    const fake = cannedRun({}, { steps: 1e5, wait: () => busy(3) });
    const told = [];
    const onProgress = (progress) => told.push([performance.now(), progress]);
    await coreWith(fake).run('simulate', QUERY, { onProgress });
    expect(told.length).toBeLessThan(fake.runs[0].slices.length);
    expect(told[0][1].share).toBeLessThan(1);
    expect(told.at(-1)[1]).toMatchObject({ done: true, share: 1, finished: 1000, asked: 1000 });
    const gaps = told.slice(1, -1).map(([at], index) => at - told[index][0]);
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(49);
  });

  it('stops when it is told to, soon', async () => {
    const fake = cannedRun({}, { steps: 1e12, wait: () => busy(5) });
    const abort = new AbortController();
    const running = coreWith(fake).run('simulate', QUERY, { signal: abort.signal });
    let stopped = 0;
    setTimeout(() => {
      stopped = performance.now();
      abort.abort();
    }, 30);
    const error = await running.catch((caught) => caught);
    expect(error.name).toBe('AbortError');
    expect(performance.now() - stopped).toBeLessThan(100);
    expect(fake.runs[0].deleted).toBe(true);
  });

  it('does not start when it was stopped before', async () => {
    const fake = cannedRun();
    const running = coreWith(fake).run('simulate', QUERY, { signal: AbortSignal.abort() });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(fake.runs).toEqual([]);
  });

  it('rejects with what is wrong, or gives it', async () => {
    const error = { code: 'bad_value', message: 'a rate is above 0', path: 'load.arrivals.rate' };
    const core = coreWith(cannedRun({ simulate: () => ({ id: 'a', error }) }));
    const caught = await core.run('simulate', QUERY).catch((thrown) => thrown);
    expect(caught).toBeInstanceOf(RidgepointError);
    expect(caught).toMatchObject({ code: 'bad_value', path: 'load.arrivals.rate' });
    expect(await core.askRun('simulate', QUERY)).toEqual({ id: 'a', error });
    const unfit = { ...QUERY, id: 'b', load: { arrivals: { kind: 'poisson', rate: Number.NaN } } };
    expect(await core.askRun('simulate', unfit)).toMatchObject({
      id: 'b',
      error: { code: 'bad_value', path: 'load.arrivals.rate' },
    });
  });

  it('is a defect of the core where it traps, which then answers nothing more', async () => {
    const fake = cannedRun();
    fake.Run.prototype.advance = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    const core = coreWith(fake);
    expect(await core.askRun('simulate', QUERY)).toMatchObject({ error: { code: 'internal' } });
    expect(core.usable).toBe(false);
    expect(fake.runs[0].deleted).toBe(false);
    expect(await core.askRun('simulate', QUERY)).toMatchObject({ error: { code: 'internal' } });
    expect(fake.runs).toHaveLength(1);
  });

  it('leaves what its listener throws to its caller, and is tidied up', async () => {
    const fake = cannedRun();
    const onProgress = () => {
      throw new Error('mine');
    };
    const core = coreWith(fake);
    await expect(core.run('simulate', QUERY, { onProgress })).rejects.toThrow('mine');
    expect(fake.runs[0].deleted).toBe(true);
    expect(core.usable).toBe(true);
  });

  it('is not known to a module without it', async () => {
    const core = new Ridgepoint(fakeModule());
    await expect(core.run('simulate', QUERY)).rejects.toThrow('has no Run');
  });
});
