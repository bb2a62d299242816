import { html, nothing } from 'lit-html';
import { engineName } from '../../engine-name';
import { otherSummary, summary } from '../aggregate';
import { type Baseline, baselines } from '../baselines';
import type { Start } from '../compare';
import { engines } from '../facts';
import { chosen, isFiltered, othersOf } from '../filter';
import type { AccuracyView } from '../page';
import { type Term, terms } from '../rows';
import { words } from '../words';
import { claimed } from './figures';

// Errors by engine and term, the other two calculators beside them.

/** Enough to judge by; the others are folded. */
const first: Term[] = ['weights', 'kv_pool', 'tokens', 'concurrency'];

function termRow(view: AccuracyView, starts: Start[], term: Term) {
  const { locale, filter } = view;
  const own = summary(starts, term);
  if (own.starts === 0) return nothing;
  const told = locale.pick(words);
  const says = othersOf(starts, term);
  const other = (whose: Baseline) =>
    says.includes(whose) ? claimed(otherSummary(starts, whose, term).median, locale) : nothing;
  return html`<tr ?data-chosen=${term === filter.term} data-term=${term}>
    <th scope="row">${told.terms[term]}</th>
    <td class="num">${locale.whole(own.starts)}</td>
    <td class="num">${claimed(own.median, locale)}</td>
    <td class="num">${claimed(own.nineInTen, locale)}</td>
    <td class="num">${claimed(own.held, locale, 0)}</td>
    ${baselines.map((whose) => html`<td class="num">${other(whose)}</td>`)}
  </tr>`;
}

const body = (view: AccuracyView, shown: readonly Term[]) => (engine: string) => {
  const starts = chosen(view.work.starts, view.filter).filter(({ row }) => row.engine === engine);
  if (!shown.some((term) => summary(starts, term).starts > 0)) return nothing;
  return html`<tbody data-engine=${engine}>
    <tr>
      <th scope="rowgroup" colspan="7" class="accuracy-engine">${engineName(engine)}</th>
    </tr>
    ${shown.map((term) => termRow(view, starts, term))}
  </tbody>`;
};

function table(view: AccuracyView, caption: string, shown: readonly Term[]) {
  const told = view.locale.pick(words);
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${caption}>
    <table class="accuracy-summary">
      <caption class="sr">${caption}</caption>
      <thead>
        <tr>
          <th scope="col">${told.term}</th>
          <th scope="col" class="num">${told.starts}</th>
          <th scope="col" class="num">${told.median}</th>
          <th scope="col" class="num">${told.nine}</th>
          <th scope="col" class="num">${told.held}</th>
          ${baselines.map((whose) => html`<th scope="col" class="num">${told.otherMedian[whose]}</th>`)}
        </tr>
      </thead>
      ${engines.map(body(view, shown))}
    </table>
  </div>`;
}

export function summarySection(view: AccuracyView) {
  const { locale, filter } = view;
  const told = locale.pick(words);
  const rest = terms.filter((term) => !first.includes(term));
  const now = first.includes(filter.term) ? first : [...first, filter.term];
  return html`<section aria-labelledby="accuracy-summary">
    <h2 id="accuracy-summary" tabindex="-1">${told.summary}</h2>
    ${table(view, told.summary, now)}
    <p class="hint">${isFiltered(filter) ? told.summaryFiltered : nothing} ${told.summaryHint}</p>
    <details class="accuracy-more">
      <summary>${rest.map((term) => told.terms[term]).join(', ')}</summary>
      ${table(view, told.summary, rest)}
    </details>
  </section>`;
}
