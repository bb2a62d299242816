import { html, render } from 'lit-html';
import { loadLocale } from '../locale';
import { startPlanner } from '../planner';
import { preferredLang } from '../reader-language';
import { keptTheme, showTheme } from '../theme';
import { allRows } from './facts';
import { AccuracyPage } from './page';
import { words } from './words';
import '../style/base.css';
import '../style/inputs.css';
import '../style/answer.css';
import './accuracy.css';

const root = document.querySelector('#app') as HTMLElement;
const lang = preferredLang();
document.documentElement.lang = lang;
showTheme(keptTheme());
const planner = startPlanner();
planner.warm();
try {
  const [locale, rows] = await Promise.all([loadLocale(lang), allRows()]);
  root.replaceChildren();
  new AccuracyPage(root, planner, locale, rows).start();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  render(
    html`<div class="boot" role="alert">
      <p><b>${words[lang].coreFailed}</b> <span lang="en">${message}</span></p>
      <p>${words[lang].reload}</p>
    </div>`,
    root,
  );
}
