import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanCell } from 'ridgepoint';
import { capacityCurve } from '../../charts/curve';
import { Place } from '../../charts/place';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Answer } from '../../session';
import type { Host, View } from '../../views/context';
import { askedContext, askedLoad, curveQuery } from './queries';
import { state } from './state';
import { words } from './words';
import './room.css';

// How many requests fit against their length, with what the usual formula says instead.

export class CurvePart {
  readonly #place: Place;
  readonly #answers: Question<'scan'>;

  constructor(host: Host) {
    const redraw = () => host.redraw();
    this.#place = new Place(redraw);
    this.#answers = new Question(host.planner, 'scan', redraw);
  }

  view({ locale }: View, answer: Answer): TemplateResult {
    const own = locale.pick(words);
    const { answer: scan, problem, waiting } = this.#answers.for(curveQuery(answer));
    if (!scan) return state(own, problem, locale);
    const cells = scan.cells.filter(
      (cell): cell is ScanCell => !cell.error && cell.limit !== 'context',
    );
    const lengths = (scan.axes[0]?.values ?? []).map(Number);
    const last = cells.at(-1);
    if (!last || cells.every(({ max_requests }) => max_requests.best < 1)) {
      const limit = locale.plainCore(last?.limiting_term ?? '');
      return html`<p class="map-state">${icon('no')} <span>${own.nothing(limit)}</span></p>`;
    }
    const capped = cells.find(({ limiting }) => limiting === 'sequence_cap');
    return html`<div aria-busy=${waiting}>
      ${capacityCurve({
        name: 'capacity',
        title: own.curveTitle,
        caption: `${answer.modelLabel}, ${answer.cardLabel}`,
        points: cells.map(({ at, max_requests: { low, best, high }, naive_requests: naive }) => ({
          x: lengths[at[0] ?? 0] ?? 0,
          low,
          best,
          high,
          naive,
        })),
        chosen: askedContext(answer),
        load: askedLoad(answer),
        words: own.curve,
        place: this.#place,
        locale,
      })}
      ${
        capped
          ? html`<p class="hint map-hint">${own.capped(locale.plainCore(capped.limiting_term))}</p>`
          : nothing
      }
    </div>`;
  }
}
