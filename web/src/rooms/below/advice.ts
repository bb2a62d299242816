import { html, nothing } from 'lit-html';
import type { AdviseAnswer, Change, Request as Contract } from 'ridgepoint';
import { icon } from '../../parts';
import type { Answer } from '../../session';
import type { View } from '../../views/context';
import { belowWords } from './words';

// The changes that mend a setup, each tried out by the core, and what it wastes.

type AdvisedChange = AdviseAnswer['changes'][number];

function changeRow({ locale, actions }: View, advised: AdvisedChange) {
  const { change, how, cost, effect, request } = advised;
  return html`<li class="change">
    <div>
      <p>
        <b>${change.startsWith('-') ? html`<code>${change}</code>` : locale.core(change)}</b>
        ${how && how !== change ? locale.core(how) : nothing}
      </p>
      <p>${locale.core(effect)}</p>
      ${cost ? html`<p class="hint">${belowWords(locale).advice.cost} ${locale.core(cost)}</p>` : nothing}
    </div>
    <button
      type="button"
      aria-label=${belowWords(locale).advice.applyLabel(locale.plainCore(change))}
      @click=${() => actions.apply(request, locale.plainCore(change))}
    >
      ${belowWords(locale).advice.apply}
    </button>
  </li>`;
}

/** An edit in the engine's own words, for the button and for what is said of it afterwards. */
function editText(edit: Change | null): string {
  const flags = Object.entries(edit?.set ?? {}).map(([name, value]) => `--${name} ${value}`);
  const unset = (edit?.unset ?? []).map((name) => `−--${name}`);
  return [...flags, ...unset].join(' ');
}

function wasteRow(
  { locale, actions }: View,
  { edit, text, request }: AdviseAnswer['waste'][number],
) {
  return html`<li class="change">
    <p>${locale.core(text)}</p>
    ${
      request
        ? html`<button
          type="button"
          aria-label=${belowWords(locale).advice.applyLabel(editText(edit) || locale.plainCore(text))}
          @click=${() => actions.apply(request, editText(edit) || locale.plainCore(text))}
        >
          ${belowWords(locale).advice.apply}
        </button>`
        : nothing
    }
  </li>`;
}

function advised(view: View, answer: AdviseAnswer) {
  const { problem, changes, waste } = answer;
  if (changes.length === 0 && waste.length === 0 && problem === '') {
    return html`<p class="hint">${belowWords(view.locale).advice.nothing}</p>`;
  }
  return html`${problem ? html`<p class="prose">${view.locale.core(problem)}</p>` : nothing}
    ${changes.length > 0 ? html`<ul class="changes">${changes.map((one) => changeRow(view, one))}</ul>` : nothing}
    ${
      waste.length > 0
        ? html`<h4>${belowWords(view.locale).advice.waste}</h4>
          <ul class="changes">${waste.map((one) => wasteRow(view, one))}</ul>`
        : nothing
    }`;
}

export function adviceSection(view: View, { request }: Answer) {
  const { words } = view.locale;
  const { answer, problem, waiting } = view.advice.for(request as Contract);
  return html`<section id="advice" aria-labelledby="advice-title" aria-busy=${waiting ? 'true' : 'false'}>
    <h3 id="advice-title">${belowWords(view.locale).advice.title}</h3>
    ${
      answer
        ? advised(view, answer)
        : problem
          ? html`<p class="waiting">${icon('warn')} ${problem.code === 'planner_unavailable' ? words.app.plannerFailed : view.locale.core(problem.message)}</p>`
          : html`<p class="waiting">${icon('wait')} ${words.app.waiting}</p>`
    }
  </section>`;
}
