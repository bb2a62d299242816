import { nothing } from 'lit-html';
import { adviceSection } from './advice';
import type { View } from './context';
import { exportSection, naiveSection, speedSection } from './details';
import { memorySection } from './memory';
import { notesSection } from './notes';

// The view the page opens with. What helps comes first: for a failure the changes that mend it.

export function answerView(view: View) {
  const { answer } = view.session;
  if (!answer) return nothing;
  const { serves } = answer.report.verdict;
  const closeness = view.room('closeness');
  return [
    serves ? nothing : adviceSection(view, answer),
    memorySection(view, answer),
    naiveSection(view, answer),
    speedSection(view, answer),
    serves ? adviceSection(view, answer) : nothing,
    notesSection(view, answer),
    exportSection(view, answer),
    typeof closeness === 'string' ? nothing : closeness.view(view),
  ];
}
