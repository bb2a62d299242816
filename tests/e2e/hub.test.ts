import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answered,
  banner,
  isStale,
  launch,
  opened,
  shownRequest,
  site,
  unfold,
  verdict,
  WAIT,
} from './browser';
import { fixture, Hub, TOKEN } from './hub';

vi.setConfig({ testTimeout: 30_000, hookTimeout: 60_000 });

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let hub: Hub;
let base: string;

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});
beforeEach(async () => {
  hub = new Hub();
  base = await hub.start();
  page = await browser.newPage();
  await opened(page, home.url);
  await unfold(page);
  await page.fill('#hub', base);
});
afterEach(async () => {
  await page.context().close();
  await hub.stop();
});

async function ask(model: string) {
  await page.fill('#model', model);
  await page.getByRole('button', { name: 'Load', exact: true }).click();
}

const gets = () => hub.seen.filter(({ method }) => method === 'GET');
const config = () => JSON.parse(fixture('Qwen--Qwen3-8B'));

describe('a model of the hub', () => {
  test('is fetched from the hub that was named, and answered', async () => {
    await ask('org/open');
    await answered(page);
    expect(gets().map(({ url }) => url)).toEqual([
      '/org/open/resolve/main/config.json',
      '/org/open/resolve/main/hf_quant_config.json',
    ]);
    expect((await shownRequest(page)).model).toEqual({ id: 'org/open', config: config() });
    expect(await page.locator('#model-source').innerText()).toContain('127.0.0.1');
  });

  test('is fetched at the revision that was named', async () => {
    await page.fill('#revision', 'v2');
    await ask('org/open');
    await answered(page);
    expect(gets()[0]?.url).toBe('/org/open/resolve/v2/config.json');
  });

  test('can be given as the address of its page, or of any config.json', async () => {
    await ask(`${base}/org/open/blob/main/config.json`);
    await answered(page);
    await ask(`${base.replace('127.0.0.1', 'localhost')}/somewhere/config.json`);
    await expect
      .poll(async () => (await shownRequest(page)).model, WAIT)
      .toEqual({
        config: config(),
      });
  });

  test('is fetched by Enter too, and not again after a reload', async () => {
    await page.fill('#model', 'org/open');
    await page.locator('#model').press('Enter');
    await answered(page);
    await expect.poll(() => page.url(), WAIT).toContain('org/open');
    const before = hub.seen.length;
    await page.reload();
    await page.locator('.verdict').waitFor(WAIT);
    await answered(page);
    expect(hub.seen.length).toBe(before);
  });

  test('that is built in is answered without asking the hub', async () => {
    await ask('Meta-Llama/meta-llama-3-8b');
    await answered(page);
    expect(hub.seen).toEqual([]);
  });

  test('can be waited for no longer', async () => {
    await ask('org/slow');
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await page.locator('#model-source').innerText()).toContain('Press Enter or Load');
    expect(await page.inputValue('#model')).toBe('org/slow');
  });
});

describe('a failure says what to do next, keeps what was typed and the last answer', () => {
  afterEach(async () => {
    expect(await isStale(page)).toBe(true);
    expect(await verdict(page)).toContain('It serves');
    expect(await page.locator('.stale-note').innerText()).toContain('meta-llama/Meta-Llama-3-8B');
  });

  const cases: [name: string, model: string, field: string, says: RegExp][] = [
    ['gated', 'org/gated', 'Access token', /gated.*Accept its licence.*token.*paste/],
    ['private or unknown', 'org/private', 'Model', /no public model.*spelling.*token/],
    ['missing', 'org/nothing', 'Model', /no config\.json.*Check the id.*paste/],
    ['a web page', 'org/page', 'Model', /web page and not JSON.*paste/],
    ['broken JSON', 'org/broken', 'Model', /not valid JSON.*whole file/],
    ['neither id nor address', 'what is this', 'Model', /neither a model id.*nor JSON/],
  ];
  test.each(cases)('%s', async (_name, model, field, says) => {
    await ask(model);
    await expect.poll(() => banner(page), WAIT).toMatch(says);
    expect(await banner(page)).toContain(`${field}.`);
    expect(await page.inputValue('#model')).toBe(model);
  });

  test('a token that does not open it', async () => {
    await page.fill('#token', 'hf_another');
    await ask('org/gated');
    await expect.poll(() => banner(page), WAIT).toMatch(/this token does not open it/);
    expect(await page.inputValue('#token')).toBe('hf_another');
  });

  test('a revision that is not there', async () => {
    await page.fill('#revision', 'v9');
    await ask('org/open');
    await expect.poll(() => banner(page), WAIT).toMatch(/no such revision/);
    expect(await page.inputValue('#revision')).toBe('v9');
  });

  test('a hub that cannot be reached', async () => {
    await hub.stop();
    await ask('org/open');
    await expect.poll(() => banner(page), WAIT).toMatch(/could not read.*paste the config\.json/);
    hub = new Hub();
    await hub.start();
  });

  test('no network', async () => {
    await page.context().setOffline(true);
    await ask('org/open');
    await expect.poll(() => banner(page), WAIT).toMatch(/offline.*paste the config\.json/);
  });

  test('a server that lets no other site read it', async () => {
    const closed = new Hub(false);
    await page.fill('#hub', await closed.start());
    await ask('org/open');
    await expect.poll(() => banner(page), WAIT).toMatch(/CORS.*paste the config\.json/);
    await closed.stop();
  });

  test('an address of the hub that is none', async () => {
    await page.fill('#hub', 'ftp://mirror');
    await ask('org/open');
    await expect.poll(() => banner(page), WAIT).toMatch(/Hub address\..*https:\/\//s);
    expect(await page.inputValue('#hub')).toBe('ftp://mirror');
  });
});

describe('a token', () => {
  const storage = () =>
    page.evaluate(
      () => JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
    );

  test('opens a gated model, and is kept nowhere', async () => {
    await page.fill('#token', TOKEN);
    await ask('org/gated');
    await answered(page);
    await page.waitForTimeout(400);
    expect(await storage()).not.toContain(TOKEN);
    expect(page.url()).not.toContain(TOKEN);
    await page.reload();
    await page.locator('.verdict').waitFor(WAIT);
    expect(await page.inputValue('#token')).toBe('');
  });

  test('is kept when asked to, and forgotten when asked to', async () => {
    await page.fill('#token', TOKEN);
    await page.check('#keep-token');
    expect(await storage()).toContain(TOKEN);
    await page.waitForTimeout(400);
    await page.reload();
    await page.locator('.verdict').waitFor(WAIT);
    expect(await page.inputValue('#token')).toBe(TOKEN);
    await unfold(page);
    await page.uncheck('#keep-token');
    expect(await storage()).not.toContain(TOKEN);
    expect(await page.inputValue('#token')).toBe(TOKEN);
  });

  test('goes to the hub it was typed for and to no other', async () => {
    const other = new Hub();
    const otherBase = await other.start();
    await page.fill('#token', TOKEN);
    await page.check('#keep-token');
    await ask(`${otherBase}/somewhere/config.json`);
    await answered(page);
    await page.fill('#hub', otherBase);
    expect(await page.inputValue('#token')).toBe('');
    await ask('org/open');
    await expect.poll(() => page.locator('#model-source').innerText(), WAIT).toContain('Fetched');
    expect(other.seen.length).toBeGreaterThan(0);
    expect(other.seen.map(({ authorization }) => authorization).join('')).toBe('');
    await page.fill('#hub', base);
    expect(await page.inputValue('#token')).toBe(TOKEN);
    await other.stop();
  });
});
