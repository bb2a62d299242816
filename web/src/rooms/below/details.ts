import { html, nothing } from 'lit-html';
import type { Request as Contract } from 'ridgepoint';
import { commandLacks, commandOf } from '../../command';
import type { Locale } from '../../locale';
import { bytes, estimated, icon, number } from '../../parts';
import type { Answer } from '../../session';
import type { Report } from '../../types';
import type { View } from '../../views/context';
import { engineOf } from '../../views/verdict';
import { belowWords } from './words';

// Below the bar: the naive answer, speed, and what to copy.

export function naiveSection({ locale }: View, answer: Answer) {
  const { words, whole, sizeScale } = locale;
  const told = belowWords(locale).naive;
  const { naive, verdict, cache, capacity } = answer.report;
  if (!naive) return nothing;
  const sizes = [naive.bytes_per_token, cache.bytes_per_token].filter((size) => size > 0);
  const perToken = sizeScale(sizes.length > 0 ? Math.min(...sizes) : 0);
  const token = (key: string, size: number) =>
    size > 0 ? bytes(locale, key, size, perToken) : told.nothing;
  const state = cache.state_bytes_per_request;
  const answerOf = (fits: boolean, text: string) => html`${icon(fits ? 'yes' : 'no')} ${text}`;
  return html`<section aria-labelledby="naive-title">
    <h3 id="naive-title">${told.title}</h3>
    <table class="compare">
      <thead>
        <tr>
          <td></td>
          <th scope="col" class="num">${told.naive}</th>
          <th scope="col" class="num">${engineOf(answer)}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">${told.verdict}</th>
          <td class="num">${answerOf(naive.fits, naive.fits ? told.fits : told.fitsNot)}</td>
          <td class="num">${answerOf(verdict.serves, verdict.serves ? told.serves : told.startsNot)}</td>
        </tr>
        <tr>
          <th scope="row">${words.verdict.requests}</th>
          <td class="num">
            ${naive.bytes_per_token > 0 || !naive.fits ? number('naive-requests', whole(naive.max_requests), '') : told.noLimit}
          </td>
          <td class="num">
            ${capacity.max_requests ? number('our-requests', whole(capacity.max_requests.best), '') : words.verdict.notKnown}
          </td>
        </tr>
        <tr>
          <th scope="row">${told.perToken}</th>
          <td class="num">${token('naive-token', naive.bytes_per_token)}</td>
          <td class="num">${token('our-token', cache.bytes_per_token)}</td>
        </tr>
        ${
          state > 0
            ? html`<tr>
              <th scope="row">${told.state}</th>
              <td class="num">${told.nothing}</td>
              <td class="num">${bytes(locale, 'our-state', state, sizeScale(state))}</td>
            </tr>`
            : nothing
        }
      </tbody>
    </table>
    ${naive.why ? html`<p class="prose"><b>${told.why}</b> ${locale.core(naive.why)}</p>` : nothing}
  </section>`;
}

/** The first answer tells no speed: it comes with the whole report. */
function speedOf(view: View, { report, request }: Answer): Report['speed'] | 'coming' {
  const asked = view.whole.for(request as Contract);
  // That of the last one stays until then: nothing is to flicker while someone types.
  if (asked.answer) return asked.answer.speed;
  if (report.speed) return report.speed;
  return asked.waiting ? 'coming' : null;
}

