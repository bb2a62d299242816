import { requestText } from '../../request.mjs';
import { paint } from '../colour.mjs';
import {
  addOutputOptions,
  exportText,
  formatOf,
  printError,
  printNotes,
  widthOf,
} from '../output.mjs';
import { explainText, reportText } from '../report-text.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';
import { print } from '../write.mjs';

/**
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { Setup, SetupOptions } from '../setup.mjs'
 * @typedef {SetupOptions & OutputOptions & { explain?: boolean }} FitOptions
 */

const HELP = `
Every other flag is one of the engine, by its own name:
  ridgepoint fit org/name --gpu h100 --engine vllm@0.28.0 --ctx 8192 --max-num-seqs 64 --enforce-eager

From a command or a start-up log, with what is written here over it:
  ridgepoint fit --from-command 'vllm serve org/name -tp 2' --gpu h100
  ridgepoint fit --from-command deployment.yaml --gpu h100 --ctx 8192
  ridgepoint fit --from-log server.log org/name --gpu h100

The model is an id on the hub, an address, a config.json, a folder that holds one, a .gguf file
(here, an address, or org/name:file.gguf), or - for standard input. Models that "ridgepoint models"
lists need no network. Of files of weights only the header is read.

Exit status: 0 it serves, 1 it does not, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('fit')
    .summary('does a model fit, and how well does it run')
    .usage('<org/name | address | config.json | -> --gpu <id[:count]> [options] [engine flags]');
  addSetupOptions(command, context);
  addOutputOptions(command)
    .option('--explain', 'add formula, numbers and source of each term')
    .addHelpText('after', HELP)
    .action(async (options) => {
      end(await fit(command.args, options, context));
    });
}

/**
 * @param {string[]} tokens the words that are not options of this program
 * @param {FitOptions} options
 * @param {Context} context
 * @returns {Promise<number>} exit status
 */
async function fit(tokens, options, context) {
  const format = formatOf(options);
  const core = await context.load();
  const setup = await readSetup(tokens, options, core, context);
  await printNotes(setup.notes, context);
  const written = requestText(setup.request);
  const text = 'error' in written ? JSON.stringify(written) : core.evaluateText(written.text);
  const answer = JSON.parse(text);
  if (format === 'json') await print(context.stdout, `${text}\n`);
  else if (answer.error) return await printError(answer.error, context);
  else if (format === 'text')
    await print(context.stdout, forPeople(answer, setup, options, context));
  else {
    const exported = exportText(text, format, options, core, context);
    if (typeof exported !== 'string') return await printError(exported, context);
    await print(context.stdout, exported);
  }
  if (answer.error) return 2;
  return answer.verdict.serves ? 0 : 1;
}

/** @param {any} report @param {Setup} setup @param {FitOptions} options @param {Context} context */
function forPeople(report, { input, request }, options, context) {
  const usual = Math.min(context.stdout.columns || 100, 100);
  const style = {
    paint: paint(context.stdout, context.env),
    width: options.width === undefined ? usual : widthOf(options, context),
  };
  const lines = reportText(report, { input, workload: request.workload ?? {} }, style);
  if (options.explain) lines.push(...explainText(report, style));
  return `${lines.join('\n')}\n`;
}
