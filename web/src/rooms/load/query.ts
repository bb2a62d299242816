import type {
  Arrivals,
  CapacityQuery,
  Lengths,
  Load,
  Request,
  SimulateQuery,
  Slo,
} from 'ridgepoint';
import { count } from '../../numbers';
import type { Answer } from '../../session';
import type { Settings } from './settings';

// The settings as a question to the core.

export type Typed =
  | 'rate'
  | 'people'
  | 'input'
  | 'output'
  | 'shared'
  | 'session'
  | 'ttft'
  | 'pace'
  | 'share'
  | 'requests'
  | 'seed'
  | 'speedUp';

/** Real traffic of minutes: between a coefficient of variation of 1 and 2. */
const UNEVEN = 0.5;
/** Twenty seconds of two and a half times the rate, then forty with what that leaves of it. */
const WAVES = { on_s: 20, off_s: 40, peak: 2.5 };
const SPREADS = { near: 0.2, far: 0.5 };

const above =
  (least: number, most = Number.POSITIVE_INFINITY) =>
  (value: number) =>
    value > least && value <= most;
const wholeAbove = (least: number) => (value: number) => value > least && Number.isInteger(value);

const readable: Record<Typed, (value: number) => boolean> = {
  rate: above(0),
  people: wholeAbove(0),
  input: wholeAbove(0),
  output: wholeAbove(0),
  shared: wholeAbove(-1),
  session: above(-1e-9, 99.9),
  ttft: above(0),
  pace: above(0),
  share: above(0, 100),
  requests: wholeAbove(0),
  seed: wholeAbove(-1),
  speedUp: above(0),
};

/** Fields that must hold something. */
const needed = new Set<Typed>(['rate', 'people']);

/** The number of a field; nothing where it is empty or no number that it takes. */
function numberOf(settings: Settings, field: Typed): number | undefined {
  const value = count(settings[field]);
  return typeof value === 'number' && readable[field](value) ? value : undefined;
}

/** The fields that count for what is set. */
export function shownFields({ use, arrive }: Settings): Typed[] {
  const coming: Record<Settings['arrive'], Typed[]> = {
    rate: ['rate'],
    closed: ['people'],
    at_once: [],
  };
  return [
    ...(use === 'trace' ? (['speedUp'] as const) : coming[arrive]),
    ...(use === 'own' ? (['input', 'output'] as const) : []),
    'shared',
    'session',
    'ttft',
    'pace',
    'share',
    ...(use === 'trace' ? [] : (['requests', 'seed'] as const)),
  ];
}

export const unreadable = (settings: Settings): Typed[] =>
  shownFields(settings).filter((field) =>
    settings[field].trim() === '' ? needed.has(field) : numberOf(settings, field) === undefined,
  );

/** The goal of the settings; null where there is none. */
export function sloOf(settings: Settings): Slo | null {
  const ttft = numberOf(settings, 'ttft');
  const pace = numberOf(settings, 'pace');
  if (ttft === undefined && pace === undefined) return null;
  const perToken = settings.paceUnit === 'ms' ? (pace ?? 0) / 1000 : 1 / (pace ?? 1);
  return {
    ...(ttft === undefined ? {} : { ttft_s: ttft / 1000 }),
    ...(pace === undefined ? {} : { tpot_s: perToken }),
    percentile: (numberOf(settings, 'share') ?? 99) / 100,
  };
}

function arrivalsOf(settings: Settings, trace: string | null): Arrivals {
  if (settings.use === 'trace') {
    const speed = numberOf(settings, 'speedUp');
    return {
      kind: 'trace',
      text: trace ?? '',
      ...(speed === undefined ? {} : { speed_up: speed }),
    };
  }
  if (settings.arrive === 'at_once') return { kind: 'at_once' };
  if (settings.arrive === 'closed') {
    return { kind: 'closed', concurrency: numberOf(settings, 'people') ?? 1 };
  }
  const rate = numberOf(settings, 'rate') ?? 1;
  if (settings.flow === 'uneven') return { kind: 'gamma', rate, burstiness: UNEVEN };
  if (settings.flow === 'waves') return { kind: 'bursty', rate, ...WAVES };
  return { kind: 'poisson', rate };
}