export function speedSection(view: View, answer: Answer) {
  const { locale } = view;
  const { report, request } = answer;
  const { words, timeScale, whole } = locale;
  if (!report.verdict.serves) return nothing;
  const speed = speedOf(view, answer);
  if (speed === null) return nothing;
  const { prompt, output, concurrency } = request.workload;
  // An encoder reads its input once and writes no tokens.
  const reads = report.model.attention === 'encoder';
  const given = [
    typeof prompt === 'number' ? words.speed.prompt(prompt) : '',
    typeof output === 'number' && !reads ? words.speed.outputTokens(output) : '',
    typeof concurrency === 'number' ? words.speed.atOnce(concurrency) : words.speed.one,
  ].filter(Boolean);
  const title = html`<h3 id="speed-title">${words.speed.title} <span class="hint">${given.join(', ')}</span></h3>`;
  if (speed === 'coming') {
    return html`<section aria-labelledby="speed-title" aria-busy="true">${title}<p class="hint">…</p></section>`;
  }
  return html`<section aria-labelledby="speed-title">
    ${title}
    <dl class="figures small">
      <div class="figure">
        <dt>${reads ? words.speed.onePass : words.speed.ttft}</dt>
        <dd>${estimated(locale, 'ttft', speed.ttft_s, timeScale(speed.ttft_s?.best ?? 0))}</dd>
      </div>
      ${reads ? nothing : outputFigures(locale, speed)}
    </dl>
    ${
      speed.ridge_batch && !reads
        ? html`<p class="hint">${words.speed.ridge(whole(speed.ridge_batch))}</p>`
        : nothing
    }
    ${reads ? nothing : useOf(locale, speed)}
  </section>`;
}

/** How much of the ceilings that is. */
function useOf(locale: Locale, speed: NonNullable<Report['speed']>) {
  if (speed.mfu === undefined || speed.mbu === undefined) return nothing;
  const told = belowWords(locale).speed;
  const share = (part: number) => `${locale.whole(Math.round(part * 100))} %`;
  return html`<p class="hint">${told.use(share(speed.mfu), share(speed.mbu), told.parts[speed.dominant ?? ''] ?? '')}</p>`;
}

const outputFigures = (
  locale: Locale,
  speed: NonNullable<Report['speed']>,
) => html`<div class="figure">
    <dt>${locale.words.speed.tpot}</dt>
    <dd>${estimated(locale, 'tpot', speed.tpot_s, locale.timeScale(speed.tpot_s?.best ?? 0))}</dd>
  </div>
  <div class="figure">
    <dt>${locale.words.speed.output}</dt>
    <dd>${estimated(locale, 'tps', speed.decode_tokens_per_s, locale.plain(locale.words.units.perSecond))}</dd>
  </div>`;

function copyButton({ locale, actions }: View, what: string, text: string) {
  return html`<button type="button" @click=${() => actions.copy(what, text)}>
    ${locale.words.take.copy(what)}
  </button>`;
}

/** A line may break before a flag and not inside one. */
const commandWords = (command: string) =>
  command.split(/ (?=--)/).map((part, at) => html`${at > 0 ? ' ' : ''}<span>${part}</span>`);

export function exportSection(view: View, answer: Answer) {
  const { take } = view.locale.words;
  const request = JSON.stringify(answer.request, null, 2);
  const asked = view.whole.for(answer.request as Contract);
  const whole = asked.waiting ? null : asked.answer;
  const report = JSON.stringify(whole ?? answer.report, null, 2);
  return html`<section aria-labelledby="export-title">
    <h3 id="export-title">${take.title}</h3>
    <p class="hint">${take.same}</p>
    <pre class="command" tabindex="0" aria-label=${take.line}><code>${commandWords(commandOf(answer))}</code></pre>
    ${
      commandLacks(answer.request)
        ? html`<p class="hint">${take.lacks('ridgepoint batch')}</p>`
        : nothing
    }
    <p class="buttons">
      ${copyButton(view, take.command, commandOf(answer))} ${copyButton(view, take.request, request)}
      ${copyButton(view, take.report, report)}
    </p>
    <details>
      <summary>${take.requestJson}</summary>
      <pre id="request-json" tabindex="0" aria-label=${take.requestJson}><code>${request}</code></pre>
    </details>
    <details>
      <summary>${take.reportJson}</summary>
      <pre id="report-json" data-whole=${whole ? 'yes' : 'no'} tabindex="0" aria-label=${take.reportJson}><code>${report}</code></pre>
    </details>
  </section>`;
}
