import { html, nothing, svg } from 'lit-html';
import { type Bar, inPlaces, layOut, type Segment } from '../bar';
import { cachesNothing } from '../cache';
import { claim, edge, partsText, stack, stackPatterns, swatch } from '../charts/stack';
import type { Locale } from '../locale';
import { basis, bytes } from '../parts';
import type { Answer } from '../session';
import type { View } from './context';
import { help } from './field';
import { termOfPart } from './term-of-part';

// The memory of one card as a bar, and the same as a table.

const HEIGHT = 56;
const TOP = 26;

function drawing(locale: Locale, bar: Bar) {
  const one = { bar, end: bar.end, top: TOP, height: HEIGHT, locale, named: true };
  const description = locale.words.memory.described(
    locale.gib.text(bar.total),
    partsText(bar, locale),
  );
  return svg`<svg class="bar" height=${HEIGHT + TOP * 2} role="img" aria-label=${description} aria-describedby="memory-table">
    ${stackPatterns} ${stack(one)} ${claim(one)} ${edge(one)}
  </svg>`;
}

/** Shows the step that works out a term. */
type Lead = (term: string) => void;

function partName({ key, label }: Segment, lead: Lead | null) {
  const term = termOfPart(key);
  if (!term || !lead) return html`<span>${label}</span>`;
  return html`<button type="button" class="link" @click=${() => lead(term)}>${label}</button>`;
}

function legendRow(locale: Locale, segment: Segment, bar: Bar, lead: Lead | null) {
  const { gib, range } = locale;
  const { key, estimate } = segment;
  const spread = estimate ? range(estimate, gib) : '';
  return html`<tr>
    <th scope="row"><span class="part">${swatch(key)} ${partName(segment, lead)}</span></th>
    <td class="num">
      ${bytes(locale, `bar-${key}`, segment.bytes)}${spread ? html`<span class="range under">${spread}</span>` : nothing}
    </td>
    <td class="num">${spread || ''}</td>
    <td class="num share">${locale.percent(segment.bytes / bar.total)}</td>
    <td>${estimate ? basis(locale, estimate) : nothing}</td>
  </tr>`;
}

/**
 * The part of the pool that the asked requests fill, where the report tells it: from the printed
 * concurrency at the engine's own length, else from the requests that fit, unless it is the
 * engine's sequence limit and not the pool that ends them.
 */
export function filled({ report, extras, request }: Answer): number | null {
  const asked = request.workload.concurrency;
  const { max_requests: fit, max_concurrency: printed } = report.capacity;
  const replicas = extras.engine?.data_parallel_size ?? 1;
  const { max_model_len: longest, max_num_seqs: limit } = extras.engine ?? {};
  if (typeof asked !== 'number') return null;
  if (printed?.best && longest !== undefined && longest === extras.capacity?.context) {
    return Math.min(asked / replicas / printed.best, 1);
  }
  if (!fit?.best || limit === undefined || fit.best >= limit * replicas) return null;
  return Math.min(asked / fit.best, 1);
}

/** The hatched part of the bar, in words. */
function bandName({ words }: Locale, bar: Bar, nothing: boolean) {
  const { mayBegin, mayEnd, freeMayBegin, freeMayEnd } = words.memory;
  if (nothing) return bar.requested === null ? freeMayEnd : freeMayBegin;
  return bar.requested === null ? mayEnd : mayBegin;
}

/** The bar and its table; where the reader can be shown the math, a part's name leads to it. */
export function memoryPicture(locale: Locale, answer: Answer, lead: Lead | null = null) {
  const { words, gib, range } = locale;
  const told = words.memory;
  const { report } = answer;
  const bar = layOut(report, filled(answer), words);
  const pool = report.memory.per_gpu.kv_pool;
  return html`${drawing(locale, bar)}
    <table id="memory-table" class="legend">
      <caption class="sr">${told.caption}</caption>
      <thead>
        <tr>
          <th scope="col">${told.part}</th>
          <th scope="col" class="num">${told.size}</th>
          <th scope="col" class="num">${told.range}</th>
          <th scope="col" class="num share">${told.share}</th>
          <th scope="col">${told.basis}</th>
        </tr>
      </thead>
      <tbody>
        ${inPlaces(bar.segments, (segment) => legendRow(locale, segment, bar, lead))}
        ${
          bar.missing > 0
            ? html`<tr>
              <th scope="row"><span class="part">${swatch('missing')} <span>${told.beyond}</span></span></th>
              <td></td>
              <td></td>
              <td class="share"></td>
              <td></td>
            </tr>`
            : nothing
        }
        ${
          bar.band && pool
            ? html`<tr>
              <th scope="row"><span class="part">${swatch('band')} <span>${bandName(locale, bar, cachesNothing(report))}</span></span></th>
              <td class="num"><span class="range under">${range(pool, gib)}</span></td>
              <td class="num">${range(pool, gib)}</td>
              <td class="share"></td>
              <td>${basis(locale, pool)}</td>
            </tr>`
            : nothing
        }
      </tbody>
    </table>`;
}

export function memorySection(view: View, answer: Answer) {
  const { locale, actions } = view;
  const told = locale.words.memoryPage;
  const count = Number(answer.request.gpu.count ?? 1);
  return html`<section aria-labelledby="memory-title">
    <h3 id="memory-title">${told.title}${count > 1 ? html` <span class="hint">${told.fullest(count)}</span>` : nothing}</h3>
    ${memoryPicture(locale, answer, (term) => actions.openDialog('math', term))}
    ${help(view, 'free', told.unused)}
  </section>`;
}
