// Measured starts of TensorRT-LLM as requests. A row runs in up to two modes: from the config alone,
// and given the weights, activations and memory outside torch that its log prints.

const GIB = 2 ** 30;

/** What the rows name and the corpus has no config of under that name: a model of the same shape. */
const STAND_INS = {
  'deepseek-ai/DeepSeek-R1-0528': { config: 'deepseek-ai__DeepSeek-R1.json' },
  'nvidia/DeepSeek-R1-0528-NVFP4-v2': {
    config: 'deepseek-ai__DeepSeek-R1.json',
    quant: 'nvidia__DeepSeek-V3.1-NVFP4.hf_quant_config.json',
  },
  'nvidia/Kimi-K2-Thinking-NVFP4': { config: 'nvidia__Kimi-K2.5-NVFP4.json', text: true },
  'Qwen/Qwen3-Reranker-0.6B': { config: 'Qwen__Qwen3-0.6B.json' },
  'TinyLlama-1.1B (class)': { config: 'TinyLlama__TinyLlama-1.1B-Chat-v1.0.json' },
  'HuggingFaceTB/SmolLM2-135M-Instruct': {
    config: 'HuggingFaceTB__SmolLM-135M-Instruct.json',
  },
  'Llama-3-8B (class)': { config: 'meta-llama__Llama-3.1-8B-Instruct.json' },
  'nvidia/Llama-3.1-8B-Instruct-FP8': {
    config: 'meta-llama__Llama-3.1-8B-Instruct.json',
    fp8: true,
  },
  'Llama-3.1-8B FP8 (class)': { config: 'meta-llama__Llama-3.1-8B-Instruct.json', fp8: true },
  'GPT-J-6B FP8 (class)': { config: 'EleutherAI__gpt-j-6b.json', fp8: true },
};

const CARDS = {
  GB200: 'gb200',
  B200: 'b200',
  B300: 'b300',
  H100: 'h100',
  'H100 80GB SXM': 'h100',
  GB10: 'gb10',
  'RTX 5090': 'rtx-5090',
  A100: 'a100',
};

/** Rows that are left out whole, and why. */
const excluded = {
  'trtllm-forum354807-a':
    'the figures are those of the temporary cache of the dry run, not of the cache that serves',
  'trtllm-idx39201568439-a':
    'the AutoDeploy backend keeps its pages in torch; the printed cache is a stub of 0 bytes',
  'trtllm-idx39993066235-a':
    '2023 engine: neither the model nor the bytes of the cache are printed',
  'trtllm-idx57002400855-a': 'neither the model nor the card is known',
  'trtllm-idx43862839722-a': 'neither the model nor the card is known',
  'trtllm-idx71322705288-a':
    'an engine of unknown size on a card with 0.03 GiB left: no cache was printed',
  'trtllm-2683-a': 'the excerpt ends before the cache is printed',
  'trtllm-1400-a': 'TensorRT-LLM 0.8 is older than the rules cover',
  'trtllm-idx69112122406-a': 'TensorRT-LLM 0.8 is older than the rules cover',
};

/** Batch limits that a row does not say and its temporary cache does: blocks = ceil((max_seq_len + 1)
 * / 32) + max_batch_size - 1, which gives these whole numbers. Not for a run from the config alone. */
const WORKED_OUT = {
  'trtllm-ps-gb200-oss-gen-tp4-8k1k': { max_batch_size: 1024 },
  'trtllm-ps-gb200-oss-gen-dep2-1k1k': { max_batch_size: 1536 },
  'trtllm-ps-gb200-r1-gen-dep8-mtp0-1k1k': { max_batch_size: 768, max_seq_len: 2048 },
  'trtllm-ps-gb200-r1-gen-dep16-mtp1-8k1k': { max_batch_size: 256 },
  'trtllm-ps-gb200-r1-gen-dep32-mtp3-128k8k': { max_batch_size: 4 },
  'trtllm-ps-gb200-k2-gen-tep8-mtp3-8k1k': { max_batch_size: 4 },
  'trtllm-ps-gb200-k2-gen-dep8-mtp0-1k1k': { max_batch_size: 512 },
};

function noted(row, pattern) {
  const found = row.notes.match(pattern);
  return found ? Number(found[1].replace(/\.$/, '')) : null;
}

const bytes = (gib) => (gib === null || gib === undefined ? null : Math.round(gib * GIB));

/** What the log of a row prints, in GiB; null where it does not. */
function printed(row) {
  const peak = noted(row, /peak ([\d.]+)/);
  const outside = noted(row, /outside torch ([\d.]+)/);
  const weights = row.weights_gib;
  const known = peak !== null && outside !== null && weights !== null;
  return {
    peak,
    outside,
    weights,
    temporary: noted(row, /temporary KV (?:of )?([\d.]+)/),
    activation: known ? Math.max(0, peak - outside - weights) : null,
  };
}

