import { html, nothing } from 'lit-html';
import { commandLacks } from '../command';
import { plain, short, size, sizeScale, timeScale, whole, words } from '../format';
import { bytes, estimated, icon, number } from '../parts';
import type { Answer } from '../session';
import type { Explanation, Report } from '../types';
import type { View } from './context';
import { engineOf } from './verdict';

// Below the bar: the naive answer, speed, advice, the math, and what to copy.

export function naiveSection(answer: Answer) {
  const { naive, verdict, cache, capacity } = answer.report;
  if (!naive) return nothing;
  const sizes = [naive.bytes_per_token, cache.bytes_per_token].filter((size) => size > 0);
  const perToken = sizeScale(sizes.length > 0 ? Math.min(...sizes) : 0);
  const token = (key: string, size: number) => (size > 0 ? bytes(key, size, perToken) : 'nothing');
  const state = cache.state_bytes_per_request;
  const answerOf = (fits: boolean, text: string) => html`${icon(fits ? 'yes' : 'no')} ${text}`;
  return html`<section aria-labelledby="naive-title">
    <h3 id="naive-title">What a naive calculator says</h3>
    <table class="compare">
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="num">Naive</th>
          <th scope="col" class="num">${engineOf(answer)}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">Verdict</th>
          <td class="num">${answerOf(naive.fits, naive.fits ? 'fits' : 'does not fit')}</td>
          <td class="num">${answerOf(verdict.serves, verdict.serves ? 'serves' : 'does not start')}</td>
        </tr>
        <tr>
          <th scope="row">Requests at once</th>
          <td class="num">
            ${naive.bytes_per_token > 0 || !naive.fits ? number('naive-requests', whole(naive.max_requests), '') : 'no limit'}
          </td>
          <td class="num">
            ${capacity.max_requests ? number('our-requests', whole(capacity.max_requests.best), '') : 'not known'}
          </td>
        </tr>
        <tr>
          <th scope="row">KV per token</th>
          <td class="num">${token('naive-token', naive.bytes_per_token)}</td>
          <td class="num">${token('our-token', cache.bytes_per_token)}</td>
        </tr>
        ${
          state > 0
            ? html`<tr>
              <th scope="row">State per request</th>
              <td class="num">nothing</td>
              <td class="num">${bytes('our-state', state, sizeScale(state))}</td>
            </tr>`
            : nothing
        }
      </tbody>
    </table>
    ${naive.why ? html`<p class="prose"><b>Why it is wrong.</b> ${naive.why}</p>` : nothing}
  </section>`;
}

export function speedSection({ report, request }: Answer) {
  const { speed } = report;
  if (!speed || !(speed.ttft_s || speed.tpot_s || speed.decode_tokens_per_s)) return nothing;
  const { prompt, output, concurrency } = request.workload;
  // An encoder reads its input once and writes no tokens.
  const reads = report.model.attention === 'encoder';
  const given = [
    typeof prompt === 'number' ? `prompt ${whole(prompt)}` : '',
    typeof output === 'number' && !reads ? `output ${whole(output)} tokens` : '',
    typeof concurrency === 'number' ? `${whole(concurrency)} at once` : 'one request at a time',
  ].filter(Boolean);
  return html`<section aria-labelledby="speed-title">
    <h3 id="speed-title">Speed <span class="hint">${given.join(', ')}</span></h3>
    <dl class="figures small">
      <div class="figure">
        <dt>${reads ? 'Time of one pass' : 'Time to first token'}</dt>
        <dd>${estimated('ttft', speed.ttft_s, timeScale(speed.ttft_s?.best ?? 0))}</dd>
      </div>
      ${reads ? nothing : outputFigures(speed)}
    </dl>
    ${
      speed.ridge_batch && !reads
        ? html`<p class="hint">
          Compute, not memory, is the limit from about
          ${number('ridge', whole(speed.ridge_batch), 'requests')} in a batch.
        </p>`
        : nothing
    }
  </section>`;
}

const outputFigures = (speed: NonNullable<Report['speed']>) => html`<div class="figure">
    <dt>Time per output token</dt>
    <dd>${estimated('tpot', speed.tpot_s, timeScale(speed.tpot_s?.best ?? 0))}</dd>
  </div>
  <div class="figure">
    <dt>Output of all requests</dt>
    <dd>${estimated('tps', speed.decode_tokens_per_s, plain('tokens/s'))}</dd>
  </div>`;

export function adviceSection({ report }: Answer) {
  if (!report.advice?.length) return nothing;
  return html`<section aria-labelledby="advice-title">
    <h3 id="advice-title">What to change</h3>
    <table class="advice">
      <thead class="sr">
        <tr>
          <th scope="col">Change</th>
          <th scope="col">Effect</th>
        </tr>
      </thead>
      <tbody>
        ${report.advice.map(
          ({ change, effect }) => html`<tr>
            <th scope="row">${change.startsWith('-') ? html`<code>${change}</code>` : change}</th>
            <td>${effect}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

function value({ value: number, unit }: Explanation) {
  if (number === null || number === undefined) return '';
  if (unit === 'bytes') return `${size(number)} (${whole(number)} bytes)`;
  return `${short(number)} ${unit}`.trim();
}

export function mathSection({ report }: Answer) {
  if (!report.explain?.length) return nothing;
  return html`<details class="section">
    <summary><h3>Show the math</h3></summary>
    <dl class="math">
      ${report.explain.map(
        (row) => html`<div>
          <dt>${words(row.term)}</dt>
          <dd>
            <p><code>${row.formula}</code></p>
            ${row.with_numbers ? html`<p><code>${row.with_numbers}</code></p>` : nothing}
            <p><b>= ${value(row)}</b></p>
            ${row.source ? html`<p class="hint">${row.source}</p>` : nothing}
          </dd>
        </div>`,
      )}
    </dl>
  </details>`;
}

function copyButton(view: View, what: string, text: string) {
  return html`<button type="button" @click=${() => view.actions.copy(what, text)}>
    Copy ${what}
  </button>`;
}

/** A line may break before a flag and not inside one. */
const commandWords = (command: string) =>
  command.split(/ (?=--)/).map((part, at) => html`${at > 0 ? ' ' : ''}<span>${part}</span>`);

export function exportSection(view: View, answer: Answer) {
  const request = JSON.stringify(answer.request, null, 2);
  const report = JSON.stringify(answer.report, null, 2);
  return html`<section aria-labelledby="export-title">
    <h3 id="export-title">Take it with you</h3>
    <p class="hint">The same question on the command line</p>
    <pre class="command" tabindex="0" aria-label="Command line"><code>${commandWords(answer.command)}</code></pre>
    ${
      commandLacks(answer.request)
        ? html`<p class="hint">
          The bandwidth and compute of a custom card have no option: feed the request to
          <code>ridgepoint batch</code> instead.
        </p>`
        : nothing
    }
    <p class="buttons">
      ${copyButton(view, 'command', answer.command)} ${copyButton(view, 'request', request)}
      ${copyButton(view, 'report', report)} ${copyButton(view, 'link', location.href)}
      <span class="hint" role="status">${view.copied}</span>
    </p>
    <details>
      <summary>Request JSON</summary>
      <pre tabindex="0" aria-label="Request JSON"><code>${request}</code></pre>
    </details>
    <details>
      <summary>Report JSON</summary>
      <pre tabindex="0" aria-label="Report JSON"><code>${report}</code></pre>
    </details>
  </section>`;
}