/** What the view asks always has a goal. */
export type MostQuery = SimulateQuery & Required<Pick<CapacityQuery, 'slo' | 'over' | 'changes'>>;

/** How many requests the core takes where no number is given. */
export const usualRequests = (settings: Settings): number =>
  settings.arrive === 'closed' ? Math.max(200, 10 * (numberOf(settings, 'people') ?? 1)) : 1000;

/** Prompt and answer of "own numbers": what is typed, else what the inputs say. */
export function ownLengths(settings: Settings, { report, request }: Answer) {
  const { prompt, output } = request.workload;
  const context = report.capacity.context;
  const answer = typeof output === 'number' ? output : Math.max(1, Math.round(context / 8));
  return {
    input:
      numberOf(settings, 'input') ??
      (typeof prompt === 'number' ? prompt : Math.max(1, context - answer)),
    output: numberOf(settings, 'output') ?? answer,
  };
}

function lengthsOf(settings: Settings, answer: Answer): Lengths | null {
  const { use, spread } = settings;
  if (use === 'trace') return null;
  if (use !== 'own') return { kind: 'preset', name: use };
  const { input, output } = ownLengths(settings, answer);
  if (spread === 'same') return { kind: 'fixed', input, output };
  const ends = (tokens: number): [number, number] => [
    Math.max(1, Math.round(tokens * (1 - SPREADS[spread]))),
    Math.round(tokens * (1 + SPREADS[spread])),
  ];
  return { kind: 'uniform', input: ends(input), output: ends(output) };
}

function loadOf(settings: Settings, answer: Answer, trace: string | null): Load {
  const lengths = lengthsOf(settings, answer);
  const shared = numberOf(settings, 'shared');
  const session = numberOf(settings, 'session');
  const requests = settings.use === 'trace' ? undefined : numberOf(settings, 'requests');
  const seed = settings.use === 'trace' ? undefined : numberOf(settings, 'seed');
  const prefix = {
    ...(shared ? { shared_tokens: shared } : {}),
    ...(session === undefined ? {} : { session_share: session / 100 }),
  };
  return {
    arrivals: arrivalsOf(settings, trace),
    ...(lengths ? { lengths } : {}),
    ...(Object.keys(prefix).length > 0 ? { prefix } : {}),
    ...(requests === undefined ? {} : { requests }),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Null while there is nothing to ask: a field that cannot be read, a trace that is not there yet. */
export function simulateQuery(
  settings: Settings,
  answer: Answer,
  trace: string | null,
): SimulateQuery | null {
  if (unreadable(settings).length > 0) return null;
  if (settings.use === 'trace' && !trace) return null;
  const slo = sloOf(settings);
  return {
    request: answer.request as unknown as Request,
    load: loadOf(settings, answer, trace),
    ...(slo ? { slo } : {}),
  };
}

/** How much it carries; null without a goal. A trace is sped up. */
export function capacityQuery(query: SimulateQuery, { use, arrive }: Settings): MostQuery | null {
  const { slo, load, request } = query;
  if (!slo) return null;
  const over = use !== 'trace' && arrive === 'closed' ? 'concurrency' : 'rate';
  // What comes at once has no rate to begin with.
  const coming: Arrivals =
    load.arrivals.kind === 'at_once' ? { kind: 'poisson', rate: 1 } : load.arrivals;
  return { request, load: { ...load, arrivals: coming }, slo, over, changes: true };
}

/** Which field a path of the question belongs to; empty: none of this view. */
export function fieldOf(path: string, { use, arrive }: Settings): string {
  if (path.startsWith('load.arrivals')) {
    if (use === 'trace') return path.includes('speed_up') ? 'speedUp' : 'trace';
    return arrive === 'closed' ? 'people' : 'rate';
  }
  if (path.startsWith('load.lengths')) return use === 'own' ? 'input' : 'use';
  if (path.startsWith('load.prefix.session')) return 'session';
  if (path.startsWith('load.prefix')) return 'shared';
  if (path.startsWith('load.requests')) return 'requests';
  if (path.startsWith('load.seed')) return 'seed';
  if (path.startsWith('slo.ttft')) return 'ttft';
  if (path.startsWith('slo.tpot')) return 'pace';
  if (path.startsWith('slo')) return 'share';
  return '';
}
