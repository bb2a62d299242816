import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Locale } from '../locale';
import { figure } from './figure';
import {
  axisOf,
  bandPath,
  LANE,
  type LinesLayout,
  layOutLines,
  linePath,
  nearestIndex,
} from './lines-layout';
import type { Place } from './place';
import { reader } from './reader';
import './lines.css';

/** Values over a common axis: how something went, or what depends on what. */
export interface Lines {
  name: string;
  title: string;
  caption?: string;
  x: { label: string; values: readonly number[]; text(value: number): string };
  y: {
    label: string;
    text(value: number): string;
    log?: boolean;
    /** The end of the axis, where it is not the largest value. */
    most?: number;
  };
  /** At most three: each has a dash of its own. */
  lines: readonly Line[];
  /** Lines across, at a value of the upward axis. */
  levels?: readonly { at: number; text: string }[];
  /** Lines upwards, at a value of the common axis; the first is the heaviest. */
  marks?: readonly Mark[];
  /** What happened now and then: a stroke at the upper edge where it did. */
  events?: { name: string; values: readonly number[]; text(value: number): string };
  /** A word on each point, for the table alone. */
  remarks?: { name: string; text(index: number): string };
  /** One point as a sentence. */
  point(index: number): string;
  /** Height in pixels at most. */
  high?: number;
  place: Place;
  locale: Locale;
}

export interface Line {
  name: string;
  values: readonly (number | null)[];
  /** The paper below it is tinted. */
  area?: boolean;
  band?: { name: string; low: readonly number[]; high: readonly number[] };
  /** The points themselves are marked: few, and what lies between them is a guess. */
  dots?: boolean;
}

export interface Mark {
  at: number;
  text: string;
  /** How far it may be off. */
  from?: number;
  to?: number;
}

const HIGH = 300;

function layOut(chart: Lines): LinesLayout {
  const { lines, levels = [], marks = [], x, y, place, high = HIGH } = chart;
  const values = lines.flatMap((line) => [
    ...line.values.flatMap((value) => (value === null ? [] : [value])),
    ...(line.band ? [...line.band.low, ...line.band.high] : []),
  ]);
  const up = axisOf([...values, ...levels.map(({ at }) => at)], y.log === true);
  const along = axisOf([...x.values, ...marks.map(({ at, to = at }) => Math.max(at, to))], false);
  return layOutLines(
    along,
    y.most === undefined ? up : { ...up, most: y.most },
    { width: place.width, type: place.type, high, lanes: marks.length },
    y.text,
  );
}

const axes = ({ x, y }: Lines, layout: LinesLayout) => svg`<g aria-hidden="true">
  ${layout.yTicks.map(
    (
      tick,
    ) => svg`<line class="chart-grid" x1=${layout.left} x2=${layout.right} y1=${layout.y(tick)} y2=${layout.y(tick)}></line>
      <text class="chart-tick" x=${layout.left - 6} y=${layout.y(tick)} dy="0.35em" text-anchor="end">${y.text(tick)}</text>`,
  )}
  ${layout.xTicks.map(
    (
      tick,
    ) => svg`<line class="chart-grid" x1=${layout.x(tick)} x2=${layout.x(tick)} y1=${layout.bottom} y2=${layout.bottom + 4}></line>
      <text class="chart-tick" x=${layout.x(tick)} y=${layout.bottom} dy="1.4em" text-anchor="middle">${x.text(tick)}</text>`,
  )}
  <text class="chart-axis" x="0" y=${layout.top} dy="-0.75em">${y.label}</text>
  <text class="chart-axis" x=${layout.right} y=${layout.height} dy="-0.3em" text-anchor="end">${x.label} →</text>
</g>`;

const level = ({ at, text }: { at: number; text: string }, layout: LinesLayout) => {
  const y = layout.y(at);
  return svg`<line class="lines-level" x1=${layout.left} x2=${layout.right} y1=${y} y2=${y}></line>
    <text class="lines-note" x=${layout.left + 6} y=${y} dy="-0.4em">${text}</text>`;
};

/** Their names stand one below the other above the picture, and cover nothing. */
function mark({ at, text, from, to }: Mark, index: number, layout: LinesLayout, type: number) {
  const x = layout.x(at);
  const late = x > (layout.left + layout.right) / 2;
  const lane = type * (0.9 + index * LANE);
  return svg`<g class="lines-mark lines-mark-${index}">
    ${
      from !== undefined && to !== undefined
        ? svg`<rect class="lines-span" x=${layout.x(from)} width=${Math.max(layout.x(to) - layout.x(from), 0)} y=${layout.top} height=${layout.bottom - layout.top}></rect>`
        : nothing
    }
    <line x1=${x} x2=${x} y1=${lane - type * 0.8} y2=${layout.bottom}></line>
    <text class="lines-note" x=${x} dx=${late ? -5 : 5} y=${lane} text-anchor=${late ? 'end' : 'start'}>${text}</text>
  </g>`;
}

