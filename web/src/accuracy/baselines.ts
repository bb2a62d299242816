import type { Report } from 'ridgepoint';
import type { Row, Term } from './rows';

// What two other calculators would say of a start, from the weights and bytes per token of the
// report: what is compared is what they take for the pool.

const GIB = 2 ** 30;

export const ORIGINAL_SOURCE = 'https://github.com/Isk4R1oT/ridgepoint/blob/main/src/core.rs';

export type Baseline = 'naive' | 'original';
export const baselines: Baseline[] = ['naive', 'original'];
export type Said = Partial<Record<Term, number>>;

const gpusOf = ({ engine }: Report) => engine.tensor_parallel_size * engine.pipeline_parallel_size;

function tokensOf(pool: number, bytesPerToken: number, report: Report): Said {
  if (!bytesPerToken) return { kv_pool: pool };
  const tokens = (pool * gpusOf(report)) / bytesPerToken;
  return { kv_pool: pool, tokens, concurrency: tokens / report.engine.max_model_len };
}

/** Weights and cache against the card: the pool is all that the weights leave. */
export function naive(report: Report): Said {
  // llama.cpp makes the cache that it is told to, and leaves the rest.
  if (report.engine.name === 'llamacpp') return {};
  const { total, weights } = report.memory.per_gpu;
  return tokensOf(Math.max(0, total - weights.best), report.naive.bytes_per_token, report);
}

/**
 * The original's formula, which knows vLLM at its default share of the card: 0.90 of (nominal GiB less
 * 0.8e9 bytes), less the weights, less h + N (non-torch + 0.55 h) with h = hidden size / 4096 GiB and
 * 0.28 GiB of non-torch memory, 0.70 for mixtures of experts.
 */
export function original({ hidden, nominal }: Row, report: Report): Said {
  if (report.engine.name !== 'vllm' || !hidden) return {};
  const { total, weights } = report.memory.per_gpu;
  const gpus = gpusOf(report);
  const card = (nominal ?? Math.round(total / GIB / 8) * 8) * GIB - 0.8e9;
  const h = (hidden / 4096) * GIB;
  const overhead = h + gpus * ((report.model.moe ? 0.7 : 0.28) * GIB + 0.55 * h);
  const pool = (0.9 * card - weights.best) * gpus - overhead;
  return tokensOf(Math.max(0, pool / gpus), report.cache.bytes_per_token, report);
}
