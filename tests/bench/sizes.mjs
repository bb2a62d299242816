// Sizes of the wasm module, its glue and the built page, raw and as brotli.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { table } from './table.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const row = (name, path) => {
  const body = readFileSync(root + path);
  return [name, body.length, brotliCompressSync(body).length];
};

const module = [
  row('wasm/dist/ridgepoint.wasm', 'wasm/dist/ridgepoint.wasm'),
  row('wasm/dist/ridgepoint.mjs (glue)', 'wasm/dist/ridgepoint.mjs'),
];
const page = readdirSync(`${root}web/dist`, { recursive: true })
  .filter((file) => /\.(?:html|js|css|wasm|svg)$/.test(file))
  .sort()
  .map((file) => row(`web/dist/${file}`, `web/dist/${file}`));
const sum = (column) => page.reduce((total, line) => total + line[column], 0);

console.log('\nSizes (bytes)');
table(['file', 'raw', 'brotli'], [...module, ...page, ['the page in all', sum(1), sum(2)]]);
