import { html, nothing, svg, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { Scale } from '../format';
import type { Locale } from '../locale';
import { figure } from './figure';
import { textWidth } from './log-scale';
import type { Place } from './place';
import { reader } from './reader';
import { layOutScatter, nearestOf, type ScatterLayout } from './scatter-layout';

/** One start: what the engine printed, what was predicted of it, and which it was. */
export interface ScatterPoint {
  /** Measured. */
  x: number;
  /** Predicted. */
  y: number;
  label: string;
  /** Points of one series share a mark. */
  series: string;
  /** Where the row stands, opened by Enter or a click. */
  href?: string;
}

export interface Scatter {
  name: string;
  title: string;
  caption?: string;
  /** In the order in which the keyboard reads them; by what was measured is a good one. */
  points: ScatterPoint[];
  unit: Scale;
  /** One unit in the values' own: 2 ** 30 for bytes that are written in GiB. */
  one?: number;
  /** Their order, where it should not hang on which point comes first; names for people. */
  series?: { key: string; title: string }[];
  words: ScatterWords;
  place: Place;
  locale: Locale;
  /** The table behind it, where the page has a better one than the plain rows. */
  table?: TemplateResult;
}

export interface ScatterWords {
  measured: string;
  predicted: string;
  /** The two lines, "10 % off". */
  bound: string;
  difference: string;
  which: string;
}

/** Marks in a box of 10 about their middle; filled or not tells them apart too. */
const marks = [
  'M0-4.2A4.2 4.2 0 1 1-.01-4.2Z',
  'M-3.6-3.6H3.6V3.6H-3.6Z',
  'M0-4.8 4.6 3.6H-4.6Z',
  'M0-5 5 0 0 5-5 0Z',
  'M-4 0H4M0-4V4',
  'M-3.4-3.4 3.4 3.4M3.4-3.4-3.4 3.4',
  'M0 4.8 4.6-3.6H-4.6Z',
  'M-4-2.5H4V2.5H-4Z',
  'M-2.5-4H2.5V4H-2.5Z',
];

const seriesOf = ({ series, points }: Scatter) =>
  series ?? [...new Set(points.map((point) => point.series))].map((key) => ({ key, title: key }));

function difference({ x, y }: ScatterPoint, locale: Locale): string {
  const share = y / x - 1;
  return `${share > 0 ? '+' : share < 0 ? '−' : ''}${locale.percent(Math.abs(share), 1)}`;
}

function sentence({ words, unit, locale }: Scatter, point: ScatterPoint): string {
  const size = (value: number) => `${unit.text(value)} ${unit.unit}`;
  return `${point.label}: ${words.measured} ${size(point.x)}, ${words.predicted} ${size(point.y)} (${difference(point, locale)})`;
}

/** As many digits as a power of ten below one needs. */
function tickText({ one = 1, locale }: Scatter, value: number): string {
  const units = value / one;
  return locale.fixed(units, Math.max(Math.ceil(-Math.log10(units) - 1e-9), 0));
}

function axes(chart: Scatter, layout: ScatterLayout) {
  const { words, unit } = chart;
  const { left, right, top, bottom, x, y } = layout;
  const withUnit = (text: string) => (unit.unit ? `${text}, ${unit.unit}` : text);
  return svg`<g aria-hidden="true">
    ${layout.ticks.map(
      (
        tick,
      ) => svg`<line class="chart-grid" x1=${left} x2=${right} y1=${y.at(tick)} y2=${y.at(tick)}></line>
        <line class="chart-grid" x1=${x.at(tick)} x2=${x.at(tick)} y1=${top} y2=${bottom}></line>
        <text class="chart-tick" x=${left - 6} y=${y.at(tick)} dy="0.35em" text-anchor="end">${tickText(chart, tick)}</text>
        <text class="chart-tick" x=${x.at(tick)} y=${bottom} dy="1.4em" text-anchor="middle">${tickText(chart, tick)}</text>`,
    )}
    <text class="chart-axis" x="0" y="0" dy="0.9em">${withUnit(words.predicted)}</text>
    <text class="chart-axis" x=${right} y=${layout.height} dy="-0.35em" text-anchor="end">${withUnit(words.measured)} →</text>
  </g>`;
}

const line = (kind: string, { x1, y1, x2, y2 }: ScatterLayout['diagonal']) =>
  svg`<line class=${kind} x1=${x1} y1=${y1} x2=${x2} y2=${y2}></line>`;

function picture(chart: Scatter): TemplateResult {
  const { points, place, unit } = chart;
  const { width, type } = place;
  const order = seriesOf(chart).map(({ key }) => key);
  const room = Math.max(
    ...points.flatMap(({ x, y }) => [x, y]).map((value) => textWidth(unit.text(value), type)),
    type * 2,
  );
  const layout = layOutScatter(points, width, type, chart.one ?? 1, Math.min(room, type * 4));
  const read = place.reading === null ? undefined : points[place.reading];
  const drawn = () =>
    points.map((point) => {
      const series = Math.max(order.indexOf(point.series), 0) % marks.length;
      return svg`<path class="scatter-mark scatter-${series}" transform="translate(${layout.x.at(point.x).toFixed(1)} ${layout.y.at(point.y).toFixed(1)})" d=${marks[series] ?? ''}></path>`;
    });
  return html`<svg
      class="scatter"
      viewBox="0 0 ${layout.width} ${layout.height}"
      width=${layout.width}
      height=${layout.height}
      role="img"
      aria-label=${chart.title}
    >
      ${axes(chart, layout)}
      ${layout.bounds.map((bound) => line('scatter-bound', bound))}
      ${line('scatter-diagonal', layout.diagonal)}
      ${guard([points, width, type, unit.unit, order.join()], drawn)}
      ${
        read
          ? svg`<circle class="scatter-read" cx=${layout.x.at(read.x)} cy=${layout.y.at(read.y)} r="9"></circle>`
          : nothing
      }
    </svg>
    ${
      points.length > 0
        ? reader({
            place,
            label: chart.title,
            count: points.length,
            first: 0,
            text: (index) => (points[index] ? sentence(chart, points[index]) : ''),
            nearest: (x, y) => nearestOf(points, layout, x, y),
            open: (index) => {
              const href = points[index]?.href;
              if (href) location.assign(href);
            },
          })
        : nothing
    }`;
}

function under(chart: Scatter): TemplateResult {
  const { points, place, words } = chart;
  const read = place.reading === null ? undefined : points[place.reading];
  return html`<p class="chart-read">${read ? sentence(chart, read) : nothing}</p>
    <ul class="chart-legend">
      ${seriesOf(chart).map(
        ({ title }, index) => html`<li>
          <svg class="chart-key scatter" width="16" height="16" viewBox="-8 -8 16 16" aria-hidden="true">
            <path class="scatter-mark scatter-${index % marks.length}" d=${marks[index % marks.length] ?? ''}></path>
          </svg>
          <span>${title}</span>
        </li>`,
      )}
      <li>
        <svg class="chart-key scatter" width="30" height="16" viewBox="0 0 30 16" aria-hidden="true">
          <path class="scatter-bound" d="M0 8H30"></path>
        </svg>
        <span>${words.bound}</span>
      </li>
    </ul>`;
}

const table = ({ points, unit, words, locale }: Scatter) => html`<table>
    <thead>
      <tr>
        <th scope="col">${words.which}</th>
        <th scope="col" class="num">${words.measured}, ${unit.unit}</th>
        <th scope="col" class="num">${words.predicted}, ${unit.unit}</th>
        <th scope="col" class="num">${words.difference}</th>
      </tr>
    </thead>
    <tbody>
      ${points.map(
        (point) => html`<tr>
          <th scope="row">
            ${point.href ? html`<a href=${point.href}>${point.label}</a>` : point.label}
          </th>
          <td class="num">${unit.text(point.x)}</td>
          <td class="num">${unit.text(point.y)}</td>
          <td class="num">${difference(point, locale)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;

export const scatter = (chart: Scatter): TemplateResult =>
  figure({
    ...chart,
    picture: picture(chart),
    under: under(chart),
    table: chart.table ?? table(chart),
  });
