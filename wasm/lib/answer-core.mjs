import { RidgepointError } from './error.mjs';
import { failureText } from './failure.mjs';
import { reason, requestText, withId } from './request.mjs';

/**
 * @import { ErrorReport, Request } from '../ridgepoint.d.ts'
 * @import { AnswerCatalogue, AnswerReport, AnswerSource } from '../answer.d.ts'
 * @typedef {object} AnswerExports what wasm/src/answer.cpp exports
 * @property {WebAssembly.Memory} memory
 * @property {() => void} _initialize
 * @property {(size: number) => number} room
 * @property {(request: number, size: number) => number} evaluate
 * @property {() => number} catalogue
 * @property {() => number} version
 * @property {() => number} answer_size
 */

/** One instance of a module for the first answer. Everything here is synchronous. */
export class AnswerCore {
  #exports;
  /** @type {AnswerCatalogue | undefined} */
  #catalogue;
  /** @type {string | undefined} */
  #failure;

  /** @param {AnswerExports} exports @param {string} engine */
  constructor(exports, engine) {
    this.#exports = exports;
    this.engine = engine;
  }

  /** False once the module has trapped: its memory can no longer be trusted. */
  get usable() {
    return this.#failure === undefined;
  }

  /** @param {string} text @returns {string} */
  evaluateText(text) {
    if (this.#failure !== undefined) return this.#failure;
    try {
      const bytes = new TextEncoder().encode(text);
      const at = this.#exports.room(bytes.length + 1);
      if (at === 0) throw new RangeError('out of memory');
      new Uint8Array(this.#exports.memory.buffer).set(bytes, at);
      return this.#text(this.#exports.evaluate(at, bytes.length));
    } catch (cause) {
      this.#failure = failureText(cause);
      return this.#failure;
    }
  }

  /** @param {Request} request @returns {AnswerReport | ErrorReport} */
  evaluate(request) {
    const written = requestText(request);
    return 'text' in written
      ? JSON.parse(this.evaluateText(written.text))
      : withId(request, written);
  }

  /** @returns {AnswerCatalogue} */
  catalogue() {
    this.#catalogue ??= /** @type {AnswerCatalogue} */ (
      JSON.parse(this.#text(this.#exports.catalogue()))
    );
    return this.#catalogue;
  }

  /** @returns {string} */
  version() {
    return this.#text(this.#exports.version());
  }

  /** @param {number} at */
  #text(at) {
    const size = this.#exports.answer_size();
    return new TextDecoder().decode(new Uint8Array(this.#exports.memory.buffer, at, size));
  }
}

/**
 * @param {AnswerSource | PromiseLike<AnswerSource>} source the module
 * @param {string} engine what it can answer for
 * @returns {Promise<AnswerCore>}
 */
export async function startAnswerCore(source, engine) {
  try {
    const exports = /** @type {AnswerExports} */ (
      /** @type {unknown} */ ((await instantiated(await source)).instance.exports)
    );
    exports._initialize();
    return new AnswerCore(exports, engine);
  } catch (cause) {
    throw new RidgepointError(
      { code: 'load_failed', message: `The WebAssembly module did not load: ${reason(cause)}` },
      { cause },
    );
  }
}

/** @param {AnswerSource} source */
async function instantiated(source) {
  const imports = {
    env: { emscripten_notify_memory_growth() {} },
    wasi_snapshot_preview1: {
      proc_exit() {
        throw new Error('abort');
      },
    },
  };
  if (!(source instanceof Response)) {
    return WebAssembly.instantiate(/** @type {BufferSource} */ (source), imports);
  }
  if (!source.ok) throw new Error(`${source.url} answered ${source.status}`);
  // Some servers do not know the type of the file, and streaming insists on it.
  return source.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.instantiateStreaming(source, imports)
    : WebAssembly.instantiate(await source.arrayBuffer(), imports);
}
