import { html, type TemplateResult } from 'lit-html';
import type { Place } from './place';

// Reading a chart point by point: by the pointer over the picture, and by the arrow keys as a
// slider whose value is the point's text. It lies over the picture, which stays one image.

export interface Reader {
  place: Place;
  label: string;
  count: number;
  /** The point that is read before anyone chose one. */
  first: number;
  text(point: number): string;
  /** The point next to a place of the picture, in the picture's pixels. */
  nearest(x: number, y: number): number;
  open?(point: number): void;
}

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  PageUp: (at) => at + 10,
  PageDown: (at) => at - 10,
  Home: () => 0,
  End: (_, count) => count - 1,
};

export function reader(options: Reader): TemplateResult {
  const { place, label, count, first, text, nearest, open } = options;
  const at = Math.min(place.reading ?? first, count - 1);
  const pointed = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const scale = place.width / box.width;
    place.read(nearest((event.clientX - box.left) * scale, (event.clientY - box.top) * scale));
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && open) {
      open(at);
      return;
    }
    const step = steps[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    place.read(Math.min(Math.max(step(at, count), 0), count - 1));
  };
  return html`<div
    class="chart-reader"
    role="slider"
    tabindex="0"
    aria-label=${label}
    aria-valuemin="1"
    aria-valuemax=${count}
    aria-valuenow=${at + 1}
    aria-valuetext=${text(at)}
    @pointermove=${pointed}
    @pointerdown=${pointed}
    @pointerleave=${(event: PointerEvent) => {
      if (event.pointerType === 'mouse') place.read(null);
    }}
    @click=${() => open?.(at)}
    @keydown=${pressed}
    @blur=${() => place.read(null)}
  ></div>`;
}
