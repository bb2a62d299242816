/**
 * Reading the flags of an engine.
 *
 * @packageDocumentation
 */

import type { FlagEntry, Json } from './ridgepoint.d.ts';

/**
 * `--kv-cache-dtype fp8 -tp 2` as `engine.args` of a request, by the engine's own table of flags. An
 * unknown flag is passed on, for the core to refuse.
 *
 * @throws an `Error` for words that are no flags, and for a flag without its value
 */
export declare function readFlags(text: string, flags: readonly FlagEntry[]): Record<string, Json>;
