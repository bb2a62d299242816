import type { ModelRequest, RecommendQuery } from 'ridgepoint';
import { count } from '../../numbers';
import type { Answer } from '../../session';

// The reader's wishes as a question to the core.

export type Rank = 'cards' | 'price' | 'headroom';

export interface Wishes {
  /** As typed: milliseconds, and the list's currency per hour. */
  ttft: string;
  tpot: string;
  budget: string;
  most: number;
  rank: Rank;
  /** Ids of the cards that may be used; none: all of the vendor. */
  cards: string[];
  /** Empty: all. */
  vendor: string;
  anyFormat: boolean;
  allEngines: boolean;
}

export const first: Wishes = {
  ttft: '',
  tpot: '',
  budget: '',
  most: 8,
  rank: 'cards',
  cards: [],
  vendor: '',
  anyFormat: false,
  allEngines: false,
};

export type Typed = 'ttft' | 'tpot' | 'budget';

/** A comparison, which gives the reports of all of them, takes no more. */
export const MOST_ANSWERS = 16;

/** How the cards share the model is for the search to find. */
const layout = new Set([
  'tensor-parallel-size',
  'pipeline-parallel-size',
  'data-parallel-size',
  'expert-parallel-size',
  'enable-expert-parallel',
  'enable-ep-moe',
  'enable-dp-attention',
  'enable-attention-dp',
  'moe-dense-tp-size',
  'moe-expert-parallel-size',
  'moe-tensor-parallel-size',
  'attention-context-parallel-size',
  'decode-context-parallel-size',
  'tensor-split',
  'split-mode',
]);

/** The flags of a setup that a search on other cards keeps. */
export const keptFlags = (args: Record<string, unknown> = {}) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !layout.has(name)));

/** What is typed but no number above zero. */
export const unreadable = (wishes: Wishes): Typed[] =>
  (['ttft', 'tpot', 'budget'] as const).filter((field) => {
    const value = count(wishes[field]);
    return value !== undefined && !(typeof value === 'number' && value > 0);
  });

const typed = (text: string, unit: number) => {
  const value = count(text);
  return typeof value === 'number' ? { value: value * unit } : null;
};

/** The load that the answer is of. */
export function loadOf({ report, request }: Answer) {
  const { concurrency, prompt, output } = request.workload;
  const lengths = typeof prompt === 'number' && typeof output === 'number';
  return {
    context: report.capacity.context,
    ...(lengths ? { prompt, output } : {}),
    concurrency: typeof concurrency === 'number' && concurrency > 0 ? concurrency : 1,
  };
}

function engines({ request }: Answer, wishes: Wishes, known: string[]): RecommendQuery['engines'] {
  const { name, version, args } = request.engine;
  const kept = keptFlags(args);
  const own = {
    name,
    ...(version ? { version } : {}),
    ...(Object.keys(kept).length > 0 ? { args: kept as Record<string, never> } : {}),
  };
  const others = known.filter((other) => other !== name).map((other) => ({ name: other }));
  return wishes.allEngines ? [own, ...others] : [own];
}

export function recommendQuery(answer: Answer, wishes: Wishes, known: string[]): RecommendQuery {
  const ttft = typed(wishes.ttft, 1e-3);
  const tpot = typed(wishes.tpot, 1e-3);
  const budget = typed(wishes.budget, 1);
  return {
    model: answer.request.model as ModelRequest,
    engines: engines(answer, wishes, known),
    workload: {
      ...loadOf(answer),
      ...(ttft ? { ttft_s: ttft.value } : {}),
      ...(tpot ? { tpot_s: tpot.value } : {}),
    },
    constraints: {
      max_count: wishes.most,
      ...(wishes.cards.length > 0 ? { gpus: wishes.cards } : {}),
      ...(wishes.cards.length === 0 && wishes.vendor ? { vendors: [wishes.vendor] } : {}),
      ...(wishes.anyFormat ? {} : { weight_formats: ['checkpoint'] }),
      ...(budget ? { budget_per_hour: budget.value } : {}),
    },
    rank_by: wishes.rank,
    limit: MOST_ANSWERS,
  };
}
