import { html } from 'lit-html';
import { reasonsOf } from '../left-out';
import type { SpeedView } from '../part';
import { words } from '../words';

// What the figures can be trusted with, and which rows are not in them.

export function honestSection({ locale }: SpeedView) {
  const own = locale.pick(words);
  return html`<section class="prose" aria-labelledby="speed-honest">
    <h2 id="speed-honest">${own.honest}</h2>
    <ul class="speed-lines">
      ${own.honestLines.map((text) => html`<li>${text}</li>`)}
    </ul>
  </section>`;
}

export function leftOutSection({ locale, speed }: SpeedView) {
  const own = locale.pick(words);
  const reasons = reasonsOf(speed.left_out);
  const left = locale.whole(reasons.reduce((sum, { count }) => sum + count, 0));
  return html`<section aria-labelledby="speed-left-out">
    <h2 id="speed-left-out">${own.leftOut}</h2>
    <p class="prose">${own.leftOutText(left, locale.whole(speed.rows))}</p>
    <div class="scroll" tabindex="0" role="group" aria-label=${own.leftOut}>
      <table class="accuracy-reasons">
        <caption class="sr">${own.leftOut}</caption>
        <thead>
          <tr>
            <th scope="col">${own.reason}</th>
            <th scope="col" class="num">${own.rows}</th>
          </tr>
        </thead>
        <tbody>
          ${reasons.map(
            ({ kind, count }) => html`<tr data-reason=${kind}>
              <th scope="row">${own.reasons[kind] ?? kind}</th>
              <td class="num">${locale.whole(count)}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <details class="accuracy-more">
      <summary>${own.own}</summary>
      <ul class="speed-lines" lang="en">
        ${reasons.flatMap((reason) =>
          reason.own.map(({ text, count }) => html`<li>${locale.whole(count)}: ${text}</li>`),
        )}
      </ul>
    </details>
  </section>`;
}
