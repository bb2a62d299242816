import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanAnswer, ScanCell, ScanFailure } from 'ridgepoint';
import { withChange } from '../../change';
import { type Fit, heatGrid } from '../../charts/heat-grid';
import { tokens } from '../../charts/log-scale';
import { Place } from '../../charts/place';
import type { Locale } from '../../locale';
import { Question } from '../../planner';
import type { Applied } from '../../request';
import type { Answer } from '../../session';
import type { Host, Room, View } from '../../views/context';
import { CurvePart } from './curve-part';
import { fitOf } from './fits';
import { askedLoad, gridQuery, type Mode } from './queries';
import { state } from './state';
import { type MapWords, words } from './words';
import './room.css';

type Cell = ScanCell | ScanFailure;

/** What a cell may apply: only what was computed has a change. */
const changeOf = (cell: Cell | undefined) => (cell && !cell.error ? cell.change : null);

class MapRoom implements Room {
  #mode: Mode = 'load';
  readonly #grid: Place;
  readonly #curve: CurvePart;
  readonly #gridAnswers: Question<'scan'>;

  constructor(private readonly host: Host) {
    const redraw = () => host.redraw();
    this.#grid = new Place(redraw);
    this.#curve = new CurvePart(host);
    this.#gridAnswers = new Question(host.planner, 'scan', redraw);
  }

  view(page: View): TemplateResult {
    const own = page.locale.pick(words);
    const { answer } = page.session;
    return html`<section class="map" aria-labelledby="map-title">
      <h3 id="map-title">${own.title}</h3>
      ${
        answer
          ? html`<p class="hint prose">${own.intro}</p>
            ${this.#modes(own)} ${this.#gridPart(page, answer, own)}
            <h4 class="map-curve-title">${own.curveTitle}</h4>
            <p class="hint prose">${own.curveIntro}</p>
            ${this.#curve.view(page, answer)}`
          : html`<p class="prose">${own.none}</p>`
      }
    </section>`;
  }

  #modes(own: MapWords) {
    const choice = (mode: Mode, label: string) => html`<label class="map-mode">
      <input
        type="radio"
        name="map-mode"
        .checked=${this.#mode === mode}
        @change=${() => {
          this.#mode = mode;
          this.#grid.reading = null;
          this.host.redraw();
        }}
      />
      ${label}
    </label>`;
    return html`<fieldset class="map-modes">
      <legend>${own.modes}</legend>
      ${choice('load', own.byLoad)} ${choice('format', own.byFormat)}
    </fieldset>`;
  }

  #gridPart(page: View, answer: Answer, own: MapWords) {
    const {
      answer: scan,
      problem,
      waiting,
    } = this.#gridAnswers.for(gridQuery(answer, this.#mode, this.#grid.width));
    // The last grid stays while the next is computed, but not one of other rows.
    const current = scan?.axes[0]?.name === axisOf(this.#mode) ? scan : null;
    if (!current) return state(own, problem, page.locale);
    return html`<div aria-busy=${waiting}>
      ${heatGrid(this.#gridOf(page, answer, current, own))}
      <p class="hint map-hint">
        ${this.#mode === 'load' ? own.loadHint : own.formatHint} ${own.pickHint}
      </p>
      ${
        this.#mode === 'format' && current.axes[0]?.values.length === 1
          ? html`<p class="hint">${own.oneFormat}</p>`
          : nothing
      }
      ${current.notes.map((note) => html`<p class="hint">${page.locale.core(note)}</p>`)}
    </div>`;
  }

  #gridOf(page: View, answer: Answer, scan: ScanAnswer, own: MapWords) {
    const { locale } = page;
    const [down, across] = scan.axes;
    const byLoad = this.#mode === 'load';
    const rows = (down?.values ?? []).map((value, index) =>
      byLoad ? locale.whole(Number(value)) : locale.plainCore(down?.titles[index] ?? ''),
    );
    const lengths = (across?.values ?? []).map(Number);
    const loadAt = (row: number) =>
      byLoad ? Number(down?.values[row] ?? 1) : (askedLoad(answer) ?? 1);
    const described = scan.cells.map((cell) => {
      const [row = 0, column = 0] = cell.at;
      const load = loadAt(row);
      const fit = fitOf(cell, load);
      const setup = [
        ...(byLoad ? [] : [rows[row]]),
        own.load(requestsOf(load, locale), locale.whole(lengths[column] ?? 0)),
      ].join(', ');
      return { cell, fit, setup, text: textOf(cell, fit, byLoad ? load : null, locale) };
    });
    const present = new Set(described.map(({ fit }) => fit));
    const order: Fit[] = ['ample', 'tight', 'short', 'never', 'void'];
    const asked = [down?.asked, across?.asked];
    return {
      name: byLoad ? 'what-fits' : 'weight-formats',
      title: byLoad ? own.loadTitle : own.formatTitle(requestsOf(loadAt(0), locale)),
      caption: `${answer.modelLabel}, ${answer.cardLabel}`,
      down: byLoad ? own.requests : own.format,
      across: own.context,
      rows,
      columns: lengths.map((length) => tokens(length, locale.whole)),
      cells: described.map(({ cell, fit, setup, text }) => ({
        fit,
        text,
        title: own.cell(setup, own.fits[fit], detail(cell, own, locale)),
      })),
      chosen: asked.every((index) => typeof index === 'number')
        ? (asked[0] as number) * lengths.length + (asked[1] as number)
        : null,
      legend: Object.fromEntries(
        order.filter((fit) => present.has(fit)).map((fit) => [fit, own.fits[fit]]),
      ),
      place: this.#grid,
      locale,
      pick: (index: number) => {
        const picked = described[index];
        const change = changeOf(picked?.cell);
        if (picked && change) this.#apply(page, answer, change, picked.setup);
      },
    };
  }

  #apply(page: View, { request }: Answer, change: ScanCell['change'], what: string) {
    const engine = page.catalogue.engines.find(({ name }) => name === request.engine.name);
    page.actions.apply(withChange(request, change, engine?.flags ?? []) as Applied, what);
  }
}

const axisOf = (mode: Mode) => (mode === 'load' ? 'concurrency' : 'weight_format');

function requestsOf(count: number, locale: Locale): string {
  return locale.pick({
    en: `${locale.whole(count)} ${locale.plural(count, { one: 'request', other: 'requests' })}`,
    ru: `${locale.whole(count)} ${locale.plural(count, { one: 'запрос', few: 'запроса', many: 'запросов', other: 'запроса' })}`,
    zh: `${locale.whole(count)} 个请求`,
  });
}

/** Requests to spare beside those of the row, or requests that fit. */
function textOf(cell: Cell, fit: Fit, load: number | null, locale: Locale): string {
  if (cell.error) return '–';
  if (fit === 'never') return '0';
  const { best } = cell.max_requests;
  if (load === null) return locale.whole(best);
  const spare = best - load;
  return `${spare < 0 ? '−' : spare > 0 ? '+' : ''}${locale.whole(Math.abs(spare))}`;
}

function detail(cell: Cell, own: MapWords, locale: Locale): string {
  if (cell.error) return locale.plainCore(cell.error.message);
  const { best } = cell.max_requests;
  if (best < 1) return own.limit(locale.plainCore(cell.limiting_term));
  return own.holds(locale.whole(best), locale.range(cell.max_requests, locale.plain('', 0)));
}

export const open = (host: Host): Room => new MapRoom(host);
