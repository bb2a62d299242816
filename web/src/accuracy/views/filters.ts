import { html, nothing } from 'lit-html';
import { engineName } from '../../engine-name';
import type { Locale } from '../../locale';
import type { Start } from '../compare';
import { engines } from '../facts';
import { chosen, everything, type Filter, isFiltered, ranges, withTerm } from '../filter';
import type { AccuracyView } from '../page';
import { terms } from '../rows';
import { words } from '../words';
import { menu, option } from './menu';

const feedForward = ['dense', 'moe'];
const others = ['quantised', 'several'];

const numbered = (text: string) =>
  text.split(/(\d+)/).map((part) => (/^\d/.test(part) ? part.padStart(6, '0') : part));
const inOrder = (a: string, b: string) => (numbered(a).join('') < numbered(b).join('') ? -1 : 1);

const eraName = (era: string, locale: Locale) => locale.pick(words).eras[era] ?? era;

/** Versions by engine; to choose one is to choose its engine. */
function versionMenu({ work, filter, locale, actions }: AccuracyView) {
  const told = locale.pick(words);
  const used = work.rows.filter(({ leftOut }) => leftOut === null);
  const shown = engines.filter((engine) => filter.engine === '' || filter.engine === engine);
  const now = filter.era === '' ? '' : `${filter.engine}:${filter.era}`;
  const group = (engine: string) => {
    const eras = [...new Set(used.filter((row) => row.engine === engine).map(({ era }) => era))];
    return html`<optgroup label=${engineName(engine)}>
      ${eras.sort(inOrder).map((era) => option(`${engine}:${era}`, eraName(era, locale), now))}
    </optgroup>`;
  };
  return menu(
    'accuracy-version',
    told.version,
    now,
    html`${option('', told.all, now)} ${shown.map(group)}`,
    (value) => {
      const [engine = '', ...rest] = value.split(':');
      actions.filter(value === '' ? { era: '' } : { engine, era: rest.join(':') });
    },
  );
}

function kindMenu({ work, filter, locale, actions }: AccuracyView) {
  const told = locale.pick(words);
  const seen = new Set(work.starts.flatMap(({ kinds }) => kinds));
  if (filter.kind !== '') seen.add(filter.kind);
  const attention = [...seen].filter((kind) => ![...feedForward, ...others].includes(kind)).sort();
  const group = (label: string, kinds: string[]) =>
    html`<optgroup label=${label}>
      ${kinds
        .filter((kind) => seen.has(kind))
        .map((kind) => option(kind, told.kinds[kind] ?? kind, filter.kind))}
    </optgroup>`;
  return menu(
    'accuracy-kind',
    told.kind,
    filter.kind,
    html`${option('', told.all, filter.kind)} ${group(told.feedForward, feedForward)}
      ${group(told.attention, attention)} ${group(told.other, others)}`,
    (kind) => actions.filter({ kind }),
  );
}

function termMenu({ work, filter, locale, actions }: AccuracyView) {
  const told = locale.pick(words);
  const seen = terms.filter((term) => work.rows.some(({ said }) => said[term] !== undefined));
  return menu(
    'accuracy-term',
    told.term,
    filter.term,
    seen.map((term) => option(term, told.terms[term], filter.term)),
    (term) => actions.filter({ term: term as Filter['term'] }),
  );
}

export const shownOf = (view: AccuracyView): Start[] =>
  withTerm(chosen(view.work.starts, view.filter), view.filter);

export function filterSection(view: AccuracyView) {
  const { filter, locale, actions } = view;
  const told = locale.pick(words);
  const count = shownOf(view).length;
  return html`<section class="accuracy-filters" aria-labelledby="accuracy-filters-title">
    <h2 class="sr" id="accuracy-filters-title">${told.filters}</h2>
    ${menu(
      'accuracy-engine',
      told.engine,
      filter.engine,
      html`${option('', told.all, filter.engine)}
        ${engines.map((engine) => option(engine, engineName(engine), filter.engine))}`,
      (engine) => actions.filter({ engine, era: '' }),
    )}
    ${versionMenu(view)} ${kindMenu(view)} ${termMenu(view)}
    ${menu(
      'accuracy-range',
      told.range,
      filter.range,
      ranges.map((range) => option(range, told.ranges[range], filter.range)),
      (range) => actions.filter({ range: range as Filter['range'] }),
    )}
    <p class="accuracy-shown">
      <span role="status">${view.working ? nothing : told.shown(locale.whole(count))}</span>
      ${
        isFiltered(filter)
          ? html`<button
              type="button"
              class="link"
              id="accuracy-clear"
              @click=${() => actions.filter({ ...everything, term: filter.term })}
            >
              ${told.clear}
            </button>`
          : nothing
      }
    </p>
  </section>`;
}
