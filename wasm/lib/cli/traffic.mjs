import { traceText } from './inputs.mjs';
import { optionInteger, optionNumber, optionSeconds, readInteger, readNumber } from './numbers.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @import { Command } from 'commander'
 * @import { Arrivals, Lengths, Load, Slo, WorkloadRequest } from '../../ridgepoint.d.ts'
 * @import { Context } from './context.mjs'
 * @typedef {object} TrafficOptions the options that say which requests come, and when
 * @property {string} [ctx]
 * @property {string} [prompt]
 * @property {string} [output]
 * @property {string} [load]
 * @property {string} [rate]
 * @property {string} [concurrency]
 * @property {boolean} [atOnce]
 * @property {string} [trace]
 * @property {string} [traceUnit]
 * @property {string} [speedUp]
 * @property {string} [burstiness]
 * @property {string} [requests]
 * @property {string} [seed]
 * @property {string} [warmup]
 * @property {string} [sharedPrompt]
 * @property {string} [sessionShare]
 * @property {string} [slo]
 */

/** @param {Command} command */
export function addTrafficOptions(command) {
  return addLengthOptions(command)
    .option('--concurrency <requests>', 'so many at once: the next comes when one ends')
    .option('--rate <requests>', 'requests a second')
    .option('--at-once', 'all requests at the start')
    .option('--trace <file>', 'requests as they were recorded: CSV, JSON lines, or -')
    .option('--trace-unit <unit>', 'what its times count: s, ms, us or ns (default: as it says)')
    .option('--speed-up <factor>', 'the trace so many times faster')
    .option('--burstiness <shape>', 'of --rate: 1 independent requests, less is more uneven')
    .option('--load <name>', 'lengths of chat, coding_agent, rag, batch, reasoning …')
    .option('--requests <count>', 'how many requests')
    .option('--seed <number>', 'other requests of the same kind (default: 1)')
    .option('--warmup <share>', 'leave the first requests out of the figures, for example 10%')
    .option('--shared-prompt <tokens>', 'tokens with which every prompt begins')
    .option('--session-share <share>', 'what of a prompt its session sent before, for example 60%')
    .option(
      '--slo <goals>',
      'ttft=0.5,tpot=50ms,itl=…,e2e=…: times; p=99 (or 0.99): per cent of the requests',
    );
}

/** @param {Command} command */
function addLengthOptions(command) {
  return command
    .option('--ctx <tokens>', 'length of one request, prompt and answer together')
    .option('--input, --prompt <tokens[-tokens]>', 'length of the prompt, or the range it lies in')
    .option('--output <tokens[-tokens]>', 'length of the answer, or the range it lies in');
}

/** @param {TrafficOptions} options */
export const namesTraffic = ({ load, rate, atOnce, trace, slo }) =>
  [load, rate, atOnce, trace, slo].some((option) => option !== undefined);

/**
 * Of a range the longest: that is what the engine must take.
 *
 * @param {TrafficOptions} options
 * @returns {WorkloadRequest}
 */
export function trafficWorkload({ ctx, prompt, output }) {
  return {
    ...(ctx !== undefined && { context: optionInteger('--ctx', ctx) }),
    ...(prompt !== undefined && { prompt: range('--input', prompt)[1] }),
    ...(output !== undefined && { output: range('--output', output)[1] }),
  };
}

/**
 * @param {TrafficOptions} options
 * @param {Context} context
 * @param {Arrivals} [usual] when nothing says how requests come
 * @returns {Promise<Load>}
 */
export async function loadOf(options, context, usual) {
  const { requests, seed, warmup } = options;
  const arrivals = await arrivalsOf(options, context, usual);
  const lengths = lengthsOf(options);
  const prefix = prefixOf(options);
  return {
    arrivals,
    ...(requests !== undefined && { requests: optionInteger('--requests', requests) }),
    ...(lengths && { lengths }),
    ...(prefix && { prefix }),
    ...(seed !== undefined && { seed: optionInteger('--seed', seed) }),
    ...(warmup !== undefined && { warmup: share('--warmup', warmup) }),
  };
}

/**
 * @param {TrafficOptions} options
 * @param {Context} context
 * @param {Arrivals} [usual]
 * @returns {Promise<Arrivals>}
 */
