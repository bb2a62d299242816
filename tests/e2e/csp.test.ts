import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { headerRules } from '../../web/server.mjs';
import {
  answered,
  dist,
  launch,
  opened,
  type Site,
  shownRequest,
  site,
  unfold,
  WAIT,
} from './browser';
import { fixture, Hub } from './hub';
import { watchPolicy } from './policy';

// The headers that a host is told to send, sent for real: what they forbid, and that the page needs
// none of it, from any path of a host.

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const STRICT = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
];

const rules = headerRules(readFileSync(join(dist, '_headers'), 'utf8'));
const pages = readdirSync(dist).filter(
  (name) => name.endsWith('.html') && name !== 'ridgepoint-offline.html',
);

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const policyOf = async (address: string) =>
  (await fetch(address)).headers.get('content-security-policy') ?? '';

describe.each(['/', '/a/b/', '/deep/er/path/'])('under %s', (base) => {
  let home: Site;
  beforeAll(async () => {
    home = await site(dist, base);
  });
  afterAll(() => home.stop());

  test('the whole page works and breaks its policy nowhere', async () => {
    const hub = new Hub();
    const address = await hub.start();
    const page = await browser.newPage();
    const faults: string[] = [];
    const asked: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    page.on('request', (request) => asked.push(request.url()));
    const broken = await watchPolicy(page);
    await opened(page, home.url);
    await answered(page);
    await unfold(page);
    await page.fill('#config', fixture('deepseek-ai--DeepSeek-V3'));
    await answered(page, 'It does not start');
    await page.fill('#count', 'x');
    await page.fill('#count', '1');
    await page.fill('#hub', address);
    await page.fill('#model', 'org/open');
    await page.locator('#model').press('Enter');
    await expect.poll(async () => (await shownRequest(page)).model.id, WAIT).toBe('org/open');
    expect(await broken()).toEqual([]);
    await page.goto(`${home.url}accuracy.html`);
    await page
      .locator('.accuracy-rows')
      .first()
      .waitFor({ ...WAIT, state: 'attached' });
    expect(await broken()).toEqual([]);
    const own = asked.filter((url) => !url.startsWith(address) && !/^(?:data|blob):/.test(url));
    expect(own.filter((url) => !url.startsWith(home.url))).toEqual([]);
    await page.context().close();
    await hub.stop();
    // The model brings one file and not the other.
    expect(faults.filter((fault) => !fault.endsWith('/hf_quant_config.json'))).toEqual([]);
  });

  test('each page has its strict policy, and may be framed by its own site or is made for it', async () => {
    expect(pages).toContain('index.html');
    for (const name of pages) {
      const policy = await policyOf(home.url + name);
      for (const part of STRICT) expect(policy, name).toContain(part);
      expect(policy, name).not.toMatch(/unsafe-inline|'unsafe-eval'|http:/);
      if (name === 'index.html') expect(policy).toContain("connect-src 'self' https:;");
      const framed = name.startsWith('embed');
      expect(policy.includes("frame-ancestors 'self'"), name).toBe(!framed);
      expect(policy.includes('frame-ancestors'), name).toBe(!framed);
    }
    const { headers } = await fetch(home.url);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-cache');
    const [asset] = readdirSync(join(dist, 'assets'));
    const kept = await fetch(`${home.url}assets/${asset}`);
    expect(kept.headers.get('cache-control')).toContain('immutable');
    expect(kept.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

test('no file is given a header by two rules', () => {
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) => `/${name}`);
  for (const name of ['/', ...names]) {
    const given = rules
      .filter(({ address }) =>
        address.endsWith('*') ? name.startsWith(address.slice(0, -1)) : name === address,
      )
      .flatMap(({ headers }) => headers.map(([header]) => header));
    expect(given, name).toEqual([...new Set(given)]);
  }
});

describe('what someone else puts into the page', () => {
  let home: Site;
  let page: Page;
  let broken: () => Promise<string[]>;
  beforeAll(async () => {
    home = await site();
    page = await browser.newPage();
    broken = await watchPolicy(page);
    await opened(page, home.url);
  });
  afterAll(async () => {
    await page.context().close();
    await home.stop();
  });

  const attempts: [name: string, directive: string, attempt: () => unknown][] = [
    [
      'an inline script',
      'script-src-elem',
      () => {
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.body.append(script);
      },
    ],
    [
      'a handler in an attribute',
      'script-src-attr',
      () => document.body.setAttribute('onclick', 'window.injected = true'),
    ],
    [
      'an inline style',
      'style-src-elem',
      () => {
        const style = document.createElement('style');
        style.textContent = 'body { display: none }';
        document.body.append(style);
      },
    ],
    [
      'a style in an attribute',
      'style-src-attr',
      () => document.body.setAttribute('style', 'display: none'),
    ],
    [
      'evaluated text',
      'script-src',
      () => {
        // Later, for what the test itself asks for may evaluate text.
        setTimeout(() => new Function('window.injected = true')(), 0);
      },
    ],
    [
      'a script from elsewhere',
      'script-src-elem',
      () => {
        const script = document.createElement('script');
        script.src = 'https://127.0.0.1:1/x.js';
        document.body.append(script);
      },
    ],
    [
      'a picture from elsewhere',
      'img-src',
      () => {
        new Image().src = 'https://127.0.0.1:1/x.png';
      },
    ],
    ['an unencrypted request', 'connect-src', () => fetch('http://127.0.0.2:1/').catch(() => {})],
    [
      'a frame',
      'frame-src',
      () => {
        const frame = document.createElement('iframe');
        frame.src = 'https://127.0.0.1:1/';
        document.body.append(frame);
      },
    ],
  ];
  test.each(attempts)('%s is blocked', async (_name, directive, attempt) => {
    await page.evaluate(() => window.violations?.splice(0));
    await page.evaluate(attempt);
    // Both policies, the header and the page's own, forbid it.
    const two = [expect.stringMatching(`^${directive} `), expect.stringMatching(`^${directive} `)];
    await expect.poll(broken, WAIT).toEqual(two);
    await page.locator('.verdict').waitFor(WAIT);
    expect(await page.evaluate(() => 'injected' in window)).toBe(false);
  });
});

test('the headers hold by themselves: a page without its own policy is as strict', async () => {
  const home = await site();
  const page = await browser.newPage();
  await page.route(home.url, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text())
      .replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, '')
      .replace('</head>', '<script>window.injected = true</script></head>');
    await route.fulfill({ response: answer, body });
  });
  const broken = await watchPolicy(page);
  await opened(page, home.url);
  await answered(page);
  expect((await broken()).join()).toContain('script-src-elem inline');
  expect(await page.evaluate(() => 'injected' in window)).toBe(false);
  await page.context().close();
  await home.stop();
});

test('the licences of all parts are beside the page', () => {
  expect(existsSync(join(dist, 'notices.txt'))).toBe(true);
  const notices = readFileSync(join(dist, 'notices.txt'), 'utf8');
  for (const name of [
    'ridgepoint (MIT)',
    'lit-html 3.',
    'JSON for Modern C++',
    'Emscripten',
    'musl',
    'LLVM',
  ]) {
    expect(notices).toContain(name);
  }
});
