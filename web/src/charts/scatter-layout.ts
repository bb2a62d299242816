import { enclosing, type LogScale, logScale, powers } from './log-scale';

// Predicted (upwards) against measured, on the same scale both ways, so that the diagonal is right.

export interface ScatterLayout {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: LogScale;
  y: LogScale;
  ticks: number[];
  diagonal: Line;
  /** A tenth more and a tenth less than measured. */
  bounds: [Line, Line];
}

export interface Line {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

const MOST = 560;
const BOUND = 1.1;

/** The smallest range of 1, 2 and 5 times a power of ten around all values. */
function around(values: readonly number[]): [number, number] {
  const [low, high] = enclosing(values, 10);
  const positive = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  if (positive.length === 0) return [low, high];
  const from = [5, 2].find((step) => low * step <= least && low * step < high) ?? 1;
  const to = [5, 2].find((step) => high / step >= most && high / step > low * from) ?? 1;
  return [low * from, high / to];
}

export function layOutScatter(
  values: readonly { x: number; y: number }[],
  width: number,
  type: number,
  /** The size of one unit of the axes in the values' own, and how much room its numbers take. */
  one: number,
  room: number,
): ScatterLayout {
  const scaled = values.flatMap(({ x, y }) => [x / one, y / one]);
  const [low, high] = around(scaled);
  const left = room + 10;
  const size = Math.max(Math.min(width, MOST) - left - 8, 120);
  const top = type * 1.8;
  const [right, bottom] = [left + size, top + size];
  const x = logScale(low * one, high * one, left, right);
  const y = logScale(low * one, high * one, bottom, top);
  const decades = powers(logScale(...enclosing([low, high], 10), left, right), 10, 1);
  const decade = size / Math.log10(high / low);
  const steps = decade > type * 7 ? [1, 2, 5] : decade > type * 4.5 ? [1, 3] : [1];
  const ticks = decades
    .flatMap((power) => steps.map((step) => power * step))
    .filter((tick) => tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
    .map((tick) => tick * one);
  const from = low * one;
  const to = high * one;
  const line = (factor: number): Line => {
    // The part of y = factor * x that lies on the chart.
    const [a, b] = [Math.max(from, from / factor), Math.min(to, to / factor)];
    return { x1: x.at(a), y1: y.at(a * factor), x2: x.at(b), y2: y.at(b * factor) };
  };
  return {
    width: Math.min(width, right + 8),
    height: bottom + type * 3.2,
    left,
    right,
    top,
    bottom,
    x,
    y,
    ticks,
    diagonal: line(1),
    bounds: [line(BOUND), line(1 / BOUND)],
  };
}

/** The point next to a place on the chart. */
export function nearestOf(
  values: readonly { x: number; y: number }[],
  layout: ScatterLayout,
  x: number,
  y: number,
): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  values.forEach((value, index) => {
    const distance = Math.hypot(layout.x.at(value.x) - x, layout.y.at(value.y) - y);
    if (distance < least) [found, least] = [index, distance];
  });
  return found;
}
