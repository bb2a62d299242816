import { createServer } from 'node:http';

/**
 * A local server that keeps the requests it saw.
 *
 * @param {import('node:http').RequestListener} handler
 */
export async function startServer(handler) {
  /** @type {{ url: string, headers: import('node:http').IncomingHttpHeaders }[]} */
  const seen = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url, headers: request.headers });
    handler(request, response);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    seen,
    origin: `http://127.0.0.1:${server.address().port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}
