import { readFile } from 'node:fs/promises';
import { createEntry } from './lib/entry.mjs';
import { openPath } from './lib/local-files.mjs';

export { Ridgepoint } from './lib/core.mjs';
export { RidgepointError } from './lib/error.mjs';

const GLUE = new URL('./dist/ridgepoint.mjs', import.meta.url);
const BINARY = new URL('./dist/ridgepoint.wasm', import.meta.url);

// The glue is built for browsers and would fetch() a file path; given the bytes it fetches nothing.
const entry = createEntry(async ({ createModule, wasmBinary, wasmUrl }) => {
  const file = wasmUrl ?? BINARY;
  const create = createModule ?? (await import(GLUE.href)).default;
  return create({ wasmBinary: wasmBinary ?? (createModule ? undefined : await read(file)) });
}, openPath);

/** @param {string | URL} file a path, a file: URL or an http(s) address */
async function read(file) {
  if (!/^https?:/.test(String(file))) return readFile(asPath(file));
  const response = await fetch(file);
  if (!response.ok) throw new Error(`${file} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** @param {string | URL} file */
function asPath(file) {
  return typeof file === 'string' && file.startsWith('file:') ? new URL(file) : file;
}

export const {
  load,
  fit,
  evaluate,
  evaluateText,
  scan,
  recommend,
  compare,
  advise,
  explain,
  readCommand,
  writeCommand,
  readLog,
  exportAnswer,
  ask,
  askLog,
  run,
  askRun,
  catalogue,
  version,
  readCheckpoint,
} = entry;
