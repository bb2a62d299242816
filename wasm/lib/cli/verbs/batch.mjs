import { answerLines } from '../answer-lines.mjs';

/** @import { Context, Register } from '../context.mjs' */

/** @type {Register} */
export function register(program, context, end) {
  program
    .command('batch [file]')
    .summary('JSON lines of requests in, JSON lines of reports out')
    .description(
      'One request a line from the file or standard input, one report or error a line to standard output, in the same order. Exit status: 2 when a line was an error, else 1 when one does not serve, else 0.',
    )
    .action(async (file) => end(await batch(file, context)));
}

/**
 * Requests in, reports or errors out, a JSON line each.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @returns {Promise<number>} 2 when a line was an error, else 1 when one does not serve, else 0
 */
async function batch(file, context) {
  const core = await context.load();
  return await answerLines(file, context, (line) => core.evaluateText(line), statusOf);
}

/** @param {any} answer */
function statusOf({ error, verdict }) {
  if (error) return 2;
  return verdict.serves ? 0 : 1;
}
