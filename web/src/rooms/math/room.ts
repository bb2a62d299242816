import { html, nothing } from 'lit-html';
import type { Request as Contract, ExplainAnswer, ExportQuery } from 'ridgepoint';
import type { Locale } from '../../locale';
import { icon } from '../../parts';
import { Question } from '../../planner';
import type { Host, Room, View } from '../../views/context';
import { termWords } from '../../words/en';
import { belowWords } from '../below/words';
import { sourcePieces } from './sources';
import { type MathWords, words } from './words';
import './room.css';

// How each number comes about, step by step, with where the rule can be read.

type Step = ExplainAnswer['steps'][number];
type Group = Step['group'];

const stepId = (term: string) => `math-step-${term.replace(/[^\w]/g, '-')}`;
const groupId = (group: Group) => `math-group-${group}`;

function partName(locale: Locale, told: MathWords, part: string) {
  return (
    belowWords(locale).parts.names[part] ??
    told.more[part] ??
    part.replaceAll('_', ' ')
  ).toLowerCase();
}

/** A term in the reader's words; a term that is new to the page by its own name. */
function termName(locale: Locale, term: string): string {
  const told = locale.pick(words);
  const known = told.terms[term];
  if (known) return known;
  const [, whose, part = ''] = /^(model\.parameters|weights\.part)\.(.+)$/.exec(term) ?? [];
  if (whose === 'model.parameters') return told.ofPart.parameters(partName(locale, told, part));
  if (whose === 'weights.part') return told.ofPart.weights(partName(locale, told, part));
  const window = /^cache\.window_(\d+)$/.exec(term);
  if (window) return told.window(locale.whole(Number(window[1])));
  return termWords(locale.words, term);
}

/** The value in the reader's unit, with the exact one as a tooltip. */
function stepValue(locale: Locale, told: MathWords, { value, unit }: Step) {
  if (unit === 'bytes') {
    return html`<span class="number" title=${locale.decimalSize(value)}>${locale.size(value)}</span>`;
  }
  if (unit === 'seconds') {
    const scale = locale.timeScale(value);
    return html`<span class="number">${scale.text(value)} ${scale.unit}</span>`;
  }
  const forms = told.units[unit];
  const name = forms ? locale.plural(value, forms) : unit;
  return html`<span class="number">${locale.short(value)} ${name}</span>`;
}

function sourceLine(page: View, told: MathWords, source: string) {
  const { engine } = page.session.answer?.report ?? {};
  const known = page.catalogue.engines.find(({ name }) => name === engine?.name)?.versions ?? [];
  const said = page.locale.plainCore(source);
  const lang = said === source && page.locale.lang !== 'en' ? 'en' : nothing;
  return html`<span lang=${lang}>${sourcePieces(
    said,
    engine?.name ?? '',
    engine?.version ?? '',
    known,
  ).map(({ text, href }) =>
    href
      ? html`<a href=${href} target="_blank" rel="noopener" title=${`${href} (${told.opensElsewhere})`}>${text}</a>`
      : text,
  )}</span>`;
}

function stepItem(page: View, told: MathWords, step: Step) {
  const { locale } = page;
  const line = (label: string, content: unknown) =>
    html`<div><dt>${label}</dt><dd>${content}</dd></div>`;
  return html`<li class="math-step" id=${stepId(step.term)} tabindex="-1" data-term=${step.term}>
    <div class="math-title">
      <h4><span class="math-number">${locale.whole(step.number)}</span> ${termName(locale, step.term)}</h4>
      <p class="math-value">${stepValue(locale, told, step)}</p>
    </div>
    <p class="math-formula"><code class="math-term">${step.term}</code> = ${locale.core(step.formula)}</p>
    <p class="math-numbers"><span class="sr">${told.withNumbers}: </span>= ${locale.core(step.with_numbers)}</p>
    <dl>
      ${line(told.rule, locale.core(step.rule))}
      ${line(told.source, sourceLine(page, told, step.source))}
    </dl>
  </li>`;
}

