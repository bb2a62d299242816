import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { repeat } from 'lit-html/directives/repeat.js';
import { flagField } from '../fields';
import type { Locale } from '../locale';
import { flagsOf } from '../state';
import type { Flag } from '../types';
import type { View } from './context';
import { errorLine, help, problemAt } from './field';

// The chosen engine's own flags. The first of those the estimate follows have a box each, in the order
// of the engine's table, which puts first what is turned most; any other is added by name.

/** The model is in its own box; llama.cpp's `model` names the file, and so the quantisation. */
const elsewhere = new Set(['vllm model', 'sglang model-path']);

const BOXES = 20;

const spoken = ({ words }: Locale, value: string) =>
  value === 'true' ? words.engine.on : value === 'false' ? words.engine.off : value;

function control(view: View, name: string, flag: Flag | undefined) {
  const id = flagField(name);
  const value = flagsOf(view.inputs)[name] ?? '';
  const problem = problemAt(view, id);
  const described = [flag?.help ? `${id}-help` : '', problem ? `${id}-error` : ''].join(' ').trim();
  const change = (event: Event) =>
    view.actions.setFlag(name, (event.target as HTMLInputElement | HTMLSelectElement).value);
  const choices = flag?.type === 'boolean' ? ['true', 'false'] : [...(flag?.choices ?? [])];
  const told = view.locale.words.engine;
  const fallback = spoken(view.locale, flag?.default || told.notSet);
  // A value from a link that is none of the choices must be seen to be corrected.
  if (choices.length > 0 && value !== '' && !choices.includes(value)) choices.push(value);
  if (choices.length > 0) {
    return html`<select
      id=${id}
      aria-invalid=${problem ? 'true' : nothing}
      aria-describedby=${described || nothing}
      .value=${live(value)}
      @change=${change}
    >
      <option value="" ?selected=${value === ''}>${told.default(fallback)}</option>
      ${choices.map(
        (choice) => html`<option value=${choice} ?selected=${choice === value}>
          ${flag?.type === 'boolean' ? spoken(view.locale, choice) : choice}
        </option>`,
      )}
    </select>`;
  }
  return html`<input
    id=${id}
    type="text"
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    placeholder=${fallback}
    aria-invalid=${problem ? 'true' : nothing}
    aria-describedby=${described || nothing}
    .value=${live(value)}
    @input=${change}
  />`;
}

function row(view: View, name: string, flag: Flag | undefined, removable: boolean) {
  const id = flagField(name);
  const set = name in flagsOf(view.inputs);
  const told = view.locale.words.engine;
  return html`<div class="field flag" ?data-set=${set}>
    <label for=${id}>--${name}</label>
    ${control(view, name, flag)}
    ${
      removable
        ? html`<button
          type="button"
          class="link"
          aria-label=${told.removeFlag(name)}
          @click=${() => view.actions.setFlag(name, null)}
        >
          ${told.remove}
        </button>`
        : nothing
    }
    ${
      flag?.help
        ? html`<p class="hint" id="${id}-help">
          ${view.locale.core(flag.help)}${flag.effect === 'no_effect' ? ` ${told.noEffect}` : ''}
        </p>`
        : nothing
    }
    ${errorLine(view, id, problemAt(view, id))}
  </div>`;
}

function addForm(view: View, others: Flag[]) {
  const problem = problemAt(view, 'flag-name');
  const told = view.locale.words.engine;
  const submit = (event: Event) => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const data = new FormData(form);
    const name = String(data.get('name') ?? '').trim();
    if (name === '') return;
    view.actions.addFlag(name, String(data.get('value') ?? '').trim());
    form.reset();
  };
  return html`<form class="field" @submit=${submit}>
    <div class="row halves">
      <div>
        <label for="flag-name">${told.another}</label>
        <input
          id="flag-name"
          name="name"
          type="text"
          list="flag-names"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder=${told.itsName}
        />
      </div>
      <div>
        <label for="flag-value">${told.value}</label>
        <div class="joined">
          <input
            id="flag-value"
            name="value"
            type="text"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            placeholder=${told.on}
          />
          <button type="submit">${told.add}</button>
        </div>
      </div>
    </div>
    <datalist id="flag-names">
      ${others.map(({ name }) => html`<option value=${name}></option>`)}
    </datalist>
    ${errorLine(view, 'flag-name', problem)}
  </form>`;
}

/** All that can be set, which is drawn once there is time for what is folded away. */
function flagBoxes(view: View, known: Flag[], used: Flag[], added: string[]) {
  const { inputs } = view;
  const shown = new Set(used.map(({ name }) => name));
  return html`${help(view, 'flags')}
    ${repeat(
      added,
      (name) => name,
      (name) =>
        row(
          view,
          name,
          known.find((flag) => flag.name === name),
          true,
        ),
    )}
    ${addForm(
      view,
      known.filter(({ name }) => !shown.has(name)),
    )}
    ${repeat(
      used,
      ({ name }) => `${inputs.engine} ${name}`,
      (flag) => row(view, flag.name, flag, false),
    )}`;
}

export function flagSection(view: View) {
  const { inputs, catalogue, locale } = view;
  const told = locale.words.engine;
  const all = catalogue.engines.find(({ name }) => name === inputs.engine)?.flags ?? [];
  const known = all.filter(({ name }) => !elsewhere.has(`${inputs.engine} ${name}`));
  const used = known.filter(({ effect }) => effect === 'used').slice(0, BOXES);
  const shown = new Set(used.map(({ name }) => name));
  const set = flagsOf(inputs);
  const added = Object.keys(set).filter((name) => !shown.has(name));
  const given = Object.entries(set).filter(([name, value]) => value !== '' || !shown.has(name));
  return html`<details id="flags">
    <summary>
      ${told.flags}
      <span class="hint">${given.length > 0 ? told.flagsSet(given.length) : told.flagsNone}</span>
    </summary>
    ${
      given.length > 0
        ? html`<p class="hint set-flags">
          ${given.map(([name, value]) => html`<code>--${name} ${value}</code> `)}
        </p>`
        : nothing
    }
    ${view.settled ? flagBoxes(view, known, used, added) : nothing}
  </details>`;
}
