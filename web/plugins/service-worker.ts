import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { bytesOf, OFFLINE_COPY, publicFiles, sha256 } from './emitted.ts';

const SOURCE = fileURLToPath(new URL('service-worker.js', import.meta.url));

/** What the page never asks for itself: for hosts, crawlers, other sites, and for keeping. */
const notForThePage = (name: string) =>
  name === OFFLINE_COPY ||
  /^(?:_headers|robots\.txt|card\.png|sw\.js|embed\.html|widget\/.*)$/.test(name) ||
  /\.(?:br|gz|map)$/.test(name);

/** The service worker: every file of the page with its hash, and a version made of them all. */
export function serviceWorker(): Plugin {
  let publicDir = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(config) {
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = publicFiles(publicDir);
        for (const file of Object.values(bundle)) files.set(file.fileName, bytesOf(file));
        const hashes = [...files]
          .filter(([name]) => !notForThePage(name))
          .map(([name, body]) => [name === 'index.html' ? '' : name, sha256(body)] as const)
          .sort(([a], [b]) => (a < b ? -1 : 1));
        const list = JSON.stringify(Object.fromEntries(hashes), null, 1);
        const code = readFileSync(SOURCE, 'utf8');
        const version = createHash('sha256')
          .update(code + list)
          .digest('hex')
          .slice(0, 12);
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: `const VERSION = '${version}';\nconst FILES = ${list};\n\n${code}`,
        });
      },
    },
  };
}
