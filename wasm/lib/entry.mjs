import { readCheckpoint } from './checkpoint.mjs';
import { Ridgepoint } from './core.mjs';
import { RidgepointError } from './error.mjs';
import { reason } from './request.mjs';

/**
 * @import { CheckpointOptions, CheckpointInput, ExportQuery, LoadOptions, LogQuery, Queries, Request, RunKind, RunOptions, RunQueries } from '../ridgepoint.d.ts'
 * @import { OpenPath } from './checkpoint.mjs'
 * @import { CoreModule } from './core.mjs'
 * @typedef {(moduleOptions: object) => Promise<CoreModule>} ModuleFactory
 */

/**
 * The functions of the package for one environment. `start` knows where that environment finds
 * the module.
 *
 * @param {(options: LoadOptions) => Promise<CoreModule>} start
 * @param {OpenPath} [openPath] reads files by their path, where there are any
 */
export function createEntry(start, openPath) {
  /** @type {Promise<Ridgepoint> | undefined} */
  let shared;

  /** @param {LoadOptions} options */
  async function begin(options) {
    try {
      return new Ridgepoint(await start(options));
    } catch (cause) {
      throw new RidgepointError(
        { code: 'load_failed', message: `The WebAssembly module did not load: ${reason(cause)}` },
        { cause },
      );
    }
  }

  /** @param {LoadOptions} [options] @returns {Promise<Ridgepoint>} */
  async function load(options) {
    if (options && Object.keys(options).length > 0) return begin(options);
    shared ??= begin({});
    const pending = shared;
    try {
      const instance = await pending;
      if (instance.usable) return instance;
    } catch (error) {
      // A failed start is not kept, so that a page can try again once the network is back.
      if (shared === pending) shared = undefined;
      throw error;
    }
    if (shared === pending) shared = undefined;
    return load();
  }

  return {
    load,
    /** @param {Request} request */
    fit: async (request) => (await load()).fit(request),
    /** @param {Request} request */
    evaluate: async (request) => (await load()).evaluate(request),
    /** @param {string} text */
    evaluateText: async (text) => (await load()).evaluateText(text),
    /** @param {Queries['scan']} query */
    scan: async (query) => (await load()).scan(query),
    /** @param {Queries['recommend']} query */
    recommend: async (query) => (await load()).recommend(query),
    /** @param {Queries['compare']} query */
    compare: async (query) => (await load()).compare(query),
    /** @param {Request} request */
    advise: async (request) => (await load()).advise(request),
    /** @param {Request} request */
    explain: async (request) => (await load()).explain(request),
    /** @param {Queries['readCommand']} query */
    readCommand: async (query) => (await load()).readCommand(query),
    /** @param {Queries['writeCommand']} query */
    writeCommand: async (query) => (await load()).writeCommand(query),
    /** @param {string | Uint8Array} log @param {LogQuery} [query] */
    readLog: async (log, query) => (await load()).readLog(log, query),
    /** @param {ExportQuery} query */
    exportAnswer: async (query) => (await load()).exportAnswer(query),
    /**
     * @template {keyof Queries} Q
     * @param {Q} question
     * @param {Queries[Q]} query
     */
    ask: async (question, query) => (await load()).ask(question, query),
    /**
     * @template {RunKind} K
     * @param {K} kind
     * @param {RunQueries[K]} query
     * @param {RunOptions} [options]
     */
    run: async (kind, query, options) => (await load()).run(kind, query, options),
    /**
     * @template {RunKind} K
     * @param {K} kind
     * @param {RunQueries[K]} query
     * @param {RunOptions} [options]
     */
    askRun: async (kind, query, options) => (await load()).askRun(kind, query, options),
    /** @param {string | Uint8Array} log @param {LogQuery} [query] */
    askLog: async (log, query) => (await load()).askLog(log, query),
    catalogue: async () => (await load()).catalogue(),
    version: async () => (await load()).version(),
    /** @param {CheckpointInput} source @param {CheckpointOptions} [options] */
    readCheckpoint: async (source, options) =>
      readCheckpoint(await load(), source, options, openPath),
  };
}
