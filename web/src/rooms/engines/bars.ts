import { html, svg, type TemplateResult } from 'lit-html';
import type { Bar } from '../../bar';
import { figure } from '../../charts/figure';
import type { Place } from '../../charts/place';
import { claim, edge, partsText, stack, stackPatterns } from '../../charts/stack';
import type { Locale } from '../../locale';
import { legend, partNames } from '../compare/legend';

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
  /** What the hatched part of a pool is called. */
  band: string;
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

function table({ bars, part, locale }: EngineBars) {
  const { gib, decimalSize } = locale;
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${part}</th>
        ${bars.map(({ label }) => html`<th scope="col" class="num">${label}, GiB</th>`)}
      </tr>
    </thead>
    <tbody>
      ${partNames(bars.map(({ bar }) => bar)).map(
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
  const { bars, band, locale } = chart;
  return figure({
    name: 'memory-by-engine',
    ...chart,
    picture: picture(chart),
    under: legend(
      bars.map(({ bar }) => bar),
      { band, beyond: locale.words.memory.beyond },
    ),
    table: table(chart),
  });
}
