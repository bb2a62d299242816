import { html, nothing } from 'lit-html';
import { filterToHash } from '../filter';
import type { AccuracyView } from '../page';
import { PART } from '../speed/filter';
import { words } from '../words';
import { progress } from './figures';
import { filterSection } from './filters';
import { followsSection } from './follows';
import { headerSection } from './header';
import { leftOutSection } from './left-out';
import { pictureSection } from './pictures';
import { rowSection } from './row-table';
import { sendSection } from './send';
import { summarySection } from './summary';

function parts({ speed, filter, locale }: AccuracyView) {
  const told = locale.pick(words);
  const link = (hash: string, text: string, now: boolean) =>
    html`<a href=${hash} aria-current=${now ? 'page' : nothing}>${text}</a>`;
  return html`<nav class="rooms accuracy-parts" aria-label=${told.parts}>
    ${link(filterToHash(filter) || '#', told.memory, speed === null)} ${link(`#part=${PART}`, told.speed, speed !== null)}
  </nav>`;
}

function memory(view: AccuracyView) {
  return html`<div class="prose accuracy-intro">
      <p>${view.locale.pick(words).intro}</p>
      ${progress(view)}
    </div>
    ${filterSection(view)} ${summarySection(view)} ${pictureSection(view)} ${rowSection(view)}
    ${followsSection(view)} ${leftOutSection(view)} ${sendSection(view)}`;
}

function speeds({ speed, locale }: AccuracyView) {
  const told = locale.pick(words);
  if (speed?.part) return speed.part.section(locale);
  return speed?.failure
    ? html`<p role="alert">
        <b>${told.speedFailed}</b> <span lang="en">${speed.failure}</span> ${told.reload}
      </p>`
    : html`<p role="status">${told.speedLoading}</p>`;
}

export function app(view: AccuracyView) {
  const told = view.locale.pick(words);
  return html`<a class="skip" href="#accuracy-summary" @click=${(event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('#accuracy-summary')?.focus();
  }}>${told.skip}</a>
    ${headerSection(view)}
    <main class="accuracy">
      ${parts(view)} ${view.speed ? speeds(view) : memory(view)}
    </main>
    <footer><p>${view.locale.words.app.privacy}</p></footer>`;
}
