import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { answered, figure, launch, opened, shownRequest, site, WAIT } from './browser';

// "What fits" and "Find cards" in a real browser: the pictures, the keyboard's way through them, and
// what is taken over from them.
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

const LLAMA = '#v=1&m=meta-llama/Llama-3.1-8B&c=8192&r=16';

interface Look {
  width?: number;
  colorScheme?: 'light' | 'dark';
  locale?: string;
}

async function room(name: string, hash = LLAMA, look: Look = {}): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: look.width ?? 1280, height: 900 },
    colorScheme: look.colorScheme ?? 'light',
    locale: look.locale ?? 'en',
    reducedMotion: 'reduce',
  });
  await opened(page, home.url + hash);
  await page.locator(`#room-${name}`).click();
  return page;
}

const close = (page: Page) => page.context().close();
const grid = (page: Page) => page.locator('.heat[role=grid]');
const drawn = (page: Page) => grid(page).locator('[role=gridcell]').first().waitFor(WAIT);
const found = (page: Page) => page.locator('.find-card').first().waitFor(WAIT);
const focusedCell = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

/** Text of a picture that is smaller than people read, or lies outside of it. */
const badText = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<SVGTextElement>('.chart-picture svg text')].flatMap((text) => {
      const size = Number.parseFloat(getComputedStyle(text).fontSize);
      const svg = text.ownerSVGElement as SVGSVGElement;
      const scale = svg.getScreenCTM()?.a ?? 1;
      const box = text.getBoundingClientRect();
      const outside = box.width > 0 && (box.left < -1 || box.right > innerWidth + 1);
      return size * scale < 10.9 || outside ? [`${text.textContent} ${size * scale}`] : [];
    }),
  );

/** Labels of a picture that lie over each other. */
const overlaps = (page: Page, selector: string) =>
  page.evaluate((which) => {
    const boxes = [...document.querySelectorAll(which)].map((one) => ({
      text: one.textContent,
      box: one.getBoundingClientRect(),
    }));
    return boxes.flatMap((a, index) =>
      boxes
        .slice(index + 1)
        .filter(
          (b) =>
            a.box.left < b.box.right - 0.5 &&
            b.box.left < a.box.right - 0.5 &&
            a.box.top < b.box.bottom - 3 &&
            b.box.top < a.box.bottom - 3,
        )
        .map((b) => `${a.text} / ${b.text}`),
    );
  }, selector);

const looks = [320, 390, 1280].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({
    name: `${width} px, ${colorScheme}`,
    width,
    colorScheme,
  })),
);

describe.each(swept(looks, 6))('at $name', (look) => {
  const over = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

  test('what fits has no faults, in both grids and with its tables open', async () => {
    const page = await room('map', LLAMA, look);
    await drawn(page);
    await page.locator('.curve-line').first().waitFor(WAIT);
    for (const table of await page.locator('.chart-table > summary').all()) await table.click();
    expect(await violations(page)).toEqual([]);
    expect(await badText(page)).toEqual([]);
    expect(await overlaps(page, '.heat text')).toEqual([]);
    expect(await overlaps(page, '.curve .chart-tick')).toEqual([]);
    expect(await over(page)).toBeLessThanOrEqual(0);
    await page.getByLabel('weight formats').check();
    await expect.poll(() => grid(page).textContent(), WAIT).toContain('as published');
    expect(await violations(page)).toEqual([]);
    expect(await badText(page)).toEqual([]);
    expect(await overlaps(page, '.heat text')).toEqual([]);
    expect(await over(page)).toBeLessThanOrEqual(0);
    await close(page);
  });

  test('the cards found have none, as cards, as a table, and where there are none', async () => {
    const page = await room('find', LLAMA, look);
    await found(page);
    await expect.poll(() => page.locator('.find-bar').count(), WAIT).toBeGreaterThan(0);
    await page.locator('.find-left > summary').click();
    expect(await violations(page)).toEqual([]);
    expect(await over(page)).toBeLessThanOrEqual(0);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.locator('.find-table').waitFor(WAIT);
    expect(await violations(page)).toEqual([]);
    expect(await over(page)).toBeLessThanOrEqual(0);
    await page.fill('#find-ttft', '0.01');
    await page.locator('.find-empty').waitFor(WAIT);
    expect(await violations(page)).toEqual([]);
    expect(await over(page)).toBeLessThanOrEqual(0);
    await close(page);
  });
});

