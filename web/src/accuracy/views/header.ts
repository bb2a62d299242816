import { html } from 'lit-html';
import { calculatorPage } from '../../assets';
import { languages } from '../../format';
import { type Theme, themes } from '../../views/context';
import { choice, ownNames } from '../../views/header';
import type { AccuracyView } from '../page';
import { words } from '../words';

// The line on top, as on the calculator's page.

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
