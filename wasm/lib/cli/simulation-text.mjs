import { clean, duration, fixed, money, short, whole } from './format.mjs';
import { columns, pairs, wrap } from './layout.mjs';
import { aimedShare, loadText, percent, sloText } from './load-words.mjs';

/**
 * @import { SimulateQuery, SimulationAnswer } from '../../ridgepoint.d.ts'
 * @import { Paint } from './colour.mjs'
 * @typedef {{ paint: Paint, width: number }} Style
 */

/** @typedef {'mean' | 'p50' | 'p90' | 'p95' | 'p99' | 'max'} Column */

/** @type {Column[]} */
const COLUMNS = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'];
/** Which go first where the line is too short. */
/** @type {Column[]} */
const SPARE = ['max', 'p95', 'mean', 'p90'];
const BAR = 24;
const NARROW = 60;

/**
 * A setup under a load for people, the verdict first.
 *
 * @param {SimulationAnswer} answer
 * @param {SimulateQuery & { input: string }} asked
 * @param {Style} style
 * @returns {string[]} lines
 */
export function simulationText(answer, asked, style) {
  return [
    ...heading(answer, asked, style),
    '',
    ...latency(answer, style),
    '',
    ...figures(answer, style),
    '',
    ...stepTime(answer, style),
    '',
    ...wrap(clean(answer.limit.text), {
      width: style.width,
      first: `${style.paint.bold('What limits it')}: `,
      indent: '  ',
    }),
    ...list('Assumed', answer.assumptions, style),
  ];
}

