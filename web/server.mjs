#!/usr/bin/env node
// A static server for the built page: `node server.mjs [port] [folder]`, port 0 for any free one.
// It sends the headers that the built `_headers` tells a host to send.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
};
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

const size = async (path) => {
  const found = await stat(path).catch(() => null);
  return found?.isFile() ? found.size : null;
};

/** The file to send for a URL path, or null; never one outside `root`. */
async function locate(root, urlPath, accepted) {
  let path;
  try {
    path = normalize(join(root, decodeURIComponent(urlPath)));
  } catch {
    return null;
  }
  if (path !== root && !path.startsWith(root + sep)) return null;
  if (urlPath.endsWith('/')) path = join(path, 'index.html');
  const type = types[extname(path)] ?? 'application/octet-stream';
  for (const [encoding, suffix] of encodings) {
    if (!accepted.includes(encoding)) continue;
    const length = await size(path + suffix);
    if (length !== null) return { path: path + suffix, type, encoding, length };
  }
  const length = await size(path);
  return length === null ? null : { path, type, length };
}

/**
 * The rules of a `_headers` file: an address, `*` at its end for all below it, and indented headers.
 *
 * @param {string} text
 */
export function headerRules(text) {
  /** @type {{ address: string, headers: [string, string][] }[]} */
  const rules = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined)
      rules.at(-1)?.headers.push([name.toLowerCase(), value]);
    else if (line.startsWith('/')) rules.push({ address: line.trim(), headers: [] });
  }
  return rules;
}

/** @param {ReturnType<typeof headerRules>} rules @param {string} pathname */
function headersFor(rules, pathname) {
  const matches = ({ address }) =>
    address.endsWith('*') ? pathname.startsWith(address.slice(0, -1)) : pathname === address;
  return Object.fromEntries(rules.filter(matches).flatMap(({ headers }) => headers));
}

/**
 * Serves `folder` on 127.0.0.1 under the path `base`; resolves to the listening server and its URL.
 */
export async function serve({
  port = 0,
  folder = fileURLToPath(new URL('dist', import.meta.url)),
  base = '/',
} = {}) {
  const root = normalize(folder).replace(/[\\/]+$/, '');
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const [asked = '/'] = (request.url ?? '/').split(/[?#]/);
    const pathname = asked.startsWith(base) ? `/${asked.slice(base.length)}` : null;
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const file = pathname && (await locate(root, pathname, accepted));
    if (!file) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n');
      return;
    }
    const rules = headerRules(await readFile(join(root, '_headers'), 'utf8').catch(() => ''));
    response.writeHead(200, {
      'content-type': file.type,
      'content-length': file.length,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      ...(file.encoding ? { 'content-encoding': file.encoding } : {}),
      ...headersFor(rules, pathname),
    });
    if (request.method === 'HEAD') response.end();
    else
      createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      resolve({ server, url: `http://127.0.0.1:${server.address().port}${base}` });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const port = Number(process.argv[2] ?? process.env.PORT ?? 8080);
  const folder = process.argv[3];
  serve({ port, ...(folder ? { folder } : {}) }).then(
    ({ url }) => console.log(url),
    (error) => {
      console.error(`ridgepoint: cannot listen on port ${port}: ${error.message}`);
      process.exitCode = 1;
    },
  );
}
