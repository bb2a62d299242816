import { html, svg, type TemplateResult } from 'lit-html';
import type { Bar } from '../../bar';
import { figure } from '../../charts/figure';
import type { Place } from '../../charts/place';
import { claim, edge, partsText, stack, stackPatterns, swatch } from '../../charts/stack';
import type { Locale } from '../../locale';

// The memory of one card under each engine, all on one scale.

export interface EngineBar {
  label: string;
  bar: Bar;
}

const HEIGHT = 32;

export interface EngineBars {
  title: string;
  caption: string;
  part: string;
  bars: EngineBar[];
  place: Place;
  locale: Locale;
}

function picture({ title, bars, place, locale }: EngineBars): TemplateResult {
  const line = place.type * 1.7;
  // A bar has its name above it, and above that what the engine claims of the card.
  const each = line * 2 + HEIGHT + 10;
  const end = Math.max(...bars.map(({ bar }) => bar.end));
  const told = bars.map(({ label, bar }) => `${label}: ${partsText(bar, locale)}`).join('. ');
  const last = { top: 0, end, height: HEIGHT, locale, named: true };
  return html`<svg class="bar" width="100%" height=${each * bars.length + line} role="img" aria-label="${title}. ${told}">
    ${stackPatterns}
    ${bars.map(({ label, bar }, index) => {
      const top = each * index + line * 2;
      const one = { ...last, bar, top };
      return svg`<text class="engines-label" x="0" y=${top - line - 2}>${label}</text>${stack(one)} ${claim(one)}
        ${index === bars.length - 1 ? edge(one) : ''}`;
    })}
  </svg>`;
}

/** The parts in the order in which the bars first have them. */
function partsIn(bars: EngineBar[]): Map<string, string> {
  return new Map(bars.flatMap(({ bar }) => bar.segments.map(({ key, label }) => [key, label])));
}

const legend = (parts: Map<string, string>) => html`<ul class="chart-legend">
    ${[...parts].map(([key, label]) => html`<li>${swatch(key)} <span>${label}</span></li>`)}
  </ul>`;

function table({ bars, part, locale }: EngineBars, parts: Map<string, string>) {
  const { gib, decimalSize } = locale;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${part}</th>
        ${bars.map(({ label }) => html`<th scope="col" class="num">${label}, GiB</th>`)}
      </tr>
    </thead>
    <tbody>
      ${[...parts].map(
        ([key, name]) => html`<tr>
          <th scope="row">${name}</th>
          ${bars.map(({ bar }) => {
            const size = bar.segments.find((segment) => segment.key === key)?.bytes;
            return size === undefined
              ? html`<td class="num">–</td>`
              : html`<td class="num" title=${decimalSize(size)}>${gib.text(size)}</td>`;
          })}
        </tr>`,
      )}
    </tbody>
  </table>`;
}

export function engineBars(chart: EngineBars): TemplateResult {
  const parts = partsIn(chart.bars);
  return figure({
    name: 'memory-by-engine',
    ...chart,
    picture: picture(chart),
    under: legend(parts),
    table: table(chart, parts),
  });
}
