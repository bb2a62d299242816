import { readEngineArgs } from '../engine-args.mjs';
import { readModel } from '../model-source.mjs';
import {
  optionBytes,
  optionInteger,
  optionList,
  optionNumber,
  optionSeconds,
} from '../numbers.mjs';
import { addOutputOptions, formatOf, printAnswer, printNotes } from '../output.mjs';
import { readPrices } from '../prices.mjs';
import { questionText } from '../question.mjs';
import { addHubOptions, addLoadOptions, flagsOf, takeEngineFlags, workload } from '../setup.mjs';
import { UsageError } from '../usage-error.mjs';

/**
 * @import { Ridgepoint } from '../../core.mjs'
 * @import { Context, Register } from '../context.mjs'
 */

const HELP = `
Examples:
  ridgepoint recommend org/name --prompt 2k --output 500 --concurrency 32
  ridgepoint recommend org/name --ctx 8192 --concurrency 16 --tpot 30ms --gpus h100,l40s,l4
  ridgepoint recommend org/name --ctx 32K --weights checkpoint,fp8 --kv auto,fp8 --rank price
  ridgepoint recommend org/name --ctx 8192 --engine vllm --engine sglang --price l4=0.80

The load needs --ctx, or --prompt and --output. At most one setup a card and engine is named, best
first; --rank says what is best. Every other flag is one of the engine and kept in all setups. Prices
are per card and hour; --prices takes a JSON object {"h100": 2.49} or lines of "h100,2.49".

Exit status: 0 something was found, 1 nothing carries the load, 2 bad input.`;

/** @type {Register} */
export function register(program, context, end) {
  const command = program
    .command('recommend')
    .summary('the setups that carry a load, best first')
    .usage('<model> [load] [constraints] [engine flags]');
  addLoadOptions(command)
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
    .option('--price <id=price>', 'price of a card per hour; may be repeated', collect)
    .option('--prices <file>', 'file with prices of cards')
    .option('--no-list-prices', 'count only with the prices that are given')
    .option('--rank <by>', 'what is best: cards, price or headroom')
    .option('--limit <count>', 'how many setups to print');
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
    workload: { ...workload(options), ...latency(options) },
    constraints: constraints(options),
    ...(await pricing(options)),
  };
  const source = { ...options, weights: options.weightFiles };
  const { model, notes } = await readModel(words[0], source, core, context);
  await printNotes(notes, context);
  const text = questionText(core, 'recommend', { model, ...query });
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
async function pricing({ price, prices, listPrices, rank, limit }) {
  const known = await readPrices(price ?? [], prices);
  return {
    ...(Object.keys(known).length > 0 && { prices: known }),
    ...(listPrices === false && { use_list_prices: false }),
    ...(rank !== undefined && { rank_by: rank }),
    ...(limit !== undefined && { limit: optionInteger('--limit', limit) }),
  };
}
