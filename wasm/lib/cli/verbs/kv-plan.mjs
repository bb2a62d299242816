import { answerLines } from '../answer-lines.mjs';

/** @import { Context, Register } from '../context.mjs' */

/** @type {Register} */
export function register(program, context, end) {
  program
    .command('kv-plan [file]')
    .summary("vLLM's KV-cache planner on bare layer specs, JSON lines")
    .description(
      'One line of layer specs and memory from the file or standard input, one line with the blocks, groups, tokens and concurrency that vLLM would print to standard output. Exit status: 2 when a line was wrong, else 1 when vLLM refuses one, else 0.',
    )
    .action(async (file) => end(await kvPlan(file, context)));
}

/**
 * vLLM's KV-cache planner on bare layer specs: JSON lines in, JSON lines out.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @returns {Promise<number>} 2 when a line was wrong, else 1 when the engine refuses one, else 0
 */
async function kvPlan(file, context) {
  const core = await context.load();
  return await answerLines(file, context, (line) => core.kvPlanText(line), statusOf);
}

/** @param {any} answer */
function statusOf({ error }) {
  if (error === undefined) return 0;
  return typeof error === 'string' ? 1 : 2;
}
