import { RidgepointError } from './error.mjs';
import { failureText } from './failure.mjs';
import { requestText, withId } from './request.mjs';
import { runToEnd } from './run.mjs';

/**
 * @import { Answers, Catalogue, CheckpointHeader, ErrorReport, ExportQuery, LogAnswer, LogQuery, Queries, Report, Request, RunAnswers, RunKind, RunOptions, RunQueries } from '../ridgepoint.d.ts'
 * @import { CoreRun } from './run.mjs'
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
 * @property {{ create(kind: string, query: string): CoreRun }} [Run]
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

  /**
   * @param {RunKind} kind
   * @param {string} query
   * @param {RunOptions} [options]
   * @returns {Promise<string>}
   */
  async runText(kind, query, options) {
    options?.signal?.throwIfAborted();
    if (this.#failure !== undefined) return this.#failure;
    const { Run } = this.#module;
    if (!Run) throw new TypeError('this module has no Run');
    /** @type {CoreRun | undefined} */
    let run;
    const failure = this.#guarded(() => {
      run = Run.create(kind, String(query));
      return '';
    });
    if (!run) return failure;
    const started = run;
    try {
      return await runToEnd(
        {
          advance: (steps) => this.#guarded(() => started.advance(steps)),
          result: () => this.#guarded(() => started.result()),
        },
        options,
      );
    } finally {
      // What stopped by a defect cannot be tidied up.
      if (this.usable) started.delete();
    }
  }

  /**
   * @template {RunKind} K
   * @param {K} kind
   * @param {RunQueries[K]} query
   * @param {RunOptions} [options]
   * @returns {Promise<RunAnswers[K] | ErrorReport>}
   */
  async askRun(kind, query, options) {
    const written = requestText(query);
    if ('text' in written) return JSON.parse(await this.runText(kind, written.text, options));
    return withId(query, written);
  }

  /**
   * @template {RunKind} K
   * @param {K} kind
   * @param {RunQueries[K]} query
   * @param {RunOptions} [options]
   */
  async run(kind, query, options) {
    return answered(await this.askRun(kind, query, options));
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
