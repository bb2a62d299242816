import { html } from 'lit-html';
import type { View } from '../../views/context';
import type { Side } from './sides';
import type { CompareWords } from './words';

// What can be done with two setups. Each step can be taken back.

/** A button that takes itself away leaves the focus where the next one is. */
export const COPY_ID = 'compare-copy';
export const TITLE_ID = 'compare-title';

export function controls({ place, actions }: View, [a, b]: [Side, Side], own: CompareWords) {
  const told = own.controls;
  const { active } = place;
  const button = (text: string, act: () => void) =>
    html`<button type="button" @click=${act}>${text}</button>`;
  return html`<div class="compare-controls" role="group" aria-label=${told.label}>
    ${button(told.copy('A', 'B'), () =>
      actions.replace([a.inputs, { ...a.inputs }], active, told.copied('A', 'B')),
    )}
    ${button(told.copy('B', 'A'), () =>
      actions.replace([{ ...b.inputs }, b.inputs], active, told.copied('B', 'A')),
    )}
    ${button(told.swap, () =>
      actions.replace([b.inputs, a.inputs], active === 0 ? 1 : 0, told.swapped),
    )}
    ${button(told.remove, () => {
      actions.replace([a.inputs, null], 0, told.removed);
      actions.goTo(COPY_ID);
    })}
  </div>`;
}
