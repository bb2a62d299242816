import { html, nothing } from 'lit-html';
import { cachesNothing } from '../cache';
import { fieldOf, labelOf } from '../fields';
import { gib, plain, range, sizeScale, whole, words } from '../format';
import { basis, bytes, estimated, estimatedBytes, icon } from '../parts';
import type { Answer } from '../session';
import { hostFor } from '../source';
import type { Report } from '../types';
import { problemOf, type View } from './context';
import { engineName } from './setup';

// The first thing to read: the word, what limits it, how many requests, how large the pool.

export const engineOf = ({ request, extras }: Answer) => {
  const version = request.engine.version ?? extras.engine?.version;
  return `${engineName(request.engine.name)}${version ? ` ${version}` : ''}`;
};

export function setupLine(answer: Answer): string {
  const { request, modelLabel, cardLabel } = answer;
  const { context } = request.workload;
  const length = typeof context === 'number' ? ` at ${whole(context)} tokens` : '';
  return `${modelLabel} on ${cardLabel} with ${engineOf(answer)}${length}`;
}

export const verdictWord = ({ verdict }: Report) =>
  verdict.serves ? 'It serves' : 'It does not start';

/** What a screen reader is told when the answer changes. */
export function spokenAnswer(view: View): string {
  const problem = problemOf(view);
  const { answer, pending } = view.session;
  if (problem) {
    const field = labelOf(fieldOf(problem.path, view.inputs.use === 'config'));
    return `${field}: ${problem.message} ${answer ? 'The last answer is still shown.' : ''}`;
  }
  if (pending !== null) return '';
  if (!answer) return '';
  const { verdict, capacity, memory } = answer.report;
  if (!verdict.serves) return `It does not start. ${verdict.text}`;
  const requests = capacity.max_requests;
  const pool = memory.per_gpu.kv_pool;
  return [
    'It serves.',
    requests ? `${whole(requests.best)} requests fit.` : '',
    cachesNothing(answer.report)
      ? 'Nothing is cached.'
      : pool
        ? `KV pool ${gib.text(pool.best)} GiB.`
        : '',
    answer.report.model.confidence === 'assumed' ? 'A part of the model was guessed.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function needed({ verdict }: Report) {
  const { needed_bytes: need, available_bytes: have, limit } = verdict;
  if (need === null || need === undefined || have === null || have === undefined) return nothing;
  // An encoder's request needs nothing of the pool.
  if (need === 0) return nothing;
  const scale = sizeScale(Math.max(need, have));
  const term = limit && limit !== 'none' ? words(limit) : 'The longest request';
  return html`<p class="needed">
    <b>${term}:</b> ${bytes('needed', need, scale)} needed,
    ${bytes('available', have, scale)} available
  </p>`;
}

function requests(answer: Answer) {
  const { capacity } = answer.report;
  const printed = capacity.max_concurrency;
  const spread = printed ? range(printed, plain('', 2)) : '';
  return html`<div class="figure">
    <dt>Requests at once</dt>
    <dd>
      <span class="big">${estimated('requests', capacity.max_requests, plain('', 0))}</span>
      ${
        cachesNothing(answer.report)
          ? html`<span class="sub">The cache sets no limit</span>`
          : printed
            ? html`<span class="sub"
            >${engineOf(answer)} prints
            <span class="number"><span data-n="concurrency">${plain('', 2).text(printed.best)}</span>x</span>
            ${spread ? html`<span class="range">${spread}</span> ` : nothing}${basis(printed)}</span
          >`
            : nothing
      }
    </dd>
  </div>`;
}

function pool({ report }: Answer) {
  if (cachesNothing(report)) {
    return html`<div class="figure">
      <dt>KV pool on one card</dt>
      <dd>
        <span class="big"><span class="number"><span data-n="pool">none</span></span></span>
        <span class="sub">Nothing is cached</span>
      </dd>
    </div>`;
  }
  const { tokens, bytes_per_token: perToken, state_bytes_per_request: state } = report.cache;
  const each =
    perToken > 0
      ? html`${bytes('per-token', perToken, sizeScale(perToken))} each`
      : 'no cache but the state';
  return html`<div class="figure">
    <dt>KV pool on one card</dt>
    <dd>
      <span class="big">${estimatedBytes('pool', report.memory.per_gpu.kv_pool)}</span>
      <span class="sub">${tokens ? html`${estimated('tokens', tokens, plain('tokens', 0))}, ` : nothing}${each}</span>
      ${
        state > 0
          ? html`<span class="sub">${bytes('state', state, sizeScale(state))} of state per request</span>`
          : nothing
      }
    </dd>
  </div>`;
}

function problemBanner(view: View) {
  const problem = problemOf(view);
  const { answer, pending } = view.session;
  const stale = answer
    ? html`<p class="stale-note"><b>Stale.</b> Below is the last good answer: ${setupLine(answer)}.</p>`
    : nothing;
  if (problem) {
    const field = fieldOf(problem.path, view.inputs.use === 'config');
    return html`<div class="banner">
      <p>
        ${icon('warn')}
        <span><b>${labelOf(field)}.</b> ${problem.message}
        ${
          field
            ? html`<button type="button" class="link" @click=${() => view.actions.goTo(field)}>
              Go to the field
            </button>`
            : nothing
        }</span>
      </p>
      ${stale}
    </div>`;
  }
  if (view.loading) {
    return html`<div class="banner"><p>${icon('wait')} <span>Fetching ${view.loading}…</span></p>${stale}</div>`;
  }
  if (pending !== null) {
    return html`<div class="banner">
      <p>
        ${icon('wait')}
        <span><b>Not fetched yet.</b> ${pending} is not built in. Press Enter or Load to get its
        config.json from ${hostFor(view.inputs)}.
        <button type="button" class="link" @click=${view.actions.load}>Load it</button></span>
      </p>
      ${stale}
    </div>`;
  }
  return nothing;
}

export const isStale = (view: View) =>
  problemOf(view) !== null || view.loading !== null || view.session.pending !== null;

export function verdictSection(view: View) {
  const { answer } = view.session;
  const banner = problemBanner(view);
  if (!answer) {
    return html`<section class="verdict" aria-labelledby="verdict-word" data-serves="unknown">
      <h2 id="verdict-word" class="word">${icon('wait')} No answer yet</h2>
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
        ${icon(serves ? 'yes' : 'no')} <span data-n="verdict">${verdictWord(report)}</span>
      </h2>
      <p class="setup">
        ${setupLine(answer)}
        ${
          report.model.confidence === 'assumed'
            ? html`<span class="basis guess">${icon('warn')} model assumed</span>`
            : nothing
        }
      </p>
      <div class="why">
        ${text ? html`<p>${text}</p>` : nothing} ${needed(report)}
      </div>
      <dl class="figures">${requests(answer)}${pool(answer)}</dl>
    </div>
  </section>`;
}
