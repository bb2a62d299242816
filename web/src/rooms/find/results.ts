import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { RecommendAnswer, Recommendation, Report } from 'ridgepoint';
import { layOut } from '../../bar';
import { fitMark } from '../../charts/heat-grid';
import { partsText, stack, stackPatterns } from '../../charts/stack';
import { engineName } from '../../engine-name';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import type { Estimate, Maybe } from '../../types';
import type { View } from '../../views/context';
import { fitOf } from '../map/fits';
import type { FindWords } from './words';

// The setups that carry the load, best first, as cards or as a table of the same.

const BAR = 18;

export interface Results {
  page: View;
  words: FindWords;
  found: RecommendAnswer;
  /** Requests at once that were asked for. */
  load: number;
  /** One of each answer, once they are there. */
  reports: readonly Report[] | null;
  /** How many are shown, and what shows all. */
  most: number;
  showAll(): void;
}

const setupName = ({ count, gpu, engine }: Recommendation) =>
  `${count} × ${gpu.name}, ${engineName(engine.name)} ${engine.version}`;

const standing = (answer: Recommendation, load: number) =>
  fitOf({ serves: true, max_requests: answer.max_requests }, load) === 'ample' ? 'ample' : 'tight';

function money(value: number, { found, page }: Results): string {
  const currency = found.prices?.currency;
  return new Intl.NumberFormat(page.locale.lang, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    ...(currency ? { style: 'currency', currency, currencyDisplay: 'narrowSymbol' } : {}),
  }).format(value);
}

const price = (answer: Recommendation, results: Results) =>
  answer.price_per_hour === null
    ? results.words.noPrice
    : results.words.hourly(money(answer.price_per_hour, results));

function time(value: Maybe<Estimate>, locale: Locale): { text: string; range: string } | null {
  if (!value) return null;
  const scale = locale.timeScale(value.best);
  const spread = locale.range(value, scale);
  return {
    text: `${scale.text(value.best)} ${scale.unit}`,
    range: spread ? `${spread} ${scale.unit}` : '',
  };
}

function requests({ max_requests: fits }: Recommendation, locale: Locale) {
  const scale = locale.plain('', 0);
  return { text: locale.whole(fits.best), range: locale.range(fits, scale) };
}

const figureOf = (
  name: string,
  value: { text: string; range: string } | null,
  unknown: string,
) => html`<div>
    <dt>${name}</dt>
    <dd>
      ${value ? value.text : html`<span class="unknown">${unknown}</span>`}
      ${value?.range ? html`<span class="range">${value.range}</span>` : nothing}
    </dd>
  </div>`;

/** The memory of one of its cards, all cards on one scale. */
function bar(answer: Recommendation, report: Report, end: number, { page, words }: Results) {
  const { locale } = page;
  const laid = layOut(report, null, page.locale.words);
  return svg`<svg class="bar find-bar" height=${BAR + 2} role="img" aria-label=${words.memory(answer.gpu.name, partsText(laid, locale))}>
    ${stack({ bar: laid, end, top: 1, height: BAR, locale, named: false })}
  </svg>`;
}

