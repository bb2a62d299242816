import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { icon } from '../../parts';
import type { Answer } from '../../session';
import type { View } from '../../views/context';
import { ownLengths, type Typed, unreadable, usualRequests } from './query';
import {
  type Arrival,
  arrivals,
  type Flow,
  flows,
  type Preset,
  presets,
  type Settings,
  type Spread,
  spreads,
  usualSession,
} from './settings';
import { linesOf, type Trace } from './trace';
import type { LoadWords } from './words';

// The load and the goal, in plain words.

export interface Form {
  page: View;
  answer: Answer;
  settings: Settings;
  words: LoadWords;
  trace: Trace | null;
  traceProblem: string;
  change(patch: Partial<Settings>): void;
  choose(use: Preset): void;
  takeTrace(name: string, text: string): void;
  takeFile(file: File): void;
  dropTrace(): void;
}

interface Typing {
  field: Typed;
  label: string;
  unit: string;
  placeholder?: string;
  after?: TemplateResult;
}

function typed(
  { settings, words, change }: Form,
  { field, label, unit, placeholder, after }: Typing,
) {
  const wrong = unreadable(settings).includes(field);
  return html`<div class=${after ? 'field load-wide' : 'field'}>
    <label for="load-${field}">${label}${unit ? html`, <span class="unit">${unit}</span>` : nothing}</label>
    <div class=${after ? 'joined' : nothing}>
      <input
        id="load-${field}"
        type="text"
        inputmode="decimal"
        autocomplete="off"
        placeholder=${placeholder ?? nothing}
        aria-invalid=${wrong ? 'true' : nothing}
        aria-describedby=${wrong ? `load-${field}-error` : nothing}
        .value=${live(settings[field])}
        @input=${(event: Event) => change({ [field]: (event.target as HTMLInputElement).value })}
      />
      ${after ?? nothing}
    </div>
    ${
      wrong
        ? html`<p class="error" id="load-${field}-error">
            ${icon('warn')}<span>${words.form.unreadable[field]}</span>
          </p>`
        : nothing
    }
  </div>`;
}

interface Choice<T extends string> {
  id: string;
  label: string;
  options: Record<T, string>;
  order: readonly T[];
  value: T;
  choose(value: T): void;
}

const options = <T extends string>({ options, order, value }: Choice<T>) =>
  order.map(
    (key) => html`<option value=${key} ?selected=${key === value}>${options[key]}</option>`,
  );

const choice = <T extends string>(one: Choice<T>) => html`<div class="field">
    <label for="load-${one.id}">${one.label}</label>
    <select
      id="load-${one.id}"
      .value=${live(one.value)}
      @change=${(event: Event) => one.choose((event.target as HTMLSelectElement).value as T)}
    >
      ${options(one)}
    </select>
  </div>`;

const presetRow = ({ settings, words, choose }: Form) => html`<fieldset class="load-use">
    <legend>${words.form.traffic}</legend>
    <div>
    <div class="load-presets" id="load-use" role="group" aria-label=${words.form.traffic}>
      ${presets.map(
        (use) => html`<button
          type="button"
          data-use=${use}
          aria-pressed=${settings.use === use ? 'true' : 'false'}
          @click=${() => choose(use)}
        >
          ${words.form.presets[use]}
        </button>`,
      )}
    </div>
    <p class="hint prose">${words.form.about[settings.use]}</p>
    </div>
  </fieldset>`;

function coming(form: Form) {
  const { settings, words, change } = form;
  const own = words.form;
  const arrive: Choice<Arrival> = {
    id: 'arrive',
    label: own.arrive,
    options: own.arrivals,
    order: arrivals,
    value: settings.arrive,
    choose: (value) => change({ arrive: value }),
  };
  const flow: Choice<Flow> = {
    id: 'flow',
    label: own.flow,
    options: own.flows,
    order: flows,
    value: settings.flow,
    choose: (value) => change({ flow: value }),
  };
  const rate = settings.arrive === 'rate';
  return html`<fieldset>
    <legend>${own.coming}</legend>
    <div class="load-fields">
      ${choice(arrive)}
      ${rate ? typed(form, { field: 'rate', label: own.rate, unit: own.perSecond }) : nothing}
      ${settings.arrive === 'closed' ? typed(form, { field: 'people', label: own.people, unit: '' }) : nothing}
      ${rate ? choice(flow) : nothing}
    </div>
  </fieldset>`;
}

function lengths(form: Form) {
  const { settings, words, change, answer, page } = form;
  if (settings.use !== 'own') return nothing;
  const { form: own } = words;
  const { input, output } = ownLengths({ ...settings, input: '', output: '' }, answer);
  return html`<fieldset>
    <legend>${own.lengths}</legend>
    <div class="load-fields">
      ${typed(form, { field: 'input', label: own.input, unit: own.tokens, placeholder: page.locale.whole(input) })}
      ${typed(form, { field: 'output', label: own.output, unit: own.tokens, placeholder: page.locale.whole(output) })}
      ${choice<Spread>({
        id: 'spread',
        label: own.spread,
        options: own.spreads,
        order: spreads,
        value: settings.spread,
        choose: (spread) => change({ spread }),
      })}
    </div>
  </fieldset>`;
}

