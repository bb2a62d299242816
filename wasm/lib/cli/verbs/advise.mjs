import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { questionText } from '../question.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';

/** @import { Register } from '../context.mjs' */

const HELP = `
Each change was tried out before it is named; the smallest comes first. With --concurrency the setup
must serve that many requests at once. Of a setup that serves, what is wasted is listed.

Examples:
  ridgepoint advise org/name --gpu l4 --ctx 32k
  ridgepoint advise org/name --gpu h100 --ctx 8192 --concurrency 64 --max-num-seqs 32
  ridgepoint advise --from-command 'vllm serve org/name --max-model-len 131072' --gpu l4

The other options are those of "fit", and every other flag is one of the engine.
Exit status: 0 it serves what is asked, 1 it does not, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('advise')
    .summary('the smallest changes that mend what does not start or serves too few')
    .usage('<model> --gpu <id[:count]> [options] [engine flags]');
  addSetupOptions(command, context);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => {
      formatOf(options);
      const core = await context.load();
      const { request, notes } = await readSetup(command.args, options, core, context);
      await printNotes(notes, context);
      const text = questionText(core, 'advise', request);
      end(await printAnswer(text, options, core, context, statusOf));
    });
}

/** @param {any} answer */
const statusOf = ({ verdict, problem }) => (verdict.serves && !problem ? 0 : 1);
