import { logScale, textWidth } from './log-scale';

// Lines over a common axis, in the pixels of their own width.

export interface Axis {
  least: number;
  most: number;
  log: boolean;
}

export interface LinesLayout {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x(value: number): number;
  y(value: number): number;
  xTicks: number[];
  yTicks: number[];
}

const STEPS = [1, 2, 5];
/** Of a line of text, in its height. */
export const LANE = 1.35;

/** Round numbers from 0 or above up to `most`, at most `count` of them. */
export function roundTicks(most: number, count: number): number[] {
  if (!(most > 0)) return [0];
  const rough = most / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [...STEPS, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  const ticks: number[] = [];
  // Counted and not added up, so that a rounding error does not grow.
  for (let index = 0; index * step <= most * (1 + 1e-9); index += 1) ticks.push(index * step);
  return ticks;
}

/** 1, 2 and 5 of every power of ten between the ends; the powers alone where those are many. */
export function logTicks(least: number, most: number, count: number): number[] {
  const within: number[] = [];
  const [from, to] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  for (let power = from; power <= to; power += 1) {
    for (const step of STEPS) {
      const tick = step * 10 ** power;
      if (tick >= least * (1 - 1e-9) && tick <= most * (1 + 1e-9)) within.push(tick);
    }
  }
  if (within.length <= count) return within;
  const tens = within.filter((tick) => Math.abs(Math.log10(tick) % 1) < 1e-9);
  return tens.length >= 2 ? tens : within.filter((_, index) => index % 2 === 0);
}

/** The ends of an axis that holds all values: from 0, or by 1, 2, 5 where it is logarithmic. */
export function axisOf(values: readonly number[], log: boolean): Axis {
  const positive = values.filter((value) => value > 0);
  const most = Math.max(...positive, Number.MIN_VALUE);
  if (positive.length === 0) return { least: log ? 1 : 0, most: log ? 10 : 1, log };
  if (!log) return { least: 0, most, log };
  const round = (value: number, up: boolean) => {
    const power = 10 ** Math.floor(Math.log10(value));
    const steps = [...STEPS, 10].map((step) => step * power);
    return up
      ? (steps.find((step) => step >= value * (1 - 1e-9)) ?? value)
      : (steps.findLast((step) => step <= value * (1 + 1e-9)) ?? value);
  };
  const least = Math.min(...positive);
  const [low, high] = [round(least, false), round(most, true)];
  return { least: low, most: high > low ? high : low * 2, log };
}

export interface LinesPlace {
  width: number;
  /** Height of the text. */
  type: number;
  /** How high it is at most. */
  high: number;
  /** Lines of text above it, besides the name of the upward axis. */
  lanes: number;
}

export function layOutLines(
  along: Axis,
  up: Axis,
  { width, type, high, lanes }: LinesPlace,
  label: (value: number) => string,
): LinesLayout {
  const above = lanes * type * LANE;
  const height = Math.round(Math.min(Math.max(width * 0.45, type * 14), high) + above);
  const top = type * 1.9 + above;
  const bottom = height - type * 3.2;
  const rows = Math.max(2, Math.floor((bottom - top) / (type * 2.6)));
  const yTicks = up.log ? logTicks(up.least, up.most, rows) : roundTicks(up.most, rows);
  const left = Math.max(...yTicks.map((tick) => textWidth(label(tick), type)), type) + 10;
  const right = width - type * 1.2;
  const columns = Math.max(2, Math.floor((right - left) / (type * 5)));
  const span = along.most - along.least || 1;
  const tall = up.most - up.least || 1;
  const upwards = up.log ? logScale(up.least, up.most, bottom, top).at : null;
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    x: (value) => left + ((value - along.least) / span) * (right - left),
    y: (value) =>
      upwards
        ? upwards(value)
        : bottom - (Math.min(Math.max(value - up.least, 0), tall) / tall) * (bottom - top),
    xTicks: roundTicks(along.most, columns),
    yTicks,
  };
}

/** A line through the points, broken where there is no value. */
export function linePath(
  xs: readonly number[],
  values: readonly (number | null)[],
  { x, y }: LinesLayout,
): string {
  let path = '';
  let pen = 'M';
  values.forEach((value, index) => {
    const at = xs[index];
    if (value === null || at === undefined) {
      pen = 'M';
      return;
    }
    path += `${pen}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
    pen = 'L';
  });
  return path;
}

/** What lies between two lines. */
export function bandPath(
  xs: readonly number[],
  low: readonly number[],
  high: readonly number[],
  layout: LinesLayout,
): string {
  const place = (value: number, index: number) =>
    `${layout.x(xs[index] ?? 0).toFixed(1)} ${layout.y(value).toFixed(1)}`;
  const [upper, lower] = [high.map(place), low.map(place)];
  return upper.length > 0 ? `M${[...upper, ...lower.reverse()].join('L')}Z` : '';
}

/** The point next to a place on the axis. */
export function nearestIndex(xs: readonly number[], { x }: LinesLayout, at: number): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  xs.forEach((value, index) => {
    const distance = Math.abs(x(value) - at);
    if (distance < least) [found, least] = [index, distance];
  });
  return found;
}
