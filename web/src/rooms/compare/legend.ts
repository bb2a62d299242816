import { html, nothing } from 'lit-html';
import type { Bar } from '../../bar';
import { swatch } from '../../charts/stack';

// What the patterns of several bars mean. A part may have another name in another engine.

/** The names of each part, in the order in which the bars first have it. */
export function partNames(bars: readonly Bar[]): [string, string][] {
  const names = new Map<string, Set<string>>();
  for (const { key, label } of bars.flatMap(({ segments }) => segments)) {
    names.set(key, (names.get(key) ?? new Set()).add(label));
  }
  return [...names].map(([key, labels]) => [key, [...labels].join(' / ')]);
}

const row = (key: string, name: string) => html`<li>${swatch(key)} <span>${name}</span></li>`;

export const legend = (bars: readonly Bar[], words: { band: string; beyond: string }) =>
  html`<ul class="chart-legend">
    ${partNames(bars).map(([key, name]) => row(key, name))}
    ${bars.some(({ band }) => band) ? row('band', words.band) : nothing}
    ${bars.some(({ missing }) => missing > 0) ? row('missing', words.beyond) : nothing}
  </ul>`;
