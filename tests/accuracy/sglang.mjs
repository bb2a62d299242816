// Measured start-ups of SGLang as requests: what a row says of model, card and flags, and what it
// measured. Figures are GiB in the rows and bytes here.

const GiB = 2 ** 30;

const bytes = (gib) => (gib === null || gib === undefined ? null : Math.round(gib * GiB));

/** Rows that cannot be set against an estimate, with the reason. */
const excluded = {
  'sglang-idx54560449775-a': 'a fork with a side cache of its own (MiniCPM-SALA)',
  'sglang-idx5883226435-a': 'neither model nor card nor free memory is named',
  'sglang-15909-a': 'neither card nor free memory is named',
  'sglang-idx70920711276-a':
    'a draft of 16 tokens whose model is not named takes most of the memory',
  'sglang-idx68375645720-a': 'card, fraction and free memory are not named',
  'sglang-idx62621091899-a': 'the model (qwen3.8-flash-next) has no public config',
  'sglang-idx62621091899-b': 'the model (qwen3.8-flash-next) has no public config',
  'sglang-idx62820719480-a': 'the model (qwen3.8-flash-next) has no public config',
  'sglang-idx71329258881-a': 'the model (qwen3.8-flash-next) has no public config',
  'sglang-idx69191334674-a': 'the model (Hy3-Channel-INT8) has no public config',
  'sglang-13075-a': 'the size of the model is not named',
  'sglang-idx45518106035-a': 'no config of grok-2 is at hand',
  'sglang-idx54645704366-a': 'neither card nor free memory nor the exact model is named',
  'sglang-idx54894882221-a': 'neither card nor free memory is named',
  'sglang-idx57045582463-a': 'the size of the model is not named',
  'sglang-idx69425456221-a': 'model, card and parallel size are not named',
  'sglang-idx53368567226-a': 'the pool was not printed',
  'sglang-idx54618842866-a': 'the pool was not printed, and no config of Qwen3.5-4B is at hand',
  'sglang-idx70070562203-a': 'no config of BailingMoeV3 is at hand',
  'sglang-idx66328347892-a': 'no config of BailingMoeV3 is at hand',
  'sglang-idx67230726698-a': 'the budget was fixed by hand, so the row shows bytes a token alone',
  'sglang-idx54659546219-a': 'fraction and free memory are not named',
  'sglang-idx54659546219-b': 'fraction and free memory are not named',
  'sglang-idx52704728574-a': 'neither card nor free memory is named',
  'sglang-idx52704728574-b': 'neither card nor free memory is named',
  'sglang-18039-before': 'neither card nor free memory is named',
  'sglang-idx56193900378-a': 'the pool is --max-total-tokens, and the parallel size is not named',
  'sglang-idx59080644500-a': 'the card (an AMD APU with borrowed memory) is not named',
  'sglang-idx47376055009-a': 'the same start as sglang-idx47376055009-full, with less said',
  'sglang-idx55068335887-a':
    'neither card nor fraction is named; the figures imply 0.859, no default of a 40 GB card',
  'sglang-idx52032893366-a':
    'neither fraction nor quantization is named; the figures imply 0.92, which is no default',
  'sglang-idx53944457073-a':
    'the fraction is not named; the figures imply 0.80, and the default is 0.779',
  'sglang-kt1870-a': 'the fraction is not named; the figures imply 0.85, which is no default',
  'sglang-idx57759592298-a':
    'the fraction and what bounds the states are not named (a pool by ratio would be smaller)',
  'sglang-11208-a':
    'the command was not read: a chunk of 2,032 is no default, and the memory left after the pool ' +
    'implies a fraction of 0.80 where the default is 0.805',
  'sglang-idx609128784-a': 'flags and log may not be of one run, and which H20 is not named',
};

/** Rows of which only the measured weights can be used, with the reason. */
const weightsNotTold = {
  'sglang-idx65802798149-a': "most experts lie in the machine's memory",
  'sglang-idx66713818215-a': 'the flags of expert parallelism are not all visible',
  'sglang-inferencex2128-a': 'which of two published checkpoints was run is not told',
};

