import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate, fit, load, readCheckpoint } from 'ridgepoint';
import { HubError } from 'ridgepoint/hub';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SMALL_LLAMA_BYTES, safetensors, smallLlama } from './support/checkpoint-files.mjs';
import { runInside, runProgram } from './support/run.mjs';
import { startServer } from './support/server.mjs';

// Against the compiled core, local servers and real files.

vi.setConfig({ testTimeout: 60_000 });

const DATA = 50_000_000;
const CARD = { gpu: { id: 'a100-sxm-80gb' }, engine: { name: 'vllm', version: '0.28.0' } };
const CONFIG = {
  architectures: ['LlamaForCausalLM'],
  hidden_size: 256,
  intermediate_size: 512,
  num_hidden_layers: 2,
  num_attention_heads: 8,
  num_key_value_heads: 2,
  vocab_size: 1000,
  max_position_embeddings: 4096,
  torch_dtype: 'bfloat16',
};

const failure = (promise) =>
  promise.then(
    () => expect.fail('it should have failed'),
    (error) => error,
  );

const undo = [];
afterEach(async () => {
  await Promise.all(undo.splice(0).map((step) => step()));
});

/**
 * A server of files by path. `ranges` serves parts of them; without it the whole file comes, with
 * endless zeros after what is given, as weights would.
 */
async function serve(files, { ranges = true } = {}) {
  const sent = { bytes: 0, cancelled: 0 };
  const server = await startServer((request, response) => {
    const file = files[new URL(request.url, 'http://x').pathname];
    if (file === undefined) {
      response.writeHead(404, { 'x-error-code': 'EntryNotFound' }).end();
      return;
    }
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (ranges && from !== undefined) {
      const whole = typeof file === 'string' ? Buffer.from(file) : file;
      if (Number(from) >= whole.length) {
        response.writeHead(416).end();
        return;
      }
      const part = whole.subarray(Number(from), Number(to) + 1);
      sent.bytes += part.length;
      const range = `bytes ${from}-${Number(from) + part.length - 1}/${whole.length}`;
      response.writeHead(206, { 'content-range': range }).end(part);
      return;
    }
    if (ranges || typeof file === 'string') {
      response.end(file);
      return;
    }
    response.on('close', () => {
      if (!response.writableFinished) sent.cancelled += 1;
    });
    response.write(file);
    const more = () => {
      while (!response.destroyed && sent.bytes < DATA) {
        sent.bytes += 65_536;
        if (!response.write(Buffer.alloc(65_536))) {
          response.once('drain', more);
          return;
        }
      }
      response.end();
    };
    more();
  });
  undo.push(server.close);
  return { ...server, sent };
}

