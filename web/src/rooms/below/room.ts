import { html, nothing } from 'lit-html';
import type { Room } from '../../views/context';
import { adviceSection } from './advice';
import { accuracySection } from './closeness';
import { exportSection, naiveSection, speedSection } from './details';
import { notesSection } from './notes';

// What follows verdict and bar. What helps comes first: for a failure the changes that mend it.

export const open = (): Room => ({
  head(view) {
    const { answer } = view.session;
    return answer && !answer.report.verdict.serves ? adviceSection(view, answer) : nothing;
  },
  view(view) {
    const { answer } = view.session;
    if (!answer) return html``;
    return html`${naiveSection(view, answer)} ${speedSection(view, answer)}
    ${answer.report.verdict.serves ? adviceSection(view, answer) : nothing}
    ${notesSection(view, answer)} ${exportSection(view, answer)} ${accuracySection(view)}`;
  },
});
