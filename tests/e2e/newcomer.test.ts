import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { answered, figure, launch, opened, pasteInto, shownRequest, site, WAIT } from './browser';
import { shot } from './shots';

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

// What a new reader does first, and a look into every view.

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let asked: string[];
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
  asked = [];
  faults = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

// The published geometry of Llama 3 8B.
const llama = JSON.stringify({
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  max_position_embeddings: 8192,
  tie_word_embeddings: false,
  torch_dtype: 'bfloat16',
});

test('pastes the config of Llama 3 8B and reads the verdict of the built-in one', async () => {
  await opened(page, home.url);
  const known = [await figure(page, 'requests'), await figure(page, 'pool')];
  await pasteInto(page, '#model', llama);
  await answered(page);
  expect((await shownRequest(page)).model).toEqual({ config: JSON.parse(llama) });
  expect([await figure(page, 'requests'), await figure(page, 'pool')]).toEqual(known);
  // 2 x 32 layers x 8 heads x 128 x 2 bytes.
  expect(await figure(page, 'per-token')).toBe('128');
  await shot(page, 'pasted-config');
});

const views = ['answer', 'map', 'compare', 'engines', 'find', 'commands'] as const;
const dialogs = ['share', 'embed', 'show-math'] as const;

test('looks into every view; nothing is asked of anybody else, and axe finds nothing', async () => {
  await opened(page, home.url);
  await answered(page);
  for (const view of views) {
    await page.click(`#room-${view}`);
    await expect.poll(() => page.locator('main .waiting').count(), { timeout: 20_000 }).toBe(0);
    await expect.poll(() => page.locator('.answer > *').count(), WAIT).toBeGreaterThan(0);
    await shot(page, `view-${view}`);
    expect(await violations(page), view).toEqual([]);
  }
  for (const dialog of dialogs) {
    await page.click('#room-answer');
    await page.click(`#${dialog}`);
    await expect.poll(() => page.locator('dialog .waiting').count(), { timeout: 20_000 }).toBe(0);
    await shot(page, `dialog-${dialog}`);
    expect(await violations(page), dialog).toEqual([]);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count(), WAIT).toBe(0);
    // The focus is back where it came from.
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(dialog);
  }
  expect(asked.filter((url) => !url.startsWith(home.url) && !url.startsWith('blob:'))).toEqual([]);
});
