import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import puppeteer, { type Browser as Firefox, type Page as FirefoxPage } from 'puppeteer-core';
import { evaluate, type Report } from 'ridgepoint';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  answered,
  dist,
  keepPicture,
  launch,
  opened,
  picturePath,
  type Site,
  shownReport,
  shownRequest,
  site,
  WAIT,
} from './browser';
import { watchPolicy } from './policy';
import { walk } from './walk';

// The offline copy, saved from the page, in a folder of its own, opened from the disk with no network.

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

const LONG = { timeout: 50_000 };
const NAME = 'ridgepoint-offline.html';
const TITLE = /^ridgepoint, offline copy \d+\.\d+\.\d+\+[0-9a-f]{8}$/;

const folder = mkdtempSync(join(tmpdir(), 'ridgepoint-offline-'));
const copy = join(folder, NAME);
const address = pathToFileURL(copy).href;

beforeAll(() => copyFileSync(join(dist, NAME), copy));
afterAll(() => rmSync(folder, { recursive: true }));

describe('in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser.close());

  async function fromDisk(hash = '') {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const asked: string[] = [];
    const faults: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('pageerror', (error) => faults.push(String(error)));
    const broken = await watchPolicy(page);
    await opened(page, address + hash);
    await answered(page);
    return {
      page,
      async close(more: string[] = []) {
        expect(faults).toEqual([]);
        expect(await broken()).toEqual([]);
        expect(asked.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
        expect(asked.filter((url) => url.startsWith('file:'))).toEqual([address, ...more]);
        await context.close();
      },
    };
  }

  test('the page saves it, and the saved file answers', async () => {
    const home: Site = await site();
    const page = await browser.newPage();
    await opened(page, home.url);
    const [download] = await Promise.all([
      page.waitForEvent('download', WAIT),
      page.locator('a[download][href$=".html"]').first().click(),
    ]);
    expect(download.suggestedFilename()).toBe(NAME);
    const saved = join(folder, 'saved.html');
    await download.saveAs(saved);
    await home.stop();
    await opened(page, pathToFileURL(saved).href);
    await answered(page);
    await page.context().close();
  });

  test('it says which version it is, and answers as the core does', async () => {
    const { page, close } = await fromDisk();
    expect(await page.title()).toMatch(TITLE);
    const request = await shownRequest(page);
    expect(await shownReport(page)).toEqual((await evaluate(request)) as Report);
    await keepPicture(page, 'offline-chromium');
    expect(await page.locator('a[download][href$=".html"]').count()).toBe(0);
    await close();
  });

  test('every view and every language is in it', async () => {
    const { page, close } = await fromDisk();
    await walk(page);
    await close();
  });

  test('so is the accuracy page, with a way there and back', async () => {
    const { page, close } = await fromDisk();
    await page.goto(`${address}?accuracy`);
    await page.locator('#accuracy-ready').waitFor({ ...LONG, state: 'attached' });
    await page.locator('.accuracy-home').click();
    await answered(page);
    expect(page.url().replace(/#.*/, '')).toBe(`${address}?`);
    await close([`${address}?accuracy`, `${address}?`]);
  });

  test('inputs recalculate, and a link to the page is a link to the copy', async () => {
    const { page, close } = await fromDisk('#v=1&g=h100&c=4096');
    expect((await shownRequest(page)).workload?.context).toBe(4096);
    await page.fill('#context', '3000');
    await expect.poll(async () => (await shownRequest(page)).workload?.context, WAIT).toBe(3000);
    await answered(page);
    await close();
  });

  test('nothing but its own script runs in it', async () => {
    const { page, close } = await fromDisk();
    const ran = await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'window.injected = true';
      document.body.append(script);
      return 'injected' in window;
    });
    expect(ran).toBe(false);
    expect(await page.evaluate(() => window.violations?.splice(0).length)).toBe(1);
    await close();
  });
});

describe('in Firefox', () => {
  const executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr';
  let browser: Firefox;
  beforeAll(async () => {
    if (!existsSync(executablePath)) {
      throw new Error(`no Firefox at ${executablePath}: install firefox-esr or set FIREFOX`);
    }
    browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      headless: true,
      // Every connection goes to a proxy that is not there.
      extraPrefsFirefox: {
        'network.proxy.type': 1,
        'network.proxy.http': '127.0.0.1',
        'network.proxy.http_port': 1,
        'network.proxy.ssl': '127.0.0.1',
        'network.proxy.ssl_port': 1,
      },
    });
  });
  afterAll(() => browser?.close());

  const word = (page: FirefoxPage) =>
    page.$eval('.verdict .word', (element) => element.textContent?.trim() ?? '');

  const request = (page: FirefoxPage) =>
    page.$eval('#request-json', (element) => element.textContent ?? '');

  test('it opens from the disk and answers, changed inputs too', async () => {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${address}#v=1&g=t4`);
    await page.waitForSelector('.verdict .word', WAIT);
    expect(await page.title()).toMatch(TITLE);
    await expect.poll(() => word(page), WAIT).toContain('It does not start');
    await page.goto(address);
    await page.reload();
    await expect.poll(() => word(page), WAIT).toContain('It serves');
    await page.focus('#context');
    await page.keyboard.press('End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('0');
    await expect.poll(() => request(page), WAIT).toContain('"context": 8190');
    expect(await word(page)).toContain('It serves');
    // The whole report is worked out in the worker.
    await page.waitForSelector('#report-json[data-whole="yes"]', WAIT);
    const rooms = await page.$$('nav.rooms button[id^="room-"]');
    for (const room of rooms) {
      await room.click();
      await expect.poll(async () => (await page.$$('.wide .waiting')).length, WAIT).toBe(0);
    }
    for (const language of ['ru', 'zh', 'en']) {
      await page.select('#language', language);
      await expect.poll(() => page.$eval('html', (element) => element.lang), WAIT).toBe(language);
    }
    await page.screenshot({ path: picturePath('offline-firefox') });
    await page.goto(`${address}?accuracy`);
    await page.waitForSelector('#accuracy-ready', LONG);
    expect(faults).toEqual([]);
    await page.close();
  });
});
