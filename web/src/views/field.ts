import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { fieldOf, labelOf } from '../fields';
import { helpLinks } from '../help';
import { icon } from '../parts';
import type { Inputs } from '../state';
import type { Problem } from '../types';
import { problemOf, type View } from './context';

/** The problem with this input, if it is the one that is wrong. */
export function problemAt(view: View, field: string): Problem | null {
  const problem = problemOf(view);
  return problem && fieldOf(problem.path, view.inputs.use === 'config') === field ? problem : null;
}

export const errorLine = ({ locale }: View, field: string, problem: Problem | null) =>
  problem
    ? html`<p class="error" id="${field}-error">
        ${icon('warn')}<span
          >${locale.core(problem.message)}${
            problem.path.startsWith('model.config.')
              ? html` <code>${problem.path.slice('model.config.'.length)}</code>`
              : nothing
          }</span
        >
      </p>`
    : nothing;

/** One sentence on a field and where to read on, folded behind a question mark or a title. */
export function help(
  { locale: { words }, settled }: Pick<View, 'locale' | 'settled'>,
  field: string,
  title = '',
): TemplateResult | typeof nothing {
  const text = words.help[field];
  if (!text) return nothing;
  const link = helpLinks[field];
  const label = words.fields[field] ?? words.otherFields[field] ?? words.engine.flags;
  return html`<details class="help">
    <summary aria-label=${title ? nothing : words.helpAbout(label)}>${title || '?'}</summary>
    ${
      settled
        ? html`<p class="hint">
          ${text}
          ${link ? html`<a href=${link} target="_blank" rel="noopener">${words.help.more}</a>` : nothing}
        </p>`
        : nothing
    }
  </details>`;
}

interface TextField {
  field: keyof Inputs & string;
  label?: string;
  unit?: string;
  placeholder?: string;
  hint?: string | TemplateResult;
  suggestions?: string[];
  /** Letters, not figures. */
  words?: boolean;
  /** The error is told elsewhere, for a box too narrow to hold it. */
  bare?: boolean;
}

/** A labelled text box bound to one input. Numbers are text too: a browser empties a bad number. */
export function textField(view: View, settings: TextField): TemplateResult {
  const {
    field,
    label = labelOf(field, view.locale.words),
    unit,
    placeholder,
    hint,
    suggestions,
    words,
    bare,
  } = settings;
  const problem = problemAt(view, field);
  const described = [hint ? `${field}-hint` : '', problem ? `${field}-error` : ''].join(' ').trim();
  return html`<div class="field">
    <div class="label">
      <label for=${field}>${label}${unit ? html` <span class="unit">${unit}</span>` : nothing}</label>
      ${help(view, field)}
    </div>
    <input
      id=${field}
      type="text"
      inputmode=${words ? 'text' : 'decimal'}
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      placeholder=${placeholder ?? nothing}
      list=${suggestions ? `${field}-list` : nothing}
      aria-invalid=${problem ? 'true' : nothing}
      aria-describedby=${described || nothing}
      .value=${live(String(view.inputs[field]))}
      @input=${(event: Event) =>
        view.actions.set({ [field]: (event.target as HTMLInputElement).value })}
    />
    ${
      suggestions && view.settled
        ? html`<datalist id="${field}-list">
          ${suggestions.map((value) => html`<option value=${value}></option>`)}
        </datalist>`
        : nothing
    }
    ${hint ? html`<p class="hint" id="${field}-hint">${hint}</p>` : nothing}
    ${bare ? nothing : errorLine(view, field, problem)}
  </div>`;
}

/** Boxes side by side, and below them in full width what is wrong with any of them. */
export function fieldRow(view: View, kind: string, fields: TextField[]): TemplateResult {
  return html`<div class="row ${kind}">
      ${fields.map((field) => textField(view, { ...field, bare: true }))}
    </div>
    ${fields.map(({ field }) => errorLine(view, field, problemAt(view, field)))}`;
}
