import type { Basis, ErrorReport, Estimate, Report } from 'ridgepoint';
import { type Baseline, naive, original, type Said } from './baselines';
import { type Row, type Term, terms } from './rows';

// An answer of the core held against what the engine printed.

/** Logs print sizes as GiB with two decimals, and concurrency so too. */
const ROUNDING: Partial<Record<string, number>> = { blocks: 0, tokens: 0, concurrency: 0.005 };
const OF_SIZES = 0.005 * 2 ** 30;

type Bounds = Pick<Estimate, 'low' | 'best' | 'high'>;

/** One term of one start. */
export interface Compared extends Bounds {
  measured: number;
  basis: Basis;
  error: number;
  held: boolean;
}

/** A start with all that is said of it. */
export interface Start {
  row: Row;
  /** `dense` or `moe`, the kind of attention, `quantised`, `several` cards. */
  kinds: string[];
  serves: boolean;
  /** The card by the name it has here; empty where it is one by its size. */
  cardName: string;
  version: string;
  terms: Partial<Record<Term, Compared>>;
  others: Record<Baseline, Said>;
}

/** What of a log follows from its own pool: whether it does. */
export type Followed = Record<string, boolean>;

const weakest: Basis[] = ['assumed', 'literature', 'measured', 'exact'];

/** Of the memory outside torch a TensorRT-LLM log prints one figure. */
function outside({ non_torch: a, cuda_graphs_charged: b }: Report['memory']['per_gpu']) {
  const basis = weakest.find((one) => one === a.basis || one === b.basis) ?? a.basis;
  return { low: a.low + b.low, best: a.best + b.best, high: a.high + b.high, basis };
}

function predicted(report: Report): Record<Term, Bounds & { basis: Basis }> {
  const gpu = report.memory.per_gpu;
  return {
    weights: gpu.weights,
    activation: gpu.activation,
    graphs: gpu.cuda_graphs,
    non_torch: gpu.non_torch,
    outside: outside(gpu),
    kv_pool: gpu.kv_pool,
    blocks: report.cache.blocks,
    tokens: report.cache.tokens,
    concurrency: report.capacity.max_concurrency,
  };
}

function held(term: string, value: number, low: number, high: number) {
  const slack = ROUNDING[term] ?? OF_SIZES;
  return low - slack <= value && value <= high + slack;
}

function kindsOf(report: Report): string[] {
  const { model, engine } = report;
  const several = engine.tensor_parallel_size * engine.pipeline_parallel_size > 1;
  return [
    model.moe ? 'moe' : 'dense',
    model.attention,
    ...(model.quantization || report.engine.name === 'llamacpp' ? ['quantised'] : []),
    ...(several ? ['several'] : []),
  ];
}

export function startOf(row: Row, report: Report): Start {
  const ours = predicted(report);
  const compared: Start['terms'] = {};
  for (const term of terms) {
    const measured = row.said[term];
    if (!measured || !ours[term]) continue;
    const { low, best, high, basis } = ours[term];
    const error = best / measured - 1;
    compared[term] = {
      measured,
      low,
      best,
      high,
      basis,
      error,
      held: held(term, measured, low, high),
    };
  }
  return {
    row,
    kinds: kindsOf(report),
    serves: report.verdict.serves,
    cardName: report.gpu.id ? report.gpu.name : '',
    version: report.engine.version,
    terms: compared,
    others: { naive: naive(report), original: original(row, report) },
  };
}

/** What a report of given figures is held to; logs of what is needed have two decimals. */
const FOLLOWS: Partial<Record<string, number>> = { tokens: 0.5, concurrency: 0.00501, max_len: 15 };

function following(report: Report): Record<string, number> {
  return {
    tokens: report.cache.tokens.best,
    concurrency: report.capacity.max_concurrency.best,
    kv_pool: report.memory.per_gpu.kv_pool.best,
    needed: report.verdict.needed_bytes,
    max_len: report.capacity.max_context,
  };
}

export function followedOf(row: Row, answers: (Report | ErrorReport)[]): Followed {
  const reports = answers.filter((answer): answer is Report => !('error' in answer));
  if (reports.length === 0 || reports.length !== answers.length) return {};
  const values = reports.map(following);
  const followed: Followed = {};
  for (const term of row.follows) {
    const said = row.said[term];
    if (said === undefined) continue;
    const slack = Math.max(FOLLOWS[term] ?? OF_SIZES, row.tolerance * said);
    const all = values.map((value) => value[term] ?? Number.NaN);
    followed[term] = Math.min(...all) - slack <= said && said <= Math.max(...all) + slack;
  }
  return followed;
}
