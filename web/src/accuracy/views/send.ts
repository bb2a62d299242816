import { html, nothing } from 'lit-html';
import type { LogAnswer } from 'ridgepoint';
import type { AccuracyView } from '../page';
import type { Pasted } from '../sender';
import { words } from '../words';
import { heldMark } from './figures';

// A log in, a row out.

type Told = (typeof words)['en'];

function field(view: AccuracyView, name: keyof Pasted, label: string, hint = '') {
  const { sender } = view;
  const id = `accuracy-send-${name}`;
  const long = name === 'log' || name === 'command';
  const typed = (event: Event) =>
    sender.set({ [name]: (event.target as HTMLInputElement | HTMLTextAreaElement).value });
  const described = hint ? `${id}-hint` : nothing;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${
      long
        ? html`<textarea
            id=${id}
            rows=${name === 'log' ? 8 : 2}
            spellcheck="false"
            autocomplete="off"
            aria-describedby=${described}
            .value=${sender.pasted[name]}
            @input=${typed}
          ></textarea>`
        : html`<input
            id=${id}
            type=${name === 'date' ? 'date' : name === 'source' ? 'url' : 'text'}
            autocomplete="off"
            aria-describedby=${described}
            .value=${sender.pasted[name]}
            @input=${typed}
          />`
    }
    ${hint ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : nothing}
  </div>`;
}

/** Words of the log answer's terms; those of memory are the report's. */
const termWords = (told: Told, term: string) =>
  (told.terms as Record<string, string>)[term] ?? told.followed[term] ?? term.replaceAll('_', ' ');

function against({ locale }: AccuracyView, comparison: LogAnswer['comparison']) {
  const told = locale.pick(words);
  if (comparison.length === 0) return nothing;
  const text = (unit: string, value: number) =>
    unit === 'bytes' ? `${locale.fixed(value / 2 ** 30, 2)} GiB` : locale.short(value);
  return html`<table class="accuracy-against">
    <caption>${told.against}</caption>
    <thead>
      <tr>
        <th scope="col">${told.term}</th>
        <th scope="col" class="num">${told.measured}</th>
        <th scope="col" class="num">${told.predicted}</th>
        <th scope="col"><span class="sr">${told.held}</span></th>
      </tr>
    </thead>
    <tbody>
      ${comparison.map(
        ({ term, unit, measured, predicted, inside }) => html`<tr>
          <th scope="row">${termWords(told, term)}</th>
          <td class="num">${text(unit, measured)}</td>
          <td class="num">${text(unit, predicted.best)}</td>
          <td>${heldMark(inside, locale)}</td>
        </tr>`,
      )}
    </tbody>
  </table>`;
}

function made(view: AccuracyView) {
  const { sender, locale } = view;
  const told = locale.pick(words);
  const { row, answer, lacks } = sender;
  if (!row || !answer) return nothing;
  const names = lacks.map((name) => told.fields[name] ?? name).join(', ');
  return html`<div class="accuracy-made">
    <p id="accuracy-lacks">${lacks.length > 0 ? told.lacks(names) : told.whole}</p>
    <pre tabindex="0" aria-label=${told.row}>${JSON.stringify(row, null, 1)}</pre>
    <div class="buttons">
      <button type="button" id="accuracy-copy" @click=${sender.copy}>${told.copy}</button>
      <span role="status">${
        sender.copied === 'yes' ? told.copied : sender.copied === 'refused' ? told.notCopied : ''
      }</span>
    </div>
    ${against(view, answer.comparison)}
    <ul class="hint">
      ${answer.notes.map((note) => html`<li>${locale.core(note)}</li>`)}
    </ul>
  </div>`;
}

/** What stands between backquotes is to be typed or looked for. */
const withCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));

export function sendSection(view: AccuracyView) {
  const { sender, locale } = view;
  const told = locale.pick(words);
  return html`<section class="accuracy-send" aria-labelledby="accuracy-send">
    <h2 id="accuracy-send">${told.send}</h2>
    <p class="prose">${told.sendText}</p>
    <div class="accuracy-form">
      ${field(view, 'log', told.log)} ${field(view, 'command', told.command, told.commandHint)}
      <div class="accuracy-short">
        ${field(view, 'card', told.cardName, told.cardHint)}
        ${field(view, 'source', told.address, told.addressHint)} ${field(view, 'date', told.date)}
      </div>
      <div class="buttons">
        <button
          type="button"
          id="accuracy-read"
          ?disabled=${sender.pasted.log.trim() === '' || sender.reading}
          @click=${sender.read}
        >
          ${sender.reading ? told.reading : told.read}
        </button>
      </div>
    </div>
    <div aria-live="polite">
      ${
        sender.problem
          ? html`<p class="error" id="accuracy-problem">
              <span>${sender.problem.code === 'planner_unavailable' ? locale.words.app.plannerFailed : html`${told.notLog} ${locale.core(sender.problem.message)}`}</span>
            </p>`
          : nothing
      }
    </div>
    ${made(view)}
    <h3>${told.where}</h3>
    <ol class="prose">
      ${told.whereSteps.map((step) => html`<li>${withCode(step)}</li>`)}
    </ol>
  </section>`;
}
