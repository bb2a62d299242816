import { html, nothing, type TemplateResult } from 'lit-html';
import type { Progress, RunKind } from 'ridgepoint';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import type { Problem } from '../../types';
import type { View } from '../../views/context';
import { seconds } from './figures';
import type { RunQuestion } from './run';
import type { LoadWords } from './words';

// What a long question is doing, and what can be done about it.

export interface Working<K extends RunKind> {
  page: View;
  words: LoadWords;
  question: RunQuestion<K>;
  word: string;
  /** For the ids of what is in it. */
  id: string;
}

/** Of several simulations only their number says how far it is. */
function whereText(progress: Progress, locale: Locale, { run }: LoadWords): string {
  const { note, asked, finished, time_s, running, waiting } = progress;
  if (note) {
    const doing = note in run.notes ? run.notes[note as keyof typeof run.notes] : '';
    return [doing, run.runs(locale.whole(finished))].filter(Boolean).join(' · ');
  }
  const state = run.state(seconds(time_s, locale), locale.whole(running), locale.whole(waiting));
  return `${run.progress(locale.whole(finished), locale.whole(asked))} · ${state}`;
}

export function progressLine<K extends RunKind>(all: Working<K>): TemplateResult {
  const { page, words, question, word, id } = all;
  const { locale } = page;
  const own = words.run;
  const { progress, stopped } = question.state;
  if (stopped) {
    return html`<div class="load-state" role="status">
      <p>${icon('no')} ${own.stopped}</p>
      <button type="button" id="load-${id}-again" @click=${question.again}>${own.again}</button>
    </div>`;
  }
  const share = progress?.share ?? 0;
  return html`<div class="load-state">
    <p>
      ${icon('wait')} ${word}
      <span class="hint">
        ${progress ? whereText(progress, locale, words) : nothing}
      </span>
    </p>
    <progress
      id="load-${id}-progress"
      max="1"
      .value=${share}
      aria-label="${word}, ${own.share}"
    ></progress>
    <button type="button" id="load-${id}-stop" @click=${question.stop}>${own.stop}</button>
  </div>`;
}

/** `field`: the id of what it is about, where that is on the page. */
export function problemLine(
  page: View,
  words: LoadWords,
  problem: Problem,
  field: string,
): TemplateResult {
  const { locale, actions } = page;
  const { code, message } = problem;
  const said =
    code === 'planner_unavailable' ? locale.words.app.plannerFailed : locale.core(message);
  const head =
    code === 'does_not_serve'
      ? words.run.notServed
      : code === 'planner_unavailable'
        ? ''
        : words.run.failed;
  return html`<div class="load-state load-problem" role="alert">
    <p>${icon('warn')} <span>${head} ${said}</span></p>
    ${
      field
        ? html`<button type="button" class="link" @click=${() => actions.goTo(field)}>
            ${words.run.toField}
          </button>`
        : nothing
    }
  </div>`;
}
