import { evaluateText } from 'ridgepoint';
import { classify, HubError, parseConfig, resolveUrl } from 'ridgepoint/hub';
import { describe, expect, it } from 'vitest';

describe('classify', () => {
  it.each([
    ['meta-llama/Meta-Llama-3-8B', { id: 'meta-llama/Meta-Llama-3-8B' }],
    ['  org/name\n', { id: 'org/name' }],
    ['gpt2', { id: 'gpt2' }],
    ['org/name@main', { id: 'org/name' }],
    ['org/name@v1.0', { id: 'org/name', revision: 'v1.0' }],
    ['org/name@refs/pr/3', { id: 'org/name', revision: 'refs/pr/3' }],
    ['https://huggingface.co/org/name', { id: 'org/name' }],
    ['https://huggingface.co/org/name/', { id: 'org/name' }],
    ['huggingface.co/org/name', { id: 'org/name' }],
    ['hf.co/org/name', { id: 'org/name' }],
    ['https://www.huggingface.co/org/name?library=transformers#x', { id: 'org/name' }],
    ['https://huggingface.co/gpt2', { id: 'gpt2' }],
    ['https://huggingface.co/gpt2/tree/main', { id: 'gpt2' }],
    ['https://huggingface.co/api/models/org/name', { id: 'org/name' }],
    ['https://huggingface.co/org/name/blob/main/config.json', { id: 'org/name' }],
    ['https://huggingface.co/org/name/resolve/main/config.json', { id: 'org/name' }],
    ['https://huggingface.co/org/name/raw/v2/config.json', { id: 'org/name', revision: 'v2' }],
    ['https://huggingface.co/org/name/tree/main', { id: 'org/name' }],
    ['https://huggingface.co/org/name/tree/abc123', { id: 'org/name', revision: 'abc123' }],
    [
      'https://huggingface.co/org/name/tree/refs%2Fpr%2F1',
      { id: 'org/name', revision: 'refs/pr/1' },
    ],
    ['https://huggingface.co/org/name/tree/refs/pr/1', { id: 'org/name', revision: 'refs/pr/1' }],
    ['https://huggingface.co/org/name/tree/main/sub', { id: 'org/name', path: 'sub/config.json' }],
    [
      'https://huggingface.co/org/name/blob/main/sub/config.json',
      { id: 'org/name', path: 'sub/config.json' },
    ],
    ['https://huggingface.co/org/name/blob/main/README.md', { id: 'org/name' }],
    ['https://huggingface.co/org/name/discussions/4', { id: 'org/name' }],
  ])('takes %s for an id', (input, expected) => {
    expect(classify(input)).toEqual({ kind: 'id', ...expected });
  });

  it.each([
    'https://example.com/models/config.json',
    'http://127.0.0.1:8000/config.json',
    'https://huggingface.co/datasets/org/name',
    'https://huggingface.co/',
    'https://huggingface.co/org/..%2f..%2fsecret',
  ])('takes %s for an address', (input) => {
    expect(classify(input).kind).toBe('url');
  });

  it.each([
    '{"hidden_size": 1}',
    '{\n "a": "https://huggingface.co/org/name"\n}',
    'vllm serve org/name --max-model-len 8192',
    'a/b/c',
    '../x',
    'org/..',
    './config.json',
    'ftp://example.com/x',
    'https://',
    '',
  ])('takes %j for text', (input) => {
    expect(classify(input).kind).toBe('text');
  });

  it('reads the pages of a mirror, also of one in a folder', () => {
    const page = 'https://mirror.test/hf/org/name/tree/v2';
    expect(classify(page, { hub: 'https://mirror.test/hf' })).toEqual({
      kind: 'id',
      id: 'org/name',
      revision: 'v2',
    });
    expect(classify('https://mirror.test/other/x', { hub: 'https://mirror.test/hf' }).kind).toBe(
      'url',
    );
    expect(classify(page).kind).toBe('url');
  });
});

describe('resolveUrl', () => {
  it('builds the address of a file', () => {
    expect(resolveUrl('org/name')).toBe('https://huggingface.co/org/name/resolve/main/config.json');
    expect(resolveUrl('gpt2', { hub: 'http://127.0.0.1:9/base/', revision: 'refs/pr/1' })).toBe(
      'http://127.0.0.1:9/base/gpt2/resolve/refs%2Fpr%2F1/config.json',
    );
  });

  it.each(['ftp://x', 'huggingface.co', ''])('refuses the hub %j', (hub) => {
    expect(() => resolveUrl('org/name', { hub })).toThrow(HubError);
  });
});

describe('parseConfig', () => {
  it('takes what Python writes for numbers that JSON lacks', () => {
    expect(
      parseConfig(
        '\uFEFF{"time_step_limit": [0.0, Infinity], "a": -Infinity, "b": NaN, "c": "NaN"}',
      ),
    ).toEqual({ time_step_limit: [0, null], a: null, b: null, c: 'NaN' });
  });

  it('reads a text as the core reads one', async () => {
    const odd = '{"id": "a", "model": {"config": {"a": [Infinity, -Infinity, NaN, "Infinity"]}}}';
    const plain = JSON.stringify(parseConfig(odd));
    expect(await evaluateText(odd)).toBe(await evaluateText(plain));
    expect(JSON.parse(plain).model.config.a).toEqual([null, null, null, 'Infinity']);
  });

  it.each(['{"a": 1, // one\n"b": 2}', '{/* none */"a": 1}'])(
    'refuses the comment in %j in the words of the core',
    async (text) => {
      const { error } = JSON.parse(await evaluateText(text));
      expect(error.message).toContain('comment');
      expect(() => parseConfig(text)).toThrow(error.message);
      expect(() => parseConfig(text, 'a.json')).toThrow(/^a\.json has a comment/);
    },
  );

  it.each(['{"url": "https://a.b/c", "x": }', '{"url": "https://a.b', '{"a\\"//": 1,}'])(
    'takes what is in a string for no comment: %j',
    (text) => {
      expect(() => parseConfig(text)).toThrow('not valid JSON');
    },
  );

  it.each([
    ['', 'empty'],
    ['<!doctype html><title>Sign in</title>', 'web page'],
    ['version https://git-lfs.github.com/spec/v1', 'git lfs pull'],
    ['{"a": 1', 'not valid JSON'],
    ['[1]', 'not an object'],
    ['"text"', 'not an object'],
    ['hello there', 'org/name'],
  ])('says what is wrong with %j', (text, words) => {
    expect(() => parseConfig(text)).toThrow(words);
  });
});
