import { describe, expect, it } from 'vitest';
import { fakeModule, fakeReport } from './support/fake-core.mjs';
import { runInside, unbroken } from './support/run.mjs';

const CONFIG = { hidden_size: 4096, quantization_config: { quant_method: 'fp8' } };
const noNetwork = () => expect.fail('no network is needed');

describe('the request that fit sends', () => {
  async function request(line, options = {}) {
    const module = fakeModule();
    const { status, stderr } = await runInside(['fit', ...line.split(' ')], {
      module,
      fetch: noNetwork,
      ...options,
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    return module.requests[0];
  }

  it('of a model that is built in', async () => {
    expect(
      await request('ORG/Known --gpu a100-sxm-80gb:2 --engine vllm@0.28.0 --ctx 8k -tp 2 --json'),
    ).toEqual({
      model: { id: 'org/known' },
      gpu: { id: 'a100-sxm-80gb', count: 2 },
      engine: { name: 'vllm', version: '0.28.0', args: { 'tensor-parallel-size': 2 } },
      workload: { context: 8000 },
    });
  });

  it('with everything optional left out', async () => {
    expect(await request('org/known --gpu a100')).toEqual({
      model: { id: 'org/known' },
      gpu: { id: 'a100' },
      engine: { name: 'vllm', args: {} },
      workload: {},
    });
  });

  it('with engine flags before the model and between the options', async () => {
    const { model, engine, workload } = await request(
      '--enforce-eager --max-model-len 4096 org/known --prompt 10 --output=20 --kv-cache-dtype fp8 --concurrency 3 --gpu a100',
    );
    expect(model).toEqual({ id: 'org/known' });
    expect(workload).toEqual({ prompt: 10, output: 20, concurrency: 3 });
    expect(engine.args).toEqual({
      'enforce-eager': true,
      'max-model-len': 4096,
      'kv-cache-dtype': 'fp8',
    });
  });

  it('of a card that is described by its size', async () => {
    const { gpu } = await request('org/known --gpu :2 --gpu-total 24GiB --gpu-free 20GiB');
    expect(gpu).toEqual({ count: 2, total_bytes: 24 * 2 ** 30, free_bytes: 20 * 2 ** 30 });
  });

  it('of a config on standard input', async () => {
    const { model } = await request('- --gpu a100', { input: JSON.stringify(CONFIG) });
    expect(model).toEqual({ config: CONFIG });
  });

  it.each([
    ['another id', 'org/other', 'https://huggingface.co/org/other/resolve/main/config.json'],
    [
      'a built-in id with --fetch',
      'org/known --fetch',
      'https://huggingface.co/org/known/resolve/main/config.json',
    ],
    [
      'a built-in id of another revision',
      'org/known@v2',
      'https://huggingface.co/org/known/resolve/v2/config.json',
    ],
    [
      'a mirror',
      'org/other --hub https://mirror.test/hf --revision v3',
      'https://mirror.test/hf/org/other/resolve/v3/config.json',
    ],
  ])('of %s reads the hub', async (_what, line, url) => {
    const asked = [];
    const fetch = async (address, { headers }) => {
      asked.push([address, headers?.authorization]);
      return Response.json(CONFIG);
    };
    const { model } = await request(`${line} --gpu a100`, { fetch, env: { HF_TOKEN: 'hf_x\n' } });
    expect(model.config).toEqual(CONFIG);
    expect(asked).toEqual([[url, 'Bearer hf_x']]);
  });

  it('takes the mirror that HF_ENDPOINT names', async () => {
    const asked = [];
    const fetch = async (address) => {
      asked.push(address);
      return Response.json(CONFIG);
    };
    await request('org/other --gpu a100', { fetch, env: { HF_ENDPOINT: 'https://mirror.test' } });
    expect(asked[0]).toContain('https://mirror.test/org/other/');
  });
});

describe('what fit prints', () => {
  const run = (args, answer, options) =>
    runInside(['fit', 'org/known', '--gpu', 'a100-sxm-80gb', '--ctx', '8192', ...args], {
      module: fakeModule(answer),
      ...options,
    });

  it('the verdict first, then the numbers', async () => {
    const { stdout, status } = await run([]);
    expect(status).toBe(0);
    expect(stdout).toMatchSnapshot();
  });

  it('the working with --explain', async () => {
    const { stdout } = await run(['--explain']);
    expect(stdout).toContain('How each term comes about');
    expect(stdout).toContain('util x total - weights - activation');
    expect(stdout).toContain('0.9 x 80 - 16 - 1.5');
    expect(stdout).toContain('source: the engine, gpu_worker.py');
  });

  it('a shortfall, with status 1', async () => {
    const verdict = {
      serves: false,
      limit: 'kv_pool',
      text: 'One request does not fit.',
      needed_bytes: 2 * 2 ** 30,
      available_bytes: 2 ** 30,
    };
    const { stdout, status } = await run([], () => fakeReport({ verdict }));
    expect(status).toBe(1);
    expect(stdout).toMatch(/^DOES NOT SERVE {2}org\/known/);
    expect(stdout).not.toContain('tokens/s');
    expect(stdout).toContain('needed 2.00 GiB, available 1.00 GiB, short by 1.00 GiB');
  });

  it('fields that are null or unknown do not stop it', async () => {
    const report = fakeReport({ surprise: { a: 1 } });
    report.memory.per_gpu.requested = null;
    report.memory.per_gpu.cuda_graphs = null;
    report.memory.per_gpu.cuda_graphs_charged = null;
    report.capacity.max_concurrency = null;
    report.speed = null;
    const { stdout, status } = await run([], () => report);
    expect(status).toBe(0);
    expect(stdout).not.toMatch(/NaN|undefined|null/);
  });

  it('the report untouched with --json', async () => {
    const { stdout } = await run(['--json']);
    expect(stdout).toBe(`${JSON.stringify(fakeReport())}\n`);
  });

  it('an error of the core on standard error, or as JSON', async () => {
    const answer = () => ({
      error: { code: 'unknown_flag', message: 'no flag "x"', path: 'engine.args.x' },
    });
    const plain = await run(['--x'], answer);
    expect(plain).toEqual({
      status: 2,
      stdout: '',
      stderr: 'error: no flag "x" (engine.args.x)\n',
    });
    const json = await run(['--x', '--json'], answer);
    expect(json).toMatchObject({ status: 2, stdout: `${JSON.stringify(answer())}\n`, stderr: '' });
  });

  it('colours only on a terminal that wants them', async () => {
    const colour = '\u001b[';
    expect((await run([], undefined, { tty: true })).stdout).toContain(colour);
    expect((await run([], undefined, { tty: false })).stdout).not.toContain(colour);
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) {
      expect((await run([], undefined, { tty: true, env })).stdout).not.toContain(colour);
    }
  });

  it('no control characters from a config', async () => {
    const report = fakeReport({ assumptions: ['a\u001b]0;title\u0007b'] });
    const { stdout } = await run([], () => report);
    expect(stdout).toContain('a ]0;title b');
  });

  it('what the hub had to say, and how to give a token', async () => {
    const gated = async () => new Response('', { status: 401 });
    const module = fakeModule();
    const args = ['fit', 'org/other', '--gpu', 'a100'];
    const refused = await runInside(args, { module, fetch: gated });
    expect(refused.status).toBe(2);
    expect(unbroken(refused.stderr)).toMatch(/^error: .*gated.*HF_TOKEN or --token-file/);

    const json = await runInside([...args, '--json'], { module, fetch: gated });
    expect(JSON.parse(json.stdout).error.code).toBe('gated');

    const partly = async (url) =>
      url.endsWith('/config.json') ? Response.json({}) : new Response('', { status: 500 });
    const noted = await runInside(args, { module, fetch: partly });
    expect(noted.status).toBe(0);
    expect(noted.stderr).toMatch(/^note: hf_quant_config.json was not read/);
  });
});

describe('mistakes in the command line', () => {
  it.each([
    [['fit', '--gpu', 'a100'], 'name a model'],
    [['fit', 'org/known', 'org/two', '--gpu', 'a100'], 'one model at a time'],
    [['fit', 'org/known', '--gpu', 'a100:x'], '--gpu id:count'],
    [['fit', 'org/known', '--ctx', 'long'], '--ctx takes a whole number'],
    [['fit', 'org/known', '--gpu-total', 'big'], '--gpu-total takes a size'],
    [['fit', 'org/known', '--max-model-len'], '--max-model-len needs a value'],
    [['fit', './missing.json'], 'no such file'],
    [['fit', 'no model/at/all'], 'no such file'],
    [['fit', '{"a":1}'], 'pipe it in'],
    [['fit', 'org/other', '--hub', 'nonsense'], 'hub address'],
    [['fit', 'org/other', '--token-file', '/nowhere/token'], 'cannot read /nowhere/token'],
    [['fit', 'org/known', '--gpu'], 'argument missing'],
    [['fit', '-', '--gpu', 'a100'], 'empty'],
    [['batch', '/nowhere/requests.jsonl'], 'no such file'],
    [['batch', 'a', 'b'], 'too many arguments'],
    [['gpus', '--colour'], 'unknown option'],
    [['frobnicate'], 'unknown command'],
    [['--frobnicate'], 'unknown option'],
  ])('%j', async (args, words) => {
    const { status, stdout, stderr } = await runInside(args, { module: fakeModule() });
    expect(stderr).toContain(words);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });

  it('no command at all shows the help', async () => {
    const { status, stderr } = await runInside([], { module: fakeModule() });
    expect(status).toBe(2);
    expect(stderr).toContain('Usage: ridgepoint');
  });

  it.each([[['--help']], [['-h']], [['fit', '--help']], [['fit', '-h']], [['help', 'fit']]])(
    'help is no mistake: %j',
    async (args) => {
      const { status, stdout } = await runInside(args, { module: fakeModule() });
      expect(status).toBe(0);
      expect(stdout).toContain('Usage: ridgepoint');
      expect(stdout).toContain('Exit status');
    },
  );
});

describe('gpus and models', () => {
  const run = (...args) => runInside(args, { module: fakeModule() });

  it('list, filter and mark what is not measured', async () => {
    expect((await run('gpus')).stdout).toMatchSnapshot();
    expect((await run('gpus', 'RTX', '12gb')).stdout).toMatch(/rtx-3080-12gb +11.88~/);
    expect((await run('models')).stdout).toMatch(/org\/known +8.03 B/);
  });

  it('list as JSON', async () => {
    const { stdout } = await run('gpus', 'a100', '--json');
    expect(JSON.parse(stdout).map(({ id }) => id)).toEqual(['a100-sxm-80gb']);
    expect(JSON.parse((await run('models', 'nothing', '--json')).stdout)).toEqual([]);
  });

  it('say so when nothing matches', async () => {
    expect(await run('gpus', 'nothing')).toEqual({
      status: 0,
      stdout: '',
      stderr: 'nothing matches\n',
    });
  });
});
