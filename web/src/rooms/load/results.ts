import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulateQuery, SimulationAnswer, Slo } from 'ridgepoint';
import { withContext } from '../../change';
import type { Locale } from '../../locale';
import { basis, estimated, type IconName, icon, number } from '../../parts';
import type { Applied } from '../../request';
import type { Estimate, Request as PageRequest } from '../../types';
import type { View } from '../../views/context';
import { money, range, seconds } from './figures';
import { type Standing, standingOf } from './standing';
import type { LoadWords } from './words';

// What became of the requests: the verdict, the figures that count, and all the times.

export interface Results {
  page: View;
  words: LoadWords;
  told: SimulationAnswer;
  of: SimulateQuery;
  /** The setup as the page asks about it. */
  request: PageRequest;
  /** The length of a request that it takes, and the most that the model does. */
  context: number;
  most: number;
}

const marks: Record<Standing, IconName> = { meets: 'yes', tight: 'mid', misses: 'no' };

export function goalText(slo: Slo, locale: Locale, { verdict }: LoadWords): string {
  const parts = [
    slo.ttft_s === undefined ? '' : verdict.goalTtft(seconds(slo.ttft_s, locale)),
    slo.tpot_s === undefined
      ? ''
      : verdict.goalPace(locale.short(1 / slo.tpot_s), seconds(slo.tpot_s, locale)),
  ];
  return parts.filter(Boolean).join(verdict.and);
}

export const shareText = (share: number, locale: Locale) =>
  locale.percent(share, Number.isInteger(Math.round(share * 1e4) / 100) ? 0 : 1);

/** Long enough for all of the load, in steps that people write, as far as the model goes. */
function lengthFor({ told, most }: Results): number {
  const tokens = Math.ceil(told.requests.longest / 1024) * 1024;
  return most > 0 ? Math.min(tokens, most) : tokens;
}

function longer(all: Results) {
  const { page, words, told, request, context } = all;
  const { locale, actions, catalogue } = page;
  const tokens = lengthFor(all);
  if (tokens <= context) {
    const enough = told.requests.longest <= context;
    return enough ? nothing : html`<span>${words.verdict.modelEnds(locale.whole(all.most))}</span>`;
  }
  const flags = catalogue.engines.find(({ name }) => name === request.engine.name)?.flags ?? [];
  const said = words.verdict.longer(locale.whole(tokens));
  return html`<button
    type="button"
    id="load-longer"
    @click=${() => actions.apply(withContext(request, tokens, flags) as Applied, said)}
  >
    ${said}
  </button>`;
}

function verdict(all: Results) {
  const { page, words, told, of } = all;
  const { locale } = page;
  const own = words.verdict;
  const standing = standingOf(told, of.slo);
  const { requests, duration_s, goodput } = told;
  return html`<div class="load-verdict" data-standing=${standing ?? 'none'} role="status">
    <p class="load-word">
      ${standing ? icon(marks[standing]) : nothing}
      <span data-n="load-verdict">${standing ? own[standing] : own.took(locale.whole(requests.finished), seconds(duration_s, locale))}</span>
    </p>
    ${
      goodput && of.slo
        ? html`<p>
            ${own.share(
              shareText(goodput.share, locale),
              shareText(of.slo.percentile ?? 0.99, locale),
              goalText(of.slo, locale, words),
            )}
            ${standing === 'tight' ? own.tightWhy : nothing}
          </p>`
        : html`<p class="hint">${own.noGoal}</p>`
    }
    ${
      requests.refused > 0
        ? html`<p class="load-refused">
            ${icon('warn')}
            <span
              >${own.refused(locale.whole(requests.refused))}
              ${locale.core(requests.refused_why)}</span
            >
            ${longer(all)}
          </p>`
        : nothing
    }
  </div>`;
}

/** A time with the range that the band makes of it. */
function ranged(value: number, [low, high]: [number, number], kind: string): Estimate {
  return {
    low: value * low,
    best: value,
    high: value * high,
    basis: kind as Estimate['basis'],
    starts: 0,
  };
}

