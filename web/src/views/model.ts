import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { engineName } from '../engine-name';
import { icon } from '../parts';
import { isMoreThanAName } from '../paste';
import { builtIn } from '../request';
import { hostFor } from '../source';
import { DEFAULT_HUB, DEFAULT_REVISION, fetchKey, hubOf, revisionOf } from '../state';
import type { Actions, View } from './context';
import { errorLine, help, problemAt, textField } from './field';

// The model box takes an id, a URL or anything pasted. Nothing is fetched by typing; Enter or the
// button asks for it.

/** Enter in any box that says what to fetch, or from where, fetches it. */
const submitted = (actions: Actions) => (event: Event) => {
  event.preventDefault();
  actions.load();
};

/** One line that says what the answer is made from, and what to do when there is nothing yet. */
function source(view: View) {
  const { weights, actions, locale } = view;
  const told = locale.words.model;
  if (!weights) return modelSource(view);
  const leave = html`<button type="button" class="link" @click=${() => actions.useWeights(null)}>
    ${told.leaveOut}
  </button>`;
  return weights.alone
    ? html`${told.using(weights.name)} ${leave}`
    : html`${modelSource(view)} ${told.weightsFrom(weights.name)} ${leave}`;
}

function modelSource(view: View) {
  const { inputs, catalogue, starting, fetched, loading, loadProblem, actions, locale } = view;
  const told = locale.words.model;
  if (loading) {
    return html`${told.fetching(loading)}
      <button type="button" class="link" @click=${actions.cancel}>${told.stop}</button>`;
  }
  if (inputs.use === 'config') {
    const other = inputs.model.trim();
    return html`${told.usingConfig(inputs.configName)}
    ${
      other
        ? html`<button type="button" class="link" @click=${() => actions.set({ use: 'id' })}>
          ${told.useOther(other)}
        </button>`
        : nothing
    }`;
  }
  const back = inputs.config.trim()
    ? html` <button type="button" class="link" @click=${() => actions.set({ use: 'config' })}>
        ${told.useConfig}
      </button>`
    : nothing;
  if (inputs.model.trim() === '') return html`${told.empty}${back}`;
  // The line keeps its height.
  if (starting) return '\u00a0';
  if (builtIn(inputs.model, catalogue)) return html`${told.builtIn}${back}`;
  if (fetched?.key === fetchKey(inputs)) {
    const notes = fetched.notes.map((note) => html` ${icon('warn')} ${locale.core(note)}`);
    return html`${told.fetched(fetched.from)}${notes}${back}`;
  }
  if (loadProblem) return back;
  const host = hostFor(inputs);
  const url = /^https?:/i.test(inputs.model.trim());
  return html`${url ? told.gotUrl(host) : told.notBuiltIn(host)}${back}`;
}

/** What a paste was taken for, with what the core has to say of it. */
function gotLine({ got, locale }: View) {
  if (!got) return nothing;
  const told = locale.words.model;
  const line = {
    command: told.gotCommand(engineName(got.engine)),
    log: told.gotLog(engineName(got.engine)),
    nothing: told.gotNothing,
  }[got.kind];
  return html`<div class="got" role="status">
    <p>${icon(got.kind === 'nothing' ? 'warn' : 'yes')} <span>${line}</span></p>
    ${
      got.notes.length > 0
        ? html`<ul class="hint">${got.notes.map(({ flag, note }) => html`<li>${flag ? html`<code>${flag}</code>: ` : nothing}${locale.core(note)}</li>`)}</ul>`
        : nothing
    }
  </div>`;
}

function configField(view: View) {
  const { inputs, actions, locale } = view;
  const told = locale.words.model;
  const problem = problemAt(view, 'config');
  return html`<div class="field">
      <label for="config">${locale.words.fields.config}</label>
      <textarea
        id="config"
        rows="7"
        spellcheck="false"
        autocomplete="off"
        placeholder='{"architectures": ["LlamaForCausalLM"], …}'
        aria-invalid=${problem ? 'true' : nothing}
        aria-describedby=${problem ? 'config-hint config-error' : 'config-hint'}
        .value=${live(inputs.config)}
        @paste=${pasted(view)}
        @input=${(event: Event) =>
          actions.useConfig((event.target as HTMLTextAreaElement).value, '')}
      ></textarea>
      <p class="hint" id="config-hint">
        ${told.configHint}
        <label class="file"
          >${told.chooseFile}<input
            type="file"
            accept=".json,application/json,.safetensors,.gguf,.log,.txt,.yaml,.yml,.sh"
            @change=${(event: Event) => {
              const input = event.target as HTMLInputElement;
              const file = input.files?.[0];
              if (file) actions.readFile(file);
              input.value = '';
            }} /></label
        >. ${told.configHintMore}
      </p>
      ${errorLine(view, 'config', problem)}
    </div>`;
}