/** What sizes the caches and weights of granite-4.0-h-micro. */
const graniteMicro = {
  architectures: ['GraniteMoeHybridForCausalLM'],
  model_type: 'granitemoehybrid',
  hidden_size: 2048,
  num_hidden_layers: 40,
  layer_types: Array.from({ length: 40 }, (_, i) => (i % 10 === 5 ? 'attention' : 'mamba')),
  num_attention_heads: 32,
  num_key_value_heads: 8,
  intermediate_size: 8192,
  shared_intermediate_size: 8192,
  num_local_experts: 0,
  num_experts_per_tok: 0,
  mamba_n_heads: 64,
  mamba_d_head: 64,
  mamba_d_state: 128,
  mamba_n_groups: 1,
  mamba_d_conv: 4,
  mamba_expand: 2,
  vocab_size: 100352,
  tie_word_embeddings: true,
  max_position_embeddings: 131072,
  torch_dtype: 'bfloat16',
};

/** Configs of the same sizes for models that have none of their own at hand. */
const sameSizes = [
  [/Qwen3.8-27B-NVFP4/, 'nvidia__Qwen3.6-27B-NVFP4.json'],
  [/QwQ-32B/, 'Qwen__Qwen2.5-32B.json'],
  [/Qwen3\.[568](\/3\.6)?-27B/, 'gh-Arp1tMoga__Qwen3.5-27B-quant.json'],
  [/^Ornith/, 'gh-masidyai__qwen3.5-9B.json'],
  [/Qwen3\.5 MoE/, 'Qwen__Qwen3.5-397B-A17B.json'],
  [/DeepSeek-V4-Flash/, 'deepseek-ai__DeepSeek-V4-Flash.json'],
  [/DeepSeek-V4-Pro/, 'sgl-project__DeepSeek-V4-Pro-FP8.json'],
  [/DeepSeek-R1/, 'deepseek-ai__DeepSeek-R1.json'],
  [/diffusiongemma-26B/, 'google__gemma-4-26B-A4B.json'],
];

const cards = {
  H100: 'h100-sxm-80gb',
  'H100 80GB SXM': 'h100-sxm-80gb',
  H200: 'h200-sxm-141gb',
  H20: 'h20-96gb',
  L4: 'l4',
  L20: 'l20',
  B200: 'b200-sxm-180gb',
  GB200: 'gb200-nvl72',
  GB10: 'gb10-dgx-spark',
  MI355X: 'mi355x',
  'RTX 4090': 'rtx-4090',
  'RTX 5090': 'rtx-5090',
  'RTX PRO 6000': 'rtx-pro-6000-blackwell',
};

/** Cards that rows do not name, by the free memory they print or a remark: [from, to, id]. */
const byFreeMemory = [
  [15, 15.5, 'rtx-4060-ti-16gb'],
  [22, 23.4, 'rtx-4090'],
  [78, 79, 'h100-sxm-80gb'],
  [109, 113, 'gb10-dgx-spark'],
  [181, 184, 'gb200-nvl72'],
  [275, 277, 'gb300-nvl72'],
];

const unnamedCards = {
  'sglang-idx18084549501-a': 'h100-sxm-80gb',
  'sglang-8258-a': 'b200-sxm-180gb',
};

/** The first release after each date; rows mostly say when and not which. */
const releases = [
  ['2025-01-26', '0.4.1'],
  ['2025-02-13', '0.4.2'],
  ['2025-03-12', '0.4.3'],
  ['2025-04-06', '0.4.4'],
  ['2025-04-26', '0.4.5'],
  ['2025-06-09', '0.4.6'],
  ['2025-06-23', '0.4.7'],
  ['2025-07-04', '0.4.8'],
  ['2025-07-30', '0.4.9'],
  ['2025-08-22', '0.4.10'],
  ['2025-09-10', '0.5.1'],
  ['2025-10-05', '0.5.2'],
  ['2025-10-25', '0.5.3'],
  ['2025-11-05', '0.5.4'],
  ['2025-12-02', '0.5.5'],
  ['2025-12-31', '0.5.6'],
  ['2026-01-22', '0.5.7'],
  ['2026-02-23', '0.5.8'],
  ['2026-03-31', '0.5.9'],
  ['2026-04-30', '0.5.10'],
  ['2026-05-15', '0.5.11'],
  ['2026-06-11', '0.5.12'],
  ['2026-06-25', '0.5.13'],
  ['2026-07-05', '0.5.14'],
  ['2026-07-20', '0.5.15'],
  ['2026-08-06', '0.5.16'],
];

