import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  answered,
  banner,
  figure,
  launch,
  opened,
  shownReport,
  site,
  unfold,
  WAIT,
} from './browser';
import { fixture } from './hub';

// Models of every kind on the page: what they are made of, and what they cache.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});
beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

async function open(hash: string, config: string): Promise<void> {
  await opened(page, home.url + hash);
  await unfold(page);
  await page.fill('#config', config);
  await answered(page);
  await unfold(page);
}

const answer = () => page.locator('main').innerText();
const rows = (selector: string) =>
  page
    .locator(`${selector} tr`)
    .evaluateAll((all) =>
      all.map((row) => [...row.children].map((cell) => (cell as HTMLElement).innerText.trim())),
    );

const UNKNOWN = JSON.stringify({
  architectures: ['UnheardOfForCausalLM'],
  model_type: 'unheard_of',
  hidden_size: 4096,
  intermediate_size: 11008,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 32000,
  max_position_embeddings: 8192,
  rms_norm_eps: 1e-5,
  torch_dtype: 'bfloat16',
});

test('the parts of a mixture of experts add up, the further tokens stand apart', async () => {
  await open('#v=1&g=h200&n=8&f.tensor-parallel-size=8', fixture('deepseek-ai--DeepSeek-V3'));
  expect(await rows('.parts tbody')).toContainEqual(['Experts', '653,908.8', '20,434.6']);
  expect(await rows('.parts tfoot')).toEqual([
    ['All of these', '671,026.4', '37,552.3'],
    ['Multi-token prediction', '13,463.4', 'apart'],
  ]);
  const text = await page.locator('.parts').innerText();
  expect(text).toContain('A published total may count besides: scales (41.5)');
  const exact = await page.locator('.parts tbody [title]').first().getAttribute('title');
  expect(exact).toBe('926,679,040');
  expect(await answer()).toContain('GiB checkpoint (by the config)');
});

test('the parts are folded until they are asked for', async () => {
  await opened(page, home.url);
  const table = page.locator('.parts table');
  expect(await table.isVisible()).toBe(false);
  await page.getByText('Parameters by part', { exact: true }).first().click();
  expect(await table.isVisible()).toBe(true);
  // It stays open when the answer changes.
  await page.fill('#context', '4096');
  expect(await table.isVisible()).toBe(true);
});

test('a hybrid tells its state besides its cache', async () => {
  await open(
    '#v=1&g=h100&n=4&f.tensor-parallel-size=4',
    fixture('Qwen--Qwen3-Next-80B-A3B-Instruct'),
  );
  expect(await page.locator('.verdict').innerText()).toMatch(/37\.7 MiB of state per request/);
  expect(await rows('.compare')).toContainEqual(['State per request', 'nothing', '37.7 MiB']);
  expect(await rows('.parts tbody')).toContainEqual(['State layers', '1,213.9', '1,213.9']);
  expect(await answer()).toContain('hybrid attention');
});

test('attention alone has no state to tell', async () => {
  await open('', fixture('Qwen--Qwen2.5-VL-7B-Instruct'));
  expect(await answer()).not.toMatch(/of state per|State per request|State layers/);
  expect(await rows('.parts tbody')).toContainEqual(['Vision', '676.6', '676.6']);
});

test('a model of states alone caches no token, and no other number is made of that', async () => {
  await open('#v=1&c=2048&p=1024', fixture('mistralai--Mamba-Codestral-7B-v0.1'));
  const compare = await rows('.compare');
  expect(compare).toContainEqual(['KV per token', 'nothing', 'nothing']);
  expect(compare).toContainEqual(['State per request', 'nothing', '132 MiB']);
  expect(compare.find(([name]) => name === 'Requests at once')?.[1]).toBe('no limit');
  expect(await answer()).toContain('no cache but the state');
});

test('an encoder caches nothing, and the page says so in words', async () => {
  await open('#v=1&c=512&p=512&o=', fixture('google-bert--bert-base-uncased'));
  expect(await figure(page, 'pool')).toBe('none');
  const head = await page.locator('.verdict').innerText();
  expect(head).toContain('Nothing is cached');
  expect(head).toContain('The cache sets no limit');
  expect(head).not.toMatch(/\b0 (tokens|bytes)|0\.00/);
  expect(await rows('#memory-table tbody').then((all) => all.flat())).toContain(
    'Free: nothing is cached',
  );
  expect(await page.locator('section[aria-labelledby=speed-title]').innerText()).not.toMatch(
    /output|per output token|in a batch/,
  );
  expect(await answer()).not.toMatch(/NaN|∞|undefined/);
});

test('an encoder and its decoder cache', async () => {
  await open('#v=1&c=448&p=100&o=100', fixture('openai--whisper-large-v3'));
  expect(await rows('.parts tbody')).toContainEqual(['Encoder', '637.0', '637.0']);
  expect(await rows('.compare')).toContainEqual(['KV per token', '160 KiB', '160 KiB']);
});

test('a guess is marked beside the verdict, and its reason stands with the model', async () => {
  await open('', UNKNOWN);
  expect((await shownReport(page)).model.confidence).toBe('assumed');
  expect(await page.locator('.setup').innerText()).toContain('model assumed');
  const guess = await page.locator('div.guess').innerText();
  expect(guess).toMatch(/^Assumed\. A part of this model had to be guessed/);
  expect(guess).toContain('"UnheardOfForCausalLM" is not known');
  expect((await answer()).split('"UnheardOfForCausalLM" is not known')).toHaveLength(2);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.locator('.setup .guess').isVisible()).toBe(true);

  await page.fill('#config', fixture('Qwen--Qwen3-8B'));
  await expect.poll(() => page.locator('.guess').count(), WAIT).toBe(0);
});

test('a config with numbers that JSON lacks is read, one with comments is not', async () => {
  const config = fixture('mistralai--Mamba-Codestral-7B-v0.1');
  expect(config).toContain('Infinity');
  await open('#v=1&c=2048&p=1024', config);
  await page.fill('#config', config.replace('{', '{ // mine\n'));
  await expect
    .poll(() => banner(page), WAIT)
    .toContain('has a comment (// or /* */), which JSON does not allow: take the comments out.');
});
