import { clean, duration, fixed, money, short } from './format.mjs';
import { columns, pairs, wrap } from './layout.mjs';
import { aimedShare, sloText } from './load-words.mjs';

/**
 * @import { CapacityAnswer, CapacityQuery } from '../../ridgepoint.d.ts'
 * @import { Style } from './simulation-text.mjs'
 */

const UNITS = { rate: 'requests a second', concurrency: 'requests at once' };

/**
 * How much a setup carries, for people.
 *
 * @param {CapacityAnswer} answer
 * @param {CapacityQuery & { input: string }} asked
 * @param {Style} style
 * @returns {string[]} lines
 */
export function capacityText(answer, asked, style) {
  return [
    ...heading(answer, asked, style),
    '',
    ...curve(answer, style),
    ...piling(answer, style),
    ...knee(answer, style),
    '',
    ...wrap(clean(answer.limit.text), {
      width: style.width,
      first: `${style.paint.bold('What limits it')}: `,
      indent: '  ',
    }),
    ...changes(answer, style),
    ...assumptions(answer, style),
  ];
}

/** @param {CapacityAnswer} answer @param {CapacityQuery & { input: string }} asked @param {Style} style */
function heading(answer, { slo = {}, request, input }, { paint, width }) {
  const { best, over, at_best, cost_per_million_output_tokens: cost } = answer;
  const { gpu, model } = request;
  const card = `${gpu.count ?? 1} x ${clean(gpu.id) || 'the given card'}`;
  const setup = `${clean(model.id || input)} on ${card}, ${clean(answer.engine.name)} ${clean(answer.engine.version)}`;
  const goals = `${aimedShare(slo)} of the requests keep to ${sloText(slo)}.`;
  if (!best) {
    return [
      `${paint.bad('CARRIES NOTHING')}  ${setup}`,
      ...wrap(`Not even the least load is served so that ${goals}`, { width }),
    ];
  }
  const range =
    best.low === best.high ? '' : ` (${short(best.low)} to ${short(best.high)}, by the draw)`;
  return [
    `${paint.good('CARRIES')}  ${setup}`,
    ...wrap(`${short(best.value)} ${UNITS[over]}${range}, so that ${goals}`, { width }),
    ...(at_best
      ? [
          '',
          ...pairs(
            [
              [
                'first token there',
                `${duration(at_best.ttft_p50)}, p99 ${duration(at_best.ttft_p99)}`,
              ],
              ['a token every', `${duration(at_best.tpot_p50)}, p99 ${duration(at_best.tpot_p99)}`],
              ['output tokens a second', short(at_best.output_tokens_per_s)],
              ['KV pool at most', `${fixed(100 * at_best.kv_peak_share, 1)} % full`],
              ...(cost === null ? [] : [['a million output tokens', money(cost, answer.currency)]]),
            ],
            width,
          ),
        ]
      : []),
  ];
}

/** @param {CapacityAnswer} answer @param {Style} style */
function curve({ curve, over }, { paint, width }) {
  const head = [
    over === 'rate' ? 'requests/s' : 'at once',
    'TTFT p50',
    'p99',
    'TPOT p50',
    'p99',
    'tokens/s',
    'within',
    '',
  ];
  const all = curve.map((point) => [
    short(point.value),
    duration(point.ttft_s.p50),
    duration(point.ttft_s.p99),
    duration(point.tpot_s.p50),
    duration(point.tpot_s.p99),
    short(point.output_tokens_per_s),
    `${fixed(100 * point.share_meeting, 1)} %`,
    standing(point),
  ]);
  const table = (/** @type {number[]} */ left) =>
    columns(
      [head, ...all].map((row) => row.filter((_, index) => !left.includes(index))),
      { right: [...head.keys()].slice(0, -1 - left.length) },
    );
  let lines = table([]);
  // The throughput, the medians and the share go first where the line is too short.
  for (const left of [[5], [1, 5], [1, 3, 5], [1, 3, 5, 6]]) {
    if (lines.every((line) => line.length <= width)) break;
    lines = table(left);
  }
  return [paint.dim(lines[0]), ...lines.slice(1)];
}

/** @param {CapacityAnswer['curve'][number]} point */
function standing({ meets, piles_up }) {
  if (meets) return 'meets';
  return piles_up ? 'piles up' : 'misses';
}

/** Why a point whose share is high enough misses. @param {CapacityAnswer} answer @param {Style} style */
const piling = ({ curve }, { width }) =>
  curve.some(({ piles_up }) => piles_up)
    ? wrap(
        'piles up: more requests come than are answered, so that the queue grows as long as the load lasts, whatever the share within the SLO.',
        { width },
      )
    : [];

/** @param {CapacityAnswer} answer @param {Style} style */
const knee = ({ knee, over }, { width }) =>
  knee === null
    ? []
    : wrap(`The knee of the curve is at ${short(knee)} ${UNITS[over]}.`, { width });

/** @param {CapacityAnswer} answer @param {Style} style */
function changes({ changes, over, best }, { paint, width }) {
  if (changes.length === 0) return [];
  return [
    '',
    paint.bold('What carries more (first draw)'),
    ...changes.flatMap((change) => {
      // Changes are tried with the first draw of the requests.
      const gain = best ? `, before ${short(best.seeds[0])}` : '';
      const text = `${change.change}: ${short(change.best)} ${UNITS[over]}${gain}. ${change.how}`;
      return wrap(clean(text), { width, first: '  - ' });
    }),
  ];
}

/** @param {CapacityAnswer} answer @param {Style} style */
function assumptions({ assumptions }, { paint, width }) {
  if (assumptions.length === 0) return [];
  return [
    '',
    paint.bold('Assumed'),
    ...assumptions.flatMap((item) => wrap(clean(item), { width, first: '  - ' })),
  ];
}
