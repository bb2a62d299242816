// What a report, the naive sum and the original calculator's formulas say of a start, by one name each.

/** @import { Figures } from './types' */

const GIB = 2 ** 30;

/** @returns {Record<string, { low: number, best: number, high: number }>} */
export function estimated(report) {
  const gpu = report.memory.per_gpu;
  return {
    weights: gpu.weights,
    activation: gpu.activation,
    non_torch: gpu.non_torch,
    graphs: gpu.cuda_graphs,
    kv_pool: gpu.kv_pool,
    blocks: report.cache.blocks,
    tokens: report.cache.tokens,
    concurrency: report.capacity.max_concurrency,
  };
}

/** Weights and cache against the card: the pool is all that the weights leave. @returns {Figures} */
export function naive(report) {
  // llama.cpp makes the cache that it is told to, and leaves the rest.
  if (report.engine.name === 'llamacpp') return {};
  const gpu = report.memory.per_gpu;
  const gpus = report.engine.tensor_parallel_size * report.engine.pipeline_parallel_size;
  const kv_pool = Math.max(0, gpu.total - gpu.weights.best);
  const tokens = report.naive.bytes_per_token
    ? (kv_pool * gpus) / report.naive.bytes_per_token
    : null;
  return { kv_pool, tokens, concurrency: perRequest(tokens, report) };
}

/**
 * The formulas of the calculator that this one began with (Isk4R1oT/ridgepoint 0.1.2, src/core.rs),
 * which knows vLLM: 0.90 of (nominal GiB less 0.8e9 bytes), less the weights, less h + N (non-torch +
 * 0.55 h) with h = hidden size / 4096 GiB and 0.28 GiB of non-torch memory, 0.70 for mixtures of
 * experts. The weights and the bytes of a token are those of the report.
 *
 * @returns {Figures}
 */
export function original(report, { hidden, nominal }) {
  if (report.engine.name !== 'vllm' || !hidden) return {};
  const gpu = report.memory.per_gpu;
  const gpus = report.engine.tensor_parallel_size * report.engine.pipeline_parallel_size;
  const card = (nominal ?? Math.round(gpu.total / GIB / 8) * 8) * GIB - 0.8e9;
  const h = (hidden / 4096) * GIB;
  const overhead = h + gpus * ((report.model.moe ? 0.7 : 0.28) * GIB + 0.55 * h);
  const pool = 0.9 * card * gpus - gpu.weights.best * gpus - overhead;
  const kv_pool = Math.max(0, pool / gpus);
  const tokens = report.cache.bytes_per_token
    ? (kv_pool * gpus) / report.cache.bytes_per_token
    : null;
  return { kv_pool, tokens, concurrency: perRequest(tokens, report) };
}

function perRequest(tokens, report) {
  return tokens === null ? null : tokens / report.engine.max_model_len;
}

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, share) {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
