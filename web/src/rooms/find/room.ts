import { html, nothing, type TemplateResult } from 'lit-html';
import type { CompareQuery, RecommendAnswer, RecommendQuery } from 'ridgepoint';
import { Combobox } from '../../combobox';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Answer } from '../../session';
import type { Host, Room, View } from '../../views/context';
import { form } from './form';
import { first, loadOf, MOST_ANSWERS, recommendQuery, unreadable, type Wishes } from './query';
import { type Ease, empty, type Results, results } from './results';
import { type FindWords, words } from './words';
import './room.css';

const MOST_CARDS = 64;
const FIRST_SHOWN = 6;

class FindRoom implements Room {
  #wishes: Wishes = first;
  #asTable = false;
  #shown = FIRST_SHOWN;
  #query: { of: Answer; by: Wishes; query: RecommendQuery } | null = null;
  #compared: { of: RecommendAnswer; query: CompareQuery } | null = null;
  readonly #cards: Combobox;
  readonly #found: Question<'recommend'>;
  readonly #reports: Question<'compare'>;

  constructor(private readonly host: Host) {
    const redraw = () => host.redraw();
    this.#cards = new Combobox(redraw);
    this.#found = new Question(host.planner, 'recommend', redraw);
    this.#reports = new Question(host.planner, 'compare', redraw);
  }

  view(page: View): TemplateResult {
    const own = page.locale.pick(words);
    const { answer } = page.session;
    return html`<section class="find" aria-labelledby="find-title">
      <h3 id="find-title">${own.title}</h3>
      ${
        answer
          ? html`${form({
              page,
              wishes: this.#wishes,
              words: own,
              cards: this.#cards,
              change: this.#change,
            })}
            ${this.#answers(page, answer, own)}`
          : html`<p class="prose">${own.none}</p>`
      }
    </section>`;
  }

  readonly #change = (patch: Partial<Wishes>) => {
    this.#wishes = { ...this.#wishes, ...patch };
    this.host.redraw();
  };

  /** The same object for the same answer and wishes; what cannot be read asks for nothing new. */
  #asked(page: View, answer: Answer): RecommendQuery | null {
    const before = this.#query;
    if (before && before.of === answer && before.by === this.#wishes) return before.query;
    if (unreadable(this.#wishes).length > 0) return before?.query ?? null;
    const engines = page.catalogue.engines.map(({ name }) => name);
    const query = recommendQuery(answer, this.#wishes, engines);
    this.#query = { of: answer, by: this.#wishes, query };
    return query;
  }

  /** Whole reports of the answers, for their memory: a comparison has them all in one question. */
  #reportsOf(found: RecommendAnswer) {
    if (this.#compared?.of !== found) {
      const setups = found.answers.map(({ request }) => ({ request }));
      const [alone] = setups;
      const query = { setups: alone && setups.length === 1 ? [alone, alone] : setups };
      this.#compared = { of: found, query };
    }
    const { answer, waiting } = this.#reports.for(this.#compared.query);
    return answer && !waiting ? answer.setups.map(({ report }) => report) : null;
  }

  #answers(page: View, answer: Answer, own: FindWords) {
    const { answer: found, problem, waiting } = this.#found.for(this.#asked(page, answer));
    if (problem) {
      return html`<p class="find-state" role="alert">
        ${icon('warn')} <span>${problem.code === 'planner_unavailable' ? page.locale.words.app.plannerFailed : html`${own.failed} ${page.locale.core(problem.message)}`}</span>
      </p>`;
    }
    if (!found) return html`<p class="find-state">${icon('wait')} <span>${own.waiting}</span></p>`;
    const some = found.answers.length > 0;
    const options: Results = {
      page,
      words: own,
      found,
      load: loadOf(answer).concurrency,
      reports: some ? this.#reportsOf(found) : null,
      most: this.#shown,
      showAll: () => {
        this.#shown = MOST_ANSWERS;
        this.host.redraw();
      },
    };
    return html`<div class="find-answers" aria-busy=${waiting}>
      <div class="find-bar-of-views">
        ${some ? this.#views(own) : nothing}
        <span class="hint" role="status">${waiting ? own.again : nothing}</span>
      </div>
      ${some ? results(options, this.#asTable) : empty(options, this.#ways(own, page))}
    </div>`;
  }

  #views(own: FindWords) {
    const button = (asTable: boolean, word: string) => html`<button
      type="button"
      aria-pressed=${this.#asTable === asTable}
      @click=${() => {
        this.#asTable = asTable;
        this.host.redraw();
      }}
    >
      ${word}
    </button>`;
    return html`<div class="find-views" role="group" aria-label=${own.view}>
      ${button(false, own.asCards)} ${button(true, own.asTable)}
    </div>`;
  }

  /** The wishes that stand in the way, each with a button that drops it. */
  #ways(own: FindWords, page: View): Ease[] {
    const { anyFormat, most, vendor, cards, ttft, tpot } = this.#wishes;
    const more = Math.min(most * 2, MOST_CARDS);
    const way = (label: string, patch: Partial<Wishes>) => ({
      label,
      apply: () => this.#change(patch),
    });
    return [
      ...(anyFormat ? [] : [way(own.tryFormats, { anyFormat: true })]),
      ...(more > most ? [way(own.tryMore(page.locale.whole(more)), { most: more })] : []),
      ...(vendor || cards.length > 0 ? [way(own.tryAll, { vendor: '', cards: [] })] : []),
      ...(ttft || tpot ? [way(own.tryGoals, { ttft: '', tpot: '' })] : []),
    ];
  }
}

export const open = (host: Host): Room => new FindRoom(host);
