import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { SMALL_LLAMA_BYTES, safetensors, smallLlama } from '../js/support/checkpoint-files.mjs';
import {
  answered,
  banner,
  dropFile,
  isStale,
  launch,
  opened,
  pasteInto,
  shownReport,
  shownRequest,
  site,
  unfold,
  WAIT,
} from './browser';
import { fixture } from './hub';

// Files of weights on the page: an index, and headers of files that are never read whole.

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let asked: string[];

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
  asked = [];
  page.on('request', (request) => asked.push(request.url()));
  await opened(page, home.url);
  await unfold(page);
});
afterEach(async () => {
  expect(asked.filter((url) => !url.startsWith(home.url))).toEqual([]);
  await page.context().close();
});

const INDEX = 'model.safetensors.index.json';
const index = (total_size: number) =>
  JSON.stringify({ metadata: { total_size }, weight_map: { 'a.weight': 'a.safetensors' } });
const qwen = fixture('Qwen--Qwen3-8B');

const choose = (name: string, buffer: Buffer) =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'application/octet-stream', buffer });
const source = () => page.locator('#model-source').innerText();
const modelOf = async () => (await shownReport(page)).model;

test('a dropped index is kept with the model that is there, until it is left out', async () => {
  await dropFile(page, INDEX, index(17_000_000_000));
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(17_000_000_000);
  await answered(page);
  expect((await modelOf()).weights_source).toBe('safetensors index');
  expect((await shownRequest(page)).model.id).toBe('meta-llama/Meta-Llama-3-8B');
  expect(await source()).toContain(`Size of the weights from ${INDEX}.`);
  expect(await page.locator('main').innerText()).toContain('checkpoint (by its safetensors index)');
  expect(await page.locator('main').innerText()).toContain(`--weights ${INDEX}`);

  await page.reload();
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(17_000_000_000);

  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect.poll(async () => (await modelOf()).weights_source, WAIT).toBe('config');
  expect(await source()).not.toContain(INDEX);
});

test('an index pasted over a config leaves the config', async () => {
  await page.fill('#config', qwen);
  await answered(page);
  await pasteInto(page, '#model', index(15_000_000_000));
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(15_000_000_000);
  expect((await modelOf()).architecture).toBe('Qwen3ForCausalLM');
  expect(await page.inputValue('#config')).toBe(qwen);
  await page.fill('#config', index(14_000_000_000));
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(14_000_000_000);
  expect(await page.inputValue('#config')).toBe(qwen);
});

test('an index without a model asks for one, and waits for it', async () => {
  await page.fill('#model', '');
  await pasteInto(page, '#model', index(15_000_000_000));
  await expect
    .poll(() => banner(page), WAIT)
    .toContain(
      `${INDEX} tells the size of the weights and not the model: give it together with a config.json`,
    );
  expect(await page.inputValue('#model')).toBe('');
  await page.fill('#config', qwen);
  await answered(page);
  expect(await modelOf()).toMatchObject({
    architecture: 'Qwen3ForCausalLM',
    checkpoint_bytes: 15_000_000_000,
  });

  // Now that it was used it belongs to that model.
  await page.fill('#config', fixture('Qwen--Qwen2.5-7B'));
  await expect.poll(async () => (await modelOf()).weights_source, WAIT).toBe('config');
});

test('a link whose config is an index says what is missing', async () => {
  const other = await browser.newPage();
  const query = new URLSearchParams({ v: '1', use: 'config', cfg: index(15_000_000_000) });
  await opened(other, `${home.url}#${query}`);
  await expect
    .poll(() => banner(other), WAIT)
    .toContain('This is a safetensors index, not a config');
  await other.context().close();
});

test('headers dropped after a config tell its size', async () => {
  await dropFile(page, 'config.json', qwen);
  await answered(page);
  await dropFile(page, INDEX, index(15_000_000_000));
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(15_000_000_000);
  await choose('model.safetensors', Buffer.concat([safetensors({ a: 5_000 }), Buffer.alloc(9)]));
  await expect.poll(async () => (await modelOf()).checkpoint_bytes, WAIT).toBe(10_000);
  const model = await modelOf();
  expect(model).toMatchObject({ architecture: 'Qwen3ForCausalLM', stored_parameters: 5_000 });
  expect(await page.locator('.parts').innerText()).toContain(
    'The files hold <0.1 million elements',
  );
});

test('another model drops what was told of the last one', async () => {
  await dropFile(page, INDEX, index(17_000_000_000));
  await expect.poll(async () => (await modelOf()).weights_source, WAIT).toBe('safetensors index');
  await page.fill('#config', qwen);
  await expect.poll(async () => (await modelOf()).architecture, WAIT).toBe('Qwen3ForCausalLM');
  expect((await modelOf()).weights_source).toBe('config');
});

test('a GGUF file is a model, however large it is', async () => {
  // The zeros that stand for weights are made in the page: sending them there would take longer.
  const transfer = await page.evaluateHandle(
    ([header]) => {
      const bytes = Uint8Array.from(atob(header as string), (each) => each.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes, new Uint8Array(40_000_000)], 'my-model.gguf'));
      return data;
    },
    [smallLlama(20_000).toString('base64')],
  );
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
  await expect.poll(async () => (await modelOf()).weights_source, WAIT).toBe('gguf');
  await answered(page);
  const model = await modelOf();
  expect(model.checkpoint_bytes).toBe(SMALL_LLAMA_BYTES);
  expect(model.layers).toBe(1);
  expect(await page.locator('.setup').innerText()).toContain('my-model.gguf on ');
  expect(await source()).toContain('Using my-model.gguf');
  expect(await page.locator('main').innerText()).toContain('checkpoint (by its GGUF header)');
  await page.getByRole('button', { name: 'Leave it out' }).click();
  await expect.poll(async () => (await modelOf()).layers, WAIT).toBe(32);
});

test('a .safetensors file tells the size of the model that is there', async () => {
  await choose('model.safetensors', Buffer.concat([safetensors({ a: 5_000 }), Buffer.alloc(9)]));
  await expect.poll(async () => (await modelOf()).weights_source, WAIT).toBe('safetensors headers');
  expect((await modelOf()).checkpoint_bytes).toBe(10_000);
});

test('a file of weights that is damaged is named, and the last answer stays', async () => {
  await choose('cut.gguf', smallLlama().subarray(0, 100));
  await expect.poll(() => banner(page), WAIT).toContain('cut.gguf ends inside its header');
  expect(await isStale(page)).toBe(true);
  await choose('other.safetensors', Buffer.alloc(100));
  await expect.poll(() => banner(page), WAIT).toContain('other.safetensors: These are no');
});
