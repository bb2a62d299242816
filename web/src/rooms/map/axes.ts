// Which values of an axis are worth a row or a column.

const SHORTEST = 1024;
/** Where neither the model nor the question tells how far lengths go. */
const USUAL = 131_072;
const MOST_LOAD = 1024;
const CURVE_POINTS = 28;

const doubles = (from: number, to: number, factor = 2) => {
  const values: number[] = [];
  for (let value = from; value <= to * (1 + 1e-9); value *= factor) values.push(value);
  return values;
};

/** At most `room` of the values in even steps from the last one, and the asked one among them. */
export function thin(values: readonly number[], asked: number | null, room: number): number[] {
  const rising = [...new Set(values)].sort((a, b) => a - b);
  const step = Math.max(Math.ceil((rising.length - 1) / Math.max(room - 1, 1)), 1);
  const kept = rising.filter((_, index) => (rising.length - 1 - index) % step === 0);
  if (asked === null || kept.includes(asked)) return kept;
  if (kept.length >= room) {
    // It takes the place of the nearest one, the ends of the axis apart.
    const inner = kept.length > 2 ? kept.slice(1, -1) : kept;
    const far = (value: number) => Math.abs(Math.log(value / asked));
    const nearest = inner.reduce((a, b) => (far(b) < far(a) ? b : a));
    kept.splice(kept.indexOf(nearest), 1);
  }
  return [...kept, asked].sort((a, b) => a - b);
}

/** The longest length worth asking about. */
const longest = (limit: number, asked: number | null) => Math.max(limit || USUAL, asked ?? 0);

/** Lengths in tokens: doubles of 1,024 up to the model's own length. */
export function contexts(limit: number, asked: number | null, room: number): number[] {
  const most = longest(limit, asked);
  const values = doubles(SHORTEST, most);
  if (limit > 0 && !values.includes(limit)) values.push(limit);
  return thin(values, asked, room);
}

/** The same by half steps, for a curve. */
export function curveContexts(limit: number, asked: number | null): number[] {
  const most = longest(limit, asked);
  const halves = doubles(SHORTEST, most, Math.SQRT2).map((value) => Math.round(value / 16) * 16);
  const values = halves.filter((value) => value <= most);
  if (limit > 0) values.push(limit);
  return thin(values, asked, CURVE_POINTS);
}

/** Requests at once: doubles up to 1,024, or twice what is asked for. */
export function loads(asked: number | null, room: number): number[] {
  return thin(doubles(1, Math.max(MOST_LOAD, (asked ?? 0) * 2)), asked, room);
}