function versionOf(row) {
  const given = /^\d+\.\d+\.\d+/.exec(row.engine_version ?? '')?.[0];
  if (given && !given.startsWith('0.0.')) return given;
  if (row.date === null) return '0.5.17';
  return releases.find(([until]) => row.date <= until)?.[1] ?? '0.5.17';
}

function cardOf(row) {
  const id = cards[row.gpu] ?? unnamedCards[row.id];
  if (id) return { id };
  if (row.gpu === 'MI308X') return { total_bytes: 192 * GiB };
  const free = row.avail_before_gib;
  const found = byFreeMemory.find(([from, to]) => free !== null && free >= from && free <= to);
  if (found) return { id: found[2] };
  if (row.gpu_total_gib) return { total_bytes: bytes(row.gpu_total_gib) };
  return null;
}

/** Blocks of 128 x 128, towers and small projections in 16 bits, as Qwen publishes them. */
const fp8 = {
  quant_method: 'fp8',
  activation_scheme: 'dynamic',
  weight_block_size: [128, 128],
  modules_to_not_convert: ['lm_head', 'visual', 'model.visual', 'in_proj_a', 'in_proj_b'],
};
const quantizations = {
  fp8,
  'compressed-tensors fp8': fp8,
  // As published for DeepSeek-V3.1: all but the output projection of attention stays in 16 bits.
  modelopt_fp4: {
    quant_method: 'modelopt',
    quant_algo: 'NVFP4',
    ignore: ['lm_head', '*q_a_proj', '*q_b_proj', '*kv_a_proj_with_mqa', '*kv_b_proj'],
  },
};

/** The file of a row's sizes; one that is quantised otherwise than its row is taken plain. */
function modelOf(row, shared) {
  if (/granite-4.0-h-micro/.test(row.model ?? '')) return { id: row.model, config: graniteMicro };
  const fp8Pro = /DeepSeek-V4-Pro FP8/.test(row.model ?? '');
  const named =
    (fp8Pro ? null : row.config) ?? sameSizes.find(([name]) => name.test(row.model ?? ''))?.[1];
  const config = named ? shared.config(named) : null;
  if (config === null) return null;
  const own = { ...config };
  const quantization = quantizations[row.quantization];
  const keepsItsOwn = row.config_is === 'same' || /V4|NVFP4/.test(named);
  if (!keepsItsOwn && (quantization || named.includes('quant'))) {
    delete own.quantization_config;
    delete own.quantization;
    if (quantization) own.quantization_config = quantization;
  }
  if (/Flash-Base/.test(row.model ?? '')) delete own.expert_dtype; // all in FP8
  return { id: row.model ?? named, config: own };
}

const kvDtypes = { fp8: 'fp8_e4m3', bf16: 'bfloat16' };

/** Flags that take a value and switches that change memory, as rows quote them. */
const quotedValues = [
  'max-total-tokens',
  'max-prefill-tokens',
  'attention-backend',
  'max-mamba-cache-size',
  'attention-context-parallel-size',
];
const quotedSwitches = [
  'disable-radix-cache',
  'disable-piecewise-cuda-graph',
  'disable-cuda-graph',
  'enable-ep-moe',
  'enable-symm-mem',
];

