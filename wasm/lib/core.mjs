import { RidgepointError } from './error.mjs';
import { failureText } from './failure.mjs';
import { requestText, withId } from './request.mjs';

/**
 * @import { Answers, Catalogue, CheckpointHeader, ErrorReport, ExportQuery, LogAnswer, LogQuery, Queries, Report, Request } from '../ridgepoint.d.ts'
 * @typedef {object} CoreModule the functions that the WebAssembly module exports
 * @property {(request: string) => string} evaluate
 * @property {(line: string) => string} kvPlan
 * @property {(query: string) => string} scan
 * @property {(query: string) => string} recommend
 * @property {(query: string) => string} compare
 * @property {(query: string) => string} advise
 * @property {(query: string) => string} explain
 * @property {(query: string) => string} readCommand
 * @property {(query: string) => string} writeCommand
 * @property {(query: string) => string} exportAnswer
 * @property {(log: string | Uint8Array, query: string) => string} readLog
 * @property {() => string} catalogue
 * @property {() => string} version
 * @property {(bytes: Uint8Array) => string} [readCheckpointHeader]
 */

/** @typedef {'scan' | 'recommend' | 'compare' | 'advise' | 'explain' | 'readCommand' | 'writeCommand' | 'exportAnswer'} Question what the core answers besides `evaluate`, JSON text in and out */

/** One instance of the compiled core. Everything here is synchronous. */
export class Ridgepoint {
  /** @type {CoreModule} */
  #module;
  /** @type {Catalogue | undefined} */
  #catalogue;
  /** @type {string | undefined} */
  #failure;

  /** @param {CoreModule} module */
  constructor(module) {
    this.#module = module;
  }

  /** False once the module has trapped: its memory can no longer be trusted. */
  get usable() {
    return this.#failure === undefined;
  }

  /** @param {string} text @returns {string} */
  evaluateText(text) {
    return this.#guarded(() => this.#module.evaluate(String(text)));
  }

  /** @param {Uint8Array} bytes @returns {CheckpointHeader} */
  readCheckpointHeader(bytes) {
    const read = this.#module.readCheckpointHeader;
    if (!read) throw new TypeError('this module has no readCheckpointHeader');
    return JSON.parse(this.#guarded(() => read(bytes)));
  }

  /** @param {() => string} call @returns {string} */
  #guarded(call) {
    if (this.#failure !== undefined) return this.#failure;
    try {
      return call();
    } catch (cause) {
      this.#failure = failureText(cause);
      return this.#failure;
    }
  }

  /** @param {Request} request @returns {Report | ErrorReport} */
  evaluate(request) {
    const written = requestText(request);
    if ('text' in written) return JSON.parse(this.evaluateText(written.text));
    return withId(request, written);
  }

  /** @param {Question} question @param {string} query @returns {string} */
  askText(question, query) {
    return this.#guarded(() => this.#module[question](String(query)));
  }

  /**
   * @template {keyof Queries} Q
   * @param {Q} question
   * @param {Queries[Q]} query
   * @returns {Answers[Q] | ErrorReport}
   */
  ask(question, query) {
    const written = requestText(query);
    if ('text' in written) return JSON.parse(this.askText(question, written.text));
    return withId(query, written);
  }

  /** @param {string | Uint8Array} log @param {string} query @returns {string} */
  readLogText(log, query) {
    return this.#guarded(() => this.#module.readLog(log, query));
  }

  /**
   * @param {string | Uint8Array} log
   * @param {LogQuery} [query]
   * @returns {LogAnswer | ErrorReport}
   */
  askLog(log, query = {}) {
    const written = requestText(query);
    if ('text' in written) return JSON.parse(this.readLogText(log, written.text));
    return withId(query, written);
  }

  /**
   * @param {string | Uint8Array} log
   * @param {LogQuery} [query]
   * @returns {LogAnswer}
   */
  readLog(log, query) {
    return answered(this.askLog(log, query));
  }

  /** @param {Queries['scan']} query */
  scan(query) {
    return answered(this.ask('scan', query));
  }

  /** @param {Queries['recommend']} query */
  recommend(query) {
    return answered(this.ask('recommend', query));
  }

  /** @param {Queries['compare']} query */
  compare(query) {
    return answered(this.ask('compare', query));
  }

  /** @param {Request} request */
  advise(request) {
    return answered(this.ask('advise', request));
  }

  /** @param {Request} request */
  explain(request) {
    return answered(this.ask('explain', request));
  }

  /** @param {Queries['readCommand']} query */
  readCommand(query) {
    return answered(this.ask('readCommand', query));
  }

  /** @param {Queries['writeCommand']} query */
  writeCommand(query) {
    return answered(this.ask('writeCommand', query));
  }

  /** @param {ExportQuery} query @returns {string} */
  exportAnswer(query) {
    const written = requestText(query);
    if ('error' in written) throw new RidgepointError(written.error);
    const text = this.askText('exportAnswer', written.text);
    // No text of an answer starts with a brace.
    if (text.startsWith('{')) throw new RidgepointError(JSON.parse(text).error);
    return text;
  }

  /** @param {Request} request @returns {Report} */
  fit(request) {
    return answered(this.evaluate(request));
  }

  /** @param {string} line @returns {string} */
  kvPlanText(line) {
    return this.#module.kvPlan(line);
  }

  /** @returns {Catalogue} */
  catalogue() {
    this.#catalogue ??= /** @type {Catalogue} */ (JSON.parse(this.#module.catalogue()));
    return this.#catalogue;
  }

  /** @returns {string} */
  version() {
    return this.#module.version();
  }
}

/**
 * @template {object} T
 * @param {T | ErrorReport} answer
 * @returns {T}
 */
function answered(answer) {
  if ('error' in answer) throw new RidgepointError(/** @type {ErrorReport} */ (answer).error);
  return /** @type {T} */ (answer);
}
