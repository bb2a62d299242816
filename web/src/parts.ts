import { html, nothing } from 'lit-html';
import type { Scale } from './format';
import type { Locale } from './locale';
import type { Estimate, Maybe } from './types';

// Small templates that every part of the answer uses.

/** A number with its unit; `key` lets a change be marked. The tooltip holds the decimal size. */
export const number = (key: string, text: string, unit: string, title?: string) => html`<span
    class="number"
    title=${title ?? nothing}
    ><span data-n=${key}>${text}</span>${unit ? html` <span class="unit">${unit}</span>` : nothing}</span
  >`;

export const bytes = (locale: Locale, key: string, value: number, scale: Scale = locale.gib) =>
  number(key, scale.text(value), scale.unit, locale.decimalSize(value));

export function basis({ words }: Locale, { basis: kind, starts }: Estimate) {
  const behind = starts > 0 ? ` (${words.starts(starts)})` : '';
  return html`<span class="basis" data-basis=${kind} title=${`${words.basisTitle[kind] ?? kind}${behind}`}
    >${words.basis[kind] ?? kind}</span
  >`;
}

/** Best value, its range where there is one, and what stands behind it. */
export function estimated(
  locale: Locale,
  key: string,
  estimate: Maybe<Estimate>,
  scale: Scale,
  title?: string,
) {
  if (!estimate) return html`<span class="unknown">${locale.words.verdict.notKnown}</span>`;
  const spread = locale.range(estimate, scale);
  return html`${number(key, scale.text(estimate.best), scale.unit, title)}
    <span class="spread"
      >${spread ? html`<span class="range">${spread} ${scale.unit}</span> ` : nothing}${basis(locale, estimate)}</span
    >`;
}

export const estimatedBytes = (
  locale: Locale,
  key: string,
  estimate: Maybe<Estimate>,
  scale: Scale = locale.gib,
) =>
  estimated(locale, key, estimate, scale, estimate ? locale.decimalSize(estimate.best) : undefined);

const icons = {
  yes: 'M4 12.5 9.5 18 20 6.5',
  no: 'M5 5 19 19 M19 5 5 19',
  mid: 'M4 9c3-4 5 4 8 0s5 4 8 0 M4 17c3-4 5 4 8 0s5 4 8 0',
  warn: 'M12 3 22 20H2Z M12 10v4 M12 17v.5',
  wait: 'M12 4v9l5 3 M12 2a10 10 0 1 0 .01 0',
  close: 'M6 6 18 18 M18 6 6 18',
  down: 'M12 3v13 M6 11l6 6 6-6 M4 21h16',
};

export type IconName = keyof typeof icons;

export const icon = (name: IconName) => html`<svg
    class="icon"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    aria-hidden="true"
  >
    <path d=${icons[name]}></path>
  </svg>`;
