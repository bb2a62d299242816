import { html, nothing, type TemplateResult } from 'lit-html';
import { layOut } from '../../bar';
import { Place } from '../../charts/place';
import { engineName } from '../../engine-name';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Answer } from '../../session';
import type { Extras, Request as PageRequest } from '../../types';
import type { Host, Room, View } from '../../views/context';
import { filled } from '../../views/memory';
import { words as compareWords } from '../compare/words';
import { engineBars } from './bars';
import { type EngineRow, engineRow } from './engine-row';
import { onEngine } from './requests';
import { words } from './words';
import '../compare/beside.css';
import './room.css';

class EngineQuestions {
  /** Empty: the newest that is covered. */
  version = '';
  readonly evaluated: Question<'evaluate'>;
  readonly limit: Question<'scan'>;
  readonly flags: Question<'writeCommand'>;
  readonly advice: Question<'advise'>;

  constructor({ planner, redraw }: Host) {
    this.evaluated = new Question(planner, 'evaluate', redraw);
    this.limit = new Question(planner, 'scan', redraw);
    this.flags = new Question(planner, 'writeCommand', redraw);
    this.advice = new Question(planner, 'advise', redraw);
  }
}

class EnginesRoom implements Room {
  readonly #engines = new Map<string, EngineQuestions>();
  readonly #bars: Place;

  constructor(private readonly host: Host) {
    this.#bars = new Place(() => host.redraw());
  }

  #questionsOf(name: string): EngineQuestions {
    const known = this.#engines.get(name) ?? new EngineQuestions(this.host);
    this.#engines.set(name, known);
    return known;
  }

  #rowOf({ catalogue }: View, answer: Answer, name: string): EngineRow {
    const questions = this.#questionsOf(name);
    const versions = catalogue.engines.find((engine) => engine.name === name)?.versions ?? [];
    const atHand = answer.request.engine.name === name;
    const request = onEngine(answer.request, name, questions.version);
    const evaluated = questions.evaluated.for(request);
    const own: Answer | null = evaluated.answer && {
      ...answer,
      report: evaluated.answer,
      extras: evaluated.answer as Extras,
      request: request as PageRequest,
    };
    const counted = { name: 'count' as const, values: [request.gpu.count ?? 1] };
    // Nothing more is asked of an engine that gives no answer.
    const limit = questions.limit.for(own ? { request, axes: [counted] } : null);
    const cell = limit.waiting ? undefined : limit.answer?.cells[0];
    const advice = questions.advice.for(own ? request : null);
    return {
      name,
      versions,
      version: own?.report.engine.version || request.engine.version || (versions.at(-1) ?? ''),
      atHand,
      request,
      evaluated,
      answer: own,
      limit: cell && !cell.error ? cell.limiting_term : null,
      flags: questions.flags.for(own ? { request } : null),
      advice: own && !advice.waiting ? advice.answer : null,
      choose: (version) => {
        questions.version = version === versions.at(-1) ? '' : version;
        this.host.redraw();
      },
    };
  }

  view(page: View): TemplateResult {
    const { locale, catalogue, session } = page;
    const own = locale.pick(words);
    const { longest } = locale.pick(compareWords);
    const { answer } = session;
    if (!answer) {
      return html`<section aria-labelledby="engines-title">
        <h3 id="engines-title">${own.title}</h3>
        <p class="prose">${icon('wait')} ${own.noAnswer}</p>
      </section>`;
    }
    const rows = catalogue.engines.map(({ name }) => this.#rowOf(page, answer, name));
    return html`<section aria-labelledby="engines-title">
        <h3 id="engines-title">${own.title}</h3>
        <p class="prose">${own.intro(answer.modelLabel, answer.cardLabel)}</p>
        <p class="hint prose">${own.kept(engineName(answer.request.engine.name))} ${own.flagsHint}</p>
        <ul class="engines-list">
          ${rows.map((row) => engineRow(page, row, longest, own))}
        </ul>
      </section>
      ${this.#memory(page, answer, rows)}`;
  }

  #memory({ locale }: View, { modelLabel, cardLabel }: Answer, rows: EngineRow[]) {
    const own = locale.pick(words);
    const bars = rows.flatMap(({ name, version, answer }) =>
      answer
        ? [
            {
              label: `${engineName(name)} ${version}`,
              bar: layOut(answer.report, filled(answer), locale.words),
            },
          ]
        : [],
    );
    if (bars.length === 0) return nothing;
    return html`<section aria-labelledby="engines-memory-title">
      <h3 id="engines-memory-title">${own.memory}</h3>
      ${engineBars({
        title: own.memory,
        caption: `${modelLabel}, ${cardLabel}`,
        part: own.part,
        band: locale.pick(compareWords).memory.band,
        bars,
        place: this.#bars,
        locale,
      })}
    </section>`;
  }
}

export const open = (host: Host): Room => new EnginesRoom(host);
