import { readInteger, readNumber } from '../numbers.mjs';
import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { questionText } from '../question.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';
import { UsageError } from '../usage-error.mjs';

/**
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 * @typedef {SetupOptions & OutputOptions & { axis?: string[], over?: string[] }} ScanOptions
 */

const HELP = `
An axis is one of context, concurrency, count (of cards), utilization (what the engine claims of a
card), batched_tokens (of one step), weight_format and kv_format. Without values it has its usual
ones; without an axis the contexts are scanned. Two axes make a table of both.

Examples:
  ridgepoint scan org/name --gpu h100 --axis context=4k,32k,128k
  ridgepoint scan org/name --gpu h100 --axis context --axis kv_format
  ridgepoint scan org/name --gpu l4 --over count=1,2,4 --format csv > cards.csv

The other options are those of "fit", and every other flag is one of the engine.
Exit status: 0 a point serves, 1 none does, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('scan')
    .summary('one setup over contexts, cards, formats and more')
    .usage('<model> --gpu <id[:count]> [--axis <name[=values]>]... [options] [engine flags]')
    .option('--axis <name[=v1,v2…]>', 'what to change; may be given twice', collect)
    .option('--over <name[=v1,v2…]>', 'the same as --axis', collect);
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => end(await scan(command.args, options, context)));
}

/** @param {string} value @param {string[] | undefined} all */
const collect = (value, all) => [...(all ?? []), value];

/**
 * @param {string[]} tokens
 * @param {ScanOptions} options
 * @param {Context} context
 */
async function scan(tokens, options, context) {
  formatOf(options);
  const axes = [...(options.axis ?? []), ...(options.over ?? [])].map(axisOf);
  const core = await context.load();
  const { request, notes } = await readSetup(tokens, options, core, context);
  await printNotes(notes, context);
  const query = { request, ...(axes.length > 0 && { axes }) };
  const text = questionText(core, 'scan', query);
  return await printAnswer(text, options, core, context, ({ cells }) =>
    cells.some((/** @type {any} */ cell) => cell.serves) ? 0 : 1,
  );
}

/** @param {string} text */
function axisOf(text) {
  const [, name, list] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (!name)
    throw new UsageError(`--axis takes a name with values such as context=4k,32k, not "${text}"`);
  const axis = { name: name.trim().replaceAll('-', '_') };
  if (list === undefined) return axis;
  const words = list.split(',').map((word) => word.trim());
  if (words.includes('')) {
    throw new UsageError(`--axis ${name} takes values between commas, not "${list}"`);
  }
  return { ...axis, values: words.map((word) => readInteger(word) ?? readNumber(word) ?? word) };
}
