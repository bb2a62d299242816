import { readFile } from 'node:fs/promises';
import { startAnswerCore } from './lib/answer-core.mjs';

export { AnswerCore } from './lib/answer-core.mjs';
export { RidgepointError } from './lib/error.mjs';

/** @param {import('./answer.d.ts').AnswerOptions} [options] */
export async function startAnswer({ engine = 'vllm', wasmBinary, wasmUrl } = {}) {
  const file = wasmUrl ?? new URL(`./dist/answer-${engine}.wasm`, import.meta.url);
  return startAnswerCore(wasmBinary ?? readFile(file), engine);
}
