import type { Json, MeasuredRequest, ModelRequest, Request } from 'ridgepoint';

// A row is one start that somebody measured. The facts hold them as one array a field.

const GIB = 2 ** 30;

export const sizes = [
  'weights',
  'activation',
  'graphs',
  'non_torch',
  'outside',
  'kv_pool',
] as const;
export const counts = ['blocks', 'tokens', 'concurrency'] as const;
export const terms = [...sizes, ...counts] as const;
export type Term = (typeof terms)[number];
/** What is checked only once the pool itself is put in. */
type Following = Term | 'needed' | 'max_len';

/** A file of core/data/accuracy/rows. */
export interface RowFacts {
  engine: string;
  /** What follows from a log's own figures, and how far off rounded ones may leave it. */
  follows: string[];
  tolerance: number;
  sources: string[];
  models: ModelRequest[];
  /** The hidden size of each model, for the original's formula. */
  hidden: (number | null)[];
  rows: Record<string, unknown[]>;
}

interface Change {
  args?: Record<string, Json>;
  gpu?: Request['gpu'];
  measured?: MeasuredRequest;
}

export interface Row {
  engine: string;
  id: string;
  /** An address, or empty where the copy that was read has none. */
  source: string;
  date: string | null;
  /** The model, card and version as the source names them. */
  name: string;
  card: string;
  versionTold: string | null;
  outcome: string;
  /** The word for why it is left out of the comparison. */
  leftOut: string | null;
  era: string;
  hidden: number | null;
  /** GB of the card by its name. */
  nominal: number | null;
  /** Bytes, and numbers of blocks, tokens and requests. */
  said: Partial<Record<Following, number>>;
  /** From the config, the card and the flags alone; null where the source does not give them. */
  request: Request | null;
  /** With what the log printed put in: one, or two whose answers hold what follows between them. */
  given: Request[];
  follows: Following[];
  tolerance: number;
}

const PARALLEL = ['tensor-parallel-size', 'pipeline-parallel-size', 'data-parallel-size'];

/** How many cards a request is for; where it does not say, its flags do. */
export const cardsOf = ({ gpu, engine }: Request): number =>
  gpu.count ?? PARALLEL.reduce((all, flag) => all * (Number(engine.args?.[flag]) || 1), 1);

const isSize = (term: string) => term === 'needed' || (sizes as readonly string[]).includes(term);

export function rowsOf(facts: RowFacts): Row[] {
  const { rows } = facts;
  return (rows.id ?? []).map((id, index) => {
    const at = <T>(field: string) => (rows[field]?.[index] ?? null) as T | null;
    const leftOut = at<string>('left_out');
    const base = baseOf(facts, at);
    return {
      engine: facts.engine,
      id: id as string,
      source: facts.sources[at<number>('source') ?? 0] ?? '',
      date: at<string>('date'),
      name: at<string>('name') ?? '',
      card: at<string>('card') ?? '',
      versionTold: at<string>('version_told'),
      outcome: at<string>('outcome') ?? '',
      leftOut,
      era: at<string>('era') ?? '',
      hidden: facts.hidden[at<number>('model') ?? -1] ?? null,
      nominal: at<number>('nominal'),
      said: saidOf(at),
      request: leftOut === null ? base : null,
      given: base ? (at<Change[]>('given') ?? []).map((change) => changed(base, change)) : [],
      follows: facts.follows as Following[],
      tolerance: facts.tolerance,
    };
  });
}

type Field = <T>(field: string) => T | null;

function baseOf({ engine, models }: RowFacts, at: Field): Request | null {
  const model = models[at<number>('model') ?? -1];
  if (!model) return null;
  const [env, measured] = [at<Record<string, string>>('env'), at<MeasuredRequest>('measured')];
  return {
    id: at<string>('id') ?? '',
    model: model.id ? model : { id: at<string>('name') ?? '', ...model },
    gpu: at<Request['gpu']>('gpu') ?? {},
    engine: {
      name: engine,
      version: at<string>('version'),
      args: at<Record<string, Json>>('args') ?? {},
      ...(env ? { env } : {}),
    },
    ...(measured ? { measured } : {}),
  };
}

function changed(base: Request, { args, gpu, measured }: Change): Request {
  return {
    ...base,
    gpu: { ...base.gpu, ...gpu },
    engine: { ...base.engine, args: { ...base.engine.args, ...args } },
    ...(measured ? { measured } : {}),
  };
}

function saidOf(at: Field): Row['said'] {
  const said: Row['said'] = {};
  for (const term of [...terms, 'needed', 'max_len'] as const) {
    const value = at<number>(term);
    if (value !== null) said[term] = isSize(term) ? value * GIB : value;
  }
  return said;
}
