import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { Bar, Segment } from '../bar';
import type { Locale } from '../locale';
import { type Figure, figure } from './figure';
import type { Place } from './place';
import { claim, edge, partsText, share, stack, stackPatterns, swatch } from './stack';
import { layOutStacks, linksOf, partsOf } from './stack-layout';

// The memory of one card of two setups, one above the other on one scale, and what lies between
// them: a line from the end of each part to the end of the same part of the other.

export interface StackBars {
  name: string;
  title: string;
  caption?: string;
  /** The upper and the lower one. */
  setups: readonly [Stacked, Stacked];
  words: { part: string; difference: string };
  under?: Figure['under'];
  place: Place;
  locale: Locale;
}

export interface Stacked {
  /** "A", and what the setup is. */
  label: string;
  setup: string;
  bar: Bar;
}

function link(from: Segment, to: Segment, layout: ReturnType<typeof layOutStacks>) {
  const { end, upper, lower, height } = layout;
  return svg`<line class="stacks-link" x1=${share(from.start + from.bytes, end)} x2=${share(to.start + to.bytes, end)} y1=${upper + height} y2=${lower}></line>`;
}

function picture({ setups, title, locale, place }: StackBars): TemplateResult {
  const [above, below] = setups;
  const layout = layOutStacks(above.bar, below.bar, place.type);
  const { end, upper, lower, height } = layout;
  const one = { end, height, locale, named: true };
  const top = { ...one, bar: above.bar, top: upper };
  const bottom = { ...one, bar: below.bar, top: lower };
  const description = setups
    .map(({ label, setup, bar }) => `${label}, ${setup}: ${partsText(bar, locale)}`)
    .join('. ');
  return html`<svg class="bar stacks" width="100%" height=${layout.whole} role="img" aria-label="${title}. ${description}">
    ${stackPatterns}
    <text class="stacks-label" x="0" y=${layout.labels[0]}>${above.label}</text>
    ${stack(top)} ${claim(top)}
    ${linksOf(above.bar, below.bar).map(([from, to]) => link(from, to, layout))}
    <text class="stacks-label" x="0" y=${layout.labels[1]}>${below.label}</text>
    ${stack(bottom)} ${claim(bottom)} ${edge(top)} ${edge(bottom)}
  </svg>`;
}

function difference(bytes: number, { gib }: Locale): string {
  if (gib.text(Math.abs(bytes)) === gib.text(0)) return '=';
  return `${bytes < 0 ? '−' : '+'}${gib.text(Math.abs(bytes))}`;
}

const size = (part: Segment | undefined, { gib, decimalSize }: Locale) =>
  part
    ? html`<td class="num" title=${decimalSize(part.bytes)}>${gib.text(part.bytes)}</td>`
    : html`<td class="num">–</td>`;

/** The parts of both, with what is between them: legend and table in one. */
export function stackTable({ setups, words, locale }: StackBars): TemplateResult {
  const [above, below] = setups;
  const parts = partsOf(above.bar, below.bar);
  const missing = [above.bar.missing, below.bar.missing];
  const row = (key: string, label: string, from: number, to: number, cells: TemplateResult) =>
    html`<tr>
      <th scope="row"><span class="part">${swatch(key)} <span>${label}</span></span></th>
      ${cells}
      <td class="num">${difference(to - from, locale)}</td>
    </tr>`;
  return html`<table class="stacks-table">
    <thead>
      <tr>
        <th scope="col">${words.part}</th>
        <th scope="col" class="num">${above.label}, GiB</th>
        <th scope="col" class="num">${below.label}, GiB</th>
        <th scope="col" class="num">${words.difference}, GiB</th>
      </tr>
    </thead>
    <tbody>
      ${parts.map(({ key, label, from, to }) =>
        row(
          key,
          label,
          from?.bytes ?? 0,
          to?.bytes ?? 0,
          html`${size(from, locale)}${size(to, locale)}`,
        ),
      )}
      ${
        missing.some((bytes) => bytes > 0)
          ? row(
              'missing',
              locale.words.memory.beyond,
              missing[0] ?? 0,
              missing[1] ?? 0,
              html`${missing.map((bytes) => html`<td class="num">${bytes > 0 ? locale.gib.text(bytes) : '–'}</td>`)}`,
            )
          : nothing
      }
    </tbody>
  </table>`;
}

export const stackBars = (chart: StackBars): TemplateResult =>
  figure({ ...chart, picture: picture(chart), table: stackTable(chart) });
