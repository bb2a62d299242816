// The measured speeds as the page carries them. Written out, the points alone would not leave the
// offline file its room: a setup is written once for all its figures, a number as two letters.

/** core/data/accuracy/speed.json, as tests/accuracy.sh writes it. */
export interface SpeedFacts extends Names {
  columns: string[];
  points: (number | string | null)[][];
}

interface Names {
  source: string;
  rows: number;
  used: number;
  left_out: Record<string, number>;
  figures: string[];
  summary: SummaryRow[];
  engines: string[];
  models: string[];
  cards: string[];
  groups: string[];
  sources: string[];
}

export interface Errors {
  rows: number;
  /** Without a sign, but for the bias; shares of what was measured. */
  median: number;
  bias: number;
  p90: number;
  /** How often the range held what was measured. */
  held: number;
  roofline: number | null;
  original: number | null;
}

export interface SummaryRow extends Errors {
  figure: string;
  group: string;
  halves: Partial<Record<'fit' | 'check', Errors>>;
}

/** What the figures of one row share. */
const SETUP = [
  'group',
  'engine',
  'version',
  'model',
  'card',
  'cards',
  'input',
  'output',
  'users',
  'source',
  'half',
] as const;
type Column = (typeof SETUP)[number];

export interface PackedSpeed extends Names {
  versions: string[];
  setups: Record<Column, (number | null)[]>;
  /** Of each setup a bit for each of its figures. */
  which: number[];
  /** The ends of the ranges, as shares of the prediction. */
  bands: [number, number][];
  band: number[];
  held: string;
  /** The smallest power of ten of what was measured. */
  least: number;
  measured: string;
  apart: string;
}

export interface Point {
  id: number;
  figure: string;
  group: string;
  engine: string;
  version: string;
  model: string;
  card: string;
  cards: number;
  input: number | null;
  output: number | null;
  users: number | null;
  /** Seconds, or tokens a second. */
  measured: number;
  predicted: number;
  low: number;
  high: number;
  held: boolean;
  source: string;
  half: 'fit' | 'check';
}

// Letters that a string of JSON holds as they are.
const LETTERS = Array.from({ length: 93 }, (_, i) => String.fromCharCode(34 + i))
  .filter((letter) => letter !== '"' && letter !== '\\')
  .join('');
const BASE = LETTERS.length;

function letters(value: number): string {
  if (!(value >= 0 && value < BASE * BASE)) throw new RangeError(`${value} in two letters`);
  return `${LETTERS[Math.floor(value / BASE)]}${LETTERS[value % BASE]}`;
}
const number = (text: string, index: number) =>
  LETTERS.indexOf(text[2 * index] ?? '') * BASE + LETTERS.indexOf(text[2 * index + 1] ?? '');

/** Three digits of what was measured: 900 of them in each power of ten. */
const DIGITS = 900;
const powerOf = (value: number) => Number(value.toExponential(2).split('e')[1]);
const digitsOf = (value: number) =>
  Math.round(Number(value.toExponential(2).split('e')[0]) * 100) - 100;

/** Predicted over measured, as a thousandth of its logarithm: finer than the digits shown. */
const FINE = 1000;
const MIDDLE = Math.floor((BASE * BASE) / 2);

export function pack(facts: SpeedFacts): PackedSpeed {
  const { columns, points, ...names } = facts;
  const value = (point: SpeedFacts['points'][number], column: string) =>
    point[columns.indexOf(column)] ?? null;
  const size = (point: SpeedFacts['points'][number], column: string) =>
    Number(value(point, column));
  const versions = [...new Set(points.map((point) => String(value(point, 'version'))))];
  const setups = Object.fromEntries(SETUP.map((column) => [column, []])) as unknown as Record<
    Column,
    (number | null)[]
  >;
  const least = Math.min(...points.map((point) => powerOf(size(point, 'measured'))));
  const packed: PackedSpeed = {
    ...names,
    versions,
    setups,
    which: [],
    bands: [],
    band: [],
    held: '',
    least,
    measured: '',
    apart: '',
  };
  const bands = new Map<string, number>();
  let before = '';
  for (const point of points) {
    const [measured, predicted] = [size(point, 'measured'), size(point, 'predicted')];
    const [low, high] = [size(point, 'low'), size(point, 'high')];
    const setup = SETUP.map((column) =>
      column === 'version'
        ? versions.indexOf(String(value(point, column)))
        : (value(point, column) as number | null),
    );
    const bit = 2 ** size(point, 'figure');
    const last = packed.which.length - 1;
    // Two rows can have all of this in common; the figures of one come in order.
    if (setup.join() === before && (packed.which[last] ?? 0) < bit) {
      packed.which[last] = (packed.which[last] ?? 0) + bit;
    } else {
      packed.which.push(bit);
      SETUP.forEach((column, i) => {
        setups[column].push(setup[i] ?? null);
      });
    }
    before = setup.join();
    const band: [number, number] = [
      Number((low / predicted).toFixed(2)),
      Number((high / predicted).toFixed(2)),
    ];
    if (!bands.has(band.join())) bands.set(band.join(), packed.bands.push(band) - 1);
    packed.band.push(bands.get(band.join()) ?? 0);
    packed.held += measured >= low && measured <= high ? 1 : 0;
    packed.measured += letters((powerOf(measured) - least) * DIGITS + digitsOf(measured));
    packed.apart += letters(MIDDLE + Math.round(FINE * Math.log(predicted / measured)));
  }
  return packed;
}

export function unpack(packed: PackedSpeed): Point[] {
  const { setups, which, bands } = packed;
  const points: Point[] = [];
  which.forEach((bits, row) => {
    const at = (column: Column) => setups[column][row] ?? null;
    const name = (list: string[], column: Column) => list[at(column) ?? -1] ?? '';
    for (const [index, figure] of packed.figures.entries()) {
      if (Math.floor(bits / 2 ** index) % 2 === 0) continue;
      const id = points.length;
      const digits = number(packed.measured, id);
      const power = Math.floor(digits / DIGITS) + packed.least;
      const measured = Number(`${(digits % DIGITS) + 100}e${power - 2}`);
      const predicted = measured * Math.exp((number(packed.apart, id) - MIDDLE) / FINE);
      const [low, high] = bands[packed.band[id] ?? 0] ?? [1, 1];
      points.push({
        id,
        figure,
        group: name(packed.groups, 'group'),
        engine: name(packed.engines, 'engine'),
        version: name(packed.versions, 'version'),
        model: name(packed.models, 'model'),
        card: name(packed.cards, 'card'),
        cards: at('cards') ?? 1,
        input: at('input'),
        output: at('output'),
        users: at('users'),
        measured,
        predicted,
        low: predicted * low,
        high: predicted * high,
        held: packed.held[id] === '1',
        source: name(packed.sources, 'source'),
        half: at('half') === 0 ? 'fit' : 'check',
      });
    }
  });
  return points;
}
