import { HubError } from '../../hub.mjs';
import { logBytes } from '../inputs.mjs';
import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { addSetupOptions, gpuRequest, readSetup, setupOfLog } from '../setup.mjs';
import { UsageError } from '../usage-error.mjs';

/**
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 */

const HELP = `
Examples:
  ridgepoint log server.log
  docker logs server 2>&1 | ridgepoint log -
  ridgepoint log server.log org/name --gpu h100:2 -tp 2

What the engine measured is compared with what is predicted for the setup that the log tells, or for
the one that is written here. "ridgepoint fit --from-log" goes on with the measured terms.

Exit status: 0 the engine started, 1 it did not, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('log')
    .summary('what a start-up log says, against what is predicted')
    .usage('<file | -> [model] [--gpu <id[:count]>] [options] [engine flags]');
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => end(await log(command.args, options, context)));
}

/**
 * @param {string[]} tokens
 * @param {SetupOptions & OutputOptions} options
 * @param {Context} context
 */
async function log(tokens, options, context) {
  formatOf(options);
  const [file, ...rest] = tokens;
  if (file === undefined || (file.startsWith('-') && file !== '-')) {
    throw new UsageError('name the log first: a file, or - for standard input');
  }
  const core = await context.load();
  const bytes = await logBytes(file, context);
  const query = await queryFor(bytes, rest, options, core, context);
  const text = core.readLogText(bytes, JSON.stringify(query));
  return await printAnswer(text, options, core, context, ({ outcome }) =>
    outcome === 'started' ? 0 : 1,
  );
}

/**
 * The setup to compare with: the one that the log shows, with what is written here over it and with
 * the config of a model that is not built in.
 *
 * @param {Uint8Array} bytes
 * @param {string[]} tokens
 * @param {SetupOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 */
async function queryFor(bytes, tokens, options, core, context) {
  const gpu = gpuRequest(options);
  const part = Object.keys(gpu).length > 0 ? { request: { gpu } } : {};
  const { settings } = core.readLog(bytes);
  const written = tokens.length > 0 || options.fromCommand !== undefined;
  if (!written && !settings.model?.id) return part;
  try {
    const { request, notes } =
      written && options.fromCommand !== undefined
        ? await readSetup(tokens, options, core, context)
        : await setupOfLog(bytes, tokens, options, core, context);
    await printNotes(notes, context);
    return { request };
  } catch (error) {
    if (written || !(error instanceof HubError)) throw error;
    // What the log says is worth printing without a comparison.
    const why = `${settings.model?.id} was not read, so nothing is predicted: ${error.message}`;
    await printNotes([why], context);
    return part;
  }
}
