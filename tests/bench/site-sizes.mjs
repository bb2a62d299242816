// Bytes of the built site, as a server sends them.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';

const dist = fileURLToPath(new URL('../../web/dist/', import.meta.url));

function sent(name) {
  const path = dist + name;
  return existsSync(`${path}.br`)
    ? statSync(`${path}.br`).size
    : brotliCompressSync(readFileSync(path)).length;
}

/** What the page's service worker keeps is what the page can ask for. */
function filesOfThePage() {
  const [, list = '{}'] =
    /^const FILES = (\{[^}]*\});/m.exec(readFileSync(`${dist}sw.js`, 'utf8')) ?? [];
  return Object.keys(JSON.parse(list)).map((name) => name || 'index.html');
}

export function siteSizes() {
  const widget = 'widget/ridgepoint-widget.js';
  return {
    page: filesOfThePage().reduce((sum, name) => sum + sent(name), 0),
    offline: statSync(`${dist}ridgepoint-offline.html`).size,
    widget: existsSync(dist + widget) ? sent(widget) : null,
  };
}
