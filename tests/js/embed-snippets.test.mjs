import { load } from 'ridgepoint';
import { readFlags } from 'ridgepoint/flags';
import { describe, expect, it } from 'vitest';
import {
  attributesOf,
  badgeCommand,
  badgeMarkdown,
  elementSnippet,
  iframeSnippet,
  linkHtml,
  NO_ADDRESS,
  siteOf,
} from '../../web/src/rooms/embed/snippets.ts';
import { example } from '../../web/src/state.ts';
import { cardOf, cardText, engineOf, inputsOf } from '../../web/src/widget/setup.ts';

// The lines of the embed dialog, and what the element makes of them.

const LOOK = { view: 'bar', theme: 'auto', lang: '', readonly: false, link: false };
const SITE = 'https://docs.example.org/ridgepoint/';
const catalogue = (await load()).catalogue();

/** What an attribute's text means to a browser. */
const unescaped = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
const written = (html) =>
  Object.fromEntries(
    [...html.matchAll(/ {2}([\w-]+)="([^"]*)"/g)].map(([, name, text]) => [name, unescaped(text)]),
  );

describe('the element', () => {
  const inputs = {
    ...example,
    gpu: 'h100-sxm-80gb',
    count: '2',
    args: {
      vllm: {
        'kv-cache-dtype': 'fp8',
        'enforce-eager': 'true',
        'enable-prefix-caching': 'false',
        'compilation-config': '{"cudagraph_mode": "NONE"}',
        'served-model-name': `it's "mine" & <yours>`,
      },
    },
  };

  it('means the setup that it was written for', () => {
    const html = elementSnippet(attributesOf(inputs, LOOK, SITE), false, null, SITE);
    const setup = {
      model: '',
      gpu: '',
      engine: '',
      ctx: '',
      prompt: '',
      output: '',
      concurrency: '',
      flags: '',
      config: null,
    };
    const read = inputsOf({ ...setup, ...written(html) }, catalogue);
    expect(read.problem).toBeUndefined();
    const { vllm } = read.inputs.args;
    const compilation = {
      'compilation-config': JSON.parse(inputs.args.vllm['compilation-config']),
    };
    expect({ ...vllm, 'compilation-config': JSON.parse(vllm['compilation-config']) }).toEqual({
      ...inputs.args.vllm,
      ...compilation,
    });
    expect({ ...read.inputs, args: {} }).toEqual({ ...inputs, args: {} });
  });

  it('leaves out what is usual, and says what is chosen', () => {
    expect(attributesOf(example, LOOK, SITE)).toEqual({
      model: 'meta-llama/Meta-Llama-3-8B',
      gpu: 'a100-sxm-80gb',
      engine: 'vllm@0.28.0',
      ctx: '8192',
      prompt: '2048',
      output: '256',
      concurrency: '16',
      view: 'bar',
    });
    const look = { view: 'full', theme: 'dark', lang: 'ru', readonly: true, link: true };
    expect(attributesOf({ ...example, version: '', concurrency: '' }, look, SITE)).toMatchObject({
      engine: 'vllm',
      view: 'full',
      theme: 'dark',
      lang: 'ru',
      site: SITE,
    });
  });

  it('keeps a config from ending its script', () => {
    const config = { name: '</script><script>alert(1)</script>', sizes: [1, 2] };
    const html = elementSnippet({ model: 'mine' }, false, config, SITE);
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    const text = /\.config = (.*);\n<\/script>$/.exec(html)?.[1] ?? '';
    expect(JSON.parse(text)).toEqual(config);
  });
});

describe('the frame', () => {
  it('has its setup in the address, and no more rights than it needs', () => {
    const html = iframeSnippet(
      { model: 'org/a&b', gpu: 'l4:2', flags: '--a "b"' },
      { ...LOOK, readonly: true },
      SITE,
      '"A"',
    );
    const { src, title, sandbox } = written(html);
    const { origin, pathname, searchParams } = new URL(src);
    expect(origin + pathname).toBe(`${SITE}embed.html`);
    expect(Object.fromEntries(searchParams)).toEqual({
      model: 'org/a&b',
      gpu: 'l4:2',
      flags: '--a "b"',
      readonly: '',
    });
    expect(title).toBe('"A"');
    expect(sandbox).toBe('allow-scripts');
    expect(iframeSnippet({}, { ...LOOK, link: true }, SITE, '')).toContain('allow-popups');
  });
});

describe('the rest', () => {
  it('a badge by the command line, and in Markdown', () => {
    expect(badgeCommand('ridgepoint fit org/name --gpu l4:1')).toBe(
      'npx ridgepoint badge org/name --gpu l4:1 --out ridgepoint.svg',
    );
    expect(badgeMarkdown('[a] b', 'https://x/#y')).toBe(
      '[![\\[a\\] b](ridgepoint.svg)](https://x/#y)',
    );
    expect(linkHtml('a < b', 'https://x/?a&b')).toBe('<a href="https://x/?a&amp;b">a &lt; b</a>');
  });

  it('the address of the page, where it has one', () => {
    expect(siteOf('https://docs.example.org/ridgepoint/#v=2')).toBe(SITE);
    expect(siteOf('https://docs.example.org/ridgepoint/index.html?x#y')).toBe(SITE);
    expect(siteOf('file:///C:/ridgepoint.html')).toBe(NO_ADDRESS);
  });
});

describe('attributes', () => {
  it.each([
    ['h100:2', { id: 'h100', count: '2' }],
    ['h100', { id: 'h100', count: '' }],
    [' h100 : 4 ', { id: 'h100', count: '4' }],
    ['', { id: '', count: '' }],
  ])('a card: %j', (text, card) => {
    expect(cardOf(text)).toEqual(card);
    expect(cardOf(cardText(card.id, card.count))).toEqual(card);
  });

  it.each([
    ['vllm@0.28.0', { name: 'vllm', version: '0.28.0' }],
    ['SGLang', { name: 'sglang', version: '' }],
    ['', { name: 'vllm', version: '' }],
  ])('an engine: %j', (text, engine) => {
    expect(engineOf(text)).toEqual(engine);
  });

  it('flags in the engine’s own spellings', () => {
    const flags = catalogue.engines.find(({ name }) => name === 'vllm')?.flags ?? [];
    expect(readFlags('-tp 2 --kv_cache_dtype=fp8 --no-enable-prefix-caching', flags)).toEqual({
      'tensor-parallel-size': 2,
      'kv-cache-dtype': 'fp8',
      'enable-prefix-caching': false,
    });
    expect(() => readFlags('fp8', flags)).toThrow('what is "fp8"');
    expect(() => readFlags('--kv-cache-dtype', flags)).toThrow('needs a value');
    expect(() => readFlags(`--a 'b`, flags)).toThrow('not closed');
  });
});
