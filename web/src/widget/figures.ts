import { html, nothing } from 'lit-html';
import { cachesNothing } from '../cache';
import { bytes, estimated, estimatedBytes } from '../parts';
import type { Answer } from '../session';
import type { Show } from './view';

// The figures behind the verdict.

const figure = (label: string, value: unknown) =>
  html`<div class="figure"><dt>${label}</dt><dd>${value}</dd></div>`;

export function figures({ locale, own }: Show, { report }: Answer) {
  const { words } = locale;
  const { cache, memory, verdict } = report;
  const perToken = cache.bytes_per_token;
  return html`<dl class="figures" part="figures">
    ${
      cachesNothing(report)
        ? figure(words.verdict.pool, words.verdict.nothingCached)
        : html`${
            verdict.serves
              ? html`${figure(words.verdict.pool, estimatedBytes(locale, 'pool', memory.per_gpu.kv_pool))}
                ${figure(own.tokensInPool, estimated(locale, 'tokens', cache.tokens, locale.plain('', 0)))}`
              : nothing
          }
          ${perToken > 0 ? figure(own.perToken, bytes(locale, 'per-token', perToken, locale.sizeScale(perToken))) : nothing}`
    }
  </dl>`;
}
