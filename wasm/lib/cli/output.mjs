import { paint } from './colour.mjs';
import { toldByFlags } from './flag-of-field.mjs';
import { clean } from './format.mjs';
import { wrap } from './layout.mjs';
import { optionInteger } from './numbers.mjs';
import { UsageError } from './usage-error.mjs';
import { print } from './write.mjs';

/**
 * @import { Command } from 'commander'
 * @import { Ridgepoint } from '../core.mjs'
 * @import { Context } from './context.mjs'
 * @typedef {object} OutputOptions
 * @property {boolean} [json]
 * @property {string} [format]
 * @property {string} [table]
 * @property {string} [width]
 */

const FORMATS = ['text', 'csv', 'markdown', 'json'];
const USUAL_WIDTH = 80;
const MOST_WIDTH = 100;
// What the first words of an answer mean; everything else is neither good nor bad.
const GOOD = /^(SERVES(?! TOO)|FOUND|STARTED)\b/;
const BAD =
  /^(DOES NOT SERVE|SERVES TOO LITTLE|NOTHING FOUND|REFUSED TO START|RAN OUT OF MEMORY|STOPPED WITH AN ERROR)/;

/** @param {Command} command */
export function addOutputOptions(command) {
  return command
    .option('--json', 'print the answer as JSON, exactly as the core gave it')
    .option('--format <name>', 'text, csv, markdown or json (default: text)')
    .option('--table <name>', 'which table of the answer --format csv prints')
    .option(
      '--width <columns>',
      'columns of --format text (default: those of the terminal, or 80)',
    );
}

/** What is to be printed; refuses what cannot be meant before anything is computed. @param {OutputOptions} options */
export function formatOf({ json, format, table }) {
  const wanted = (format ?? (json ? 'json' : 'text')).toLowerCase();
  const name = wanted === 'md' ? 'markdown' : wanted;
  if (!FORMATS.includes(name)) {
    throw new UsageError(`--format takes ${FORMATS.join(', ')}, not "${format}"`);
  }
  if (json && name !== 'json') throw new UsageError('--json and --format contradict each other');
  if (table !== undefined && name !== 'csv') {
    throw new UsageError('--table chooses a table of --format csv');
  }
  return name;
}

/** @param {OutputOptions} options @param {Context} context */
export function widthOf({ width }, { stdout }) {
  if (width === undefined) {
    return columnsOf(stdout);
  }
  const columns = optionInteger('--width', width);
  if (columns < 40 || columns > 1000) throw new UsageError('--width takes 40 to 1000 columns');
  return columns;
}

/**
 * An answer of the core in the form that was asked for, or its error.
 *
 * @param {string} text the answer as JSON
 * @param {OutputOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @param {(answer: any) => number} statusOf an answer that is no error
 * @returns {Promise<number>} exit status
 */
export async function printAnswer(text, options, core, context, statusOf) {
  const format = formatOf(options);
  const answer = JSON.parse(text);
  if (format === 'json') {
    await print(context.stdout, `${text}\n`);
    return answer.error ? 2 : statusOf(answer);
  }
  if (answer.error) return await printError(answer.error, context);
  const exported = exportText(text, format, options, core, context);
  if (typeof exported !== 'string') return await printError(exported, context);
  await print(context.stdout, format === 'text' ? coloured(exported, context) : exported);
  return statusOf(answer);
}

/**
 * @param {string} text the answer as JSON
 * @param {string} format
 * @param {OutputOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {string | { message: string, path: string }} the text, or what is wrong
 */
export function exportText(text, format, options, core, context) {
  const { table } = options;
  const query = JSON.stringify({
    format,
    ...(table !== undefined && { table }),
    ...(format === 'text' && { width: widthOf(options, context) }),
  });
  // The answer is JSON text already; parsing and writing it again would only cost time.
  const exported = core.askText('exportAnswer', `${query.slice(0, -1)},"answer":${text}}`);
  return exported.startsWith('{') ? JSON.parse(exported).error : exported;
}

/** @param {{ code?: string, message: string, path?: string }} error @param {Context} context */
export async function printError(error, { stderr }) {
  await print(stderr, errorText(toldByFlags(error), stderr));
  return 2;
}

/** An error as lines that fit. @param {string} message @param {Context['stderr']} stderr */
export const errorText = (message, stderr) =>
  `${wrap(clean(message), { width: columnsOf(stderr), first: 'error: ', indent: '  ' }).join('\n')}\n`;

/** @param {{ columns?: number }} stream */
const columnsOf = ({ columns }) => Math.max(40, Math.min(columns || USUAL_WIDTH, MOST_WIDTH));

/** @param {string[]} notes @param {Context} context */
export async function printNotes(notes, context) {
  for (const note of notes) await print(context.stderr, `note: ${clean(note)}\n`);
}

/** @param {string} text @param {Context} context */
function coloured(text, { stdout, env }) {
  const { good, bad } = paint(stdout, env);
  return text.replace(GOOD, good).replace(BAD, bad);
}
