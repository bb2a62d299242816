import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { match } from '../../wasm/lib/cli/devices.mjs';
import { CATALOGUE, fakeModule } from './support/fake-core.mjs';
import { runInside, unbroken } from './support/run.mjs';

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-devices-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Run `devices` on a machine whose nvidia-smi is the given shell script. */
async function devices(script, ...args) {
  const file = join(folder, 'nvidia-smi');
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return runInside(['devices', ...args], { module: fakeModule(), env: { PATH: folder } });
}

describe('devices', () => {
  it('groups equal cards and prints the option to use', async () => {
    const { status, stdout } = await devices(
      'echo "NVIDIA A100-SXM4-80GB, 81920, 81200"; echo "NVIDIA A100-SXM4-80GB, 81920, 81100"',
    );
    expect(status).toBe(0);
    expect(stdout).toContain('2 x NVIDIA A100-SXM4-80GB');
    expect(stdout).toMatch(/--gpu a100-sxm-80gb:2\n$/);
  });

  it('says what is free on a card in use', async () => {
    const { stdout } = await devices('echo "NVIDIA A100-SXM4-80GB, 81920, 40960"');
    expect(stdout).toMatch(/--gpu a100-sxm-80gb:1 --gpu-free 40960MiB\n$/);
  });

  it('describes a card that is not in the catalogue by its size', async () => {
    const { stdout } = await devices('echo "NVIDIA Z900, 32768, 32768"', '--json');
    expect(JSON.parse(stdout)).toEqual([
      {
        id: null,
        name: 'NVIDIA Z900',
        count: 1,
        total_mib: 32768,
        free_mib: 32768,
        options: '--gpu :1 --gpu-total 32768MiB',
      },
    ]);
  });

  it('has no size to give for a card that reports none', async () => {
    const { stdout } = await devices('echo "NVIDIA Z900, [N/A], [N/A]"');
    expect(stdout).toContain('size not reported');
    expect(stdout).toContain('give its size with --gpu-total');
  });

  it('checks that nvidia-smi was asked the right question', async () => {
    const { stderr } = await devices('echo "$@" >&2; exit 9');
    expect(unbroken(stderr)).toContain(
      '--query-gpu=name,memory.total,memory.free --format=csv,noheader,nounits',
    );
  });

  it.each([
    ['fails', 'echo "NVIDIA-SMI has failed: no driver"; exit 9', 'no driver'],
    ['lists nothing', 'echo', 'lists no card'],
    ['finds none', 'echo "No devices were found"', 'lists no card'],
  ])('ends with status 2 when nvidia-smi %s', async (_what, script, words) => {
    const { status, stderr } = await devices(script);
    expect(stderr).toContain(words);
    expect(status).toBe(2);
  });

  it('ends with status 2 when there is no nvidia-smi', async () => {
    const { status, stderr } = await runInside(['devices'], {
      module: fakeModule(),
      env: { PATH: '/nowhere' },
    });
    expect(stderr).toContain('nvidia-smi was not found');
    expect(status).toBe(2);
  });
});

describe('match', () => {
  it.each([
    ['NVIDIA GeForce RTX 3080', 10240, 'rtx-3080-10gb'],
    ['NVIDIA GeForce RTX 3080', 12288, 'rtx-3080-12gb'],
    ['NVIDIA GeForce RTX 3080', 20480, undefined],
    ['A100-SXM4-80GB', 81920, 'a100-sxm-80gb'],
    ['NVIDIA A100', 0, 'a100-sxm-80gb'],
    ['NVIDIA A1000', 8192, undefined],
  ])('%s of %i MiB is %s', (name, total_mib, id) => {
    expect(match({ name, total_mib, free_mib: 0 }, CATALOGUE.gpus)?.id).toBe(id);
  });
});