function tensorrt(row) {
  return /TensorRT engine|decoder buffers/.test(row.notes);
}

/** The version a row ran; those of the main branch are of the 1.3.0rc line. */
function version(row) {
  if (row.engine_version) return row.engine_version;
  const inferred = row.inferred.join(' ');
  if (/1\.3\.0rc line/.test(inferred)) return '1.3.0rc10';
  if (/1\.2\.0rc6 line/.test(inferred)) return '1.2.0rc6';
  if (row.page_size === 64) return '0.17.0';
  if (row.date && row.date >= '2026-03') return '1.3.0rc10';
  return '1.2.0rc2';
}

function model(row, shared) {
  const stand = STAND_INS[row.model] ?? {};
  const name = row.config ?? stand.config;
  let config = name ? shared.config(name) : null;
  if (!config) return null;
  if (stand.text && config.text_config) {
    config = { ...config.text_config, quantization_config: config.quantization_config };
  }
  const request = { id: row.model, config };
  const beside = name.replace(/\.json$/, '.hf_quant_config.json');
  const quant = shared.config(stand.quant ?? beside);
  if (quant) {
    const { quantization_config: _, ...plain } = config;
    request.config = plain;
    request.quant_config = quant;
  }
  if (stand.fp8 || (row.quantization === 'fp8' && !config.quantization_config)) {
    request.quant_config = {
      producer: { name: 'modelopt', version: '0.29' },
      quantization: {
        quant_algo: 'FP8',
        kv_cache_quant_algo: 'FP8',
        exclude_modules: ['lm_head'],
      },
    };
  }
  return request;
}

function options(row) {
  const flags = row.other_flags;
  const args = {
    backend: tensorrt(row) ? 'tensorrt' : 'pytorch',
    // Where a row is silent: the cache of a latent model is the same on any number of GPUs.
    tp_size: row.tp ?? 8,
    pp_size: row.pp ?? 1,
    free_gpu_memory_fraction: row.mem_fraction ?? 0.9,
  };
  const pipelined = row.id.match(/-pp(\d+)-/);
  if (pipelined) args.pp_size = Number(pipelined[1]);
  if (row.ep) args.ep_size = row.ep;
  if (row.chunked_prefill_size) args.max_num_tokens = row.chunked_prefill_size;
  if (row.max_running_requests) args.max_batch_size = row.max_running_requests;
  const length = flags.match(/--max_seq_len (\d+)/) ?? row.notes.match(/--max_seq_len (\d+)/);
  if (length) args.max_seq_len = Number(length[1]);
  else if (row.context_len && row.context_len <= 131072) args.max_seq_len = row.context_len;
  if (row.page_size) args['kv_cache_config.tokens_per_block'] = row.page_size;
  if (row.kv_cache_dtype !== 'auto') args['kv_cache_config.dtype'] = row.kv_cache_dtype;
  if (/attention DP/.test(flags)) args.enable_attention_dp = true;
  if (/lm_head TP/.test(flags)) args.enable_lm_head_tp_in_adp = true;
  if (/no CUDA graphs/.test(flags)) args.cuda_graph_config = 'null';
  else if (row.cuda_graph_max_bs) {
    args['cuda_graph_config.max_batch_size'] = row.cuda_graph_max_bs;
    args['cuda_graph_config.enable_padding'] = /padding/.test(flags) || /^trtllm-ps/.test(row.id);
  }
  if (/piecewise/.test(flags)) {
    args['torch_compile_config.enable_piecewise_cuda_graph'] = true;
  }
  if (/disable_overlap_scheduler/.test(flags)) args.disable_overlap_scheduler = true;
  if (/enable_block_reuse false/.test(flags)) args['kv_cache_config.enable_block_reuse'] = false;
  const moe = flags.match(/moe (TRTLLM|CUTLASS|CUTEDSL|DEEPGEMM)/);
  if (moe) args['moe_config.backend'] = moe[1];
  const transfer = flags.match(/UCX (\d+)/);
  if (transfer) args['cache_transceiver_config.max_tokens_in_buffer'] = Number(transfer[1]);
  const mtp = row.speculative?.match(/MTP (\d+)/);
  if (mtp) {
    args['speculative_config.decoding_type'] = 'MTP';
    args['speculative_config.num_nextn_predict_layers'] = Number(mtp[1]);
  }
  return args;
}

/** Why a row cannot run from the config alone; null when it can. */
function notAlone(row) {
  if (/not read for this case/.test(row.notes)) {
    return 'max_num_tokens and max_batch_size of the case were not read';
  }
  if (row.speculative && /-pp\d+-/.test(row.id)) {
    return "the log is the first stage's, and the last, with the prediction layers, is the tightest";
  }
  if (/unified memory/.test(row.notes)) {
    return 'other users of the unified memory took an unknown 49 GiB';
  }
  if (tensorrt(row)) return "the size of the built engine's execution context is not known";
  if (!row.gpu) return 'the card is not known';
  if (!row.mem_fraction && /not visible/.test(row.notes)) return 'the fraction is not known';
  return null;
}

