import { writeFile } from 'node:fs/promises';
import { BADGE_LOOKS, badgeSvg, badgeText } from '../../badge.mjs';
import { HubError } from '../../hub.mjs';
import { requestText } from '../../request.mjs';
import { clean } from '../format.mjs';
import { printError, printNotes } from '../output.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';
import { UsageError } from '../usage-error.mjs';
import { print } from '../write.mjs';

/**
 * @import { BadgeLook } from '../../../badge.d.ts'
 * @import { ErrorReport, Report, Request } from '../../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 * @typedef {SetupOptions & { out?: string, label: string, style: string }} BadgeOptions
 */

const HELP = `
Examples:
  ridgepoint badge org/name --gpu h100 --engine vllm@0.28.0 --ctx 8192 --out serves.svg
  ridgepoint badge org/name --gpu l4:2 --ctx 32K --concurrency 16 --label "2 x L4" > l4.svg

The file is an SVG that needs nothing else; its title says the verdict in a sentence. It is green
where the setup serves, amber where it serves fewer requests than --concurrency asks for, red where it
does not serve, and grey where there is no answer. The other options are those of "fit", and every
other flag is one of the engine.

Exit status: 0 it serves, 1 it does not, 2 bad input. The badge is written in each case, unless the
command line itself is wrong.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('badge')
    .summary('the verdict as a small SVG picture')
    .usage('<model> --gpu <id[:count]> [--out <file.svg>] [options] [engine flags]')
    .option('--out <file>', 'where to write it (default: standard output)')
    .option('--label <text>', 'its left part; empty for none', 'ridgepoint')
    .option('--style <name>', `${BADGE_LOOKS.join(' or ')}`, 'flat');
  addSetupOptions(command, context)
    .addHelpText('after', HELP)
    .action(async (options) => end(await badge(command.args, options, context)));
}

/**
 * @param {string[]} tokens
 * @param {BadgeOptions} options
 * @param {Context} context
 */
async function badge(tokens, options, context) {
  const { label, out, style } = options;
  const look = /** @type {BadgeLook} */ (style.toLowerCase());
  if (!BADGE_LOOKS.includes(look)) {
    throw new UsageError(`--style takes ${BADGE_LOOKS.join(' or ')}, not "${style}"`);
  }
  const core = await context.load();
  const { answer, request } = await answerOf(tokens, options, core, context);
  const svg = badgeSvg(badgeText(answer, request, clean(label)), look);
  if (out === undefined) await print(context.stdout, svg);
  else await writeFile(out, svg);
  if (!('verdict' in answer)) {
    return await printError(/** @type {ErrorReport} */ (answer).error, context);
  }
  return answer.verdict.serves ? 0 : 1;
}

/**
 * The report, or what stands in its place: of a hub that does not answer too, for a build that
 * writes badges should not keep yesterday's.
 *
 * @param {string[]} tokens
 * @param {BadgeOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<{ answer: Report | ErrorReport, request: Request }>}
 */
async function answerOf(tokens, options, core, context) {
  /** @type {Request} */
  let request = { model: {}, gpu: {}, engine: { name: '' } };
  try {
    const setup = await readSetup(tokens, options, core, context);
    request = setup.request;
    await printNotes(setup.notes, context);
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const { code, message } = error;
    return { answer: { error: { code, message, path: '' } }, request };
  }
  const written = requestText(request);
  const answer = 'error' in written ? written : JSON.parse(core.evaluateText(written.text));
  return { answer, request };
}
