import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { engineName } from '../engine-name';
import type { Catalogue } from '../types';
import { makerName } from '../views/setup';
import type { Show } from './view';

// The few things a reader of a documentation page may want to change.

const textIn = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;

const box = (
  label: string,
  value: string,
  wrong: boolean,
  set: (value: string) => void,
  more: { list?: string; placeholder?: string; numeric?: boolean; size?: 'wide' | 'narrow' } = {},
) => html`<label class=${`field ${more.size ?? ''}`}>
  <span>${label}</span>
  <input
    type="text"
    inputmode=${more.numeric ? 'decimal' : 'text'}
    autocomplete="off"
    autocapitalize="off"
    spellcheck="false"
    list=${more.list ?? nothing}
    placeholder=${more.placeholder ?? nothing}
    aria-invalid=${wrong ? 'true' : nothing}
    .value=${live(value)}
    @input=${(event: Event) => set(textIn(event))}
  />
</label>`;

function cards({ gpus }: Catalogue, chosen: string) {
  const groups = new Map<string, typeof gpus>();
  for (const gpu of gpus) {
    const name = makerName(gpu.vendor);
    groups.set(name, [...(groups.get(name) ?? []), gpu]);
  }
  const wanted = chosen.toLowerCase();
  const known = gpus.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
  return html`${known ? nothing : html`<option value=${chosen} selected>${chosen}</option>`}
  ${[...groups].map(
    ([name, all]) => html`<optgroup label=${name}>
      ${all.map(
        (gpu) => html`<option value=${gpu.id} ?selected=${gpu === known}>${gpu.name}</option>`,
      )}
    </optgroup>`,
  )}`;
}

function engines({ engines: all }: Catalogue, chosen: string) {
  const names = all.map(({ name }) => name);
  if (!names.includes(chosen)) names.push(chosen);
  return names.map(
    (name) => html`<option value=${name} ?selected=${name === chosen}>${engineName(name)}</option>`,
  );
}

export function form(show: Show, catalogue: Catalogue) {
  const { locale, own, inputs, edits, problem } = show;
  if (!inputs) return nothing;
  const { fields } = locale.words;
  const wrong = (...paths: string[]) => paths.some((path) => problem?.path.startsWith(path));
  return html`<div class="form" part="form" role="group" aria-label=${own.form}>
    ${box(
      fields.model ?? '',
      inputs.use === 'config' ? inputs.configName : inputs.model,
      wrong('model'),
      edits.model,
      { list: 'models', size: 'wide' },
    )}
    <datalist id="models">
      ${catalogue.models.map(({ id }) => html`<option value=${id}></option>`)}
    </datalist>
    <label class="field wide">
      <span>${fields.gpu}</span>
      <select
        aria-invalid=${wrong('gpu.id') ? 'true' : nothing}
        @change=${(event: Event) => edits.card(textIn(event), inputs.count)}
      >
        ${cards(catalogue, inputs.gpu)}
      </select>
    </label>
    ${box(
      fields.count ?? '',
      inputs.count,
      wrong('gpu.count'),
      (count) => edits.card(inputs.gpu, count),
      {
        numeric: true,
        size: 'narrow',
        placeholder: '1',
      },
    )}
    <label class="field">
      <span>${fields.engine}</span>
      <select
        aria-invalid=${wrong('engine') ? 'true' : nothing}
        @change=${(event: Event) => edits.engine(textIn(event))}
      >
        ${engines(catalogue, inputs.engine)}
      </select>
    </label>
    ${box(
      `${fields.context}, ${locale.words.units.tokens}`,
      inputs.context,
      wrong('workload.context'),
      edits.ctx,
      {
        numeric: true,
        placeholder: locale.words.load.engineOwn,
      },
    )}
    ${box(
      `${fields.concurrency}, ${locale.words.units.requests}`,
      inputs.concurrency,
      wrong('workload.concurrency'),
      edits.concurrency,
      { numeric: true, placeholder: '1' },
    )}
  </div>`;
}
