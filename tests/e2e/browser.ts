import { existsSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { Report, Request } from 'ridgepoint';
import { expect } from 'vitest';
import { serve } from '../../web/server.mjs';

// The built page in a real browser.

export const dist =
  process.env.RIDGEPOINT_DIST ?? fileURLToPath(new URL('../../web/dist', import.meta.url));

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--ignore-certificate-errors', // the test's hub has one that it made itself
];

export async function launch(more: string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [...flags, ...more],
  });
  // Each page is a profile of its own, in which the service worker would fetch the whole site anew.
  // Those who test it ask for it.
  const newPage = browser.newPage.bind(browser);
  browser.newPage = (options) => newPage({ serviceWorkers: 'block', ...options });
  return browser;
}

export interface Site {
  url: string;
  stop: () => Promise<void>;
}

/** Serves the built page, or another folder, under a path of the server. */
export async function site(folder = dist, base = '/'): Promise<Site> {
  if (!existsSync(`${folder}/index.html`)) {
    throw new Error(`${folder} holds no page: run "npm run build -w web" first`);
  }
  const { server, url } = await serve({ folder, base });
  return {
    url,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Where a run leaves what a test saw. */
export function picturePath(name: string): `${string}.png` {
  const folder = fileURLToPath(new URL('../../build/pictures', import.meta.url));
  mkdirSync(folder, { recursive: true });
  return `${folder}/${name}.png`;
}

export const keepPicture = (page: Page, name: string) =>
  page.screenshot({ path: picturePath(name) });

export const WAIT = { timeout: 10_000 };

/** Of the page itself: until it is there, the HTML holds that of the example. */
const VERDICT = '#app > main:not([aria-busy]) .verdict';

export const verdict = (page: Page) => page.locator(`${VERDICT} .word`).innerText();
export const banner = (page: Page) => page.locator('.banner').innerText(WAIT);

/** A number of the answer by its key. */
export const figure = (page: Page, key: string) =>
  page.locator(`${VERDICT} [data-n="${key}"]`).innerText();

export const isStale = async (page: Page) =>
  (await page.locator(`${VERDICT}[data-stale], .answer[data-behind]`).count()) > 0;

/** What stands below the bar comes after the first answer. */
const whole = (page: Page) =>
  page.waitForFunction(
    () =>
      !document.querySelector('main[data-room="answer"] .answer > section') ||
      document.querySelector('#report-json'),
    null,
    WAIT,
  );

export async function opened(page: Page, url: string): Promise<Page> {
  await page.goto(url);
  await page.locator(VERDICT).waitFor(WAIT);
  await whole(page);
  return page;
}

/** Opens every folded part, those too that are drawn later. */
export const unfold = (page: Page) =>
  page.evaluate(() => {
    const opened = new WeakSet<HTMLDetailsElement>();
    const open = () => {
      for (const part of document.querySelectorAll('details')) {
        if (opened.has(part)) continue;
        opened.add(part);
        part.open = true;
      }
    };
    open();
    new MutationObserver(open).observe(document.body, { childList: true, subtree: true });
  });

export async function answered(page: Page, word = 'It serves'): Promise<void> {
  await expect.poll(() => verdict(page), WAIT).toContain(word);
  await expect.poll(() => isStale(page), WAIT).toBe(false);
}

/** What is below the bar follows the answer a frame later. */
export const followed = (page: Page) =>
  page.locator('.answer:not([data-behind])').waitFor({ ...WAIT, state: 'attached' });

/** The request or the report that the page shows for copying. */
async function copyable<T>(page: Page, id: string): Promise<T> {
  await followed(page);
  const text = await page.locator(`#${id}`).textContent();
  return JSON.parse(text ?? 'null') as T;
}

export const shownRequest = (page: Page) => copyable<Request>(page, 'request-json');

/** The whole report comes a moment after the answer, from the part that is loaded later. */
export async function shownReport(page: Page): Promise<Report> {
  await followed(page);
  await page.locator('#report-json[data-whole="yes"]').waitFor({ ...WAIT, state: 'attached' });
  return copyable<Report>(page, 'report-json');
}

/** Lets a file fall on the page, as if dragged there. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([fileName, content]) => {
      const data = new DataTransfer();
      data.items.add(new File([content as string], fileName as string));
      return data;
    },
    [name, text],
  );
  for (const type of ['dragover', 'drop']) {
    await page.dispatchEvent('body', type, { dataTransfer: transfer });
  }
}

export async function pasteInto(page: Page, selector: string, text: string): Promise<void> {
  await page.locator(selector).focus();
  await page.evaluate(
    ([where, content]) => {
      const data = new DataTransfer();
      data.setData('text/plain', content as string);
      const event = new ClipboardEvent('paste', {
        clipboardData: data,
        bubbles: true,
        cancelable: true,
      });
      document.querySelector(where as string)?.dispatchEvent(event);
    },
    [selector, text],
  );
}
