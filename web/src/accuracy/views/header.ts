import { html, nothing } from 'lit-html';
import { calculatorPage } from '../../assets';
import { languages } from '../../format';
import type { Lang } from '../../locale';
import { type Theme, themes } from '../../views/context';
import type { AccuracyView } from '../page';
import { words } from '../words';

// The line on top, as on the calculator's page.

const ownNames: Record<Lang, string> = { en: 'English', ru: 'Русский', zh: '中文' };

function choice<T extends string>(
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

export function headerSection({ locale, theme, actions }: AccuracyView) {
  const told = locale.pick(words);
  const { app } = locale.words;
  return html`<header>
    <h1>ridgepoint</h1>
    <p>${told.tagline}</p>
    <div class="tools">
      <a class="accuracy-home" href=${calculatorPage}>${told.calculator}</a>
      ${choice('language', app.language, languages, locale.lang, (lang) => ownNames[lang], actions.setLang)}
      ${choice('theme', app.theme, themes, theme, (name: Theme) => app.themes[name], actions.setTheme)}
    </div>
  </header>`;
}
