import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { ask, evaluate, type Report, type Request } from 'ridgepoint';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { answered, launch, opened, site, WAIT } from './browser';
import { swept } from './sweep';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const fresh = await browser.newPage({ reducedMotion: 'reduce', ...options });
  fresh.on('pageerror', (error) => faults.push(String(error)));
  fresh.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return opened(fresh, home.url + hash);
}

beforeEach(() => {
  faults = [];
});
afterEach(async () => {
  expect(faults).toEqual([]);
  for (const context of browser.contexts()) await context.close();
});

const base: Request = {
  model: { id: 'meta-llama/Meta-Llama-3-8B' },
  gpu: { id: 'a100-sxm-80gb', count: 1 },
  engine: { name: 'vllm', version: '0.28.0' },
  workload: { context: 8192, prompt: 2048, output: 256, concurrency: 16 },
};

const side = (name: 'a' | 'b') => page.locator(`#compare-${name}`);
const requests = (name: 'a' | 'b') =>
  page.locator(`[data-n="compare-${name}-requests"]`).innerText(WAIT);
const button = (name: string) => page.getByRole('button', { name, exact: true });

/** The bytes in the tooltip of a size. */
async function bytes(selector: string): Promise<number[]> {
  const titles = await page
    .locator(selector)
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('title') ?? ''));
  return titles.map((title) =>
    Number(/\((-?[\d,]+) bytes?\)/.exec(title)?.[1]?.replaceAll(',', '')),
  );
}

const settled = () =>
  expect
    .poll(() => page.locator('.compare-differences').getAttribute('aria-busy'), WAIT)
    .toBe('false');

