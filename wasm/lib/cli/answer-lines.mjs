import { createReadStream } from 'node:fs';
import { lines } from './lines.mjs';
import { print } from './write.mjs';

/** @import { Context } from './context.mjs' */

const TOO_LONG = JSON.stringify({
  error: { code: 'too_large', message: 'The line is longer than a request can be.', path: '' },
});

/**
 * JSON lines in, JSON lines out: one answer for each line that is not blank, in the same order.
 *
 * @param {string | undefined} file standard input when absent or `-`
 * @param {Context} context
 * @param {(line: string) => string} answer
 * @param {(answer: any) => number} statusOf of one answer
 * @returns {Promise<number>} the worst status
 */
export async function answerLines(file, context, answer, statusOf) {
  const input = file && file !== '-' ? createReadStream(file) : context.stdin;
  let status = 0;
  for await (const line of lines(input)) {
    if (line?.trim() === '') continue;
    const text = line === null ? TOO_LONG : answer(line);
    await print(context.stdout, `${text}\n`);
    status = Math.max(status, statusOf(JSON.parse(text)));
  }
  return status;
}
