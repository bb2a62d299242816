import { html } from 'lit-html';
import { engineName } from '../../engine-name';
import { labelOf } from '../../fields';
import type { Locale } from '../../locale';
import type { View } from '../../views/context';
import { termWords } from '../../words/en';
import { type InputDifference, inputDifferences } from './input-differences';
import type { Side } from './sides';
import type { CompareWords } from './words';

// What differs in the inputs, as a table.

function nameOf({ field, kind }: InputDifference, { words }: Locale) {
  if (kind === 'flag') return html`<code>--${field}</code>`;
  if (kind === 'variable') return html`<code>${field}</code>`;
  return kind === 'measured' ? termWords(words, field) : labelOf(field, words);
}

/** What an empty box stands for. */
function unset({ field, kind }: InputDifference, { words }: Locale, own: CompareWords): string {
  if (kind !== 'input') return own.inputs.notSet;
  const known: Record<string, string> = {
    version: words.engine.newest,
    context: words.load.engineOwn,
    free: words.card.nearlyAll,
    gpuTotal: words.card.known,
    concurrency: '1',
    quant: words.model.quantRemove,
  };
  return known[field] ?? own.inputs.standard;
}

function shown(difference: InputDifference, side: 0 | 1, locale: Locale, own: CompareWords) {
  const { field, kind, values } = difference;
  const value = values[side];
  if (value === '') return html`<span class="unknown">${unset(difference, locale, own)}</span>`;
  if (kind === 'measured') return locale.size(Number(value));
  if (field === 'engine') return engineName(value);
  // Two configs may go by one name.
  if (side === 1 && values[0] === values[1]) return `${value} (${own.inputs.otherConfig})`;
  return value;
}

/** Files of weights are no input that a link holds; the requests tell of them. */
function weightsRow(sides: readonly [Side, Side], own: CompareWords) {
  const [a, b] = sides.map(({ session }) => session.answer?.request.model.tensors ?? null);
  if (a === b || JSON.stringify(a) === JSON.stringify(b)) return null;
  const told = own.inputs;
  return html`<tr>
    <th scope="row">${told.files}</th>
    <td>${a ? told.given : told.notSet}</td>
    <td>${b ? (a ? told.file : told.given) : told.notSet}</td>
  </tr>`;
}

export function inputsSection({ locale, catalogue }: View, sides: [Side, Side], own: CompareWords) {
  const differences = inputDifferences(
    [sides[0].inputs, sides[1].inputs],
    catalogue,
    locale.whole,
    { pasted: locale.words.asked.pasted, custom: locale.words.card.custom },
  );
  const weights = weightsRow(sides, own);
  const none = differences.length === 0 && !weights;
  return html`<section aria-labelledby="compare-inputs">
    <h3 id="compare-inputs">${own.inputs.title}</h3>
    ${
      none
        ? html`<p>${own.inputs.same}</p>`
        : html`<table class="compare-inputs">
          <thead>
            <tr>
              <th scope="col">${own.inputs.input}</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
            </tr>
          </thead>
          <tbody>
            ${differences.map(
              (one) => html`<tr>
                <th scope="row">${nameOf(one, locale)}</th>
                <td>${shown(one, 0, locale, own)}</td>
                <td>${shown(one, 1, locale, own)}</td>
              </tr>`,
            )}
            ${weights}
          </tbody>
        </table>`
    }
  </section>`;
}
