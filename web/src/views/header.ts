import { html, nothing } from 'lit-html';
import { accuracyPage, offlineFile } from '../assets';
import { languages } from '../format';
import type { Lang } from '../locale';
import { type Theme, themes, type View } from './context';

// The line on top: what this is, what was looked at before, and how it looks and speaks.

export const ownNames: Record<Lang, string> = { en: 'English', ru: 'Русский', zh: '中文' };

function recentMenu({ recent, locale, actions }: View) {
  const { words } = locale;
  return html`<details class="menu" id="recent">
    <summary>${words.app.recent}</summary>
    <div class="menu-body">
      ${
        recent.length === 0
          ? html`<p class="hint">${words.app.recentNone}</p>`
          : html`<ul>
              ${recent.map(({ hash, label }) => html`<li><a href=${hash}>${label}</a></li>`)}
            </ul>
            <button type="button" class="link" @click=${actions.clearRecent}>${words.app.recentClear}</button>`
      }
    </div>
  </details>`;
}

export function choice<T extends string>(
  id: string,
  label: string,
  values: readonly T[],
  chosen: T,
  text: (value: T) => string,
  choose: (value: T) => void,
) {
  return html`<label class="choice" for=${id}
    ><span class="sr">${label}</span>
    <select id=${id} title=${label} @change=${(event: Event) => choose((event.target as HTMLSelectElement).value as T)}>
      ${values.map(
        (value) => html`<option
          value=${value}
          lang=${id === 'language' ? value : nothing}
          ?selected=${value === chosen}
        >
          ${text(value)}
        </option>`,
      )}
    </select>
  </label>`;
}

export function headerSection(view: View) {
  const { locale, actions, theme } = view;
  const { words } = locale;
  return html`<header>
    <h1>ridgepoint</h1>
    <p>${words.app.tagline}</p>
    <div class="tools">
      <button type="button" class="link" id="reset" title=${words.app.resetHint} @click=${actions.reset}>${words.app.reset}</button>
      ${recentMenu(view)}
      <button type="button" class="link" id="share" @click=${() => actions.openDialog('share')}>${words.app.share}</button>
      <a href=${accuracyPage} id="accuracy">${words.app.accuracy}</a>
      <button type="button" class="link" id="embed" @click=${() => actions.openDialog('embed')}>${words.app.embed}</button>
      ${
        offlineFile
          ? html`<a class="link" id="save" href=${offlineFile} download title=${words.app.saveHint}>${words.app.save}</a>`
          : nothing
      }
      ${choice('language', words.app.language, languages, locale.lang, (lang) => ownNames[lang], actions.setLang)}
      ${choice('theme', words.app.theme, themes, theme, (name: Theme) => words.app.themes[name], actions.setTheme)}
    </div>
  </header>`;
}
