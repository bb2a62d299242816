import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { evaluateText, version } from 'ridgepoint';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BIN, runProgram, unbroken } from './support/run.mjs';
import { startServer } from './support/server.mjs';

// The program as people run it: its own process, the compiled core, real files and pipes.

const CONFIG_FILE = fileURLToPath(
  new URL('../fixtures/configs/meta-llama--Meta-Llama-3-8B.json', import.meta.url),
);
const CONFIG = await readFile(CONFIG_FILE, 'utf8');
const CARD = ['--gpu', 'a100-sxm-80gb:1', '--engine', 'vllm@0.28.0', '--ctx', '8192'];
const SHORT = ['--gpu', 'a100-sxm-80gb', '--engine', 'vllm@0.28.0'];
const SMALL = ['--gpu', 't4:1', '--engine', 'vllm@0.28.0', '--ctx', '8192'];
const fit = (model, args, options) => runProgram(['fit', model, ...args], options);

// A process of its own takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-command-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('fit', () => {
  it('ends with 0 when it serves, and says so first', async () => {
    const { status, stdout, stderr } = await fit(CONFIG_FILE, CARD);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^SERVES {2}/);
    expect(stdout).toMatch(/weights +14\.9\d/);
    expect(stdout).not.toMatch(/NaN|undefined|\[object/);
    expect(stdout).not.toContain('\u001b');
    expect(status).toBe(0);
  });

  it('ends with 1 when it does not', async () => {
    const { status, stdout } = await fit(CONFIG_FILE, SMALL);
    expect(stdout).toMatch(/^DOES NOT SERVE {2}/);
    expect(status).toBe(1);
  });

  it('ends with 2 for bad input, with the words of the core', async () => {
    const { status, stdout, stderr } = await fit(CONFIG_FILE, [...CARD, '--max-modle-len', '1']);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^error: .*max-modle-len/);
    expect(status).toBe(2);
  });

  it('prints the report exactly as the core gave it', async () => {
    const flags = ['--max-num-seqs', '64', '--enforce-eager', '--json'];
    const { status, stdout } = await fit(CONFIG_FILE, [...CARD, ...flags]);
    const text = await evaluateText(
      JSON.stringify({
        model: { config: JSON.parse(CONFIG) },
        gpu: { id: 'a100-sxm-80gb', count: 1 },
        engine: {
          name: 'vllm',
          version: '0.28.0',
          args: { 'max-num-seqs': 64, 'enforce-eager': true },
        },
        workload: { context: 8192 },
      }),
    );
    expect(stdout).toBe(`${text}\n`);
    expect(status).toBe(0);
  });

  it('takes the flags of the engine in every spelling', async () => {
    const spellings = [
      ['--max-model-len', '4096', '--kv-cache-dtype', 'fp8'],
      ['--max-model-len=4096', '--kv-cache-dtype=fp8'],
      ['--max_model_len', '4K', '--kv_cache_dtype', 'fp8'],
    ];
    const outputs = await Promise.all(
      spellings.map((flags) => fit(CONFIG_FILE, [...SHORT, ...flags, '--json'])),
    );
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(JSON.parse(outputs[0].stdout).verdict.serves).toBe(true);
  });

  it('reads a config from standard input', async () => {
    const piped = await fit('-', [...CARD, '--json'], { input: CONFIG });
    const read = await fit(CONFIG_FILE, [...CARD, '--json']);
    expect(piped).toEqual(read);
  });

  it('reads a folder with a checkpoint', async () => {
    await writeFile(join(folder, 'config.json'), CONFIG);
    expect((await fit(folder, CARD)).status).toBe(0);
    const empty = await fit(join(folder, '..', 'ridgepoint-nowhere'), CARD);
    expect(empty.stderr).toContain('no such file');
    expect(empty.status).toBe(2);
  });

  it('needs no network for a built-in model', async () => {
    const env = { HF_ENDPOINT: 'http://127.0.0.1:1' };
    expect((await fit('meta-llama/Meta-Llama-3-8B', CARD, { env })).status).toBe(0);
    const fetched = await fit('meta-llama/Meta-Llama-3-8B', [...CARD, '--fetch'], { env });
    expect(fetched.stderr).toMatch(/cannot be reached|failed/);
    expect(fetched.status).toBe(2);
  });

  it('reads any other model from the hub and never prints the token', async () => {
    const { origin, seen, close } = await startServer((request, response) => {
      if (request.headers.authorization !== 'Bearer hf_secret') response.writeHead(401).end();
      else if (request.url === '/org/other/resolve/main/config.json') response.end(CONFIG);
      else response.writeHead(404).end();
    });
    try {
      const token = join(folder, 'token');
      await writeFile(token, 'hf_secret\n');
      const hub = [...CARD, '--hub', origin];
      const byFile = await fit('org/other', [...hub, '--token-file', token]);
      const byVariable = await fit('org/other', hub, { env: { HF_TOKEN: 'hf_secret' } });
      const refused = await fit('org/other', hub, { env: { HF_TOKEN: 'hf_wrong' } });
      expect([byFile.status, byVariable.status, refused.status]).toEqual([0, 0, 2]);
      expect(byFile.stdout).toContain('org/other');
      expect(unbroken(refused.stderr)).toMatch(/gated.*--token-file/);
      for (const { stdout, stderr } of [byFile, byVariable, refused]) {
        expect(stdout + stderr).not.toMatch(/hf_(secret|wrong)/);
      }
      expect(seen.some(({ url }) => url.endsWith('/hf_quant_config.json'))).toBe(true);
    } finally {
      await close();
    }
  });
});

