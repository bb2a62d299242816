import { html, nothing, type SVGTemplateResult, svg, type TemplateResult } from 'lit-html';
import type { Locale } from '../locale';
import { figure } from './figure';
import { BOLD, type HeatLayout, heatStep, layOutHeat } from './heat-layout';
import { textWidth } from './log-scale';
import type { Place } from './place';

// A grid of setups coloured by how they fit. Each cell tells it by a number, an icon and the
// pattern of its foot besides the colour, and is one stop of the keyboard's way through the grid.

/** Room to spare, just enough, fewer than asked, does not start, cannot be asked. */
export type Fit = 'ample' | 'tight' | 'short' | 'never' | 'void';

export interface HeatCell {
  fit: Fit;
  /** What stands in the cell. */
  text: string;
  /** What is read aloud and shown on a stay of the pointer. */
  title: string;
}

export interface HeatGrid {
  name: string;
  title: string;
  caption?: string;
  /** Names of what goes down and what goes across. */
  down: string;
  across: string;
  rows: string[];
  columns: string[];
  /** Row by row. */
  cells: HeatCell[];
  /** The cell of the setup as it is. */
  chosen: number | null;
  /** What the fits are called, of those that the legend shows. */
  legend: Partial<Record<Fit, string>>;
  place: Place;
  locale: Locale;
  pick(cell: number): void;
}

/** In a box of 12. */
const icons: Record<Fit, string> = {
  ample: 'M1.5 6.5 4.5 9.5 10.5 2.5',
  tight: 'M1 4.2q2.5-2.6 5 0t5 0 M1 8.8q2.5-2.6 5 0t5 0',
  short: 'M6 1.5V10.5 M2.2 6.9 6 10.7 9.8 6.9',
  never: 'M2 2 10 10 M10 2 2 10',
  void: 'M2.5 6H9.5',
};

const ICON = 12;
const FOOT = 6;

const patterns = svg`<defs>
  <pattern id="heat-tight" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect class="heat-mark-tight" width="3" height="6"></rect>
  </pattern>
  <pattern id="heat-short" width="6" height="6" patternUnits="userSpaceOnUse">
    <rect class="heat-mark-short" width="3" height="3"></rect><rect class="heat-mark-short" x="3" y="3" width="3" height="3"></rect>
  </pattern>
</defs>`;

const icon = (fit: Fit, x: number, y: number) =>
  svg`<path class="heat-icon" transform="translate(${x} ${y})" d=${icons[fit]}></path>`;

function face(cell: HeatCell, layout: HeatLayout, type: number): SVGTemplateResult {
  const { width, height } = layout.cell;
  const middle = (height - FOOT) / 2;
  const textAt = layout.beside ? width / 2 + ICON / 2 + 2 : width / 2;
  // The icon stands before the text's own middle, whatever its length.
  const iconAt = layout.beside
    ? textAt - textWidth(cell.text, type * BOLD) / 2 - ICON - 4
    : width / 2 - ICON / 2;
  return svg`<rect class="heat-cell" width=${width} height=${height}></rect>
    <rect class="heat-foot" y=${height - FOOT} width=${width} height=${FOOT}></rect>
    ${icon(cell.fit, iconAt, layout.beside ? middle - ICON / 2 : 5)}
    <text x=${textAt} y=${layout.beside ? middle : height - FOOT - 12} dy="0.35em" text-anchor="middle">${cell.text}</text>`;
}

function gridCell(grid: HeatGrid, layout: HeatLayout, index: number, active: number) {
  const columns = grid.columns.length;
  const cell = grid.cells[index];
  if (!cell) return nothing;
  const { width, height } = layout.cell;
  const chosen = index === grid.chosen;
  const x = layout.columns[index % columns] ?? 0;
  const y = layout.rows[Math.floor(index / columns)] ?? 0;
  return svg`<g
    role="gridcell"
    class="heat-${cell.fit}"
    data-cell=${index}
    tabindex=${index === active ? 0 : -1}
    aria-label="${cell.title} ${cell.text}"
    aria-selected=${chosen}
    transform="translate(${x} ${y})"
    @click=${() => grid.pick(index)}
    @focus=${() => grid.place.read(index)}
  >
    <title>${cell.title}</title>
    ${face(cell, layout, grid.place.type)}
    ${chosen ? svg`<rect class="heat-chosen" x="1.5" y="1.5" width=${width - 3} height=${height - 3}></rect>` : nothing}
    <rect class="heat-ring" x="-1" y="-1" width=${width + 2} height=${height + 2}></rect>
  </g>`;
}

