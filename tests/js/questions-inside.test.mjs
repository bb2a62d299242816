import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shellWords } from '../../wasm/lib/cli/shell-words.mjs';
import { fakeModule } from './support/fake-core.mjs';
import { runInside, unbroken } from './support/run.mjs';

// What the command line asks the core, and what it makes of the answer.

const CONFIG = { hidden_size: 4096 };
const SERVES = { verdict: { serves: true } };
const FITS = {
  scan: () => ({ kind: 'scan', cells: [{ serves: true }] }),
  recommend: () => ({ kind: 'recommend', answers: [{}] }),
  compare: ({ setups }) => ({ kind: 'compare', setups: setups.map(() => ({ report: SERVES })) }),
  advise: () => ({ kind: 'advise', ...SERVES }),
  explain: () => ({ kind: 'explain', ...SERVES }),
  writeCommand: () => ({ kind: 'command_text', text: 'vllm serve org/known\n', notes: ['Mind.'] }),
  readCommand: () => ({
    kind: 'command',
    request: {
      model: { id: 'org/known' },
      gpu: { count: 2 },
      engine: { name: 'vllm', version: '0.28.0', args: { 'tensor-parallel-size': 2 } },
      workload: { context: 4096 },
    },
    flags: [
      { flag: '--frob', use: 'unknown', note: '' },
      { flag: '-tp', use: 'used', note: '' },
    ],
    env: [{ name: 'A', use: 'unmodelled', note: 'It moves memory.' }],
    notes: ['A port is mapped.'],
  }),
};

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-questions-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name, content) {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** A flag that takes a number, and a second model. */
function withMore(catalogue) {
  const { engines, models, ...more } = JSON.parse(catalogue);
  engines[0].flags.push({ name: 'max-num-seqs', aliases: [], type: 'integer' });
  return JSON.stringify({ ...more, engines, models: [...models, { ...models[0], id: 'org/two' }] });
}

async function ask(args, { answers = {}, ...options } = {}) {
  const fake = fakeModule(undefined, { ...FITS, ...answers });
  const module = { ...fake, catalogue: () => withMore(fake.catalogue()) };
  const result = await runInside(args, {
    module,
    fetch: () => expect.fail('no network is needed'),
    ...options,
  });
  return { ...result, queries: module.queries, requests: module.requests };
}

describe('scan', () => {
  it('sends the setup and the axes', async () => {
    const { queries, stdout, status } = await ask([
      ...['scan', 'org/known', '--gpu', 'a100:2', '--axis', 'context=1k,4K,32768'],
      ...['--over', 'kv-format=auto,fp8', '--max-num-seqs', '64'],
    ]);
    expect(queries[0]).toEqual([
      'scan',
      {
        request: {
          model: { id: 'org/known' },
          gpu: { id: 'a100', count: 2 },
          engine: { name: 'vllm', args: { 'max-num-seqs': 64 } },
          workload: {},
        },
        axes: [
          { name: 'context', values: [1000, 4096, 32768] },
          { name: 'kv_format', values: ['auto', 'fp8'] },
        ],
      },
    ]);
    expect(queries[1][1]).toMatchObject({ format: 'text', width: 80, answer: FITS.scan() });
    expect(stdout).toBe('text of scan\n');
    expect(status).toBe(0);
  });

  it('leaves axes and values to the core', async () => {
    const bare = await ask(['scan', 'org/known', '--gpu', 'a100']);
    expect(bare.queries[0][1]).not.toHaveProperty('axes');
    const named = await ask(['scan', 'org/known', '--gpu', 'a100', '--axis', 'utilization']);
    expect(named.queries[0][1].axes).toEqual([{ name: 'utilization' }]);
    const share = await ask(['scan', 'org/known', '--axis', 'utilization=.85,0.9']);
    expect(share.queries[0][1].axes[0].values).toEqual([0.85, 0.9]);
  });

  it('ends with 1 when no point serves', async () => {
    const answers = { scan: () => ({ kind: 'scan', cells: [{ serves: false }, { error: {} }] }) };
    expect((await ask(['scan', 'org/known'], { answers })).status).toBe(1);
  });
});

describe('recommend', () => {
  it('sends load, constraints, prices and engines', async () => {
    const prices = await file('prices.csv', 'card,price\nl4, 0.8\nh100,3\n');
    const { queries, status } = await ask([
      ...['recommend', 'org/known', '--prompt', '2k', '--output', '500', '--concurrency', '8'],
      ...['--ttft', '500ms', '--tpot', '0.03s', '--gpus', 'h100, l4', '--vendors', 'nvidia'],
      ...['--min-card', '24GiB', '--max-gpus', '8', '--gpu-counts', '1,2', '--link'],
      ...['--no-pipeline', '--no-tune', '--weights', 'checkpoint,fp8', '--kv', 'auto,fp8'],
      ...[
        '--no-list-prices',
        '--budget',
        '20',
        '--price',
        'h100=2.49',
        '--prices',
        prices,
        '--rank',
        'price',
      ],
      ...['--limit', '5', '--engine', 'vllm@0.28.0', '--engine', 'vllm', '--max-num-seqs', '64'],
    ]);
    const args = { 'max-num-seqs': 64 };
    expect(queries[0]).toEqual([
      'recommend',
      {
        model: { id: 'org/known' },
        engines: [
          { name: 'vllm', version: '0.28.0', args },
          { name: 'vllm', args },
        ],
        workload: { prompt: 2000, output: 500, concurrency: 8, ttft_s: 0.5, tpot_s: 0.03 },
        constraints: {
          gpus: ['h100', 'l4'],
          vendors: ['nvidia'],
          min_card_bytes: 24 * 2 ** 30,
          max_count: 8,
          counts: [1, 2],
          interconnect: 'link',
          pipeline: false,
          tune: false,
          weight_formats: ['checkpoint', 'fp8'],
          kv_formats: ['auto', 'fp8'],
          budget_per_hour: 20,
        },
        prices: { l4: 0.8, h100: 2.49 },
        use_list_prices: false,
        rank_by: 'price',
        limit: 5,
      },
    ]);
    expect(status).toBe(0);
  });

  it('reads prices as JSON, and ends with 1 when nothing is found', async () => {
    const prices = await file('prices.json', '{"l4": 0.8}');
    const answers = { recommend: () => ({ kind: 'recommend', answers: [] }) };
    const { queries, status } = await ask(['recommend', 'org/known', '--prices', prices], {
      answers,
    });
    expect(queries[0][1].prices).toEqual({ l4: 0.8 });
    expect(status).toBe(1);
  });
});

describe('compare', () => {
  const base = ['compare', 'org/known', '--gpu', 'a100', '--max-num-seqs', '64'];

  it('varies one setup', async () => {
    const { queries, status } = await ask([
      ...base,
      ...['--with', '--max-num-seqs 8 --enforce-eager', '--with', "--gpu 'l4:2' --ctx 4K"],
      ...['--with', 'org/two'],
    ]);
    const { setups } = queries[0][1];
    expect(setups.map(({ label }) => label)).toEqual([
      'the base',
      '--max-num-seqs 8 --enforce-eager',
      "--gpu 'l4:2' --ctx 4K",
      'org/two',
    ]);
    expect(setups[0].request).toEqual({
      model: { id: 'org/known' },
      gpu: { id: 'a100' },
      engine: { name: 'vllm', args: { 'max-num-seqs': 64 } },
      workload: {},
    });
    expect(setups[1].request.engine.args).toEqual({ 'max-num-seqs': 8, 'enforce-eager': true });
    expect(setups[2].request).toMatchObject({
      gpu: { id: 'l4', count: 2 },
      workload: { context: 4096 },
      engine: { args: { 'max-num-seqs': 64 } },
    });
    expect(setups[3].request).toMatchObject({ model: { id: 'org/two' }, gpu: { id: 'a100' } });
    expect(status).toBe(0);
  });

  it('takes whole setups', async () => {
    const { queries } = await ask([
      ...['compare', '--setup', 'org/known --gpu a100', '--setup', 'org/two --gpu l4 -tp 2'],
    ]);
    const { setups } = queries[0][1];
    expect(setups[0]).toMatchObject({
      label: 'org/known --gpu a100',
      request: { gpu: { id: 'a100' } },
    });
    expect(setups[1].request).toMatchObject({
      model: { id: 'org/two' },
      engine: { args: { 'tensor-parallel-size': 2 } },
    });
  });

  it('takes requests in files', async () => {
    const request = { model: { id: 'org/known' }, gpu: { id: 'l4' }, engine: { name: 'vllm' } };
    const files = [
      await file('before.json', JSON.stringify(request)),
      await file('after.json', JSON.stringify({ ...request, gpu: { id: 'a100' } })),
    ];
    const { queries } = await ask(['compare', ...files]);
    expect(queries[0][1].setups).toEqual([
      { label: 'before', request },
      { label: 'after', request: { ...request, gpu: { id: 'a100' } } },
    ]);
  });

  it('ends with 1 when none serves', async () => {
    const answers = {
      compare: () => ({ setups: [{ report: { verdict: { serves: false } } }, { report: {} }] }),
    };
    expect((await ask([...base, '--with', '--ctx 8'], { answers })).status).toBe(1);
  });
});

describe('advise and explain', () => {
  it.each(['advise', 'explain'])('%s sends the request itself', async (verb) => {
    const { queries, status } = await ask([verb, 'org/known', '--gpu', 'a100', '--ctx', '8k']);
    expect(queries[0]).toEqual([
      verb,
      {
        model: { id: 'org/known' },
        gpu: { id: 'a100' },
        engine: { name: 'vllm', args: {} },
        workload: { context: 8000 },
      },
    ]);
    expect(status).toBe(0);
    const answers = { [verb]: () => ({ kind: verb, verdict: { serves: false } }) };
    expect((await ask([verb, 'org/known'], { answers })).status).toBe(1);
  });
});

describe('command', () => {
  it('writes the command alone, with its notes beside', async () => {
    const { queries, stdout, stderr, status } = await ask([
      ...['command', 'org/known', '--gpu', 'a100', '--form', 'docker'],
    ]);
    expect(queries[0][0]).toBe('writeCommand');
    expect(queries[0][1]).toMatchObject({ form: 'docker', request: { gpu: { id: 'a100' } } });
    expect(stdout).toBe('vllm serve org/known\n');
    expect(stderr).toBe('note: Mind.\n');
    expect(status).toBe(0);
  });

  it('says why with --explain, and in other forms', async () => {
    const explained = await ask(['command', 'org/known', '--explain']);
    expect(explained.stdout).toBe('text of command_text\n');
    const markdown = await ask(['command', 'org/known', '--format', 'md']);
    expect(markdown.stdout).toBe('markdown of command_text\n');
  });

  it('reads a command from its text, a file and standard input', async () => {
    const text = 'vllm serve org/known --frob';
    const path = await file('serve.sh', text);
    for (const [word, input] of [[text], [path], ['-', text]]) {
      const { queries, stdout } = await ask(
        ['command', '--read', word, '--gpu', 'l4', '--ctx', '2K', '--engine', 'vllm@0.28.0'],
        { input },
      );
      expect(queries[0]).toEqual([
        'readCommand',
        { text, engine: 'vllm', gpu: { id: 'l4' }, workload: { context: 2048 } },
      ]);
      expect(stdout).toBe('text of command\n');
    }
  });
});

describe('fit', () => {
  it('starts from a command, with what is written over it', async () => {
    const { requests, stderr } = await ask([
      ...['fit', '--from-command', 'vllm serve org/known -tp 2 --frob', '--gpu', 'a100:2'],
      ...['--enforce-eager', '--json'],
    ]);
    expect(requests[0]).toEqual({
      model: { id: 'org/known' },
      gpu: { id: 'a100', count: 2 },
      engine: {
        name: 'vllm',
        version: '0.28.0',
        args: { 'tensor-parallel-size': 2, 'enforce-eager': true },
      },
      workload: { context: 4096 },
    });
    expect(stderr).toBe(
      'note: A port is mapped.\nnote: --frob is not known and was left out.\n' +
        'note: A: It moves memory.\n',
    );
  });

  it('tries a command once its model is at hand', async () => {
    const { queries, requests } = await ask(
      ['fit', '--from-command', 'vllm serve org/other', '--gpu', 'a100', '--json'],
      {
        answers: {
          readCommand: ({ model }) => ({
            ...FITS.readCommand(),
            request: {
              model: { id: 'org/other', draft: { id: 'org/two' } },
              engine: { name: 'vllm', args: model ? { tried: true } : {} },
            },
          }),
        },
        fetch: async () => Response.json(CONFIG),
      },
    );
    const model = { id: 'org/other', config: CONFIG, draft: { id: 'org/two' } };
    expect(queries[1][1]).toMatchObject({ model, gpu: { id: 'a100' } });
    expect(requests[0]).toMatchObject({ model, engine: { args: { tried: true } } });
  });

  it('reads the files that a command names', async () => {
    const config = await file('options.yaml', 'max-num-seqs: 8\n');
    const { queries } = await ask([
      ...['fit', '--gpu', 'a100', '--from-command'],
      `vllm serve org/known --config '${config}' --x=missing.yaml`,
    ]);
    expect(queries[0][1].files).toEqual({ [config]: 'max-num-seqs: 8\n' });
  });

  it('drops the flags of the command when another engine is asked about', async () => {
    const { requests } = await ask([
      ...['fit', '--from-command', 'vllm serve org/known', '--engine', 'sglang', '--json'],
    ]);
    expect(requests[0].engine).toEqual({ name: 'sglang', args: {} });
  });

  it('takes another model than the command', async () => {
    const { requests } = await ask([
      ...['fit', 'org/two', '--from-command', 'vllm serve org/known', '--json'],
    ]);
    expect(requests[0].model).toEqual({ id: 'org/two' });
    expect(requests[0].engine.args).toEqual({ 'tensor-parallel-size': 2 });
  });

  it('starts from the terms of a log', async () => {
    const measured = { kv_pool_bytes: 3 };
    const said = { measured, settings: { gpu: { total_bytes: 5 } }, notes: ['of this card'] };
    const answers = { readLog: () => said };
    const log = await file('server.log', 'KV cache: 3 bytes\n');
    const { requests, queries, stderr } = await ask(
      ['fit', 'org/known', '--gpu', 'a100', '--from-log', log, '--json'],
      { answers },
    );
    expect(Buffer.from(queries[0][2]).toString()).toBe('KV cache: 3 bytes\n');
    expect(stderr).toContain('note: of this card');
    expect(requests[0]).toMatchObject({
      model: { id: 'org/known' },
      gpu: { id: 'a100' },
      measured,
    });
  });

  it('prints other forms by the core', async () => {
    const csv = await ask(['fit', 'org/known', '--format', 'csv', '--table', 'memory']);
    expect(csv.queries[0][1]).toMatchObject({ format: 'csv', table: 'memory' });
    expect(csv.queries[0][1]).not.toHaveProperty('width');
    expect(csv.status).toBe(0);
  });
});

describe('log', () => {
  const log = 'INFO started\n';

  it('is read as it is, from a file or standard input', async () => {
    const path = await file('start.log', log);
    for (const [word, input] of [[path], ['-', log]]) {
      const { queries, stdout, status } = await ask(['log', word], { input });
      expect(queries.map(([, query]) => query).slice(0, 2)).toEqual([{}, {}]);
      expect(Buffer.from(queries[0][2]).toString()).toBe(log);
      expect(stdout).toBe('text of log\n');
      expect(status).toBe(0);
    }
  });

  it('is compared with the setup that is written, over what it shows', async () => {
    const settings = { engine: { name: 'vllm', args: { 'enforce-eager': true } } };
    const { queries } = await ask(
      ['log', '-', 'org/known', '--gpu', 'a100', '--max-num-seqs', '8'],
      { input: log, answers: { readLog: () => ({ outcome: 'started', settings }) } },
    );
    const { request } = queries.findLast(([question]) => question === 'readLog')[1];
    expect(request).toMatchObject({ model: { id: 'org/known' }, gpu: { id: 'a100' } });
    expect(request.engine.args).toEqual({ 'enforce-eager': true, 'max-num-seqs': 8 });
  });

  it('takes what is known of the card alone', async () => {
    const { queries } = await ask(['log', '-', '--gpu', 'a100:2'], { input: log });
    expect(queries[1][1]).toEqual({ request: { gpu: { id: 'a100', count: 2 } } });
  });

  const settings = { model: { id: 'org/other' }, engine: { name: 'vllm' } };

  it('is compared with its own setup, with the config of a model that is not built in', async () => {
    const { queries, status } = await ask(['log', '-', '--gpu', 'a100:2'], {
      answers: { readLog: () => ({ outcome: 'oom', settings }) },
      fetch: async () => Response.json(CONFIG),
      input: log,
    });
    const { request } = queries.findLast(([question]) => question === 'readLog')[1];
    expect(request).toMatchObject({
      model: { id: 'org/other', config: CONFIG },
      gpu: { id: 'a100', count: 2 },
    });
    expect(status).toBe(1);
  });

  it('is read without a comparison when the model is out of reach', async () => {
    const { stderr, status } = await ask(['log', '-'], {
      answers: { readLog: () => ({ outcome: 'started', settings }) },
      fetch: async () => new Response('', { status: 404 }),
      input: log,
    });
    expect(stderr).toMatch(/^note: org\/other was not read, so nothing is predicted/);
    expect(status).toBe(0);
  });

  it('of more than 64 MiB is refused with what to do', async () => {
    const chunk = 'x'.repeat(2 ** 20);
    const { stderr, status, queries } = await ask(['log', '-'], { input: Array(65).fill(chunk) });
    expect(stderr).toBe(
      'error: Standard input is larger than 64 MiB; keep its beginning: head -c 64M\n',
    );
    expect(status).toBe(2);
    expect(queries).toEqual([]);
  });
});

describe('export', () => {
  it('prints an answer in another form', async () => {
    const answer = { kind: 'scan', cells: [] };
    const path = await file('scan.json', `${JSON.stringify(answer)}\n`);
    for (const [args, input] of [
      [[path]],
      [[], JSON.stringify(answer)],
      [['-'], '{"kind":"scan"}'],
    ]) {
      const { queries, stdout, status } = await ask(['export', ...args, '--format', 'csv'], {
        input,
      });
      expect(queries[0][1]).toMatchObject({ format: 'csv', answer: { kind: 'scan' } });
      expect(stdout).toBe('csv of scan\n');
      expect(status).toBe(0);
    }
  });

  it('says what the core has against it', async () => {
    const answers = {
      exportAnswer: () =>
        '{"error":{"code":"unknown_table","message":"it has cells.","path":"table"}}',
    };
    const { stderr, status } = await ask(['export', '--format', 'csv', '--table', 'x'], {
      answers,
      input: '{"kind":"scan"}',
    });
    expect(stderr).toBe('error: it has cells. (--table)\n');
    expect(status).toBe(2);
  });
});

describe('the form of what is printed', () => {
  const args = ['explain', 'org/known', '--gpu', 'a100'];

  it('is JSON as the core gave it', async () => {
    for (const more of [['--json'], ['--format', 'json'], ['--format=json']]) {
      const { stdout, queries } = await ask([...args, ...more]);
      expect(stdout).toBe(`${JSON.stringify(FITS.explain())}\n`);
      expect(queries).toHaveLength(1);
    }
  });

  it('has the width of the terminal, within reason', async () => {
    const width = async (options, more = []) =>
      (await ask([...args, ...more], options)).queries[1][1].width;
    expect(await width({})).toBe(80);
    expect(await width({ columns: 60 })).toBe(60);
    expect(await width({ columns: 300 })).toBe(100);
    expect(await width({ columns: 3 })).toBe(40);
    expect(await width({ columns: 60 }, ['--width', '200'])).toBe(200);
  });

  it('is coloured on a terminal alone', async () => {
    const answers = { exportAnswer: () => 'DOES NOT SERVE  org/known\n' };
    const on = await ask(args, { answers, tty: true });
    expect(on.stdout).toBe('\u001b[1;31mDOES NOT SERVE\u001b[0m  org/known\n');
    expect((await ask(args, { answers })).stdout).toBe('DOES NOT SERVE  org/known\n');
  });

  it('of an error is JSON where JSON is wanted', async () => {
    const { stdout, status } = await ask(['scan', '--format', 'json']);
    expect(JSON.parse(stdout).error).toMatchObject({ code: 'usage', path: '' });
    expect(status).toBe(2);
    const both = await ask(['scan', 'org/known', '--json', '--format', 'csv']);
    expect(JSON.parse(both.stdout).error.message).toContain('contradict');
    const answers = {
      explain: () => ({ error: { code: 'unknown_gpu', message: 'no card', path: 'gpu.id' } }),
    };
    expect((await ask(args, { answers })).stderr).toBe('error: no card (--gpu)\n');
    const json = await ask([...args, '--json'], { answers });
    expect(json).toMatchObject({ status: 2, stderr: '' });
    expect(JSON.parse(json.stdout).error.code).toBe('unknown_gpu');
  });
});

describe('mistakes in the command line', () => {
  it.each([
    [['scan'], 'name a model'],
    [['scan', 'org/known', '--axis', '=1'], '--axis takes a name'],
    [['scan', 'org/known', '--axis', 'context=1,,2'], 'values between commas'],
    [['scan', 'org/known', '--format', 'pdf'], '--format takes text, csv, markdown, json'],
    [['scan', 'org/known', '--table', 'x'], '--table chooses a table of --format csv'],
    [['scan', 'org/known', '--width', '10'], '--width takes 40 to 1000'],
    [['recommend'], 'name a model'],
    [['recommend', 'org/known', 'org/two'], 'one model at a time'],
    [['recommend', 'org/known', '--ttft', '500'], '--ttft takes a time such as 500ms'],
    [['recommend', 'org/known', '--budget', 'much'], '--budget takes a number'],
    [['recommend', 'org/known', '--gpus', 'a,,b'], '--gpus takes names between commas'],
    [['recommend', 'org/known', '--price', 'h100'], '--price takes a card'],
    [['recommend', 'org/known', '--prices', '/nowhere/prices'], 'no such file'],
    [['recommend', 'org/known', '--max-card', 'big'], '--max-card takes a size'],
    [['compare'], 'name two setups or more'],
    [['compare', 'org/known'], 'name two setups or more'],
    [['compare', '--setup', "org/known 'x"], 'is not closed'],
    [['compare', 'a.json', 'b.json'], 'one model at a time'],
    [['command', 'org/known', '--form', 'nomad'], '--form takes shell, docker'],
    [['command', '--read', './missing.yaml'], 'no such file'],
    [['command', 'org/known', '--read', 'vllm serve x'], 'what is "org/known"?'],
    [['log'], 'name the log first'],
    [['log', '--gpu', 'a100'], 'name the log first'],
    [['log', '/nowhere/log'], 'no such file'],
    [['log', '-'], 'is empty'],
    [['export'], 'this is no answer'],
    [['export', '/nowhere/answer.json'], 'no such file'],
    [['fit', '--from-command', 'a b', '--from-log', '-'], 'start from one of them'],
  ])('%j', async (args, words) => {
    const { status, stdout, stderr } = await ask(args);
    expect(stderr).toContain(words);
    expect(stderr).toMatch(/^error: /);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it.each([
    ['prices.txt', 'h100,2\nl4,cheap\n', 'a line is a card and its price'],
    ['bad.json', '{"h100"', 'is not JSON'],
    ['text.json', '{"h100":"2"}', 'must be a number'],
  ])('prices in %s', async (name, content, words) => {
    const path = await file(name, content);
    const { status, stderr } = await ask(['recommend', 'org/known', '--prices', path]);
    expect(unbroken(stderr)).toContain(words);
    expect(status).toBe(2);
  });

  it('requests in files that are none', async () => {
    const good = await file('good.json', '{"model":{"id":"a/b"},"engine":{"name":"vllm"}}');
    for (const [content, words] of [
      ['{', 'is not JSON'],
      ['{"hidden_size":1}', 'is no request'],
    ]) {
      const { stderr, status } = await ask(['compare', good, await file('other.json', content)]);
      expect(stderr).toContain(words);
      expect(status).toBe(2);
    }
  });
});

describe('help', () => {
  const verbs = [
    'fit',
    'scan',
    'simulate',
    'recommend',
    'compare',
    'advise',
    'explain',
    'command',
    'log',
  ];

  it.each([...verbs, 'export'])('of %s has examples and the exit status', async (verb) => {
    for (const args of [
      [verb, '--help'],
      ['help', verb],
    ]) {
      const { status, stdout, stderr } = await ask(args);
      expect(status).toBe(0);
      expect(stderr).toBe('');
      expect(stdout).toContain(`ridgepoint ${verb} `);
      expect(stdout).toContain('Exit status');
    }
  });

  it('names every verb', async () => {
    const { stdout } = await ask(['--help']);
    for (const verb of [...verbs, 'export', 'batch', 'gpus', 'models', 'devices']) {
      expect(stdout).toMatch(new RegExp(`^  ${verb}\\b`, 'm'));
    }
  });
});

describe('words as a shell splits them', () => {
  it.each([
    ['a  b\tc\nd', ['a', 'b', 'c', 'd']],
    [`'a b' "c \\"d" e\\ f ''`, ['a b', 'c "d', 'e f', '']],
    ['a \\\n  b', ['a', 'b']],
    [`--x='{"a": 1}'`, ['--x={"a": 1}']],
    ['', []],
  ])('%j', (text, words) => {
    expect(shellWords(text)).toEqual(words);
  });
});
