import { html, noChange, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { Option } from '../combobox';
import { engineName } from '../engine-name';
import type { Locale } from '../locale';
import { count } from '../numbers';
import { CUSTOM_GPU } from '../state';
import type { Catalogue } from '../types';
import { termWords } from '../words/en';
import type { View } from './context';
import { errorLine, fieldRow, help, problemAt, textField } from './field';
import { flagSection } from './flags';

// Card, engine and workload.

const makers: Record<string, string> = {
  nvidia: 'NVIDIA',
  amd: 'AMD',
  intel: 'Intel',
  apple: 'Apple',
  google: 'Google',
  aws: 'AWS',
};
export const makerName = (vendor: string) => makers[vendor.toLowerCase()] ?? vendor;

/** Some hundred and fifty cards, made once for a language. */
const listed = new WeakMap<Locale, { catalogue: Catalogue; options: Option[] }>();

function cardOptions(catalogue: Catalogue, locale: Locale): Option[] {
  const known = listed.get(locale);
  if (known?.catalogue === catalogue) return known.options;
  const options = listCards(catalogue, locale);
  listed.set(locale, { catalogue, options });
  return options;
}

function listCards(catalogue: Catalogue, { words, size }: Locale): Option[] {
  const options = catalogue.gpus.map((gpu) => ({
    value: gpu.id,
    label: gpu.name,
    // Written when the list is opened: the first number a browser writes takes long.
    get hint() {
      return size(gpu.total_bytes);
    },
    group: makerName(gpu.vendor),
    search: `${gpu.vendor} ${gpu.aliases.join(' ')}`,
  }));
  const order = [...new Set(options.map(({ group }) => group))];
  options.sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
  const custom: Option = {
    value: CUSTOM_GPU,
    label: words.card.custom,
    hint: words.card.customHint,
    group: words.card.other,
    search: 'custom own other',
  };
  return [...options, custom];
}

/** What a length was read as, where that is not what was typed: "32K" is 32,768. */
function readAs({ words }: Locale, text: string) {
  const value = count(text);
  return typeof value === 'number' && /[kKmM]\s*$/.test(text)
    ? words.load.readAs(value)
    : undefined;
}

export function cardSection(view: View) {
  const { inputs, locale } = view;
  const { words } = locale;
  const problem = problemAt(view, 'gpu');
  const custom = inputs.gpu === CUSTOM_GPU;
  const more = inputs.free !== '' || (!custom && inputs.gpuTotal !== '');
  return html`<fieldset>
    <legend>${words.card.legend}</legend>
    <div class="row wide-narrow">
      <div class="field">
        <div class="label"><label for="gpu">${words.fields.gpu}</label> ${help(view, 'gpu')}</div>
        ${view.cards.view({
          id: 'gpu',
          label: words.card.cards,
          options: cardOptions(view.catalogue, locale),
          value: inputs.gpu,
          invalid: problem !== null,
          describedBy: problem ? 'gpu-error' : '',
          none: words.card.none,
          choose: (gpu) => view.actions.set({ gpu, gpuTotal: '' }),
        })}
      </div>
      ${textField(view, {
        field: 'count',
        suggestions: ['1', '2', '4', '8', '16'],
        bare: true,
      })}
    </div>
    ${errorLine(view, 'gpu', problem)} ${errorLine(view, 'count', problemAt(view, 'count'))}
    ${
      custom
        ? fieldRow(view, 'thirds', [
            { field: 'gpuTotal', unit: 'GiB' },
            { field: 'gpuBandwidth', unit: 'GB/s' },
            { field: 'gpuFlops', unit: 'TFLOP/s' },
          ])
        : nothing
    }
    <details ?open=${more}>
      <summary>
        ${words.card.more} <span class="hint">${inputs.free || inputs.gpuTotal || words.card.known}</span>
      </summary>
      ${
        view.settled || more
          ? html`${textField(view, { field: 'free', unit: 'GiB', placeholder: words.card.nearlyAll })}
            ${custom ? nothing : textField(view, { field: 'gpuTotal', unit: 'GiB', placeholder: words.card.known })}`
          : nothing
      }
    </details>
  </fieldset>`;
}

/** Variables come from a pasted command; they are shown, and can be taken out. */
function variables({ inputs, locale, actions }: View) {
  const names = Object.entries(inputs.env);
  if (names.length === 0) return nothing;
  const without = (name: string) => Object.fromEntries(names.filter(([other]) => other !== name));
  return html`<details id="env" tabindex="-1">
    <summary>${locale.words.engine.env} <span class="hint">${locale.words.engine.flagsSet(names.length)}</span></summary>
    <ul class="plain">
      ${names.map(
        ([name, value]) => html`<li>
          <code>${name}=${value}</code>
          <button type="button" class="link" aria-label="${locale.words.engine.remove} ${name}" @click=${() => actions.set({ env: without(name) })}>
            ${locale.words.engine.remove}
          </button>
        </li>`,
      )}
    </ul>
  </details>`;
}

/** What a start-up log measured, in place of the estimates. */
export function measuredSection(view: View) {
  const { inputs, locale, actions } = view;
  const { words } = locale;
  const terms = Object.entries(inputs.measured);
  if (terms.length === 0) return nothing;
  return html`<fieldset id="measured" tabindex="-1">
    <legend>${words.measured.summary} <span class="hint">${words.measured.count(terms.length)}</span></legend>
    <ul class="plain">
      ${terms.map(
        ([term, text]) => html`<li>
          <span>${termWords(words, term)}</span>
          <span class="number" title=${locale.decimalSize(Number(text))}>${locale.size(Number(text))}</span>
        </li>`,
      )}
    </ul>
    ${errorLine(view, 'measured', problemAt(view, 'measured'))}
    <button type="button" class="link" @click=${() => actions.set({ measured: {} })}>${words.measured.remove}</button>
  </fieldset>`;
}

export function engineSection(view: View) {
  const { inputs, catalogue, actions, locale } = view;
  const { words } = locale;
  const versions = catalogue.engines.find(({ name }) => name === inputs.engine)?.versions ?? [];
  const problem = problemAt(view, 'engine');
  const choices = catalogue.engines.map(({ name }) => name);
  // A link may name an engine this build does not have; it stays chosen, and the core says so.
  if (!choices.includes(inputs.engine)) choices.push(inputs.engine);
  return html`<fieldset>
    <legend>${words.engine.legend}</legend>
    <div class="row halves">
      <div class="field">
        <div class="label"><label for="engine">${words.fields.engine}</label> ${help(view, 'engine')}</div>
        <select
          id="engine"
          aria-invalid=${problem ? 'true' : nothing}
          aria-describedby=${problem ? 'engine-error' : nothing}
          .value=${live(inputs.engine)}
          @change=${(event: Event) =>
            actions.set({ engine: (event.target as HTMLSelectElement).value, version: '' })}
        >
          ${choices.map(
            (name) => html`<option value=${name} ?selected=${name === inputs.engine}>
              ${engineName(name)}
            </option>`,
          )}
        </select>
      </div>
      ${textField(view, {
        field: 'version',
        placeholder: words.engine.newest,
        suggestions: versions,
        words: true,
        bare: true,
      })}
    </div>
    ${errorLine(view, 'engine', problem)} ${errorLine(view, 'version', problemAt(view, 'version'))}
    ${view.answerFirst ? noChange : flagSection(view)} ${variables(view)}
  </fieldset>`;
}

export function workloadSection(view: View) {
  const { inputs, locale } = view;
  const { words } = locale;
  const read = readAs(locale, inputs.context);
  return html`<fieldset>
    <legend>${words.load.legend}</legend>
    ${fieldRow(view, 'halves', [
      {
        field: 'context',
        unit: words.units.tokens,
        placeholder: words.load.engineOwn,
        suggestions: ['2048', '4096', '8192', '16384', '32768', '65536', '131072'],
        ...(read ? { hint: read } : {}),
      },
      { field: 'concurrency', unit: words.units.requests, placeholder: '1' },
    ])}
    ${fieldRow(view, 'halves', [
      { field: 'prompt', unit: words.units.tokens },
      { field: 'output', unit: words.units.tokens },
    ])}
  </fieldset>`;
}
