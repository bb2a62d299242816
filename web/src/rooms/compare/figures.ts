import { html, nothing, type TemplateResult } from 'lit-html';
import { cachesNothing } from '../../cache';
import type { Locale } from '../../locale';
import { estimated, estimatedBytes, icon, number } from '../../parts';
import type { Answer } from '../../session';

// The figures of a setup that is set beside others: the same ones, in the same order.

interface Figure {
  name: string;
  value: TemplateResult;
  under?: TemplateResult | typeof nothing;
}

const none = html`<span class="unknown">–</span>`;

function asked({ words, whole }: Locale, { request, report }: Answer) {
  const load = request.workload.concurrency;
  const fit = report.capacity.max_requests;
  if (typeof load !== 'number' || !fit || !report.verdict.serves) return nothing;
  const fits = load <= fit.best;
  return html`<span class="sub">${icon(fits ? 'yes' : 'warn')} ${words.verdict.asked(whole(load), fits)}</span>`;
}

function speedFigures(locale: Locale, { report }: Answer, key: string): Figure[] {
  const { words, timeScale, plain } = locale;
  const { speed } = report;
  const reads = report.model.attention === 'encoder';
  const serves = report.verdict.serves;
  const time = (name: string, value: NonNullable<typeof speed>['ttft_s'] | undefined) =>
    serves ? estimated(locale, `${key}-${name}`, value, timeScale(value?.best ?? 0)) : none;
  const first: Figure = {
    name: reads ? words.speed.onePass : words.speed.ttft,
    value: time('ttft', speed?.ttft_s),
  };
  if (reads) return [first];
  return [
    first,
    { name: words.speed.tpot, value: time('tpot', speed?.tpot_s) },
    {
      name: words.speed.output,
      value: serves
        ? estimated(
            locale,
            `${key}-tps`,
            speed?.decode_tokens_per_s,
            plain(locale.words.units.perSecond),
          )
        : none,
    },
  ];
}

/**
 * `key` tells these numbers from others of their kind on the page. `told`: whether the requests asked
 * for are compared with those that fit; what the engine needs for them may stand elsewhere.
 */
export function figuresOf(
  locale: Locale,
  answer: Answer,
  key: string,
  longest: string,
  told = true,
): Figure[] {
  const { words, plain, whole } = locale;
  const { capacity, memory } = answer.report;
  const nothingCached = cachesNothing(answer.report);
  return [
    {
      name: words.verdict.requests,
      value: estimated(locale, `${key}-requests`, capacity.max_requests, plain('', 0)),
      under: nothingCached
        ? html`<span class="sub">${words.verdict.noLimit}</span>`
        : told
          ? asked(locale, answer)
          : nothing,
    },
    {
      name: words.verdict.pool,
      value: nothingCached
        ? html`<span class="number">${words.verdict.none}</span>`
        : estimatedBytes(locale, `${key}-pool`, memory.per_gpu.kv_pool),
    },
    {
      name: longest,
      value:
        capacity.max_context > 0
          ? number(`${key}-longest`, whole(capacity.max_context), words.units.tokens)
          : none,
    },
    ...speedFigures(locale, answer, key),
  ];
}

export const figureList = (figures: Figure[]) => html`<dl class="beside-figures">
    ${figures.map(
      ({ name, value, under }) => html`<div>
        <dt>${name}</dt>
        <dd>${value}${under ?? nothing}</dd>
      </div>`,
    )}
  </dl>`;
