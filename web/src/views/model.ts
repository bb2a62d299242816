import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { builtIn } from '../request';
import { hostFor } from '../source';
import { DEFAULT_HUB, DEFAULT_REVISION, fetchKey, hubOf, revisionOf } from '../state';
import type { Actions, View } from './context';
import { errorLine, problemAt, textField } from './field';

// The model box: an id or a URL on one line, a config.json below it. Nothing is fetched by typing;
// Enter or the button asks for it.

const looksLikeJson = (text: string) => text.trimStart().startsWith('{');

/** Enter in any box that says what to fetch, or from where, fetches it. */
const submitted = (actions: Actions) => (event: Event) => {
  event.preventDefault();
  actions.load();
};

/** One line that says what the answer is made from, and what to do when there is nothing yet. */
function source(view: View) {
  const { weights, actions } = view;
  if (!weights) return modelSource(view);
  const leave = html`<button type="button" class="link" @click=${() => actions.useWeights(null)}>
    Leave it out
  </button>`;
  return weights.alone
    ? html`Using ${weights.name}: its header alone was read, in this browser. ${leave}`
    : html`${modelSource(view)} Size of the weights from ${weights.name}. ${leave}`;
}

function modelSource(view: View) {
  const { inputs, catalogue, fetched, loading, loadProblem, actions } = view;
  if (loading) {
    return html`Fetching ${loading}…
      <button type="button" class="link" @click=${actions.cancel}>Stop</button>`;
  }
  if (inputs.use === 'config') {
    const other = inputs.model.trim();
    return html`Using ${inputs.configName || 'the pasted config.json'}; it stays in this browser.
    ${
      other
        ? html`<button type="button" class="link" @click=${() => actions.set({ use: 'id' })}>
          Use ${other}
        </button>`
        : nothing
    }`;
  }
  const back = inputs.config.trim()
    ? html` <button type="button" class="link" @click=${() => actions.set({ use: 'config' })}>
        Use the config.json below
      </button>`
    : nothing;
  if (inputs.model.trim() === '') return html`An id, a URL, or a config.json.${back}`;
  if (builtIn(inputs.model, catalogue)) return html`Built in: answered without network.${back}`;
  if (fetched?.key === fetchKey(inputs)) return html`Fetched from ${fetched.from}.${back}`;
  if (loadProblem) return back;
  return html`Not built in. Press Enter or Load to fetch its config.json from
    <b>${hostFor(inputs)}</b>; nothing is sent before.${back}`;
}

function configBox(view: View) {
  const { inputs, actions } = view;
  const problem = problemAt(view, 'config');
  return html`<details>
    <summary>Paste or choose a config.json</summary>
    <div class="field">
      <label for="config">config.json</label>
      <textarea
        id="config"
        rows="7"
        spellcheck="false"
        autocomplete="off"
        placeholder='{"architectures": ["LlamaForCausalLM"], …}'
        aria-invalid=${problem ? 'true' : nothing}
        aria-describedby=${problem ? 'config-hint config-error' : 'config-hint'}
        .value=${live(inputs.config)}
        @input=${(event: Event) =>
          actions.useConfig((event.target as HTMLTextAreaElement).value, '')}
      ></textarea>
      <p class="hint" id="config-hint">
        Or drop a file anywhere on the page, or
        <label class="file"
          >choose one<input
            type="file"
            accept=".json,application/json,.safetensors,.gguf"
            @change=${(event: Event) => {
              const input = event.target as HTMLInputElement;
              const file = input.files?.[0];
              if (file) actions.readFile(file);
              input.value = '';
            }} /></label
        >. It is read here and sent nowhere. A model.safetensors.index.json, a .safetensors or a
        .gguf file tells the exact size of the weights; only its header is read.
      </p>
      ${errorLine('config', problem)}
    </div>
  </details>`;
}

function whereToFetch(view: View) {
  const { inputs, token, actions } = view;
  const problem = problemAt(view, 'token');
  return html`<details>
    <summary>
      Where to fetch
      <span class="hint"
        >${hubOf(inputs) === DEFAULT_HUB ? '' : hostFor(inputs)}
        ${revisionOf(inputs) === DEFAULT_REVISION ? '' : `@ ${revisionOf(inputs)}`}</span
      >
    </summary>
    <form @submit=${submitted(actions)}>
    ${textField(view, { field: 'revision', label: 'Revision', placeholder: DEFAULT_REVISION, words: true })}
    ${textField(view, { field: 'hub', label: 'Hub address', placeholder: DEFAULT_HUB, words: true })}
    <div class="field">
      <label for="token">Access token <span class="unit">for gated models</span></label>
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
        Keep it in this browser
      </label>
      <p class="hint" id="token-hint">
        Sent to ${token.origin || 'the hub'} only${token.kept ? '.' : ', and forgotten when the page closes.'}
      </p>
      ${errorLine('token', problem)}
    </div>
    </form>
  </details>`;
}

export function modelSection(view: View) {
  const { inputs, catalogue, actions, loading } = view;
  const problem = problemAt(view, 'model');
  return html`<fieldset>
    <legend>Model</legend>
    <form class="field" @submit=${submitted(actions)}>
      <label for="model">Hub id or URL</label>
      <div class="joined">
        <input
          id="model"
          type="text"
          list="models"
          autocomplete="off"
          autocapitalize="off"
          spellcheck="false"
          placeholder="org/name"
          aria-invalid=${problem ? 'true' : nothing}
          aria-describedby=${problem ? 'model-source model-error' : 'model-source'}
          .value=${live(inputs.model)}
          @input=${(event: Event) =>
            actions.set({ model: (event.target as HTMLInputElement).value, use: 'id' })}
          @paste=${(event: ClipboardEvent) => {
            const text = event.clipboardData?.getData('text') ?? '';
            if (!looksLikeJson(text)) return;
            event.preventDefault();
            actions.useConfig(text, '');
          }}
        />
        <button type="submit" ?disabled=${loading !== null}>Load</button>
      </div>
      <datalist id="models">
        ${catalogue.models.map(({ id }) => html`<option value=${id}></option>`)}
      </datalist>
      <p class="hint" id="model-source">${source(view)}</p>
      ${errorLine('model', problem)}
    </form>
    ${configBox(view)} ${whereToFetch(view)}
  </fieldset>`;
}
