import { html } from 'lit-html';
import type { AccuracyView } from '../page';
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

export function app(view: AccuracyView) {
  const told = view.locale.pick(words);
  return html`<a class="skip" href="#accuracy-summary" @click=${(event: Event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>('#accuracy-summary')?.focus();
  }}>${told.skip}</a>
    ${headerSection(view)}
    <main class="accuracy">
      <div class="prose accuracy-intro">
        <p>${told.intro}</p>
        ${progress(view)}
      </div>
      ${filterSection(view)} ${summarySection(view)} ${pictureSection(view)} ${rowSection(view)}
      ${followsSection(view)} ${leftOutSection(view)} ${sendSection(view)}
    </main>
    <footer><p>${view.locale.words.app.privacy}</p></footer>`;
}
