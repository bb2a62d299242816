import { Command, CommanderError } from 'commander';
import { load as loadCore } from '../../node.mjs';
import { RidgepointError } from '../error.mjs';
import { DEFAULT_HUB, HubError } from '../hub.mjs';
import { batch } from './batch.mjs';
import { devices } from './devices.mjs';
import { fit } from './fit.mjs';
import { clean } from './format.mjs';
import { kvPlan } from './kv-plan.mjs';
import { gpus, models } from './lists.mjs';
import { UsageError } from './usage-error.mjs';
import { print } from './write.mjs';

/**
 * @import { Ridgepoint } from '../core.mjs'
 * @typedef {object} Context everything outside the program that a command may touch
 * @property {AsyncIterable<string | Uint8Array>} stdin
 * @property {import('node:stream').Writable & { isTTY?: boolean, columns?: number }} stdout
 * @property {import('node:stream').Writable} stderr
 * @property {Record<string, string | undefined>} env
 * @property {() => Promise<Ridgepoint>} load
 * @property {typeof globalThis.fetch} [fetch]
 */

const FIT_HELP = `
Every other flag is one of the engine, by its own name:
  ridgepoint fit org/name --gpu h100 --engine vllm@0.28.0 --ctx 8192 --max-num-seqs 64 --enforce-eager

The model is an id on the hub, an address, a config.json, a folder that holds one, a .gguf file
(here, an address, or org/name:file.gguf), or - for standard input. Models that "ridgepoint models"
lists need no network. Of files of weights only the header is read.

Exit status: 0 it serves, 1 it does not, 2 bad input.`;

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
    .addHelpText('after', '\nExit status: 0 it serves, 1 it does not, 2 bad input.');

  // The version is the module's own, so it is known only once that is loaded.
  if (argv[0] === '--version' || argv[0] === '-V') {
    await print(context.stdout, `${(await context.load()).version()}\n`);
    return 0;
  }
  program.option('-V, --version', 'print the version');

  program
    .command('fit')
    .summary('does a model fit, and how well does it run')
    .usage('<org/name | address | config.json | -> --gpu <id[:count]> [options] [engine flags]')
    .helpOption('--help', 'show this text')
    .option('--gpu <id[:count]>', 'the card and how many of it ("ridgepoint gpus" lists them)')
    .option('--gpu-total <size>', 'size of a card that is not listed, for example 79.2GiB')
    .option('--gpu-free <size>', 'what is free on it before the engine starts')
    .option('--engine <name[@version]>', 'the engine', 'vllm')
    .option(
      '--weights <source>',
      'a model.safetensors.index.json, .safetensors or .gguf (file, folder, address, org/name or org/name:file.gguf) that tells the exact size of the weights',
    )
    .option('--ctx <tokens>', 'length of one request, prompt and answer together')
    .option('--prompt <tokens>', 'length of the prompt, for the speed')
    .option('--output <tokens>', 'length of the answer, for the speed')
    .option('--concurrency <requests>', 'requests at the same time, for the speed')
    .option('--json', 'print the report as JSON, exactly as the core gave it')
    .option('--explain', 'add formula, numbers and source of each term')
    .option('--hub <address>', 'where ids are looked up', context.env.HF_ENDPOINT || DEFAULT_HUB)
    .option('--revision <name>', 'branch, tag or commit on the hub')
    .option('--token-file <file>', 'file with a hub token (else the variable HF_TOKEN)')
    .option('--fetch', 'read the config from the hub even of a model that is built in')
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText('after', FIT_HELP)
    .action(async (options, command) => {
      if (command.args.includes('-h')) command.help();
      status = await fit(command.args, options, context);
    });

  program
    .command('batch [file]')
    .summary('JSON lines of requests in, JSON lines of reports out')
    .description(
      'One request a line from the file or standard input, one report or error a line to standard output, in the same order. Exit status: 2 when a line was an error, else 1 when one does not serve, else 0.',
    )
    .action(async (file) => {
      status = await batch(file, context);
    });

  program
    .command('kv-plan [file]')
    .summary("vLLM's KV-cache planner on bare layer specs, JSON lines")
    .description(
      'One line of layer specs and memory from the file or standard input, one line with the blocks, groups, tokens and concurrency that vLLM would print to standard output. Exit status: 2 when a line was wrong, else 1 when vLLM refuses one, else 0.',
    )
    .action(async (file) => {
      status = await kvPlan(file, context);
    });

  program
    .command('gpus [filter...]')
    .summary('list the known cards')
    .description(
      'The known cards whose text holds all words of the filter. ~ marks a derived size.',
    )
    .option('--json', 'print JSON')
    .action((filter, options) => gpus(filter, options, context));

  program
    .command('models [filter...]')
    .summary('list the models that need no network')
    .description('The built-in models whose id holds all words of the filter.')
    .option('--json', 'print JSON')
    .action((filter, options) => models(filter, options, context));

  program
    .command('devices')
    .summary('find the NVIDIA cards of this machine')
    .description('Asks nvidia-smi and prints the options of "fit" that describe each card.')
    .option('--json', 'print JSON')
    .action((options) => devices(options, context));

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
  if (argv[0] === 'fit' && argv.includes('--json')) {
    const code = error instanceof UsageError ? 'usage' : /** @type {any} */ (error.code ?? 'usage');
    await print(stdout, `${JSON.stringify({ error: { code, message, path: '' } })}\n`);
  } else {
    await print(stderr, `error: ${clean(message)}\n`);
  }
  return 2;
}

/** A file that is missing, is a folder or may not be read. @param {unknown} error */
function isFileError(error) {
  return error instanceof Error && 'syscall' in error;
}
