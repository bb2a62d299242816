import { html, nothing } from 'lit-html';
import type { LogAnswer } from 'ridgepoint';
import { engineName } from '../../engine-name';
import type { Scale } from '../../format';
import type { Locale } from '../../locale';
import { basis, type IconName, icon } from '../../parts';
import { logQuery, measuredSetup, setupOfLog } from '../../reading';
import { builtIn } from '../../request';
import type { Host, View } from '../../views/context';
import { termWords } from '../../words/en';
import { PasteBox } from './box';
import { problemText } from './problem';
import { Reading } from './reading';
import type { CommandsWords } from './words';
import { flagText } from './write';

// A start-up log: how the start went, what was measured against what was predicted, and the way to
// reckon with what was measured.

const LARGEST = 96 * 2 ** 20;

type Compared = LogAnswer['comparison'][number];

const outcomes: Record<LogAnswer['outcome'], IconName> = {
  started: 'yes',
  refused: 'no',
  oom: 'no',
  error: 'no',
  unfinished: 'warn',
};

function scaleOf(locale: Locale, unit: string, value: number): Scale {
  if (unit === 'bytes') return locale.sizeScale(value);
  return locale.plain('', unit === 'requests' ? 2 : 0);
}

function comparedRow(locale: Locale, told: CommandsWords, row: Compared) {
  const { term, unit, measured, predicted, inside, cause } = row;
  const scale = scaleOf(locale, unit, measured);
  const title = (value: number) => (unit === 'bytes' ? locale.decimalSize(value) : nothing);
  const spread = locale.range(predicted, scale);
  const number = (value: number) =>
    html`<span class="number" title=${title(value)}>${scale.text(value)}${scale.unit ? html` <span class="unit">${scale.unit}</span>` : nothing}</span>`;
  const rows = [
    html`<tr data-term=${term} data-inside=${inside ? 'yes' : 'no'}>
      <th scope="row">
        ${told.terms[term] ?? termWords(locale.words, term)}
        <span class="commands-inside">${icon(inside ? 'yes' : 'warn')} ${inside ? told.inside : told.outside}</span>
      </th>
      <td class="num">${number(measured)}</td>
      <td class="num">
        ${number(predicted.best)}
        <span class="commands-spread">${spread ? html`<span class="range">${spread}</span>` : nothing} ${basis(locale, predicted)}</span>
      </td>
    </tr>`,
  ];
  if (cause) {
    rows.push(
      html`<tr class="commands-cause"><td colspan="3">${told.cause} ${locale.core(cause)}</td></tr>`,
    );
  }
  return rows;
}

const comparison = (
  locale: Locale,
  told: CommandsWords,
  { comparison: rows }: LogAnswer,
) => html`<h4 id="commands-compared-title">${told.compared}</h4>
  <table class="commands-compared" aria-labelledby="commands-compared-title">
    <thead>
      <tr>
        <th scope="col">${told.term}</th>
        <th scope="col" class="num">${told.measured}</th>
        <th scope="col" class="num">${told.predicted}</th>
      </tr>
    </thead>
    <tbody>${rows.map((row) => comparedRow(locale, told, row))}</tbody>
  </table>`;

/** What was measured, where nothing can be predicted to set against it. */
function measuredList(locale: Locale, told: CommandsWords, { measured }: LogAnswer) {
  const terms = Object.entries(measured).filter(([, value]) => typeof value === 'number');
  if (terms.length === 0) return nothing;
  return html`<h4>${told.measured}</h4>
    <ul class="plain commands-measured">
      ${terms.map(
        ([term, value]) => html`<li>
          <span>${termWords(locale.words, term)}</span>
          <span class="number" title=${locale.decimalSize(value as number)}>${locale.size(value as number)}</span>
        </li>`,
      )}
    </ul>`;
}

export class LogIn {
  readonly box: PasteBox;
  readonly #reading: Reading<LogAnswer>;
  /** The reader said that the log is of the model on the page. */
  #ofModel = false;

  constructor(private readonly host: Host) {
    this.box = new PasteBox(host.redraw);
    this.#reading = new Reading(host.redraw);
  }

