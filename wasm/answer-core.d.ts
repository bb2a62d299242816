/**
 * The same as `ridgepoint/answer` for who has the bytes of a module and no address, such as a page
 * that is one file: `ridgepoint/answer-core` names no file that a bundler would add.
 *
 * @packageDocumentation
 */

import type { AnswerSource, AnswerCore as Core } from './answer.d.ts';

export declare const AnswerCore: typeof Core;
export type AnswerCore = Core;

/**
 * Starts the module that `source` is.
 *
 * @param engine what it can answer for, `all` or one engine
 * @throws {@link RidgepointError} with code `load_failed`
 */
export declare function startAnswerCore(
  source: AnswerSource | PromiseLike<AnswerSource>,
  engine: string,
): Promise<AnswerCore>;
