import { html, nothing } from 'lit-html';
import { fieldOf } from '../../fields';
import { icon } from '../../parts';
import type { View } from '../../views/context';
import { setupLine, verdictWord } from '../../views/verdict';
import { figureList, figuresOf } from './figures';
import { isStale, markOf, type Side } from './sides';
import type { CompareWords } from './words';

// Both verdicts, line by line beside each other.

/** What keeps a side from an answer, and the way to it. */
function trouble({ locale, actions }: View, side: Side, own: CompareWords) {
  const { problem, pending, answer } = side.session;
  if (!isStale(side)) return nothing;
  const stale = answer ? own.stale : '';
  if (problem) {
    const field = fieldOf(problem.path, side.inputs.use === 'config');
    const mend = () => {
      actions.activate(side.index);
      actions.goTo(field);
    };
    return html`<p>
      ${icon('warn')} ${locale.core(problem.message)} ${stale}
      ${field ? html`<button type="button" class="link" @click=${mend}>${locale.words.banner.goTo}</button>` : nothing}
    </p>`;
  }
  const load = () => {
    actions.activate(side.index);
    actions.load();
  };
  return html`<p>
    ${icon('wait')} <b>${pending}</b>: ${own.fetch} ${stale}
    <button type="button" class="link" @click=${load}>${locale.words.banner.loadIt}</button>
  </p>`;
}

function editButton({ place, actions }: View, { name, index }: Side, own: CompareWords) {
  const atHand = place.active === index;
  return html`<button
    type="button"
    class="compare-edit"
    aria-pressed=${atHand ? 'true' : 'false'}
    title=${atHand ? own.controls.edited(name) : nothing}
    @click=${() => actions.activate(index)}
  >
    ${own.controls.edit(name)}
  </button>`;
}

function verdictOf(page: View, side: Side, own: CompareWords) {
  const { locale } = page;
  const { answer } = side.session;
  const id = `compare-${side.name.toLowerCase()}`;
  const serves = answer?.report.verdict.serves ?? false;
  const text = answer?.report.verdict.text;
  return html`<section
    class="compare-side"
    id=${id}
    aria-labelledby="${id}-name"
    data-serves=${answer ? (serves ? 'yes' : 'no') : 'unknown'}
    ?data-stale=${isStale(side)}
  >
    <div class="compare-head">
      <h4 id="${id}-name">${side.name}</h4>
      ${editButton(page, side, own)}
    </div>
    <p class="compare-setup">${answer ? setupLine(locale, answer) : own.problem}</p>
    <p class="beside-word">
      ${
        answer
          ? html`${markOf(serves)} <span data-n="${id}-verdict">${verdictWord(locale, answer.report)}</span>`
          : html`${icon('wait')} ${locale.words.banner.noAnswer}`
      }
    </p>
    <div class="compare-why">
      ${trouble(page, side, own)}
      ${answer && text && !isStale(side) ? html`<p>${locale.core(text)}</p>` : nothing}
    </div>
    ${answer ? figureList(figuresOf(locale, answer, id, own.longest)) : nothing}
  </section>`;
}

export const verdicts = (page: View, sides: readonly Side[], own: CompareWords) =>
  html`<div class="compare-sides">${sides.map((side) => verdictOf(page, side, own))}</div>`;
