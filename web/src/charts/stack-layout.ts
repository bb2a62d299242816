import type { Bar, Segment } from '../bar';

// Two bars above each other on one scale.

export interface StacksLayout {
  end: number;
  height: number;
  /** Tops of the two bars, baselines of what they are called, and the height of the whole. */
  upper: number;
  lower: number;
  labels: [number, number];
  whole: number;
}

const HEIGHT = 44;

export function layOutStacks(above: Bar, below: Bar, type: number): StacksLayout {
  // The name of a bar and what the engine claims share the line above it; below it is the card's edge.
  const line = type * 1.7;
  const upper = line + 6;
  const lower = upper + HEIGHT + line * 2 + 12;
  return {
    end: Math.max(above.end, below.end),
    height: HEIGHT,
    upper,
    lower,
    labels: [upper - 11, lower - 11],
    whole: lower + HEIGHT + line + 6,
  };
}

/** What is worth following from bar to bar; the small parts lie too close, and in another order. */
const large = ['weights', 'kv', 'kv-free'];

export function linksOf(above: Bar, below: Bar): [Segment, Segment][] {
  return large.flatMap((key) => {
    const [from, to] = [above, below].map(({ segments }) =>
      segments.find((one) => one.key === key),
    );
    return from && to ? [[from, to] as [Segment, Segment]] : [];
  });
}

export interface Part {
  key: string;
  label: string;
  from: Segment | undefined;
  to: Segment | undefined;
}

/** The parts of both in the order of the upper one; what only the lower one has stands where it has it. */
export function partsOf(above: Bar, below: Bar): Part[] {
  const parts: Part[] = above.segments.map((from) => ({
    key: from.key,
    label: from.label,
    from,
    to: below.segments.find(({ key }) => key === from.key),
  }));
  below.segments.forEach((to, index) => {
    if (parts.some(({ key }) => key === to.key)) return;
    const before = below.segments[index - 1]?.key;
    const at = parts.findIndex(({ key }) => key === before) + 1;
    parts.splice(at, 0, { key: to.key, label: to.label, from: undefined, to });
  });
  return parts;
}
