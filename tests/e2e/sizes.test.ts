import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { budgets } from '../bench/budgets.mjs';
import { firstAnswer, openings } from '../bench/first-answer.mjs';
import { siteSizes } from '../bench/site-sizes.mjs';
import { launch, type Site, site } from './browser';

// What the page may weigh, as a server sends it. `bash tests/bench.sh page` shows the figures.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Site;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

test('a first answer that needs the core needs no more than its budget', async () => {
  const { files, bytes } = await firstAnswer(browser, home.url, openings.link);
  expect(files.some(({ name }) => name.endsWith('.wasm'))).toBe(true);
  expect(
    files.every((file) => file.bytes > 0),
    JSON.stringify(files),
  ).toBe(true);
  expect(bytes, JSON.stringify(files)).toBeLessThanOrEqual(budgets.firstAnswerBytes);
});

test('so does the offline file', () => {
  expect(siteSizes().offline).toBeLessThanOrEqual(budgets.offlineBytes);
});

test('so does the widget', ({ skip }) => {
  const { widget } = siteSizes();
  skip(widget === null, 'this build has no widget');
  expect(widget).toBeLessThanOrEqual(budgets.widgetBytes);
});
