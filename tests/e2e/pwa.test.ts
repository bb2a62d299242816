import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  answered,
  dist,
  keepPicture,
  launch,
  opened,
  type Site,
  shownRequest,
  site,
  WAIT,
} from './browser';
import { walk } from './walk';

// The hosted page kept by its service worker: with the server gone, and when a newer version is there.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let browser: Browser;
let context: BrowserContext;
let page: Page;
let home: Site;
let folder: string;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ridgepoint-site-'));
  cpSync(dist, folder, { recursive: true });
  home = await site(folder, '/some/where/');
  context = await browser.newContext();
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await home.stop();
  rmSync(folder, { recursive: true });
});

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

function write(name: string, text: string) {
  writeFileSync(join(folder, name), text);
  for (const packed of ['.br', '.gz']) rmSync(join(folder, name + packed), { force: true });
}

const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const EDITION = '<meta name="edition" content="next" />';

/** What a host serves once the next version is there; half of it without the new page. */
function release(half = false) {
  const html = read('index.html');
  const next = html.replace('</head>', `${EDITION}</head>`);
  const worker = read('sw.js')
    .replace(/^const VERSION = '\w+'/, "const VERSION = 'next'")
    .replace(hash(html), hash(next));
  expect(worker).toContain(hash(next));
  write('sw.js', worker);
  if (!half) write('index.html', next);
}

async function visited() {
  await opened(page, home.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, null, WAIT);
}

const isNext = () => page.locator('meta[name=edition]').count();
const notice = () => page.getByText('A new version is ready');
const askForUpdate = () =>
  page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update();
  });

describe('once it was visited', () => {
  test('it opens with the server gone: again, by a link with inputs, and by an address with a query', async () => {
    await visited();
    await home.stop();
    // What the browser keeps by itself, for as long as it likes, is not what is tried here.
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await page.reload();
    await answered(page);
    // The preview of what is embedded is the widget itself, which other sites get from the server.
    await walk(page, ['#share', '#show-math']);
    await opened(page, `${home.url}?from=a-link#v=1&c=4096`);
    expect((await shownRequest(page)).workload?.context).toBe(4096);
    await page.close();
    page = await context.newPage();
    await opened(page, `${home.url}index.html`);
    await answered(page);
    // A host may leave the ending out of the address.
    for (const address of ['accuracy.html', 'accuracy']) {
      await page.goto(home.url + address);
      await page.locator('.accuracy-summary').first().waitFor(WAIT);
    }
  });

  test('every file of it is kept, and nothing that the page never asks for', async () => {
    await visited();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const requests = await Promise.all(
        names.map(async (name) => (await caches.open(name)).keys()),
      );
      return requests.flat().map(({ url }) => url);
    });
    const paths = kept.map((url) => url.replace(home.url, ''));
    expect(paths).toContain('');
    expect(paths.filter((path) => path.endsWith('.wasm')).length).toBeGreaterThan(0);
    expect(
      paths.filter((path) => /offline\.html|\.br$|\.gz$|card\.png|_headers/.test(path)),
    ).toEqual([]);
    // What the page is drawn with may be saved, which needs the server.
    const [head = ''] = read('index.html').split('</head>');
    const linked = [...head.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => path);
    expect(linked.length).toBeGreaterThan(3);
    expect(paths).toEqual(expect.arrayContaining(linked));
  });

  test('what is not the page’s own goes to its server', async () => {
    await visited();
    const answers = await page.evaluate(async () => {
      const post = await fetch('./', { method: 'POST' }).then(({ status }) => status);
      const other = await fetch('./somewhere-else.json').then(({ status }) => status);
      return [post, other];
    });
    expect(answers).toEqual([405, 404]);
  });
});

describe('a newer version', () => {
  test('is fetched behind the page, told of, and taken over when the reader says so', async () => {
    await visited();
    await page.fill('#context', '4096');
    await expect.poll(() => page.url(), WAIT).toContain('4096');
    release();
    await askForUpdate();
    await notice().waitFor(WAIT);
    await keepPicture(page, 'new-version');
    expect(await isNext()).toBe(0);
    expect((await shownRequest(page)).workload?.context).toBe(4096);
    await Promise.all([
      page.waitForEvent('load', WAIT),
      page.locator('.update').getByRole('button').first().click(),
    ]);
    await answered(page);
    expect(await isNext()).toBe(1);
    expect((await shownRequest(page)).workload?.context).toBe(4096);
    expect(await notice().count()).toBe(0);
    await home.stop();
    await page.reload();
    await answered(page);
    expect(await isNext()).toBe(1);
  });

  test('is told of in a page that is opened while it waits', async () => {
    await visited();
    release();
    await askForUpdate();
    await notice().waitFor(WAIT);
    const other = await context.newPage();
    await opened(other, home.url);
    await other.getByText('A new version is ready').waitFor(WAIT);
  });

  test('that is only half on the server changes nothing', async () => {
    await visited();
    release(true);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      const failed = new Promise((resolve) => {
        registration.addEventListener('updatefound', () => {
          const { installing } = registration;
          installing?.addEventListener('statechange', () => resolve(installing.state));
        });
      });
      await registration.update();
      return failed;
    });
    expect(await notice().count()).toBe(0);
    await home.stop();
    await page.reload();
    await answered(page);
    expect(await isNext()).toBe(0);
  });
});

test('in another page’s frame nothing is kept', async () => {
  await page.goto(`${home.url}robots.txt`);
  await page.evaluate(() => {
    const frame = document.createElement('iframe');
    frame.src = './';
    document.body.append(frame);
  });
  await page.frameLocator('iframe').locator('.verdict').waitFor(WAIT);
  const registered = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await page.waitForTimeout(500);
  expect(await registered()).toBe(0);
});

test('the manifest lets it be installed, from any place', async () => {
  const manifest = JSON.parse(read('manifest.webmanifest'));
  expect(manifest).toMatchObject({ start_url: './', scope: './', display: 'standalone' });
  await page.goto(home.url);
  for (const { src, sizes } of manifest.icons) {
    const shown = await page.evaluate(async (address: string) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.naturalWidth}x${image.naturalHeight}`;
    }, src);
    if (sizes !== 'any') expect(shown).toBe(sizes);
  }
  expect(manifest.icons.some(({ purpose }: { purpose?: string }) => purpose === 'maskable')).toBe(
    true,
  );
});
