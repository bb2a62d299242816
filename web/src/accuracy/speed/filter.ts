import { engineOf, type FigureName, figures, kindOf } from './groups';
import type { Point } from './packed';

// Which measured speeds the reader wants to see, as the address keeps it.

export const PART = 'speed';

export interface SpeedFilter {
  figure: FigureName;
  engine: string;
  kind: string;
  card: string;
  order: SpeedOrder;
  /** Largest first. */
  falling: boolean;
}

export const orders = ['setup', 'load', 'measured', 'predicted', 'error'] as const;
export type SpeedOrder = (typeof orders)[number];

export const everySpeed: SpeedFilter = {
  figure: 'tpot',
  engine: '',
  kind: '',
  card: '',
  order: 'error',
  falling: true,
};

export const isNarrowed = ({ engine, kind, card }: SpeedFilter) =>
  engine !== '' || kind !== '' || card !== '';

/** Whether an address asks for the speeds. */
export const asksForSpeed = (hash: string) =>
  new URLSearchParams(hash.replace(/^#/, '')).get('part') === PART;

export function speedToHash(filter: SpeedFilter): string {
  const query = new URLSearchParams({ part: PART });
  if (filter.figure !== everySpeed.figure) query.set('figure', filter.figure);
  for (const name of ['engine', 'kind', 'card'] as const) {
    if (filter[name] !== '') query.set(name, filter[name]);
  }
  if (filter.order !== everySpeed.order || filter.falling !== everySpeed.falling) {
    query.set('sort', `${filter.falling ? '-' : ''}${filter.order}`);
  }
  return `#${query}`;
}

export function speedFilterOf(hash: string): SpeedFilter {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const sort = query.get('sort');
  return {
    figure: figures.find((name) => name === query.get('figure')) ?? everySpeed.figure,
    engine: query.get('engine') ?? '',
    kind: query.get('kind') ?? '',
    card: query.get('card') ?? '',
    order: orders.find((name) => name === sort?.replace(/^-/, '')) ?? everySpeed.order,
    falling: sort === null ? everySpeed.falling : sort.startsWith('-'),
  };
}

export const chosenSpeeds = (points: Point[], filter: SpeedFilter): Point[] =>
  points.filter(
    (point) =>
      point.figure === filter.figure &&
      (filter.engine === '' || engineOf(point) === filter.engine) &&
      (filter.kind === '' || kindOf(point) === filter.kind) &&
      (filter.card === '' || point.card === filter.card),
  );

export const errorOf = ({ predicted, measured }: Point) => predicted / measured - 1;

/** Twice too fast is as far off as twice too slow. */
const far = (point: Point) => Math.abs(Math.log(point.predicted / point.measured));

const setupOf = (point: Point) => `${point.model} ${point.card} ${point.cards}`.toLowerCase();

const keys: Record<SpeedOrder, (point: Point) => number | string> = {
  setup: setupOf,
  load: ({ users, input }) => (users ?? 0) * 1e7 + (input ?? 0),
  measured: ({ measured }) => measured,
  predicted: ({ predicted }) => predicted,
  error: far,
};

export function sortedSpeeds(points: Point[], { order, falling }: SpeedFilter): Point[] {
  const sign = falling ? -1 : 1;
  const key = keys[order];
  return points
    .map((point) => ({ point, value: key(point) }))
    .sort(
      (a, b) =>
        sign * (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) || a.point.id - b.point.id,
    )
    .map(({ point }) => point);
}
