import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { answered, launch, opened, site, unfold, WAIT } from './browser';
import { shot } from './shots';
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

const languages = [
  { lang: 'en', locale: 'en-GB', serves: 'It serves', fails: 'It does not start' },
  { lang: 'ru', locale: 'ru-RU', serves: 'Работает', fails: 'Не запустится' },
  { lang: 'zh', locale: 'zh-CN', serves: '可以运行', fails: '无法启动' },
] as const;
const themes = ['light', 'dark', 'contrast'] as const;

/** Texts that are cut: longer than the box they are in, where that box hides what is over. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((one) => {
        const { overflowX, textOverflow, display } = getComputedStyle(one);
        if (display === 'inline' || one.closest('.sr, svg, pre, textarea, .scroll, select'))
          return false;
        // What is typed can be longer than its box.
        if (one instanceof HTMLInputElement && one.value !== '') return false;
        const hides = overflowX === 'hidden' || overflowX === 'clip' || textOverflow === 'ellipsis';
        return hides && one.clientWidth > 2 && one.scrollWidth > one.clientWidth + 1;
      })
      .map((one) => `${one.tagName}#${one.id}.${one.className}: ${one.textContent?.slice(0, 60)}`),
  );

/** Elements that reach over the right edge of the screen and do not scroll by themselves. */
const over = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *, header *')]
      .filter((one) => !one.closest('.scroll, .sr, pre, svg, .options, .menu-body'))
      .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
      .map((one) => `${one.tagName}.${one.className}: ${one.textContent?.slice(0, 60)}`),
  );

/** Numbers and names alone say nothing of the language. */
const untranslated = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const left: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const holder = node.parentElement;
      if (
        !holder ||
        holder.closest('code, pre, script, textarea, [lang="en"], datalist, option, [data-n]')
      )
        continue;
      const text = node.textContent ?? '';
      // Four English words in a row are a sentence that was forgotten.
      if (/\b[a-z]{2,} [a-z]{2,} [a-z]{2,} [a-z]{2,}\b/i.test(text)) left.push(text.trim());
    }
    return left;
  });

describe.each(languages)('$lang', ({ lang, locale, serves, fails }) => {
  test('is chosen from the browser', async () => {
    const page = await browser.newPage({ locale });
    await opened(page, home.url);
    await answered(page, serves);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(lang);
    await page.context().close();
  });

  // Each language in another theme, unless all are swept.
  test.each(
    swept(
      themes,
      themes.length,
      languages.findIndex((one) => one.lang === lang),
    ),
  )('has no accessibility faults in the %s theme', async (theme) => {
    const page = await browser.newPage({ locale, reducedMotion: 'reduce' });
    await opened(page, home.url);
    await page.selectOption('#theme', theme);
    await answered(page, serves);
    await unfold(page);
    expect(await violations(page)).toEqual([]);
    await page.context().close();
  });

  test.each(swept([360, 390, 1280], 2))('nothing is cut off at %d px', async (width) => {
    const page = await browser.newPage({ locale, viewport: { width, height: 844 } });
    await opened(page, home.url);
    await answered(page, serves);
    await shot(page, `answer-${lang}-${width}`);
    await unfold(page);
    expect(await cut(page)).toEqual([]);
    expect(await over(page)).toEqual([]);
    await opened(page, `${home.url}#v=1&g=t4`);
    await page.reload();
    await answered(page, fails);
    await page.locator('#advice .change').first().waitFor(WAIT);
    expect(await cut(page)).toEqual([]);
    expect(await over(page)).toEqual([]);
    await page.context().close();
  });

  test('leaves no sentence in English', async () => {
    if (lang === 'en') return;
    const page = await browser.newPage({ locale });
    await opened(page, home.url);
    await page.locator('#advice [aria-busy=true]').waitFor({ state: 'detached', ...WAIT });
    await page.locator('#accuracy-title').waitFor(WAIT);
    expect(await untranslated(page)).toEqual([]);
    await page.context().close();
  });
});

test('language and theme can be switched, and are kept', async () => {
  const page = await browser.newPage({ locale: 'en-GB' });
  await opened(page, home.url);
  await page.fill('#context', '4096');
  await page.selectOption('#language', 'ru');
  await answered(page, 'Работает');
  await page.selectOption('#theme', 'dark');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await paper();
  await page.reload();
  await answered(page, 'Работает');
  expect(await page.inputValue('#context')).toBe('4096');
  expect(await paper()).toBe(dark);
  await page.selectOption('#theme', 'light');
  expect(await paper()).not.toBe(dark);
  await page.context().close();
});

test('a decimal is read in the reader’s own writing', async () => {
  const page = await browser.newPage({ locale: 'ru-RU' });
  await opened(page, home.url);
  await unfold(page);
  await page.fill('#free', '40,5');
  await answered(page, 'Не запустится');
  await page.fill('#free', '75,5');
  await answered(page, 'Работает');
  await page.fill('#context', '8 192');
  await answered(page, 'Работает');
  await page.context().close();
});

test.each([
  ['touch targets of a phone are large enough', 390],
  ['and of a small one', 360],
])('%s', async (_, width) => {
  const context = await browser.newContext({
    viewport: { width, height: 780 },
    hasTouch: true,
    isMobile: true,
  });
  const page = await context.newPage();
  await opened(page, home.url);
  await unfold(page);
  const small = await page
    .locator('button:visible, select:visible, input:visible, summary:visible, .menu-body a:visible')
    .evaluateAll((all) =>
      all
        // A link inside a sentence is as high as the sentence's line.
        .filter((one) => !one.matches('[type=checkbox], [type=file], p button.link'))
        .map((one) => ({ box: one.getBoundingClientRect(), what: one.outerHTML.slice(0, 90) }))
        .filter(({ box }) => box.height < 43.5)
        .map(({ box, what }) => `${Math.round(box.height)} px: ${what}`),
    );
  expect(small).toEqual([]);
  await context.close();
});
