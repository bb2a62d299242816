import { html, nothing } from 'lit-html';
import { millions, whole } from '../format';
import type { Maybe, Report } from '../types';

// The parameters by part, folded: few readers need them, and they are a long table.

const names: Record<string, string> = {
  embedding: 'Embedding',
  per_layer_embedding: 'Embedding of each layer',
  lm_head: 'Output matrix',
  attention: 'Attention',
  state_mixer: 'State layers',
  dense_ffn: 'Dense feed-forward',
  router: 'Router',
  experts: 'Experts',
  shared_experts: 'Shared experts',
  norms: 'Norms',
  encoder: 'Encoder',
  vision: 'Vision',
  audio: 'Audio',
};

const count = (value: number) => html`<span title=${whole(value)}>${millions(value)}</span>`;

const row = (name: string, total: number, active: Maybe<number>) => html`<tr>
  <th scope="row">${name}</th>
  <td class="num">${count(total)}</td>
  <td class="num">${active === null || active === undefined ? 'apart' : count(active)}</td>
</tr>`;

/** Why a total published elsewhere may be another. */
function besides({ may_also_store: more, stored_parameters: stored }: Report['model']) {
  const parts = [
    more?.tied_lm_head ? `the tied output matrix (${millions(more.tied_lm_head)})` : '',
    more?.quantization_scales ? `scales (${millions(more.quantization_scales)})` : '',
  ].filter(Boolean);
  return html`${stored ? html`<p class="hint">The files hold ${millions(stored)} million elements.</p>` : nothing}
  ${
    parts.length > 0
      ? html`<p class="hint">A published total may count besides: ${parts.join(', ')}.</p>`
      : nothing
  }`;
}

export function partsTable({ model }: Report) {
  const { mtp, ...parts } = model.parameters_by_part ?? {};
  const rows = Object.entries(parts);
  if (rows.length === 0) return nothing;
  return html`<details class="parts">
    <summary>Parameters by part</summary>
    <table class="compare">
      <caption class="sr">Parameters by part, in millions</caption>
      <thead>
        <tr>
          <th scope="col">Millions</th>
          <th scope="col" class="num">Total</th>
          <th scope="col" class="num">Active per token</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(([part, { total, active }]) => row(names[part] ?? part, total, active))}
      </tbody>
      <tfoot>
        ${row('All of these', model.parameters, model.active_parameters)}
        ${mtp ? row('Multi-token prediction', mtp.total, null) : nothing}
      </tfoot>
    </table>
    ${besides(model)}
  </details>`;
}
