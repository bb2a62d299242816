import { startAnswerCore } from './lib/answer-core.mjs';

export { AnswerCore } from './lib/answer-core.mjs';
export { RidgepointError } from './lib/error.mjs';

// Each address is written out, which is the form that bundlers recognise and emit the file for.
const MODULES = {
  vllm: () => new URL('./dist/answer-vllm.wasm', import.meta.url),
  sglang: () => new URL('./dist/answer-sglang.wasm', import.meta.url),
  trtllm: () => new URL('./dist/answer-trtllm.wasm', import.meta.url),
  llamacpp: () => new URL('./dist/answer-llamacpp.wasm', import.meta.url),
};

/** @param {import('./answer.d.ts').AnswerOptions} [options] */
export async function startAnswer({ engine = 'vllm', wasmBinary, wasmUrl } = {}) {
  const url = wasmUrl ?? MODULES[engine]();
  return startAnswerCore(wasmBinary ?? fetch(url, { credentials: 'same-origin' }), engine);
}
