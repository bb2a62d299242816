import { readFile, stat } from 'node:fs/promises';
import { Command } from 'commander';
import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { questionText } from '../question.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';
import { shellWords } from '../shell-words.mjs';
import { UsageError } from '../usage-error.mjs';

/**
 * @import { Request } from '../../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 * @typedef {SetupOptions & OutputOptions & { with?: string[], setup?: string[] }} CompareOptions
 * @typedef {{ label: string, request: Request }} Labelled
 * @typedef {{ tokens: string[], options: SetupOptions }} Line the words of a setup
 */

const MOST_FILE = 32_000_000;
const MOST_LABEL = 60;

const HELP = `
Variations of one setup, whole setups, or requests in JSON files (what the first argument of the
library's "fit" is); all are compared with the first:
  ridgepoint compare org/name --gpu h100 --ctx 8192 --with '--kv-cache-dtype fp8' --with '--gpu h200'
  ridgepoint compare --setup 'org/name --gpu h100' --setup 'org/name --gpu l4:4 -tp 4'
  ridgepoint compare before.json after.json

Every difference comes with the terms and the changes that it is made of.
Exit status: 0 one of them serves, 1 none does, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('compare')
    .summary('two or more setups, and what makes the difference')
    .usage("<model> --gpu <id> --with '<flags>'… | --setup '<model and flags>'… | <request.json>…")
    .option('--with <flags>', 'the setup with these flags changed; may be repeated', collect)
    .option('--setup <words>', 'a whole setup; may be repeated', collect);
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => end(await compare(command.args, options, context)));
}

/** @param {string} value @param {string[] | undefined} all */
const collect = (value, all) => [...(all ?? []), value];

/**
 * @param {string[]} tokens
 * @param {CompareOptions} options
 * @param {Context} context
 */
async function compare(tokens, options, context) {
  formatOf(options);
  const core = await context.load();
  const setups = await readSetups(tokens, options, core, context);
  if (setups.length < 2) {
    throw new UsageError('name two setups or more: --with, --setup, or files of requests');
  }
  const text = questionText(core, 'compare', { setups });
  return await printAnswer(text, options, core, context, ({ setups }) =>
    setups.some((/** @type {any} */ { report }) => report.verdict?.serves) ? 0 : 1,
  );
}

/**
 * @param {string[]} tokens
 * @param {CompareOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Labelled[]>}
 */
async function readSetups(tokens, options, core, context) {
  const { with: variations = [], setup: others = [], ...base } = options;
  if (variations.length === 0 && (await areFiles(tokens))) {
    const files = await Promise.all(tokens.map(requestIn));
    return [...files, ...(await wholeSetups(others, base, core, context))];
  }
  /** @type {Labelled[]} */
  const setups = [];
  const line = { tokens, options: base };
  if (tokens.length > 0 || base.fromCommand !== undefined || base.fromLog !== undefined) {
    setups.push(
      await labelled(variations.length > 0 ? 'the base' : tokens.join(' '), line, core, context),
    );
  }
  for (const variation of variations) {
    setups.push(await labelled(variation, varied(line, variation, context), core, context));
  }
  return [...setups, ...(await wholeSetups(others, base, core, context))];
}

/**
 * @param {string[]} texts
 * @param {SetupOptions} options of the whole command, of which the hub is for all setups
 * @param {Ridgepoint} core
 * @param {Context} context
 */
async function wholeSetups(texts, options, core, context) {
  const { hub: address, tokenFile } = options;
  const hub = { hub: address, tokenFile };
  /** @type {Labelled[]} */
  const setups = [];
  for (const text of texts) {
    const { tokens, options } = readLine(text, context);
    setups.push(await labelled(text, { tokens, options: { ...hub, ...options } }, core, context));
  }
  return setups;
}

/**
 * @param {string} label
 * @param {Line} line
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Labelled>}
 */
async function labelled(label, { tokens, options }, core, context) {
  const { request, notes } = await readSetup(tokens, options, core, context);
  const short = label.trim().replace(/\s+/g, ' ');
  const cut = short.length > MOST_LABEL ? `${short.slice(0, MOST_LABEL - 1)}…` : short;
  await printNotes(
    notes.map((note) => `${cut}: ${note}`),
    context,
  );
  return { label: cut, request };
}

/**
 * The words of a setup that is written as one argument.
 *
 * @param {string} text
 * @param {Context} context
 * @returns {Line}
 */
function readLine(text, context) {
  const command = new Command('setup').exitOverride().configureOutput({
    writeErr: (message) => void context.stderr.write(message),
  });
  addSetupOptions(command, context).action(() => {});
  command.parse(shellWords(text), { from: 'user' });
  const given = /** @type {any} */ (command.opts());
  // What only has its default is not said, so that it replaces nothing.
  for (const name of Object.keys(given)) {
    if (command.getOptionValueSource(name) === 'default') delete given[name];
  }
  return { tokens: command.args, options: given };
}

/**
 * A setup with what a variation says over it. A model in the variation takes the place of the first.
 *
 * @param {Line} line
 * @param {string} variation
 * @param {Context} context
 * @returns {Line}
 */
function varied({ tokens, options }, variation, context) {
  const more = readLine(variation, context);
  const other = more.tokens.length > 0 && !more.tokens[0].startsWith('-');
  const kept = other ? tokens.filter((token, at) => at > 0 || token.startsWith('-')) : tokens;
  return { tokens: [...kept, ...more.tokens], options: { ...options, ...more.options } };
}

/** Whether all words are files of JSON. @param {string[]} words */
async function areFiles(words) {
  if (words.length < 2) return false;
  const found = await Promise.all(words.map((word) => stat(word).catch(() => undefined)));
  return found.every((each) => each?.isFile());
}

/** @param {string} file @returns {Promise<Labelled>} */
async function requestIn(file) {
  const { size } = await stat(file);
  if (size > MOST_FILE) throw new UsageError(`${file} is larger than a request can be`);
  const label = file.replace(/^.*[/\\]/, '').replace(/\.json$/i, '');
  let request;
  try {
    request = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new UsageError(`${file} is not JSON: give requests, {"model":…,"gpu":…,"engine":…}`);
  }
  if (!request?.model || !request?.engine) {
    throw new UsageError(`${file} is no request: it needs "model", "gpu" and "engine"`);
  }
  return { label, request };
}
