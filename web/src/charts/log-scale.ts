// Places on a logarithmic axis. A chart is drawn in CSS pixels of its own width, so that text keeps
// its size.

export interface LogScale {
  least: number;
  most: number;
  /** The place of a value; beyond the ends it is the end's. */
  at(value: number): number;
}

/** From `least` at `start` to `most` at `end`; either direction. */
export function logScale(least: number, most: number, start: number, end: number): LogScale {
  const [low, high] = [Math.log2(least), Math.log2(most)];
  const span = high - low || 1;
  return {
    least,
    most,
    at: (value) => {
      const share = value <= 0 ? 0 : (Math.log2(value) - low) / span;
      return start + Math.min(Math.max(share, 0), 1) * (end - start);
    },
  };
}

/** The powers of a base that hold all values between them, at least one step apart. */
export function enclosing(values: readonly number[], base: number): [number, number] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, base];
  // A rounding error in the logarithm must not open an empty step.
  const power = (value: number, round: (exact: number) => number) => {
    const exact = Math.log2(value) / Math.log2(base);
    const near = Math.round(exact);
    return base ** (Math.abs(exact - near) < 1e-9 ? near : round(exact));
  };
  const low = power(Math.min(...positive), Math.floor);
  const high = power(Math.max(...positive), Math.ceil);
  return [low, high > low ? high : low * base];
}

/** The powers of a base on the scale, thinned until two of them are `room` apart. */
export function powers(scale: LogScale, base: number, room: number): number[] {
  const all: number[] = [];
  for (let tick = scale.least; tick <= scale.most * (1 + 1e-9); tick *= base) all.push(tick);
  const [first, second] = all;
  if (first === undefined || second === undefined) return all;
  const pitch = Math.abs(scale.at(second) - scale.at(first));
  const step = Math.max(Math.ceil(room / pitch), 1);
  return all.filter((_, index) => index % step === 0);
}

/** How wide a text is, nearly: browsers tell it only after it is drawn. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += (letter.codePointAt(0) ?? 0) >= 0x2e80 ? 1 : 0.56;
  return width * size;
}

/** Tokens as people call lengths: 8K is 8,192. */
export function tokens(value: number, whole: (n: number) => string): string {
  const [mega, kilo] = [2 ** 20, 2 ** 10];
  if (value >= mega && value % mega === 0) return `${whole(value / mega)}M`;
  if (value >= kilo && value % kilo === 0) return `${whole(value / kilo)}K`;
  return whole(value);
}
