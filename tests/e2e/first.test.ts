import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { launch, opened, type Site, site, WAIT } from './browser';

// The HTML holds the page as it opens, answer and all, which is seen until the page itself is there.

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Site;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

const SCRIPT = /\/assets\/page-[^/]*\.js$/;
const CORE = /\/assets\/answer-[^/]*\.wasm$/;

/** Opens the page without a part of it, which comes when it is let go. */
async function held(
  what: RegExp,
  locale: string,
  hash = '',
): Promise<{ page: Page; letGo: () => void }> {
  const page = await browser.newPage({ locale });
  let letGo = () => {};
  const gone = new Promise<void>((done) => {
    letGo = done;
  });
  await page.route(what, async (route) => {
    await gone;
    await route.continue();
  });
  await page.goto(home.url + hash, { waitUntil: 'commit' });
  await page.waitForFunction(() => 'ridgepointFirstCore' in globalThis, null, WAIT);
  return { page, letGo };
}

const WATCHED = [
  'header',
  '.tools',
  '.verdict',
  '.big',
  '.inputs',
  '#context',
  '.rooms',
  'svg.bar',
];

/** Where the parts are that the eye is on. */
const places = (page: Page) =>
  page.evaluate(
    (parts) =>
      parts.map((part) => {
        const found = document.querySelector(`#app ${part}`)?.getBoundingClientRect();
        return [part, found?.x, found?.y, found?.width, found?.height];
      }),
    WATCHED,
  );

test('the example is answered before the page is there, and nothing moves when it comes', async () => {
  const { page, letGo } = await held(SCRIPT, 'en-US');
  const first = page.locator('.first');
  expect(await first.locator('.word').innerText()).toContain('It serves');
  expect(await first.getAttribute('inert')).not.toBeNull();
  const before = await places(page);
  // What follows the first drawing is not what is looked at.
  await page.route(/\/assets\/(?!page-|answer-)/, (route) => route.abort());
  letGo();
  await page.locator('#app > main:not([aria-busy]) .verdict').waitFor(WAIT);
  expect(await first.count()).toBe(0);
  expect(await places(page)).toEqual(before);
  expect(await page.locator('[role=status]').allInnerTexts()).not.toContain(
    expect.stringContaining('It serves'),
  );
  await page.context().close();
});

test('it is shown to nobody who asks for something else', async () => {
  for (const [locale, hash] of [
    ['ru-RU', ''],
    ['zh-CN', ''],
    ['en-US', '#v=2&g=t4'],
  ] as const) {
    const { page, letGo } = await held(SCRIPT, locale, hash);
    expect(await page.locator('.first .verdict').isVisible()).toBe(false);
    expect(await page.locator('.boot').isVisible()).toBe(true);
    letGo();
    await page.locator('#app > main:not([aria-busy]) .verdict').waitFor(WAIT);
    await page.context().close();
  }
});

test('by a link the inputs are there before the core, and what is typed into them stays', async () => {
  const { page, letGo } = await held(CORE, 'en-US', '#v=2&m=Qwen/Qwen3-8B&c=4096');
  await page.locator('#app > main[aria-busy]').waitFor(WAIT);
  expect(await page.inputValue('#model')).toBe('Qwen/Qwen3-8B');
  expect(await page.locator('.verdict').innerText()).toContain('Working it out');
  await page.fill('#context', '3072');
  letGo();
  await expect
    .poll(() => page.locator('.setup').innerText(), WAIT)
    .toContain('Qwen/Qwen3-8B on 1 × A100 SXM4 80GB with vLLM 0.28.0 at 3,072 tokens');
  expect(await page.inputValue('#context')).toBe('3072');
  await page.context().close();
});

test('it says what the page says', async () => {
  const page = await browser.newPage({ locale: 'en-US' });
  await opened(page, home.url);
  const both = await page.evaluate(async () => {
    const text = await (await fetch('./')).text();
    const kept = new DOMParser().parseFromString(text, 'text/html');
    const parts = ['header', '.verdict', '.inputs > summary', 'svg.bar', '#memory-table', 'footer'];
    // Who wrote it tells by comments, blanks, and the order of attributes.
    const bare = (part: Element) => {
      for (const one of [part, ...part.querySelectorAll('*')]) {
        const attributes = [...one.attributes].sort((a, b) => a.name.localeCompare(b.name));
        for (const { name } of attributes) one.removeAttribute(name);
        for (const { name, value } of attributes) one.setAttribute(name, value);
      }
      return part.outerHTML
        .replaceAll(/<!--.*?-->/gs, '')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(/ (?=[<>])|(?<=>) /g, '');
    };
    const told = (from: ParentNode) =>
      parts.map((part) => bare(from.querySelector(part)?.cloneNode(true) as Element));
    return { kept: told(kept.querySelector('.first') as Element), live: told(document) };
  });
  expect(both.kept).toEqual(both.live);
  await page.context().close();
});
