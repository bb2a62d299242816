import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answered, banner, isStale, launch, opened, site, unfold, verdict, WAIT } from './browser';
import { fixture } from './hub';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});
beforeEach(async () => {
  page = await browser.newPage();
  await opened(page, home.url);
  await unfold(page);
});
afterEach(() => page.context().close());

/** The input is marked, says what is wrong, keeps its text; the last answer stays and is marked. */
async function refused(field: string, label: string, text: string) {
  await expect.poll(() => banner(page), WAIT).toContain(`${label}.`);
  const input = page.locator(`[id="${field}"]`);
  expect(await input.getAttribute('aria-invalid')).toBe('true');
  expect(await input.inputValue()).toBe(text);
  const described = (await input.getAttribute('aria-describedby'))?.split(' ') ?? [];
  expect(described).toContain(`${field}-error`);
  const line = await page.locator(`[id="${field}-error"]`).innerText();
  expect(line.trim().length).toBeGreaterThan(10);
  expect(await isStale(page)).toBe(true);
  expect(await verdict(page)).toContain('It serves');
}

describe('bad input names its field, keeps its text, and the last answer stays', () => {
  const numbers: [field: string, label: string, text: string][] = [
    ['count', 'Count', 'two'],
    ['count', 'Count', '0'],
    ['count', 'Count', '-3'],
    ['count', 'Count', '1.5'],
    ['context', 'Context', 'long'],
    ['context', 'Context', '0'],
    ['context', 'Context', '-8192'],
    ['context', 'Context', '1e999'],
    ['prompt', 'Prompt', '-1'],
    ['prompt', 'Prompt', 'x'],
    ['output', 'Output', '-1'],
    ['concurrency', 'At once', '1.5'],
    ['concurrency', 'At once', 'many'],
    ['free', 'Free memory per card', '-1'],
    ['free', 'Free memory per card', '900'],
    ['version', 'Version', 'newest'],
    ['version', 'Version', '0.0.1'],
  ];
  test.each(numbers)('%s (%s): %s', async (field, label, text) => {
    await page.fill(`#${field}`, text);
    await refused(field, label, text);
  });

  const flags: [flag: string, text: string][] = [
    ['gpu-memory-utilization', '7'],
    ['gpu-memory-utilization', 'most'],
    ['max-model-len', 'long'],
    ['tensor-parallel-size', 'all'],
  ];
  test.each(flags)('--%s %s', async (flag, text) => {
    await page.fill(`#flag-${flag}`, text);
    await refused(`flag-${flag}`, `--${flag}`, text);
  });

  test('parallel flags that the number of cards does not fit', async () => {
    await page.fill('#flag-tensor-parallel-size', '3');
    await refused('count', 'Count', '1');
    expect(await page.inputValue('#flag-tensor-parallel-size')).toBe('3');
  });

  test('a flag that the engine does not have', async () => {
    await page.fill('#flag-name', '--gpu-memory-utilisation');
    await page.fill('#flag-value', '0.9');
    await page.locator('#flag-value').press('Enter');
    await refused('flag-gpu-memory-utilisation', '--gpu-memory-utilisation', '0.9');
    await page.getByRole('button', { name: 'Remove --gpu-memory-utilisation' }).click();
    await answered(page);
  });

  test('a card that is not known', async () => {
    await page.fill('#gpu', 'a100-sxm-81gb');
    await page.locator('#gpu').press('Tab');
    await refused('gpu', 'Card', 'a100-sxm-81gb');
  });

  test.each([
    ['gpuTotal', 'Memory', 'much'],
    ['gpuBandwidth', 'Bandwidth', '-1'],
    ['gpuFlops', 'Compute', 'fast'],
  ])('a custom card: %s (%s): %s', async (field, label, text) => {
    await page.fill('#gpu', 'custom');
    await page.locator('#gpu').press('Enter');
    await page.fill('#gpuTotal', '80');
    await answered(page);
    await page.fill(`#${field}`, text);
    await refused(field, label, text);
  });

  const qwen = JSON.parse(fixture('Qwen--Qwen3-8B'));
  const without = (key: string) => JSON.stringify({ ...qwen, [key]: undefined });
  const configs: [name: string, text: string][] = [
    ['cut off', fixture('Qwen--Qwen3-8B').slice(0, 60)],
    ['a list', '[1, 2]'],
    ['a word', 'hello'],
    ['empty object', '{}'],
    ['no layers', without('num_hidden_layers')],
    ['layers as text', JSON.stringify({ ...qwen, num_hidden_layers: 'many' })],
    ['no heads at all', JSON.stringify({ ...qwen, num_attention_heads: -8 })],
    ['unknown architecture', fixture('bad--unknown-architecture')],
    ['an adapter', fixture('bad--lora-adapter_config')],
    ['another kind of model', fixture('bad--diffusers-model_index')],
  ];
  test.each(configs)('a config: %s', async (_name, text) => {
    await page.fill('#config', text);
    await refused('config', 'config.json', text);
  });

  test('no model at all', async () => {
    await page.fill('#model', '');
    await refused('model', 'Model', '');
  });
});

test('a field of the config that is wrong is named', async () => {
  await page.fill(
    '#config',
    JSON.stringify({ ...JSON.parse(fixture('Qwen--Qwen3-8B')), num_hidden_layers: 'many' }),
  );
  expect(await page.locator('#config-error').innerText()).toContain('num_hidden_layers');
});

test('a good value after a bad one brings a fresh answer', async () => {
  await page.fill('#count', '');
  await page.fill('#count', 'x');
  expect(await isStale(page)).toBe(true);
  await page.fill('#count', '1');
  await answered(page);
  expect(await page.locator('.banner').count()).toBe(0);
});

test('"Go to the field" opens what is folded and focuses the field', async () => {
  await page.fill('#flag-gpu-memory-utilization', '7');
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = false;
  });
  await page.getByRole('button', { name: 'Go to the field' }).click();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('flag-gpu-memory-utilization');
  expect(await page.locator('#flag-gpu-memory-utilization').isVisible()).toBe(true);
});

test('flags of one engine do not get lost by looking at another', async () => {
  await page.fill('#flag-gpu-memory-utilization', '0.8');
  const engines = await page
    .locator('#engine option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
  const other = engines.find((name) => name !== 'vllm');
  if (!other) return;
  await page.selectOption('#engine', other);
  expect(await page.locator('#flag-gpu-memory-utilization').count()).toBe(0);
  await page.selectOption('#engine', 'vllm');
  expect(await page.inputValue('#flag-gpu-memory-utilization')).toBe('0.8');
});

test('a file that is far too large is refused unread', async () => {
  await page.setInputFiles('input[type=file]', {
    name: 'model.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(6_000_000),
  });
  await expect.poll(() => banner(page), WAIT).toMatch(/config\.json\..*larger than 5 MB/s);
  expect(await page.inputValue('#config')).toBe('');
});
