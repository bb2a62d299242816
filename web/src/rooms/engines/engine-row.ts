import { html, nothing } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import type { AdviseAnswer, Request } from 'ridgepoint';
import { engineName } from '../../engine-name';
import { icon } from '../../parts';
import type { Asked } from '../../planner';
import { withRequest } from '../../request';
import type { Answer } from '../../session';
import type { View } from '../../views/context';
import { verdictWord } from '../../views/verdict';
import { figureList, figuresOf } from '../compare/figures';
import { markOf } from '../compare/sides';
import { flagWords } from './requests';
import type { EnginesWords } from './words';

// One engine: its verdict, its figures, what limits it, and what to do with it.

export interface EngineRow {
  name: string;
  versions: string[];
  version: string;
  /** Whether it is the one that the inputs have. */
  atHand: boolean;
  request: Request;
  evaluated: Asked<'evaluate'>;
  answer: Answer | null;
  limit: string | null;
  flags: Asked<'writeCommand'>;
  advice: AdviseAnswer | null;
  choose(version: string): void;
}

/** What the request says of the engine; what a log measured is of another one. */
const applied = ({ engine }: Request) => ({ engine, measured: {} });

function versionOf(row: EngineRow, own: EnginesWords) {
  const { name, versions, version, atHand } = row;
  if (atHand) return html`<span class="engines-version">${version} · ${own.atHand}</span>`;
  const newest = versions.at(-1);
  return html`<select
    class="engines-version"
    aria-label=${own.version(engineName(name))}
    .value=${live(version)}
    @change=${(event: Event) => row.choose((event.target as HTMLSelectElement).value)}
  >
    ${[...versions].reverse().map(
      (one) => html`<option value=${one} ?selected=${one === version}>
        ${one === newest ? own.newest(one) : one}
      </option>`,
    )}
  </select>`;
}

const fact = (name: string, value: unknown, hint: unknown = nothing) => html`<div>
    <dt>${name}</dt>
    <dd>${value} ${hint}</dd>
  </div>`;

function mended(
  page: View,
  row: EngineRow,
  change: AdviseAnswer['changes'][number],
  own: EnginesWords,
) {
  const { locale, actions } = page;
  const said = locale.plainCore(change.change);
  const asked = row.request.workload?.concurrency;
  const short = row.answer?.report.verdict.serves && typeof asked === 'number';
  return fact(
    short ? own.tooFew(locale.whole(asked)) : own.mend,
    html`${short ? html`<p>${locale.core(row.answer?.report.verdict.text ?? '')}</p>` : nothing}
      ${change.change.startsWith('-') ? html`<code>${change.change}</code>` : html`<b>${locale.core(change.change)}</b>`}
      ${locale.core(change.effect)}`,
    html`<button
      type="button"
      class="link"
      @click=${() => actions.apply({ ...change.request, measured: {} }, `${engineName(row.name)}, ${said}`)}
    >
      ${own.mendWith(engineName(row.name), said)}
    </button>`,
  );
}

function facts(page: View, row: EngineRow, answer: Answer, own: EnginesWords) {
  const { locale } = page;
  const { serves, text } = answer.report.verdict;
  // No flag of these starts what does not start.
  const flags = serves ? row.flags.answer?.flags : undefined;
  const { notes = [] } = row.flags.answer ?? {};
  // Advice on a setup that has no problem is none that an engine needs.
  const change = row.advice?.problem ? row.advice.changes[0] : undefined;
  return html`<dl class="engines-facts">
    ${fact(
      own.limit,
      html`${serves ? (row.limit ? html`<span class="engines-term">${locale.core(row.limit)}</span>` : '…') : locale.core(text)}`,
    )}
    ${change ? mended(page, row, change, own) : nothing}
    ${
      flags
        ? fact(
            own.flags,
            flags.length > 0
              ? flagWords(flags).map(
                  (word, index) =>
                    html`<code title=${locale.plainCore(flags[index]?.why ?? '')}>${word}</code> `,
                )
              : own.none,
            notes.map((note) => html`<p class="hint">${locale.core(note)}</p>`),
          )
        : nothing
    }
  </dl>`;
}

function buttons(page: View, row: EngineRow, own: EnginesWords) {
  const { actions, inputs } = page;
  const title = `${engineName(row.name)} ${row.version}`;
  const compare = () => {
    const second = withRequest(inputs, applied(row.request), true);
    actions.replace([inputs, second], 1, own.made(title));
    actions.open('compare');
  };
  return html`<p class="buttons">
    <button
      type="button"
      aria-label=${own.useOf(title)}
      @click=${() => actions.apply(applied(row.request), title)}
    >
      ${own.use}
    </button>
    <button type="button" aria-label=${own.compareOf(title)} @click=${compare}>${own.compare}</button>
  </p>`;
}

function body(page: View, row: EngineRow, longest: string, own: EnginesWords) {
  const { locale } = page;
  const { answer } = row;
  const { problem } = row.evaluated;
  if (problem) {
    return html`<p class="beside-word engines-no">${icon('warn')} ${own.notAnswered}</p>
      <p class="prose">${problem.code === 'planner_unavailable' ? locale.words.app.plannerFailed : locale.core(problem.message)}</p>`;
  }
  if (!answer) return html`<p class="waiting">${icon('wait')} ${locale.words.app.waiting}</p>`;
  const { serves } = answer.report.verdict;
  const key = `engines-${row.name}`;
  return html`<p class="beside-word">
      ${markOf(serves)} <span data-n="${key}-verdict">${verdictWord(locale, answer.report)}</span>
    </p>
    ${figureList(figuresOf(locale, answer, key, longest, !row.advice?.problem))} ${facts(page, row, answer, own)}
    ${row.atHand ? nothing : buttons(page, row, own)}`;
}

export function engineRow(page: View, row: EngineRow, longest: string, own: EnginesWords) {
  const { answer } = row;
  const { problem, waiting } = row.evaluated;
  const serves = problem || !answer ? 'unknown' : answer.report.verdict.serves ? 'yes' : 'no';
  return html`<li
    class="engines-row"
    id="engines-${row.name}"
    data-serves=${serves}
    aria-busy=${waiting ? 'true' : 'false'}
  >
    <div class="engines-head">
      <h4>${engineName(row.name)}</h4>
      ${versionOf(row, own)}
    </div>
    ${body(page, row, longest, own)}
  </li>`;
}