describe('batch', () => {
  const request = (id, gpu) =>
    JSON.stringify({
      id,
      model: { config: JSON.parse(CONFIG) },
      gpu: { id: gpu },
      engine: { name: 'vllm', version: '0.28.0' },
      workload: { context: 8192 },
    });

  it('answers line by line and goes on after a broken one', async () => {
    const input = [request('a', 'a100-sxm-80gb'), '{broken', '', request('b', 't4')].join('\n');
    const { status, stdout, stderr } = await runProgram(['batch'], { input });
    const answers = stdout.trimEnd().split('\n').map(JSON.parse);
    expect(stderr).toBe('');
    expect(answers).toHaveLength(3);
    expect(answers[0]).toMatchObject({ id: 'a', verdict: { serves: true } });
    expect(answers[1]).toMatchObject({ error: { code: expect.any(String) } });
    expect(answers[2]).toMatchObject({ id: 'b', verdict: { serves: false } });
    expect(status).toBe(2);
  });

  it('reads a file', async () => {
    const file = join(folder, 'requests.jsonl');
    await writeFile(file, `${request('a', 'a100-sxm-80gb')}\n${request('b', 't4')}\n`);
    const { status, stdout } = await runProgram(['batch', file]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(status).toBe(1);
  });

  it('ends quietly when its reader leaves', async () => {
    const file = join(folder, 'many.jsonl');
    await writeFile(file, `${request('a', 'a100-sxm-80gb')}\n`.repeat(3000));
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', [
      '-c',
      `"${process.execPath}" "${BIN}" batch "${file}" | head -n 1`,
    ]);
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toBe('');
  });
});

describe('the rest', () => {
  it('prints its version', async () => {
    expect(await runProgram(['--version'])).toEqual({
      status: 0,
      stdout: `${await version()}\n`,
      stderr: '',
    });
  });

  it('lists cards and models', async () => {
    expect((await runProgram(['gpus', 'h100'])).stdout).toMatch(/h100/);
    expect((await runProgram(['models', 'llama-3'])).stdout).toMatch(/meta-llama/);
  });

  it('ends with 2 where no card can be found', async () => {
    const { status, stderr } = await runProgram(['devices'], { env: { PATH: '/nowhere' } });
    expect(stderr).toContain('nvidia-smi was not found');
    expect(status).toBe(2);
  });
});
