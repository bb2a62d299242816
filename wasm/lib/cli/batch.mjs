import { answerLines } from './answer-lines.mjs';

/** @import { Context } from './main.mjs' */

/**
 * Requests in, reports or errors out, a JSON line each.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @returns {Promise<number>} 2 when a line was an error, else 1 when one does not serve, else 0
 */
export async function batch(file, context) {
  const core = await context.load();
  return await answerLines(file, context, (line) => core.evaluateText(line), statusOf);
}

/** @param {any} answer */
function statusOf({ error, verdict }) {
  if (error) return 2;
  return verdict.serves ? 0 : 1;
}
