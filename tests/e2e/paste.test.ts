import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import {
  answered,
  dropFile,
  figure,
  launch,
  opened,
  pasteInto,
  shownRequest,
  site,
  WAIT,
} from './browser';
import { fixture } from './hub';
import { shot } from './shots';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// The model box takes anything, and says which it got.

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
  page = await browser.newPage();
  faults = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await opened(page, home.url);
});
afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

const told = () => page.locator('.got').innerText(WAIT);

const log = [
  'INFO 05-01 10:00:00 [api_server.py:1] vLLM API server version 0.10.0',
  "INFO 05-01 10:00:00 [cli_args.py:1] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192}",
  'INFO 05-01 10:00:20 [gpu_model_runner.py:1] Model loading took 15.2683 GiB and 9.1 seconds',
  'INFO 05-01 10:00:40 [gpu_worker.py:1] Available KV cache memory: 53.15 GiB',
  'INFO 05-01 10:00:41 [kv_cache_utils.py:1] GPU KV cache size: 387,008 tokens',
  'INFO 05-01 10:00:41 [kv_cache_utils.py:1] Maximum concurrency for 8,192 tokens per request: 47.24x',
  'INFO 05-01 10:01:00 [api_server.py:1] Application startup complete.',
].join('\n');

test('a serve command sets model and flags', async () => {
  await pasteInto(
    page,
    '#model',
    'vllm serve Qwen/Qwen3-8B \\\n  --max-model-len 4096 --kv-cache-dtype fp8 --frob 3',
  );
  expect(await told()).toContain('Got a vLLM command');
  await answered(page);
  expect(await shownRequest(page)).toMatchObject({
    model: { id: 'Qwen/Qwen3-8B' },
    engine: { name: 'vllm', args: { 'max-model-len': 4096, 'kv-cache-dtype': 'fp8' } },
  });
  expect(await told()).toContain('--frob');
  await shot(page, 'pasted-command');
});

test('a start-up log sets the setup and the measured terms', async () => {
  await pasteInto(page, '#model', log);
  expect(await told()).toContain('Got a start-up log of vLLM');
  await answered(page);
  const request = await shownRequest(page);
  expect(request.model).toEqual({ id: 'Qwen/Qwen3-8B' });
  expect(request.engine.version).toBe('0.10.0');
  expect(request.measured?.kv_pool_bytes).toBe(Math.round(53.15 * 2 ** 30));
  expect(await figure(page, 'pool')).toBe('53.15');
  expect(await page.locator('#measured').innerText()).toContain('53.15 GiB');
  await shot(page, 'pasted-log');
  await page.locator('#measured button').click();
  expect(await page.locator('#measured').count()).toBe(0);
  expect((await shownRequest(page)).measured).toBeUndefined();
});

test('a log is read from a dropped file too', async () => {
  await dropFile(page, 'server.log', log);
  expect(await told()).toContain('start-up log of vLLM');
});

test('a config is taken as one', async () => {
  await pasteInto(page, '#model', fixture('Qwen--Qwen3-8B'));
  await expect
    .poll(() => page.locator('#model-source').innerText(), WAIT)
    .toContain('Got a config');
  await answered(page);
});

test('anything else is said to be nothing, and the answer stays', async () => {
  const before = await figure(page, 'requests');
  await pasteInto(page, '#model', 'Dear all,\nthe server is down.\nRegards');
  expect(await told()).toContain('no config, command or log');
  expect(await figure(page, 'requests')).toBe(before);
  await page.fill('#model', 'Qwen/Qwen3-8B');
  expect(await page.locator('.got').count()).toBe(0);
});

test('suggestions come from the built-in models, by keyboard too', async () => {
  await page.fill('#model', 'qwen3');
  const options = page.locator('#model-list [role=option]');
  await expect.poll(() => options.count(), WAIT).toBeGreaterThan(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  expect(await page.inputValue('#model')).toMatch(/^Qwen\/Qwen3/);
  expect(await page.locator('#model-list').count()).toBe(0);
  await answered(page);
});