function pressed(event: KeyboardEvent, grid: HeatGrid): void {
  const at = Number((event.target as Element).getAttribute('data-cell'));
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault();
    grid.pick(at);
    return;
  }
  if (event.altKey || event.metaKey) return;
  const to = heatStep(event.key, event.ctrlKey, at, grid.rows.length, grid.columns.length);
  if (to === null) return;
  event.preventDefault();
  (event.currentTarget as Element).querySelector<SVGElement>(`[data-cell="${to}"]`)?.focus();
}

function picture(grid: HeatGrid): TemplateResult {
  const { rows, columns, cells, place } = grid;
  const layout = layOutHeat(
    rows,
    columns,
    cells.map(({ text }) => text),
    place.width,
    place.type,
  );
  const active = Math.min(place.reading ?? grid.chosen ?? 0, cells.length - 1);
  const center = layout.cell.width / 2;
  const first = layout.columns[0] ?? 0;
  return html`<svg
    class="heat ${layout.dense ? 'heat-dense' : ''}"
    viewBox="0 0 ${layout.width} ${layout.height}"
    width="100%"
    role="grid"
    aria-label=${grid.title}
    @keydown=${(event: KeyboardEvent) => pressed(event, grid)}
  >
    ${patterns}
    <g role="row">
      <text role="columnheader" class="chart-axis" x="0" y=${layout.axis}>${grid.down}</text>
      <text class="chart-axis" role="presentation" aria-hidden="true" x=${layout.width} y=${layout.axis} text-anchor="end">${grid.across} →</text>
      ${columns.map(
        (label, index) =>
          svg`<text role="columnheader" aria-label="${label}, ${grid.across}" x=${(layout.columns[index] ?? 0) + center} y=${layout.heads} text-anchor="middle">${label}</text>`,
      )}
    </g>
    ${rows.map(
      (label, row) => svg`<g role="row">
        <text role="rowheader" x=${layout.above ? 0 : first - 8} y=${(layout.rows[row] ?? 0) + (layout.above ? -6 : (layout.cell.height - FOOT) / 2)} dy=${layout.above ? nothing : '0.35em'} text-anchor=${layout.above ? 'start' : 'end'}>${label}</text>
        ${columns.map((_, column) => gridCell(grid, layout, row * columns.length + column, active))}
      </g>`,
    )}
  </svg>`;
}

/** One fit as the grid draws it. */
export const fitMark = (fit: Fit) => html`<svg
    class="heat heat-key"
    width="26"
    height="26"
    viewBox="0 0 26 26"
    aria-hidden="true"
  >
    <g class="heat-${fit}">
      <rect class="heat-cell" width="26" height="26"></rect>
      <rect class="heat-foot" y="20" width="26" height="6"></rect>
      ${icon(fit, 7, 4)}
    </g>
  </svg>`;

const legend = ({ legend: words }: HeatGrid) => html`<ul class="chart-legend">
    ${Object.entries(words).map(
      ([fit, word]) => html`<li>${fitMark(fit as Fit)} <span>${word}</span></li>`,
    )}
  </ul>`;

const table = (grid: HeatGrid) => html`<table>
    <thead>
      <tr>
        <th scope="col">${grid.down}</th>
        ${grid.columns.map((label) => html`<th scope="col" class="num">${label}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${grid.rows.map(
        (label, row) => html`<tr>
          <th scope="row">${label}</th>
          ${grid.columns.map((_, column) => {
            const cell = grid.cells[row * grid.columns.length + column];
            return html`<td class="num">
              ${cell?.text}<span class="chart-fit">${grid.legend[cell?.fit ?? 'void'] ?? ''}</span>
            </td>`;
          })}
        </tr>`,
      )}
    </tbody>
  </table>`;

export const heatGrid = (grid: HeatGrid): TemplateResult =>
  figure({ ...grid, picture: picture(grid), under: legend(grid), table: table(grid) });
