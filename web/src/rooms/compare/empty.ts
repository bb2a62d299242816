import { html, nothing, type TemplateResult } from 'lit-html';
import type { ScanAnswer } from 'ridgepoint';
import { engineName } from '../../engine-name';
import { icon } from '../../parts';
import type { Inputs } from '../../state';
import type { View } from '../../views/context';
import { COPY_ID, TITLE_ID } from './controls';
import { onEngine, otherCards, smallCache, withEdit } from './variations';
import type { CompareWords } from './words';

// With one setup only: how to get a second.

interface Variation {
  what: string;
  label: TemplateResult | string;
  inputs: Inputs;
}

interface Group {
  title: string;
  variations: Variation[];
}

/** What the core offers on an axis, without what the setup has already. */
const offered = (scan: ScanAnswer | null) =>
  (scan?.cells ?? []).flatMap((cell, index) => {
    const axis = scan?.axes[0];
    if (cell.error || !axis || index === axis.asked) return [];
    return [{ change: cell.change, title: axis.titles[index] ?? '' }];
  });

function groups(
  { inputs, catalogue, locale }: View,
  counts: ScanAnswer | null,
  weights: ScanAnswer | null,
  own: CompareWords,
): Group[] {
  const told = own.variations;
  const flags = catalogue.engines.find(({ name }) => name === inputs.engine)?.flags ?? [];
  const plain = (what: string, changed: Inputs): Variation => ({
    what,
    label: what,
    inputs: changed,
  });
  const set = smallCache(flags, inputs);
  const format = Object.values(set ?? {})[0] ?? '';
  return [
    {
      title: told.card,
      variations: otherCards(catalogue.gpus, inputs.gpu).map(({ id, name }) =>
        plain(name, withEdit(inputs, { gpu: { id } }, flags)),
      ),
    },
    {
      title: told.count,
      variations: offered(counts).map(({ change }) =>
        plain(
          told.cards(locale.whole(change.gpu?.count ?? Number(inputs.count))),
          withEdit(inputs, change, flags),
        ),
      ),
    },
    {
      title: told.cache,
      variations: set
        ? [plain(told.cacheOf(format.slice(0, 4).toUpperCase()), withEdit(inputs, { set }, flags))]
        : [],
    },
    {
      title: told.weights,
      variations: offered(weights).map(({ change, title }) => ({
        what: locale.plainCore(title),
        label: html`${locale.core(title)}`,
        inputs: withEdit(inputs, change, flags),
      })),
    },
    {
      title: told.engine,
      variations: catalogue.engines
        .filter(({ name }) => name !== inputs.engine)
        .map(({ name }) => plain(engineName(name), onEngine(inputs, name))),
    },
  ];
}

export function emptyView(
  page: View,
  counts: ScanAnswer | null,
  weights: ScanAnswer | null,
  own: CompareWords,
) {
  const { inputs, actions, session } = page;
  const make = (second: Inputs, what: string) => {
    actions.replace([inputs, second], 1, what);
    actions.goTo(TITLE_ID);
  };
  if (!session.answer) return html`<p class="prose">${icon('wait')} ${own.none.noAnswer}</p>`;
  return html`<p class="prose">${own.none.lead}</p>
    <p class="compare-start">
      <button
        type="button"
        class="compare-first"
        id=${COPY_ID}
        @click=${() => make({ ...inputs }, own.controls.copied('A', 'B'))}
      >
        ${own.none.copy}
      </button>
    </p>
    <h4>${own.none.or}</h4>
    <dl class="compare-variations">
      ${groups(page, counts, weights, own).map(({ title, variations }) =>
        variations.length === 0
          ? nothing
          : html`<div>
            <dt>${title}</dt>
            <dd>
              ${variations.map(
                ({ what, label, inputs: second }) => html`<button
                  type="button"
                  aria-label=${own.variations.make(what)}
                  @click=${() => make(second, own.variations.made(what))}
                >
                  ${label}
                </button>`,
              )}
            </dd>
          </div>`,
      )}
    </dl>`;
}
