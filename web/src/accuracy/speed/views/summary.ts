import { html } from 'lit-html';
import type { Locale } from '../../../locale';
import { signed } from '../../views/figures';
import { type FigureName, figures, type Group, placeOf } from '../groups';
import type { SummaryRow } from '../packed';
import type { SpeedView } from '../part';
import { words } from '../words';

// Errors by figure and group, beside two simpler methods and by half.

const error = (value: number | null | undefined, locale: Locale) =>
  value === null || value === undefined
    ? locale.pick(words).few
    : locale.percent(value, value < 0.0995 ? 1 : 0);

function line({ locale }: SpeedView, row: SummaryRow) {
  const own = locale.pick(words);
  const half = (name: 'fit' | 'check') => {
    const of = row.halves[name];
    return html`<td class="num" title=${of ? own.halfRows(locale.whole(of.rows)) : own.few}>${error(of?.median, locale)}</td>`;
  };
  return html`<tr data-group=${row.group}>
    <th scope="row">${own.groups[row.group as Group] ?? row.group}</th>
    <td class="num">${locale.whole(row.rows)}</td>
    <td class="num">${error(row.median, locale)}</td>
    <td class="num">${signed(row.bias, locale)}</td>
    <td class="num">${error(row.p90, locale)}</td>
    <td class="num">${locale.percent(row.held)}</td>
    <td class="num">${error(row.roofline, locale)}</td>
    <td class="num">${error(row.original, locale)}</td>
    ${half('fit')} ${half('check')}
  </tr>`;
}

function body(view: SpeedView, figure: FigureName) {
  const rows = view.speed.summary
    .filter((row) => row.figure === figure)
    .sort((a, b) => placeOf(a.group) - placeOf(b.group));
  return html`<tbody data-figure=${figure}>
    <tr>
      <th scope="rowgroup" colspan="10" class="accuracy-engine">
        ${view.locale.pick(words).figures[figure]}
      </th>
    </tr>
    ${rows.map((row) => line(view, row))}
  </tbody>`;
}

export function summarySection(view: SpeedView) {
  const own = view.locale.pick(words);
  const heads = [
    own.rows,
    own.median,
    own.bias,
    own.nine,
    own.held,
    own.roofline,
    own.original,
    own.fit,
    own.check,
  ];
  return html`<section aria-labelledby="accuracy-summary">
    <h2 id="accuracy-summary" tabindex="-1">${own.summary}</h2>
    <div class="scroll" tabindex="0" role="group" aria-label=${own.summary}>
      <table class="accuracy-summary speed-summary">
        <caption class="sr">${own.summary}</caption>
        <thead>
          <tr>
            <th scope="col">${own.group}</th>
            ${heads.map((text) => html`<th scope="col" class="num">${text}</th>`)}
          </tr>
        </thead>
        ${figures.map((figure) => body(view, figure))}
      </table>
    </div>
    <p class="hint">${own.summaryHint}</p>
  </section>`;
}
