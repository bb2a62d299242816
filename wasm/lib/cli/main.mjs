import { Command, CommanderError } from 'commander';
import { load as loadCore } from '../../node.mjs';
import { RidgepointError } from '../error.mjs';
import { HubError } from '../hub.mjs';
import { errorText } from './output.mjs';
import { UsageError } from './usage-error.mjs';
import { register as advise } from './verbs/advise.mjs';
import { register as badge } from './verbs/badge.mjs';
import { register as batch } from './verbs/batch.mjs';
import { register as command } from './verbs/command.mjs';
import { register as compare } from './verbs/compare.mjs';
import { register as devices } from './verbs/devices.mjs';
import { register as explain } from './verbs/explain.mjs';
import { register as exportAnswer } from './verbs/export.mjs';
import { register as fit } from './verbs/fit.mjs';
import { register as kvPlan } from './verbs/kv-plan.mjs';
import { register as lists } from './verbs/lists.mjs';
import { register as log } from './verbs/log.mjs';
import { register as recommend } from './verbs/recommend.mjs';
import { register as scan } from './verbs/scan.mjs';
import { register as simulate } from './verbs/simulate.mjs';
import { print } from './write.mjs';

/** @import { Context, Register } from './context.mjs' */

/** @type {Register[]} in the order of the help */
const VERBS = [
  fit,
  scan,
  simulate,
  recommend,
  compare,
  advise,
  explain,
  command,
  log,
  exportAnswer,
  badge,
  batch,
  kvPlan,
  lists,
  devices,
];

const HELP = `
Start with one of these:
  ridgepoint fit meta-llama/Meta-Llama-3-8B --gpu l4
  ridgepoint recommend meta-llama/Meta-Llama-3-8B --ctx 8192 --concurrency 16
  ridgepoint fit --from-command 'vllm serve meta-llama/Meta-Llama-3-8B' --gpu l4

"ridgepoint <command> --help" has examples of each.
Exit status: 0 it serves or something was found, 1 it does not or nothing was, 2 bad input.`;

/**
 * Run the command line.
 *
 * @param {string[]} argv without the program's own name
 * @param {Partial<Context>} [outside] replaces parts of the process, for tests
 * @returns {Promise<number>} exit status
 */
export async function main(argv, outside = {}) {
  /** @type {Context} */
  const context = {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    load: loadCore,
    onInterrupt: (stop) => {
      // Once: who presses it again wants out in any case.
      process.once('SIGINT', stop);
      return () => void process.off('SIGINT', stop);
    },
    ...outside,
  };
  try {
    return await run(argv, context);
  } catch (error) {
    return await report(error, argv, context);
  }
}

/** @param {string[]} argv @param {Context} context @returns {Promise<number>} */
async function run(argv, context) {
  let status = 0;
  const program = new Command('ridgepoint')
    .description('Will this model start on this engine and this card?')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    })
    .addHelpText('after', HELP);

  // The version is the module's own, so it is known only once that is loaded.
  if (argv[0] === '--version' || argv[0] === '-V') {
    await print(context.stdout, `${(await context.load()).version()}\n`);
    return 0;
  }
  program.option('-V, --version', 'print the version');

  for (const register of VERBS) {
    register(program, context, (ended) => {
      status = ended;
    });
  }
  await program.parseAsync(argv, { from: 'user' });
  return status;
}

/**
 * @param {unknown} error
 * @param {string[]} argv
 * @param {Context} context
 * @returns {Promise<number>}
 */
async function report(error, argv, { stdout, stderr }) {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const known = error instanceof UsageError || error instanceof HubError;
  if (!known && !(error instanceof RidgepointError) && !isFileError(error)) throw error;
  const { message } = /** @type {Error} */ (error);
  // A program that asked for JSON gets its error in the form of the core's own.
  if (wantsJson(argv)) {
    const code = error instanceof UsageError ? 'usage' : /** @type {any} */ (error.code ?? 'usage');
    const path = error instanceof RidgepointError ? error.path : '';
    await print(stdout, `${JSON.stringify({ error: { code, message, path } })}\n`);
  } else {
    await print(stderr, errorText(message, stderr));
  }
  return 2;
}

/** @param {string[]} argv */
function wantsJson(argv) {
  return (
    argv.includes('--json') ||
    argv.includes('--format=json') ||
    argv.some((word, at) => word === '--format' && argv[at + 1] === 'json')
  );
}

/** A file that is missing, is a folder or may not be read. @param {unknown} error */
function isFileError(error) {
  return error instanceof Error && 'syscall' in error;
}