function argsOf(row) {
  const args = {};
  const put = (flag, value) => {
    if (value !== null && value !== undefined) args[flag] = value;
  };
  put('mem-fraction-static', row.mem_fraction);
  put('context-length', row.context_len);
  put('page-size', row.page_size);
  if (row.tp > 1) args['tensor-parallel-size'] = row.tp;
  if (row.pp > 1) args['pipeline-parallel-size'] = row.pp;
  if (row.dp > 1) {
    args['data-parallel-size'] = row.dp;
    args['enable-dp-attention'] = true;
  } else {
    // Under data-parallel attention the chunk is printed divided.
    put('chunked-prefill-size', row.chunked_prefill_size);
  }
  if (row.ep > 1) args['expert-parallel-size'] = row.ep;
  if (/DP attention \+ EP/.test(row.other_flags ?? '')) args['moe-a2a-backend'] = 'deepep';
  // The engine prints its own bounds too; from 2,048 they are not flags.
  if (row.max_running_requests < 2048) put('max-running-requests', row.max_running_requests);
  put('cuda-graph-max-bs', row.cuda_graph_max_bs);
  const kv = (row.kv_cache_dtype ?? 'auto').split(' ')[0];
  if (kv !== 'auto') args['kv-cache-dtype'] = kvDtypes[kv] ?? kv;
  const quoted = row.other_flags ?? '';
  for (const flag of quotedValues) {
    const value = new RegExp(`--${flag}[ =]([\\w.-]+)`).exec(quoted)?.[1];
    if (value) args[flag] = /^[\d.]+$/.test(value) ? Number(value) : value;
  }
  for (const flag of quotedSwitches) if (quoted.includes(`--${flag}`)) args[flag] = true;
  const cap = /max_total_tokens (\d+)/.exec((row.inferred ?? []).join('; '))?.[1];
  if (cap) args['max-total-tokens'] = Number(cap);
  return args;
}

/**
 * The row as a request from config, card and flags alone, and a second one with the free memory and
 * the weights that the engine printed; either may be null.
 * @returns {{request: object|null, given: object|null} | {excluded: string}}
 */
export function requestOf(row, shared) {
  if (excluded[row.id]) return { excluded: excluded[row.id] };
  const model = modelOf(row, shared);
  if (model === null) return { excluded: 'no model config' };
  const card = cardOf(row);
  const count = row.tp * row.pp;
  const request = (gpu, measured) => ({
    id: row.id,
    model,
    gpu: { ...gpu, count },
    engine: { name: 'sglang', version: versionOf(row), args: argsOf(row) },
    measured,
  });
  const before = bytes(row.avail_before_gib);
  const weights =
    row.avail_after_weights_gib !== null && before !== null
      ? before - bytes(row.avail_after_weights_gib)
      : bytes(row.weights_gib);
  let given = null;
  if (before !== null && weights !== null) {
    const gpu = card ?? { total_bytes: before };
    given = request({ ...gpu, free_bytes: before }, { weights_bytes: weights, non_torch_bytes: 0 });
  }
  const plain = card !== null && !weightsNotTold[row.id] ? request(card, {}) : null;
  if (given === null && plain === null) return { excluded: 'no card and no free memory' };
  const why = weightsNotTold[row.id] ?? 'the card is not named';
  return { request: plain, given: given && [given], excluded: plain === null ? why : undefined };
}

/** The pool follows from what is free before and after the weights. */
export const follows = ['kv_pool', 'tokens'];

/** Logs print two decimals of both, and small pools in as many. */
export const tolerance = 0.005;

/** Why the worst are off. */
export const causes = {
  'sglang-idx56671970114-a': 'another server has part of the card; cause unknown',
  'sglang-idx49361099215-a': 'the card is a guess, and 1.1 GiB were taken on it before',
};

/** What the row measured, in bytes and tokens; null where it does not say. */
export function measured(row) {
  const pool = row.kv_cache_gib ?? (row.k_gib !== null ? row.k_gib + row.v_gib : null);
  return {
    weights: bytes(row.weights_gib),
    activation: null,
    graphs: bytes(row.cudagraph_gib),
    kv_pool: bytes(pool),
    tokens: row.kv_tokens,
  };
}

/** The version's rules of the static fraction. */
export function era(row) {
  const [, minor, patch] = versionOf(row).split('.').map(Number);
  if (minor === 4) return patch < 8 ? '0.4.0-0.4.7' : '0.4.8-0.5.2';
  if (patch < 3) return '0.4.8-0.5.2';
  if (patch < 10) return '0.5.3-0.5.9';
  return patch < 13 ? '0.5.10-0.5.12' : '0.5.13-';
}

/** How the model caches. */
export function kind(row, report) {
  const attention = report?.model?.attention ?? 'unknown';
  if (/DeepSeek-V4/.test(row.model ?? '')) return 'compressed';
  if ((report?.memory?.pools ?? []).some(({ name }) => name === 'recurrent state')) return 'states';
  return attention;
}
