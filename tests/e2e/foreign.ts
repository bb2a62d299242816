import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

// Pages of somebody else's site: another origin, with its own styles and its own policy.

export interface ForeignPage {
  body: string;
  head?: string;
  /** The Content-Security-Policy header. */
  policy?: string;
  headers?: Record<string, string>;
  /** The attributes of the html element. */
  root?: string;
}

export interface ForeignSite {
  url: string;
  /** Serves a page and says where. */
  page(page: ForeignPage): string;
  stop(): Promise<void>;
}

export async function foreignSite(): Promise<ForeignSite> {
  const pages = new Map<string, ForeignPage>();
  const server: Server = createServer((request, response) => {
    const page = pages.get(request.url?.split(/[?#]/)[0] ?? '');
    if (!page) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      // An old site: its pages are in no Unicode encoding.
      'content-type': 'text/html; charset=windows-1251',
      ...(page.policy ? { 'content-security-policy': page.policy } : {}),
      ...page.headers,
    });
    response.end(
      `<!doctype html><html ${page.root ?? 'lang="en"'}><head><title>Foreign</title><link rel="icon" href="data:,">${page.head ?? ''}</head><body>${page.body}</body></html>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    page(page) {
      const path = `/${pages.size + 1}`;
      pages.set(path, page);
      return url + path;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
