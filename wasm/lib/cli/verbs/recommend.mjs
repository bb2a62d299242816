import { readEngineArgs } from '../engine-args.mjs';
import { INTERRUPTED, runText } from '../long-run.mjs';
import { readModel } from '../model-source.mjs';
import {
  optionBytes,
  optionInteger,
  optionList,
  optionNumber,
  optionSeconds,
} from '../numbers.mjs';
import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { addPriceOptions, pricesOf } from '../prices.mjs';
import { questionText } from '../question.mjs';
import { addHubOptions, flagsOf, takeEngineFlags } from '../setup.mjs';
import { addTrafficOptions, loadOf, namesTraffic, sloOf, trafficWorkload } from '../traffic.mjs';
import { UsageError } from '../usage-error.mjs';

/**
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 */

const HELP = `
Examples:
  ridgepoint recommend org/name --prompt 2k --output 500 --concurrency 32
  ridgepoint recommend org/name --ctx 8192 --concurrency 16 --tpot 30ms \\
    --gpus h100,l40s,l4
  ridgepoint recommend org/name --ctx 32K --weights checkpoint,fp8 \\
    --kv auto,fp8 --rank price
  ridgepoint recommend org/name --ctx 8192 --engine vllm --engine sglang \\
    --price l4=0.80
  ridgepoint recommend org/name --load chat --rate 10 \\
    --slo ttft=0.5,tpot=0.05,p=99

The load needs --ctx, or --prompt and --output. With --slo each setup is tried
with the requests of --rate, --concurrency, --at-once or --trace, and must keep
to it; p is the per cent of the requests that must, and p=0.99 means 99 as well.
At most one setup a card and engine is named, best first; --rank says what is
best. Every other flag is one of the engine and kept in all setups. Prices are
per card and hour; --prices takes a JSON object {"h100": 2.49} or lines of
"h100,2.49". A card without a price comes last by price.

Exit status: 0 something was found, 1 nothing carries the load, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('recommend')
    .summary('the setups that carry a load, best first')
    .usage('<model> [load] [constraints] [engine flags]');
  addTrafficOptions(command)
    .option('--ttft <time>', 'the first token must come within, for example 500ms')
    .option('--tpot <time>', 'every further token must come within, for example 30ms')
    .option('--engine <name[@version]>', 'an engine; may be repeated (default: vllm)', collect)
    .option('--gpus <ids>', 'only these cards, between commas')
    .option('--vendors <names>', 'only cards of these vendors: nvidia, amd …')
    .option('--min-card <size>', 'only cards of at least this size, for example 24GiB')
    .option('--max-card <size>', 'only cards of at most this size')
    .option('--max-gpus <count>', 'at most this many cards')
    .option('--gpu-counts <counts>', 'exactly one of these numbers of cards: 1,2,4')
    .option('--link', 'several cards only where a direct link joins them')
    .option('--no-pipeline', 'no pipeline parallelism')
    .option('--no-tune', 'leave the other flags of the engine as they are')
    .option('--weights <formats>', 'formats of the weights to try: checkpoint,fp8,int4 …')
    .option('--kv <formats>', 'formats of the KV cache to try: auto,fp8')
    .option(
      '--weight-files <source>',
      'what tells the exact size of the weights, as --weights of "fit"',
    )
    .option('--budget <price>', 'at most this much per hour for all cards together')
    .option('--rank <by>', 'what is best: cards, price or headroom')
    .option('--limit <count>', 'how many setups to print');
  addPriceOptions(command);
  takeEngineFlags(addHubOptions(command, context));
  addOutputOptions(command)
    .addHelpText('after', HELP)
    .action(async (options) => end(await recommend(command.args, options, context)));
}

/** @param {string} value @param {string[] | undefined} all */
const collect = (value, all) => [...(all ?? []), value];

/**
 * @param {string[]} tokens
 * @param {any} options
 * @param {Context} context
 */
async function recommend(tokens, options, context) {
  formatOf(options);
  const core = await context.load();
  const { engines, words } = readEngines(tokens, options.engine ?? [], core);
  if (words.length === 0) throw new UsageError('name a model: org/name, an address, a file or -');
  if (words.length > 1) throw new UsageError(`one model at a time: what is "${words[1]}"?`);
  const query = {
    ...((options.engine || engines[0].args) && { engines }),
    workload: { ...trafficWorkload(options), ...atOnce(options), ...latency(options) },
    ...(await traffic(options, context)),
    constraints: constraints(options),
    ...(await ranking(options)),
  };
  const source = { ...options, weights: options.weightFiles };
  const { model, notes } = await readModel(words[0], source, core, context);
  await printNotes(notes, context);
  const text = namesTraffic(options)
    ? await runText(core, 'recommend', { model, ...query }, context)
    : questionText(core, 'recommend', { model, ...query });
  if (text === undefined) return INTERRUPTED;
  return await printAnswer(text, options, core, context, ({ answers }) =>
    answers.length > 0 ? 0 : 1,
  );
}

/**
 * Each engine reads the flags by its own table.
 *
 * @param {string[]} tokens
 * @param {string[]} named
 * @param {Ridgepoint} core
 */
function readEngines(tokens, named, core) {
  /** @type {string[]} */
  let words = [];
  const engines = (named.length > 0 ? named : ['vllm']).map((each) => {
    const [name, version] = each.split(/@(.*)/s);
    const read = readEngineArgs(tokens, flagsOf(core, name));
    words = read.words;
    const args = Object.keys(read.args).length > 0 ? { args: read.args } : {};
    return { name, ...(version && { version }), ...args };
  });
  return { engines, words };
}

/** @param {any} options */
const atOnce = ({ concurrency }) =>
  concurrency === undefined ? {} : { concurrency: optionInteger('--concurrency', concurrency) };

/** What setups are tried with, where more is asked of them than room. @param {any} options @param {Context} context */
async function traffic(options, context) {
  if (!namesTraffic(options)) return {};
  if (options.slo === undefined) {
    throw new UsageError('say what the load is to keep to: --slo ttft=0.5,tpot=0.05,p=99');
  }
  return { load: await loadOf(options, context), slo: sloOf(options.slo) };
}

/** @param {any} options */
function latency({ ttft, tpot }) {
  return {
    ...(ttft !== undefined && { ttft_s: optionSeconds('--ttft', ttft) }),
    ...(tpot !== undefined && { tpot_s: optionSeconds('--tpot', tpot) }),
  };
}

/** @param {any} options */
function constraints(options) {
  /** @type {Record<string, unknown>} */
  const found = {};
  /** @type {(name: string, option: string, value: string | undefined, read: (name: string, text: string) => unknown) => void} */
  const take = (name, option, value, read) => {
    if (value !== undefined) found[name] = read(option, value);
  };
  take('gpus', '--gpus', options.gpus, optionList);
  take('vendors', '--vendors', options.vendors, optionList);
  take('min_card_bytes', '--min-card', options.minCard, optionBytes);
  take('max_card_bytes', '--max-card', options.maxCard, optionBytes);
  take('max_count', '--max-gpus', options.maxGpus, optionInteger);
  take('counts', '--gpu-counts', options.gpuCounts, (name, text) =>
    optionList(name, text).map((word) => optionInteger(name, word)),
  );
  take('weight_formats', '--weights', options.weights, optionList);
  take('kv_formats', '--kv', options.kv, optionList);
  take('budget_per_hour', '--budget', options.budget, optionNumber);
  if (options.link) found.interconnect = 'link';
  if (options.pipeline === false) found.pipeline = false;
  if (options.tune === false) found.tune = false;
  return found;
}

/** @param {any} options */
async function ranking({ rank, limit, ...options }) {
  return {
    ...(await pricesOf(options)),
    ...(rank !== undefined && { rank_by: rank }),
    ...(limit !== undefined && { limit: optionInteger('--limit', limit) }),
  };
}
