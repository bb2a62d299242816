import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { launch, opened, site, WAIT } from './browser';
import { cannedRuns } from './canned-runs';

// The view of a setup under load: it answers by itself, can be stopped, and is in the link.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let faults: string[];

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});
beforeEach(() => {
  faults = [];
});
afterEach(async () => {
  expect(faults).toEqual([]);
  for (const context of browser.contexts()) await context.close();
});

async function open(hash: string, ms: number, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await cannedRuns(page, { ms });
  return opened(page, home.url + hash);
}

const word = (page: Page) => page.locator('[data-n="load-verdict"]').innerText(WAIT);
const asked = (page: Page) =>
  page.evaluate(() => (window as unknown as { asked: { kind: string; query: never }[] }).asked);
const applied = (page: Page) => page.locator('.notice').getByText('--kv-cache-dtype fp8');

test('it answers, finds the most, tries a change, and is accessible on a phone', async () => {
  const page = await open('#v=2&t=load', 50, { viewport: { width: 360, height: 800 } });
  expect(await word(page)).toBe('Misses the goal');
  await page.locator('#load-ttft').fill('2000');
  await expect.poll(() => word(page), WAIT).toBe('Meets the goal');
  const [first] = await asked(page);
  expect(first).toMatchObject({
    kind: 'simulate',
    query: { load: { lengths: { kind: 'preset', name: 'chat' } } },
  });
  await page.locator('#load-find').click();
  await expect.poll(() => page.locator('[data-n="load-most"]').innerText(WAIT)).toContain('5.20');
  expect(await page.locator('figure.chart').count()).toBe(6);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(360);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Apply: --kv-cache-dtype fp8' }).click();
  await applied(page).waitFor(WAIT);
  await expect
    .poll(async () => (await asked(page)).at(-1)?.query, WAIT)
    .toMatchObject({
      request: { engine: { args: { 'kv-cache-dtype': 'fp8' } } },
    });
});

test('it shows how far it is, and stops', async () => {
  const page = await open('#v=2&t=load', 60_000);
  const progress = page.locator('#load-run-progress');
  await expect
    .poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value), WAIT)
    .toBeGreaterThan(0);
  const stopped = await page.evaluate(async () => {
    const start = performance.now();
    document.querySelector<HTMLElement>('#load-run-stop')?.click();
    const stage = window as unknown as { stops: number[] };
    while (stage.stops.length === 0) await new Promise((go) => setTimeout(go));
    return performance.now() - start;
  });
  expect(stopped).toBeLessThan(100);
  await page.getByText('Stopped.').waitFor(WAIT);
  await page.locator('#load-run-again').click();
  await progress.waitFor(WAIT);
  // What is typed meanwhile takes its place.
  const before = (await asked(page)).length;
  await page.locator('#load-rate').fill('2');
  await expect.poll(async () => (await asked(page)).length, WAIT).toBe(before + 1);
  expect(await page.evaluate(() => (window as unknown as { stops: number[] }).stops.length)).toBe(
    2,
  );
});

test('the link opens it as it was left, and back undoes', async () => {
  const page = await open('#v=2&t=load&l=u:own/r:2/f:waves/t:9000', 50);
  expect(await page.locator('#load-rate').inputValue()).toBe('2');
  expect(await page.locator('#load-flow').inputValue()).toBe('waves');
  expect(await word(page)).toBe('Meets the goal');
  await page.locator('[data-use="trace"]').click();
  await page.locator('#load-trace').fill('arrival_s,input,output\n0,100,20\n1,200,30\n');
  await page.locator('#load-trace').blur();
  await page.getByText('pasted text, 3 lines').waitFor(WAIT);
  await expect.poll(() => page.url(), WAIT).toContain('tz:');
  const again = await open(new URL(page.url()).hash, 50);
  await again.getByText('pasted text, 3 lines').waitFor(WAIT);
  await expect
    .poll(async () => (await asked(again)).at(-1)?.query, WAIT)
    .toMatchObject({
      load: { arrivals: { kind: 'trace', text: expect.stringContaining('1,200,30') } },
    });
  await page.goBack();
  await expect.poll(() => page.locator('#load-rate').inputValue(WAIT), WAIT).toBe('2');
});
