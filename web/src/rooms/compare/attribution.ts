import { html, nothing, svg, type TemplateResult } from 'lit-html';
import type { CompareAnswer } from 'ridgepoint';
import type { Locale } from '../../locale';
import { plainSize, signedSize, signedWhole, span } from './signed';
import type { CompareWords } from './words';

// What makes the difference: term by term, and change by change.

type Difference = CompareAnswer['differences'][number];
type Parted = Difference['pool'];
type Term = Parted['terms'][number];

/** How one kind of number is written here: bytes or requests. */
interface Unit {
  text(value: number): string;
  signed(value: number): string;
  title(value: number): string | typeof nothing;
}

const bytes = (locale: Locale): Unit => ({
  text: (value) => plainSize(value, locale),
  signed: (value) => signedSize(value, locale),
  title: (value) => locale.decimalSize(value),
});

const requests = (locale: Locale): Unit => ({
  text: locale.whole,
  signed: (value) => signedWhole(value, locale),
  title: () => nothing,
});

const bar = (value: number, largest: number) => {
  const { x, width } = span(value, largest);
  return svg`<svg class="compare-bar" height="12" aria-hidden="true">
    <rect class=${value < 0 ? 'less' : 'more'} x="${x.toFixed(2)}%" y="2" width="${width.toFixed(2)}%" height="8"></rect>
    <line x1="50%" x2="50%" y1="0" y2="12"></line>
  </svg>`;
};

const largestOf = (values: number[]) => Math.max(...values.map(Math.abs), 0);

function termRows(
  { term, what, from, to, difference, why }: Term,
  largest: number,
  unit: Unit,
  ends: boolean,
  { core }: Locale,
) {
  return html`<tr data-term=${term}>
      <th scope="row"><span class="compare-term">${core(what)}</span></th>
      ${
        ends
          ? html`<td class="num compare-end" title=${unit.title(from)}>${unit.text(from)}</td>
            <td class="num compare-end" title=${unit.title(to)}>${unit.text(to)}</td>`
          : nothing
      }
      <td class="num compare-signed" title=${unit.title(difference)}>${unit.signed(difference)}</td>
      <td class="compare-drawn">${bar(difference, largest)}</td>
    </tr>
    ${why ? html`<tr class="compare-because"><td colspan=${ends ? 5 : 3}>${core(why)}</td></tr>` : nothing}`;
}

/** `ends`: the term has a size on either side, and not only a part in the difference. */
function parted(
  id: string,
  title: string,
  parts: Parted,
  unit: Unit,
  ends: boolean,
  locale: Locale,
  own: CompareWords,
): TemplateResult {
  const told = own.differences;
  const terms = parts.terms.filter(({ difference }) => difference !== 0);
  const largest = largestOf(terms.map(({ difference }) => difference));
  return html`<section class="compare-parted" id=${id} aria-labelledby="${id}-title">
    <h4 id="${id}-title">
      ${title}: <span class="number" data-n="${id}-total">${parts.difference === 0 ? told.same : unit.signed(parts.difference)}</span>
      <span class="hint">${told.ofWhich(unit.text(parts.from), unit.text(parts.to))}</span>
    </h4>
    ${
      terms.length > 0
        ? html`<table>
          <thead>
            <tr>
              <th scope="col">${told.term}</th>
              ${ends ? html`<th scope="col" class="num compare-end">A</th><th scope="col" class="num compare-end">B</th>` : nothing}
              <th scope="col" class="num">${told.difference}</th>
              <th scope="col" class="compare-drawn"><span class="sr">${told.chart}</span></th>
            </tr>
          </thead>
          <tbody>
            ${terms.map((term) => termRows(term, largest, unit, ends, locale))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">${told.together}</th>
              ${ends ? html`<td class="num compare-end">${unit.text(parts.from)}</td><td class="num compare-end">${unit.text(parts.to)}</td>` : nothing}
              <td class="num compare-signed" title=${unit.title(parts.difference)}>${unit.signed(parts.difference)}</td>
              <td class="compare-drawn"></td>
            </tr>
          </tfoot>
        </table>`
        : nothing
    }
  </section>`;
}

function path({ changes }: Difference, locale: Locale, own: CompareWords) {
  if (changes.length === 0) return nothing;
  const told = own.differences;
  const [size, whole] = [bytes(locale), requests(locale)];
  return html`<section class="compare-parted" id="compare-path" aria-labelledby="compare-path-title">
    <h4 id="compare-path-title">${told.path}</h4>
    <p class="hint prose">${told.pathHint}</p>
    <table>
      <thead>
        <tr>
          <th scope="col">${told.change}</th>
          <th scope="col" class="num">${told.pool}</th>
          <th scope="col" class="num">${told.requests}</th>
        </tr>
      </thead>
      <tbody>
        ${changes.map(
          ({ what, from, to, pool_difference: pool, requests_difference: more }) => html`<tr>
            <th scope="row">
              <span class="compare-term">${locale.core(what)}</span>
              <span class="hint">${locale.core(from)} → ${locale.core(to)}</span>
            </th>
            <td class="num compare-signed" title=${size.title(pool)}>${size.signed(pool)}</td>
            <td class="num compare-signed">${whole.signed(more)}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

export function attribution(difference: Difference, locale: Locale, own: CompareWords) {
  const told = own.differences;
  return html`<div class="compare-words">
      ${difference.text.map((sentence) => html`<p class="prose">${locale.core(sentence)}</p>`)}
    </div>
    ${parted('compare-pool', told.pool, difference.pool, bytes(locale), true, locale, own)}
    ${parted('compare-requests', told.requests, difference.requests, requests(locale), false, locale, own)}
    ${path(difference, locale, own)}`;
}