/** What the reader goes to takes the focus, so that the next Tab goes on from there. */
function goTo(id: string): void {
  const target = document.getElementById(id);
  target?.focus({ preventScroll: true });
  target?.scrollIntoView({ block: 'start' });
}

function contents(told: MathWords, groups: [Group, Step[]][]) {
  return html`<nav class="math-contents" id="math-contents" aria-label=${told.contents} tabindex="-1">
    <ol>
      ${groups.map(
        ([group, steps]) => html`<li>
          <button type="button" class="link" @click=${() => goTo(groupId(group))}>${told.groups[group]}</button>
          <span class="hint">${steps.length}</span>
        </li>`,
      )}
    </ol>
  </nav>`;
}

/** Steps by group, in the order in which they come. */
function grouped(steps: Step[]): [Group, Step[]][] {
  const groups = new Map<Group, Step[]>();
  for (const step of steps) groups.set(step.group, [...(groups.get(step.group) ?? []), step]);
  return [...groups];
}

export function open({ planner, redraw }: Host): Room {
  const question = new Question(planner, 'explain', redraw);
  let failed = false;
  let reached: View['aim'] = null;

  async function copy(page: View, answer: ExplainAnswer, format: ExportQuery['format']) {
    const told = page.locale.pick(words);
    try {
      const text = await planner.exportAnswer({ answer, format });
      failed = false;
      page.actions.copy(told.steps, text);
    } catch {
      failed = true;
      redraw();
    }
  }

  function steps(page: View, answer: ExplainAnswer) {
    const { locale } = page;
    const told = locale.pick(words);
    const groups = grouped(answer.steps);
    return html`${contents(told, groups)}
      <p class="buttons">
        <button type="button" id="math-markdown" @click=${() => copy(page, answer, 'markdown')}>${told.copyMarkdown}</button>
        <button type="button" id="math-csv" @click=${() => copy(page, answer, 'csv')}>${told.copyCsv}</button>
      </p>
      <p class="hint" role="status">${failed ? told.notExported : ''}</p>
      ${groups.map(
        ([group, found]) => html`<section aria-labelledby=${groupId(group)}>
          <h3 id=${groupId(group)} tabindex="-1">${told.groups[group]}</h3>
          <ol class="math-steps">${found.map((step) => stepItem(page, told, step))}</ol>
          <p><button type="button" class="link math-back" @click=${() => goTo('math-contents')}>${told.toContents}</button></p>
        </section>`,
      )}
      ${
        answer.assumptions.length > 0
          ? html`<section aria-labelledby="math-assumptions">
            <h3 id="math-assumptions">${told.assumptions}</h3>
            <ul class="prose">${answer.assumptions.map((one) => html`<li>${locale.core(one)}</li>`)}</ul>
          </section>`
          : nothing
      }`;
  }

  return {
    view(page) {
      const { session, locale } = page;
      const told = locale.pick(words);
      if (!session.answer) return html`<p class="waiting">${icon('warn')} ${told.noAnswer}</p>`;
      const { answer, problem, waiting } = question.for(session.answer.request as Contract);
      // Gone to once, when the steps are there.
      const aim = answer && !waiting && page.aim !== reached ? page.aim?.term : undefined;
      if (answer && !waiting) reached = page.aim;
      if (aim) requestAnimationFrame(() => goTo(stepId(aim)));
      const stale = session.problem !== null || session.pending !== null;
      return html`<div class="math-room" aria-busy=${waiting ? 'true' : 'false'}>
        <p class="prose">${told.intro}</p>
        ${stale ? html`<p class="math-stale">${icon('warn')} ${told.stale}</p>` : nothing}
        ${
          answer
            ? steps(page, answer)
            : problem
              ? html`<p class="waiting" role="alert">${icon('warn')} ${problem.code === 'planner_unavailable' ? locale.words.app.plannerFailed : locale.core(problem.message)}</p>`
              : html`<p class="waiting">${icon('wait')} ${locale.words.app.waiting}</p>`
        }
      </div>`;
    },
  };
}
