// A report agrees with itself, whatever the model and the engine.
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'ridgepoint';
import { describe, expect, it } from 'vitest';

const CONFIGS = new URL('../fixtures/configs/', import.meta.url);
const ENGINES = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
const CARDS = ['h100-sxm-80gb', 'rtx-4090', 'b200'];

const core = await load();
const evaluate = (request) => JSON.parse(core.evaluateText(JSON.stringify(request)));

const configs = readdirSync(CONFIGS)
  .filter((file) => file.endsWith('.json'))
  .map((file) => [file, readFileSync(new URL(file, CONFIGS), 'utf8')]);

function reports(engine) {
  const all = [];
  for (const [index, [file, config]] of configs.entries()) {
    const id = CARDS[index % CARDS.length];
    // Of 2,048 tokens, and of the longest that the model takes.
    for (const workload of [{ context: 2048 }, {}]) {
      const request = { model: { config }, gpu: { id, count: 1 }, engine: { name: engine } };
      const report = evaluate({ ...request, workload });
      if (!report.error) all.push([`${file} on ${id}`, report]);
    }
  }
  return all;
}

/** Paths of ranges whose best value is not between their ends. */
function disordered(value, path = '') {
  if (value === null || typeof value !== 'object') return [];
  const range = 'low' in value && 'best' in value && 'high' in value;
  const own = range && !(value.low <= value.best && value.best <= value.high) ? [path] : [];
  return [...own, ...Object.entries(value).flatMap(([key, v]) => disordered(v, `${path}.${key}`))];
}

describe.each(ENGINES)('a report of %s', (engine) => {
  const all = reports(engine);

  it('is given for most models', () => {
    expect(all.length).toBeGreaterThan(configs.length);
  });

  it('has its best figures between the lowest and the highest', () => {
    expect(all.flatMap(([name, report]) => disordered(report).map((p) => name + p))).toEqual([]);
  });

  it('counts requests exactly when it says that it serves', () => {
    const wrong = all.filter(
      ([, { verdict, capacity }]) => verdict.serves !== capacity.max_requests.best > 0,
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });

  it('serves no length above the longest that it names', () => {
    const wrong = all.filter(
      ([, { verdict, capacity }]) => verdict.serves && capacity.max_context < capacity.context,
    );
    expect(wrong.map(([name]) => name)).toEqual([]);
  });
});
