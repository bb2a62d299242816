import { createReadStream } from 'node:fs';
import { lines } from './lines.mjs';
import { print } from './write.mjs';

/** @import { Context } from './main.mjs' */

const TOO_LONG = JSON.stringify({
  error: { code: 'too_large', message: 'The line is longer than a request can be.', path: '' },
});

/**
 * JSON lines in, JSON lines out: one answer for each line that is not blank, in the same order.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @returns {Promise<number>} 2 when a line was an error, else 1 when one does not serve, else 0
 */
export async function batch(file, context) {
  const core = await context.load();
  const input = file && file !== '-' ? createReadStream(file) : context.stdin;
  let status = 0;
  for await (const line of lines(input)) {
    if (line?.trim() === '') continue;
    const answer = line === null ? TOO_LONG : core.evaluateText(line);
    await print(context.stdout, `${answer}\n`);
    status = Math.max(status, statusOf(answer));
  }
  return status;
}

/** @param {string} answer */
function statusOf(answer) {
  const { error, verdict } = JSON.parse(answer);
  if (error) return 2;
  return verdict.serves ? 0 : 1;
}
