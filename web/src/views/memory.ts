import { html, nothing, svg } from 'lit-html';
import { type Bar, layOut, type Segment } from '../bar';
import { cachesNothing } from '../cache';
import type { Locale } from '../locale';
import { basis, bytes } from '../parts';
import type { Answer } from '../session';
import type { View } from './context';
import { help } from './field';

// The memory of one card as a bar, and the same as a table.

const HEIGHT = 56;
const TOP = 26;

const percent = (value: number, bar: Bar) => `${((value / bar.end) * 100).toFixed(3)}%`;

/** Each part has a pattern of its own, so that the bar reads without colour. */
const patterns = svg`<defs>
  <pattern id="p-activation" class="p-activation" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
    <rect width="6" height="6" class="base"></rect><rect width="2" height="6" class="mark"></rect>
  </pattern>
  <pattern id="p-other" class="p-other" width="6" height="6" patternUnits="userSpaceOnUse">
    <rect width="6" height="6" class="base"></rect><circle cx="3" cy="3" r="1.4" class="mark"></circle>
  </pattern>
  <pattern id="p-graphs" class="p-graphs" width="5" height="5" patternUnits="userSpaceOnUse">
    <rect width="5" height="5" class="base"></rect><rect width="1.5" height="5" class="mark"></rect>
  </pattern>
  <pattern id="p-graphs-outside" class="p-graphs" width="5" height="5" patternUnits="userSpaceOnUse">
    <rect width="5" height="5" class="base"></rect><rect width="5" height="1.5" class="mark"></rect>
  </pattern>
  <pattern id="p-missing" class="p-missing" width="8" height="8" patternUnits="userSpaceOnUse">
    <rect width="8" height="8" class="mark"></rect><path d="M0 0 8 8M8 0 0 8" class="cross"></path>
  </pattern>
  <pattern id="p-band" class="p-band" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
    <rect width="2.2" height="7" class="mark"></rect>
  </pattern>
</defs>`;

/** How wide a part is on the screen, so that no label is cut: what lies beyond the card counts not. */
const room = ({ start, bytes: size }: Segment, bar: Bar) => {
  const share = (Math.min(start + size, bar.total) - start) / bar.end;
  return share > 0.4 ? 'roomy' : share > 0.17 ? 'snug' : '';
};

/** A tick's text lies to the left of its line, unless there is no place. */
const side = (value: number, bar: Bar) => (value / bar.end < 0.4 ? 'start' : 'end');

/** A label starts inside its part, after the hatched band where the two share a place. */
function labelAt(segment: Segment, { band }: Bar) {
  const end = segment.start + segment.bytes;
  return band && band.end > segment.start && band.end < end ? band.end : segment.start;
}

function drawing({ gib, decimalSize, words }: Locale, bar: Bar, description: string) {
  return svg`<svg class="bar" height="${HEIGHT + TOP * 2}" role="img" aria-label=${description} aria-describedby="memory-table">
    ${patterns}
    ${bar.segments.map(
      (segment) => svg`<g class="seg seg-${segment.key}">
        <rect x=${percent(segment.start, bar)} y=${TOP} width=${percent(segment.bytes, bar)} height=${HEIGHT}>
          <title>${segment.label}: ${gib.text(segment.bytes)} GiB, ${decimalSize(segment.bytes)}</title>
        </rect>
        ${
          room(segment, bar)
            ? svg`<text class=${room(segment, bar)} x=${percent(labelAt(segment, bar), bar)} y=${TOP + HEIGHT / 2} dx="10" dy="0.35em">${segment.label.replace(/[,，]/, '')} ${gib.text(segment.bytes)}</text>`
            : nothing
        }
      </g>`,
    )}
    ${
      bar.band
        ? svg`<rect class="band" x=${percent(bar.band.start, bar)} y=${TOP} width=${percent(bar.band.end - bar.band.start, bar)} height=${HEIGHT}></rect>`
        : nothing
    }
    ${
      bar.missing > 0
        ? svg`<rect class="missing" x=${percent(bar.total, bar)} y=${TOP} width=${percent(bar.missing, bar)} height=${HEIGHT}></rect>`
        : nothing
    }
    <rect class="card" x="0" y=${TOP} width=${percent(bar.total, bar)} height=${HEIGHT}></rect>
    ${
      bar.requested !== null
        ? svg`<line class="claim" x1=${percent(bar.requested, bar)} x2=${percent(bar.requested, bar)} y1=${TOP - 6} y2=${TOP + HEIGHT}></line>
          <text class="tick" x=${percent(bar.requested, bar)} y=${TOP - 11} text-anchor=${side(bar.requested, bar)}>${words.memory.claims(gib.text(bar.requested))}</text>`
        : nothing
    }
    <line class="edge" x1=${percent(bar.total, bar)} x2=${percent(bar.total, bar)} y1=${TOP} y2=${TOP + HEIGHT + 6}></line>
    ${bar.total / bar.end > 0.1 ? svg`<text class="tick" x="0" y=${TOP + HEIGHT + 18}>0</text>` : nothing}
    <text class="tick" x=${percent(bar.total, bar)} y=${TOP + HEIGHT + 18} text-anchor=${side(bar.total, bar)}>${words.memory.card(gib.text(bar.total))}</text>
  </svg>`;
}

const swatch = (key: string) => html`<svg class="swatch" width="18" height="18" aria-hidden="true">
  <g class="seg seg-${key}"><rect x="0.5" y="0.5" width="17" height="17"></rect></g>
</svg>`;

function legendRow(locale: Locale, segment: Segment, bar: Bar) {
  const { gib, range } = locale;
  const { key, label, estimate } = segment;
  const spread = estimate ? range(estimate, gib) : '';
  return html`<tr>
    <th scope="row"><span class="part">${swatch(key)} <span>${label}</span></span></th>
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

/** The bar and its table. */
export function memoryPicture(locale: Locale, answer: Answer) {
  const { words, gib, range } = locale;
  const told = words.memory;
  const { report } = answer;
  const bar = layOut(report, filled(answer), words);
  const pool = report.memory.per_gpu.kv_pool;
  const parts = bar.segments.map(({ label, bytes: value }) => `${label} ${gib.text(value)} GiB`);
  return html`${drawing(locale, bar, told.described(gib.text(bar.total), parts.join(', ')))}
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
        ${bar.segments.map((segment) => legendRow(locale, segment, bar))}
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

export function memorySection({ locale }: View, answer: Answer) {
  const told = locale.words.memory;
  const count = Number(answer.request.gpu.count ?? 1);
  return html`<section aria-labelledby="memory-title">
    <h3 id="memory-title">${told.title}${count > 1 ? html` <span class="hint">${told.fullest(count)}</span>` : nothing}</h3>
    ${memoryPicture(locale, answer)} ${help(locale, 'free', told.unused)}
  </section>`;
}
