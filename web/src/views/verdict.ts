import { html, nothing } from 'lit-html';
import { cachesNothing } from '../cache';
import { engineName } from '../engine-name';
import { fieldOf, labelOf } from '../fields';
import type { Locale } from '../locale';
import { basis, bytes, estimated, estimatedBytes, icon } from '../parts';
import type { Answer } from '../session';
import { hostFor } from '../source';
import type { Report } from '../types';
import { termWords } from '../words/en';
import { problemOf, type View } from './context';

// The first thing to read: the word, what limits it, how many requests, how large the pool.

export const engineOf = ({ request, extras }: Answer) => {
  const version = request.engine.version ?? extras.engine?.version;
  return `${engineName(request.engine.name)}${version ? ` ${version}` : ''}`;
};

export function setupLine({ words }: Locale, answer: Answer): string {
  const { request, modelLabel, cardLabel } = answer;
  const { context } = request.workload;
  return words.verdict.setup(
    modelLabel,
    cardLabel,
    engineOf(answer),
    typeof context === 'number' ? context : null,
  );
}

export const verdictWord = ({ words }: Locale, { verdict }: Report) =>
  verdict.serves ? words.verdict.yes : words.verdict.no;

/** What a screen reader is told when the answer changes. */
export function spokenAnswer(view: View): string {
  const problem = problemOf(view);
  const { answer, pending } = view.session;
  const { locale } = view;
  const { banner: said, verdict: told } = locale.words;
  if (problem) {
    const field = labelOf(fieldOf(problem.path, view.inputs.use === 'config'), locale.words);
    return `${field}: ${locale.plainCore(problem.message)} ${answer ? said.stillShown : ''}`;
  }
  if (pending !== null || view.session.waiting || !answer) return '';
  const { verdict, capacity, memory } = answer.report;
  if (!verdict.serves) return `${told.no}. ${locale.plainCore(verdict.text)}`;
  const requests = capacity.max_requests;
  const pool = memory.per_gpu.kv_pool;
  return [
    `${told.yes}.`,
    requests ? said.spokenFit(requests.best) : '',
    cachesNothing(answer.report)
      ? `${told.nothingCached}.`
      : pool
        ? said.spokenPool(locale.gib.text(pool.best))
        : '',
    answer.report.model.confidence === 'assumed' ? said.spokenGuess : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function needed(locale: Locale, { verdict }: Report) {
  const { needed_bytes: need, available_bytes: have, limit } = verdict;
  const { words } = locale;
  if (need === null || need === undefined || have === null || have === undefined) return nothing;
  // An encoder's request needs nothing of the pool.
  if (need === 0) return nothing;
  const scale = locale.sizeScale(Math.max(need, have));
  const term = limit && limit !== 'none' ? termWords(words, limit) : words.verdict.longest;
  return html`<p class="needed">
    <b>${term}:</b> ${bytes(locale, 'needed', need, scale)} ${words.verdict.needed}
    ${bytes(locale, 'available', have, scale)} ${words.verdict.available}
  </p>`;
}

/** Whether the requests asked for fit, beside the number of those that do. */
function askedFor({ words, whole }: Locale, { request, report }: Answer) {
  const asked = request.workload.concurrency;
  const fit = report.capacity.max_requests;
  if (typeof asked !== 'number' || !fit || !report.verdict.serves) return nothing;
  const fits = asked <= fit.best;
  return html`<span class="sub">${icon(fits ? 'yes' : 'warn')} ${words.verdict.asked(whole(asked), fits)}</span>`;
}

function requests(locale: Locale, answer: Answer) {
  const { capacity } = answer.report;
  const { words, plain, range } = locale;
  const printed = capacity.max_concurrency;
  const spread = printed ? range(printed, plain('', 2)) : '';
  return html`<div class="figure">
    <dt>${words.verdict.requests}</dt>
    <dd>
      <span class="big">${estimated(locale, 'requests', capacity.max_requests, plain('', 0))}</span>
      ${askedFor(locale, answer)}
      ${
        cachesNothing(answer.report)
          ? html`<span class="sub">${words.verdict.noLimit}</span>`
          : printed
            ? html`<span class="sub"
            >${words.verdict.prints(engineOf(answer))}
            <span class="number"><span data-n="concurrency">${plain('', 2).text(printed.best)}</span>x</span>
            ${spread ? html`<span class="range">${spread}</span> ` : nothing}${basis(locale, printed)}</span
          >`
            : nothing
      }
    </dd>
  </div>`;
}

function pool(locale: Locale, { report }: Answer) {
  const { words, sizeScale, plain } = locale;
  const told = words.verdict;
  if (cachesNothing(report)) {
    return html`<div class="figure">
      <dt>${told.pool}</dt>
      <dd>
        <span class="big"><span class="number"><span data-n="pool">${told.none}</span></span></span>
        <span class="sub">${told.nothingCached}</span>
      </dd>
    </div>`;
  }
  const { tokens, bytes_per_token: perToken, state_bytes_per_request: state } = report.cache;
  const each =
    perToken > 0
      ? html`${bytes(locale, 'per-token', perToken, sizeScale(perToken))} ${told.each}`
      : told.onlyState;
  return html`<div class="figure">
    <dt>${told.pool}</dt>
    <dd>
      <span class="big">${estimatedBytes(locale, 'pool', report.memory.per_gpu.kv_pool)}</span>
      <span class="sub">${tokens ? html`${estimated(locale, 'tokens', tokens, plain(words.units.tokens, 0))}, ` : nothing}${each}</span>
      ${
        state > 0
          ? html`<span class="sub">${bytes(locale, 'state', state, sizeScale(state))} ${told.statePer}</span>`
          : nothing
      }
    </dd>
  </div>`;
}

function problemBanner(view: View) {
  const problem = problemOf(view);
  const { answer, pending } = view.session;
  const { locale } = view;
  const { banner: said } = locale.words;
  const stale = answer
    ? html`<p class="stale-note"><b>${said.stale}</b> ${said.staleNote(setupLine(locale, answer))}</p>`
    : nothing;
  if (problem) {
    const field = fieldOf(problem.path, view.inputs.use === 'config');
    return html`<div class="banner">
      <p>
        ${icon('warn')}
        <span><b>${labelOf(field, locale.words)}.</b> ${locale.core(problem.message)}
        ${
          field
            ? html`<button type="button" class="link" @click=${() => view.actions.goTo(field)}>
              ${said.goTo}
            </button>`
            : nothing
        }</span>
      </p>
      ${stale}
    </div>`;
  }
  if (view.loading) {
    return html`<div class="banner"><p>${icon('wait')} <span>${locale.words.model.fetching(view.loading)}</span></p>${stale}</div>`;
  }
  if (view.session.waiting) {
    return html`<div class="banner"><p>${icon('wait')} <span>${locale.words.app.waiting}</span></p>${stale}</div>`;
  }
  if (pending !== null) {
    return html`<div class="banner">
      <p>
        ${icon('wait')}
        <span><b>${said.notFetched}</b> ${said.pending(pending, hostFor(view.inputs))}
        <button type="button" class="link" @click=${view.actions.load}>${said.loadIt}</button></span>
      </p>
      ${stale}
    </div>`;
  }
  return nothing;
}

export const isStale = (view: View) =>
  problemOf(view) !== null ||
  view.loading !== null ||
  view.session.pending !== null ||
  view.session.waiting;

export function verdictSection(view: View) {
  const { answer } = view.session;
  const { locale } = view;
  const { banner: said, verdict: told } = locale.words;
  const banner = problemBanner(view);
  if (!answer) {
    return html`<section class="verdict" aria-labelledby="verdict-word" data-serves="unknown">
      <h2 id="verdict-word" class="word">${icon('wait')} ${said.noAnswer}</h2>
      ${banner}
    </section>`;
  }
  const { report } = answer;
  const { serves, text } = report.verdict;
  return html`<section
    class="verdict"
    aria-labelledby="verdict-word"
    data-serves=${serves ? 'yes' : 'no'}
    ?data-stale=${isStale(view)}
  >
    ${banner}
    <div class="answer-head">
      <h2 id="verdict-word" class="word">
        ${icon(serves ? 'yes' : 'no')} <span data-n="verdict">${verdictWord(locale, report)}</span>
      </h2>
      <p class="setup">
        ${setupLine(locale, answer)}
        ${
          report.model.confidence === 'assumed'
            ? html`<span class="basis guess">${icon('warn')} ${told.assumedModel}</span>`
            : nothing
        }
      </p>
      <div class="why">
        ${text ? html`<p>${locale.core(text)}</p>` : nothing} ${needed(locale, report)}
      </div>
      <dl class="figures">${requests(locale, answer)}${pool(locale, answer)}</dl>
    </div>
  </section>`;
}
