import { html, nothing } from 'lit-html';
import { assets } from '../assets';
import { accuracySection } from './accuracy';
import type { View } from './context';
import { adviceSection, exportSection, mathSection, naiveSection, speedSection } from './details';
import { memorySection } from './memory';
import { modelSection } from './model';
import { notesSection } from './notes';
import { cardSection, engineSection, workloadSection } from './setup';
import { isStale, verdictSection } from './verdict';

// The verdict comes first in the document; the style sheet puts the inputs beside it.

export function app(view: View) {
  const { answer } = view.session;
  const serves = answer?.report.verdict.serves ?? true;
  return html`<header>
      <h1>ridgepoint</h1>
      <p>Will the model start, how many requests fit, how fast?</p>
      <button type="button" class="link" @click=${view.actions.reset}>Back to the example</button>
    </header>
    <main>
      ${verdictSection(view)}
      <div class="inputs" role="group" aria-label="Model, card, engine and requests">
        ${modelSection(view)} ${cardSection(view)} ${engineSection(view)} ${workloadSection(view)}
      </div>
      ${
        answer
          ? html`<div class="answer" ?data-stale=${isStale(view)}>
            ${memorySection(answer)} ${serves ? nothing : adviceSection(answer)}
            ${naiveSection(answer)} ${speedSection(answer)} ${serves ? adviceSection(answer) : nothing}
            ${notesSection(answer)} ${mathSection(answer)} ${exportSection(view, answer)}
            ${accuracySection(view.catalogue.engines.map(({ name }) => name))}
          </div>`
          : nothing
      }
    </main>
    <footer>
      <p>
        Everything is computed in this browser. The page sends nothing but a GET to the repository or
        URL you name. Core ${view.catalogue.version}.
      </p>
      <p>
        ${
          assets.offlineCopy === null
            ? html`Offline copy ${assets.build}.`
            : html`<a href=${assets.offlineCopy} download>Save for offline</a>`
        }
        <a href=${assets.notices} target="_blank">Licences</a>
      </p>
    </footer>
    <div class="drop" aria-hidden="true"><p>Drop to read it in this browser: a config.json, or a file of the weights</p></div>`;
}
