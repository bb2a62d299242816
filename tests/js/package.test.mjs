import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// The package as it would be published: packed, installed in an empty folder, used from there.

const run = promisify(execFile);
const SOURCE = fileURLToPath(new URL('../../wasm', import.meta.url));

// A process of its own takes its time on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let folder;
/** @type {string[]} */
let files;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-package-'));
  const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
    cwd: SOURCE,
  });
  const text = packed.stdout.slice(packed.stdout.search(/^[[{]/m));
  const answer = JSON.parse(text);
  const [entry] = Array.isArray(answer) ? answer : Object.values(answer);
  files = entry.files.map(({ path }) => path);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', entry.filename], {
    cwd: folder,
  });
}, 120_000);
afterAll(() => rm(folder, { recursive: true }));

describe('the packed package', () => {
  it('holds what is needed and nothing of the build', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'README.md',
        'bin/ridgepoint.mjs',
        'browser.mjs',
        'dist/ridgepoint.mjs',
        'dist/ridgepoint.wasm',
        'hub.d.ts',
        'lib/hub.mjs',
        'node.mjs',
        'ridgepoint.d.ts',
      ]),
    );
    expect(files.filter((file) => /CMake|\.cpp$|^src\/|test/.test(file))).toEqual([]);
  });

  it('is imported by its name', async () => {
    const script = `
      import { fit, version } from 'ridgepoint';
      import { classify } from 'ridgepoint/hub';
      const report = await fit({
        model: { id: 'meta-llama/Meta-Llama-3-8B' },
        gpu: { id: 'a100-sxm-80gb' },
        engine: { name: 'vllm', version: '0.28.0' },
        workload: { context: 8192 },
      });
      console.log(await version(), report.verdict.serves, classify('org/name').kind);
    `;
    await writeFile(join(folder, 'use.mjs'), script);
    const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder });
    expect(stdout).toBe('0.1.0 true id\n');
  });

  it('brings the command', async () => {
    const bin = join(folder, 'node_modules', '.bin', 'ridgepoint');
    expect((await run(bin, ['--version'])).stdout).toBe('0.1.0\n');
    const { stdout } = await run(bin, [
      'fit',
      'meta-llama/Meta-Llama-3-8B',
      '--gpu',
      'a100-sxm-80gb',
    ]);
    expect(stdout).toMatch(/^SERVES/);
  });
});
