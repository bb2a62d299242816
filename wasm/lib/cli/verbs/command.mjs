import { commandText, namedFiles } from '../inputs.mjs';
import { addOutputOptions, formatOf, printAnswer, printError, printNotes } from '../output.mjs';
import { questionText } from '../question.mjs';
import { addSetupOptions, gpuRequest, readSetup, workload } from '../setup.mjs';
import { UsageError } from '../usage-error.mjs';
import { print } from '../write.mjs';

/**
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 * @typedef {SetupOptions & OutputOptions & { form?: string, read?: string, explain?: boolean }} CommandOptions
 */

const FORMS = ['shell', 'docker', 'compose', 'kubernetes'];

const HELP = `
Write the command that starts a setup. It is printed alone, so that it can be saved; --explain adds
why each flag is there:
  ridgepoint command org/name --gpu h100:2 -tp 2 --ctx 8192
  ridgepoint command org/name --gpu l4 --ctx 8192 --form kubernetes > deployment.yaml

Read one, from its text, a file or standard input, and see what each flag does to the estimate:
  ridgepoint command --read 'vllm serve org/name --max-num-seqs 64' --gpu h100
  ridgepoint command --read compose.yaml
  kubectl get deployment server -o yaml | ridgepoint command --read -

"ridgepoint fit --from-command" estimates what was read.
Exit status: 0, or 2 for bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('command')
    .summary('write the command of a setup, or read one')
    .usage('<model> --gpu <id[:count]> [--form <name>] [options] [engine flags] | --read <command>')
    .option('--form <name>', `${FORMS.join(', ')} (default: shell)`)
    .option('--read <command>', 'read a command: its text, a file, or -')
    .option('--explain', 'add why each flag is there');
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => {
      const run = options.read === undefined ? write : read;
      end(await run(command.args, options, context));
    });
}

/**
 * @param {string[]} tokens
 * @param {CommandOptions} options
 * @param {Context} context
 */
async function write(tokens, options, context) {
  const { form = 'shell' } = options;
  const format = formatOf(options);
  if (!FORMS.includes(form)) {
    throw new UsageError(`--form takes ${FORMS.join(', ')}, not "${form}"`);
  }
  const core = await context.load();
  const { request, notes } = await readSetup(tokens, options, core, context);
  await printNotes(notes, context);
  const text = questionText(core, 'writeCommand', { request, form });
  if (format !== 'text' || options.explain) {
    return await printAnswer(text, options, core, context, () => 0);
  }
  const answer = JSON.parse(text);
  if (answer.error) return await printError(answer.error, context);
  // The command alone goes to standard output, for it is what a file or a shell takes.
  await print(context.stdout, answer.text.endsWith('\n') ? answer.text : `${answer.text}\n`);
  await printNotes(answer.notes ?? [], context);
  return 0;
}

/**
 * @param {string[]} tokens
 * @param {CommandOptions} options
 * @param {Context} context
 */
async function read(tokens, options, context) {
  formatOf(options);
  if (tokens.length > 0) {
    throw new UsageError(`--read takes the whole command in quotes: what is "${tokens[0]}"?`);
  }
  const core = await context.load();
  const gpu = gpuRequest(options);
  const load = workload(options);
  const text = await commandText(options.read ?? '', context);
  const files = await namedFiles(text);
  const query = {
    text,
    ...(Object.keys(files).length > 0 && { files }),
    ...(options.engine !== undefined && { engine: options.engine.split('@')[0] }),
    ...(Object.keys(gpu).length > 0 && { gpu }),
    ...(Object.keys(load).length > 0 && { workload: load }),
  };
  return await printAnswer(
    questionText(core, 'readCommand', query),
    options,
    core,
    context,
    () => 0,
  );
}
