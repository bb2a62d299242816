import { readdir, readFile } from 'node:fs/promises';
import { load } from 'ridgepoint';
import { parseConfig } from 'ridgepoint/hub';
import { beforeAll, describe, expect, it } from 'vitest';
import { fakeModule, fakeReport } from './support/fake-core.mjs';
import { runInside } from './support/run.mjs';

const CONFIGS = new URL('../fixtures/configs/', import.meta.url);
const WIDTH = 80;

async function printed(report, options = {}) {
  const { stdout } = await runInside(['fit', 'org/known', '--gpu', 'a100'], {
    module: fakeModule(() => report),
    columns: WIDTH,
    ...options,
  });
  return stdout;
}

/** The fake report with other values in some of its parts. */
function changed(changes) {
  const report = fakeReport();
  for (const [part, fields] of Object.entries(changes)) Object.assign(report[part], fields);
  return report;
}

const line = (text, start) => text.split('\n').find((each) => each.startsWith(start));

describe('the parts of a model', () => {
  const experts = { total: 45_100_000_000, active: 1_500_000_000 };
  const all = (total) => ({ total, active: total });

  it('are no news where every model has them', async () => {
    const text = await printed(fakeReport());
    expect(text).not.toMatch(/^(parts|MTP)/m);
  });

  it('stand in one line, the largest first and the smallest left out', async () => {
    const parameters_by_part = {
      attention: all(1_200_000_000),
      experts,
      norms: all(300_000),
      vision: all(400_000_000),
    };
    const text = await printed(changed({ model: { parameters: 46.7e9, parameters_by_part } }));
    expect(line(text, 'parts')).toBe(
      'parts  experts 45.1 B (1.5 B active), attention 1.2 B, vision 400 M',
    );
    expect(text).not.toMatch(/^MTP/m);
  });

  it('leave the layers that predict further tokens apart', async () => {
    const mtp = { total: 1_650_000_000, active: 0 };
    const text = await printed(
      changed({ model: { parameters_by_part: { attention: all(8e9), mtp } } }),
    );
    expect(line(text, 'parts')).toBe('parts  attention 8 B');
    expect(line(text, 'MTP')).toBe('MTP    1.65 B parameters, counted apart and not loaded');
  });
});

describe('what is cached', () => {
  const tokens = (best) => ({ low: best, best, high: best, basis: 'exact', starts: 0 });

  it('is a state besides in a hybrid', async () => {
    const report = changed({
      model: { attention: 'hybrid' },
      cache: { state_bytes_per_request: 39_518_208 },
    });
    const text = await printed(report);
    expect(text).toMatch(/^state of one request +37\.69 MiB$/m);
    expect(text).toContain('hybrid, 32 layers');
    expect(await printed(fakeReport())).not.toContain('state of one request');
  });

  it('is a state alone where no layer has attention', async () => {
    const report = changed({
      model: { attention: 'ssm' },
      cache: { bytes_per_token: 0, state_bytes_per_request: 2 ** 21 },
      naive: { bytes_per_token: 0, max_requests: 63_656_438_544 },
    });
    const text = await printed(report);
    expect(text).toMatch(/^KV cache of one token +none: only the state is kept$/m);
    expect(text).toMatch(/^state of one request +2\.00 MiB$/m);
    expect(text).not.toContain('63,656,438,544');
    expect(text).not.toMatch(/\b0 B\b/);
  });

  it('is nothing in an encoder, which writes no tokens either', async () => {
    const report = changed({
      model: { attention: 'encoder' },
      cache: { bytes_per_token: 0, tokens: tokens(0), blocks: tokens(1), block_tokens: 0 },
      capacity: { max_concurrency: tokens(0) },
    });
    const text = await printed(report);
    expect(text).toContain('nothing is cached');
    expect(text).toContain('encoder, 32 layers');
    expect(text).not.toMatch(/0\.00x|KV pool|KV cache of one token|tokens\/s|token every/);
    expect(text).toMatch(/^ +left free +54\.50/m);
    expect(text).toMatch(/^one pass over 8,192 tokens +120 ms/m);
  });
});

describe('a guess', () => {
  const notes = ['"Foo" is not known: it was read as Llama.', 'The config names no dtype.'];

  it('is said before the numbers, with the notes on it, once', async () => {
    const text = await printed(changed({ model: { confidence: 'assumed', notes } }), { tty: true });
    const lines = text.split('\n');
    const at = lines.findIndex((each) => each.includes('ASSUMED'));
    expect(at).toBeGreaterThan(0);
    expect(lines[at]).toContain('\u001b[33m');
    expect(lines.slice(at + 1, at + 3)).toEqual(notes.map((note) => `  - ${note}`));
    expect(at).toBeLessThan(lines.findIndex((each) => each.startsWith('requests of')));
    expect(text.split(notes[0])).toHaveLength(2);
    expect(text).not.toContain('Notes on the model');
  });

  it('is not said of a model that is known, whose notes come last', async () => {
    const text = await printed(changed({ model: { notes } }));
    expect(text).not.toContain('ASSUMED');
    expect(text).toContain(`Notes on the model\n  - ${notes[0]}\n  - ${notes[1]}`);
  });
});

describe('every config at hand', () => {
  /** @type {[string, Record<string, unknown>][]} */
  let configs;
  let core;
  beforeAll(async () => {
    core = await load();
    const names = (await readdir(CONFIGS)).filter(
      (name) => name.endsWith('.json') && !name.startsWith('bad--'),
    );
    configs = await Promise.all(
      names.map(async (name) => [
        name,
        parseConfig(await readFile(new URL(name, CONFIGS), 'utf8'), name),
      ]),
    );
  });

  const reports = () =>
    configs.flatMap(([name, config]) => {
      const answer = core.evaluate({
        model: { config },
        gpu: { id: 'h200' },
        engine: { name: 'vllm', version: '0.28.0' },
        workload: { context: 64 },
      });
      return 'error' in answer ? [] : [{ name, report: answer }];
    });

  it('has parts that add up to its parameters', () => {
    const all = reports();
    expect(all.length).toBeGreaterThan(100);
    for (const { name, report } of all) {
      const { mtp, ...parts } = report.model.parameters_by_part;
      const sum = (field) => Object.values(parts).reduce((total, part) => total + part[field], 0);
      expect(sum('total'), name).toBe(report.model.parameters);
      expect(sum('active'), name).toBe(report.model.active_parameters);
      expect(mtp?.total ?? 0, name).toBe(report.model.mtp_parameters);
    }
  });

  it('is printed without holes, in 80 columns', async () => {
    for (const { name, report } of reports()) {
      const text = await printed(report);
      expect(text, name).not.toMatch(/NaN|∞|Infinity|undefined|null|[a-z]_(ffn|mixer|head)/);
      // The columns of a table are as wide as its numbers, here those of a card that is far too small.
      if (report.memory.per_gpu.weights.best > 2 ** 40) continue;
      // The first line holds names of any length.
      const wide = text
        .split('\n')
        .slice(1)
        .filter((each) => each.length > WIDTH);
      expect(wide, name).toEqual([]);
    }
  });
});
