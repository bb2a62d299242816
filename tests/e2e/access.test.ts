import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violations } from './axe';
import {
  answered,
  figure,
  launch,
  opened,
  shownRequest,
  site,
  unfold,
  verdict,
  WAIT,
} from './browser';
import { fixture } from './hub';
import { swept } from './sweep';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

const widths = [
  [390, 844],
  [1280, 900],
] as const;
const schemes = ['light', 'dark'] as const;
const looks = widths.flatMap(([width, height]) =>
  schemes.map((colorScheme) => ({
    name: `${width} px, ${colorScheme}`,
    width,
    height,
    colorScheme,
  })),
);

describe.each(swept(looks, 3))('$name', ({ width, height, colorScheme }) => {
  async function open(hash = '') {
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
    });
    return opened(page, home.url + hash);
  }

  test('the example has no accessibility faults, folded or not', async () => {
    const page = await open();
    expect(await violations(page)).toEqual([]);
    await unfold(page);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test('nor has a failure, an error, an empty page or an open list', async () => {
    const page = await open('#v=1&g=t4');
    await answered(page, 'It does not start');
    expect(await violations(page)).toEqual([]);
    await page.fill('#count', 'x');
    expect(await violations(page)).toEqual([]);
    await page.fill('#count', '1');
    await page.locator('#gpu').click();
    expect(await violations(page)).toEqual([]);
    await page.context().close();
    const bare = await open('#v=1&m=org/unheard-of');
    expect(await violations(bare)).toEqual([]);
    await bare.context().close();
  });

  test('nothing is wider than the screen', async () => {
    const page = await open();
    await unfold(page);
    const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await over()).toBeLessThanOrEqual(0);
    await page.fill('#config', fixture('deepseek-ai--DeepSeek-V3'));
    await answered(page, 'It does not start');
    expect(await over()).toBeLessThanOrEqual(0);
    await page.context().close();
  });

  test('nor has a model that was guessed and caches nothing', async () => {
    const page = await open('#v=1&c=512&p=512&o=');
    await unfold(page);
    await page.fill('#config', fixture('google-bert--bert-base-uncased'));
    await answered(page);
    await unfold(page);
    expect(await page.locator('.parts table, div.guess').count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test(width < 600 ? 'the verdict stays on top' : 'the inputs stay in view', async () => {
    const page = await open();
    await page.evaluate(() => scrollTo(0, 600));
    const what = page.locator(width < 600 ? '.verdict' : '.inputs');
    await expect
      .poll(async () => Math.abs((await what.boundingBox())?.y ?? 99), WAIT)
      .toBeLessThan(10);
    await page.context().close();
  });
});

test('the whole way works by keyboard alone', async () => {
  const page = await browser.newPage();
  await opened(page, home.url);
  const before = await figure(page, 'pool');
  const focused = () => page.evaluate(() => document.activeElement?.id ?? '');
  const tabTo = async (id: string) => {
    for (let step = 0; step < 40 && (await focused()) !== id; step += 1) {
      await page.keyboard.press('Tab');
    }
    expect(await focused()).toBe(id);
  };
  await tabTo('model');
  await page.keyboard.press('Enter');
  await tabTo('gpu');
  await page.keyboard.type('h100 sxm');
  expect(await page.locator('#gpu').getAttribute('aria-expanded')).toBe('true');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  expect(await page.locator('#gpu').getAttribute('aria-expanded')).toBe('false');
  expect((await shownRequest(page)).gpu.id).toContain('h100');
  await tabTo('count');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('2');
  await tabTo('version');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await tabTo('flag-gpu-memory-utilization');
  await page.keyboard.type('0.8');
  await tabTo('context');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('4096');
  await answered(page);
  expect(await figure(page, 'pool')).not.toBe(before);
  expect(await shownRequest(page)).toMatchObject({
    gpu: { count: 2 },
    engine: { args: { 'gpu-memory-utilization': 0.8 } },
    workload: { context: 4096 },
  });
  await page.context().close();
});

test('Escape closes the list of cards and keeps the card', async () => {
  const page = await browser.newPage();
  await opened(page, home.url);
  await page.fill('#gpu', 'h1');
  await page.keyboard.press('Escape');
  expect(await page.inputValue('#gpu')).toBe('A100 SXM4 80GB');
  expect(await verdict(page)).toContain('It serves');
  await page.context().close();
});

test('a screen reader hears the new answer once the typing stopped, and the errors', async () => {
  const page = await browser.newPage();
  await opened(page, home.url);
  const region = page.locator('body > [role=status]');
  await page.waitForTimeout(900);
  expect(await region.textContent()).toBe('');
  await page.fill('#context', '4096');
  await expect.poll(() => region.textContent(), WAIT).toMatch(/^It serves\. \d+ requests fit\./);
  await page.fill('#context', 'x');
  await expect.poll(() => region.textContent(), WAIT).toMatch(/^Context: .*last answer/);
  await page.context().close();
});

test('every input has a label, and motion is left out when asked', async () => {
  const page = await browser.newPage({ reducedMotion: 'reduce' });
  await opened(page, home.url);
  await unfold(page);
  const unnamed = await page
    .locator('input, select, textarea')
    .evaluateAll((all) =>
      all.filter((one) => !(one as HTMLInputElement).labels?.length).map((one) => one.id),
    );
  expect(unnamed).toEqual([]);
  const moving = () =>
    page.locator('*').evaluateAll(
      (all) =>
        all.filter((one) => {
          const { transitionDuration, animationName } = getComputedStyle(one);
          return transitionDuration !== '0s' || animationName !== 'none';
        }).length,
    );
  await expect.poll(moving, WAIT).toBe(0);
  await page.context().close();
});
