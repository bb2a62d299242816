import { noChange, nothing } from 'lit-html';
import type { View } from './context';
import { memorySection } from './memory';

// The view the page opens with: the bar at once, the rest as soon as it is there.

export function answerView(view: View) {
  const { answer } = view.session;
  if (!answer) return nothing;
  if (view.answerFirst) return [noChange, memorySection(view, answer), noChange];
  const below = view.room('below');
  const there = typeof below === 'string' ? null : below;
  return [
    there?.head?.(view) ?? nothing,
    memorySection(view, answer),
    there ? there.view(view) : nothing,
  ];
}
