import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { answered, figure, launch, site, WAIT } from './browser';
import { swept } from './sweep';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

const WORKED = { timeout: 90_000 };
const engines = ['vllm', 'sglang', 'trtllm', 'llamacpp'];

interface Fact {
  group: string;
  term: string;
  starts: number;
  median_error: number | null;
  p90_error: number | null;
  held: number | null;
  naive_median_error: number | null;
  original_median_error: number | null;
}

interface Published {
  rows: number;
  used: number;
  excluded: number;
  groups: Fact[];
  follows: { term: string; starts: number; exact: number }[];
}

const published = Object.fromEntries(
  engines.map((engine) => {
    const file = new URL(`../../core/data/accuracy/${engine}.json`, import.meta.url);
    return [engine, JSON.parse(readFileSync(file, 'utf8')) as Published];
  }),
);
const total = (field: 'rows' | 'used' | 'excluded') =>
  engines.reduce((sum, engine) => sum + (published[engine]?.[field] ?? 0), 0);

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  await page.goto(`${home.url}accuracy.html${hash}`);
  await page.locator('#accuracy-ready').waitFor(WORKED);
  return page;
}

/** Cells of the summary for an engine and a term, without the name. */
const cells = (page: Page, engine: string, term: string) =>
  page
    .locator(`.accuracy-summary tbody[data-engine="${engine}"] tr[data-term="${term}"]`)
    .first()
    .locator('td')
    .allTextContents();

const number = (text: string) => Number(text.replace(/[,\s%]/g, ''));
const shown = (page: Page) => page.locator('.accuracy-shown [role="status"]').innerText();
const rowIds = (page: Page) =>
  page
    .locator('.accuracy-rows tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row') ?? ''));

async function showAll(page: Page) {
  const more = page.locator('#accuracy-all');
  if ((await more.count()) > 0) await more.click();
}

