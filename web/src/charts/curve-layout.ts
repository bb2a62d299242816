import { enclosing, type LogScale, logScale, powers, textWidth } from './log-scale';

// The capacity curve in the pixels of its own width: requests at once (upwards) against context.

export interface CurvePoint {
  x: number;
  low: number;
  best: number;
  high: number;
  naive: number;
}

export interface CurveLayout {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
  x: LogScale;
  y(value: number): number;
  xTicks: number[];
  yTicks: number[];
  /** The line of the best values, the closed outline of the band, and the naive line. */
  line: string;
  band: string;
  naive: string;
}

const place = (x: number, y: number) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const path = (points: string[]) => (points.length > 0 ? `M${points.join('L')}` : '');

/** `load`: the requests asked for, whose line must be on the chart too. */
export function layOutCurve(
  points: readonly CurvePoint[],
  load: number | null,
  width: number,
  type: number,
  label: (value: number) => string,
): CurveLayout {
  const height = Math.round(Math.min(Math.max(width * 0.5, 240), 380));
  const all = points.flatMap(({ low, best, high, naive }) => [low, best, high, naive]);
  const some = [...all, ...(load ? [load] : [])];
  const [least, most] = enclosing(some, 2);
  // Nothing fits: below one request there is a lane of its own, for no logarithm reaches it.
  const empty = all.some((value) => value === 0);
  const left = Math.max(textWidth(label(most), type), type * 2) + 10;
  const right = width - type * 1.4;
  const top = type * 1.8;
  const bottom = height - type * 3.4;
  const floor = empty ? bottom - type * 1.7 : bottom;
  const xs = points.map(({ x }) => x);
  const x = logScale(Math.min(...xs), Math.max(...xs), left, right);
  const upwards = logScale(empty ? 1 : least, most, floor, top);
  const y = (value: number) => (value < 1 ? bottom : upwards.at(value));
  const [from, to] = enclosing(xs, 2);
  const xTicks = powers(logScale(from, to, left, right), 2, type * 3.2).filter(
    (tick) => tick >= x.least && tick <= x.most,
  );
  const line = (value: (point: CurvePoint) => number) =>
    points.map((point) => place(x.at(point.x), y(value(point))));
  const upper = line(({ high }) => high);
  const lower = line(({ low }) => low);
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    x,
    y,
    xTicks,
    yTicks: [...(empty ? [0] : []), ...powers(upwards, 2, type * 1.7)],
    line: path(line(({ best }) => best)),
    band: `${path([...upper, ...lower.reverse()])}Z`,
    naive: path(line(({ naive }) => naive)),
  };
}

/** The point next to a place on the axis. */
export function nearestPoint(
  points: readonly CurvePoint[],
  { x }: CurveLayout,
  at: number,
): number {
  let [found, least] = [0, Number.POSITIVE_INFINITY];
  points.forEach((point, index) => {
    const distance = Math.abs(x.at(point.x) - at);
    if (distance < least) [found, least] = [index, distance];
  });
  return found;
}
