import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Locale } from '../locale';
import { type CurveLayout, type CurvePoint, layOutCurve, nearestPoint } from './curve-layout';
import { figure } from './figure';
import { tokens } from './log-scale';
import type { Place } from './place';
import { reader } from './reader';

export type { CurvePoint } from './curve-layout';

/** Requests at once against context, with the usual formula beside it. */
export interface Curve {
  name: string;
  title: string;
  caption?: string;
  /** By rising context. */
  points: CurvePoint[];
  /** The context asked about, and the requests asked for. */
  chosen: number | null;
  load: number | null;
  words: CurveWords;
  place: Place;
  locale: Locale;
}

export interface CurveWords {
  context: string;
  requests: string;
  /** The names of the two lines, and of the band around one of them. */
  best: string;
  range: string;
  naive: string;
  /** "16 asked for". */
  load(count: string): string;
  /** One point as a sentence; `range` is empty where the number is exact. */
  point(context: string, best: string, range: string, naive: string): string;
}

const spread = (point: CurvePoint, locale: Locale) => locale.range(point, locale.plain('', 0));

function sentence({ words, locale }: Curve, point: CurvePoint): string {
  const { x, best, naive } = point;
  return words.point(
    locale.whole(x),
    locale.whole(best),
    spread(point, locale),
    locale.whole(naive),
  );
}

const axes = ({ words, locale }: Curve, layout: CurveLayout) => svg`<g aria-hidden="true">
  ${layout.yTicks.map(
    (
      tick,
    ) => svg`<line class="chart-grid" x1=${layout.left} x2=${layout.right} y1=${layout.y(tick)} y2=${layout.y(tick)}></line>
      <text class="chart-tick" x=${layout.left - 6} y=${layout.y(tick)} dy="0.35em" text-anchor="end">${locale.whole(tick)}</text>`,
  )}
  ${layout.xTicks.map(
    (
      tick,
    ) => svg`<line class="chart-grid" x1=${layout.x.at(tick)} x2=${layout.x.at(tick)} y1=${layout.top} y2=${layout.bottom + 4}></line>
      <text class="chart-tick" x=${layout.x.at(tick)} y=${layout.bottom} dy="1.5em" text-anchor="middle">${tokens(tick, locale.whole)}</text>`,
  )}
  <text class="chart-axis" x="0" y="0" dy="0.9em">${words.requests}</text>
  <text class="chart-axis" x=${layout.right} y=${layout.height} dy="-0.35em" text-anchor="end">${words.context} →</text>
</g>`;

function load({ load: asked, words, locale }: Curve, layout: CurveLayout) {
  if (!asked) return nothing;
  const y = layout.y(asked);
  return svg`<line class="curve-load" x1=${layout.left} x2=${layout.right} y1=${y} y2=${y}></line>
    <text class="curve-load-text" x=${layout.left + 6} y=${y} dy="-0.4em">${words.load(locale.whole(asked))}</text>`;
}

/** A point with lines to both axes: where the setup stands, and what is being read. */
function mark(kind: string, { x, best, naive }: CurvePoint, layout: CurveLayout) {
  const [at, up] = [layout.x.at(x), layout.y(best)];
  return svg`<g class="curve-${kind}">
    <line x1=${at} x2=${at} y1=${layout.top} y2=${layout.bottom}></line>
    <rect x=${at - 4} y=${layout.y(naive) - 4} width="8" height="8"></rect>
    <circle cx=${at} cy=${up} r="5.5"></circle>
  </g>`;
}

function picture(curve: Curve): TemplateResult {
  const { points, place, locale, words } = curve;
  const { width, type } = place;
  const layout = layOutCurve(points, curve.load, width, type, locale.whole);
  const chosen = points.find(({ x }) => x === curve.chosen);
  const first = Math.max(
    points.findIndex(({ x }) => x === curve.chosen),
    0,
  );
  const read = place.reading === null ? undefined : points[place.reading];
  const description = points.map((point) => sentence(curve, point)).join(' ');
  return html`<svg
      class="curve"
      viewBox="0 0 ${layout.width} ${layout.height}"
      width="100%"
      role="img"
      aria-label=${curve.title}
    >
      <desc>${description}</desc>
      ${axes(curve, layout)}
      <path class="curve-band" d=${layout.band}></path>
      <path class="curve-naive" d=${layout.naive}></path>
      ${load(curve, layout)}
      <path class="curve-line" d=${layout.line}></path>
      ${points.map(
        ({ x, best }) =>
          svg`<circle class="curve-dot" cx=${layout.x.at(x)} cy=${layout.y(best)} r="2.5"></circle>`,
      )}
      ${chosen ? mark('chosen', chosen, layout) : nothing}
      ${read && read !== chosen ? mark('read', read, layout) : nothing}
    </svg>
    ${reader({
      place,
      label: `${curve.title}, ${words.context}`,
      count: points.length,
      first,
      text: (index) => (points[index] ? sentence(curve, points[index]) : ''),
      nearest: (x) => nearestPoint(points, layout, x),
    })}`;
}

const key = (kind: string, word: string) => html`<li>
    <svg class="chart-key curve" width="30" height="16" viewBox="0 0 30 16" aria-hidden="true">
      ${
        kind === 'band'
          ? svg`<rect class="curve-band" y="2" width="30" height="12"></rect>`
          : svg`<path class="curve-${kind}" d="M0 8H30"></path>`
      }
    </svg>
    <span>${word}</span>
  </li>`;

function under(curve: Curve): TemplateResult {
  const { points, place, words } = curve;
  const read = points[place.reading ?? points.findIndex(({ x }) => x === curve.chosen)];
  return html`<p class="chart-read">${read ? sentence(curve, read) : nothing}</p>
    <ul class="chart-legend">
      ${key('line', words.best)} ${key('band', words.range)} ${key('naive', words.naive)}
    </ul>`;
}

const table = (curve: Curve) => html`<table>
    <thead>
      <tr>
        <th scope="col" class="num">${curve.words.context}</th>
        <th scope="col" class="num">${curve.words.requests}</th>
        <th scope="col" class="num">${curve.words.range}</th>
        <th scope="col" class="num">${curve.words.naive}</th>
      </tr>
    </thead>
    <tbody>
      ${curve.points.map(
        (point) => html`<tr>
          <th scope="row" class="num">${curve.locale.whole(point.x)}</th>
          <td class="num">${curve.locale.whole(point.best)}</td>
          <td class="num">${spread(point, curve.locale)}</td>
          <td class="num">${curve.locale.whole(point.naive)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;

export const capacityCurve = (curve: Curve): TemplateResult =>
  figure({ ...curve, picture: picture(curve), under: under(curve), table: table(curve) });
