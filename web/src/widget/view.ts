import { html, nothing, type TemplateResult } from 'lit-html';
import { fieldOf, labelOf } from '../fields';
import { toHash } from '../hash';
import type { Locale } from '../locale';
import { basis, bytes, icon, number } from '../parts';
import type { Answer } from '../session';
import type { Inputs } from '../state';
import type { Catalogue, Problem } from '../types';
import { setupLine } from '../views/verdict';
import { barView } from './bar-view';
import type { Edits } from './element';
import { figures } from './figures';
import { form } from './form';
import type { WidgetWords } from './words';

export const views = ['verdict', 'bar', 'full'] as const;
export type Views = (typeof views)[number];
export const themes = ['auto', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];

/** All that a calculator shows. */
export interface Show {
  locale: Locale;
  own: WidgetWords;
  /** Null until the core is there. */
  catalogue: Catalogue | null;
  answer: Answer | null;
  /** What is wrong with the setup; an answer beside it is that of the setup before. */
  problem: Problem | null;
  inputs: Inputs | null;
  view: Views;
  theme: Theme;
  readonly: boolean;
  site: string;
  edits: Edits;
}

export const hasForm = ({ view, readonly }: Show) => view === 'full' && !readonly;

/** Problems that are told in the widget's own words. */
const ownCodes = ['unknown_model', 'missing_field', 'not_here'];

function message({ problem, locale, inputs }: Show, { message: text, path, code }: Problem) {
  const own = code.startsWith('wasm_') || ownCodes.includes(code);
  const field = labelOf(fieldOf(path, inputs?.use === 'config'), locale.words);
  return html`<p class="message" part="message" data-code=${problem?.code ?? nothing}>
    ${icon('warn')}
    <span>${path && !own ? html`<b>${field}.</b> ` : nothing}${own ? text : locale.core(text)}</span>
  </p>`;
}

function bigNumber({ locale, own }: Show, { report, request }: Answer) {
  const requests = report.capacity.max_requests;
  if (!requests) return nothing;
  const spread = locale.range(requests, locale.plain('', 0));
  const context = report.capacity.context;
  const asked = request.workload.concurrency;
  return html`<p class="number-line" part="number">
      <span class="big">${number('requests', locale.whole(requests.best), '')}</span>
      <span
        >${own.requests(requests.best, locale)}
        ${context ? html`<span class="of">${own.ofTokens(context, locale)}</span>` : nothing}</span
      >
      <span class="spread"
        >${spread ? html`<span class="range">${spread}</span> ` : nothing}${basis(locale, requests)}</span
      >
    </p>
    ${
      typeof asked === 'number' && asked > requests.best
        ? html`<p class="asked">${icon('mid')} <span>${locale.words.verdict.asked(locale.whole(asked), false)}</span></p>`
        : nothing
    }`;
}

function shortfall({ locale }: Show, { report: { verdict } }: Answer) {
  const { needed_bytes: need, available_bytes: have, limit, text } = verdict;
  const { words } = locale;
  const known = need > 0 && limit !== 'context' && limit !== 'architecture';
  const scale = locale.sizeScale(Math.max(need, have));
  return html`<p class="why">${
    known
      ? html`<b>${words.terms[limit as keyof typeof words.terms] ?? limit}:</b>
          ${bytes(locale, 'needed', need, scale)} ${words.verdict.needed}
          ${bytes(locale, 'available', have, scale)} ${words.verdict.available}`
      : locale.core(text)
  }</p>`;
}

function verdict(show: Show, answer: Answer) {
  const { locale } = show;
  const { serves } = answer.report.verdict;
  const { words } = locale;
  const asked = answer.request.workload.concurrency;
  const fewer =
    serves &&
    typeof asked === 'number' &&
    asked > (answer.report.capacity.max_requests?.best ?? asked);
  return html`<div
    class="verdict"
    part="verdict"
    data-serves=${serves ? (fewer ? 'mid' : 'yes') : 'no'}
    ?data-stale=${show.problem !== null}
  >
    <p class="word" part="word">
      ${icon(serves ? 'yes' : 'no')} <span>${serves ? words.verdict.yes : words.verdict.no}</span>
    </p>
    ${serves ? bigNumber(show, answer) : shortfall(show, answer)}
    <p class="setup">
      ${setupLine(locale, answer)}${
        answer.report.model.confidence === 'assumed'
          ? html` <span class="basis guess">${words.verdict.assumedModel}</span>`
          : nothing
      }
    </p>
  </div>`;
}

/** The setup in the whole calculator, where the page around says where that is. */
function link({ site, inputs, own }: Show) {
  if (site === '' || !inputs) return nothing;
  try {
    const address = new URL(site, document.baseURI);
    if (!/^https?:$/.test(address.protocol)) return nothing;
    address.hash = toHash(inputs);
    return html`<p class="link">
      <a part="link" href=${address.href} target="_blank" rel="noopener" title=${own.openHint}>${own.open}</a>
    </p>`;
  } catch {
    return nothing;
  }
}

function answerOf(show: Show): TemplateResult | typeof nothing {
  const { answer, problem, view, catalogue, own } = show;
  if (!catalogue && !problem)
    return html`<p class="wait">${icon('wait')} <span>${own.wait}</span></p>`;
  // Without a form there is nobody who types: what is shown is what the page says, or its error.
  const shown = answer && (!problem || hasForm(show)) ? answer : null;
  return html`${problem ? message(show, problem) : nothing}
    ${shown ? verdict(show, shown) : nothing}
    ${shown && view !== 'verdict' ? barView(show, shown) : nothing}
    ${shown && view === 'full' ? figures(show, shown) : nothing}`;
}

export function widget(show: Show): TemplateResult {
  const { locale, theme, view } = show;
  return html`<div
    class="root"
    role="group"
    aria-label="ridgepoint"
    lang=${locale.lang}
    data-theme=${theme}
    data-view=${view}
  >
    ${hasForm(show) && show.catalogue ? form(show, show.catalogue) : nothing}
    <div class="answer">${answerOf(show)}</div>
    ${link(show)}
    <p class="sr" role="status"></p>
  </div>`;
}
