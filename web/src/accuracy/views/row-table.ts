import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { engineName } from '../../engine-name';
import { type Baseline, baselines } from '../baselines';
import type { Compared, Start } from '../compare';
import { type Order, orders, otherError, othersOf, sorted } from '../filter';
import type { AccuracyView } from '../page';
import { cardsOf } from '../rows';
import { words } from '../words';
import { heldMark, scaleOf, signed, sourceLink, titleOf } from './figures';
import { shownOf } from './filters';

const isBaseline = (order: Order) => (baselines as string[]).includes(order);
const numeric = (order: Order) => order !== 'name' && order !== 'engine';

function heading({ filter, locale, actions }: AccuracyView, order: Order) {
  const told = locale.pick(words);
  const now = filter.order === order;
  // Names begin with A, errors with the worst.
  const falling = now ? !filter.falling : numeric(order);
  const { unit } = scaleOf(filter.term, locale);
  const text = told.columns[order];
  const sized = unit !== '' && (order === 'measured' || order === 'predicted');
  return html`<th
    scope="col"
    class=${numeric(order) ? 'num' : nothing}
    aria-sort=${now ? (filter.falling ? 'descending' : 'ascending') : 'none'}
  >
    <button
      type="button"
      class="link accuracy-sort"
      title=${told.sortBy(text)}
      @click=${() => actions.filter({ order, falling })}
    >
      ${text}${sized ? `, ${unit}` : ''}<span aria-hidden="true">${now ? (filter.falling ? ' ▼' : ' ▲') : ''}</span>
    </button>
  </th>`;
}

function cards({ row, cardName }: Start, locale: AccuracyView['locale']) {
  // llama.cpp's caches and buffers follow from the flags, whatever the card.
  const name = row.engine === 'llamacpp' ? row.card : cardName || row.card;
  if (name === '') return nothing;
  const count = row.request ? cardsOf(row.request) : 1;
  const counted = count > 1 && !/^\d+ ?[x×]/.test(name);
  const text = counted ? `${locale.whole(count)} × ${name}` : name;
  return html`<span
    class="hint accuracy-under"
    title=${row.card || locale.pick(words).cardInferred}
    >${text}</span
  >`;
}

function predicted(one: Compared, { filter, locale }: AccuracyView) {
  const scale = scaleOf(filter.term, locale);
  const spread = locale.range(one, scale);
  return html`<span title=${titleOf(filter.term, one.best, locale)}>${scale.text(one.best)}</span>
    ${spread ? html`<span class="range accuracy-under">${spread}</span>` : nothing}`;
}

function line(view: AccuracyView, start: Start, others: Baseline[]) {
  const { filter, locale, links } = view;
  const told = locale.pick(words);
  const { row, version } = start;
  const one = start.terms[filter.term];
  if (!one) return nothing;
  const scale = scaleOf(filter.term, locale);
  const name = row.name || row.id;
  const link = links.get(row.id);
  const other = (whose: Baseline) => {
    const error = otherError(start, whose, filter.term);
    return error === null ? told.notSaid : signed(error, locale);
  };
  return html`<tr data-row=${row.id}>
    <th scope="row">
      <span class="accuracy-name">${name}</span>
      ${cards(start, locale)}
      <span class="hint accuracy-with">${engineName(row.engine)} ${version}</span>
    </th>
    <td>
      ${engineName(row.engine)} <span title=${row.versionTold ?? told.inferred}>${version}</span>
    </td>
    <td class="num" title=${titleOf(filter.term, one.measured, locale)}>${scale.text(one.measured)}</td>
    <td class="num">${predicted(one, view)}</td>
    <td class="num accuracy-error">${signed(one.error, locale)} ${heldMark(one.held, locale)}</td>
    ${others.map((whose) => html`<td class="num">${other(whose)}</td>`)}
    <td>
      <span class="basis" title=${locale.words.basisTitle[one.basis] ?? nothing}
        >${locale.words.basis[one.basis] ?? one.basis}</span
      >
    </td>
    <td class="accuracy-from">${sourceLink(row.source, locale)}<span class="hint accuracy-under">${row.id}</span></td>
    <td>
      ${
        link
          ? html`<a class="accuracy-open" href=${link} aria-label=${told.openLabel(name)}>${told.open}</a>`
          : nothing
      }
    </td>
  </tr>`;
}

/** The worst come first; who wants more than these wants all. */
const FIRST = 30;
const PART = 'rows';

export function rowSection(view: AccuracyView) {
  const { filter, locale, opened, actions } = view;
  const told = locale.pick(words);
  const starts = sorted(shownOf(view), filter);
  if (starts.length === 0) return nothing;
  const others = othersOf(starts, filter.term);
  const columns = orders.filter(
    (order) => !isBaseline(order) || (others as string[]).includes(order),
  );
  const shown = opened.has(PART) ? starts : starts.slice(0, FIRST);
  const title = `${told.rows}: ${told.terms[filter.term]}`;
  return html`<section aria-labelledby="accuracy-rows">
    <h2 id="accuracy-rows">${title}</h2>
    <div class="scroll" tabindex="0" role="group" aria-label=${title}>
      <table class="accuracy-rows">
        <caption class="sr">${title}</caption>
        <thead>
          <tr>
            ${columns.map((order) => heading(view, order))}
            <th scope="col">${told.basis}</th>
            <th scope="col">${told.source}</th>
            <th scope="col"><span class="sr">${told.open}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            ({ row }) => row.id,
            (start) => line(view, start, others),
          )}
        </tbody>
      </table>
    </div>
    ${
      shown.length < starts.length
        ? html`<div class="buttons">
            <button type="button" id="accuracy-all" @click=${() => actions.open(PART)}>
              ${told.showRows(locale.whole(starts.length))}
            </button>
          </div>`
        : nothing
    }
  </section>`;
}
