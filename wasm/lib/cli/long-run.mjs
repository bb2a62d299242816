import { requestText } from '../request.mjs';
import { duration, whole } from './format.mjs';
import { print } from './write.mjs';

/**
 * @import { Progress, RunKind } from '../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../core.mjs'
 * @import { Context } from './context.mjs'
 */

/** What a shell says of a program that was ended by Ctrl-C. */
export const INTERRUPTED = 130;

const CLEAR = '\r\u001b[K';

/**
 * The answer to a question that takes long as the text that the core gave; nothing when it was
 * stopped. A person at a terminal sees how far it is.
 *
 * @param {Ridgepoint} core
 * @param {RunKind} kind
 * @param {object} query
 * @param {Context} context
 * @returns {Promise<string | undefined>}
 */
export async function runText(core, kind, query, context) {
  const written = requestText(query);
  if ('error' in written) return JSON.stringify(written);
  const abort = new AbortController();
  const release = context.onInterrupt(() => abort.abort());
  const { stderr } = context;
  const onProgress = stderr.isTTY
    ? (/** @type {Progress} */ progress) =>
        void stderr.write(`${CLEAR}${progressLine(progress, stderr.columns || 80)}`)
    : undefined;
  try {
    return await core.runText(kind, written.text, { signal: abort.signal, onProgress });
  } catch (error) {
    if (!abort.signal.aborted) throw error;
    if (stderr.isTTY) await print(stderr, CLEAR);
    await print(stderr, 'Stopped.\n');
    return undefined;
  } finally {
    release();
    if (stderr.isTTY && !abort.signal.aborted) await print(stderr, CLEAR);
  }
}

/** What several simulations are made for. @type {Record<string, string>} */
const NOTES = {
  seed: 'drawing the requests anew',
  curve: 'at more and less than that',
  change: 'with changes of the setup',
  setup: 'trying setups',
};

/** @param {Progress} progress @param {number} width */
function progressLine({ share, finished, asked, time_s, running, waiting, note }, width) {
  // Of several simulations only their number says how far it is.
  const parts = note
    ? [NOTES[note], `${whole(finished)} simulations done`]
    : [
        `${whole(finished)} of ${whole(asked)} requests`,
        `${duration(time_s)} of it`,
        `${whole(running)} running`,
        `${whole(waiting)} waiting`,
      ];
  const line = `${Math.floor(share * 100)} %  ${parts.filter(Boolean).join(', ')}`;
  // A line that wraps could not be taken back.
  return line.slice(0, width - 1);
}
