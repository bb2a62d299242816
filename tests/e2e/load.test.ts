import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { launch, opened, site, WAIT } from './browser';

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

async function open(hash: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage({ reducedMotion: 'reduce', ...options });
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return opened(page, home.url + hash);
}

const word = (page: Page) => page.locator('[data-n="load-verdict"]').innerText(WAIT);
const most = (page: Page) => page.locator('[data-n="load-most"]').innerText(WAIT);

test('it answers, finds the most, tries a change, and is accessible on a phone', async () => {
  const hash = '#v=2&t=load&l=u:own/i:1000/o:50/k:60/t:1';
  const page = await open(hash, { viewport: { width: 360, height: 800 } });
  expect(await word(page)).toBe('Misses the goal');
  await page.locator('#load-ttft').fill('5000');
  await expect.poll(() => word(page), WAIT).toMatch(/^Meets the goal/);
  await page.locator('#load-find').click();
  expect(await most(page)).toMatch(/^Carries [\d.,]+ requests a second$/);
  expect(await page.locator('figure.chart').count()).toBe(6);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(360);
  expect(await violations(page)).toEqual([]);
  const first = page.locator('.load-found .change button').first();
  const change = (await first.getAttribute('aria-label'))?.replace('Apply: ', '') ?? '';
  await first.click();
  await page.locator('.notice').getByText(change).waitFor(WAIT);
});

test('it shows how far it is, and stops', async () => {
  const page = await open('#v=2&t=load&l=u:own/i:1000/o:50/k:1000000');
  const progress = page.locator('#load-run-progress');
  await expect
    .poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value), WAIT)
    .toBeGreaterThan(0);
  await page.locator('#load-run-stop').click();
  await page.getByText('Stopped.').waitFor(WAIT);
  await page.locator('#load-run-again').click();
  await progress.waitFor(WAIT);
  // What is typed meanwhile takes its place.
  await page.locator('.load-more summary').click();
  await page.locator('#load-requests').fill('60');
  expect(await word(page)).toMatch(/the goal/);
});

test('the link opens it as it was left, and back undoes', async () => {
  const page = await open('#v=2&t=load&l=u:own/r:2/f:waves/i:500/o:20/k:60');
  expect(await page.locator('#load-rate').inputValue()).toBe('2');
  expect(await page.locator('#load-flow').inputValue()).toBe('waves');
  await word(page);
  await page.locator('[data-use="trace"]').click();
  const text = 'arrival_s,input_tokens,output_tokens\n0,100,20\n1,200,30\n';
  await page.locator('#load-trace').fill(text);
  await page.locator('#load-trace').blur();
  await page.getByText('pasted text, 3 lines').waitFor(WAIT);
  await expect.poll(() => page.url(), WAIT).toContain('tz:');
  const again = await open(new URL(page.url()).hash);
  await again.getByText('pasted text, 3 lines').waitFor(WAIT);
  expect(await word(again)).toMatch(/the goal/);
  await page.goBack();
  await expect.poll(() => page.locator('#load-rate').inputValue(WAIT), WAIT).toBe('2');
});

test('requests that are too long are taken with one click', async () => {
  const page = await open('#v=2&c=2304&t=load&l=u:own/i:3000/o:100/k:60');
  await page.locator('#load-longer').click();
  await page.locator('.load-refused').waitFor({ state: 'detached', ...WAIT });
  expect(await page.locator('#load-longer').count()).toBe(0);
});
