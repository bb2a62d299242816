/**
 * A smaller module for one engine, which gives a first answer while the whole one is on its way:
 * `ridgepoint/answer`.
 *
 * @packageDocumentation
 */

import type {
  Catalogue,
  EngineEntry,
  ErrorReport,
  FlagEntry,
  Report,
  Request,
} from './ridgepoint.d.ts';

/** Bytes of a module, or what a request for them gave. */
export type AnswerSource = ArrayBuffer | Uint8Array | Response;

/** The engines that have a module of their own; `all` has every one of them. */
export type AnswerEngine = 'vllm' | 'sglang' | 'trtllm' | 'llamacpp';

/** A report of the whole module, byte for byte, without two of its keys. */
export type AnswerReport = Omit<Report, 'advice' | 'explain'>;

/** As the catalogue of the whole module; the flags have no help, and only its own engine has flags. */
export interface AnswerCatalogue extends Omit<Catalogue, 'engines'> {
  /** Every engine that the whole module covers. */
  engines: (Omit<EngineEntry, 'flags'> & { flags?: Omit<FlagEntry, 'help'>[] })[];
}

/** Where the module is. Bytes come before an address. */
export interface AnswerOptions {
  /** The engine to answer for. Default: `vllm`. */
  engine?: AnswerEngine;
  /** The bytes of a module, such as `answer-all.wasm`. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Where the module is: an address, or in Node a file. Default: beside this file. */
  wasmUrl?: string | URL;
}

/** One instance of a module for the first answer. Everything here is synchronous. */
export declare class AnswerCore {
  private constructor();
  /** The engine it was started for. */
  readonly engine: string;
  /** False once the module has trapped, after which every answer is the error `internal`. */
  readonly usable: boolean;
  /**
   * The report, or what is wrong. The error `not_here` is that of a request that the whole module
   * can answer and this one cannot: another engine, a rarer architecture or quantization,
   * `model.tensors`, a draft.
   */
  evaluate(request: Request): AnswerReport | ErrorReport;
  /** The same as JSON text in, JSON text out. */
  evaluateText(text: string): string;
  /** What the whole module knows, as far as this one does. */
  catalogue(): AnswerCatalogue;
  /** Version of the library, for example `0.1.0`. */
  version(): string;
}

/**
 * Starts a module. Each call starts another.
 *
 * @throws {@link RidgepointError} with code `load_failed`
 */
export declare function startAnswer(options?: AnswerOptions): Promise<AnswerCore>;

/** As `RidgepointError` of `ridgepoint`. */
export declare const RidgepointError: typeof import('./ridgepoint.d.ts').RidgepointError;
export type RidgepointError = import('./ridgepoint.d.ts').RidgepointError;