  #setup({ locale }: View, told: CommandsWords, answer: LogAnswer) {
    const { settings } = answer;
    const flags = Object.entries(settings.engine?.args ?? {}).map(([name, value]) =>
      flagText(`--${name}`, value),
    );
    const { count } = settings.gpu ?? {};
    return html`<dl class="commands-setup">
      <div class="commands-fact"><dt>${locale.words.fields.engine}</dt><dd>${engineName(answer.engine)} ${answer.version ?? told.noVersion}</dd></div>
      <div class="commands-fact"><dt>${locale.words.fields.model}</dt><dd>${settings.model?.id || told.notInLog}</dd></div>
      ${typeof count === 'number' ? html`<div class="commands-fact"><dt>${told.cardCount}</dt><dd>${locale.whole(count)}</dd></div>` : nothing}
      ${flags.length > 0 ? html`<div class="commands-fact"><dt>${told.flags}</dt><dd>${flags.map((flag) => html`<code>${flag}</code> `)}</dd></div>` : nothing}
      ${answer.ranks.length > 1 ? html`<div class="commands-fact"><dt>${told.ranks}</dt><dd>${told.tightest(locale, answer.ranks.length, answer.measured_rank)}</dd></div>` : nothing}
    </dl>`;
  }

  /** A log of a model that is not known by its name alone may be of the one on the page. */
  #modelChoice(page: View, told: CommandsWords, answer: LogAnswer) {
    const { session, catalogue } = page;
    const id = answer.settings.model?.id ?? '';
    if (!session.answer || (builtIn(id, catalogue) && !this.#ofModel)) return nothing;
    return html`<label class="check">
      <input type="checkbox" id="commands-of-model" .checked=${this.#ofModel} @change=${(
        event: Event,
      ) => {
        this.#ofModel = (event.target as HTMLInputElement).checked;
        this.host.redraw();
      }} />
      ${told.ofModel(session.answer.modelLabel)}
    </label>`;
  }

  #buttons(page: View, told: CommandsWords, answer: LogAnswer) {
    const { actions, session } = page;
    const known = session.answer?.request;
    const any = Object.values(answer.measured).some((value) => typeof value === 'number');
    const markdown = async () => {
      const text = await this.host.planner
        .exportAnswer({ answer, format: 'markdown' })
        .catch(() => '');
      actions.copy(told.compared, text);
    };
    return html`<p class="buttons">
        ${
          any
            ? html`<button type="button" id="commands-calibrate" @click=${() => actions.apply(measuredSetup(answer, known), told.measuredTerms)}>${told.useMeasured}</button>`
            : nothing
        }
        <button type="button" id="commands-as-log" @click=${() => actions.apply(setupOfLog(answer, known), told.theLog)}>${told.asLog}</button>
        <button type="button" id="commands-row" @click=${() => actions.copy(told.row, JSON.stringify(answer.row))}>${told.copyRow}</button>
        <button type="button" id="commands-log-markdown" @click=${markdown}>${told.copyMarkdown}</button>
      </p>
      <p class="hint">${any ? told.useMeasuredHint : told.nothingMeasured} ${told.rowHint}</p>`;
  }

  #read(page: View, told: CommandsWords, answer: LogAnswer) {
    const { locale } = page;
    const { outcome, causes, notes } = answer;
    return html`<p class="commands-outcome" id="commands-outcome" data-outcome=${outcome}>${icon(outcomes[outcome])} <b>${told.outcomes[outcome]}</b></p>
      ${causes.length > 0 ? html`<ul class="prose" id="commands-causes">${causes.map((one) => html`<li>${locale.core(one)}</li>`)}</ul>` : nothing}
      ${this.#setup(page, told, answer)} ${this.#modelChoice(page, told, answer)}
      ${answer.comparison.length > 0 ? comparison(locale, told, answer) : measuredList(locale, told, answer)}
      ${this.#buttons(page, told, answer)}
      ${
        notes.length > 0
          ? html`<h4>${told.notes}</h4>
            <ul class="prose">${notes.map((note) => html`<li>${locale.core(note)}</li>`)}</ul>`
          : nothing
      }`;
  }

  #result(page: View, told: CommandsWords) {
    const { locale, session, planner } = page;
    const alert = (message: unknown) =>
      html`<div class="banner" role="alert"><p>${icon('warn')} <span>${message}</span></p></div>`;
    if (this.box.tooLarge) return alert(told.tooLarge(this.box.tooLarge, locale.size(LARGEST)));
    if (this.box.empty) {
      this.#reading.forget();
      this.#ofModel = false;
      return html`<p class="hint">${told.logEmpty}</p>`;
    }
    const known = session.answer?.request;
    const query = logQuery(known, this.#ofModel ? known?.model : undefined);
    const { answer, problem, waiting } = this.#reading.for(
      `${this.box.version} ${JSON.stringify(query)}`,
      async () => planner.readLog(await this.box.content(), query),
    );
    if (problem) {
      return alert(problemText(locale, told, problem));
    }
    if (!answer) return html`<p class="waiting">${icon('wait')} ${told.reading}</p>`;
    return html`<div aria-busy=${waiting ? 'true' : 'false'}>${this.#read(page, told, answer)}</div>`;
  }

  view(page: View, told: CommandsWords) {
    return html`<section aria-labelledby="commands-log-title">
      <h3 id="commands-log-title">${told.logTitle}</h3>
      ${this.box.view(page, told, {
        id: 'commands-log',
        label: told.logLabel,
        hint: told.logHint,
        placeholder: 'INFO … Model loading took 15.27 GiB …',
        accept: '.log,.txt',
        largest: LARGEST,
        asText: false,
      })}
      ${this.#result(page, told)}
    </section>`;
  }
}
