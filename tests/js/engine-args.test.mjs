import { describe, expect, it } from 'vitest';
import { readEngineArgs } from '../../wasm/lib/cli/engine-args.mjs';
import { optionBytes, readInteger } from '../../wasm/lib/cli/numbers.mjs';
import { FLAGS } from './support/fake-core.mjs';

const read = (line) => readEngineArgs(line.split(' '), FLAGS);

describe('engine flags', () => {
  it.each([
    ['m --max-model-len 8192', { 'max-model-len': 8192 }],
    ['m --max-model-len=8192', { 'max-model-len': 8192 }],
    ['m --max_model_len 8k', { 'max-model-len': 8000 }],
    ['m --max-model-len 8K', { 'max-model-len': 8192 }],
    ['m --max-model-len -1', { 'max-model-len': -1 }],
    ['m --max-model-len auto', { 'max-model-len': 'auto' }],
    ['--max-model-len 8192 m', { 'max-model-len': 8192 }],
    ['m --gpu-memory-utilization .9', { 'gpu-memory-utilization': 0.9 }],
    ['m --enforce-eager', { 'enforce-eager': true }],
    ['--enforce-eager m', { 'enforce-eager': true }],
    ['m --enforce-eager=false', { 'enforce-eager': false }],
    ['m --enforce-eager True', { 'enforce-eager': true }],
    ['m --no-enforce-eager', { 'enforce-eager': false }],
    ['m --no-enable-prefix-caching', { 'enable-prefix-caching': false }],
    ['m --no_enable_prefix_caching', { 'enable-prefix-caching': false }],
    ['m --no-mmap', { 'no-mmap': true }],
    ['m -tp 2', { 'tensor-parallel-size': 2 }],
    ['m -tp=2', { 'tensor-parallel-size': 2 }],
    ['m --tp 2', { 'tensor-parallel-size': 2 }],
    ['m -O3', { 'optimization-level': 3 }],
    ['m -O 3', { 'optimization-level': 3 }],
    ['m --kv-cache-dtype fp8', { 'kv-cache-dtype': 'fp8' }],
    ['m --kv-cache-dtype=', { 'kv-cache-dtype': '' }],
    ['m --max-model-len 1 --max-model-len 2', { 'max-model-len': 2 }],
    ['m --compilation-config {"mode":3}', { 'compilation-config': { mode: 3 } }],
    ['m --compilation-config broken{', { 'compilation-config': 'broken{' }],
    ['m -cc.cudagraph_mode NONE', { 'compilation-config': { cudagraph_mode: 'NONE' } }],
    [
      'm -cc.pass_config.fuse=true --compilation-config.mode 3',
      { 'compilation-config': { pass_config: { fuse: true }, mode: 3 } },
    ],
    ['m --cudagraph-capture-sizes 1 2 4', { 'cudagraph-capture-sizes': [1, 2, 4] }],
    ['m --unheard-of', { 'unheard-of': true }],
    ['m --unheard-of 5 --enforce-eager', { 'unheard-of': '5', 'enforce-eager': true }],
    ['m --unheard_of=x', { 'unheard-of': 'x' }],
    ['m --max-model-len.x 5', { 'max-model-len.x': '5' }],
  ])('%s', (line, args) => {
    expect(read(line)).toEqual({ words: ['m'], args });
  });

  it('needs a value where the flag takes one', () => {
    expect(() => read('m --max-model-len')).toThrow('--max-model-len needs a value');
    expect(() => read('m --max-model-len --enforce-eager')).toThrow('needs a value');
  });

  it('keeps every bare word that no flag takes', () => {
    expect(read('m --enforce-eager n').words).toEqual(['m', 'n']);
  });

  it('gives names of object prototypes no special meaning', () => {
    const { args } = read('m --__proto__ 5 -cc.__proto__.polluted 1');
    expect(Object.keys(args)).toContain('--proto--');
    expect({}.polluted).toBeUndefined();
  });
});

describe('numbers', () => {
  it.each([
    ['8192', 8192],
    ['+5', 5],
    ['1k', 1000],
    ['1K', 1024],
    ['25.6k', 25600],
    ['2m', 2e6],
    ['2M', 2097152],
    ['1g', 1e9],
    ['1G', 2 ** 30],
    ['1.5K', undefined],
    ['', undefined],
    ['1e3', undefined],
    ['1.5', undefined],
    ['0x10', undefined],
    ['99999999999999999999', undefined],
  ])('%j is %s', (text, value) => {
    expect(readInteger(text)).toBe(value);
  });

  it.each([
    ['100', 100],
    ['80GiB', 80 * 2 ** 30],
    ['79.2gib', Math.round(79.2 * 2 ** 30)],
    ['81920MiB', 80 * 2 ** 30],
    ['80 GB', 80e9],
  ])('the size %s', (text, value) => {
    expect(optionBytes('--gpu-total', text)).toBe(value);
  });

  it.each(['', 'GiB', '-1', '80 apples', 'constructor', '5constructor'])('no size %j', (text) => {
    expect(() => optionBytes('--gpu-total', text)).toThrow('--gpu-total');
  });
});
