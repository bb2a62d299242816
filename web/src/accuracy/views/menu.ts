import { html, type TemplateResult } from 'lit-html';

// A choice of one among several, under its name.

export const option = (value: string, text: string, now: string) =>
  html`<option value=${value} ?selected=${value === now}>${text}</option>`;

export function menu(
  id: string,
  label: string,
  now: string,
  options: unknown,
  choose: (value: string) => void,
): TemplateResult {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select
      id=${id}
      .value=${now}
      @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${options}
    </select>
  </div>`;
}
