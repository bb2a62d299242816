import { html, nothing, type TemplateResult } from 'lit-html';
import type { SimulateQuery } from 'ridgepoint';
import { Place } from '../../charts/place';
import { fieldOf as fieldOfRequest } from '../../fields';
import { icon } from '../../parts';
import type { Answer } from '../../session';
import type { Problem } from '../../types';
import type { Host, Room, View } from '../../views/context';
import { setupLine } from '../../views/verdict';
import { course } from './course';
import { loadForm } from './form';
import { most } from './most';
import { capacityQuery, fieldOf, type MostQuery, simulateQuery, unreadable } from './query';
import { results } from './results';
import { QUIET_MS, RunQuestion } from './run';
import { type Preset, readSettings, type Settings, settingsText, startOf } from './settings';
import { problemLine, progressLine } from './state-line';
import { keepTrace, keptTrace, LARGEST_TRACE, packTrace, type Trace, unpackTrace } from './trace';
import { type LoadWords, words } from './words';
import './room.css';

interface Asked {
  /** What the query was made of: as long as these are the same, so is it. */
  answer: Answer;
  text: string;
  trace: Trace | null;
  key: string;
  simulate: SimulateQuery | null;
  capacity: MostQuery | null;
}

class LoadRoom implements Room {
  #trace: Trace | null = null;
  /** The packed trace of the link that `#trace` is of, or that is being unpacked. */
  #packed = '';
  #traceProblem = '';
  #asked: Asked | null = null;
  readonly #run: RunQuestion<'simulate'>;
  readonly #most: RunQuestion<'capacity'>;
  readonly #places;