async function arrivalsOf(options, context, usual) {
  const { rate, concurrency, atOnce, trace, traceUnit, speedUp, burstiness } = options;
  const given = [rate, concurrency, atOnce, trace].filter((option) => option !== undefined);
  if (given.length > 1) {
    throw new UsageError(
      'how requests come is one of --rate, --concurrency, --at-once and --trace',
    );
  }
  if (speedUp !== undefined && trace === undefined) {
    throw new UsageError('--speed-up is of a --trace');
  }
  if (traceUnit !== undefined && trace === undefined) {
    throw new UsageError('--trace-unit is of a --trace');
  }
  if (burstiness !== undefined && rate === undefined && usual?.kind !== 'poisson') {
    throw new UsageError('--burstiness is of a --rate');
  }
  if (trace !== undefined) {
    const text = await traceText(trace, context);
    const speed_up = speedUp === undefined ? undefined : optionNumber('--speed-up', speedUp);
    const time_unit = traceUnit === undefined ? undefined : timeUnit(traceUnit);
    return {
      kind: 'trace',
      text,
      ...(time_unit && { time_unit }),
      ...(speed_up !== undefined && { speed_up }),
    };
  }
  if (atOnce) return { kind: 'at_once' };
  if (concurrency !== undefined) {
    return { kind: 'closed', concurrency: optionInteger('--concurrency', concurrency) };
  }
  const known = rate === undefined ? usual : poisson(optionNumber('--rate', rate));
  if (!known) {
    throw new UsageError(
      'say how requests come: --rate 4 a second, --concurrency 64 at once, --at-once, or --trace file.csv',
    );
  }
  if (burstiness === undefined || known.kind !== 'poisson') return known;
  const shape = optionNumber('--burstiness', burstiness);
  return { kind: 'gamma', rate: known.rate, burstiness: shape };
}

const TIME_UNITS = /** @type {const} */ (['s', 'ms', 'us', 'ns']);

/** @param {string} text */
function timeUnit(text) {
  const unit = TIME_UNITS.find((name) => name === text.trim().toLowerCase());
  if (!unit) throw new UsageError(`--trace-unit takes ${TIME_UNITS.join(', ')}, not "${text}"`);
  return unit;
}

/** @param {number} rate @returns {Arrivals} */
const poisson = (rate) => ({ kind: 'poisson', rate });

/**
 * Lengths that the workload does not tell.
 *
 * @param {TrafficOptions} options
 * @returns {Lengths | undefined}
 */
function lengthsOf({ load, prompt, output }) {
  if (load !== undefined) {
    if (prompt !== undefined || output !== undefined) {
      throw new UsageError('--load has its own lengths: leave out --input and --output, or --load');
    }
    return { kind: 'preset', name: load.toLowerCase().replaceAll('-', '_') };
  }
  if (prompt === undefined || output === undefined) return undefined;
  const [input, answer] = [range('--input', prompt), range('--output', output)];
  const fixed = [input, answer].every(([low, high]) => low === high);
  return fixed ? undefined : { kind: 'uniform', input, output: answer };
}

/** @param {TrafficOptions} options @returns {Load['prefix']} */
function prefixOf({ sharedPrompt, sessionShare }) {
  if (sharedPrompt === undefined && sessionShare === undefined) return undefined;
  return {
    ...(sharedPrompt !== undefined && {
      shared_tokens: optionInteger('--shared-prompt', sharedPrompt),
    }),
    ...(sessionShare !== undefined && { session_share: share('--session-share', sessionShare) }),
  };
}

/** @param {string} name @param {string} text @returns {[number, number]} */
function range(name, text) {
  const [low, high = low, more] = text.split('-').map(readInteger);
  if (low === undefined || high === undefined || more !== undefined || low > high) {
    throw new UsageError(
      `${name} takes a number of tokens such as 1024 or 1K, or a range such as 800-1K, not "${text}"`,
    );
  }
  return [low, high];
}

/** @param {string} name @param {string} text */
function share(name, text) {
  const percent = /^(.+?)\s*%$/.exec(text.trim());
  const value = readNumber(percent ? percent[1] : text);
  if (value === undefined) {
    throw new UsageError(`${name} takes a share such as 0.6 or 60%, not "${text}"`);
  }
  return percent ? value / 100 : value;
}

const GOALS = ['ttft', 'tpot', 'itl', 'e2e'];

/** @param {string | undefined} text @returns {Slo | undefined} */
export function sloOf(text) {
  if (text === undefined) return undefined;
  /** @type {Record<string, number>} */
  const slo = {};
  const named = new Set();
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([a-z0-9]+)\s*=\s*(.+?)\s*$/i.exec(part) ?? [];
    const goal = name?.toLowerCase();
    if (goal && named.has(goal)) throw new UsageError(`--slo says ${goal} twice: "${text}"`);
    if (goal) named.add(goal);
    if (goal === 'p') slo.percentile = percentile(value);
    else if (goal && GOALS.includes(goal)) slo[`${goal}_s`] = seconds(`--slo ${goal}`, value);
    else {
      throw new UsageError(`--slo takes goals such as ttft=0.5,tpot=50ms,p=99, not "${part}"`);
    }
  }
  if (Object.keys(slo).every((name) => name === 'percentile')) {
    throw new UsageError('--slo needs a time to keep to: ttft, tpot, itl or e2e');
  }
  return slo;
}

/** @param {string} name @param {string} text */
const seconds = (name, text) => readNumber(text) ?? optionSeconds(name, text);

/** `99` and `99%` are per cent, and `0.99` is a share. @param {string} text */
function percentile(text) {
  const value = readNumber(text.replace(/%$/, ''));
  if (value === undefined || value <= 0 || value > 100) {
    throw new UsageError(`--slo p takes per cent of the requests such as 99, not "${text}"`);
  }
  return value > 1 || text.endsWith('%') ? value / 100 : value;
}
