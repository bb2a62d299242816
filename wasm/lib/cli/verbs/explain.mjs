import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { questionText } from '../question.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';

/** @import { Register } from '../context.mjs' */

const HELP = `
Every number of "fit" with its formula, the numbers in it, the rule of the engine and its source.

Examples:
  ridgepoint explain org/name --gpu h100 --ctx 8192
  ridgepoint explain org/name --gpu h100 --format markdown > derivation.md

The other options are those of "fit", and every other flag is one of the engine.
Exit status: 0 it serves, 1 it does not, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('explain')
    .summary('how each number comes about, step by step')
    .usage('<model> --gpu <id[:count]> [options] [engine flags]');
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => {
      formatOf(options);
      const core = await context.load();
      const { request, notes } = await readSetup(command.args, options, core, context);
      await printNotes(notes, context);
      const text = questionText(core, 'explain', request);
      end(await printAnswer(text, options, core, context, statusOf));
    });
}

/** @param {any} answer */
const statusOf = ({ verdict }) => (verdict.serves ? 0 : 1);
