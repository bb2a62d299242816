import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  answered,
  banner,
  dropFile,
  launch,
  opened,
  pasteInto,
  shownRequest,
  site,
  unfold,
  WAIT,
} from './browser';
import { fixture, Hub, TOKEN } from './hub';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

// The promise of the page: nothing leaves the browser but GETs to the repository or address that the
// reader named. It is checked twice: by what the page asks for, and by what really leaves, preflights
// included: a proxy sees each connection, and the hub what comes by those that lead to it.

interface Sent {
  method: string;
  url: string;
  headers: string;
  body: string;
}

const sent: Sent[] = [];
const connections: string[] = [];
let proxy: Server;
let browser: Browser;
let context: BrowserContext;
let home: Awaited<ReturnType<typeof site>>;
const hub = new Hub();
let base: string;

async function record(incoming: IncomingMessage): Promise<Sent> {
  let body = '';
  for await (const part of incoming) body += part;
  return {
    method: incoming.method ?? '',
    url: incoming.url ?? '',
    headers: JSON.stringify(incoming.headers),
    body,
  };
}

beforeAll(async () => {
  proxy = createServer(async (incoming, outgoing) => {
    const seen = await record(incoming);
    sent.push(seen);
    const onward = forward(
      seen.url,
      { method: seen.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.writeHead(502).end());
    onward.end(seen.body);
  });
  // An encrypted connection is one to the hub, or one the reader did not ask for.
  proxy.on('connect', (incoming: IncomingMessage, socket, head) => {
    const { host, hostname, port } = new URL(`https://${incoming.url}`);
    connections.push(host);
    if (host !== new URL(base).host) {
      socket.end('HTTP/1.1 502 Refused\r\n\r\n');
      return;
    }
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.write(head);
      onward.pipe(socket);
      socket.pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  [browser, home, base] = await Promise.all([
    // Chromium asks its own service about the shape of forms, on any site that has one.
    launch(['--disable-features=AutofillServerCommunication']),
    site(),
    hub.start(),
  ]);
  // A context's own proxy sees all of its pages and none of the browser's own housekeeping.
  context = await browser.newContext({ proxy: { server: address, bypass: '<-loopback>' } });
});
afterAll(async () => {
  await browser.close();
  await home.stop();
  await hub.stop();
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
});

test('in a whole session only GETs leave, to the page and to the hub that was named', async () => {
  const page = await context.newPage();
  const asked: Sent[] = [];
  page.on('request', (request) => {
    asked.push({
      method: request.method(),
      url: request.url(),
      headers: JSON.stringify(request.headers()),
      body: request.postData() ?? '',
    });
  });
  const abroad = () => [...sent.filter(({ url }) => !url.startsWith(home.url)), ...connections];
  const secret = 'ridgepoint-secret-4711';
  const config = JSON.stringify({ ...JSON.parse(fixture('Qwen--Qwen3-8B')), note: secret });

  await opened(page, home.url);
  await unfold(page);
  await page.fill('#config', config);
  await answered(page);
  await dropFile(page, 'config.json', config);
  await pasteInto(page, '#model', config);
  await page.fill('#context', '4096');
  await page.fill('#count', '2');
  await page.fill('#gpu', 'h100');
  await page.locator('#gpu').press('Enter');
  await page.fill('#flag-gpu-memory-utilization', '0.8');
  await page.fill('#count', 'x');
  await banner(page);
  await page.fill('#count', '1');
  await answered(page);
  await page.waitForTimeout(500);
  expect(abroad()).toEqual([]);

  await page.fill('#hub', base);
  await page.fill('#token', TOKEN);
  await page.locator('#model').fill('org/gated');
  await page.waitForTimeout(300);
  expect(abroad()).toEqual([]);
  await page.locator('#model').press('Enter');
  await expect.poll(async () => (await shownRequest(page)).model.id, WAIT).toBe('org/gated');
  await page.locator('#model').fill('org/nothing');
  await page.locator('#model').press('Enter');
  await expect.poll(() => banner(page), WAIT).toContain('no config.json');
  await page.reload();
  await page.locator('.verdict').waitFor(WAIT);
  await page.waitForTimeout(500);

  const own = new URL(home.url).origin;
  for (const one of asked) {
    expect(one.method).toBe('GET');
    expect([own, base]).toContain(new URL(one.url).origin);
  }
  expect(sent.length).toBeGreaterThan(5);
  for (const one of sent) {
    const { origin, search, hash } = new URL(one.url);
    expect(origin, `${one.method} ${one.url}`).toBe(own);
    expect(one.method).toBe('GET');
    expect(one.body + search + hash).toBe('');
    expect(decodeURIComponent(one.url) + one.headers).not.toContain(secret);
    expect(one.headers).not.toContain(TOKEN);
    expect(one.headers).not.toContain('referer');
  }
  expect(new Set(connections)).toEqual(new Set([new URL(base).host]));
  for (const one of hub.seen) {
    // A browser asks by OPTIONS, without the token, whether it may send a header to another origin.
    expect(['GET', 'OPTIONS']).toContain(one.method);
    expect(one.body + one.referer + new URL(one.url, base).search).toBe('');
    expect(decodeURIComponent(one.url)).not.toContain(secret);
    if (one.method === 'OPTIONS') expect(one.authorization).toBe('');
  }
  const files = hub.seen.map(({ url }) => url);
  expect(new Set(files)).toEqual(
    new Set([
      '/org/gated/resolve/main/config.json',
      '/org/gated/resolve/main/hf_quant_config.json',
      '/org/nothing/resolve/main/config.json',
    ]),
  );
});

test('the page’s policy forbids the rest', async () => {
  const page = await context.newPage();
  await opened(page, home.url);
  const policy = await page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute('content');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
  expect(policy).not.toContain('unsafe-inline');
  expect(policy).toContain("form-action 'none'");
});
