import { describe, expect, test } from 'vitest';
import { fromHash, LONGEST_PACKED, pack, placeToHash, toHash } from '../../web/src/hash.ts';
import { example } from '../../web/src/state.ts';

// Links are for ever: one of each version is kept here and must still open.

const config = '{"architectures": ["LlamaForCausalLM"], "hidden_size": 4096}';
const full = {
  ...example,
  model: 'org/other',
  gpu: 'h100-sxm-80gb',
  count: '2',
  engine: 'sglang',
  version: '0.5.10',
  context: '32K',
  quant: '{"quant_method":"fp8"}',
  args: { sglang: { 'mem-fraction-static': '0.8' } },
  env: { NCCL_CUMEM_ENABLE: '0' },
  measured: { weights_bytes: '16060522496' },
};

describe('a link of version 1', () => {
  test('with an id and flags', async () => {
    const link =
      '#v=1&m=Qwen/Qwen3-8B&g=h100-sxm-80gb&n=2&free=&gt=&gb=&gf=&e=vllm&ev=0.28.0&c=4096&p=1024&o=128&u=8&f.kv-cache-dtype=fp8';
    expect(await fromHash(link)).toEqual({
      sides: [
        {
          ...example,
          model: 'Qwen/Qwen3-8B',
          gpu: 'h100-sxm-80gb',
          count: '2',
          context: '4096',
          prompt: '1024',
          output: '128',
          concurrency: '8',
          args: { vllm: { 'kv-cache-dtype': 'fp8' } },
        },
        null,
      ],
      active: 0,
      room: 'answer',
    });
  });

  test('with a config as it was', async () => {
    const link = `#v=1&g=l4&use=config&cfg=${encodeURIComponent(config)}&cn=mine.json`;
    const [inputs] = (await fromHash(link)).sides;
    expect(inputs).toMatchObject({ use: 'config', config, configName: 'mine.json', gpu: 'l4' });
  });
});

describe('a link of version 2', () => {
  test('as it was written once', async () => {
    const link =
      '#v=2&m=org/other&g=l4&n=1&e=vllm&ev=&c=8192&p=2048&o=256&u=16&x.VLLM_USE_V1=1&k.weights_bytes=16060522496&b=v%3D2%26m%3Dorg%252Fother%26g%3Dt4%26n%3D1%26e%3Dvllm%26ev%3D%26c%3D8192%26p%3D2048%26o%3D256%26u%3D16&at=b&t=compare';
    const { sides, active, room } = await fromHash(link);
    expect(sides[0]).toMatchObject({
      model: 'org/other',
      gpu: 'l4',
      version: '',
      env: { VLLM_USE_V1: '1' },
      measured: { weights_bytes: '16060522496' },
    });
    expect(sides[1]).toMatchObject({ model: 'org/other', gpu: 't4' });
    expect([active, room]).toEqual([1, 'compare']);
  });

  test('gives back all that it was made of', async () => {
    const place = {
      sides: [full, { ...full, use: 'config', config, configName: 'mine.json', gpu: 'l4' }],
      active: 1,
      room: 'compare',
      load: 'u:rag/r:2.5/tn:my%2Ftrace',
    };
    const back = await fromHash(await placeToHash(place));
    // A config comes back in one line.
    expect(JSON.parse(back.sides[1].config)).toEqual(JSON.parse(config));
    back.sides[1].config = config;
    expect(back).toEqual(place);
  });

  test('holds a large config in a fraction of its size', async () => {
    const layers = Array.from({ length: 61 }, (_, at) => `model.layers.${at}.mlp.gate`);
    const long = JSON.stringify({ ...JSON.parse(config), modules_to_not_convert: layers });
    expect((await pack(long)).length).toBeLessThan(long.length / 3);
    const endless = JSON.stringify({
      noise: Array.from({ length: 40_000 }, (_, at) => (at * 7919) % 104_729),
    });
    expect((await pack(endless)).length).toBeGreaterThan(LONGEST_PACKED);
    const place = {
      sides: [{ ...example, use: 'config', config: endless }, null],
      active: 0,
      room: 'answer',
    };
    expect((await placeToHash(place)).length).toBeLessThan(2000);
  });
});

test('what is no link of ours is none, and a broken one opens without its config', async () => {
  expect(await fromHash('')).toBeNull();
  expect(await fromHash('#section')).toBeNull();
  const [inputs] = (await fromHash('#v=2&use=config&cz=***')).sides;
  expect(inputs.config).toBe('');
  const later = await fromHash('#v=9&m=org/x&t=nowhere&at=b');
  expect(later).toMatchObject({ room: 'answer', active: 0 });
});

test('what a view of the load is set to stays readable', async () => {
  const place = { sides: [example, null], active: 0, room: 'load', load: 'u:rag/r:2.5' };
  expect(await placeToHash(place)).toMatch(/&t=load&l=u:rag\/r:2\.5$/);
});

test('ids stay readable', () => {
  expect(toHash(full)).toContain('m=org/other');
});