describe('two setups', () => {
  beforeEach(async () => {
    page = await open('#v=2&t=compare');
    await answered(page);
  });

  test('start as a copy, and say that nothing differs', async () => {
    await button('Copy this setup to B and change one thing').click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('compare-title');
    expect(await requests('b')).toBe(await requests('a'));
    await expect
      .poll(() => page.locator('#compare-pool h4').innerText())
      .toContain('no difference');
    expect(await page.locator('.answer').innerText()).toContain('Both setups are the same');
    expect(await button('B').getAttribute('aria-pressed')).toBe('true');
  });

  test('a change in B is told term by term, as the core tells it, and adds up', async () => {
    await button('Copy this setup to B and change one thing').click();
    await page.locator('#count').fill('2');
    const other: Request = { ...base, gpu: { ...base.gpu, count: 2 } };
    const told = await ask('compare', {
      setups: [
        { label: 'A', request: base },
        { label: 'B', request: other },
      ],
    });
    if (!('differences' in told)) throw new Error(JSON.stringify(told));
    const [{ pool, requests: more, text }] = told.differences as [(typeof told.differences)[0]];
    await expect
      .poll(() => bytes('#compare-pool tfoot .compare-signed'), WAIT)
      .toEqual([pool.difference]);
    const parts = await bytes('#compare-pool tbody .compare-signed');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, part) => sum + part)).toBe(pool.difference);
    expect(parts).toEqual(
      pool.terms.map(({ difference }) => difference).filter((difference) => difference !== 0),
    );
    const signed = await page.locator('#compare-requests tbody .compare-signed').allInnerTexts();
    const counted = signed.map((one) => Number(one.replace('−', '-').replace('+', '')));
    expect(counted.reduce((sum, part) => sum + part)).toBe(more.difference);
    expect(await requests('b')).toBe(String(Number(await requests('a')) + more.difference));
    const path = await bytes('#compare-path .compare-signed[title]');
    expect(path.reduce((sum, part) => sum + part)).toBe(pool.difference);
    expect(await page.locator('.compare-words p').allInnerTexts()).toEqual(text);
    expect(await page.locator('table.compare-inputs tbody tr').allInnerTexts()).toEqual([
      'Count\t1\t2',
    ]);
    await expect.poll(() => page.locator('.compare-memory svg.stacks').count()).toBe(1);
  });

  test('are copied, swapped and removed by keyboard, and each step is taken back', async () => {
    await page.locator('#compare-copy').press('Enter');
    await page.locator('#gpu').fill('t4');
    await page.locator('#gpu').press('Enter');
    await expect.poll(() => side('b').getAttribute('data-serves'), WAIT).toBe('no');
    const setups = () => page.locator('.compare-setup').allInnerTexts();
    const before = await setups();
    expect(before[1]).toContain('T4');
    const undo = async () => {
      await page.locator('#undo').press('Enter');
      await expect.poll(setups).toEqual(before);
    };
    await button('Swap').press('Enter');
    expect(await setups()).toEqual([...before].reverse());
    expect(await side('a').getAttribute('data-serves')).toBe('no');
    // The setup at hand stays the one at hand.
    expect(await button('A').getAttribute('aria-pressed')).toBe('true');
    await undo();
    await button('Copy A to B').press('Enter');
    expect(await setups()).toEqual([before[0], before[0]]);
    expect(await page.locator('.notice:not(.update)').innerText()).toContain('B is a copy of A');
    await undo();
    await button('Copy B to A').press('Enter');
    expect(await setups()).toEqual([before[1], before[1]]);
    await undo();
    await button('Remove B').press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('compare-copy');
    await undo();
  });

  test('the inputs show the side that is switched on, and change no other', async () => {
    await button('B with 2 cards').click();
    expect(await page.locator('#count').inputValue()).toBe('2');
    await button('Edit A').click();
    expect(await page.locator('#count').inputValue()).toBe('1');
    const second = await requests('b');
    const first = await requests('a');
    await page.locator('#context').fill('4096');
    await expect.poll(() => requests('a')).not.toBe(first);
    expect(await requests('b')).toBe(second);
    await expect
      .poll(() => page.locator('table.compare-inputs tbody tr').allInnerTexts())
      .toEqual(['Count\t1\t2', 'Context\t4,096\t8,192']);
  });

  test.each([
    ['B with FP8 keys and values', '--kv-cache-dtype\tnot set\tfp8'],
    ['B with H100 SXM5 80GB', 'Card\tA100 SXM4 80GB\tH100 SXM5 80GB'],
    ['B with SGLang', 'Engine\tvLLM\tSGLang'],
  ])('%s is made from the ready variation', async (name, row) => {
    await button(name).click();
    await settled();
    expect(await page.locator('table.compare-inputs tbody tr').allInnerTexts()).toContain(row);
    const totals = page.locator('.compare-parted h4 [data-n]');
    await expect.poll(async () => (await totals.allInnerTexts()).join(' '), WAIT).toMatch(/[+−]\d/);
  });

  test('a side without an answer says why, and the way to the field', async () => {
    await button('B with 2 cards').click();
    await settled();
    await button('Edit A').click();
    await page.locator('#gpu').fill('no such card');
    await page.locator('#gpu').press('Tab');
    await expect.poll(() => side('a').innerText()).toContain('No card is known');
    expect(await side('a').getAttribute('data-stale')).not.toBeNull();
    expect(await side('b').getAttribute('data-stale')).toBeNull();
    await button('Edit B').click();
    await side('a').getByRole('button', { name: 'Go to the field' }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('gpu');
    expect(await page.locator('#gpu').inputValue()).toBe('no such card');
  });

  test('go back and forward, and open by link in a clean profile', async () => {
    await button('B with 2 cards').click();
    await settled();
    await expect.poll(() => page.url(), WAIT).toContain('&b=');
    const shown = async (at: Page) => [
      await at.locator('.compare-setup').allInnerTexts(),
      await at.locator('#compare-pool h4').innerText(WAIT),
    ];
    const here = await shown(page);
    const elsewhere = await open(new URL(page.url()).hash);
    await elsewhere.locator('#compare-pool').waitFor(WAIT);
    expect(await shown(elsewhere)).toEqual(here);
    await page.goBack();
    await expect.poll(() => side('b').count(), WAIT).toBe(0);
    await page.goForward();
    await expect.poll(() => side('b').count(), WAIT).toBe(1);
    await page.locator('#compare-pool').waitFor(WAIT);
    expect(await shown(page)).toEqual(here);
  });

  test('are saved as Markdown and CSV that say what A and B are', async () => {
    await button('B with 2 cards').click();
    await settled();
    for (const form of ['Markdown', 'CSV']) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        button(`Save ${form}`).click(),
      ]);
      const text = readFileSync(await download.path(), 'utf8');
      expect(text).toContain('A: meta-llama/Meta-Llama-3-8B on 1 × A100 SXM4 80GB');
      expect(text).toContain('B: meta-llama/Meta-Llama-3-8B on 2 × A100 SXM4 80GB');
    }
  });
});

