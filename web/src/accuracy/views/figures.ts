import { html, nothing } from 'lit-html';
import type { Scale } from '../../format';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import type { AccuracyView } from '../page';
import { sizes, type Term } from '../rows';
import { words } from '../words';

// Numbers of this page.

const isSize = (term: Term) => (sizes as readonly string[]).includes(term);

/** Sizes in GiB, whatever their size, so that one column has one unit. */
export const scaleOf = (term: Term, locale: Locale): Scale =>
  isSize(term)
    ? { unit: locale.gib.unit, text: (bytes) => locale.fixed(bytes / 2 ** 30, 2) }
    : locale.plain('', term === 'concurrency' ? 2 : 0);

/** GB beside GiB, for the tooltip. */
export const titleOf = (term: Term, value: number, locale: Locale) =>
  isSize(term) ? locale.decimalSize(value) : nothing;

/** Two digits tell 0.02 % from 0.2 %; of large errors they say nothing. */
export const share = (value: number, locale: Locale) =>
  locale.percent(value, Math.abs(value) < 0.0995 ? 2 : Math.abs(value) < 9.995 ? 1 : 0);

export const signed = (error: number, locale: Locale) => {
  const text = share(Math.abs(error), locale);
  if (Math.abs(error) < 0.00005) return text;
  return `${error > 0 ? '+' : '−'}${text}`;
};

/** A share of at least ten starts, else that they are too few. */
export const claimed = (value: number | null, locale: Locale, digits?: number) =>
  value === null
    ? html`<span class="accuracy-few">${locale.pick(words).tooFew}</span>`
    : digits === undefined
      ? share(value, locale)
      : locale.percent(value, digits);

const sourceText = (source: string): string => {
  const issue = /^https:\/\/github\.com\/([^/]+\/[^/]+)\/(?:issues|pull)\/(\d+)/.exec(source);
  if (issue) return `${issue[1]}#${issue[2]}`;
  const file = /^https:\/\/github\.com\/([^/]+\/[^/]+)/.exec(source);
  return file?.[1] ?? new URL(source).hostname.replace(/^www\./, '');
};

export function sourceLink(source: string, locale: Locale) {
  const told = locale.pick(words);
  if (!source.startsWith('https://')) {
    return html`<span class="hint" title=${told.copyOf}>${told.noAddress}</span>`;
  }
  return html`<a class="accuracy-source" href=${source} title=${source} rel="noreferrer">${sourceText(source)}</a>`;
}

export function heldMark(held: boolean, locale: Locale) {
  const told = locale.pick(words);
  const text = held ? told.inside : told.outside;
  return html`<span class="accuracy-held" data-held=${held ? 'yes' : 'no'} title=${text}
    >${icon(held ? 'yes' : 'no')}<span class="sr">${text}</span></span
  >`;
}

export function progress({ work, working, locale }: AccuracyView) {
  const told = locale.pick(words);
  const all = work.rows.length;
  const { whole } = locale;
  return html`<div class="accuracy-progress">
    ${
      working
        ? html`<label for="accuracy-done">${told.working(whole(work.done), whole(all))}</label>
            <progress id="accuracy-done" max=${all} value=${work.done}></progress>`
        : html`<p id="accuracy-ready">${told.worked(whole(work.starts.length), whole(all))}</p>`
    }
    ${
      work.failed.length > 0
        ? html`<p role="alert">
            <b>${told.failed(whole(work.failed.length))}</b> ${locale.core(work.failure)}
          </p>`
        : nothing
    }
  </div>`;
}
