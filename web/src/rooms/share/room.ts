import { html, nothing } from 'lit-html';
import { LONGEST_PACKED, pack } from '../../hash';
import { icon } from '../../parts';
import type { Host, Room, View } from '../../views/context';

// The link to what is shown, and what it does not hold.

export function open({ redraw }: Host): Room {
  let key = '';
  let link = '';
  let tooLong = false;

  async function refresh(page: View, now: string) {
    key = now;
    link = await page.actions.link();
    const configs = page.place.sides.map((side) => side?.config ?? '');
    const packed = await Promise.all(configs.map((config) => (config ? pack(config) : '')));
    tooLong = packed.some((text) => text.length > LONGEST_PACKED);
    redraw();
  }

  return {
    view(page) {
      const { take } = page.locale.words;
      const now = JSON.stringify(page.place);
      if (now !== key) void refresh(page, now);
      return html`<div class="share">
        <label for="share-link">${take.link}</label>
        <textarea id="share-link" rows="5" readonly .value=${link} @focus=${(event: Event) => (event.target as HTMLTextAreaElement).select()}></textarea>
        <p class="buttons">
          <button type="button" @click=${() => page.actions.copy(take.link, link)}>${take.copy(take.link)}</button>
        </p>
        <p class="hint">${take.linkHint}</p>
        ${tooLong ? html`<p>${icon('warn')} ${take.linkTooLong}</p>` : nothing}
        ${page.weights ? html`<p>${icon('warn')} ${take.linkNoFile}</p>` : nothing}
      </div>`;
    },
  };
}
