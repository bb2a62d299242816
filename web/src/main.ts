import { html, render } from 'lit-html';
import { placeOf, startPlace } from './browser';
import { start } from './engine';
import { hideFirstPage, isFirstPageShown } from './first/shown';
import { loadLocale } from './locale';
import { Page } from './page';
import { afterPaint } from './painted';
import { startPlanner } from './planner';
import { preferredLang } from './reader-language';
import { isWeightsFile } from './source';
import { keptTheme, showTheme } from './theme';
import { keepPage } from './update';
import './style/base.css';
import './style/inputs.css';
import './style/bar.css';
import './style/answer.css';
import './style/touch.css';

/** The config first: what is told of its weights is kept with it. */
async function readFiles(page: Page, files: File[]) {
  const weights = files.filter(({ name }) => isWeightsFile(name));
  const texts = files.filter(({ name }) => !isWeightsFile(name));
  const indexes = (file: File) => Number(file.name.endsWith('index.json'));
  for (const file of texts.sort((a, b) => indexes(a) - indexes(b))) await page.readFile(file);
  if (weights.length > 0) await page.readWeights(weights);
}

function acceptDrops(page: Page) {
  const holdsFile = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
  const show = (over: boolean) => document.body.toggleAttribute('data-dragging', over);
  document.addEventListener('dragover', (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    show(true);
  });
  document.addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) show(false);
  });
  document.addEventListener('drop', (event) => {
    show(false);
    // A view has taken it already.
    if (event.defaultPrevented) return;
    // The list is emptied once the event is over.
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void readFiles(page, files);
  });
}

/** Puts the page, or what went wrong, in the place of whatever stood there. */
function put(root: HTMLElement) {
  if (root.isConnected) return;
  document.querySelector('#app')?.replaceWith(root);
  hideFirstPage();
}

function newRoot(): HTMLElement {
  const root = document.createElement('div');
  root.id = 'app';
  return root;
}

async function calculator() {
  const lang = preferredLang();
  document.documentElement.lang = lang;
  showTheme(keptTheme());
  try {
    const place = (await placeOf(location.hash)) ?? startPlace();
    const { engine } = place.sides[place.active] ?? place.sides[0];
    const core = start(engine);
    const planner = startPlanner();
    const root = newRoot();
    const locale = await loadLocale(lang);
    // The page that the HTML holds has an answer already, and stays until this one has it too.
    if (isFirstPageShown()) await new Promise<void>(afterPaint);
    else put(root);
    const page = new Page(root, core, planner, locale, place);
    acceptDrops(page);
    await core.started;
    page.calculate();
    put(root);
    // What is not needed for the first answer comes after it has been painted.
    afterPaint(() => {
      page.settle();
      planner.warm();
      // Should the network go, the page can still say so.
      void import('./fetching').catch(() => {});
      void page.speakWholly();
      keepPage();
    });
  } catch (error) {
    const { words } = await loadLocale(lang).catch(() => loadLocale('en'));
    const message = error instanceof Error ? error.message : String(error);
    const root = newRoot();
    render(
      html`<div class="boot" role="alert">
        <p><b>${words.app.failed}</b> <span lang="en">${message}</span></p>
        <p>${words.app.failedHint}</p>
      </div>`,
      root,
    );
    put(root);
  }
}

// The one file that is kept on a disk holds the accuracy page too.
if (new URLSearchParams(location.search).has('accuracy')) await import('./accuracy/main');
else await calculator();
