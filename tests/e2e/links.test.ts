import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answered, figure, launch, opened, shownRequest, site, unfold, WAIT } from './browser';
import { fixture } from './hub';
import { shot } from './shots';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

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
});
afterEach(async () => {
  await page.context().close();
});

const theLink = async () => {
  await page.click('#share');
  const box = page.locator('#share-link');
  await expect.poll(() => box.inputValue(), WAIT).toContain('#v=2');
  const link = await box.inputValue();
  await page.keyboard.press('Escape');
  return link;
};

test('a link opens in a clean profile with everything, a pasted config too', async () => {
  await opened(page, home.url);
  await unfold(page);
  await page.fill('#config', fixture('deepseek-ai--DeepSeek-V3'));
  await page.fill('#gpu', 'h200');
  await page.keyboard.press('Enter');
  await page.fill('#count', '8');
  await page.fill('#flag-gpu-memory-utilization', '0.95');
  await answered(page);
  const [request, requests] = [await shownRequest(page), await figure(page, 'requests')];
  const link = await theLink();
  expect(link.length).toBeLessThan(6000);

  const clean = await browser.newPage();
  const asked: string[] = [];
  clean.on('request', (one) => asked.push(one.url()));
  await opened(clean, link);
  await answered(clean);
  expect(await shownRequest(clean)).toEqual(request);
  expect(await figure(clean, 'requests')).toBe(requests);
  // What is behind the # was not sent.
  expect(asked.filter((url) => url.includes('cz='))).toEqual([]);
  await shot(clean, 'shared-link');
  await clean.context().close();
});

test('back and forward go from setup to setup and from view to view', async () => {
  await opened(page, home.url);
  const context = () => page.inputValue('#context');
  await page.fill('#context', '4096');
  await expect.poll(() => page.url(), WAIT).toContain('c=4096');
  // A pause makes the next change a step of its own.
  await page.waitForTimeout(1700);
  await page.fill('#context', '2048');
  await expect.poll(() => page.url(), WAIT).toContain('c=2048');
  await page.waitForTimeout(1700);
  await page.click('#room-map');
  await expect.poll(() => page.url(), WAIT).toContain('t=map');
  await page.goBack();
  await expect.poll(() => page.getAttribute('#room-answer', 'aria-current'), WAIT).toBe('page');
  expect(await context()).toBe('2048');
  await page.goBack();
  await expect.poll(context, WAIT).toBe('4096');
  await page.goBack();
  await expect.poll(context, WAIT).toBe('8192');
  await page.goForward();
  await expect.poll(context, WAIT).toBe('4096');
  await answered(page);
});

test('advice is applied by one click and taken back by another', async () => {
  await opened(page, `${home.url}#v=2&g=t4`);
  await answered(page, 'It does not start');
  const before = await shownRequest(page);
  await page.locator('#advice .change button').first().click(WAIT);
  await answered(page);
  expect(await shownRequest(page)).not.toEqual(before);
  await shot(page, 'advice-applied');
  await page.click('#undo');
  await answered(page, 'It does not start');
  expect(await shownRequest(page)).toEqual(before);
});

test('setups that were looked at are listed, open again, and can be cleared', async () => {
  await opened(page, home.url);
  await page.fill('#context', '4096');
  await expect.poll(() => page.url(), WAIT).toContain('c=4096');
  await page.waitForTimeout(300);
  await page.reload();
  await page.fill('#context', '2048');
  await expect.poll(() => page.url(), WAIT).toContain('c=2048');
  await page.click('#recent > summary');
  await page.locator('#recent a', { hasText: '4,096 tokens' }).click(WAIT);
  await expect.poll(() => page.inputValue('#context'), WAIT).toBe('4096');
  await page.locator('#recent button').click();
  await expect.poll(() => page.locator('#recent a').count(), WAIT).toBe(0);
  expect(await page.evaluate(() => localStorage.getItem('ridgepoint.recent'))).toBeNull();
});

test('a link of an older version opens, and is written on in the new one', async () => {
  const cfg = encodeURIComponent(fixture('Qwen--Qwen3-8B'));
  await opened(page, `${home.url}#v=1&g=l4&use=config&cfg=${cfg}&c=4096`);
  await answered(page);
  expect((await shownRequest(page)).gpu.id).toBe('l4');
  await page.fill('#context', '3072');
  await expect.poll(() => page.url(), WAIT).toMatch(/#v=2.*cz=/);
  await page.reload();
  await answered(page);
  expect((await shownRequest(page)).model.config).toEqual(JSON.parse(fixture('Qwen--Qwen3-8B')));
});
