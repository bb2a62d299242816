import { html, nothing, type TemplateResult } from 'lit-html';
import type { Request, ScanQuery } from 'ridgepoint';
import { layOut } from '../../bar';
import { Place } from '../../charts/place';
import { stackBars } from '../../charts/stack-bars';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Answer } from '../../session';
import type { Host, Room, View } from '../../views/context';
import { filled } from '../../views/memory';
import { setupLine } from '../../views/verdict';
import { attribution } from './attribution';
import { controls, TITLE_ID } from './controls';
import { emptyView } from './empty';
import { inputsSection } from './inputs';
import { legend } from './legend';
import { compareQuery, type Side, sidesOf } from './sides';
import { takeSection } from './take';
import { verdicts } from './verdicts';
import { type CompareWords, words } from './words';
import './beside.css';
import './room.css';

const MOST_CARDS = 64;

class CompareRoom implements Room {
  readonly #compare: Question<'compare'>;
  readonly #counts: Question<'scan'>;
  readonly #weights: Question<'scan'>;
  readonly #bars: Place;

  constructor(private readonly host: Host) {
    const { planner } = host;
    const redraw = () => host.redraw();
    this.#compare = new Question(planner, 'compare', redraw);
    this.#counts = new Question(planner, 'scan', redraw);
    this.#weights = new Question(planner, 'scan', redraw);
    this.#bars = new Place(redraw);
  }

  view(page: View): TemplateResult {
    const own = page.locale.pick(words);
    const [a, b] = sidesOf(page);
    return html`<section class="compare-room" aria-labelledby=${TITLE_ID}>
        <h3 id=${TITLE_ID}>${own.title}</h3>
        ${
          b
            ? html`<p class="hint prose">${own.intro}</p>
              ${controls(page, [a, b], own)} ${verdicts(page, [a, b], own)}`
            : this.#empty(page, own)
        }
      </section>
      ${b ? [this.#memory(page, [a, b], own), inputsSection(page, [a, b], own), this.#differences(page, [a, b], own)] : nothing}`;
  }

  #empty(page: View, own: CompareWords) {
    const { answer } = page.session;
    const request = answer?.request as Request | undefined;
    const count = Number(request?.gpu.count ?? 1);
    const scan = (axis: NonNullable<ScanQuery['axes']>[number]): ScanQuery | null =>
      request ? { request: { ...request, measured: {} }, axes: [axis] } : null;
    const counts = this.#counts.for(
      count * 2 <= MOST_CARDS ? scan({ name: 'count', values: [count * 2] }) : null,
    );
    const weights = this.#weights.for(scan({ name: 'weight_format' }));
    return emptyView(
      page,
      counts.waiting || count * 2 > MOST_CARDS ? null : counts.answer,
      weights.waiting ? null : weights.answer,
      own,
    );
  }

  #memory({ locale }: View, [a, b]: [Side, Side], own: CompareWords) {
    const [above, below] = [a.session.answer, b.session.answer];
    if (!above || !below) return nothing;
    const stacked = (label: string, answer: Answer) => ({
      label,
      setup: setupLine(locale, answer),
      bar: layOut(answer.report, filled(answer), locale.words),
    });
    const setups = [stacked('A', above), stacked('B', below)] as const;
    return html`<section class="compare-memory" aria-labelledby="compare-memory-title">
      <h3 id="compare-memory-title">${own.memory.title}</h3>
      ${stackBars({
        name: 'memory-of-two',
        title: own.memory.title,
        caption: `A: ${setupLine(locale, above)}. B: ${setupLine(locale, below)}`,
        setups,
        words: own.memory,
        under: legend(
          setups.map(({ bar }) => bar),
          { band: own.memory.band, beyond: locale.words.memory.beyond },
        ),
        place: this.#bars,
        locale,
      })}
    </section>`;
  }

  #differences(page: View, sides: [Side, Side], own: CompareWords) {
    const { locale } = page;
    const told = own.differences;
    const query = compareQuery(sides);
    const missing = sides.find(({ session }) => !session.answer);
    const { answer, problem, waiting } = this.#compare.for(query);
    const difference = answer?.differences[0];
    const shown = () => {
      if (missing) return html`<p>${icon('warn')} ${told.missing(missing.name)}</p>`;
      if (problem) {
        return html`<p role="alert">
          ${icon('warn')} ${problem.code === 'planner_unavailable' ? locale.words.app.plannerFailed : locale.core(problem.message)}
        </p>`;
      }
      if (!answer || !difference) {
        return html`<p class="waiting">${icon('wait')} ${locale.words.app.waiting}</p>`;
      }
      return attribution(difference, locale, own);
    };
    return html`<section
        class="compare-differences"
        aria-labelledby="compare-differences-title"
        aria-busy=${waiting ? 'true' : 'false'}
      >
        <h3 id="compare-differences-title">${told.title}</h3>
        ${shown()}
      </section>
      ${answer && !missing ? takeSection(page, this.host.planner, answer, sides, own) : nothing}`;
  }
}

export const open = (host: Host): Room => new CompareRoom(host);
