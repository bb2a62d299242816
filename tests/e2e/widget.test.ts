import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { evaluate, type Report, type Request } from 'ridgepoint';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serve } from '../../web/server.mjs';
import { violations } from './axe';
import { dist, launch, opened, site, WAIT } from './browser';
import { type ForeignPage, type ForeignSite, foreignSite } from './foreign';
import { fixture } from './hub';

// The calculator in pages that are not ours: as an element, as a frame, and in built documentation.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const shots = fileURLToPath(new URL('../../build/results/shots', import.meta.url));
const LLAMA = 'meta-llama/Meta-Llama-3-8B';

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let foreign: ForeignSite;

beforeAll(async () => {
  mkdirSync(shots, { recursive: true });
  [browser, home, foreign] = await Promise.all([launch(), site(), foreignSite()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
  await foreign.stop();
});

interface Calculator extends HTMLElement {
  [property: string]: unknown;
  report: Report | null;
  request: Request | null;
}

const script = () => `<script src="${home.url}widget/ridgepoint-widget.js"></script>`;
const tag = (attributes: string) => `<ridgepoint-calculator ${attributes}></ridgepoint-calculator>`;
const usual = `model="${LLAMA}" gpu="a100-sxm-80gb" engine="vllm@0.28.0" ctx="8192"`;
const calculator = (page: Page) => page.locator('ridgepoint-calculator');
const word = (page: Page) => calculator(page).locator('.word');
const big = (page: Page) => calculator(page).locator('.big').innerText(WAIT);

/** The page's own number, beside which the dialog shows a calculator. */
const ownRequests = (page: Page) =>
  page.locator('section.verdict [data-n="requests"]').innerText(WAIT);

const shoot = (page: Page, name: string) =>
  page.screenshot({ path: join(shots, `widget-${name}.png`), fullPage: true });

interface Visit {
  page: Page;
  faults: string[];
  asked: string[];
}

/** Opens a page of the foreign site; what fails or is asked for on it is noted. */
async function visit(
  what: ForeignPage | string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const page = await browser.newPage({ viewport: { width: 800, height: 700 }, ...options });
  const faults: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(typeof what === 'string' ? what : foreign.page(what));
  return { page, faults, asked };
}

const set = (element: Locator, values: Record<string, unknown>) =>
  element.evaluate((it, all) => {
    Object.assign(it, all);
  }, values);

/** Writes down what the calculators of a page tell it. */
const listening = `<script>
  window.told = [];
  for (const type of ['ridgepoint:report', 'ridgepoint:error'])
    document.addEventListener(type, (event) => told.push({ type, id: event.target.id, detail: event.detail }));
</script>`;

interface Told {
  type: string;
  id: string;
  detail: { request: Request; report: Report; error: { code: string; message: string } };
}
const told = (page: Page) => page.evaluate(() => (window as unknown as { told: Told[] }).told);

describe('the element', () => {
  test('shows what the core answers, from its one script', async () => {
    const { page, faults, asked } = await visit({ body: listening + tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const [first] = await told(page);
    expect(first?.type).toBe('ridgepoint:report');
    const report = (await evaluate(first?.detail.request as Request)) as Report;
    const { advice: _, explain: __, speed: ___, ...short } = report;
    expect(first?.detail.report).toMatchObject(short);
    expect(first?.detail.request).toEqual({
      model: { id: LLAMA },
      gpu: { id: 'a100-sxm-80gb' },
      engine: { name: 'vllm', version: '0.28.0' },
      workload: { context: 8192 },
    });
    expect(await big(page)).toBe(String(report.capacity.max_requests.best));
    expect(await word(page).innerText()).toBe('It serves');
    expect(faults).toEqual([]);
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([
      page.url(),
      `${home.url}widget/ridgepoint-widget.js`,
    ]);
    await page.context().close();
  });

  test('lives under a strict policy, and with trusted types', async () => {
    const policy = `default-src 'none'; script-src ${home.url} 'wasm-unsafe-eval'; img-src data:; require-trusted-types-for 'script'`;
    const { page, faults } = await visit({ body: tag(`${usual} view="full"`) + script(), policy });
    await word(page).waitFor(WAIT);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('keeps its look in a page that styles everything, and the page keeps its own', async () => {
    const clean = '<style>body { margin: 0 }</style>';
    const hostile = `<style>
      :root { --paper: red; --ink: red; --accent: red; --small: 90px; font-size: 3px; color-scheme: light }
      body { margin: 0; direction: rtl; text-align: right; line-height: 5; letter-spacing: 1em; text-transform: uppercase }
      * { all: unset !important; font: 40px fantasy !important; color: red !important; visibility: hidden !important }
      div, p, table, tr, td, th, svg, label, input, select { display: none !important }
      .root, .verdict, .word, .number, .bar, .legend, [part] { position: fixed !important; color: lime !important }
    </style>`;
    const body = `<h1>Page</h1>${tag(`${usual} view="full" concurrency="16"`)}${script()}`;
    const looks = [];
    for (const head of [clean, hostile]) {
      const { page, faults } = await visit({ head, body });
      await word(page).waitFor(WAIT);
      looks.push(
        await calculator(page).evaluate((it) => {
          const top = it.getBoundingClientRect();
          return [...(it.shadowRoot?.querySelectorAll('*') ?? [])].map((one) => {
            const { left, top: y, width, height } = one.getBoundingClientRect();
            const style = getComputedStyle(one);
            const box = (width > 0 ? [left - top.left, y - top.top, width, height] : [])
              .map(Math.round)
              .join(' ');
            const names = [
              'display',
              'visibility',
              'color',
              'fontSize',
              'fontFamily',
              'direction',
            ] as const;
            const values = names.map((name) => style[name]).join(' ');
            return `${one.localName}.${one.getAttribute('class') ?? ''} ${box} ${values} ${style.letterSpacing} ${style.textTransform} ${style.textAlign} ${style.fill}`;
          });
        }),
      );
      expect(await calculator(page).evaluate((it) => getComputedStyle(it).display)).toBe('block');
      const leaked = await page.evaluate(() => [
        document.adoptedStyleSheets.length,
        document.styleSheets.length,
      ]);
      expect(leaked).toEqual([0, 1]);
      expect(faults).toEqual([]);
      await shoot(page, head === clean ? 'clean' : 'hostile');
      await page.context().close();
    }
    expect(looks[0]?.length).toBeGreaterThan(100);
    expect(looks[1]).toEqual(looks[0]);
  });

  test('is read as UTF-8, whatever the page is and its server leaves open', async () => {
    const { page } = await visit({ body: '<main></main>' });
    const file = `${home.url}widget/ridgepoint-widget.js`;
    const body = readFileSync(join(dist, 'widget/ridgepoint-widget.js'));
    await page.route(file, (route) => route.fulfill({ body, contentType: 'text/javascript' }));
    await page.evaluate(
      ([html, src]) => {
        document.body.innerHTML = html as string;
        const added = document.createElement('script');
        added.src = src as string;
        document.body.append(added);
      },
      [tag(`${usual} lang="ru"`), file],
    );
    await word(page).waitFor(WAIT);
    expect(await word(page).innerText()).toBe('Работает');
    await page.context().close();
  });

  test('leaves no name in the page', async () => {
    const names = `<script>window.before = new Set(Object.getOwnPropertyNames(window))</script>`;
    const { page } = await visit({ body: names + tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const fresh = await page.evaluate(() => {
      const { before } = window as unknown as { before: Set<string> };
      return Object.getOwnPropertyNames(window).filter(
        (name) => !before.has(name) && name !== 'before',
      );
    });
    // lit-html counts its versions there.
    expect(fresh.filter((name) => name !== 'litHtmlVersions')).toEqual([]);
    await page.context().close();
  });

  test('answers again when an attribute or a property changes, once for all of them', async () => {
    const { page } = await visit({ body: listening + tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const it = calculator(page);
    await it.evaluate((one) => one.setAttribute('gpu', 'l4:2'));
    await expect.poll(() => big(page), WAIT).not.toBe('56');
    expect((await told(page)).at(-1)?.detail.request.gpu).toEqual({ id: 'l4', count: 2 });
    await set(it, { gpu: 'h100-sxm-80gb', engine: 'sglang', ctx: 4096, concurrency: '8' });
    await expect.poll(async () => (await told(page)).length, WAIT).toBe(3);
    expect((await told(page))[2]?.detail.request).toMatchObject({
      gpu: { id: 'h100-sxm-80gb' },
      engine: { name: 'sglang' },
      workload: { context: 4096, concurrency: 8 },
    });
    expect(await it.getAttribute('ctx')).toBe('4096');
    // The answer can be read at once, and what looks alone changes is no other answer.
    const read = await it.evaluate((one) => {
      const element = one as Calculator;
      element.ctx = 2048;
      const context = element.report?.capacity.context;
      element.theme = 'dark';
      element.lang = 'ru';
      return [context, element.request?.workload?.context];
    });
    expect(read).toEqual([2048, 2048]);
    await expect.poll(() => word(page).innerText(), WAIT).toBe('Работает');
    expect(await told(page)).toHaveLength(4);
    await page.context().close();
  });

  test('reads flags as words and as JSON', async () => {
    const { page } = await visit({ body: listening + tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const it = calculator(page);
    const args = { 'kv-cache-dtype': 'fp8', 'max-num-seqs': 64, 'enforce-eager': true };
    for (const flags of [
      '--kv-cache-dtype fp8 --max-num-seqs=64 --enforce-eager',
      JSON.stringify(args),
      args,
    ]) {
      await set(it, { flags: '' });
      await set(it, { flags });
      expect(await it.evaluate((one) => (one as Calculator).request?.engine.args)).toEqual(args);
    }
    await set(it, { flags: '--kv-cache-dtype' });
    await expect.poll(() => it.locator('.message').innerText(), WAIT).toContain('needs a value');
    expect(await it.evaluate((one) => (one as Calculator).report)).toBeNull();
    await set(it, { flags: '--frobnicate 2' });
    await expect.poll(() => it.locator('.message').innerText(), WAIT).toContain('frobnicate');
    await page.context().close();
  });

  test('takes what was set before its script came, and a second script of the same', async () => {
    const early = `<script>
      const it = document.querySelector('ridgepoint-calculator');
      it.gpu = 'l4'; it.readonly = true; it.view = 'full'; it.config = ${fixture('Qwen--Qwen3-8B')};
    </script>`;
    const { page, faults } = await visit({
      body: listening + tag('model="mine" ctx="4096"') + early + script() + script(),
    });
    await word(page).waitFor(WAIT);
    expect(await calculator(page).locator('.form').count()).toBe(0);
    expect(await calculator(page).getAttribute('readonly')).toBe('');
    expect(await calculator(page).locator('.setup').innerText()).toContain('mine on 1 × L4');
    const [first] = await told(page);
    expect(first?.detail.report.model.layers).toBe(36);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('shares one core with the others on a page, which keep apart', async () => {
    const count = `<script>
      window.started = 0;
      const { instantiate } = WebAssembly;
      WebAssembly.instantiate = (...all) => { started += 1; return instantiate.apply(WebAssembly, all); };
    </script>`;
    const { page } = await visit({
      head: count,
      body: `${listening}${tag(`id="one" ${usual}`)}${tag(`id="two" ${usual} view="full"`)}${script()}`,
    });
    const [one, two] = [page.locator('#one'), page.locator('#two')];
    await two.locator('.word').waitFor(WAIT);
    await set(two, { gpu: 'l4' });
    await expect.poll(() => two.locator('.big').innerText(), WAIT).not.toBe('56');
    expect(await one.locator('.big').innerText()).toBe('56');
    expect(await page.evaluate(() => (window as unknown as { started: number }).started)).toBe(1);
    expect((await told(page)).map(({ id }) => id).sort()).toEqual(['one', 'two', 'two']);
    await page.context().close();
  });

  test('comes back after it was taken out, and is none the worse for it', async () => {
    const { page, faults } = await visit({ body: tag(usual) + script() });
    await word(page).waitFor(WAIT);
    await calculator(page).evaluate((one) => {
      one.remove();
      one.setAttribute('gpu', 'l4');
      document.body.append(one);
    });
    await expect.poll(() => big(page), WAIT).not.toBe('56');
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe('the form', () => {
  const full = `${usual} view="full" concurrency="16"`;
  const field = (page: Page, name: string) =>
    calculator(page).getByLabel(name, { exact: false }).first();

  test('writes the attributes and tells the page', async () => {
    const { page } = await visit({ body: listening + tag(full) + script() });
    await word(page).waitFor(WAIT);
    await field(page, 'Card').selectOption('l4');
    await field(page, 'Count').fill('2');
    await field(page, 'Context').fill('4K');
    await field(page, 'At once').fill('500');
    await expect.poll(() => calculator(page).getAttribute('concurrency'), WAIT).toBe('500');
    const it = calculator(page);
    expect(await it.getAttribute('gpu')).toBe('l4:2');
    expect(await it.getAttribute('ctx')).toBe('4K');
    await expect
      .poll(async () => (await told(page)).at(-1)?.detail.request.workload, WAIT)
      .toEqual({
        context: 4096,
        concurrency: 500,
      });
    expect(await it.locator('.asked').innerText()).toContain('500 asked for');
    await field(page, 'Model').fill('Qwen/Qwen3-8B');
    await expect.poll(() => it.locator('.setup').innerText(), WAIT).toContain('Qwen/Qwen3-8B');
    await page.context().close();
  });

  test('keeps the last answer beside a mistake, and says what is wrong aloud', async () => {
    const { page, faults } = await visit({ body: tag(full) + script() });
    await word(page).waitFor(WAIT);
    await field(page, 'Context').fill('many');
    const it = calculator(page);
    await it.locator('.message').waitFor(WAIT);
    expect(await it.locator('.verdict').getAttribute('data-stale')).toBe('');
    expect(await field(page, 'Context').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => it.locator('[role=status]').textContent(), WAIT).toContain('context');
    await field(page, 'Context').fill('8192');
    await expect.poll(() => it.locator('.message').count(), WAIT).toBe(0);
    await field(page, 'Model').fill('org/elsewhere');
    await expect
      .poll(() => it.locator('.message').innerText(), WAIT)
      .toContain('org/elsewhere is not one of the built-in models');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('gives an engine its flags back', async () => {
    const flagged = `${full} flags="--enforce-eager"`;
    const { page } = await visit({ body: tag(flagged) + script() });
    await word(page).waitFor(WAIT);
    await field(page, 'Engine').selectOption('sglang');
    await expect.poll(() => calculator(page).getAttribute('engine'), WAIT).toBe('sglang');
    expect(await calculator(page).getAttribute('flags')).toBe('');
    expect(await calculator(page).locator('.message').count()).toBe(0);
    await field(page, 'Engine').selectOption('vllm');
    await expect.poll(() => calculator(page).getAttribute('engine'), WAIT).toBe('vllm@0.28.0');
    expect(await calculator(page).getAttribute('flags')).toBe('--enforce-eager');
    await page.context().close();
  });

  test('is there in the full view alone, and not where it is readonly', async () => {
    const { page } = await visit({ body: tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const parts = async () => {
      const count = (part: string) => calculator(page).locator(`[part=${part}]`).count();
      return [await count('bar'), await count('form'), await count('figures')];
    };
    expect(await parts()).toEqual([0, 0, 0]);
    await set(calculator(page), { view: 'bar' });
    expect(await parts()).toEqual([1, 0, 0]);
    await set(calculator(page), { view: 'full' });
    expect(await parts()).toEqual([1, 1, 1]);
    await set(calculator(page), { readonly: true });
    expect(await parts()).toEqual([1, 0, 1]);
    await set(calculator(page), { view: 'anything' });
    expect(await parts()).toEqual([0, 0, 0]);
    await page.context().close();
  });
});

describe('language and look', () => {
  const words = { en: 'It serves', ru: 'Работает', zh: '可以运行' };

  test.each(Object.keys(words) as (keyof typeof words)[])('speaks %s', async (lang) => {
    const { page } = await visit({ body: tag(`${usual} lang="${lang}" view="full"`) + script() });
    await word(page).waitFor(WAIT);
    const other = Object.entries(words).filter(([each]) => each !== lang);
    const text = await calculator(page).locator('.root').innerText();
    for (const [, foreignWord] of other) expect(text).not.toContain(foreignWord);
    if (lang !== 'en')
      expect(text).not.toMatch(/\b(requests?|tokens? in|Weights|Basis|Count|Engine)\b/);
    expect(await calculator(page).locator('.root').getAttribute('lang')).toBe(lang);
    expect(await violations(page)).toEqual(pageOnly);
    await shoot(page, `lang-${lang}`);
    await page.context().close();
  });

  /** What axe finds on a page with nothing on it but the calculator. */
  const pageOnly = [
    expect.stringMatching(/^landmark-one-main/),
    expect.stringMatching(/^page-has-heading-one/),
    expect.stringMatching(/^region/),
  ];

  test('takes the language of the place where it stands', async () => {
    const { page } = await visit({
      root: 'lang="ru-RU"',
      body: `${tag(`id="here" ${usual}`)}<div lang="zh-Hans">${tag(`id="there" ${usual}`)}</div>${script()}`,
    });
    await expect.poll(() => page.locator('#here .word').innerText(WAIT), WAIT).toBe(words.ru);
    const there = await page.locator('#there .word').innerText(WAIT);
    expect(there).not.toBe(words.ru);
    expect(there).not.toBe(words.en);
    await page.context().close();
  });

  test('follows the scheme of the page, unless a theme is set', async () => {
    const head = '<style>:root { color-scheme: light dark }</style>';
    const paper = (page: Page) =>
      calculator(page)
        .locator('.root')
        .evaluate((one) => getComputedStyle(one).backgroundColor);
    const [light, dark, black] = ['rgb(250, 250, 248)', 'rgb(19, 21, 23)', 'rgb(0, 0, 0)'];
    const { page } = await visit({ head, body: tag(usual) + script() }, { colorScheme: 'dark' });
    await word(page).waitFor(WAIT);
    expect(await paper(page)).toBe(dark);
    await set(calculator(page), { theme: 'light' });
    expect(await paper(page)).toBe(light);
    await set(calculator(page), { theme: 'contrast' });
    expect(await paper(page)).toBe(black);
    await page.context().close();
    const still = await visit({ body: tag(usual) + script() }, { colorScheme: 'dark' });
    await word(still.page).waitFor(WAIT);
    expect(await paper(still.page)).toBe(light);
    await still.page.context().close();
  });

  test('takes colours and type by property, and styles by part', async () => {
    const head = `<style>ridgepoint-calculator { --ridgepoint-paper: rgb(1, 2, 3); --ridgepoint-size: 24px }
      ridgepoint-calculator::part(word) { color: rgb(4, 5, 6) }</style>`;
    const { page } = await visit({ head, body: tag(usual) + script() });
    await word(page).waitFor(WAIT);
    const root = calculator(page).locator('.root');
    expect(await root.evaluate((one) => getComputedStyle(one).backgroundColor)).toBe(
      'rgb(1, 2, 3)',
    );
    expect(await root.evaluate((one) => getComputedStyle(one).fontSize)).toBe('24px');
    expect(await word(page).evaluate((one) => getComputedStyle(one).color)).toBe('rgb(4, 5, 6)');
    await page.context().close();
  });

  test.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('is whole at %i px, %s', async (width, colorScheme) => {
    const head =
      '<style>:root { color-scheme: light dark } body { font-family: sans-serif }</style><meta name="viewport" content="width=device-width">';
    const all = [
      tag(usual),
      tag(`${usual} view="bar" concurrency="160"`),
      tag(`${usual} view="full" site="${home.url}"`),
      tag(`model="meta-llama/Meta-Llama-3-70B" gpu="l4" ctx="8192" view="full" readonly`),
      tag(`model="org/unknown" gpu="l4" theme="contrast"`),
    ];
    const { page } = await visit(
      { head, body: `<main><h1>Page</h1>${all.join('<p>text</p>')}</main>${script()}` },
      { viewport: { width, height: 900 }, colorScheme },
    );
    await calculator(page).last().locator('.message').waitFor(WAIT);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
    ).toBeLessThanOrEqual(0);
    const cut = await calculator(page).evaluateAll((some) =>
      some.flatMap((one) =>
        [...(one.shadowRoot?.querySelectorAll('p, td, th, dd, dt, span') ?? [])]
          .filter(
            (part) =>
              part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display === 'block',
          )
          .map((part) => part.textContent),
      ),
    );
    expect(cut).toEqual([]);
    const outside = await calculator(page)
      .locator('.bar .seg')
      .evaluateAll((parts) =>
        parts.flatMap((part) => {
          const [rect, text] = ['rect', 'text'].map((name) =>
            part.querySelector(name)?.getBoundingClientRect(),
          );
          return rect && text && text.right > rect.right ? [part.textContent] : [];
        }),
      );
    expect(outside).toEqual([]);
    expect(await violations(page)).toEqual([]);
    await shoot(page, `${width}-${colorScheme}`);
    await page.context().close();
  });

  test('has targets of a finger’s size where fingers point', async () => {
    const { page } = await visit(
      { body: tag(`${usual} view="full" site="${home.url}"`) + script() },
      { hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } },
    );
    await word(page).waitFor(WAIT);
    const heights = await calculator(page)
      .locator('input, select, a')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.length).toBe(7);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(44);
    await page.context().close();
  });
});

describe('the link to the whole page', () => {
  test('opens the same setup there', async () => {
    const setup = `${usual} concurrency="8" flags="--kv-cache-dtype fp8"`;
    const { page } = await visit({ body: tag(`${setup} site="${home.url}"`) + script() });
    await word(page).waitFor(WAIT);
    const requests = await big(page);
    const href = await calculator(page).locator('a').getAttribute('href');
    await opened(page, String(href));
    expect(await ownRequests(page)).toBe(requests);
    await page.context().close();
  });

  test('is not there unless asked for, nor for what is no address of a page', async () => {
    const { page } = await visit({ body: tag(usual) + script() });
    await word(page).waitFor(WAIT);
    expect(await calculator(page).locator('a').count()).toBe(0);
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'https://']) {
      await set(calculator(page), { site: address });
      await set(calculator(page), { view: 'bar' });
      expect(await calculator(page).locator('a').count()).toBe(0);
    }
    await page.context().close();
  });
});

describe('where there can be no answer', () => {
  const message = (page: Page) => calculator(page).locator('.message').innerText(WAIT);

  test('a policy without WebAssembly is named, in the page’s language', async () => {
    const policy = `default-src 'none'; script-src ${home.url} 'sha256-x' 'unsafe-inline'; img-src data:`;
    for (const [lang, words] of [
      ['en', 'forbids WebAssembly'],
      ['ru', 'запрещает WebAssembly'],
      ['zh', '禁止 WebAssembly'],
    ]) {
      const { page, faults } = await visit({
        root: `lang="${lang}"`,
        body: tag(`${usual} view="full"`) + script(),
        policy: policy.replace(" 'sha256-x' 'unsafe-inline'", ''),
      });
      expect(await message(page)).toContain(words);
      expect(await message(page)).toContain('wasm-unsafe-eval');
      expect(faults.filter((fault) => !fault.includes('Content Security Policy'))).toEqual([]);
      await shoot(page, `forbidden-${lang}`);
      await page.context().close();
    }
  });

  test('the page is told too', async () => {
    const policy = `script-src ${home.url} 'unsafe-inline'`;
    const { page } = await visit({ body: listening + tag(usual) + script(), policy });
    await message(page);
    expect((await told(page)).map(({ type, detail }) => [type, detail.error.code])).toEqual([
      ['ridgepoint:error', 'wasm_forbidden'],
    ]);
    await page.context().close();
  });

  test('a browser without WebAssembly is too', async () => {
    const head = '<script>delete window.WebAssembly</script>';
    const { page, faults } = await visit({ head, body: tag(usual) + script() });
    expect(await message(page)).toContain('has no WebAssembly');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('a model that needs the whole core says so', async () => {
    const { page } = await visit({
      body: `${listening}${tag('gpu="h100-sxm-80gb" ctx="4096"')}${script()}`,
    });
    await message(page);
    await set(calculator(page), { config: JSON.parse(fixture('tiiuae--falcon-7b')) });
    await expect.poll(() => message(page), WAIT).toContain('the whole page of ridgepoint');
    expect((await told(page)).at(-1)?.detail.error.code).toBe('not_here');
    await page.context().close();
  });

  test.each([
    ['', 'No model is given'],
    [`model="${LLAMA}"`, 'No such card'],
    ['model="org/unheard-of" gpu="l4"', 'org/unheard-of is not one of the built-in models'],
    [`model="${LLAMA}" gpu="l5"`, 'No such card'],
    [`model="${LLAMA}" gpu="l4" engine="vlm"`, 'vlm'],
    [`model="${LLAMA}" gpu="l4" flags="{"`, 'JSON'],
    [`model="${LLAMA}" gpu="l4:0"`, 'count must be a whole number'],
  ])('%s: %s', async (attributes, words) => {
    const { page, faults } = await visit({ body: tag(attributes) + script() });
    expect(await message(page)).toContain(words);
    expect(await calculator(page).locator('.verdict').count()).toBe(0);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

describe('the frame', () => {
  const address = (more = '') =>
    `${home.url}embed.html?model=${LLAMA}&amp;gpu=a100-sxm-80gb&amp;engine=vllm@0.28.0&amp;ctx=8192${more}`;
  const framed = (attributes: string, src = address()) =>
    `<main><h1>Page</h1><iframe title="Calculator" width="600" height="100" ${attributes} src="${src}"></iframe></main>`;
  const heard = `<script>
    window.heard = [];
    addEventListener('message', ({ data, origin }) => heard.push({ ...data, origin }));
  </script>`;
  interface Heard {
    type: string;
    origin: string;
    height: number;
    report: Report;
    error: { code: string };
  }
  const messages = (page: Page) =>
    page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
  const inner = (page: Page) =>
    page.frameLocator('iframe').first().locator('ridgepoint-calculator');
  const post = (page: Page, message: object) =>
    page.evaluate((data) => {
      document.querySelector('iframe')?.contentWindow?.postMessage(data, '*');
    }, message);

  test.each([
    ['open', ''],
    ['sandboxed to scripts alone', 'sandbox="allow-scripts"'],
  ])('%s: answers, tells its height, and is set by the page around', async (_, attributes) => {
    const { page, faults } = await visit({ body: heard + framed(attributes) });
    const last = async (type: string) =>
      (await messages(page)).findLast((each) => each.type === type);
    await inner(page).locator('.word').waitFor(WAIT);
    await expect
      .poll(async () => (await messages(page)).some(({ height }) => height > 100), WAIT)
      .toBe(true);
    const first = (await messages(page)).find(({ type }) => type === 'ridgepoint:report');
    expect(first?.report.capacity.max_requests.best).toBe(56);
    expect(first?.origin).toBe(attributes === '' ? new URL(home.url).origin : 'null');
    const history = await page.evaluate(() => [window.history.length, location.href]);
    await post(page, {
      type: 'ridgepoint:set',
      gpu: 'l4',
      lang: 'ru',
      view: 'full',
      readonly: true,
    });
    await expect.poll(() => inner(page).locator('.word').innerText(), WAIT).toBe('Работает');
    expect(await inner(page).getAttribute('gpu')).toBe('l4');
    expect(await inner(page).locator('.form').count()).toBe(0);
    await post(page, { type: 'ridgepoint:set', gpu: null });
    await expect
      .poll(async () => (await last('ridgepoint:error'))?.error.code, WAIT)
      .toBe('missing_field');
    await post(page, {
      type: 'ridgepoint:set',
      gpu: 'l4',
      config: JSON.parse(fixture('Qwen--Qwen3-8B')),
    });
    await expect
      .poll(async () => (await last('ridgepoint:report'))?.report.model.layers, WAIT)
      .toBe(36);
    expect(await page.evaluate(() => [window.history.length, location.href])).toEqual(history);
    expect(faults).toEqual([]);
    await page.context().close();
  });

  test('takes its parameters behind a # too, and follows it', async () => {
    const src = `${home.url}embed.html#model=${LLAMA}&amp;gpu=l4&amp;ctx=8192&amp;view=full&amp;theme=dark&amp;readonly`;
    const { page } = await visit({ body: framed('', src) });
    await inner(page).locator('.word').waitFor(WAIT);
    expect(await inner(page).locator('.root').getAttribute('data-theme')).toBe('dark');
    expect(await inner(page).locator('.form').count()).toBe(0);
    await page.context().close();
  });

  test('is given its height by the small script', async () => {
    const body = `${framed('sandbox="allow-scripts"')}<script src="${home.url}widget/iframe-height.js"></script>`;
    const { page } = await visit({ body });
    await inner(page).locator('.word').waitFor(WAIT);
    const height = async () => Number(await page.locator('iframe').getAttribute('height'));
    await expect.poll(height, WAIT).toBeGreaterThan(110);
    const over = await inner(page).evaluate(
      () => document.documentElement.scrollHeight - window.innerHeight,
    );
    expect(over).toBeLessThanOrEqual(0);
    expect(await violations(page)).toEqual([]);
    await shoot(page, 'frame');
    await page.context().close();
  });

  describe('hears nobody else', () => {
    /** What is sent must not be heard; of one window's messages the last one tells that all are there. */
    async function unheard(page: Page, send: () => Promise<unknown>) {
      await inner(page).locator('.word').waitFor(WAIT);
      const last = () =>
        inner(page).evaluate(() => (window as unknown as { last?: boolean }).last === true);
      await inner(page).evaluate(() => {
        addEventListener('message', ({ data }) => {
          if (data === 'last') Object.assign(window, { last: true });
        });
      });
      await send();
      await expect.poll(last, WAIT).toBe(true);
      expect(await inner(page).getAttribute('gpu')).toBe('a100-sxm-80gb');
    }
    const posting = (page: Page, ...all: unknown[]) =>
      page.evaluate((some) => {
        const frame = document.querySelector('iframe');
        for (const data of [...some, 'last']) frame?.contentWindow?.postMessage(data, '*');
      }, all);
    const set = { type: 'ridgepoint:set', gpu: 'l4' };

    test('a page that is not the parent named in the address', async () => {
      const { page } = await visit({
        body: framed('', address('&amp;parent=https://docs.example.org')),
      });
      await unheard(page, () => posting(page, set));
      await page.context().close();
    });

    test('but the parent that is', async () => {
      const { page } = await visit({
        body: framed('referrerpolicy="no-referrer"', address(`&amp;parent=${foreign.url}`)),
      });
      await inner(page).locator('.word').waitFor(WAIT);
      await posting(page, set);
      await expect.poll(() => inner(page).getAttribute('gpu'), WAIT).toBe('l4');
      await page.context().close();
    });

    test('another window of the parent’s own origin', async () => {
      const nosy = foreign.page({
        body: `<script>
          for (const data of [${JSON.stringify(set)}, 'last']) parent.frames[0].postMessage(data, '*');
        </script>`,
      });
      const { page } = await visit({ body: framed('') });
      await unheard(page, () =>
        page.evaluate(
          (src) =>
            new Promise((done) => {
              const frame = document.createElement('iframe');
              frame.src = src;
              frame.onload = done;
              document.body.append(frame);
            }),
          nosy,
        ),
      );
      await page.context().close();
    });

    test('a parent without an origin', async () => {
      const { page } = await visit({
        body: framed(''),
        policy: 'sandbox allow-scripts',
      });
      await unheard(page, () => posting(page, set));
      await page.context().close();
    });

    test('what is no message of ours', async () => {
      const { page, faults } = await visit({ body: framed('') });
      const others = [{ type: 'other', gpu: 'l4' }, { gpu: 'l4' }, null, 'ridgepoint:set', 7, []];
      await unheard(page, () => posting(page, ...others));
      expect(faults).toEqual([]);
      await page.context().close();
    });
  });
});

describe('examples', () => {
  const run = promisify(execFile);
  const source = fileURLToPath(new URL('../../web/examples', import.meta.url));
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ridgepoint-examples-'));
    cpSync(source, folder, { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  async function look(name: string, built: string, check: (page: Page) => Promise<void>) {
    const { server, url } = await serve({ folder: built });
    try {
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1280, 'light'],
      ] as const) {
        const { page, faults } = await visit(url, {
          viewport: { width, height: 800 },
          colorScheme,
        });
        await calculator(page).last().locator('.word').waitFor(WAIT);
        expect(await calculator(page).first().locator('.word').innerText()).toBe('It serves');
        await check(page);
        expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
        await shoot(page, `example-${name}-${width}-${colorScheme}`);
        await page.context().close();
      }
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  test('plain HTML', async () => {
    const built = join(folder, 'plain');
    cpSync(join(dist, 'widget/ridgepoint-widget.js'), join(built, 'ridgepoint-widget.js'));
    await look('plain', built, async (page) => {
      const said = page.locator('#said');
      await expect.poll(() => said.innerText(), WAIT).toMatch(/^\d+ requests, bfloat16 cache$/);
      expect(await violations(page)).toEqual([]);
      await page.click('#fp8');
      await expect.poll(() => said.innerText(), WAIT).toMatch(/fp8\w* cache$/);
      expect(await calculator(page).last().getAttribute('flags')).toBe('--kv-cache-dtype fp8');
    });
  });

  test('Sphinx', async () => {
    const from = join(folder, 'sphinx');
    cpSync(join(dist, 'widget/ridgepoint-widget.js'), join(from, '_static/ridgepoint-widget.js'));
    const built = join(from, '_build');
    await run('sphinx-build', ['-q', '-W', '-b', 'html', from, built]);
    await look('sphinx', built, async (page) => {
      // The theme has faults of its own; the calculators must add none.
      const ours = (await violations(page)).filter((fault) => /ridgepoint|part=|root/.test(fault));
      expect(ours).toEqual([]);
    });
  });
});

describe('the embed dialog', () => {
  async function dialog(hash = '') {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await opened(page, home.url + hash);
    await page.click('#embed');
    await page.locator('.embed').waitFor(WAIT);
    return page;
  }
  const line = (page: Page, nth = 0) => page.locator('.embed-line code').nth(nth).innerText();

  test('writes an element that works in another page', async () => {
    const page = await dialog('#v=1&g=h100-sxm-80gb&n=2&f.kv-cache-dtype=fp8');
    await word(page).waitFor(WAIT);
    await page.selectOption('#embed-view', 'full');
    await page.selectOption('#embed-lang', 'ru');
    await expect.poll(() => calculator(page).getAttribute('view'), WAIT).toBe('full');
    expect(await violations(page)).toEqual([]);
    const shown = await big(page);
    const there = await visit({ body: `<main><h1>Page</h1>${await line(page)}</main>` });
    await word(there.page).waitFor(WAIT);
    expect(await word(there.page).innerText()).toBe('Работает');
    expect(await big(there.page)).toBe(shown);
    expect(await ownRequests(page)).toBe(shown);
    expect(there.faults).toEqual([]);
    await page.context().close();
    await there.page.context().close();
  });

  test('with a pasted config', async () => {
    const page = await browser.newPage();
    await opened(
      page,
      `${home.url}#v=1&use=config&cfg=${encodeURIComponent(fixture('Qwen--Qwen3-8B'))}`,
    );
    await page.click('#embed');
    await word(page).waitFor(WAIT);
    const there = await visit({ body: await line(page) });
    await word(there.page).waitFor(WAIT);
    expect(await big(there.page)).toBe(await ownRequests(page));
    await page.context().close();
    await there.page.context().close();
  });

  test('a frame that works in another page', async () => {
    const page = await dialog();
    await page.check('input[value=iframe]');
    const there = await visit({ body: `<main><h1>Page</h1>${await line(page)}</main>` });
    const inside = there.page.frameLocator('iframe').locator('ridgepoint-calculator');
    expect(await inside.locator('.big').innerText(WAIT)).toBe(await ownRequests(page));
    await expect
      .poll(async () => Number(await there.page.locator('iframe').getAttribute('height')), WAIT)
      .not.toBe(380);
    expect(there.faults).toEqual([]);
    await page.context().close();
    await there.page.context().close();
  });

  test('a badge, and a link', async () => {
    const page = await dialog();
    await page.check('input[value=badge]');
    expect(await page.locator('.embed-badge').textContent()).toContain('serves: 56 requests at 8K');
    expect(await line(page)).toMatch(/^npx ridgepoint badge .* --out ridgepoint\.svg$/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.embed .buttons button').click(),
    ]);
    expect(readFileSync((await download.path()) ?? '', 'utf8')).toMatch(/^<svg xmlns/);
    expect(await violations(page)).toEqual([]);
    await page.check('input[value=link]');
    await expect.poll(() => line(page), WAIT).toMatch(/^http.*#v=\d/);
    await page.context().close();
  });

  test.each([
    [390, 'ru'],
    [390, 'zh'],
    [1280, 'en'],
  ] as const)('is whole at %i px in %s', async (width, locale) => {
    const page = await browser.newPage({
      viewport: { width, height: 800 },
      locale,
      colorScheme: 'dark',
    });
    await opened(page, home.url);
    await page.click('#embed');
    await word(page).waitFor(WAIT);
    for (const kind of ['element', 'iframe', 'badge', 'link']) {
      await page.check(`input[value=${kind}]`);
      const wide = await page
        .locator('dialog')
        .evaluate((one) => one.scrollWidth - one.clientWidth);
      expect(wide).toBeLessThanOrEqual(0);
      expect(await violations(page)).toEqual([]);
      await page.screenshot({ path: join(shots, `embed-${kind}-${width}-${locale}.png`) });
    }
    await page.context().close();
  });
});
