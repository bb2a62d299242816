import { html, nothing, type TemplateResult } from 'lit-html';
import { ref } from 'lit-html/directives/ref.js';
import type { Locale } from '../locale';
import { savePng, saveSvg } from './download';
import type { Place } from './place';
import { words } from './words';
import './charts.css';

// A chart on the page: the picture, what is read of it, the table behind it, and the two files.

export interface Figure {
  /** For the names of files; the same in every language. */
  name: string;
  title: string;
  place: Place;
  locale: Locale;
  /** The picture, and over it what reads its points. */
  picture: TemplateResult;
  /** Under the picture. */
  under?: TemplateResult | typeof nothing;
  table: TemplateResult;
  /** The setup in a line; a saved picture holds it with the title. */
  caption?: string;
}

const pictureOf = (event: Event) =>
  (event.currentTarget as Element)
    .closest('figure')
    ?.querySelector<SVGSVGElement>('.chart-picture > svg');

export function figure(chart: Figure): TemplateResult {
  const { name, title, place, locale, picture, under, table, caption } = chart;
  const own = locale.pick(words);
  const about = { name, title, caption: caption ?? '' };
  const save = (form: string, write: typeof saveSvg | typeof savePng) => html`<button
      type="button"
      class="chart-save"
      aria-label=${own.save(title, form)}
      @click=${(event: Event) => {
        const svg = pictureOf(event);
        if (svg) void write(svg, about);
      }}
    >
      ${form}
    </button>`;
  return html`<figure class="chart" data-chart=${name}>
    <div class="chart-picture" ${ref(place.attach)}>${picture}</div>
    ${under ?? nothing}
    <div class="chart-foot">
      <details class="chart-table">
        <summary>${own.table}</summary>
        <div class="scroll" role="group" tabindex="0" aria-label=${title}>${table}</div>
      </details>
      <div class="chart-files">${save('SVG', saveSvg)} ${save('PNG', savePng)}</div>
    </div>
  </figure>`;
}
