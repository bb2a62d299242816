import { html, nothing } from 'lit-html';
import { engineName } from '../../engine-name';
import type { Followed } from '../compare';
import { engines } from '../facts';
import type { AccuracyView } from '../page';
import type { Row } from '../rows';
import { words } from '../words';
import { sourceLink } from './figures';

// Rows that are not compared, and why not.

const PART = 'left-out';

function reasonRow(view: AccuracyView, rows: Row[], reason: string) {
  const told = view.locale.pick(words);
  const of = (engine: string) => rows.filter((row) => row.engine === engine).length;
  return html`<tr data-reason=${reason}>
    <th scope="row">${told.reasons[reason] ?? reason}</th>
    ${engines.map((engine) => html`<td class="num">${of(engine) || nothing}</td>`)}
    <td class="num">${view.locale.whole(rows.length)}</td>
  </tr>`;
}

function checkedText(followed: Followed | undefined, told: ReturnType<typeof wordsOf>) {
  const values = Object.values(followed ?? {});
  if (values.length === 0) return told.notSaid;
  return values.every(Boolean) ? told.agrees : told.differs;
}

const wordsOf = ({ locale }: AccuracyView) => locale.pick(words);

function everyRow(view: AccuracyView, rows: Row[]) {
  const { locale, work } = view;
  const told = wordsOf(view);
  return html`<div class="scroll" tabindex="0" role="group" aria-label=${told.everyLeftOut}>
    <table class="accuracy-left-out">
      <caption class="sr">${told.everyLeftOut}</caption>
      <thead>
        <tr>
          <th scope="col">${told.which}</th>
          <th scope="col">${told.engine}</th>
          <th scope="col">${told.reason}</th>
          <th scope="col">${told.checked}</th>
          <th scope="col">${told.source}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) => html`<tr data-row=${row.id}>
            <th scope="row">
              <span class="accuracy-name">${row.name || row.id}</span>
              <span class="hint accuracy-under">${row.card}</span>
            </th>
            <td>${engineName(row.engine)} ${row.versionTold}</td>
            <td>${told.reasons[row.leftOut ?? ''] ?? row.leftOut}</td>
            <td>${checkedText(work.followed.get(row.id), told)}</td>
            <td class="accuracy-from">${sourceLink(row.source, locale)}<span class="hint accuracy-under">${row.id}</span></td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

export function leftOutSection(view: AccuracyView) {
  const { work, filter, locale, opened, actions } = view;
  const told = wordsOf(view);
  const ofEngine = ({ engine }: Row) => filter.engine === '' || filter.engine === engine;
  const rows = work.rows.filter((row) => row.leftOut !== null);
  const reasons = [...new Set(rows.map(({ leftOut }) => leftOut ?? ''))]
    .map((reason) => ({ reason, list: rows.filter((row) => row.leftOut === reason) }))
    .sort((a, b) => b.list.length - a.list.length);
  return html`<section aria-labelledby="accuracy-left-out">
    <h2 id="accuracy-left-out">${told.leftOut}</h2>
    <p class="prose">${told.leftOutText(locale.whole(rows.length))}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${told.leftOut}>
      <table class="accuracy-reasons">
        <caption class="sr">${told.leftOut}</caption>
        <thead>
          <tr>
            <th scope="col">${told.reason}</th>
            ${engines.map((engine) => html`<th scope="col" class="num">${engineName(engine)}</th>`)}
            <th scope="col" class="num">${told.total}</th>
          </tr>
        </thead>
        <tbody>
          ${reasons.map(({ reason, list }) => reasonRow(view, list, reason))}
        </tbody>
      </table>
    </div>
    <details
      class="accuracy-more"
      @toggle=${(event: Event) => {
        if ((event.target as HTMLDetailsElement).open && !opened.has(PART)) actions.open(PART);
      }}
    >
      <summary>${told.everyLeftOut}</summary>
      ${opened.has(PART) ? everyRow(view, rows.filter(ofEngine)) : nothing}
    </details>
  </section>`;
}
