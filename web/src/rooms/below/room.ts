import { html, nothing } from 'lit-html';
import type { Host, Room, View } from '../../views/context';
import { CurvePart } from '../map/curve-part';
import { words as mapWords } from '../map/words';
import { adviceSection } from './advice';
import { accuracySection } from './closeness';
import { exportSection, naiveSection, speedSection } from './details';
import { notesSection } from './notes';

// What follows verdict and bar. What helps comes first: for a failure the changes that mend it.

function curveSection(view: View, curve: CurvePart) {
  const { answer } = view.session;
  if (!answer) return nothing;
  const told = view.locale.pick(mapWords);
  return html`<section aria-labelledby="curve-title">
    <h3 id="curve-title">${told.curveTitle}</h3>
    <p class="hint prose">${told.curveIntro}</p>
    ${curve.view(view, answer)}
  </section>`;
}

export function open(host: Host): Room {
  const curve = new CurvePart(host);
  return {
    head(view) {
      const { answer } = view.session;
      return answer && !answer.report.verdict.serves ? adviceSection(view, answer) : nothing;
    },
    view(view) {
      const { answer } = view.session;
      if (!answer) return html``;
      return html`${curveSection(view, curve)} ${naiveSection(view, answer)}
      ${speedSection(view, answer)}
      ${answer.report.verdict.serves ? adviceSection(view, answer) : nothing}
      ${notesSection(view, answer)} ${exportSection(view, answer)} ${accuracySection(view)}`;
    },
  };
}
