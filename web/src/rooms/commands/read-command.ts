import { html, nothing } from 'lit-html';
import type { CommandAnswer, FlagUse } from 'ridgepoint';
import { engineName } from '../../engine-name';
import type { Locale } from '../../locale';
import { type IconName, icon } from '../../parts';
import { kindOf } from '../../paste';
import { commandQuery } from '../../reading';
import type { Host, View } from '../../views/context';
import { PasteBox } from './box';
import { problemText } from './problem';
import { Reading } from './reading';
import type { CommandsWords } from './words';
import { flagText } from './write';

// A pasted command, compose file or manifest: what each part of it does to the estimate, before it
// is taken over.

const LARGEST = 2_000_000;

const icons: Record<FlagUse, IconName> = {
  used: 'yes',
  no_effect: 'mid',
  unmodelled: 'warn',
  unknown: 'no',
};

const uses = Object.keys(icons) as FlagUse[];

const use = (told: CommandsWords, which: FlagUse) =>
  html`<span class="commands-use" data-use=${which}>${icon(icons[which])} ${told.uses[which]}</span>`;

/** The core says only which field of a request it is. */
const isField = (note: string) => /^[a-z_]+(?:\.[a-z_]+)+$/.test(note);

const noteText = (locale: Locale, note: string) =>
  isField(note) ? html`<code>${note}</code>` : locale.core(note);

const item = (
  told: CommandsWords,
  text: string,
  which: FlagUse,
  note: unknown,
) => html`<li data-use=${which}>
  <p><code>${text}</code> ${use(told, which)}</p>
  ${note ? html`<p class="hint">${note}</p>` : nothing}
</li>`;

export class CommandsIn {
  readonly box: PasteBox;
  readonly #reading: Reading<CommandAnswer>;

  constructor(
    host: Host,
    private readonly readAsLog: (text: string) => void,
  ) {
    this.box = new PasteBox(host.redraw);
    this.#reading = new Reading(host.redraw);
  }

  /** The setup in one line, as it was understood. */
  #setup({ locale }: View, told: CommandsWords, { form, request }: CommandAnswer) {
    const { engine, model, gpu } = request;
    const version = engine.version ? ` ${engine.version}` : '';
    const parts = [
      `${engineName(engine.name)}${version}`,
      model.id || told.noModel,
      told.cards(locale, gpu.count ?? 1),
    ];
    return html`<p class="commands-line" id="commands-read-as">${icon('yes')} <span>${told.readAs(told.forms[form])} <b>${parts.join(', ')}</b></span></p>`;
  }

  #counts(told: CommandsWords, { flags, env }: CommandAnswer) {
    const all = [...flags, ...env];
    const parts = uses.flatMap((which) => {
      const count = all.filter((one) => one.use === which).length;
      return count > 0 ? [`${told.uses[which]}: ${count}`] : [];
    });
    return parts.length > 0 ? html`<p class="hint">${parts.join(', ')}</p>` : nothing;
  }

  #read(page: View, told: CommandsWords, answer: CommandAnswer) {
    const { locale, actions } = page;
    const { flags, env, notes, request } = answer;
    const what = told.theCommand(engineName(request.engine.name));
    return html`${this.#setup(page, told, answer)}
      <p class="buttons">
        <button type="button" id="commands-use" @click=${() => actions.apply(request, what)}>${told.useSetup}</button>
      </p>
      ${
        notes.length > 0
          ? html`<ul class="prose">${notes.map((note) => html`<li>${locale.core(note)}</li>`)}</ul>`
          : nothing
      }
      ${
        flags.length > 0
          ? html`<h4>${told.flags}</h4>
            ${this.#counts(told, answer)}
            <ul class="commands-flags" id="commands-flags">
              ${flags.map((flag) => item(told, flagText(flag.flag, flag.value), flag.use, flag.note ? noteText(locale, flag.note) : ''))}
            </ul>`
          : html`<p class="hint">${told.noFlagsRead}</p>`
      }
      ${
        env.length > 0
          ? html`<h4>${told.env}</h4>
            <ul class="commands-flags" id="commands-env">
              ${env.map(({ name, value, use: which, note }) => item(told, `${name}=${value}`, which, note ? noteText(locale, note) : ''))}
            </ul>`
          : nothing
      }`;
  }

  #problem(told: CommandsWords, message: unknown) {
    const text = this.box.text ?? '';
    return html`<div class="banner" role="alert">
      <p>${icon('warn')} <span>${message}</span></p>
      ${
        text.includes('\n') && kindOf(text.slice(0, 20_000)) === 'log'
          ? html`<p><button type="button" @click=${() => {
              this.readAsLog(text);
              this.box.set('');
            }}>${told.readAsLog}</button></p>`
          : nothing
      }
    </div>`;
  }

  #result(page: View, told: CommandsWords) {
    const { locale, session, planner } = page;
    if (this.box.tooLarge)
      return this.#problem(told, told.tooLarge(this.box.tooLarge, locale.size(LARGEST)));
    const { text } = this.box;
    if (this.box.empty || text === null) {
      this.#reading.forget();
      return html`<p class="hint">${told.inEmpty}</p>`;
    }
    const { text: _, ...known } = commandQuery('', session.answer?.request);
    const { answer, problem, waiting } = this.#reading.for(
      `${this.box.version} ${JSON.stringify(known)}`,
      () => planner.ask('readCommand', { text, ...known }),
    );
    if (problem) return this.#problem(told, problemText(locale, told, problem));
    if (!answer) return html`<p class="waiting">${icon('wait')} ${locale.words.app.waiting}</p>`;
    return html`<div aria-busy=${waiting ? 'true' : 'false'}>${this.#read(page, told, answer)}</div>`;
  }

  view(page: View, told: CommandsWords) {
    return html`<section aria-labelledby="commands-in-title">
      <h3 id="commands-in-title">${told.inTitle}</h3>
      ${this.box.view(page, told, {
        id: 'commands-in',
        label: told.inLabel,
        hint: told.inHint,
        placeholder: 'vllm serve Qwen/Qwen3-8B --tensor-parallel-size 2',
        accept: '.sh,.txt,.yaml,.yml,.json',
        largest: LARGEST,
        asText: true,
      })}
      ${this.#result(page, told)}
    </section>`;
  }
}