/** @param {SimulationAnswer} answer @param {SimulateQuery & { input: string }} asked @param {Style} style */
function heading(answer, { slo, load, request, input }, { paint, width }) {
  const { engine, gpu, goodput, requests, duration_s } = answer;
  const model = clean(request.model.id || input);
  const setup = `${model} on ${gpu.count} x ${clean(gpu.id) || 'the given card'}, ${clean(engine.name)} ${clean(engine.version)}`;
  const verdict = goodput
    ? goodput.meets
      ? paint.good('MEETS THE SLO')
      : paint.bad('MISSES THE SLO')
    : paint.bold('SIMULATED');
  const refused =
    requests.refused > 0
      ? wrap(
          `Refused: ${clean(requests.refused_why)} The longest may have ${whole(requests.longest)} tokens.`,
          { width },
        )
      : [];
  return [
    `${verdict}  ${setup}`,
    ...wrap(
      `${capital(loadText(load, request.workload ?? {}))}: ${whole(requests.finished)} ${requests.finished === 1 ? 'request' : 'requests'} in ${duration(duration_s)}.`,
      { width },
    ),
    ...refused,
    ...(goodput && slo
      ? wrap(
          `${percent(goodput.share)} of the requests keep to ${sloText(slo)}; ${aimedShare(slo)} are meant to.`,
          { width },
        )
      : []),
  ];
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {SimulationAnswer} answer @param {Style} style */
function latency({ latency, bands }, { paint, width }) {
  const narrow = width < NARROW;
  const rows = /** @type {const} */ ([
    [narrow ? 'TTFT' : 'first token (TTFT)', latency.ttft_s],
    [narrow ? 'TPOT' : 'a token every (TPOT)', latency.tpot_s],
    [narrow ? 'ITL' : 'gap between tokens (ITL)', latency.itl_s],
    ['whole request', latency.e2e_s],
    ['waiting before', latency.queue_s],
  ]);
  const table = (/** @type {Column[]} */ shown) =>
    columns(
      [
        ['', ...shown],
        ...rows.map(([name, times]) => [
          name,
          ...shown.map((column) => (times.count > 0 ? duration(times[column]) : '-')),
        ]),
      ],
      { right: shown.map((_, index) => index + 1) },
    );
  let shown = COLUMNS;
  for (const spare of SPARE) {
    if (table(shown).every((line) => line.length <= width)) break;
    shown = shown.filter((column) => column !== spare);
  }
  const [head, ...body] = table(shown);
  const factor = (/** @type {[number, number]} */ [low, high]) =>
    `${fixed(low)} to ${fixed(high)} times that`;
  return [
    paint.dim(head),
    ...body,
    ...wrap(
      `To be expected: first token ${factor(bands.ttft)}, tokens ${factor(bands.tpot)} (${bands.basis}).`,
      { width },
    ),
  ];
}

/** @param {SimulationAnswer} answer @param {Style} style */
function figures(answer, { width }) {
  const { throughput, goodput, kv, running, waiting } = answer;
  const rows = [
    ['requests a second', short(throughput.requests_per_s)],
    ...(goodput ? [['of them within the SLO', short(goodput.requests_per_s)]] : []),
    ['output tokens a second', short(throughput.output_tokens_per_s)],
    ['with those of prompts', short(throughput.total_tokens_per_s)],
    ...(answer.closed_forms
      ? [['by formula, of a steady load', short(answer.closed_forms.steady_tokens_per_s.best)]]
      : []),
    [
      `KV pool of ${whole(kv.tokens)} tokens`,
      `${percent1(kv.mean_share)} full, ${percent1(kv.peak_share)} at most`,
    ],
    ['requests running', `${short(running.mean)}, ${whole(running.peak)} at most`],
    ['requests waiting', `${short(waiting.mean)}, ${whole(waiting.peak)} at most`],
    ['preemptions', preemptions(answer)],
    ...(answer.prefix_hit_tokens > 0
      ? [['prompt tokens found in the cache', whole(answer.prefix_hit_tokens)]]
      : []),
    ...(answer.mfu === null || answer.mbu === null
      ? []
      : [['compute and bandwidth used', `${percent1(answer.mfu)} and ${percent1(answer.mbu)}`]]),
    ...cost(answer),
  ];
  return pairs(rows, width);
}

/** @param {number} value */
const percent1 = (value) => `${fixed(100 * value, 1)} %`;

/** @param {SimulationAnswer} answer */
function preemptions({ preemptions, recomputed_tokens }) {
  const again = recomputed_tokens > 0 ? `, ${whole(recomputed_tokens)} tokens computed again` : '';
  return `${whole(preemptions)}${again}`;
}

/** @param {SimulationAnswer} answer */
function cost({ cost_per_million_output_tokens, price_per_hour, currency }) {
  if (cost_per_million_output_tokens === null) return [];
  const hourly = price_per_hour === null ? '' : `, at ${money(price_per_hour, currency)} an hour`;
  return [
    ['a million output tokens', `${money(cost_per_million_output_tokens, currency)}${hourly}`],
  ];
}

/** @param {SimulationAnswer} answer @param {Style} style */
function stepTime({ step_time: time, steps }, { paint, width }) {
  /** @type {[string, number][]} */
  const parts = [
    ['linear layers', time.linear_s],
    ['attention', time.attention_s],
    ['experts', time.experts_s],
    ['between cards', time.communication_s],
    ['output head', time.head_s],
    ['elementwise', time.elementwise_s],
    ['host', time.host_s],
    ['idle', time.idle_s],
  ];
  const all = parts.reduce((sum, [, seconds]) => sum + seconds, 0);
  const rows = parts
    .filter(([, seconds]) => seconds > 0)
    .map(([name, seconds]) => {
      const share = seconds / all;
      const bar = width < NARROW ? [] : ['#'.repeat(Math.round(share * BAR))];
      return [name, percent1(share), duration(seconds), ...bar];
    });
  return [
    paint.bold(`Where the time of ${whole(steps)} steps goes`),
    ...columns(rows, { indent: 2, right: [1, 2] }),
  ];
}

/** @param {string} title @param {string[]} items @param {Style} style */
function list(title, items, { paint, width }) {
  if (items.length === 0) return [];
  return [
    '',
    paint.bold(title),
    ...items.flatMap((item) => wrap(clean(item), { width, first: '  - ' })),
  ];
}