/**
 * One row as requests: alone, and with what its log printed put in.
 *
 * @returns {import('./types').Conversion}
 * `shared.config(name)` is a parsed file of the configs, or null.
 */
export function requestOf(row, shared) {
  if (excluded[row.id]) return { excluded: excluded[row.id] };
  if (row.outcome !== 'started') return { excluded: `not a start: ${row.outcome}` };
  const described = model(row, shared);
  if (!described) return { excluded: 'no config of the model at hand' };
  const total = bytes(row.gpu_total_gib);
  const card = CARDS[row.gpu];
  if (!card && total === null && row.kv_cache_gib === null) {
    return { excluded: 'the card is not known' };
  }
  const args = options(row);
  const request = {
    id: row.id,
    model: described,
    gpu: { count: args.tp_size * args.pp_size },
    engine: { name: 'trtllm', version: version(row), args },
  };
  if (card) request.gpu.id = card;
  if (total !== null) request.gpu.total_bytes = total;
  const log = printed(row);
  let given = null;
  const unread = /not read for this case/.test(row.notes);
  if (log.activation !== null && (!unread || WORKED_OUT[row.id])) {
    given = structuredClone(request);
    Object.assign(given.engine.args, WORKED_OUT[row.id]);
    if (unread) {
      // A generation server's steps hold one token a request and what is guessed.
      const guessed = row.speculative ? Number(row.speculative.match(/\d+/)[0]) : 0;
      given.engine.args.max_num_tokens = WORKED_OUT[row.id].max_batch_size * (1 + guessed);
      given.engine.args['cuda_graph_config.max_batch_size'] = WORKED_OUT[row.id].max_batch_size;
    }
    given.measured = {
      weights_bytes: bytes(log.weights),
      activation_bytes: bytes(log.activation),
      non_torch_bytes: bytes(log.outside),
    };
  } else if (tensorrt(row) && row.avail_after_weights_gib && total !== null) {
    // Free after the engine and its context: all that is used is put down as weights.
    given = structuredClone(request);
    given.measured = {
      weights_bytes: total - bytes(row.avail_after_weights_gib),
      activation_bytes: 0,
      non_torch_bytes: 0,
      cuda_graphs_bytes: 0,
    };
  } else if (row.kv_cache_gib !== null && row.kv_tokens !== null) {
    // Nothing but the pool: its tokens must follow.
    given = structuredClone(request);
    if (!card && total === null) {
      given.gpu.total_bytes = bytes(row.kv_cache_gib + 40);
    }
    given.measured = { kv_pool_bytes: bytes(row.kv_cache_gib) };
  }
  const reason = notAlone(row);
  if (!given && reason) return { excluded: reason };
  return { request: reason ? null : request, given: given && [given], excluded: reason };
}

/** The pool follows from weights, activations and what lies outside torch. */
export const follows = ['kv_pool', 'tokens'];

/** What the row says of each term; null where it is silent. */
export function measured(row) {
  const log = printed(row);
  const engine = tensorrt(row);
  return {
    weights: engine ? null : bytes(log.weights),
    activation: engine ? null : bytes(log.activation),
    outside: engine ? null : bytes(log.outside),
    kv_pool: bytes(row.kv_cache_gib),
    tokens: row.kv_tokens,
  };
}

/** The report's figure for a term, as {low, best, high}. */
export function predicted(report, term) {
  const gpu = report.memory.per_gpu;
  if (term === 'tokens') return report.cache.tokens;
  if (term === 'outside') {
    const { non_torch: a, cuda_graphs_charged: b } = gpu;
    return { low: a.low + b.low, best: a.best + b.best, high: a.high + b.high };
  }
  return gpu[term];
}

export function era(row) {
  const text = version(row).match(/^(\d+)\.(\d+)/);
  if (!text) return 'unknown';
  const number = Number(text[1]) * 1000 + Number(text[2]);
  return number < 1000 ? '0.x' : number < 1003 ? '1.0-1.2' : '1.3';
}

export function kind(row, report) {
  const dp = /attention DP/.test(row.other_flags) ? ' dp' : '';
  const attention = report?.model?.attention ?? '?';
  const backend = tensorrt(row) ? 'engine' : 'pytorch';
  return `${backend} ${attention}${dp} tp${row.tp ?? 1}`;
}

/** Logs print three rounded terms, of which the pool is the rest. */
export const tolerance = 0.005;

/** Why the worst are off. */
export const causes = {};
