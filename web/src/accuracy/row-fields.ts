import type { Json } from 'ridgepoint';

// Which field of a row holds which flag; the flags without one are kept as they are written.

const parallel = {
  'tensor-parallel-size': 'tp',
  'pipeline-parallel-size': 'pp',
  'data-parallel-size': 'dp',
};

const fields: Record<string, Record<string, string>> = {
  vllm: {
    ...parallel,
    'gpu-memory-utilization': 'util',
    'max-model-len': 'max_model_len',
    'max-num-seqs': 'max_num_seqs',
    'max-num-batched-tokens': 'max_num_batched_tokens',
    'kv-cache-dtype': 'kv_cache_dtype',
    'enforce-eager': 'enforce_eager',
    dtype: 'dtype',
    'block-size': 'block_size',
    'enable-chunked-prefill': 'chunked_prefill',
    'enable-prefix-caching': 'prefix_caching',
    'enable-expert-parallel': 'ep',
    quantization: 'quantization',
  },
  sglang: {
    ...parallel,
    'mem-fraction-static': 'mem_fraction',
    'context-length': 'context_len',
    'chunked-prefill-size': 'chunked_prefill_size',
    'max-running-requests': 'max_running_requests',
    'cuda-graph-max-bs': 'cuda_graph_max_bs',
    'page-size': 'page_size',
    'kv-cache-dtype': 'kv_cache_dtype',
    'expert-parallel-size': 'ep',
    dtype: 'dtype',
    quantization: 'quantization',
  },
  trtllm: {
    tp_size: 'tp',
    pp_size: 'pp',
    ep_size: 'ep',
    free_gpu_memory_fraction: 'mem_fraction',
    max_seq_len: 'context_len',
    max_num_tokens: 'chunked_prefill_size',
    max_batch_size: 'max_running_requests',
    'kv_cache_config.tokens_per_block': 'page_size',
    'kv_cache_config.dtype': 'kv_cache_dtype',
  },
  llamacpp: {
    'ctx-size': 'context_len',
    parallel: 'max_running_requests',
    'cache-type-k': 'kv_cache_dtype',
  },
};

const written = (flag: string, value: Json) =>
  value === true
    ? `--${flag}`
    : `--${flag} ${typeof value === 'string' ? value : JSON.stringify(value)}`;

/** What the flags of a command add to a row; what the log printed stays. */
export function flagFields(
  row: Record<string, Json>,
  engine: string,
  args: Record<string, Json>,
): Record<string, Json> {
  const known = fields[engine] ?? {};
  const added: Record<string, Json> = {};
  const others: string[] = [];
  for (const [flag, value] of Object.entries(args)) {
    const field = known[flag];
    if (field === undefined) others.push(written(flag, value));
    else if (row[field] === null || row[field] === undefined || Object.hasOwn(parallel, flag)) {
      added[field] = value;
    }
  }
  if (others.length > 0) added.other_flags = others.join(', ');
  return added;
}