async function folderWith(files) {
  const folder = await mkdtemp(join(tmpdir(), 'ridgepoint-checkpoint-'));
  undo.push(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

describe('a header on the network', () => {
  const large = smallLlama(60_000);

  it('is read by ranges, and nothing else is', async () => {
    const file = Buffer.concat([large, Buffer.alloc(5_000_000)]);
    const { origin, seen, sent } = await serve({ '/m.gguf': file });
    const { tensors, from, notes } = await readCheckpoint(`${origin}/m.gguf`);
    expect(from).toBe(`${origin}/m.gguf`);
    expect(notes).toEqual([]);
    expect(tensors.gguf.metadata['llama.block_count']).toBe(1);
    expect(tensors.gguf.metadata['tokenizer.ggml.tokens']).toEqual({ array_length: 60_000 });
    expect(JSON.stringify(tensors)).not.toContain('token 5');
    const asked = seen.map(({ headers }) => headers.range);
    expect(asked[0]).toBe('bytes=0-262143');
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThan(6);
    expect(large.length).toBeGreaterThan(262_144);
    expect(sent.bytes).toBeLessThan(2 * large.length + 1);
    const report = await fit({ model: { tensors }, ...CARD });
    expect(report.model).toMatchObject({
      weights_source: 'gguf',
      checkpoint_bytes: SMALL_LLAMA_BYTES,
      stored_parameters: SMALL_LLAMA_BYTES / 4,
      layers: 1,
    });
  });

  it('of a server without ranges is read from the front, and the rest is cancelled', async () => {
    const { origin, sent } = await serve({ '/m.gguf': large }, { ranges: false });
    const { tensors } = await readCheckpoint(`${origin}/m.gguf`);
    expect(tensors.gguf.tensors).toHaveLength(2);
    await expect.poll(() => sent.cancelled).toBe(1);
    // What the system's buffers took, and far from all.
    expect(sent.bytes).toBeLessThan(DATA / 2);
  });

  it('of a .safetensors file', async () => {
    const { origin } = await serve({ '/a.safetensors': safetensors({ a: 100, b: 50 }) });
    const { tensors } = await readCheckpoint(new URL(`${origin}/a.safetensors`));
    expect(tensors.headers).toHaveLength(1);
    const report = await fit({ model: { config: CONFIG, tensors }, ...CARD });
    expect(report.model).toMatchObject({
      weights_source: 'safetensors headers',
      checkpoint_bytes: 300,
      stored_parameters: 150,
    });
  });

  it('of a split GGUF comes from all its parts', async () => {
    const part = (no, tensors) => smallLlama(2, { 'split.no': no, 'split.count': 2, ...tensors });
    const { origin, seen } = await serve({
      '/q/m-00001-of-00002.gguf': part(0),
      '/q/m-00002-of-00002.gguf': part(1),
    });
    const { tensors, from } = await readCheckpoint(`${origin}/q/m-00002-of-00002.gguf`);
    expect(tensors.gguf.map(({ metadata }) => metadata['split.no'])).toEqual([0, 1]);
    expect(from).toContain('and 1 more');
    expect(seen).toHaveLength(2);
  });

  it.each([
    ['cut off', smallLlama().subarray(0, 200), 'truncated', /ends inside its header/],
    ['empty', Buffer.alloc(0), 'truncated', /ends inside its header/],
    ['damaged', Buffer.alloc(400, 1), 'bad_header', /no safetensors/],
    [
      'a PyTorch file',
      Buffer.from(`PK\u0003\u0004${'x'.repeat(90)}`),
      'not_a_checkpoint',
      /PyTorch/,
    ],
  ])('that is %s is an error that names the file', async (_what, content, code, words) => {
    for (const ranges of [true, false]) {
      const text = ranges ? content : content.toString('latin1');
      const { origin } = await serve({ '/m.gguf': ranges ? content : text }, { ranges });
      const error = await failure(readCheckpoint(`${origin}/m.gguf`));
      expect(error).toBeInstanceOf(HubError);
      expect(error.code).toBe(code);
      expect(error.message).toMatch(words);
      expect(error.message).toContain(`${origin}/m.gguf`);
    }
  });

  it('that is not there, is late or is no longer wanted', async () => {
    const { origin } = await serve({});
    expect(await failure(readCheckpoint(`${origin}/m.gguf`))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
    const silent = await startServer(() => {});
    undo.push(silent.close);
    const late = await failure(readCheckpoint(`${silent.origin}/m.gguf`, { timeoutMs: 50 }));
    expect(late.code).toBe('timeout');
    const control = new AbortController();
    const waiting = readCheckpoint(`${silent.origin}/m.gguf`, { signal: control.signal });
    control.abort(new Error('no longer'));
    expect((await failure(waiting)).message).toBe('no longer');
  });
});

describe('a repository of the hub', () => {
  const at = (file, id = 'org/name', revision = 'main') => `/${id}/resolve/${revision}/${file}`;
  const INDEX = 'model.safetensors.index.json';
  const index = (metadata, files = ['a.safetensors', 'b.safetensors', 'a.safetensors']) =>
    JSON.stringify({
      metadata,
      weight_map: Object.fromEntries(files.map((file, each) => [`tensor ${each}`, file])),
    });

  it('tells the size by its index', async () => {
    const { origin: hub, seen } = await serve({ [at(INDEX)]: index({ total_size: 12345 }) });
    const { tensors, from } = await readCheckpoint('org/name', { hub, token: 'hf_secret' });
    expect(tensors).toEqual({ metadata: { total_size: 12345 }, weight_map: {} });
    expect(from).toBe(hub + at(INDEX));
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer hf_secret']);
    const report = await fit({ model: { config: CONFIG, tensors }, ...CARD });
    expect(report.model).toMatchObject({
      weights_source: 'safetensors index',
      checkpoint_bytes: 12345,
    });
  });

  it.each([{ total_size: 0 }, {}, undefined])(
    'whose index has the metadata %j tells it by its headers',
    async (metadata) => {
      const { origin: hub } = await serve({
        [at(INDEX)]: index(metadata),
        [at('a.safetensors')]: safetensors({ a: 100 }),
        [at('b.safetensors')]: safetensors({ b: 50 }),
      });
      const { tensors, notes } = await readCheckpoint('org/name', { hub });
      expect(notes).toEqual([]);
      expect(tensors.headers).toHaveLength(2);
      const report = await fit({ model: { config: CONFIG, tensors }, ...CARD });
      expect(report.model.checkpoint_bytes).toBe(300);
    },
  );

  it('whose index and files both tell nothing is sized by its config, and that is said', async () => {
    const { origin: hub } = await serve({ [at(INDEX)]: index({ total_size: 0 }) });
    const { tensors, notes } = await readCheckpoint('org/name', { hub });
    expect(notes).toEqual([expect.stringContaining('were not read')]);
    const report = await fit({ model: { config: CONFIG, tensors }, ...CARD });
    expect(report.model.weights_source).toBe('config');
    expect(report.model.notes.join()).toContain('total_size of 0');
  });

  it('takes no file out of its folder that an index names', async () => {
    const { origin: hub, seen } = await serve({
      [at(INDEX)]: index({ total_size: 0 }, ['../../../secret.safetensors']),
    });
    await readCheckpoint('org/name', { hub });
    expect(seen).toHaveLength(1);
  });

  it('without an index tells it by the header of its one file', async () => {
    const { origin: hub } = await serve({ [at('model.safetensors')]: safetensors({ a: 7 }) });
    const { tensors } = await readCheckpoint('org/name', { hub });
    expect(tensors.headers[0].a.shape).toEqual([7]);
  });

  it('with neither is an error that says how to name a GGUF', async () => {
    const { origin: hub } = await serve({});
    const error = await failure(readCheckpoint('org/name', { hub }));
    expect(error).toMatchObject({ code: 'not_found', status: 404 });
    expect(error.message).toContain('org/name:file.gguf');
  });

  it('has its GGUF files read by name, by page and by address', async () => {
    const files = {
      [at('q/m.gguf')]: smallLlama(),
      [at('m.gguf', 'org/name', 'v2')]: smallLlama(),
    };
    const { origin: hub, seen } = await serve(files);
    for (const source of [
      'org/name:q/m.gguf',
      `${hub}/org/name/blob/main/q/m.gguf`,
      `${hub}/org/name/resolve/main/q/m.gguf`,
      'org/name@v2:m.gguf',
    ]) {
      const { tensors } = await readCheckpoint(source, { hub });
      expect(tensors.gguf.tensors, source).toHaveLength(2);
    }
    expect(seen).toHaveLength(4);
  });

  it('does not see the token when it is another host', async () => {
    const { origin, seen } = await serve({ '/m.gguf': smallLlama() });
    await readCheckpoint(`${origin}/m.gguf`, { token: 'hf_secret' });
    expect(seen[0].headers.authorization).toBeUndefined();
  });
});

describe('a file of a browser', () => {
  it('is read by slices of its front', async () => {
    const header = smallLlama(60_000);
    const blob = new Blob([header, new Uint8Array(3_000_000)]);
    const read = [];
    const file = {
      name: 'm.gguf',
      slice: (from, to) => {
        read.push(to - from);
        return blob.slice(from, to);
      },
      text: () => expect.fail('the whole file must not be read'),
      arrayBuffer: () => expect.fail('the whole file must not be read'),
    };
    const { tensors, from } = await readCheckpoint(file);
    expect(from).toBe('m.gguf');
    expect(tensors.gguf.tensors).toHaveLength(2);
    expect(read.reduce((a, b) => a + b)).toBeLessThan(2 * header.length);
  });

  it('may be an index, and several are one checkpoint', async () => {
    const index = new File(['{"metadata":{"total_size":5},"weight_map":{}}'], 'x.index.json');
    expect((await readCheckpoint(index)).tensors.metadata.total_size).toBe(5);
    const shards = [{ a: 1 }, { b: 2 }].map((each) => new Blob([safetensors(each)]));
    expect((await readCheckpoint(shards)).tensors.headers).toHaveLength(2);
    const mixed = [new Blob([safetensors({ a: 1 })]), new Blob([smallLlama()])];
    expect((await failure(readCheckpoint(mixed))).code).toBe('not_a_checkpoint');
  });

  it('that is no index is not taken for one', async () => {
    const config = new File([JSON.stringify(CONFIG)], 'config.json');
    expect((await failure(readCheckpoint(config))).message).toContain('no weight_map');
  });
});

describe('a path', () => {
  it('of a file, and of a folder with an index, one file or one GGUF', async () => {
    const folder = await folderWith({ 'm.gguf': smallLlama(60_000) });
    expect((await readCheckpoint(join(folder, 'm.gguf'))).tensors.gguf.tensors).toHaveLength(2);
    expect((await readCheckpoint(folder)).tensors.gguf.tensors).toHaveLength(2);
    await writeFile(join(folder, 'model.safetensors'), safetensors({ a: 3 }));
    expect((await readCheckpoint(folder)).tensors.headers).toHaveLength(1);
    await writeFile(join(folder, 'model.safetensors.index.json'), '{"metadata":{"total_size":9}}');
    expect((await readCheckpoint(folder)).tensors.metadata.total_size).toBe(9);
  });

  it('of a folder without weights, or with several models, says so', async () => {
    const empty = await folderWith({});
    expect((await failure(readCheckpoint(empty))).message).toContain('neither');
    const several = await folderWith({ 'a.gguf': smallLlama(), 'b.gguf': smallLlama() });
    expect((await failure(readCheckpoint(several))).message).toContain('a.gguf, b.gguf');
  });

  it('that is nothing says what to give', async () => {
    expect((await failure(readCheckpoint('./no/such file'))).code).toBe('not_found');
  });
});

describe('the loaded core', () => {
  it('answers at once from bytes', async () => {
    const core = await load();
    const bytes = new Uint8Array(smallLlama());
    expect(core.readCheckpointHeader(bytes.subarray(0, 10)).need_bytes).toBeGreaterThan(10);
    expect(core.readCheckpointHeader(bytes)).toHaveProperty('gguf');
    expect(core.readCheckpointHeader(new Uint8Array(99)).error.code).toBe('bad_header');
    expect(core.readCheckpointHeader(new Uint8Array(0))).toEqual({ need_bytes: 9 });
  });

  it('gives errors at their place in the request', async () => {
    const answer = await evaluate({ model: { tensors: { frob: 1 } }, ...CARD });
    expect(answer.error.path).toBe('model.tensors');
  });
});

describe('the command', () => {
  const OPTIONS = ['--gpu', 'a100-sxm-80gb', '--engine', 'vllm@0.28.0', '--ctx', '1024'];
  const index = (total_size) => JSON.stringify({ metadata: { total_size }, weight_map: {} });
  const run = async (...args) => {
    const { status, stdout, stderr } = await runProgram(['fit', ...args, ...OPTIONS]);
    return { status, stdout, stderr, model: stdout.startsWith('{') && JSON.parse(stdout).model };
  };

  it('takes a GGUF as the model, and says what told its size', async () => {
    const folder = await folderWith({ 'm.gguf': smallLlama() });
    const { status, stdout, stderr } = await run(join(folder, 'm.gguf'));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout).toContain('checkpoint 1,001.0 KiB (gguf)');
    expect(stdout).toContain('GGUF header (2 tensors');
  });

  it('takes a GGUF by its address', async () => {
    const { origin } = await serve({ '/m.gguf': smallLlama() });
    const { model } = await run(`${origin}/m.gguf`, '--json');
    expect(model.weights_source).toBe('gguf');
  });

  it('takes --weights beside a config', async () => {
    const folder = await folderWith({
      'config.json': JSON.stringify(CONFIG),
      'w.index.json': index(2_000_000),
      'm.gguf': smallLlama(),
      's.safetensors': safetensors({ a: 1_000_000 }),
    });
    const config = join(folder, 'config.json');
    const cases = [
      ['w.index.json', 'safetensors index', 2_000_000],
      ['s.safetensors', 'safetensors headers', 2_000_000],
      ['m.gguf', 'gguf', SMALL_LLAMA_BYTES],
    ];
    for (const [file, weights_source, checkpoint_bytes] of cases) {
      const { model } = await run(config, '--weights', join(folder, file), '--json');
      expect(model).toMatchObject({ weights_source, checkpoint_bytes, layers: 2 });
    }
    const { model, stdout } = await run(config);
    expect(model).toBe(false);
    expect(stdout).toContain('(config)');
  });

  it('finds the config beside an index, and the index in a folder', async () => {
    const folder = await folderWith({
      'config.json': JSON.stringify(CONFIG),
      'model.safetensors.index.json': index(3_000_000),
    });
    for (const input of [folder, join(folder, 'model.safetensors.index.json')]) {
      const { model } = await run(input, '--json');
      expect(model).toMatchObject({
        weights_source: 'safetensors index',
        checkpoint_bytes: 3_000_000,
      });
    }
    await writeFile(join(folder, 'model.safetensors.index.json'), '{ broken');
    const { status, stderr, model } = await run(folder, '--json');
    expect(status).toBe(0);
    expect(stderr).toMatch(/^note: .*not valid JSON.*The config alone was used/);
    expect(model.weights_source).toBe('config');
    await rm(join(folder, 'config.json'));
    const alone = await run(join(folder, 'model.safetensors.index.json'));
    expect(alone.status).toBe(2);
    expect(alone.stderr).toContain('no config.json lies beside');
  });

  it('ends with 2 for weights that cannot be read', async () => {
    const folder = await folderWith({
      'config.json': JSON.stringify(CONFIG),
      'm.gguf': smallLlama().subarray(0, 100),
    });
    await mkdir(join(folder, 'empty'));
    const config = join(folder, 'config.json');
    const cut = await run(config, '--weights', join(folder, 'm.gguf'));
    expect(cut).toMatchObject({ status: 2, stdout: '' });
    expect(cut.stderr).toMatch(/^error: .*m\.gguf ends inside its header/);
    const none = await run(config, '--weights', join(folder, 'empty'));
    expect(none).toMatchObject({ status: 2, stdout: '' });
  });

  it('reads --weights of the hub with its own options', async () => {
    const core = await load();
    const asked = [];
    const requests = [];
    const module = {
      evaluate: (text) => {
        requests.push(JSON.parse(text));
        return core.evaluateText(text);
      },
      catalogue: () => JSON.stringify(core.catalogue()),
      version: () => '0',
      readCheckpointHeader: (bytes) => JSON.stringify(core.readCheckpointHeader(bytes)),
    };
    const fetch = async (url, { headers }) => {
      asked.push([String(url), headers?.authorization]);
      return new Response(index(5_000_000));
    };
    const args = ['meta-llama/Meta-Llama-3-8B', '--weights', 'org/w', '--hub', 'https://hub.test'];
    const { status } = await runInside(['fit', ...args, ...OPTIONS], {
      module,
      fetch,
      env: { HF_TOKEN: 'hf_x' },
    });
    expect(status).toBe(0);
    expect(asked).toEqual([
      ['https://hub.test/org/w/resolve/main/model.safetensors.index.json', 'Bearer hf_x'],
    ]);
    expect(requests[0].model).toEqual({
      id: 'meta-llama/Meta-Llama-3-8B',
      tensors: { metadata: { total_size: 5_000_000 }, weight_map: {} },
    });
  });
});