/** Folded, so it is drawn once there is time for it, or where it holds something. */
function configBox(view: View) {
  return html`<details>
    <summary>${view.locale.words.model.pasteSummary}</summary>
    ${view.settled || view.inputs.config !== '' ? configField(view) : nothing}
  </details>`;
}

function hubForm(view: View) {
  const { token, actions, locale } = view;
  const told = locale.words.model;
  const problem = problemAt(view, 'token');
  return html`<form @submit=${submitted(actions)}>
    ${textField(view, { field: 'revision', placeholder: DEFAULT_REVISION, words: true })}
    ${textField(view, { field: 'hub', placeholder: DEFAULT_HUB, words: true })}
    <div class="field">
      <div class="label">
        <label for="token">${locale.words.otherFields.token} <span class="unit">${told.forGated}</span></label>
        ${help(view, 'token')}
      </div>
      <input
        id="token"
        type="password"
        autocomplete="off"
        spellcheck="false"
        aria-invalid=${problem ? 'true' : nothing}
        aria-describedby=${problem ? 'token-hint token-error' : 'token-hint'}
        .value=${live(token.value)}
        @input=${(event: Event) => actions.setToken((event.target as HTMLInputElement).value)}
      />
      <label class="check">
        <input
          type="checkbox"
          id="keep-token"
          .checked=${live(token.kept)}
          @change=${(event: Event) => actions.keepToken((event.target as HTMLInputElement).checked)}
        />
        ${told.keepToken}
      </label>
      <p class="hint" id="token-hint">${told.tokenHint(token.origin || told.theHub, token.kept)}</p>
      ${errorLine(view, 'token', problem)}
    </div>
    </form>`;
}

function whereToFetch(view: View) {
  const { inputs, locale, settled } = view;
  return html`<details>
    <summary>
      ${locale.words.model.where}
      <span class="hint"
        >${hubOf(inputs) === DEFAULT_HUB ? '' : hostFor(inputs)}
        ${revisionOf(inputs) === DEFAULT_REVISION ? '' : `@ ${revisionOf(inputs)}`}</span
      >
    </summary>
    ${settled ? hubForm(view) : nothing}
  </details>`;
}

/** A quantisation that another part of the page set in place of the checkpoint's own. */
function quantLine(view: View) {
  const told = view.locale.words.model;
  if (view.inputs.quant === '') return nothing;
  return html`<p class="hint" id="quant" tabindex="-1">
    ${told.quant}
    <button type="button" class="link" @click=${() => view.actions.set({ quant: '' })}>${told.quantRemove}</button>
    ${errorLine(view, 'quant', problemAt(view, 'quant'))}
  </p>`;
}

/** One line is typed text and goes into the box; anything longer is looked at as a whole. */
const pasted =
  ({ actions }: View) =>
  (event: ClipboardEvent) => {
    const text = event.clipboardData?.getData('text') ?? '';
    if (!isMoreThanAName(text)) return;
    event.preventDefault();
    actions.useText(text, '');
  };

export function modelSection(view: View) {
  const { inputs, catalogue, actions, loading, locale } = view;
  const told = locale.words.model;
  const problem = problemAt(view, 'model');
  return html`<fieldset>
    <legend>${told.legend}</legend>
    <form class="field" @submit=${submitted(actions)}>
      <div class="label"><label for="model">${told.label}</label> ${help(view, 'model')}</div>
      <div class="joined">
        ${view.models.view({
          id: 'model',
          label: told.list,
          options: catalogue.models.map(({ id }) => {
            const [group = '', name = id] = id.split('/');
            return { value: id, label: name, hint: '', group, search: group };
          }),
          value: inputs.model,
          invalid: problem !== null,
          describedBy: problem ? 'model-source model-error' : 'model-source',
          placeholder: 'org/name',
          free: true,
          paste: pasted(view),
          choose: (model) => actions.set({ model, use: 'id' }),
        })}
        <button type="submit" ?disabled=${loading !== null}>${told.load}</button>
      </div>
      <p class="hint" id="model-source">${source(view)}</p>
      ${gotLine(view)} ${quantLine(view)} ${errorLine(view, 'model', problem)}
    </form>
    ${configBox(view)} ${whereToFetch(view)}
  </fieldset>`;
}