function goal(form: Form) {
  const { settings, words, change } = form;
  const { form: own } = words;
  const unit = html`<select
    class="load-pace-unit"
    id="load-pace-unit"
    aria-label=${own.paceUnit}
    .value=${live(settings.paceUnit)}
    @change=${(event: Event) => change({ paceUnit: (event.target as HTMLSelectElement).value as 'ms' })}
  >
    ${(['per_s', 'ms'] as const).map(
      (key) =>
        html`<option value=${key} ?selected=${key === settings.paceUnit}>${own.paceUnits[key]}</option>`,
    )}
  </select>`;
  return html`<fieldset>
    <legend>${own.goal}</legend>
    <div>
    <div class="load-fields load-goal">
      ${typed(form, { field: 'ttft', label: own.ttft, unit: 'ms', placeholder: own.noGoal })}
      ${typed(form, { field: 'pace', label: own.pace, unit: '', placeholder: own.noGoal, after: unit })}
      ${typed(form, { field: 'share', label: own.share, unit: own.shareUnit, placeholder: '99' })}
    </div>
    <p class="hint">${own.goalHint}</p>
    </div>
  </fieldset>`;
}

function cached(form: Form) {
  const { words, settings } = form;
  return html`<fieldset>
    <legend>${words.form.cached}</legend>
    <div>
    <div class="load-fields">
      ${typed(form, { field: 'session', label: words.form.session, unit: '%', placeholder: usualSession[settings.use] ?? '0' })}
      ${typed(form, { field: 'shared', label: words.form.shared, unit: words.form.tokens, placeholder: '0' })}
    </div>
    <p class="hint">${words.form.cachedHint}</p>
    </div>
  </fieldset>`;
}

function more(form: Form) {
  const { words, settings, page } = form;
  const usual = page.locale.whole(usualRequests(settings));
  return html`<details class="load-more">
    <summary>${words.form.more}</summary>
    <div class="load-fields">
      ${typed(form, { field: 'requests', label: words.form.requests, unit: '', placeholder: usual })}
      ${typed(form, { field: 'seed', label: words.form.seed, unit: '', placeholder: '1' })}
    </div>
  </details>`;
}

/** A file that falls on the form is a trace, and none of the page's own files. */
function fell({ takeFile }: Form, event: DragEvent) {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  takeFile(file);
}

function pasted({ takeTrace, words }: Form, event: Event) {
  const { value } = event.target as HTMLTextAreaElement;
  if (value.trim() !== '') takeTrace(words.trace.pasted, value);
}

const fileButton = ({ words, takeFile }: Form) => html`<label class="file"
    >${words.trace.file}
    <input
      type="file"
      accept=".csv,.jsonl,.ndjson,.json,.txt,text/csv"
      @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        const [file] = input.files ?? [];
        if (file) takeFile(file);
        input.value = '';
      }}
  /></label>`;

function traceFields(form: Form) {
  const { settings, words, trace, traceProblem, page, dropTrace } = form;
  if (settings.use !== 'trace') return nothing;
  const own = words.trace;
  const problem = traceProblem
    ? html`<p class="error" id="load-trace-error">${icon('warn')}<span>${traceProblem}</span></p>`
    : nothing;
  const given = trace
    ? html`<p id="load-trace" tabindex="-1">
          ${icon('yes')} ${own.lines(trace.name, page.locale.whole(linesOf(trace)))}
          <button type="button" class="link" @click=${dropTrace}>${own.other}</button>
        </p>
        ${settings.trace === '' ? html`<p class="hint">${own.stays}</p>` : nothing}`
    : html`<div class="field">
        <label for="load-trace">${own.paste}</label>
        <textarea
          id="load-trace"
          rows="4"
          spellcheck="false"
          placeholder="arrival_s,input_tokens,output_tokens"
          aria-describedby="load-trace-hint"
          @change=${(event: Event) => pasted(form, event)}
          @paste=${(event: Event) => setTimeout(() => pasted(form, event))}
        ></textarea>
        <p class="hint" id="load-trace-hint">${own.hint} ${fileButton(form)}</p>
      </div>`;
  return html`<fieldset>
    <legend>${own.label}</legend>
    <div>${given} ${problem}
    ${
      trace
        ? html`<div class="load-fields">
            ${typed(form, { field: 'speedUp', label: words.form.speedUp, unit: words.form.times, placeholder: '1' })}
          </div>`
        : nothing
    }
    </div>
  </fieldset>`;
}

export function loadForm(form: Form): TemplateResult {
  const { settings } = form;
  return html`<form
    class="load-form"
    @submit=${(event: Event) => event.preventDefault()}
    @drop=${(event: DragEvent) => settings.use === 'trace' && fell(form, event)}
  >
    ${presetRow(form)}
    ${settings.use === 'trace' ? traceFields(form) : coming(form)} ${lengths(form)} ${goal(form)}
    ${cached(form)}
    ${settings.use === 'trace' ? nothing : more(form)}
  </form>`;
}
