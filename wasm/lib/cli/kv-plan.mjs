import { answerLines } from './answer-lines.mjs';

/** @import { Context } from './main.mjs' */

/**
 * vLLM's KV-cache planner on bare layer specs: JSON lines in, JSON lines out.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @returns {Promise<number>} 2 when a line was wrong, else 1 when the engine refuses one, else 0
 */
export async function kvPlan(file, context) {
  const core = await context.load();
  return await answerLines(file, context, (line) => core.kvPlanText(line), statusOf);
}

/** @param {any} answer */
function statusOf({ error }) {
  if (error === undefined) return 0;
  return typeof error === 'string' ? 1 : 2;
}