test.each(['ru', 'zh'])('both views speak %s and fit a phone', async (locale) => {
  const page = await room('map', LLAMA, { width: 390, locale });
  await drawn(page);
  await page.locator('.curve-line').first().waitFor(WAIT);
  expect(await violations(page)).toEqual([]);
  expect(await badText(page)).toEqual([]);
  await page.locator('#room-find').click();
  await found(page);
  expect(await violations(page)).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
  const own = await page.locator('.find-form').innerText();
  expect(own).not.toMatch(/First token|Each further|Weights/);
  await close(page);
});

describe('the grid', () => {
  test('starts at the setup itself and is one stop of the keyboard', async () => {
    const page = await room('map');
    await drawn(page);
    const stops = grid(page).locator('[tabindex="0"]');
    expect(await stops.count()).toBe(1);
    expect(await stops.getAttribute('aria-selected')).toBe('true');
    expect(await stops.getAttribute('aria-label')).toMatch(/^16 requests at once, 8,192 tokens/);
    await close(page);
  });

  test('arrows walk it, and Enter takes the cell over, to be undone', async () => {
    const page = await room('map');
    await drawn(page);
    const before = await figure(page, 'requests');
    await grid(page).locator('[tabindex="0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    expect(await focusedCell(page)).toMatch(/^4 requests at once, 16,384 tokens/);
    expect(await grid(page).locator('[tabindex="0"]').count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.inputValue('#context'), WAIT).toBe('16384');
    expect(await page.inputValue('#concurrency')).toBe('4');
    await answered(page);
    expect(await figure(page, 'requests')).not.toBe(before);
    // The chosen cell moves with the setup, and so does the point of the curve.
    await expect
      .poll(() => grid(page).locator('[aria-selected=true]').getAttribute('aria-label'), WAIT)
      .toMatch(/^4 requests at once, 16,384 tokens/);
    await page.locator('#undo').click();
    expect(await page.inputValue('#context')).toBe('8192');
    expect(await figure(page, 'requests')).toBe(before);
    await close(page);
  });

  test('a cell tells what the core tells of its setup', async () => {
    const page = await room('map');
    await drawn(page);
    const cell = grid(page).locator('[role=gridcell][aria-label^="64 requests at once, 4,096"]');
    const told = await cell.getAttribute('aria-label');
    await cell.click();
    await answered(page);
    const fits = await figure(page, 'requests');
    expect(told).toContain(`${fits} fit at once`);
    expect(Number(await cell.locator('text').textContent())).toBe(Number(fits) - 64);
    await close(page);
  });

  test('a weight format is taken over', async () => {
    const page = await room('map');
    await drawn(page);
    await page.getByLabel('weight formats').check();
    const cell = grid(page).locator('[role=gridcell][aria-label*="INT4"][aria-label*="8,192"]');
    await cell.click({ ...WAIT });
    await page.locator('#room-answer').click();
    await answered(page);
    expect((await shownRequest(page)).model.quant_config).toMatchObject({ bits: 4 });
    await close(page);
  });

  test('a card on which nothing starts is a grid of refusals and a sentence for the curve', async () => {
    const page = await room('map', '#v=1&m=meta-llama/Llama-3.1-8B&g=t4');
    await drawn(page);
    const fits = await grid(page)
      .locator('[role=gridcell]')
      .evaluateAll((cells) => [...new Set(cells.map((cell) => cell.getAttribute('class')))]);
    expect(fits).toEqual(['heat-never']);
    expect(await page.locator('.map-state').innerText()).toContain('Nothing fits at any length');
    await close(page);
  });
});

test('the curve is read by the keyboard and the pointer', async () => {
  const page = await room('map');
  const reader = page.locator('.chart[data-chart=capacity] .chart-reader');
  await reader.waitFor(WAIT);
  const value = () => reader.getAttribute('aria-valuetext');
  expect(await value()).toMatch(/^8,192 tokens: \d+ at once/);
  await reader.focus();
  await page.keyboard.press('End');
  expect(await value()).toMatch(/^131,072 tokens: /);
  expect(await page.locator('.chart[data-chart=capacity] .chart-read').innerText()).toBe(
    await value(),
  );
  await page.keyboard.press('Home');
  expect(await value()).toMatch(/^1,024 tokens: /);
  const box = await reader.boundingBox();
  if (!box) throw new Error('the curve has no place');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  expect(await value()).toMatch(/^1[01],\d\d\d tokens: |^8,192 tokens: /);
  await close(page);
});

describe('a picture as a file', () => {
  async function saved(page: Page, chart: string, form: string) {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator(`.chart[data-chart=${chart}] .chart-files button`, { hasText: form }).click(),
    ]);
    return { name: download.suggestedFilename(), body: readFileSync(await download.path()) };
  }

  test('SVG needs no style sheet and keeps its patterns', async () => {
    const page = await room('map');
    await drawn(page);
    const { name, body } = await saved(page, 'what-fits', 'SVG');
    expect(name).toBe('ridgepoint-what-fits.svg');
    const text = body.toString();
    expect(text).not.toMatch(/class=|style=|var\(|tabindex|role=|aria-/);
    expect(text).toContain('<title>What fits: requests at once by context</title>');
    expect(text).toContain('meta-llama/Llama-3.1-8B');
    for (const [, id] of text.matchAll(/url\(&quot;#([\w-]+)&quot;\)/g)) {
      expect(text).toContain(`id="${id}"`);
    }
    // It stands alone: a page that knows nothing of it shows its colours.
    const alone = await browser.newPage();
    await alone.setContent(`<!doctype html><body>${text}</body>`);
    const fills = await alone
      .locator('svg svg rect')
      .evaluateAll((all) => [...new Set(all.map((one) => getComputedStyle(one).fill))]);
    expect(fills.length).toBeGreaterThan(4);
    expect(await alone.locator('svg svg text').first().isVisible()).toBe(true);
    await close(alone);
    await close(page);
  });

  test('PNG is twice as sharp as the screen', async () => {
    const page = await room('map');
    await page.locator('.curve-line').first().waitFor(WAIT);
    const { name, body } = await saved(page, 'capacity', 'PNG');
    expect(name).toBe('ridgepoint-capacity.png');
    expect(body.subarray(1, 4).toString()).toBe('PNG');
    const width = await page
      .locator('.chart[data-chart=capacity] .chart-picture > svg')
      .evaluate((svg) => svg.getBoundingClientRect().width);
    expect(body.readUInt32BE(16)).toBeGreaterThan(width * 2);
    await close(page);
  });
});

describe('find cards', () => {
  test('the fewest cards come first, and a lower price when asked for', async () => {
    const page = await room('find', '#v=1&m=meta-llama/Meta-Llama-3-70B&c=8192&r=16');
    await found(page);
    const counts = async () =>
      (await page.locator('.find-card h4').allInnerTexts()).map((text) =>
        Number(/(\d+) ×/.exec(text)?.[1]),
      );
    const first = await counts();
    expect(first).toEqual([...first].sort((a, b) => a - b));
    await page.selectOption('#find-rank', 'price');
    const prices = async () =>
      (await page.locator('.find-card').allInnerTexts()).map((text) =>
        Number(/\$([\d.]+) an hour/.exec(text)?.[1] ?? Number.POSITIVE_INFINITY),
      );
    await expect
      .poll(async () => {
        const now = await prices();
        return (now[0] ?? 0) < 100 && now.every((one, i) => i === 0 || one >= (now[i - 1] ?? 0));
      }, WAIT)
      .toBe(true);
    await close(page);
  });

  test('a setup is taken over as it was promised', async () => {
    const page = await room('find', '#v=1&m=meta-llama/Meta-Llama-3-70B&c=8192&r=16');
    await found(page);
    const card = page.locator('.find-card').nth(1);
    const setup = (await card.locator('h4').innerText()).replace(/^\d+\s+/, '');
    const promised = await card.locator('.find-figures dd').first().innerText();
    await card.getByRole('button').click();
    await answered(page);
    expect(`${await page.inputValue('#count')} × ${await page.inputValue('#gpu')}`).toBe(setup);
    expect(promised.startsWith(await figure(page, 'requests'))).toBe(true);
    await page.locator('#undo').click();
    expect(await page.inputValue('#count')).toBe('1');
    await close(page);
  });

  test('what stands in the way can be dropped', async () => {
    const page = await room('find', '#v=1&m=meta-llama/Meta-Llama-3-70B&c=8192&r=16');
    await found(page);
    await page.selectOption('#find-most', '1');
    await page.locator('#find-card').fill('A100 SXM4 80GB');
    await page.keyboard.press('Enter');
    await page.locator('.find-empty').waitFor(WAIT);
    expect(await page.locator('.find-empty').innerText()).toMatch(/Nothing carries the load/);
    await page.getByRole('button', { name: 'Allow up to 2 cards' }).click();
    await page.getByRole('button', { name: 'Allow all cards' }).click();
    await found(page);
    expect(await page.locator('.find-chosen li').count()).toBe(0);
    await close(page);
  });

  test('a time that is none is told at its box, and the last search stays', async () => {
    const page = await room('find');
    await found(page);
    await page.fill('#find-tpot', 'soon');
    expect(await page.locator('#find-tpot-error').innerText()).toContain('milliseconds');
    expect(await page.locator('#find-tpot').getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.find-card').count()).toBeGreaterThan(0);
    await close(page);
  });
});