const figure = (name: string, content: unknown, sub: unknown) => html`<div class="figure">
    <dt>${name}</dt>
    <dd>
      <span class="small">${content}</span>
      ${sub ? html`<span class="sub">${sub}</span>` : nothing}
    </dd>
  </div>`;

function figures({ page, words, told }: Results) {
  const { locale } = page;
  const own = words.figures;
  const { latency, bands, throughput, goodput } = told;
  const ttft = latency.ttft_s;
  const tpot = latency.tpot_s;
  const cost = told.cost_per_million_output_tokens;
  return html`<dl class="figures small load-figures">
    ${figure(
      own.ttft,
      estimated(
        locale,
        'load-ttft',
        ranged(ttft.p99, bands.ttft, bands.basis),
        locale.timeScale(ttft.p99),
      ),
      `${own.median} ${seconds(ttft.p50, locale)}`,
    )}
    ${figure(
      own.tpot,
      estimated(
        locale,
        'load-tpot',
        tpot.count > 0 ? ranged(tpot.p99, bands.tpot, bands.basis) : null,
        locale.timeScale(tpot.p99),
      ),
      tpot.count > 0
        ? `${own.median} ${seconds(tpot.p50, locale)}, ${locale.short(1 / tpot.p50)} ${own.perSecond}`
        : '',
    )}
    ${figure(
      own.throughput,
      number('load-tokens', locale.short(throughput.output_tokens_per_s), own.perSecond),
      html`${own.prompts(locale.short(throughput.total_tokens_per_s))}<br />${locale.short(throughput.requests_per_s)} ${own.requests}`,
    )}
    ${
      goodput
        ? figure(
            own.goodput,
            number('load-goodput', locale.short(goodput.requests_per_s), own.requests),
            `${shareText(goodput.share, locale)} ${own.within}`,
          )
        : nothing
    }
    ${figure(
      own.cost,
      cost === null
        ? html`<span class="unknown">${own.noPrice}</span>`
        : number('load-cost', money(cost, locale), ''),
      told.price_per_hour === null ? '' : own.hourly(money(told.price_per_hour, locale)),
    )}
  </dl>`;
}

const columns = ['mean', 'p50', 'p90', 'p95', 'p99'] as const;

function latency({ page, words, told, of }: Results) {
  const { locale } = page;
  const own = words.latency;
  const names = Object.keys(own.rows) as (keyof typeof own.rows)[];
  const goals = { ttft_s: of.slo?.ttft_s, tpot_s: of.slo?.tpot_s } as Record<
    string,
    number | undefined
  >;
  const goal = Object.values(goals).some((one) => one !== undefined);
  const { bands } = told;
  return html`<section aria-labelledby="load-latency-title">
    <h3 id="load-latency-title">${own.title}</h3>
    <div class="scroll" role="group" tabindex="0" aria-label=${own.title}>
      <table class="load-latency">
        <thead>
          <tr>
            <th scope="col">${own.time}</th>
            ${columns.map((column) => html`<th scope="col" class="num">${column === 'mean' ? own.mean : column}</th>`)}
            ${goal ? html`<th scope="col" class="num">${own.goal}</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${names.map((name) => {
            const times = told.latency[name];
            const limit = goals[name];
            return html`<tr>
              <th scope="row"><span class="load-long">${own.rows[name]}</span><span class="load-short" aria-hidden="true">${own.short[name]}</span></th>
              ${columns.map(
                (column) =>
                  html`<td class="num">${times.count > 0 ? seconds(times[column], locale) : '–'}</td>`,
              )}
              ${goal ? html`<td class="num">${limit === undefined ? '' : seconds(limit, locale)}</td>` : nothing}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>
    <p class="hint prose">
      ${own.bands(range(bands.ttft, locale), range(bands.tpot, locale))}
      ${basis(locale, ranged(1, bands.ttft, bands.basis))}
    </p>
  </section>`;
}

export const results = (all: Results): TemplateResult =>
  html`<section class="load-result">${verdict(all)} ${figures(all)}</section>
    ${latency(all)}`;