  constructor(private readonly host: Host) {
    const redraw = () => host.redraw();
    this.#run = new RunQuestion(host.planner, 'simulate', redraw);
    this.#most = new RunQuestion(host.planner, 'capacity', redraw);
    const place = () => new Place(redraw);
    this.#places = {
      kv: place(),
      requests: place(),
      steps: place(),
      ttft: place(),
      tpot: place(),
      shares: place(),
    };
  }

  view(page: View): TemplateResult {
    const own = page.locale.pick(words);
    const { answer } = page.session;
    if (!answer) {
      return html`<section aria-labelledby="load-title">
        <h3 id="load-title">${own.title}</h3>
        <p class="prose">${icon('wait')} ${own.none}</p>
      </section>`;
    }
    const settings = readSettings(page.place.load ?? '');
    this.#followTrace(settings);
    const asked = this.#ask(page, answer, settings);
    const change = (patch: Partial<Settings>) =>
      page.actions.setLoad(settingsText({ ...settings, ...patch }));
    return html`<section class="load" aria-labelledby="load-title">
        <h3 id="load-title">${own.title}</h3>
        <p class="prose">${own.intro(answer.modelLabel, answer.cardLabel)}</p>
        ${loadForm({
          page,
          answer,
          settings,
          words: own,
          trace: this.#trace,
          traceProblem: this.#traceProblem || this.#missing(settings, own),
          change,
          choose: (use: Preset) => page.actions.setLoad(settingsText(startOf(use))),
          takeTrace: (name, text) => void this.#takeTrace({ name, text }, change),
          takeFile: (file) => void this.#takeFile(file, own, change),
          dropTrace: () => {
            this.#trace = null;
            this.#packed = '';
            change({ trace: '', traceName: '' });
          },
        })}
        ${this.#now(page, answer, settings, asked.simulate, own)}
      </section>
      ${this.#answers(page, answer, asked, own)}`;
  }

  #ask(page: View, answer: Answer, settings: Settings) {
    const text = page.place.load ?? '';
    const before = this.#asked;
    const trace = settings.use === 'trace' ? this.#trace : null;
    if (before && before.answer === answer && before.text === text && before.trace === trace) {
      return before;
    }
    // Another object of the same answer, as another language makes, asks nothing new. The text of a
    // trace may be long, and is the same where the trace is.
    const key = JSON.stringify([answer.request, { ...settings, trace: '' }]);
    if (before && before.key === key && before.trace === trace) {
      this.#asked = { ...before, answer, text };
      return this.#asked;
    }
    const simulate = answer.report.verdict.serves
      ? simulateQuery(settings, answer, trace?.text ?? null)
      : null;
    const capacity = simulate ? capacityQuery(simulate, settings) : null;
    this.#asked = { answer, text, trace, key, simulate, capacity };
    // The first one need not wait for typing to stop.
    if (simulate) this.#run.ask(simulate, this.#run.state.of ? QUIET_MS : 0);
    else this.#run.forget();
    if (this.#most.state.running) this.#most.forget();
    return this.#asked;
  }

  #answers(page: View, answer: Answer, asked: Asked, own: LoadWords) {
    const { locale } = page;
    const { simulate, capacity } = asked;
    const { answer: told, of, running, stopped, problem } = this.#run.state;
    const stale = !running && (of !== simulate || stopped);
    const caption = setupLine(locale, answer);
    return told && of && !problem && answer.report.verdict.serves
      ? html`<div class="load-results" ?data-stale=${stale}>
              ${results({
                page,
                words: own,
                told,
                of,
                request: answer.request,
                context: answer.report.capacity.context,
                most: answer.report.model.max_context,
              })}
              <section aria-labelledby="load-limit-title">
                <h3 id="load-limit-title">${own.limit.title}</h3>
                <p class="prose">${locale.core(told.limit.text)}</p>
                ${capacity ? html`<p class="hint prose">${own.limit.toMost}</p>` : nothing}
              </section>
              ${most({
                page,
                words: own,
                question: this.#most,
                query: capacity,
                readable: simulate !== null,
                request: answer.request,
                caption,
                places: this.#places,
              })}
              ${course({ page, words: own, told, caption, places: this.#places })}
              ${
                told.assumptions.length > 0
                  ? html`<details class="section">
                      <summary><h3>${own.assumed}</h3></summary>
                      <ul class="prose">
                        ${told.assumptions.map((each) => html`<li>${locale.core(each)}</li>`)}
                      </ul>
                    </details>`
                  : nothing
              }
            </div>`
      : nothing;
  }

  /** What is going on now: empty, where the answer is there. */
  #now(
    page: View,
    answer: Answer,
    settings: Settings,
    simulate: SimulateQuery | null,
    own: LoadWords,
  ) {
    const { running } = this.#run.state;
    return html`<div class="load-now" aria-busy=${running ? 'true' : 'false'}>
      ${answer.report.verdict.serves ? this.#state(page, settings, simulate, own) : this.#notServed(page, answer, own)}
    </div>`;
  }

  #notServed({ locale }: View, { report }: Answer, own: LoadWords) {
    return html`<div class="load-state load-problem">
      <p>${icon('no')} <span>${own.run.notServed} ${locale.core(report.verdict.text)}</span></p>
    </div>`;
  }

  #state(page: View, settings: Settings, simulate: SimulateQuery | null, own: LoadWords) {
    const { running, stopped, problem, of, answer } = this.#run.state;
    if (!simulate) {
      return unreadable(settings).length > 0 && answer
        ? html`<p class="hint">${icon('warn')} ${own.run.fix}</p>`
        : nothing;
    }
    if (running || stopped) {
      const line = progressLine({
        page,
        words: own,
        question: this.#run,
        word: own.run.working,
        id: 'run',
      });
      return html`${line} ${answer && of !== simulate ? html`<p class="hint">${own.run.earlier}</p>` : nothing}`;
    }
    return problem
      ? problemLine(page, own, problem, this.#fieldOf(problem, page, settings))
      : nothing;
  }

  #fieldOf({ path }: Problem, page: View, settings: Settings): string {
    const own = fieldOf(path, settings);
    if (own) return own === 'use' ? '' : `load-${own}`;
    const inside = path.replace(/^request\./, '');
    return fieldOfRequest(inside, page.inputs.use === 'config');
  }

  /** The trace that a link holds, or that this tab has kept. */
  #followTrace({ use, trace, traceName }: Settings) {
    if (use !== 'trace' || (trace === this.#packed && this.#trace?.name === traceName)) return;
    if (trace === '') {
      if (traceName !== '' && this.#trace?.name !== traceName) this.#trace = keptTrace(traceName);
      return;
    }
    if (trace === this.#packed) return;
    this.#packed = trace;
    void unpackTrace(trace).then((text) => {
      if (this.#packed !== trace) return;
      this.#trace = { name: traceName, text };
      this.host.redraw();
    });
  }

  #missing({ use, trace, traceName }: Settings, own: LoadWords): string {
    return use === 'trace' && traceName !== '' && trace === '' && !this.#trace
      ? own.trace.missing(traceName)
      : '';
  }

  async #takeTrace(trace: Trace, change: (patch: Partial<Settings>) => void) {
    this.#traceProblem = '';
    const packed = await packTrace(trace);
    this.#trace = trace;
    this.#packed = packed;
    if (packed === '') keepTrace(trace);
    change({ trace: packed, traceName: trace.name });
  }

  async #takeFile(file: File, own: LoadWords, change: (patch: Partial<Settings>) => void) {
    if (file.size > LARGEST_TRACE) {
      this.#traceProblem = own.trace.tooLarge;
      this.host.redraw();
      return;
    }
    await this.#takeTrace({ name: file.name, text: await file.text() }, change);
  }
}

export const open = (host: Host): Room => new LoadRoom(host);
