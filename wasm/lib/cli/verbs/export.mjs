import { answerText } from '../inputs.mjs';
import { addOutputOptions, formatOf, printAnswer } from '../output.mjs';
import { UsageError } from '../usage-error.mjs';

/** @import { OutputOptions } from '../output.mjs' */
/** @import { Context, Register } from '../context.mjs' */

const HELP = `
The answer is what --json of any other command printed.

Examples:
  ridgepoint fit org/name --gpu h100 --json > fit.json
  ridgepoint export --format markdown fit.json
  ridgepoint scan org/name --gpu h100 --json | ridgepoint export --format csv
  ridgepoint export --format csv --table terms < compare.json

CSV has one table; a --table that is not there gives the names that are. Numbers are bytes, tokens
and seconds, and text that a spreadsheet would take for a formula has an apostrophe before it.
Exit status: 0, or 2 for bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  addOutputOptions(
    program
      .command('export [file]')
      .summary('an answer as CSV, Markdown or text')
      .helpOption('--help', 'show this text'),
  )
    .addHelpText('after', HELP)
    .action(async (file, options) => end(await exportAnswer(file, options, context)));
}

/**
 * @param {string | undefined} file
 * @param {OutputOptions} options
 * @param {Context} context
 */
async function exportAnswer(file, options, context) {
  formatOf(options);
  const text = await answerText(file, context);
  if (!isObject(text)) {
    throw new UsageError('this is no answer: give what --json of another command printed');
  }
  return await printAnswer(text, options, await context.load(), context, () => 0);
}

/** @param {string} text */
function isObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
