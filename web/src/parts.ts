import { html, nothing } from 'lit-html';
import { basisTitle, decimalSize, gib, range, type Scale } from './format';
import type { Estimate, Maybe } from './types';

// Small templates that every part of the answer uses.

/** A number with its unit; `key` lets a change be marked. The tooltip holds the decimal size. */
export const number = (key: string, text: string, unit: string, title?: string) => html`<span
    class="number"
    title=${title ?? nothing}
    ><span data-n=${key}>${text}</span>${unit ? html` <span class="unit">${unit}</span>` : nothing}</span
  >`;

export const bytes = (key: string, value: number, scale: Scale = gib) =>
  number(key, scale.text(value), scale.unit, decimalSize(value));

export const basis = (estimate: Estimate) =>
  html`<span class="basis" title=${basisTitle(estimate)}>${estimate.basis}</span>`;

/** Best value, its range where there is one, and what stands behind it. */
export function estimated(key: string, estimate: Maybe<Estimate>, scale: Scale, title?: string) {
  if (!estimate) return html`<span class="unknown">not known</span>`;
  const spread = range(estimate, scale);
  return html`${number(key, scale.text(estimate.best), scale.unit, title)}
    <span class="spread"
      >${spread ? html`<span class="range">${spread} ${scale.unit}</span> ` : nothing}${basis(estimate)}</span
    >`;
}

export const estimatedBytes = (key: string, estimate: Maybe<Estimate>, scale: Scale = gib) =>
  estimated(key, estimate, scale, estimate ? decimalSize(estimate.best) : undefined);

const icons = {
  yes: 'M4 12.5 9.5 18 20 6.5',
  no: 'M5 5 19 19 M19 5 5 19',
  warn: 'M12 3 22 20H2Z M12 10v4 M12 17v.5',
  wait: 'M12 4v9l5 3 M12 2a10 10 0 1 0 .01 0',
};

export const icon = (name: keyof typeof icons) => html`<svg
    class="icon"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    aria-hidden="true"
  >
    <path d=${icons[name]}></path>
  </svg>`;
