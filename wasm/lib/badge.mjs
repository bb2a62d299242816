/**
 * A verdict as a small picture: one SVG file with no script, style sheet or font to fetch.
 *
 * @import { BadgeLook, BadgeText, BadgeTone } from '../badge.d.ts'
 * @import { ErrorReport, Report, Request } from '../ridgepoint.d.ts'
 */

/**
 * Widths of Verdana at 1000 units an em; DejaVu Sans has the same but for a few. From "!" on.
 * `textLength` makes other fonts fit.
 */
const WIDTHS = [
  394, 459, 818, 636, 1076, 727, 269, 454, 454, 636, 818, 364, 454, 364, 454, 636, 636, 636, 636,
  636, 636, 636, 636, 636, 636, 454, 454, 818, 818, 818, 545, 1000, 684, 686, 698, 771, 632, 575,
  775, 751, 421, 455, 693, 557, 843, 748, 787, 603, 787, 695, 684, 616, 732, 684, 989, 685, 615,
  685, 454, 454, 454, 818, 636, 636, 601, 623, 521, 623, 596, 352, 623, 633, 274, 344, 592, 274,
  973, 633, 607, 623, 623, 427, 521, 394, 633, 592, 818, 592, 592, 525, 635, 454, 635, 818,
];
const SPACE = 352;
const FIRST = '!'.charCodeAt(0);
/** From here on the scripts of East Asia, whose letters are as wide as high. */
const WIDE_FROM = 0x2e80;
const OTHER = 680;

const SIZE = 11;
const HEIGHT = 20;
const PADDING = 6;

/** White on each of these has a contrast of 4.5 and more. @type {Record<BadgeTone, string>} */
const COLOURS = { yes: '#1a6f33', mid: '#8a5a00', no: '#a32018', unknown: '#5c6166' };
const LABEL_COLOUR = '#34393d';
/** @type {Record<BadgeLook, number>} the radius of the corners */
const RADIUS = { flat: 3, square: 0 };

/** @type {BadgeLook[]} */
export const BADGE_LOOKS = ['flat', 'square'];

// What XML cannot hold: controls and halves of letters.
const UNFIT = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/** @param {string} text */
function escaped(text) {
  return text
    .replace(UNFIT, ' ')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}

/** @param {string} text @returns {number} in pixels at the size of the badge */
export function textWidth(text) {
  let units = 0;
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0;
    if (letter === ' ') units += SPACE;
    else units += WIDTHS[code - FIRST] ?? (code >= WIDE_FROM ? 1000 : OTHER);
  }
  return (units * SIZE) / 1000;
}

const tenth = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/**
 * @param {BadgeText} text
 * @param {BadgeLook} [look]
 * @returns {string} the SVG file
 */
export function badgeSvg({ label, message, tone, title }, look = 'flat') {
  const [left, right] = [textWidth(label), textWidth(message)];
  const split = label === '' ? 0 : Math.ceil(left + 2 * PADDING);
  const width = split + Math.ceil(right + 2 * PADDING);
  const text = (
    /** @type {string} */ words,
    /** @type {number} */ x,
    /** @type {number} */ length,
  ) =>
    words === ''
      ? ''
      : `<text x="${x}" y="14" textLength="${tenth(length)}" lengthAdjust="spacingAndGlyphs">${escaped(words)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<rect width="${width}" height="${HEIGHT}" rx="${RADIUS[look]}" fill="${COLOURS[tone]}"/>${
    split > 0 ? `\n${labelShape(split, RADIUS[look])}` : ''
  }
<g fill="#fff" font-family="Verdana,'DejaVu Sans',Geneva,sans-serif" font-size="${SIZE}">${text(label, PADDING, left)}${text(message, split + PADDING, right)}</g>
</svg>
`;
}

/** The left part, round on its left alone. @param {number} width @param {number} radius */
function labelShape(width, radius) {
  const path = `M${width} 0H${radius}A${radius} ${radius} 0 0 0 0 ${radius}V${HEIGHT - radius}A${radius} ${radius} 0 0 0 ${radius} ${HEIGHT}H${width}Z`;
  return `<path d="${path}" fill="${LABEL_COLOUR}"/>`;
}

const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US');
const gib = (/** @type {number} */ bytes) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

/** 8192 is "8K", 8000 is "8,000 tokens". @param {number} tokens */
const length = (tokens) =>
  tokens >= 1024 && tokens % 1024 === 0 ? `${tokens / 1024}K` : `${whole(tokens)} tokens`;

const requestsOf = (/** @type {number} */ count) =>
  `${whole(count)} request${Math.round(count) === 1 ? '' : 's'}`;

/** @type {Record<string, (report: Report, card: string, context: string) => string>} */
const REASONS = {
  weights: (_, card) => `weights exceed ${card}`,
  kv_pool: (_, card, context) => `no room for ${context} on ${card}`,
  context: (_, card, context) => `${context} is over its limit on ${card}`,
  free_memory: (_, card) => `too little free memory on ${card}`,
  architecture: ({ engine }, card) => `${engine.name} ${engine.version} does not run it on ${card}`,
};

/**
 * What a badge says about an answer.
 *
 * @param {Report | ErrorReport} answer
 * @param {Request} request what was asked
 * @param {string} [label]
 * @returns {BadgeText}
 */
export function badgeText(answer, request, label = 'ridgepoint') {
  if (!('verdict' in answer)) {
    const { error } = /** @type {ErrorReport} */ (answer);
    const title = `${label}: no answer. ${error.message}`;
    return { label, message: 'no answer', tone: 'unknown', title };
  }
  const { verdict, capacity, model, gpu, engine } = answer;
  const cards =
    engine.tensor_parallel_size * engine.pipeline_parallel_size * engine.data_parallel_size;
  const name = gpu.name || gpu.id || `a card of ${gib(answer.memory.per_gpu.total)}`;
  const card = cards > 1 ? `${cards} × ${name}` : name;
  const context = length(capacity.context);
  const setup = `${model.id || 'The model'} on ${cards} × ${name}, ${engine.name} ${engine.version}`;
  const assumed = model.confidence === 'assumed' ? ' A part of the model was guessed.' : '';
  if (!verdict.serves) {
    const why = REASONS[verdict.limit]?.(answer, card, context) ?? `${verdict.limit} on ${card}`;
    return {
      label,
      message: `does not serve: ${why}`,
      tone: 'no',
      title: `${label}: ${setup}: does not serve. ${verdict.text}${assumed}`,
    };
  }
  const { low, best, high } = capacity.max_requests;
  const asked = request.workload?.concurrency ?? 0;
  const short = asked > best;
  const count = short ? `${whole(best)} of ${requestsOf(asked)}` : requestsOf(best);
  const range = whole(low) === whole(high) ? '' : ` (${whole(low)} to ${whole(high)})`;
  return {
    label,
    message: `serves: ${count} at ${context} on ${card}`,
    tone: short ? 'mid' : 'yes',
    title: `${label}: ${setup}: serves ${requestsOf(best)}${range} of ${whole(capacity.context)} tokens at once${short ? `, ${whole(asked)} are asked for` : ''}.${assumed}`,
  };
}
