import { html, nothing } from 'lit-html';
import { type ScatterPoint, scatter } from '../../charts/scatter';
import { engineName } from '../../engine-name';
import { type Baseline, ORIGINAL_SOURCE } from '../baselines';
import type { Start } from '../compare';
import { engines } from '../facts';
import { othersOf, sorted } from '../filter';
import type { AccuracyView } from '../page';
import { sizes, type Term } from '../rows';
import { words } from '../words';
import { scaleOf } from './figures';
import { shownOf } from './filters';

// Predicted against measured, by this calculator and by the others, on the same starts.

type Whose = 'ours' | Baseline;

const labelOf = ({ row, cardName, version }: Start) =>
  [row.name || row.id, row.card && (cardName || row.card), `${engineName(row.engine)} ${version}`]
    .filter((part) => part !== '')
    .join(', ');

function pointsOf(starts: Start[], whose: Whose, term: Term): ScatterPoint[] {
  return starts.flatMap((start) => {
    const { row, terms, others } = start;
    const x = terms[term]?.measured;
    const y = whose === 'ours' ? terms[term]?.best : others[whose][term];
    // A scale of powers has no place for nothing.
    if (!x || !y) return [];
    const href = row.source.startsWith('https://') ? { href: row.source } : {};
    return [{ x, y, label: labelOf(start), series: row.engine, ...href }];
  });
}

/** The same points as long as the same starts are shown, so that a picture is not drawn again. */
const kept = new Map<Whose, { key: string; points: ScatterPoint[] }>();

function keptPoints(starts: Start[], whose: Whose, term: Term): ScatterPoint[] {
  const key = [term, ...starts.map(({ row }) => row.id)].join(' ');
  const before = kept.get(whose);
  if (before?.key === key) return before.points;
  const points = pointsOf(starts, whose, term);
  kept.set(whose, { key, points });
  return points;
}

function picture(view: AccuracyView, starts: Start[], whose: Whose) {
  const { filter, locale, places } = view;
  const told = locale.pick(words);
  const name = whose === 'ours' ? told.ours : told.others[whose];
  const points = keptPoints(starts, whose, filter.term);
  if (points.length === 0) return nothing;
  const series = engines.filter((engine) => points.some((point) => point.series === engine));
  return html`<div class="accuracy-picture">
    <h3>${name}</h3>
    ${scatter({
      name: `accuracy-${whose}-${filter.term}`,
      title: told.pictureOf(told.terms[filter.term], name),
      points,
      unit: scaleOf(filter.term, locale),
      one: (sizes as readonly string[]).includes(filter.term) ? 2 ** 30 : 1,
      series: series.map((key) => ({ key, title: engineName(key) })),
      words: told,
      place: places[whose],
      locale,
    })}
  </div>`;
}

function aboutOthers({ locale }: AccuracyView) {
  const told = locale.pick(words);
  return html`<div class="prose accuracy-others">
    <p>${told.naiveText}</p>
    <p>${told.originalText} <a href=${ORIGINAL_SOURCE} rel="noreferrer">${told.originalSource}</a></p>
    <p><code>${told.originalFormula}</code></p>
  </div>`;
}

export function pictureSection(view: AccuracyView) {
  const { filter, locale, working } = view;
  const told = locale.pick(words);
  const starts = sorted(shownOf(view), { ...filter, order: 'measured', falling: false });
  const others = othersOf(starts, filter.term);
  if (starts.length === 0) {
    return working ? nothing : html`<p class="accuracy-none">${told.noneShown}</p>`;
  }
  return html`<section aria-labelledby="accuracy-pictures">
    <h2 id="accuracy-pictures">${told.pictures}</h2>
    <div class="accuracy-pictures">
      ${picture(view, starts, 'ours')} ${others.map((whose) => picture(view, starts, whose))}
    </div>
    ${others.length === 0 ? html`<p class="hint">${told.noPicture}</p>` : aboutOthers(view)}
  </section>`;
}
