import { capacityText } from '../capacity-text.mjs';
import { paint } from '../colour.mjs';
import { clean } from '../format.mjs';
import { INTERRUPTED, runText } from '../long-run.mjs';
import { optionInteger, optionNumber } from '../numbers.mjs';
import {
  addOutputOptions,
  exportText,
  formatOf,
  printError,
  printNotes,
  widthOf,
} from '../output.mjs';
import { addPriceOptions, pricesOf } from '../prices.mjs';
import { addSetupOptions, readSetup } from '../setup.mjs';
import { simulationText } from '../simulation-text.mjs';
import { addTrafficOptions, loadOf, sloOf, trafficWorkload } from '../traffic.mjs';
import { UsageError } from '../usage-error.mjs';
import { print } from '../write.mjs';

/**
 * @import { Arrivals, Slo } from '../../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 * @import { OutputOptions } from '../output.mjs'
 * @import { SetupOptions } from '../setup.mjs'
 * @import { TrafficOptions } from '../traffic.mjs'
 * @typedef {{ find?: string, seeds?: string, max?: string, changes?: boolean }} FindOptions
 * @typedef {SetupOptions & TrafficOptions & OutputOptions & FindOptions} SimulateOptions
 */

/** What a search starts from when nothing says how requests come. @type {Record<string, Arrivals>} */
const FOUND = {
  rate: { kind: 'poisson', rate: 1 },
  concurrency: { kind: 'closed', concurrency: 1 },
};

const HELP = `
Requests come at --rate a second, or --concurrency of them at once, or
--at-once, or as in a --trace. How long they are says --load, or --input and
--output, or the trace. With --load part of each prompt is in the cache already
where that is usual; --session-share says how much.

Examples:
  ridgepoint simulate org/name --gpu h100 --load chat --rate 4 \\
    --slo ttft=0.5,tpot=50ms,p=99
  ridgepoint simulate org/name --gpu l4:2 -tp 2 --input 800-1K --output 200 \\
    --concurrency 64
  ridgepoint simulate org/name --gpu h100 --trace requests.csv \\
    --shared-prompt 1500
  ridgepoint simulate org/name --gpu h100 --load rag --find rate \\
    --slo ttft=1,tpot=50ms

--slo takes goals between commas: the times are seconds, or as 50ms; p is the
per cent of the requests that must keep to them, and p=0.99 means 99 as well.
--find raises the rate, or the number at once, until the SLO is missed, and
tries out what would carry more; a trace is sped up for it. A trace is CSV with
a heading, or JSON lines: when a request came (timestamp, arrival_s,
start_time_ms …: numbers, or dates), input_tokens and output_tokens. Azure,
Mooncake and BurstGPT traces are read as they are. --trace-unit says what
numbers count, else the name of their column; the answer says which it was. The
other options are those of "fit", and every other flag is one of the engine.

Exit status: 0 it serves, and within the SLO where there is one; 1 it does not;
2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('simulate')
    .summary('how fast a setup is under a load, and how much it carries')
    .usage('<model> --gpu <id[:count]> --rate <requests> [options] [engine flags]');
  addSetupOptions(command, context, addTrafficOptions)
    .option('--find <what>', 'the most it carries within the SLO: rate or concurrency')
    .option('--seeds <count>', 'how often --find draws the requests anew')
    .option('--max <value>', 'where --find ends')
    .option('--no-changes', 'without trying out what would carry more');
  addPriceOptions(command);
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => end(await simulate(command.args, options, context)));
}

/**
 * @param {string[]} tokens
 * @param {SimulateOptions} options
 * @param {Context} context
 */
async function simulate(tokens, options, context) {
  const format = formatOf(options);
  const slo = sloOf(options.slo);
  const find = findOf(options, slo);
  const load = await loadOf(options, context, find && FOUND[find.over]);
  const core = await context.load();
  const { request, input, notes } = await readSetup(
    tokens,
    // The lengths are read by themselves: they may be ranges.
    { ...options, ctx: undefined, prompt: undefined, output: undefined, concurrency: undefined },
    core,
    context,
  );
  await printNotes(notes, context);
  const workload = { ...request.workload, ...trafficWorkload(options) };
  const query = {
    request: { ...request, workload },
    load,
    ...(slo && { slo }),
    ...(await pricesOf(/** @type {any} */ (options))),
    ...find,
  };
  const text = await runText(core, find ? 'capacity' : 'simulate', query, context);
  if (text === undefined) return INTERRUPTED;
  return await printRun(text, format, { ...query, input }, options, core, context);
}

/** @param {SimulateOptions} options @param {Slo | undefined} slo */
function findOf({ find, seeds, max, changes }, slo) {
  if (find === undefined) {
    if (seeds !== undefined || max !== undefined) {
      throw new UsageError('--seeds and --max are of --find');
    }
    return undefined;
  }
  const over = find.toLowerCase();
  if (over !== 'rate' && over !== 'concurrency') {
    throw new UsageError(`--find takes rate or concurrency, not "${find}"`);
  }
  if (!slo) throw new UsageError('--find needs what to keep to: --slo ttft=0.5,tpot=0.05,p=99');
  return {
    over,
    ...(seeds !== undefined && { seeds: optionInteger('--seeds', seeds) }),
    ...(max !== undefined && { max: optionNumber('--max', max) }),
    changes: changes !== false,
  };
}

/**
 * @param {string} text the answer as JSON
 * @param {string} format
 * @param {any} asked
 * @param {SimulateOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 */
async function printRun(text, format, asked, options, core, context) {
  const answer = JSON.parse(text);
  if (format === 'json') {
    await print(context.stdout, `${text}\n`);
    return statusOf(answer);
  }
  const style = { paint: paint(context.stdout, context.env), width: widthOf(options, context) };
  if (answer.error?.code === 'does_not_serve') {
    const word = style.paint.bad('DOES NOT SERVE');
    await print(context.stdout, `${word}  ${clean(answer.error.message)}\n`);
  } else if (answer.error) {
    return await printError(answer.error, context);
  } else if (format === 'text') {
    const write = answer.kind === 'capacity' ? capacityText : simulationText;
    await print(context.stdout, `${write(answer, asked, style).join('\n')}\n`);
  } else {
    const exported = exportText(text, format, options, core, context);
    if (typeof exported !== 'string') return await printError(exported, context);
    await print(context.stdout, exported);
  }
  return statusOf(answer);
}

/** @param {any} answer */
function statusOf({ error, kind, best, goodput }) {
  if (error) return error.code === 'does_not_serve' ? 1 : 2;
  if (kind === 'capacity') return best ? 0 : 1;
  return goodput && !goodput.meets ? 1 : 0;
}