describe('the engines', () => {
  const rows = () => page.locator('.engines-row');
  const shown = (engine: string, key: string) =>
    page.locator(`[data-n="engines-${engine}-${key}"]`).innerText(WAIT);

  test('each shows what the core answers for the same model, card and load', async () => {
    page = await open('#v=2&f.kv-cache-dtype=fp8&t=engines');
    await answered(page);
    expect(await rows().count()).toBe(4);
    for (const name of ['vllm', 'sglang', 'trtllm', 'llamacpp']) {
      const engine =
        name === 'vllm' ? { ...base.engine, args: { 'kv-cache-dtype': 'fp8' } } : { name };
      const report = (await evaluate({ ...base, engine })) as Report;
      const { capacity, memory, speed } = report;
      expect(await shown(name, 'requests')).toBe(String(capacity.max_requests.best));
      expect(await shown(name, 'pool')).toBe((memory.per_gpu.kv_pool.best / 2 ** 30).toFixed(2));
      expect(Number(await shown(name, 'tpot'))).toBeCloseTo((speed?.tpot_s.best ?? 0) * 1000, 0);
      await expect
        .poll(() => page.locator(`#engines-${name} code`).first().innerText(), WAIT)
        .toMatch(/^--/);
    }
    expect(await page.locator('.engines-label').allInnerTexts()).toHaveLength(4);
  });

  test('another version is another answer', async () => {
    page = await open('#v=2&t=engines');
    const newest = await shown('sglang', 'pool');
    await page.locator('#engines-sglang select').selectOption('0.4.0');
    await expect.poll(() => shown('sglang', 'pool'), WAIT).not.toBe(newest);
    const engine = { name: 'sglang', version: '0.4.0' };
    const { memory } = (await evaluate({ ...base, engine })) as Report;
    expect(await shown('sglang', 'pool')).toBe((memory.per_gpu.kv_pool.best / 2 ** 30).toFixed(2));
  });

  test('one that does not know the card says so in its row, and the others answer', async () => {
    page = await open('#v=2&g=mi300x&t=engines');
    await answered(page);
    await expect
      .poll(() => page.locator('#engines-trtllm').innerText(), WAIT)
      .toContain("TensorRT-LLM's memory on Instinct MI300X is not computed");
    expect(await shown('sglang', 'verdict')).toBe('It serves');
    await expect.poll(() => page.locator('.engines-label').count(), WAIT).toBe(3);
  });

  test('one that does not start says what mends it, and doing so serves', async () => {
    page = await open('#v=2&g=t4&t=engines');
    await answered(page, 'It does not start');
    const mend = page.locator('#engines-sglang').getByRole('button', { name: /^Use SGLang with/ });
    await mend.click(WAIT);
    await answered(page);
    expect(await page.locator('.verdict .setup').innerText()).toContain('SGLang');
  });

  test('is used, or put beside the setup as B', async () => {
    page = await open('#v=2&t=engines&f.max-num-seqs=8');
    await shown('llamacpp', 'requests');
    await page.getByRole('button', { name: /^Compare with this: SGLang/ }).click();
    await expect.poll(() => page.locator('.compare-setup').count(), WAIT).toBe(2);
    expect(await page.locator('.compare-setup').allInnerTexts()).toEqual([
      'meta-llama/Meta-Llama-3-8B on 1 × A100 SXM4 80GB with vLLM 0.28.0 at 8,192 tokens',
      expect.stringContaining('with SGLang 0.5'),
    ]);
    await page.locator('#undo').click();
    await page.locator('#room-engines').click();
    await page.getByRole('button', { name: /^Use this engine: llama.cpp/ }).click();
    await expect.poll(() => page.locator('.verdict .setup').innerText()).toContain('llama.cpp');
    await page.locator('#undo').click();
    expect(await page.locator('.verdict .setup').innerText()).toContain('vLLM 0.28.0');
    expect(await page.locator('.engines-row').first().innerText()).toContain('in the inputs');
  });
});

const langs = ['en', 'ru', 'zh'] as const;
const looks = langs.flatMap((lang) => [
  { lang, width: 390, colorScheme: 'light' as const },
  { lang, width: 1280, colorScheme: 'dark' as const },
]);

describe.each(swept(looks, 6, 3))(
  '$lang at $width px, $colorScheme',
  ({ lang, width, colorScheme }) => {
    const second = new URLSearchParams({ v: '2', g: 't4', n: '2', e: 'sglang', ev: '' });

    test.each([
      ['nothing to compare yet', '&t=compare', '.compare-variations'],
      ['two setups', `&t=compare&b=${encodeURIComponent(String(second))}`, '#compare-path'],
      ['the engines', '&t=engines', '#engines-llamacpp .engines-facts code'],
      [
        'engines without an answer',
        '&g=gaudi3&e=llamacpp&t=engines',
        '.engines-title, #engines-title',
      ],
    ])('%s: no accessibility faults, nothing sideways', async (_, hash, there) => {
      page = await open(`#v=2${hash}`, {
        viewport: { width, height: 900 },
        colorScheme,
        locale: lang,
      });
      await page.locator(there).first().waitFor(WAIT);
      await expect.poll(() => page.locator('.answer .waiting').count(), WAIT).toBe(0);
      await expect.poll(() => page.locator('[data-changed]').count(), WAIT).toBe(0);
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider).toBe(0);
      await page.evaluate(axe);
      const found = await page.evaluate(async () => {
        const { axe: checker } = window as unknown as { axe: typeof Axe };
        const { violations } = await checker.run(document);
        return violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
        );
      });
      expect(found).toEqual([]);
    });
  },
);
