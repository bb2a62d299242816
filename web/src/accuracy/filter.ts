import { type Baseline, baselines } from './baselines';
import type { Start } from './compare';
import { type Term, terms } from './rows';

// What the reader wants to see, as the address keeps it.

export const ranges = ['all', 'in', 'out'] as const;
export const orders = [
  'name',
  'engine',
  'measured',
  'predicted',
  'error',
  'naive',
  'original',
] as const;
export type Order = (typeof orders)[number];

export interface Filter {
  engine: string;
  /** Of one engine: the group of its versions that share rules. */
  era: string;
  kind: string;
  term: Term;
  range: (typeof ranges)[number];
  order: Order;
  /** Largest first. */
  falling: boolean;
}

export const everything: Filter = {
  engine: '',
  era: '',
  kind: '',
  term: 'kv_pool',
  range: 'all',
  order: 'error',
  falling: true,
};

export const isFiltered = ({ engine, era, kind, range }: Filter) =>
  engine !== '' || era !== '' || kind !== '' || range !== 'all';

export function filterToHash(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.engine) query.set('engine', filter.engine);
  if (filter.era) query.set('version', filter.era);
  if (filter.kind) query.set('kind', filter.kind);
  if (filter.term !== everything.term) query.set('term', filter.term);
  if (filter.range !== 'all') query.set('range', filter.range);
  if (filter.order !== everything.order || filter.falling !== everything.falling) {
    query.set('sort', `${filter.falling ? '-' : ''}${filter.order}`);
  }
  const text = query.toString();
  return text === '' ? '' : `#${text}`;
}

const among = <T extends string>(names: readonly T[], value: string | null, other: T): T =>
  names.find((name) => name === value) ?? other;

export function filterOf(hash: string): Filter {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  const sort = query.get('sort');
  return {
    engine: query.get('engine') ?? '',
    era: query.get('version') ?? '',
    kind: query.get('kind') ?? '',
    term: among(terms, query.get('term'), everything.term),
    range: among(ranges, query.get('range'), 'all'),
    order: among(orders, sort?.replace(/^-/, '') ?? null, everything.order),
    falling: sort === null ? everything.falling : sort.startsWith('-'),
  };
}

/** The starts of an engine, its versions and a kind of model. */
export const chosen = (starts: Start[], { engine, era, kind }: Filter): Start[] =>
  starts.filter(
    ({ row, kinds }) =>
      (engine === '' || row.engine === engine) &&
      (era === '' || row.era === era) &&
      (kind === '' || kinds.includes(kind)),
  );

/** Of these, the ones that say something of the term, inside the range or not. */
export const withTerm = (starts: Start[], { term, range }: Filter): Start[] =>
  starts.filter(({ row, terms: seen }) => {
    const one = seen[term];
    if (!one || row.outcome === 'refused') return false;
    return range === 'all' || one.held === (range === 'in');
  });

export function otherError({ row, others }: Start, whose: Baseline, term: Term): number | null {
  const [measured, value] = [row.said[term], others[whose][term]];
  return measured && value !== undefined ? value / measured - 1 : null;
}

const hasOther = (starts: Start[], whose: Baseline, term: Term) =>
  starts.some((start) => otherError(start, whose, term) !== null);

/** The other calculators that say anything of a term. */
export const othersOf = (starts: Start[], term: Term) =>
  baselines.filter((whose) => hasOther(starts, whose, term));

const modelOf = ({ row }: Start) => row.name.toLowerCase();
const engineOf = ({ row, version }: Start) => `${row.engine} ${version}`;

function sortKey(start: Start, { order, term }: Filter): number | string {
  const one = start.terms[term];
  if (order === 'name') return modelOf(start);
  if (order === 'engine') return engineOf(start);
  if (order === 'measured') return one?.measured ?? 0;
  if (order === 'predicted') return one?.best ?? 0;
  if (order === 'error') return Math.abs(one?.error ?? 0);
  const error = otherError(start, order, term);
  return error === null ? -1 : Math.abs(error);
}

const compared = (a: number | string, b: number | string) =>
  typeof a === 'string' && typeof b === 'string'
    ? a.localeCompare(b, 'en', { numeric: true })
    : Number(a) - Number(b);

export function sorted(starts: Start[], filter: Filter): Start[] {
  const sign = filter.falling ? -1 : 1;
  return starts
    .map((start) => ({ start, value: sortKey(start, filter) }))
    .sort((a, b) => sign * compared(a.value, b.value) || (a.start.row.id < b.start.row.id ? -1 : 1))
    .map(({ start }) => start);
}
