import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { CapacityAnswer, CapacityPoint } from 'ridgepoint';
import { withChange } from '../../change';
import { type Line, lineChart, type Mark } from '../../charts/lines';
import type { Place } from '../../charts/place';
import { icon } from '../../parts';
import type { Applied } from '../../request';
import type { Request as PageRequest } from '../../types';
import type { View } from '../../views/context';
import { money, seconds } from './figures';
import type { MostQuery } from './query';
import { goalText } from './results';
import type { RunQuestion } from './run';
import { problemLine, progressLine } from './state-line';
import type { LoadWords } from './words';

// The most that keeps to the goal: found when it is asked for, for it takes its time.

export interface Most {
  page: View;
  words: LoadWords;
  question: RunQuestion<'capacity'>;
  /** What would be asked now; null where there is nothing to find: a goal is missing. */
  query: MostQuery | null;
  /** Whether the fields can be read: they say themselves what is wrong. */
  readable: boolean;
  /** The setup as the page asks about it. */
  request: PageRequest;
  caption: string;
  places: { ttft: Place; tpot: Place; shares: Place };
}

/** What the load of the settings is, on the axis of the curve. */
function askedLoad({ load }: MostQuery): number | null {
  const { arrivals } = load;
  if (arrivals.kind === 'closed') return arrivals.concurrency;
  return 'rate' in arrivals ? arrivals.rate : null;
}

function marksOf({ page, words }: Most, told: CapacityAnswer, of: MostQuery): Mark[] {
  const { locale } = page;
  const own = words.most;
  const asked = askedLoad(of);
  const { best, knee } = told;
  const say = (word: string, value: number) => `${word} ${locale.short(value)}`;
  return [
    ...(best
      ? [{ at: best.value, text: say(own.best, best.value), from: best.low, to: best.high }]
      : []),
    ...(knee === null ? [] : [{ at: knee, text: say(own.knee, knee) }]),
    ...(asked === null ? [] : [{ at: asked, text: say(own.here, asked) }]),
  ];
}

type Times = 'ttft_s' | 'tpot_s';

function latencyChart(all: Most, told: CapacityAnswer, of: MostQuery, times: Times) {
  const { page, words, places, caption } = all;
  const { locale } = page;
  const own = words.most;
  const { curve } = told;
  const write = (value: number) => seconds(value, locale);
  const goal = times === 'ttft_s' ? of.slo.ttft_s : of.slo.tpot_s;
  const line = (name: string, column: 'p50' | 'p99'): Line => ({
    name,
    values: curve.map((point) => point[times][column]),
    dots: true,
  });
  const all99 = curve.map((point) => point[times].p99);
  const steep = Math.max(...all99) > 8 * Math.min(...curve.map((point) => point[times].p50));
  const title = times === 'ttft_s' ? own.ttftTitle : own.tpotTitle;
  const chart = lineChart({
    name: times === 'ttft_s' ? 'ttft-against-load' : 'tpot-against-load',
    title,
    caption,
    x: {
      label: own.axis[told.over],
      values: curve.map(({ value }) => value),
      text: (value) => locale.short(value),
    },
    y: { label: own.time, text: write, log: steep },
    lines: [line(own.p50, 'p50'), line(own.p99, 'p99')],
    levels: goal === undefined ? [] : [{ at: goal, text: own.goal(write(goal)) }],
    marks: marksOf(all, told, of),
    point: (index) => {
      const point = curve[index];
      if (!point) return '';
      const load = `${locale.short(point.value)} ${own.short[told.over]}`;
      return own.point(load, write(point[times].p50), write(point[times].p99));
    },
    place: times === 'ttft_s' ? places.ttft : places.tpot,
    locale,
  });
  return html`<h4>${title}</h4>
    ${chart}`;
}

/** Why a point whose share is high enough misses is not seen from its figures. */
function standingOf(point: CapacityPoint | undefined, { standing }: LoadWords['most']): string {
  if (!point) return '';
  if (point.meets) return standing.meets;
  return point.piles_up ? standing.pilesUp : standing.misses;
}

function sharesChart(all: Most, told: CapacityAnswer, of: MostQuery) {
  const { page, words, places, caption } = all;
  const { locale } = page;
  const own = words.most;
  const { curve } = told;
  const percent = (value: number) => locale.percent(value);
  const chart = lineChart({
    name: 'shares-against-load',
    title: own.sharesTitle,
    caption,
    x: {
      label: own.axis[told.over],
      values: curve.map(({ value }) => value),
      text: (value) => locale.short(value),
    },
    y: { label: own.share, text: percent, most: 1 },
    lines: [
      { name: own.meeting, values: curve.map((point) => point.share_meeting), dots: true },
      { name: own.kv, values: curve.map((point) => point.kv_peak_share), dots: true },
    ],
    levels: [
      { at: of.slo.percentile ?? 0.99, text: own.goal(locale.percent(of.slo.percentile ?? 0.99)) },
    ],
    marks: marksOf(all, told, of),
    remarks: {
      name: own.standing.title,
      text: (index) => standingOf(curve[index], own),
    },
    point: (index) => {
      const point = curve[index];
      if (!point) return '';
      const load = `${locale.short(point.value)} ${own.short[told.over]}`;
      const said = own.sharePoint(load, percent(point.share_meeting), percent(point.kv_peak_share));
      return point.piles_up ? `${said}${own.pilesUp}` : said;
    },
    high: 240,
    place: places.shares,
    locale,
  });
  return html`<h4>${own.sharesTitle}</h4>
    ${chart}`;
}