const flags = (args: Recommendation['args']) =>
  Object.entries(args)
    .map(([name, value]) => {
      if (value === true) return `--${name}`;
      return `--${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
    })
    .join(' ');

const useButton = (answer: Recommendation, { page, words }: Results) => html`<button
    type="button"
    aria-label=${words.useSetup(setupName(answer))}
    @click=${() => page.actions.apply({ ...answer.request, measured: {} }, setupName(answer))}
  >
    ${words.use}
  </button>`;

function format(answer: Recommendation, { page, words }: Results) {
  const cache = answer.kv_format === 'auto' ? '' : ` · ${words.cache(answer.kv_format)}`;
  return html`${words.weights}: ${page.locale.core(answer.weight_title)}${cache}`;
}

function card(answer: Recommendation, index: number, end: number, results: Results) {
  const { page, words, load, reports } = results;
  const { locale } = page;
  const fit = standing(answer, load);
  const report = reports?.[index];
  const set = flags(answer.args);
  return html`<li class="find-card">
    <div class="find-head">
      <h4>
        <span class="find-place">${locale.whole(index + 1)}</span> ${answer.count} × ${answer.gpu.name}
      </h4>
      <p class="hint">
        ${engineName(answer.engine.name)} ${answer.engine.version} · ${format(answer, results)}
      </p>
      <p class="find-word">
        ${fitMark(fit)}
        <span><b>${words.fits[fit]}</b> <span class="find-spare">${words.spare(locale.whole(answer.headroom_requests))}</span></span>
      </p>
    </div>
    <dl class="find-figures">
      ${figureOf(words.requests, requests(answer, locale), words.notKnown)}
      ${figureOf(words.price, { text: price(answer, results), range: '' }, words.noPrice)}
      ${figureOf(words.firstToken, time(answer.speed?.ttft_s, locale), words.notKnown)}
      ${figureOf(words.perToken, time(answer.speed?.tpot_s, locale), words.notKnown)}
    </dl>
    <div class="find-memory">${report ? bar(answer, report, end, results) : nothing}</div>
    <div class="find-why">
      <p>${locale.core(answer.reason)}</p>
      <p><b>${words.breaksFirst}:</b> ${locale.core(answer.breaks_first)}</p>
      ${set ? html`<p><b>${words.flags}:</b> <code>${set}</code></p>` : nothing}
    </div>
    <div class="find-use">${useButton(answer, results)}</div>
  </li>`;
}

function cards(results: Results) {
  const { found, reports, page, most } = results;
  const end = Math.max(
    ...(reports ?? []).map((report) => layOut(report, null, page.locale.words).end),
    1,
  );
  return html`<svg class="sr" aria-hidden="true">${stackPatterns}</svg>
  <ol class="find-list">
    ${found.answers.slice(0, most).map((answer, index) => card(answer, index, end, results))}
  </ol>`;
}

function table(results: Results) {
  const { found, words, page, load, most } = results;
  const { locale } = page;
  const row = (answer: Recommendation, index: number) => {
    const fits = requests(answer, locale);
    const cell = (value: { text: string; range: string } | null) =>
      html`<td class="num">
        ${value?.text ?? words.notKnown}${value?.range ? html`<span class="range find-under">${value.range}</span>` : nothing}
      </td>`;
    return html`<tr>
      <th scope="row"><span class="unit">${locale.whole(index + 1)}.</span> ${answer.count} × ${answer.gpu.name}<span class="hint find-under">${words.fits[standing(answer, load)]}</span></th>
      <td>${engineName(answer.engine.name)} ${answer.engine.version}<span class="hint find-under">${format(answer, results)}</span></td>
      ${cell(fits)}
      <td class="num">${locale.whole(answer.headroom_requests)}</td>
      <td class="num">${price(answer, results)}</td>
      ${cell(time(answer.speed?.ttft_s, locale))} ${cell(time(answer.speed?.tpot_s, locale))}
      <td>${useButton(answer, results)}</td>
    </tr>`;
  };
  return html`<div class="scroll" role="group" tabindex="0" aria-label=${words.title}>
    <table class="find-table">
      <thead>
        <tr>
          <th scope="col">${words.setup}</th>
          <th scope="col">${words.engine}</th>
          <th scope="col" class="num">${words.requests}</th>
          <th scope="col" class="num">${words.spareHead}</th>
          <th scope="col" class="num">${words.price}</th>
          <th scope="col" class="num">${words.firstToken}</th>
          <th scope="col" class="num">${words.perToken}</th>
          <th scope="col"><span class="sr">${words.use}</span></th>
        </tr>
      </thead>
      <tbody>
        ${found.answers.slice(0, most).map(row)}
      </tbody>
    </table>
  </div>`;
}

/** Cards that were not searched, or carry nothing, by reason. */
export function leftOut({ found, words, page }: Results) {
  const list = (found.left_out ?? []) as { engine: string; reason: string; cards: number }[];
  if (list.length === 0) return nothing;
  const { locale } = page;
  const total = list.reduce((sum, { cards: count }) => sum + count, 0);
  return html`<details class="find-left">
    <summary>${words.leftOut(cardsOf(total, locale))}</summary>
    <ul class="prose">
      ${list.map(
        ({ engine, reason, cards: count }) =>
          html`<li>${engineName(engine)}: ${cardsOf(count, locale)}. ${locale.core(reason)}</li>`,
      )}
    </ul>
  </details>`;
}

export const cardsOf = (count: number, locale: Locale) =>
  locale.pick({
    en: `${locale.whole(count)} ${locale.plural(count, { one: 'card', other: 'cards' })}`,
    ru: `${locale.whole(count)} ${locale.plural(count, { one: 'карта', few: 'карты', many: 'карт', other: 'карты' })}`,
    zh: `${locale.whole(count)} 种显卡`,
  });

export function results(options: Results, asTable: boolean): TemplateResult {
  const { found, words, page, most, showAll } = options;
  const carriers = (found.searched as { carriers?: number }).carriers ?? found.answers.length;
  const { prices } = found;
  const { whole } = page.locale;
  return html`<p class="hint">
      ${words.shown(whole(Math.min(most, found.answers.length)), whole(carriers))}
    </p>
    ${asTable ? table(options) : cards(options)}
    ${
      found.answers.length > most
        ? html`<p class="buttons"><button type="button" @click=${showAll}>${words.more(whole(found.answers.length - most))}</button></p>`
        : nothing
    }
    ${leftOut(options)}
    ${
      prices?.date
        ? html`<p class="hint find-prices">${words.prices(prices.source, prices.date)}</p>`
        : nothing
    }`;
}

export interface Ease {
  label: string;
  apply(): void;
}

/** Nothing carries the load: what comes closest, and what to allow. */
export const empty = (options: Results, ways: Ease[]) => html`<div class="find-empty">
    <p class="find-word">
      ${icon('no')} <span>${options.page.locale.core(options.found.none?.text ?? '')}</span>
    </p>
    <p class="buttons">
      ${ways.map(({ label, apply }) => html`<button type="button" @click=${apply}>${label}</button>`)}
    </p>
    ${leftOut(options)}
  </div>`;