describe('the accuracy page', () => {
  test('works all starts out and shows the published figures', async () => {
    const page = await open();
    expect(await page.locator('#accuracy-ready').innerText()).toBe(
      `${total('used')} starts worked out in this browser, of ${total('rows')} rows at hand.`,
    );
    expect(await page.locator('[role="alert"]').count()).toBe(0);
    for (const engine of engines) {
      const all = published[engine]?.groups.filter(({ group }) => group === 'all') ?? [];
      for (const fact of all) {
        const [starts, ...shares] = (await cells(page, engine, fact.term)).map((cell) =>
          cell.trim(),
        );
        expect(number(starts ?? '')).toBe(fact.starts);
        const wanted = [fact.median_error, fact.p90_error, fact.held];
        const others = [fact.naive_median_error, fact.original_median_error];
        for (const [index, share] of [...wanted, ...others].entries()) {
          const text = shares[index] ?? '';
          if (share !== null) {
            // The page rounds to two digits, one, or none.
            const digits = /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
            expect(Math.abs(number(text) - share * 100)).toBeLessThan(0.51 * 10 ** -digits);
          } else if (index < wanted.length) {
            expect(text).toBe('too few');
          } else {
            expect(['', 'too few']).toContain(text);
          }
        }
      }
    }
    await page.context().close();
  });

  test('shows what follows from the logs and why rows are left out, as published', async () => {
    const page = await open();
    for (const engine of engines) {
      for (const { term, starts, exact } of published[engine]?.follows ?? []) {
        const cell = page.locator(
          `.accuracy-follows tr[data-term="${term}"] td[data-engine="${engine}"]`,
        );
        expect(await cell.innerText()).toBe(`${exact} of ${starts}`);
      }
    }
    const sums = await page.locator('.accuracy-reasons tbody td:last-child').allTextContents();
    expect(sums.map(number).reduce((a, b) => a + b)).toBe(total('excluded'));
    await page.locator('.accuracy-more summary', { hasText: 'Every row left out' }).click();
    await page.locator('.accuracy-left-out tbody tr').first().waitFor(WAIT);
    expect(await page.locator('.accuracy-left-out tbody tr').count()).toBe(total('excluded'));
    await page.context().close();
  });

  test('the choice narrows figures and rows, and the address keeps it', async () => {
    const page = await open();
    const everything = await shown(page);
    await page.selectOption('#accuracy-engine', 'vllm');
    const facts = published.vllm?.groups ?? [];
    const pool = facts.find(({ group, term }) => group === 'all' && term === 'kv_pool');
    await expect.poll(() => shown(page), WAIT).toBe(`${pool?.starts} starts shown`);
    expect(await page.locator('.accuracy-summary tbody').count()).toBeGreaterThan(0);
    expect(await page.locator('.accuracy-summary tbody[data-engine="sglang"]').count()).toBe(0);
    const era = facts.find(({ group, term }) => group !== 'all' && term === 'kv_pool');
    await page.selectOption('#accuracy-version', `vllm:${era?.group}`);
    await expect.poll(() => shown(page), WAIT).toBe(`${era?.starts} starts shown`);
    await page.selectOption('#accuracy-term', 'weights');
    await page.selectOption('#accuracy-range', 'out');
    await showAll(page);
    for (const held of await page.locator('.accuracy-rows .accuracy-held').all()) {
      expect(await held.getAttribute('data-held')).toBe('no');
    }
    const ids = await rowIds(page);
    expect(ids.length).toBeGreaterThan(0);
    const again = await open(new URL(page.url()).hash);
    await showAll(again);
    expect(await rowIds(again)).toEqual(ids);
    await again.context().close();
    await page.click('#accuracy-clear');
    await page.selectOption('#accuracy-term', 'kv_pool');
    await expect.poll(() => shown(page), WAIT).toBe(everything);
    expect(new URL(page.url()).hash).toBe('');
    await page.context().close();
  });

  test('kinds of models are told by the report', async () => {
    const page = await open('#kind=mla');
    await showAll(page);
    const names = await page.locator('.accuracy-rows .accuracy-name').allTextContents();
    expect(names.length).toBeGreaterThan(10);
    for (const name of names) expect(name).toMatch(/deepseek|kimi|glm|minicpm|mistral-large-3/i);
    await page.context().close();
  });

  test('columns sort by keyboard, and say so', async () => {
    const page = await open('#engine=llamacpp');
    const heading = page.locator('.accuracy-rows th', { hasText: 'Measured' });
    await heading.locator('button').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.getAttribute('aria-sort'), WAIT).toBe('descending');
    const column = async () =>
      (await page.locator('.accuracy-rows tbody td:nth-child(3)').allTextContents()).map(number);
    const falling = await column();
    expect(falling).toEqual([...falling].sort((a, b) => b - a));
    await page.keyboard.press('Enter');
    await expect.poll(() => heading.getAttribute('aria-sort'), WAIT).toBe('ascending');
    expect(await column()).toEqual([...falling].reverse());
    await page.context().close();
  });

  test('a start opens in the calculator with the same pool', async () => {
    const page = await open('#engine=vllm');
    await showAll(page);
    for (const id of [
      'file-5070ti-14b-nvfp4',
      'glm52-nvfp4-tp4',
      'llmd-019-openai-gpt-oss-20b-tp2pp1dp1--8192',
    ]) {
      const row = page.locator(`.accuracy-rows tr[data-row="${id}"]`);
      const pool = (await row.locator('td').nth(2).locator('span').first().innerText()).trim();
      const href = (await row.locator('a.accuracy-open').getAttribute('href')) ?? '';
      const there = await page.context().newPage();
      await there.goto(new URL(href, page.url()).href);
      await answered(there);
      expect(await figure(there, 'pool')).toBe(pool);
      await there.close();
    }
    await page.context().close();
  });

  test('asks nobody for anything but its own files', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${home.url}accuracy.html`);
    await page.locator('#accuracy-ready').waitFor(WORKED);
    expect(asked.filter((url) => !url.startsWith(home.url))).toEqual([]);
    await context.close();
  });
});

const LOG = `INFO 03-01 10:00:00 [api_server.py:1] vLLM API server version 0.11.0
INFO 03-01 10:00:00 [utils.py:233] non-default args: {'model': 'Qwen/Qwen3-8B', 'max_model_len': 8192}
INFO 03-01 10:00:10 [gpu_model_runner.py:2602] Model loading took 15.2683 GiB and 3.4 seconds
INFO 03-01 10:00:40 [gpu_worker.py:298] Available KV cache memory: 5.01 GiB
INFO 03-01 10:00:41 [kv_cache_utils.py:1087] GPU KV cache size: 36,480 tokens
INFO 03-01 10:00:41 [kv_cache_utils.py:1091] Maximum concurrency for 8,192 tokens per request: 4.45x
`;

test('a pasted log becomes a row, and what it lacks is told', async () => {
  const page = await open();
  expect(await page.locator('#accuracy-read').isDisabled()).toBe(true);
  await page.fill('#accuracy-send-log', 'hello');
  await page.click('#accuracy-read');
  await page.locator('#accuracy-problem').waitFor(WAIT);
  await page.fill('#accuracy-send-log', LOG);
  await page.fill('#accuracy-send-command', 'vllm serve Qwen/Qwen3-8B --max-num-seqs 64');
  await page.click('#accuracy-read');
  await expect
    .poll(() => page.locator('#accuracy-lacks').innerText(), WAIT)
    .toBe('Still missing, and a row without it is left out: address, card.');
  await page.fill('#accuracy-send-card', 'RTX 4090');
  await page.fill('#accuracy-send-source', 'https://github.com/org/name/issues/7');
  await expect
    .poll(() => page.locator('#accuracy-lacks').innerText(), WAIT)
    .toBe('Nothing that decides memory is missing.');
  await page.click('#accuracy-read');
  const against = page.locator('.accuracy-against tbody tr');
  await expect.poll(() => against.count(), WAIT).toBeGreaterThan(2);
  expect(await against.locator('[data-held="yes"]').count()).toBeGreaterThan(1);
  const row = JSON.parse((await page.locator('.accuracy-made pre').textContent()) ?? '');
  expect(row).toMatchObject({
    engine: 'vllm',
    engine_version: '0.11.0',
    model: 'Qwen/Qwen3-8B',
    gpu: 'RTX 4090',
    source: 'https://github.com/org/name/issues/7',
    max_num_seqs: 64,
    weights_gib: 15.2683,
    kv_cache_gib: 5.01,
    kv_tokens: 36480,
    max_concurrency: 4.45,
  });
  expect(JSON.stringify(row)).not.toContain('INFO');
  await page.context().close();
});

const looks = (['en', 'ru', 'zh'] as const).flatMap((lang) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ lang, colorScheme })),
);

describe.each(swept(looks, 6, 3))('in $lang, $colorScheme', ({ lang, colorScheme }) => {
  const width = lang === 'en' && colorScheme === 'dark' ? 1280 : 360;

  test(`no faults, nothing wider than a screen of ${width} px`, async () => {
    const page = await open('', { locale: lang, colorScheme, viewport: { width, height: 900 } });
    expect(await page.locator('html').getAttribute('lang')).toBe(lang);
    // The long tables have the same cells in every language.
    if (lang === 'en') {
      await page.evaluate(() => {
        for (const part of document.querySelectorAll('details')) part.open = true;
      });
      await page.locator('.accuracy-left-out tbody tr').first().waitFor(WAIT);
    }
    await page.fill('#accuracy-send-log', LOG);
    await page.click('#accuracy-read');
    await page.locator('.accuracy-made pre').waitFor(WAIT);
    expect(await violations(page)).toEqual([]);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(over).toBeLessThanOrEqual(0);
    await page.context().close();
  });
});

test('language and theme change in place', async () => {
  const page = await open();
  await page.selectOption('#language', 'ru');
  await expect
    .poll(() => page.locator('#accuracy-summary').innerText(), WAIT)
    .toBe('Насколько точно');
  expect(await page.locator('html').getAttribute('lang')).toBe('ru');
  await page.selectOption('#theme', 'contrast');
  expect(await page.locator('html').getAttribute('data-theme')).toBe('contrast');
  expect(await violations(page)).toEqual([]);
  await page.context().close();
});

test('the speeds open by keyboard, narrow, and have no faults', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 900 }, locale: 'en' });
  const loaded: string[] = [];
  page.on('request', (request) => loaded.push(request.url()));
  const data = () => loaded.filter((url) => /assets\/speed-/.test(url));
  await page.goto(`${home.url}accuracy.html`);
  await page.locator('.accuracy-parts a').last().waitFor(WAIT);
  expect(data()).toEqual([]);
  await page.locator('.accuracy-parts a').last().focus();
  await page.keyboard.press('Enter');
  await page.locator('.speed-summary').waitFor(WAIT);
  expect(data().length).toBeGreaterThan(0);
  const row = page.locator('.speed-summary [data-figure="tpot"] [data-group="data centre, dense"]');
  expect(number((await row.locator('td').first().innerText()) ?? '')).toBeGreaterThan(100);
  const every = await shown(page);
  await page.selectOption('#speed-figure', 'ttft');
  await page.selectOption('#speed-engine', 'sglang');
  await page.selectOption('#speed-kind', 'moe');
  expect(new URL(page.url()).hash).toBe('#part=speed&figure=ttft&engine=sglang&kind=moe');
  const narrowed = await shown(page);
  expect(narrowed).not.toBe(every);
  expect(await page.locator('.chart[data-chart="speed-ttft"] .chart-save').count()).toBe(2);
  expect(await page.locator('.speed-rows a.accuracy-open').first().getAttribute('href')).toMatch(
    /^\.\/#v=\d.*e=sglang/,
  );
  expect(await violations(page)).toEqual([]);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(over).toBeLessThanOrEqual(0);
  await page.reload();
  await expect.poll(() => shown(page), WAIT).toBe(narrowed);
  await page.close();
});
