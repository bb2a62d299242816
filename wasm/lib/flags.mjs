import { readEngineArgs } from './cli/engine-args.mjs';
import { shellWords } from './cli/shell-words.mjs';
import { UsageError } from './cli/usage-error.mjs';

/**
 * Flags as they stand on an engine's command line, as `engine.args` of a request.
 *
 * @param {string} text
 * @param {readonly import('../ridgepoint.d.ts').FlagEntry[]} flags the engine's, from the catalogue
 */
export function readFlags(text, flags) {
  const { words, args } = readEngineArgs(shellWords(text), flags, 0);
  if (words.length > 0) throw new UsageError(`flags start with --: what is "${words[0]}"?`);
  return args;
}
