import { html, nothing } from 'lit-html';
import type { Locale } from '../../locale';
import type { Maybe, Report } from '../../types';
import { belowWords } from './words';

// The parameters by part, folded: few readers need them, and they are a long table.

const count = ({ whole, millions }: Locale, value: number) =>
  html`<span title=${whole(value)}>${millions(value)}</span>`;

const row = (locale: Locale, name: string, total: number, active: Maybe<number>) => html`<tr>
  <th scope="row">${name}</th>
  <td class="num">${count(locale, total)}</td>
  <td class="num">${active === null || active === undefined ? belowWords(locale).parts.apart : count(locale, active)}</td>
</tr>`;

/** Why a total published elsewhere may be another. */
function besides(
  locale: Locale,
  { may_also_store: more, stored_parameters: stored }: Report['model'],
) {
  const { millions } = locale;
  const told = belowWords(locale).parts;
  const parts = [
    more?.tied_lm_head ? told.tied(millions(more.tied_lm_head)) : '',
    more?.quantization_scales ? told.scales(millions(more.quantization_scales)) : '',
  ].filter(Boolean);
  return html`${stored ? html`<p class="hint">${told.stored(millions(stored))}</p>` : nothing}
  ${parts.length > 0 ? html`<p class="hint">${told.besides(parts.join(', '))}</p>` : nothing}`;
}

export function partsTable(locale: Locale, { model }: Report) {
  const { mtp, ...parts } = model.parameters_by_part ?? {};
  const told = belowWords(locale).parts;
  const rows = Object.entries(parts);
  if (rows.length === 0) return nothing;
  return html`<details class="parts">
    <summary>${told.title}</summary>
    <table class="compare">
      <caption class="sr">${told.caption}</caption>
      <thead>
        <tr>
          <th scope="col">${told.millions}</th>
          <th scope="col" class="num">${told.total}</th>
          <th scope="col" class="num">${told.active}</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(([part, { total, active }]) => row(locale, told.names[part] ?? part, total, active))}
      </tbody>
      <tfoot>
        ${row(locale, told.all, model.parameters, model.active_parameters)}
        ${mtp ? row(locale, told.mtp, mtp.total, null) : nothing}
      </tfoot>
    </table>
    ${besides(locale, model)}
  </details>`;
}
