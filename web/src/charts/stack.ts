import { html, nothing, svg } from 'lit-html';
import { type Bar, inPlaces, type Segment } from '../bar';
import type { Locale } from '../locale';
import { textWidth } from './log-scale';

// The memory of one card as a stack of its parts: the drawing that every picture of it shares.
// Places are shares of a scale, so that it fills whatever width it gets.

/** Each part has a pattern of its own, so that the bar reads without colour. */
export const stackPatterns = svg`<defs>
  <pattern id="p-activation" class="p-activation" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="6" height="6" class="base"></rect><rect width="2" height="6" class="mark"></rect>
  </pattern>
  <pattern id="p-other" class="p-other" width="6" height="6" patternUnits="userSpaceOnUse">
    <rect width="6" height="6" class="base"></rect><circle cx="3" cy="3" r="1.4" class="mark"></circle>
  </pattern>
  <pattern id="p-graphs" class="p-graphs" width="5" height="5" patternUnits="userSpaceOnUse">
    <rect width="5" height="5" class="base"></rect><rect width="1.5" height="5" class="mark"></rect>
  </pattern>
  <pattern id="p-graphs-outside" class="p-graphs" width="5" height="5" patternUnits="userSpaceOnUse">
    <rect width="5" height="5" class="base"></rect><rect width="5" height="1.5" class="mark"></rect>
  </pattern>
  <pattern id="p-missing" class="p-missing" width="8" height="8" patternUnits="userSpaceOnUse">
    <rect width="8" height="8" class="mark"></rect><path d="M0 0 8 8M8 0 0 8" class="cross"></path>
  </pattern>
  <pattern id="p-band" class="p-band" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
    <rect width="2.2" height="7" class="mark"></rect>
  </pattern>
</defs>`;

export interface Stack {
  bar: Bar;
  /** The end of the scale, which several bars share. */
  end: number;
  top: number;
  height: number;
  locale: Locale;
  /** Whether the parts that are wide enough say what they are. */
  named: boolean;
}

export const share = (value: number, end: number) => `${((value / end) * 100).toFixed(3)}%`;

/** A label starts inside its part, after the hatched band where the two share a place. */
function labelAt(segment: Segment, { band }: Bar) {
  const end = segment.start + segment.bytes;
  return band && band.end > segment.start && band.end < end ? band.end : segment.start;
}

const labelOf = ({ label, bytes }: Segment, { gib }: Locale) =>
  `${label.replace(/[,，]/, '')} ${gib.text(bytes)}`;

/** The narrowest that a bar gets on a phone, beside the inputs, and on a wide screen. */
const screens = [
  ['roomy', 280],
  ['snug', 500],
  ['slim', 750],
] as const;
/** Of text of 13 px, whose figures and small letters are narrow. */
const TYPE = 12;
const INDENT = 10;

/** On which screens a part has room for its label: what lies beyond the card counts not. */
function room(segment: Segment, { bar, end, locale }: Stack) {
  const until = Math.min(segment.start + segment.bytes, bar.total);
  const part = (until - labelAt(segment, bar)) / end;
  const needed = textWidth(labelOf(segment, locale), TYPE) + INDENT * 1.5;
  return screens.find(([, width]) => part * width >= needed)?.[0] ?? '';
}

function part(segment: Segment, stack: Stack) {
  const { bar, end, top, height, locale, named } = stack;
  const wide = named ? room(segment, stack) : '';
  const size = locale.gib.text(segment.bytes);
  return svg`<g class="seg seg-${segment.key}">
    <rect x=${share(segment.start, end)} y=${top} width=${share(segment.bytes, end)} height=${height}>
      <title>${segment.label}: ${size} GiB, ${locale.decimalSize(segment.bytes)}</title>
    </rect>
    ${
      wide
        ? svg`<text class=${wide} x=${share(labelAt(segment, bar), end)} y=${top + height / 2} dx=${INDENT} dy="0.35em">${labelOf(segment, locale)}</text>`
        : nothing
    }
  </g>`;
}

/** The parts, the band of the pool, what is missing, and the edge of the card. */
export function stack(one: Stack) {
  const { bar, end, top, height } = one;
  return svg`${inPlaces(bar.segments, (segment) => part(segment, one))}
    ${
      bar.band
        ? svg`<rect class="band" x=${share(bar.band.start, end)} y=${top} width=${share(bar.band.end - bar.band.start, end)} height=${height}></rect>`
        : nothing
    }
    ${
      bar.missing > 0
        ? svg`<rect class="missing" x=${share(bar.total, end)} y=${top} width=${share(bar.missing, end)} height=${height}></rect>`
        : nothing
    }
    <rect class="card" x="0" y=${top} width=${share(bar.total, end)} height=${height}></rect>`;
}

/** A tick's text lies to the left of its line, unless there is no place. */
const side = (value: number, end: number) => (value / end < 0.4 ? 'start' : 'end');

/** What the engine claims of the card, above the bar. */
export function claim({ bar, end, top, height, locale }: Stack) {
  if (bar.requested === null) return nothing;
  const at = share(bar.requested, end);
  return svg`<line class="claim" x1=${at} x2=${at} y1=${top - 6} y2=${top + height}></line>
    <text class="tick" x=${at} y=${top - 11} text-anchor=${side(bar.requested, end)}>${locale.words.memory.claims(locale.gib.text(bar.requested))}</text>`;
}

/** Where the card ends, below the bar. */
export function edge({ bar, end, top, height, locale }: Stack) {
  const at = share(bar.total, end);
  return svg`<line class="edge" x1=${at} x2=${at} y1=${top} y2=${top + height + 6}></line>
    ${bar.total / end > 0.1 ? svg`<text class="tick" x="0" y=${top + height + 18}>0</text>` : nothing}
    <text class="tick" x=${at} y=${top + height + 18} text-anchor=${side(bar.total, end)}>${locale.words.memory.card(locale.gib.text(bar.total))}</text>`;
}

export const swatch = (key: string) => html`<svg
    class="swatch"
    width="18"
    height="18"
    aria-hidden="true"
  >
    <g class="seg seg-${key}"><rect x="0.5" y="0.5" width="17" height="17"></rect></g>
  </svg>`;

/** All of it in words, for who does not see it. */
export const partsText = ({ segments }: Bar, { gib }: Locale) =>
  segments.map(({ label, bytes }) => `${label} ${gib.text(bytes)} GiB`).join(', ');
