import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { CommandForm, CommandTextAnswer, Request as Contract } from 'ridgepoint';
import { commandLacks, commandOf } from '../../command';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Answer } from '../../session';
import type { Host, View } from '../../views/context';
import { problemText } from './problem';
import type { CommandsWords } from './words';

// The setup at hand as a command, in the form the reader starts engines with.

const forms: { form: CommandForm; file: (engine: string) => string }[] = [
  { form: 'shell', file: (engine) => `${engine}.sh` },
  { form: 'docker', file: (engine) => `${engine}-docker.sh` },
  { form: 'compose', file: () => 'compose.yaml' },
  { form: 'kubernetes', file: (engine) => `${engine}.yaml` },
];

function download(name: string, text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser takes its copy after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A flag as it stands in a shell. */
export const flagText = (flag: string, value: unknown) =>
  value === true || value === null || value === ''
    ? flag
    : `${flag} ${typeof value === 'string' ? value : JSON.stringify(value)}`;

export class CommandsOut {
  #form: CommandForm = 'shell';
  readonly #questions = new Map<CommandForm, Question<'writeCommand'>>();

  constructor(private readonly host: Host) {}

  /** Each form keeps its answer, so that going back to one shows it at once. */
  #question(form: CommandForm) {
    const known = this.#questions.get(form);
    if (known) return known;
    const made = new Question(this.host.planner, 'writeCommand', this.host.redraw);
    this.#questions.set(form, made);
    return made;
  }

  #choice(told: CommandsWords) {
    return html`<fieldset class="commands-forms">
      <legend class="sr">${told.form}</legend>
      ${forms.map(
        ({ form }) => html`<label>
          <input
            type="radio"
            name="commands-form"
            id="commands-form-${form}"
            value=${form}
            .checked=${live(form === this.#form)}
            @change=${() => {
              this.#form = form;
              this.host.redraw();
            }}
          /><span>${told.forms[form]}</span>
        </label>`,
      )}
    </fieldset>`;
  }

  #written(page: View, told: CommandsWords, { text, flags, notes, checked }: CommandTextAnswer) {
    const { locale, actions, session } = page;
    const what = told.forms[this.#form];
    const file = forms.find(({ form }) => form === this.#form)?.file;
    const engine = session.answer?.report.engine.name ?? 'engine';
    return html`<pre id="commands-text" tabindex="0" aria-label=${what}><code>${text}</code></pre>
      <p class="buttons">
        <button type="button" id="commands-copy" @click=${() => actions.copy(what, text)}>${told.copy}</button>
        <button type="button" id="commands-download" @click=${() => file && download(file(engine), text)}>${told.download(file?.(engine) ?? '')}</button>
      </p>
      ${
        checked
          ? html`<p class="commands-line">${icon('yes')} <span>${told.checked}</span></p>`
          : nothing
      }
      ${
        notes.length > 0
          ? html`<ul class="prose">${notes.map((note) => html`<li>${locale.core(note)}</li>`)}</ul>`
          : nothing
      }
      ${
        flags.length > 0
          ? html`<h4>${told.why}</h4>
            <ul class="commands-flags">
              ${flags.map(
                ({ flag, value, why }) => html`<li>
                  <p><code>${flagText(flag, value)}</code></p>
                  <p class="hint">${locale.core(why)}</p>
                </li>`,
              )}
            </ul>`
          : html`<p class="hint">${told.noFlags}</p>`
      }`;
  }

  #content(page: View, told: CommandsWords, { request }: Answer) {
    const { locale } = page;
    const query = { request: request as Contract, form: this.#form };
    const { answer, problem, waiting } = this.#question(this.#form).for(query);
    if (problem) {
      return html`<div class="banner" role="alert">
        <p>${icon('warn')} <span>${problemText(locale, told, problem)}</span></p>
        ${problem.path.startsWith('request.model') || problem.path.startsWith('model') ? html`<p>${told.giveId}</p>` : nothing}
      </div>`;
    }
    if (!answer) return html`<p class="waiting">${icon('wait')} ${locale.words.app.waiting}</p>`;
    return html`<div class="commands-written" aria-busy=${waiting ? 'true' : 'false'}>
      ${this.#written(page, told, answer)}
    </div>`;
  }

  #ownLine(page: View, told: CommandsWords, answer: Answer) {
    const { take } = page.locale.words;
    const what = 'ridgepoint fit';
    return html`<details class="commands-own">
      <summary>${told.own}</summary>
      <p class="hint">${told.ownHint}</p>
      <pre id="commands-own-line" class="command" tabindex="0" aria-label=${what}><code>${commandOf(
        answer,
      )
        .split(/ (?=--)/)
        .map((part, at) => html`${at > 0 ? ' ' : ''}<span>${part}</span>`)}</code></pre>
      ${commandLacks(answer.request) ? html`<p class="hint">${take.lacks('ridgepoint batch')}</p>` : nothing}
      <p class="buttons">
        <button type="button" @click=${() => page.actions.copy(what, commandOf(answer))}>${told.copy}</button>
      </p>
    </details>`;
  }

  view(page: View, told: CommandsWords) {
    const { answer } = page.session;
    return html`<section aria-labelledby="commands-out-title">
      <h3 id="commands-out-title">${told.outTitle}</h3>
      ${
        answer
          ? html`${this.#choice(told)} ${this.#content(page, told, answer)} ${this.#ownLine(page, told, answer)}`
          : html`<p class="waiting">${icon('warn')} ${told.noAnswer}</p>`
      }
    </section>`;
  }
}