function changes({ page, words, request }: Most, told: CapacityAnswer) {
  const { locale, actions, catalogue } = page;
  const own = words.most;
  // Changes are tried with the first draw of the requests.
  const best = told.best?.seeds[0] ?? 0;
  if (told.changes.length === 0) return html`<p class="hint">${own.noChange}</p>`;
  const flags = catalogue.engines.find(({ name }) => name === request.engine.name)?.flags ?? [];
  return html`<h4>${own.changes}</h4>
    <ul class="changes">
      ${told.changes.map(({ change, how, edit, best: then }) => {
        const more = best > 0 ? `+${locale.percent(then / best - 1)}` : '';
        const said = locale.plainCore(change);
        return html`<li class="change">
          <div>
            <p>
              <b>${change.startsWith('-') ? html`<code>${change}</code>` : locale.core(change)}</b>
              ${how && how !== change ? locale.core(how) : nothing}
            </p>
            <p class="load-gain">
              ${icon('yes')}
              ${own.gain(`${locale.short(then)} ${own.short[told.over]}`, locale.short(best), more)}
            </p>
          </div>
          <button
            type="button"
            aria-label=${own.applyLabel(said)}
            @click=${() => actions.apply(withChange(request, edit, flags) as Applied, said)}
          >
            ${own.apply}
          </button>
        </li>`;
      })}
    </ul>`;
}

function found(all: Most, told: CapacityAnswer, of: MostQuery) {
  const { page, words } = all;
  const { locale } = page;
  const own = words.most;
  const { best, at_best: there, over } = told;
  const cost = told.cost_per_million_output_tokens;
  return html`<div class="load-verdict" data-standing=${best ? 'meets' : 'misses'} role="status">
      <p class="load-word">
        ${icon(best ? 'yes' : 'no')}
        <span data-n="load-most">${best ? own.carries[over](locale.short(best.value)) : own.nothing}</span>
      </p>
      ${
        best
          ? html`<p>
              ${best.low === best.high ? nothing : own.range(locale.range(best, locale.plain('')))}
              ${words.verdict.goal(goalText(of.slo, locale, words))}
            </p>`
          : nothing
      }
    </div>
    ${
      there
        ? html`<dl class="load-facts">
            <div><dt>${own.throughput}</dt><dd>${locale.short(there.output_tokens_per_s)} ${words.figures.perSecond}</dd></div>
            <div><dt>${words.course.kvLine}</dt><dd>${locale.percent(there.kv_peak_share)}</dd></div>
            ${cost === null ? nothing : html`<div><dt>${own.cost}</dt><dd>${money(cost, locale)}</dd></div>`}
          </dl>`
        : nothing
    }
    <p class="prose load-limit"><b>${words.limit.title}:</b> ${locale.core(told.limit.text)}</p>
    ${changes(all, told)}
    ${
      told.curve.length > 1
        ? html`${latencyChart(all, told, of, 'ttft_s')} ${latencyChart(all, told, of, 'tpot_s')}
            ${sharesChart(all, told, of)}`
        : nothing
    }`;
}

export function most(all: Most): TemplateResult {
  const { words, question, query, readable, page, caption, places } = all;
  const looks = Object.values(places).map(({ look }) => look);
  const own = words.most;
  const { answer: told, of, running, problem, stopped } = question.state;
  const stale = told !== null && of !== query;
  const asked = running || stopped;
  return html`<section aria-labelledby="load-most-title" aria-busy=${running ? 'true' : 'false'}>
    <h3 id="load-most-title">${own.title}</h3>
    ${told || asked ? nothing : html`<p class="prose">${query ? own.intro : readable ? own.needsGoal : nothing}</p>`}
    ${
      asked
        ? progressLine({ page, words, question, word: own.working, id: 'most' })
        : problem
          ? problemLine(page, words, problem, '')
          : nothing
    }
    ${
      query && !asked && (!told || stale)
        ? html`<p class="buttons">
            <button type="button" id="load-find" @click=${() => question.ask(query, 0)}>
              ${told ? own.again : own.find}
            </button>
            ${stale ? html`<span class="hint">${icon('warn')} ${own.stale}</span>` : nothing}
          </p>`
        : nothing
    }
    ${told && of ? html`<div class="load-found" ?data-stale=${stale}>${guard([told, all.request, page.catalogue, page.locale, caption, ...looks], () => found(all, told, of as MostQuery))}</div>` : nothing}
  </section>`;
}
