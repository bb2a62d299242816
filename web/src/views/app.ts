import { html, nothing } from 'lit-html';
import { build, notices, offlineFile } from '../assets';
import { icon } from '../parts';
import { type RoomName, rooms } from '../state';
import { answerView } from './answer';
import type { DialogName, View } from './context';
import { headerSection } from './header';
import { modelSection } from './model';
import { cardSection, engineSection, measuredSection, workloadSection } from './setup';
import { isStale, verdictSection } from './verdict';

// The verdict comes first in the document; the style sheet puts the inputs beside it.

const sideNames = ['A', 'B'] as const;

/** Which of two setups the inputs show. */
function sideSwitch({ place, locale, actions }: View) {
  if (place.sides[1] === null) return nothing;
  return html`<div class="sides" role="group" aria-label=${locale.words.rooms.compare}>
    ${sideNames.map(
      (name, side) => html`<button
        type="button"
        aria-pressed=${place.active === side ? 'true' : 'false'}
        @click=${() => actions.activate(side as 0 | 1)}
      >
        ${name}
      </button>`,
    )}
  </div>`;
}

function inputs(view: View) {
  return html`<details class="inputs" open>
    <summary>${view.locale.words.app.inputs}</summary>
    <div role="group" aria-label=${view.locale.words.app.inputs}>
      ${sideSwitch(view)} ${modelSection(view)} ${cardSection(view)} ${engineSection(view)}
      ${workloadSection(view)} ${measuredSection(view)}
    </div>
  </details>`;
}

function roomNav({ place, locale, actions }: View) {
  return html`<nav class="rooms" aria-label=${locale.words.app.views}>
    ${rooms.map(
      (name) => html`<button
        type="button"
        id="room-${name}"
        aria-current=${place.room === name ? 'page' : nothing}
        @click=${() => actions.open(name)}
      >
        ${locale.words.rooms[name]}
      </button>`,
    )}
    <button type="button" id="show-math" aria-haspopup="dialog" @click=${() => actions.openDialog('math')}>
      ${locale.words.rooms.math}
    </button>
  </nav>`;
}

/** A view that is still on its way, or its content. */
function roomContent(view: View, name: RoomName | DialogName) {
  const room = view.room(name);
  const { words } = view.locale;
  if (room === 'loading')
    return html`<p class="waiting">${icon('wait')} ${words.app.roomLoading}</p>`;
  if (room === 'failed') {
    return html`<p class="waiting" role="alert">${icon('warn')} ${words.app.roomFailed}</p>`;
  }
  return room.view(view);
}

function dialog(view: View) {
  const { dialog: name, locale, actions } = view;
  return html`<dialog
    class="drawer"
    aria-labelledby="drawer-title"
    @close=${() => actions.openDialog(null)}
    @click=${(event: Event) => event.target === event.currentTarget && actions.openDialog(null)}
  >
    ${
      name
        ? html`<div class="drawer-body">
          <div class="drawer-head">
            <h2 id="drawer-title">${locale.words.rooms[name]}</h2>
            <button type="button" class="bare" aria-label=${locale.words.app.close} @click=${() => actions.openDialog(null)}>
              ${icon('close')}
            </button>
          </div>
          ${roomContent(view, name)}
        </div>
        ${notice(view)}`
        : nothing
    }
  </dialog>`;
}

/** What was just done, with the way back. */
function notice({ notice: told, locale, actions }: View) {
  return html`<div class="notice" role="status">
    ${
      told
        ? html`<p>${told.text}</p>
          ${
            told.undo
              ? html`<button type="button" class="link" id="undo" @click=${told.undo}>${locale.words.app.undo}</button>`
              : nothing
          }
          <button type="button" class="bare" aria-label=${locale.words.app.dismiss} @click=${actions.dismiss}>${icon('close')}</button>`
        : nothing
    }
  </div>`;
}

/** Nothing is loaded anew while someone reads. */
function newVersion({ takeOver, locale }: View) {
  return html`<div class="notice update" role="status">
    ${
      takeOver
        ? html`<p>${locale.words.app.update}</p>
          <button type="button" class="link" id="update" @click=${takeOver}>${locale.words.app.updateNow}</button>`
        : nothing
    }
  </div>`;
}

export function app(view: View) {
  const { place, locale, catalogue } = view;
  const { words } = locale;
  return html`<a class="skip" href="#verdict-word" @click=${(event: Event) => {
    event.preventDefault();
    view.actions.goTo('verdict-word');
  }}>${words.app.skip}</a>
    ${headerSection(view)}
    <main data-room=${place.room} aria-busy=${view.starting ? 'true' : nothing}>
      ${verdictSection(view)} ${inputs(view)}
      <div class="wide">
        ${roomNav(view)}
        <div class="answer" ?data-stale=${isStale(view)} ?data-behind=${view.answerFirst}>
          ${place.room === 'answer' ? answerView(view) : roomContent(view, place.room)}
        </div>
      </div>
    </main>
    <footer>
      <p>${words.app.privacy} ${view.starting ? nothing : words.app.core(catalogue.version)}</p>
      <p>
        ${offlineFile === null ? words.app.offlineCopy(build) : nothing}
        <a href=${notices} target="_blank">${words.app.licence}</a>
      </p>
    </footer>
    ${newVersion(view)} ${view.dialog ? nothing : notice(view)} ${dialog(view)}
    <div class="drop" aria-hidden="true"><p>${words.app.drop}</p></div>`;
}
