import { html, nothing, type TemplateResult } from 'lit-html';
import { guard } from 'lit-html/directives/guard.js';
import type { SimulationAnswer } from 'ridgepoint';
import { lineChart } from '../../charts/lines';
import type { Place } from '../../charts/place';
import { shareBar } from '../../charts/shares';
import type { View } from '../../views/context';
import { seconds } from './figures';
import type { LoadWords } from './words';

// How the load went: the cache and the queue over time, and where the time of the steps went.

export interface Course {
  page: View;
  words: LoadWords;
  told: SimulationAnswer;
  caption: string;
  places: { kv: Place; requests: Place; steps: Place };
}

/** From here on minutes are easier to read. */
const LONG = 600;

function charts({ page, words, told, caption, places }: Course) {
  const { locale } = page;
  const own = words.course;
  const { series, duration_s } = told;
  const [unit, label] = duration_s > LONG ? [60, own.minutes] : [1, own.seconds];
  const x = {
    label,
    values: series.t_s.map((t) => t / unit),
    text: (value: number) => locale.short(Math.round(value * 10) / 10),
  };
  const at = (index: number) => seconds(series.t_s[index] ?? 0, locale);
  const percent = (value: number) => locale.percent(value);
  return html`<h4>${own.kv}</h4>
  ${lineChart({
    name: 'kv-over-time',
    title: own.kv,
    caption,
    x,
    y: { label: own.kvAxis, text: percent, most: 1 },
    lines: [{ name: own.kvLine, values: series.kv_share, area: true }],
    events: {
      name: own.preemptions,
      values: series.preemptions,
      text: (value) => locale.whole(value),
    },
    point: (index) => own.kvPoint(at(index), percent(series.kv_share[index] ?? 0)),
    high: 220,
    place: places.kv,
    locale,
  })}
  <h4>${own.requests}</h4>
  ${lineChart({
    name: 'requests-over-time',
    title: own.requests,
    caption,
    x,
    y: { label: own.requestsAxis, text: (value) => locale.short(value) },
    lines: [
      { name: own.running, values: series.running },
      { name: own.waiting, values: series.waiting },
    ],
    point: (index) =>
      own.point(
        at(index),
        locale.short(series.running[index] ?? 0),
        locale.short(series.waiting[index] ?? 0),
      ),
    high: 220,
    place: places.requests,
    locale,
  })}`;
}

function facts({ page, words, told }: Course) {
  const { locale } = page;
  const own = words.course;
  const { kv, running, waiting, preemptions, recomputed_tokens: again } = told;
  const short = (value: number) => locale.short(value);
  const share = (value: number) => locale.percent(value);
  return html`<dl class="load-facts">
      <div><dt>${own.kvLine}</dt><dd>${own.mean(share(kv.mean_share), share(kv.peak_share))}. ${own.poolOf(locale.whole(kv.tokens))}</dd></div>
      <div><dt>${own.running}</dt><dd>${own.mean(short(running.mean), short(running.peak))}</dd></div>
      <div><dt>${own.waiting}</dt><dd>${own.mean(short(waiting.mean), short(waiting.peak))}</dd></div>
    </dl>
    <p class="prose">
      ${preemptions > 0 ? own.preempted(locale.whole(preemptions), locale.whole(again)) : own.notPreempted}
      ${told.prefix_hit_tokens > 0 ? own.hit(locale.whole(told.prefix_hit_tokens)) : nothing}
    </p>`;
}

const order = [
  'linear_s',
  'attention_s',
  'experts_s',
  'communication_s',
  'head_s',
  'elementwise_s',
  'host_s',
  'idle_s',
] as const;

function steps({ page, words, told, caption, places }: Course) {
  const { locale } = page;
  const own = words.steps;
  const parts = order.flatMap((part, look) => {
    const value = told.step_time[part];
    return value > 0 ? [{ look, name: own.parts[part], value, text: seconds(value, locale) }] : [];
  });
  return html`<section aria-labelledby="load-steps-title">
    <h3 id="load-steps-title">${own.title}</h3>
    ${shareBar({
      name: 'step-time',
      title: own.chart,
      caption,
      parts,
      head: { part: own.part, share: own.share, amount: own.time },
      place: places.steps,
      locale,
    })}
    <p class="hint prose">
      ${
        told.mfu === null || told.mbu === null
          ? nothing
          : own.used(locale.percent(told.mfu), locale.percent(told.mbu), locale.whole(told.steps))
      }
    </p>
  </section>`;
}

function drawn(all: Course): TemplateResult {
  return html`<section aria-labelledby="load-course-title">
      <h3 id="load-course-title">${all.words.course.title}</h3>
      ${charts(all)} ${facts(all)}
    </section>
    ${steps(all)}`;
}

/** Drawn anew only when it is another: the page is drawn at every key. */
export function course(all: Course) {
  const { page, told, caption, places } = all;
  const looks = Object.values(places).map(({ look }) => look);
  return guard([told, page.locale, caption, ...looks], () => drawn(all));
}
