import { html, nothing } from 'lit-html';
import { type ScatterPoint, scatter } from '../../../charts/scatter';
import { engineName } from '../../../engine-name';
import { signed } from '../../views/figures';
import { errorOf } from '../filter';
import { groups } from '../groups';
import { addressOf } from '../link';
import type { Point } from '../packed';
import { PAGE, type SpeedView } from '../part';
import { words } from '../words';
import { cardsOf, loadOf, oneOf, scaleOf } from './figures';

// One figure, predicted against measured, by group.

const labelOf = (point: Point, locale: SpeedView['locale']) =>
  [
    point.model,
    cardsOf(point, locale),
    `${engineName(point.engine)} ${point.version}`.trim(),
    loadOf(point, locale),
  ]
    .filter((part) => part !== '')
    .join(', ');

/** The same points for the same choice and language, so that a picture is not drawn again. */
let kept: { of: Point[]; lang: string; points: ScatterPoint[] } | null = null;

function pointsOf({ rising, locale }: SpeedView): ScatterPoint[] {
  if (kept?.of === rising && kept.lang === locale.lang) return kept.points;
  const points = rising.map((point) => {
    const href = addressOf(point.source);
    return {
      x: point.measured,
      y: point.predicted,
      label: labelOf(point, locale),
      series: point.group,
      ...(href ? { href } : {}),
    };
  });
  kept = { of: rising, lang: locale.lang, points };
  return points;
}

function table({ rising, shown, filter, locale, more }: SpeedView) {
  const own = locale.pick(words);
  const scale = scaleOf(filter.figure, locale);
  const part = rising.slice(0, shown);
  const rest = rising.length - part.length;
  return html`<table>
      <thead>
        <tr>
          <th scope="col">${own.chart.which}</th>
          <th scope="col" class="num">${own.chart.measured}, ${scale.unit}</th>
          <th scope="col" class="num">${own.chart.predicted}, ${scale.unit}</th>
          <th scope="col" class="num">${own.chart.difference}</th>
        </tr>
      </thead>
      <tbody>
        ${part.map(
          (point) => html`<tr>
            <th scope="row">${labelOf(point, locale)}</th>
            <td class="num">${scale.text(point.measured)}</td>
            <td class="num">${scale.text(point.predicted)}</td>
            <td class="num">${signed(errorOf(point), locale)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
    ${
      rest > 0
        ? html`<p class="hint">
            ${own.tableFirst(locale.whole(part.length), locale.whole(rising.length))}
            <button type="button" class="link" @click=${more}>${own.more(locale.whole(Math.min(PAGE, rest)))}</button>
          </p>`
        : nothing
    }`;
}

export function pictureSection(view: SpeedView) {
  const { locale, filter, rising, place } = view;
  const own = locale.pick(words);
  if (rising.length === 0) return html`<p class="accuracy-none">${own.none}</p>`;
  const seen = new Set(rising.map(({ group }) => group));
  return html`<section aria-labelledby="speed-picture">
    <h2 id="speed-picture">${own.picture}</h2>
    <div class="accuracy-picture">
      <h3>${own.figures[filter.figure]}</h3>
      ${scatter({
        name: `speed-${filter.figure}`,
        title: own.pictureOf(own.figures[filter.figure]),
        points: pointsOf(view),
        unit: scaleOf(filter.figure, locale),
        one: oneOf(filter.figure),
        series: groups
          .filter((group) => seen.has(group))
          .map((key) => ({ key, title: own.groups[key] })),
        words: own.chart,
        place,
        locale,
        table: table(view),
      })}
    </div>
  </section>`;
}
