import type { Browser, Page } from 'playwright-core';
import { evaluate, type Report } from 'ridgepoint';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answered,
  dropFile,
  figure,
  followed,
  isStale,
  launch,
  opened,
  pasteInto,
  shownReport,
  shownRequest,
  site,
  unfold,
  verdict,
  WAIT,
} from './browser';
import { fixture } from './hub';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

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
  page = await browser.newPage();
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

const elsewhere = () => asked.filter((url) => !url.startsWith(home.url));
const qwen = fixture('Qwen--Qwen3-8B');

describe('the example', () => {
  test('is answered on opening, from the page’s own origin alone', async () => {
    await opened(page, home.url);
    await answered(page);
    expect(await page.locator('.setup').innerText()).toBe(
      'meta-llama/Meta-Llama-3-8B on 1 × A100 SXM4 80GB with vLLM 0.28.0 at 8,192 tokens',
    );
    expect(Number(await figure(page, 'requests'))).toBeGreaterThan(20);
    expect(elsewhere()).toEqual([]);
    expect(page.url()).toBe(home.url);
  });

  test('shows what the core answers for the request it offers to copy', async () => {
    await opened(page, home.url);
    const request = await shownRequest(page);
    expect(request.model).toEqual({ id: 'meta-llama/Meta-Llama-3-8B' });
    const report = (await evaluate(request)) as Report;
    expect(await shownReport(page)).toEqual(report);
    expect(await figure(page, 'requests')).toBe(String(report.capacity.max_requests.best));
    const gib = (report.memory.per_gpu.kv_pool.best / 2 ** 30).toFixed(2);
    expect(await figure(page, 'pool')).toBe(gib);
  });

  test('has the parts of the answer in their order', async () => {
    await opened(page, home.url);
    const titles = await page.locator('h2, h3').allInnerTexts();
    const order = [
      'It serves',
      'Memory of one card',
      'What a naive calculator says',
      'Speed',
      'What to change',
      'Assumptions and notes',
      'Take it with you',
    ];
    const places = order.map((title) => titles.findIndex((text) => text.includes(title)));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  test('gives the bar as a table too, whose parts add up to the card', async () => {
    await opened(page, home.url);
    const sizes = await page
      .locator('#memory-table tbody tr td:nth-child(2) .number')
      .evaluateAll((cells) =>
        cells.map((cell) =>
          Number(
            cell
              .getAttribute('title')
              ?.match(/\(([\d,]+) bytes/)?.[1]
              ?.replaceAll(',', ''),
          ),
        ),
      );
    const { total } = (await shownReport(page)).memory.per_gpu;
    const sum = sizes.reduce((all, part) => all + part, 0);
    expect(Math.abs(sum - total) / total).toBeLessThan(0.001);
  });

  test('gives the same question as a command line', async () => {
    await opened(page, home.url);
    const command = await page.locator('pre[aria-label="Command line"]').innerText();
    expect(command).toBe(
      'ridgepoint fit meta-llama/Meta-Llama-3-8B --gpu a100-sxm-80gb:1 --engine vllm@0.28.0 --ctx 8192 --prompt 2048 --output 256 --concurrency 16',
    );
  });
});

describe('recalculation', () => {
  beforeEach(() => opened(page, home.url));

  test('follows the context at once, and marks the number that changed', async () => {
    const before = Number(await figure(page, 'requests'));
    await page.fill('#context', '4096');
    expect(Number(await figure(page, 'requests'))).toBeGreaterThan(before);
    expect(await page.locator('[data-n="requests"][data-changed]').count()).toBe(1);
    await expect.poll(() => page.locator('[data-changed]').count(), WAIT).toBe(0);
  });

  test('draws the answer first while someone types, and what is below it a frame later', async () => {
    await page.locator('#speed-title').waitFor(WAIT);
    const seen = await page.evaluate(async () => {
      const says = (where: string) => document.querySelector(where)?.textContent?.includes('161');
      const told = () => ({
        verdict: says('.verdict'),
        below: says('#speed-title'),
        behind: document.querySelector('.answer[data-behind]') !== null,
      });
      const box = document.querySelector('#concurrency') as HTMLInputElement;
      box.value = '161';
      box.dispatchEvent(new Event('input', { bubbles: true }));
      const first = told();
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)));
      return [first, told()];
    });
    expect(seen).toEqual([
      { verdict: true, below: false, behind: true },
      { verdict: true, below: true, behind: false },
    ]);
  });

  test('reads 4K as vLLM does', async () => {
    await page.fill('#context', '4K');
    expect((await shownRequest(page)).workload?.context).toBe(4096);
    expect(await page.locator('#context-hint').innerText()).toContain('4,096');
  });

  test('follows the card', async () => {
    const before = await figure(page, 'pool');
    await page.fill('#gpu', 'h100');
    await page.locator('#gpu').press('Enter');
    expect((await shownRequest(page)).gpu.id).toContain('h100');
    expect(await figure(page, 'pool')).not.toBe(before);
  });

  test('follows the count', async () => {
    const before = Number(await figure(page, 'requests'));
    await page.fill('#count', '2');
    expect(Number(await figure(page, 'requests'))).toBeGreaterThan(before);
  });

  test('follows a flag, and says that it is set', async () => {
    await unfold(page);
    const before = Number(await figure(page, 'requests'));
    await page.fill('#flag-gpu-memory-utilization', '0.5');
    expect(Number(await figure(page, 'requests'))).toBeLessThan(before);
    await followed(page);
    expect(await page.locator('#flags > summary').innerText()).toContain('1 set');
    expect((await shownRequest(page)).engine.args).toEqual({ 'gpu-memory-utilization': 0.5 });
  });

  test('a flag that is added without a value has the focus for it', async () => {
    await unfold(page);
    await page.fill('#flag-name', '--max-num-batched-tokens');
    await page.press('#flag-name', 'Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(
      'flag-max-num-batched-tokens',
    );
    await page.keyboard.type('4096');
    await expect
      .poll(async () => (await shownRequest(page)).engine.args, WAIT)
      .toEqual({ 'max-num-batched-tokens': 4096 });
  });

  test('so has one that had no box before', async () => {
    await unfold(page);
    await page.fill('#flag-name', 'swap-space');
    await page.press('#flag-name', 'Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('flag-swap-space');
  });

  test('shows the part of the pool that the asked requests fill', async () => {
    const parts = () => page.locator('#memory-table tbody th').allInnerTexts();
    expect((await parts()).map((part) => part.trim())).toContain('KV pool, filled');
    await page.fill('#concurrency', '');
    expect((await parts()).map((part) => part.trim())).toContain('KV pool');
  });

  test('takes an empty "At once" as the core does: one request at a time', async () => {
    await page.fill('#concurrency', '');
    await followed(page);
    expect(await page.locator('#speed-title').innerText()).toContain('one request at a time');
    const { speed } = await shownReport(page);
    await page.fill('#concurrency', '1');
    expect((await shownReport(page)).speed).toEqual(speed);
  });

  test('takes a card described by hand', async () => {
    await page.fill('#gpu', 'custom');
    await page.locator('#gpu').press('Enter');
    await page.fill('#gpuTotal', '47.4');
    await page.fill('#gpuBandwidth', '960');
    await page.fill('#gpuFlops', '180');
    await answered(page);
    expect((await shownRequest(page)).gpu).toEqual({
      total_bytes: Math.round(47.4 * 2 ** 30),
      bandwidth: 960e9,
      flops: 180e12,
      count: 1,
    });
  });

  test('tells how far a model that does not start is from starting', async () => {
    await page.fill('#model', 'meta-llama/Meta-Llama-3-8B');
    await page.fill('#gpu', 't4');
    await page.locator('#gpu').press('Enter');
    await answered(page, 'It does not start');
    const head = await page.locator('.verdict').innerText();
    expect(head).toMatch(/[\d.]+ GiB needed,\s+[\d.]+ [GM]iB available/);
  });
});

describe('a config', () => {
  beforeEach(() => opened(page, home.url));

  test('is read when it is pasted into its box', async () => {
    await unfold(page);
    await page.fill('#config', qwen);
    await answered(page);
    expect((await shownRequest(page)).model).toEqual({ config: JSON.parse(qwen) });
  });

  test('is read when it is pasted into the box for ids', async () => {
    await pasteInto(page, '#model', qwen);
    await answered(page);
    expect(await page.inputValue('#config')).toBe(qwen);
    expect(await page.inputValue('#model')).toBe('meta-llama/Meta-Llama-3-8B');
  });

  test('is read when it is dropped anywhere on the page', async () => {
    await dropFile(page, 'my-config.json', qwen);
    await expect.poll(() => page.locator('.setup').innerText(), WAIT).toContain('my-config.json');
    expect((await shownRequest(page)).model).toEqual({ config: JSON.parse(qwen) });
  });

  test('is read when it is chosen as a file', async () => {
    await unfold(page);
    await page.setInputFiles('input[type=file]', {
      name: 'config.json',
      mimeType: 'application/json',
      buffer: Buffer.from(qwen),
    });
    await expect.poll(() => page.inputValue('#config'), WAIT).toBe(qwen);
    await answered(page);
  });

  test('and an id stand side by side, and either can be used', async () => {
    await dropFile(page, 'config.json', qwen);
    await page.getByRole('button', { name: 'Use meta-llama/Meta-Llama-3-8B' }).click();
    expect((await shownRequest(page)).model).toEqual({ id: 'meta-llama/Meta-Llama-3-8B' });
    await page.getByRole('button', { name: 'Use the config.json below' }).click();
    expect((await shownRequest(page)).model).toEqual({ config: JSON.parse(qwen) });
  });

  test('never leaves the browser', async () => {
    await dropFile(page, 'config.json', qwen);
    await answered(page);
    expect(elsewhere()).toEqual([]);
  });
});

describe('a link', () => {
  test('of version 1 keeps opening', async () => {
    await opened(
      page,
      `${home.url}#v=1&m=meta-llama/Meta-Llama-3-8B&g=h100-sxm-80gb&n=2&e=vllm&ev=0.28.0&c=4096&p=1000&o=100&u=8&f.gpu-memory-utilization=0.8`,
    );
    expect(await shownRequest(page)).toEqual({
      model: { id: 'meta-llama/Meta-Llama-3-8B' },
      gpu: { id: 'h100-sxm-80gb', count: 2 },
      engine: { name: 'vllm', version: '0.28.0', args: { 'gpu-memory-utilization': 0.8 } },
      workload: { context: 4096, prompt: 1000, output: 100, concurrency: 8 },
    });
  });

  test('keeps the inputs over a reload, empty ones too', async () => {
    await opened(page, home.url);
    await unfold(page);
    await page.fill('#context', '2048');
    await page.fill('#output', '');
    await page.fill('#flag-gpu-memory-utilization', '0.7');
    await expect.poll(() => page.url(), WAIT).toContain('c=2048');
    await expect.poll(() => page.url(), WAIT).toContain('f.gpu-memory-utilization=0.7');
    const before = await shownRequest(page);
    await page.reload();
    await page.locator('.verdict').waitFor(WAIT);
    expect(await shownRequest(page)).toEqual(before);
    expect(await page.inputValue('#output')).toBe('');
  });

  test('keeps a config, a long one in the tab instead of the address', async () => {
    await opened(page, home.url);
    const long = JSON.stringify({ ...JSON.parse(qwen), padding: 'x'.repeat(5000) });
    for (const config of [qwen, long]) {
      await dropFile(page, 'config.json', config);
      await answered(page);
      await expect.poll(() => page.url(), WAIT).toContain('use=config');
      await page.waitForTimeout(400);
      expect(page.url().length).toBeLessThan(6000);
      await page.reload();
      await page.locator('.verdict').waitFor(WAIT);
      expect((await shownRequest(page)).model.config).toEqual(JSON.parse(config));
    }
  });

  test('to a model that is not built in fetches nothing by itself', async () => {
    await opened(page, `${home.url}#v=1&m=org/unheard-of`);
    expect(await verdict(page)).toContain('No answer yet');
    expect(await page.locator('.banner').innerText()).toContain('huggingface.co');
    expect(elsewhere()).toEqual([]);
  });
});

test('typing an id sends nothing and leaves the last answer, marked', async () => {
  await opened(page, home.url);
  await page.fill('#model', '');
  await page.locator('#model').pressSequentially('org/unheard-of');
  await page.locator('#context').focus();
  await page.waitForTimeout(300);
  expect(elsewhere()).toEqual([]);
  expect(await isStale(page)).toBe(true);
  expect(await verdict(page)).toContain('It serves');
});
