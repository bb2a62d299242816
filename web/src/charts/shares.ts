import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Locale } from '../locale';
import { figure } from './figure';
import { textWidth } from './log-scale';
import type { Place } from './place';
import './shares.css';

/** A whole and its parts as one bar; each part has a pattern of its own. */
export interface Shares {
  name: string;
  title: string;
  caption?: string;
  /** At most eight. */
  parts: readonly Part[];
  head: { part: string; share: string; amount: string };
  place: Place;
  locale: Locale;
}

export interface Part {
  /** Which of the patterns; the same part has the same in every picture. */
  look: number;
  name: string;
  value: number;
  text: string;
}

const HEIGHT = 40;

const pattern = (id: number, mark: TemplateResult) => svg`<pattern
  id="share-${id}"
  class="share-${id}"
  width="7"
  height="7"
  patternUnits="userSpaceOnUse"
  ><rect width="7" height="7" class="share-base"></rect>${mark}</pattern
>`;

const patterns = svg`<defs>
  ${pattern(0, svg``)}
  ${pattern(1, svg`<path class="share-mark" d="M-1 8 8 -1M-1 1 1 -1M6 8 8 6"></path>`)}
  ${pattern(2, svg`<path class="share-mark" d="M-1 -1 8 8M-1 6 1 8M6 -1 8 1"></path>`)}
  ${pattern(3, svg`<path class="share-mark" d="M3.5 0V7"></path>`)}
  ${pattern(4, svg`<path class="share-mark" d="M0 3.5H7"></path>`)}
  ${pattern(5, svg`<circle class="share-dot" cx="3.5" cy="3.5" r="1.5"></circle>`)}
  ${pattern(6, svg`<path class="share-mark" d="M0 3.5H7M3.5 0V7"></path>`)}
  ${pattern(7, svg`<circle class="share-dot" cx="3.5" cy="3.5" r="0.8"></circle>`)}
</defs>`;

function picture({ title, parts, place, locale }: Shares): TemplateResult {
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1;
  const { width, type } = place;
  let start = 0;
  const laid = parts.map((part) => {
    const from = start;
    start += part.value;
    return { ...part, x: (from / total) * width, wide: (part.value / total) * width };
  });
  const said = laid.map(({ name, value }) => `${name} ${locale.percent(value / total, 1)}`);
  return html`<svg
    class="shares"
    viewBox="0 0 ${width} ${HEIGHT + 2}"
    width="100%"
    role="img"
    aria-label="${title}: ${said.join(', ')}"
  >
    ${patterns}
    ${laid.map(
      ({ look, name, x, wide, text }) => svg`<g class="share-${look}">
        <rect class="share-part" x=${x.toFixed(1)} y="1" width=${wide.toFixed(1)} height=${HEIGHT} fill="url(#share-${look})"><title>${name}: ${text}</title></rect>
        ${
          wide > textWidth(name, type) + 16
            ? svg`<text class="share-name" x=${x + 8} y=${HEIGHT / 2 + 1} dy="0.35em">${name}</text>`
            : nothing
        }
      </g>`,
    )}
  </svg>`;
}

function legend({ parts, locale }: Shares): TemplateResult {
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1;
  return html`<ul class="chart-legend">
    ${parts.map(
      ({ look, name, value }) => html`<li>
        <svg class="chart-key" width="18" height="18" aria-hidden="true">
          <g class="share-${look}"
            ><rect class="share-part" x="0.5" y="0.5" width="17" height="17" fill="url(#share-${look})"></rect
          ></g>
        </svg>
        <span>${name} ${locale.percent(value / total, 1)}</span>
      </li>`,
    )}
  </ul>`;
}

function table({ parts, head, locale }: Shares): TemplateResult {
  const total = parts.reduce((sum, { value }) => sum + value, 0) || 1;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${head.part}</th>
        <th scope="col" class="num">${head.share}</th>
        <th scope="col" class="num">${head.amount}</th>
      </tr>
    </thead>
    <tbody>
      ${parts.map(
        ({ name, value, text }) => html`<tr>
          <th scope="row">${name}</th>
          <td class="num">${locale.percent(value / total, 1)}</td>
          <td class="num">${text}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

export const shareBar = (chart: Shares): TemplateResult =>
  figure({ ...chart, picture: picture(chart), under: legend(chart), table: table(chart) });