function drawn(line: Line, index: number, { x }: Lines, layout: LinesLayout) {
  const { values, area, band, dots } = line;
  const known = values.map((value) => value ?? 0);
  return svg`<g class="lines-${index}">
    ${
      area
        ? svg`<path class="lines-area" d=${bandPath(
            x.values,
            known.map(() => 0),
            known,
            layout,
          )}></path>`
        : nothing
    }
    ${band ? svg`<path class="lines-band" d=${bandPath(x.values, band.low, band.high, layout)}></path>` : nothing}
    <path class="lines-line" d=${linePath(x.values, values, layout)}></path>
    ${
      dots
        ? values.map((value, at) =>
            value === null
              ? nothing
              : svg`<circle class="lines-dot" cx=${layout.x(x.values[at] ?? 0)} cy=${layout.y(value)} r="2.5"></circle>`,
          )
        : nothing
    }
  </g>`;
}

function eventMarks({ events, x }: Lines, layout: LinesLayout) {
  const path = events?.values
    .flatMap((value, index) =>
      value > 0 ? [`M${layout.x(x.values[index] ?? 0).toFixed(1)} ${layout.top}v9`] : [],
    )
    .join('');
  return path ? svg`<path class="lines-event" d=${path}></path>` : nothing;
}

function readMark(chart: Lines, layout: LinesLayout) {
  const { place, x, lines } = chart;
  const at = place.reading === null ? undefined : x.values[place.reading];
  if (at === undefined) return nothing;
  return svg`<g class="lines-read">
    <line x1=${layout.x(at)} x2=${layout.x(at)} y1=${layout.top} y2=${layout.bottom}></line>
    ${lines.map(({ values }, index) => {
      const value = values[place.reading ?? 0];
      return value === null || value === undefined
        ? nothing
        : svg`<circle class="lines-read-${index}" cx=${layout.x(at)} cy=${layout.y(value)} r="4.5"></circle>`;
    })}
  </g>`;
}

function picture(chart: Lines): TemplateResult {
  const { place, lines, levels = [], marks = [], x, point } = chart;
  const layout = layOut(chart);
  const last = Math.max(x.values.length - 1, 0);
  const some = [
    ...new Set([0, Math.round(last / 4), Math.round(last / 2), Math.round((last * 3) / 4), last]),
  ];
  return html`<svg
      class="lines"
      viewBox="0 0 ${layout.width} ${layout.height}"
      width="100%"
      role="img"
      aria-label=${chart.title}
    >
      <desc>${some.map(point).join(' ')}</desc>
      ${axes(chart, layout)}
      ${lines.map((line, index) => drawn(line, index, chart, layout))}
      ${levels.map((one) => level(one, layout))}
      ${marks.map((one, index) => mark(one, index, layout, place.type))}
      ${eventMarks(chart, layout)} ${readMark(chart, layout)}
    </svg>
    ${reader({
      place,
      label: `${chart.title}, ${x.label}`,
      count: x.values.length,
      first: 0,
      text: (index) => (x.values[index] === undefined ? '' : point(index)),
      nearest: (at) => nearestIndex(x.values, layout, at),
    })}`;
}

const key = (index: number, kind: 'line' | 'band' | 'event', word: string) => html`<li>
    <svg class="chart-key lines" width="30" height="16" viewBox="0 0 30 16" aria-hidden="true">
      <g class="lines-${index}">
        ${
          kind === 'band'
            ? svg`<rect class="lines-band" y="2" width="30" height="12"></rect>`
            : svg`<path class="lines-${kind}" d=${kind === 'line' ? 'M0 8H30' : 'M9 4v9M21 4v9'}></path>`
        }
      </g>
    </svg>
    <span>${word}</span>
  </li>`;

const happened = ({ events }: Lines) => events?.values.some((value) => value > 0) && events;

const under = (chart: Lines) => html`<p class="chart-read">
    ${chart.place.reading === null ? nothing : chart.point(chart.place.reading)}
  </p>
  <ul class="chart-legend">
    ${chart.lines.map(({ name, band }, index) => [
      key(index, 'line', name),
      band ? key(index, 'band', band.name) : nothing,
    ])}
    ${happened(chart) ? key(0, 'event', chart.events?.name ?? '') : nothing}
  </ul>`;

const table = ({ x, y, lines, events, remarks }: Lines) => html`<table>
    <thead>
      <tr>
        <th scope="col" class="num">${x.label}</th>
        ${lines.map(({ name }) => html`<th scope="col" class="num">${name}</th>`)}
        ${events ? html`<th scope="col" class="num">${events.name}</th>` : nothing}
        ${remarks ? html`<th scope="col">${remarks.name}</th>` : nothing}
      </tr>
    </thead>
    <tbody>
      ${x.values.map(
        (value, index) => html`<tr>
          <th scope="row" class="num">${x.text(value)}</th>
          ${lines.map(({ values }) => {
            const one = values[index];
            return html`<td class="num">${one === null || one === undefined ? '–' : y.text(one)}</td>`;
          })}
          ${events ? html`<td class="num">${events.text(events.values[index] ?? 0)}</td>` : nothing}
          ${remarks ? html`<td>${remarks.text(index)}</td>` : nothing}
        </tr>`,
      )}
    </tbody>
  </table>`;

export const lineChart = (chart: Lines): TemplateResult =>
  figure({ ...chart, picture: picture(chart), under: under(chart), table: table(chart) });
