import { html, nothing } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import { engineName } from '../../../engine-name';
import { heldMark, signed, sourceLink } from '../../views/figures';
import { errorOf, orders, type SpeedOrder } from '../filter';
import { addressOf, calculatorLink } from '../link';
import type { Point } from '../packed';
import { PAGE, type SpeedView } from '../part';
import { words } from '../words';
import { cardsOf, loadOf, scaleOf } from './figures';

const numeric = (order: SpeedOrder) => order !== 'setup' && order !== 'load';

function heading({ filter, locale, choose }: SpeedView, order: SpeedOrder) {
  const own = locale.pick(words);
  const now = filter.order === order;
  const falling = now ? !filter.falling : numeric(order);
  const text = own.columns[order];
  const sized = order === 'measured' || order === 'predicted';
  return html`<th
    scope="col"
    class=${numeric(order) ? 'num' : nothing}
    aria-sort=${now ? (filter.falling ? 'descending' : 'ascending') : 'none'}
  >
    <button
      type="button"
      class="link accuracy-sort"
      title=${own.sortBy(text)}
      @click=${() => choose({ order, falling })}
    >
      ${text}${sized ? `, ${scaleOf(filter.figure, locale).unit}` : ''}<span aria-hidden="true">${now ? (filter.falling ? ' ▼' : ' ▲') : ''}</span>
    </button>
  </th>`;
}

function source({ source: text }: Point, { locale }: SpeedView) {
  const address = addressOf(text);
  return html`${address ? sourceLink(address, locale) : nothing}<span class="hint accuracy-under"
      >${address && text.startsWith('github:') ? text.replace(/^github:\S+\s*/, '') : text}</span
    >`;
}

function line(view: SpeedView, point: Point) {
  const { locale, filter } = view;
  const own = locale.pick(words);
  const scale = scaleOf(filter.figure, locale);
  const load = loadOf(point, locale);
  const engine = `${engineName(point.engine)} ${point.version}`.trim();
  const link = calculatorLink(point);
  return html`<tr>
    <th scope="row">
      <span class="accuracy-name">${point.model}</span>
      <span class="hint accuracy-under">${cardsOf(point, locale)}</span>
      <span class="hint accuracy-under">${engine}</span>
      <span class="hint accuracy-with">${load}</span>
    </th>
    <td>${load}</td>
    <td class="num">${scale.text(point.measured)}</td>
    <td class="num">
      ${scale.text(point.predicted)}
      <span class="range accuracy-under">${locale.range(point, scale)}</span>
    </td>
    <td class="num accuracy-error">${signed(errorOf(point), locale)} ${heldMark(point.held, locale)}</td>
    <td class="accuracy-from">${source(point, view)}</td>
    <td>
      ${
        link
          ? html`<a
              class="accuracy-open"
              href=${link}
              aria-label=${own.openLabel(`${point.model}, ${cardsOf(point, locale)}, ${load}`)}
              >${own.open}</a
            >`
          : nothing
      }
    </td>
  </tr>`;
}

export function rowSection(view: SpeedView) {
  const { locale, filter, sorted, shown, more } = view;
  if (sorted.length === 0) return nothing;
  const own = locale.pick(words);
  const title = `${own.list}: ${own.figures[filter.figure]}`;
  const rest = sorted.length - shown;
  return html`<section aria-labelledby="speed-rows">
    <h2 id="speed-rows">${title}</h2>
    <p class="hint">${own.openHint}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${title}>
      <table class="accuracy-rows speed-rows">
        <caption class="sr">${title}</caption>
        <thead>
          <tr>
            ${orders.map((order) => heading(view, order))}
            <th scope="col">${own.source}</th>
            <th scope="col"><span class="sr">${own.open}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            sorted.slice(0, shown),
            ({ id }) => id,
            (point) => line(view, point),
          )}
        </tbody>
      </table>
    </div>
    ${
      rest > 0
        ? html`<div class="buttons">
            <button type="button" id="speed-more" @click=${more}>
              ${own.more(locale.whole(Math.min(PAGE, rest)))}
            </button>
          </div>`
        : nothing
    }
  </section>`;
}
