// A measured start of vLLM as a request, and what its log said.

/** @import { Row, Shared, Conversion, Figures } from './types' */

const GIB = 2 ** 30;

/** Rows whose own figures contradict them, or that leave out what decides them. */
export const excluded = {
  'llmd-emp-gpt-oss-120b':
    'its printed terms (64.38 + 7.38 + 0.13 + 3.33 GiB) add up to 0.95 of the card, not to the 0.90 that the row states',
  'llmd-019-meta-llama-llama-3-1-8b--tp1pp2dp1--8192':
    'the pool in the row is that of pipeline stage 0; the estimate reports the tightest GPU, the last stage',
  'vllm-57047-a':
    "an AWQ checkpoint beside the 16-bit model's config; the row does not give the checkpoint's own",
  'llmd-llama4scout-tp4':
    'the copy of the config at hand has lost vision_config, and the vision tower is loaded',
  'llmd-019-meta-llama-llama-4-scout-tp4pp1dp1--8192':
    'the copy of the config at hand has lost vision_config, and the vision tower is loaded',
  'file-llama70b-awq-pro6000':
    'the source leaves the utilization out, and its own figures add up to 0.85 of the card',
  'file-exaone4-32b-fp8-l40s':
    'the source leaves the utilization out, and its weights and pool alone are 0.93 of the card',
  'code-69808241206-a':
    'the source leaves the utilization out, and a sister start on the same card ran at 0.61',
  'file-qwen3-8b-4090-0240':
    'a figure quoted for comparison on the page of another start, its flags assumed',
  'vllm-10511-tp1':
    'its non-torch figure counts what lay on the card before the start, which the row does not tell apart',
  'vllm-10511-tp2':
    'its non-torch figure counts what lay on the card before the start, which the row does not tell apart',
  'vllm-11230-21': 'a virtual GPU, on which 4.09 GiB were taken by the hypervisor',
  'vllm-11230-22': 'a virtual GPU, on which 4.09 GiB were taken by the hypervisor',
  'hotaisle-70b-fp8-mi300x':
    'a fork with multi-step scheduling; 5.5 GiB of its non-torch memory lay on the card before the start',
  'file-qwen3-0.6b-rocm':
    'a 16 GB Radeon that the source does not name, with weights of a build that unties the head',
  'eugr-396-a': "the AWQ checkpoint's own config is not at hand",
  'recipes-12-a':
    'eight ranks do not hold the 450 GiB of its FP8 weights beside the pool it printed; the start must have had more',
  'recipes-12-b':
    'eight ranks do not hold the 450 GiB of its FP8 weights beside the pool it printed; the start must have had more',
  'eugr-396-b':
    "the AWQ checkpoint's own config is not at hand, and on a machine with one memory what other programs hold counts too",
};

/** Why the worst of the others are off. */
export const causes = {
  'file-5070ti-fp8': 'a later start: the compile cache was warm; the range holds it',
  'file-5070ti-nvfp4': 'a later start: the compile cache was warm; the range holds it',
  'file-5070ti-14b-nvfp4': 'a later start: the compile cache was warm; the range holds it',
  'file-q3-14b-l4-tp1-replica': 'a later start: the compile cache was warm; the range holds it',
  'code-69808241206-b':
    'a batch of 8,192 tokens explains pool and concurrency: started from Python, whose default that is',
  'vllm-17122-a':
    'the build profiled 1,024 sequences, as releases did up to 0.8.3; it calls itself 0.8.5',
  'vllm-12569-a': 'cause unknown: 2.2 GiB more for the cache than 1,024 sorted rows leave',
  'vllm-17469-a': "flashinfer's sampler (14 bytes a logit and not 39); the range holds it",
  'file-opt125m-8g-a': 'a small context on an 8 GB card (0.15 GiB): 0.6.4 counts it',
  'file-opt125m-8g-b': 'a small context on an 8 GB card (0.15 GiB): 0.6.4 counts it',
  'vllm-21348-a':
    'the tokens are those of another rank, whose pool was smaller than the one printed',
  'eugr-396-b given': "the AWQ checkpoint's own config is not at hand",
  'file-phi15-8g': 'a small context on an 8 GB card: 0.6.4 counts it',
  'glm52-nvfp4-tp4':
    "graphs of a mixture of 256 experts over four GPUs: the engine's estimate was 4.99 GiB",
  'vllm-13061-a':
    'its 5,096 blocks, which are met within 1 %, are 7.46 GiB and not the 8.69 that the row has for the pool',
};

/** Flags that a row has a field for. */
const FIELDS = {
  util: 'gpu-memory-utilization',
  max_model_len: 'max-model-len',
  max_num_seqs: 'max-num-seqs',
  max_num_batched_tokens: 'max-num-batched-tokens',
  kv_cache_dtype: 'kv-cache-dtype',
  enforce_eager: 'enforce-eager',
  dtype: 'dtype',
  block_size: 'block-size',
  chunked_prefill: 'enable-chunked-prefill',
  prefix_caching: 'enable-prefix-caching',
  ep: 'enable-expert-parallel',
  tp: 'tensor-parallel-size',
  pp: 'pipeline-parallel-size',
  dp: 'data-parallel-size',
};

/**
 * @param {Row} row
 * @param {Shared} shared
 * @returns {Conversion}
 */
export function requestOf(row, shared) {
  const config = shared.config(row.config) ?? shared.fixture(row.model);
  if (!config) return { excluded: 'the config of the model is not at hand' };
  const gpu = gpuOf(row, shared);
  const why = whyNotAlone(row, gpu);
  const version = versionOf(row) ?? versionByDate(row.date);
  // What the log says of the pool can still be held against what it says follows from it.
  if (why && (!version || givenOf(row, {}) === null || contradicts(row))) return { excluded: why };
  const made = requestFrom(row, { version, config, gpu: gpu ?? STAND_IN, shared });
  if (made.excluded) return made;
  return { request: why ? null : made.request, excluded: why, given: givenOf(row, made.request) };
}

/**
 * Rows whose figures do not follow from each other by the rules of any release: another engine's
 * (Ascend), a proposed change's (29796), and a checkpoint whose cache format is not told.
 */
function contradicts(row) {
  return /ascend|vllm-29796|thor-qwen35-122b-resharded/.test(row.id);
}

/** A card for rows whose pool is known, and whose card is not. */
const STAND_IN = { id: 'b300' };

function whyNotAlone(row, gpu) {
  if (Object.hasOwn(excluded, row.id)) return excluded[row.id];
  if (!versionOf(row)) return 'the source does not name the version';
  if (!gpu) return 'the source does not name the card or its memory';
  if (!row.tp && !row.pp && !row.dp && row.gpu === null) {
    return 'the source does not say how many cards';
  }
  return null;
}

/** When minor versions came out; a report without one ran the newest of its day, or nearly. */
const RELEASES = [
  ['2024-09-04', '0.6.0'],
  ['2024-11-15', '0.6.4'],
  ['2025-01-27', '0.7.0'],
  ['2025-03-19', '0.8.0'],
  ['2025-04-28', '0.8.5'],
  ['2025-06-10', '0.9.1'],
  ['2025-07-24', '0.10.0'],
  ['2025-10-01', '0.11.0'],
  ['2025-12-03', '0.12.0'],
  ['2025-12-18', '0.13.0'],
  ['2026-01-18', '0.14.0'],
  ['2026-01-29', '0.15.0'],
  ['2026-02-15', '0.16.0'],
  ['2026-03-06', '0.17.0'],
  ['2026-03-20', '0.18.0'],
  ['2026-04-02', '0.19.0'],
  ['2026-04-25', '0.20.0'],
  ['2026-05-15', '0.21.0'],
  ['2026-05-28', '0.22.0'],
  ['2026-06-10', '0.23.0'],
  ['2026-06-25', '0.24.0'],
  ['2026-07-08', '0.25.0'],
  ['2026-07-17', '0.26.0'],
  ['2026-08-03', '0.27.0'],
  ['2026-08-20', '0.28.0'],
];

function versionByDate(date) {
  return RELEASES.filter(([day]) => date && day <= date).at(-1)?.[1] ?? null;
}

function requestFrom(row, { version, config, gpu, shared }) {
  const model = { id: row.model, config: structuredClone(config) };
  const args = {};
  for (const [field, flag] of Object.entries(FIELDS)) {
    if (row[field] !== null && row[field] !== undefined) args[flag] = row[field];
  }
  const env = {};
  if (row.v1 === false && minorOf(version) >= 8) env.VLLM_USE_V1 = '0';
  if (row.v1 === true && minorOf(version) < 8) env.VLLM_USE_V1 = '1';
  for (const step of [quantisation, speculation, otherFlags, offlineClass]) {
    const why = step(row, { model, args, env, version, gpu, shared });
    if (why) return { excluded: why };
  }
  const engine = { name: 'vllm', version, args };
  if (Object.keys(env).length !== 0) engine.env = env;
  return { request: { id: row.id, model, gpu, engine } };
}

/** With the pool or its blocks as the log has them, what is printed of them follows exactly. */
function givenOf(row, request) {
  const blocks = row.kv_blocks;
  if (!request.engine) return blocks || row.kv_cache_gib > 0 ? [] : null;
  if (blocks) {
    const args = { ...request.engine.args, 'num-gpu-blocks-override': blocks };
    return [{ ...request, engine: { ...request.engine, args } }];
  }
  // Of several stages the row has one pool, and each has layers of its own.
  if (!(row.kv_cache_gib > 0) || row.pp > 1) return null;
  const pool = (gib) => ({ ...request, measured: { kv_pool_bytes: Math.floor(gib * GIB) } });
  // Two decimals are printed.
  return [pool(row.kv_cache_gib - 0.005), pool(row.kv_cache_gib + 0.005)];
}

function versionOf(row) {
  const text = row.engine_version ?? '';
  if (/[/]|2x/.test(text)) return null; // "0.10/0.11": one of two
  const match = /v?(0\.\d+(\.\d+)?(rc\d+|\.post\d+)?(\.?dev\d*)?)/.exec(text);
  return match ? match[1] : null;
}

export function minorOf(version) {
  return Number(version.split('.')[1]);
}

function gpuOf(row, shared) {
  const gpu = {};
  const name = shared.card(row.gpu ?? '');
  if (name) gpu.id = name;
  if (typeof row.gpu_total_gib === 'number') gpu.total_bytes = Math.floor(row.gpu_total_gib * GIB);
  const free = /start-up check: free ([\d.]+) GiB/.exec(row.notes ?? '');
  if (free) gpu.free_bytes = Math.floor(Number(free[1]) * GIB);
  return Object.keys(gpu).length === 0 ? null : gpu;
}

/** The scheme of a checkpoint whose base model's config stands in for its own. */
function quantisation(row, { model, args }) {
  const method = row.quantization;
  if (!method) return null;
  const same = row.config_is === 'same';
  if (same && model.config.quantization_config) return null;
  const own = model.config.quantization_config?.quant_method;
  if (own && method.startsWith(own)) return null;
  if (/online/.test(method) || (same && method === 'fp8')) {
    args.quantization = 'fp8';
    return null;
  }
  const scheme = schemeOf(row);
  if (scheme) {
    delete model.config.quantization_config;
    model.quant_config = scheme;
    return null;
  }
  if (method === 'fp8') {
    delete model.config.quantization_config;
    args.quantization = 'fp8';
    return null;
  }
  return `a ${method} checkpoint whose own config is not at hand`;
}

function schemeOf(row) {
  const method = row.quantization;
  const name = row.model;
  const compressed = (format, weights, activations) => ({
    quant_method: 'compressed-tensors',
    format,
    config_groups: {
      group_0: {
        targets: ['Linear'],
        weights,
        ...(activations ? { input_activations: { num_bits: 8 } } : {}),
      },
    },
    ignore: ['lm_head'],
  });
  if (/awq/.test(method))
    return { quant_method: 'awq', bits: 4, group_size: 128, zero_point: true };
  if (/^gptq(_marlin)?$/.test(method)) {
    return { quant_method: 'gptq', bits: 4, group_size: 128, sym: true, desc_act: false };
  }
  if (/w4a16/i.test(name)) {
    return compressed(
      'pack-quantized',
      { num_bits: 4, type: 'int', strategy: 'group', group_size: 128 },
      false,
    );
  }
  if (/w8a8/i.test(name) || /w8a8 int8/.test(method)) {
    return compressed('int-quantized', { num_bits: 8, type: 'int', strategy: 'channel' }, true);
  }
  if (/fp8-dynamic/i.test(name)) {
    return compressed('float-quantized', { num_bits: 8, type: 'float', strategy: 'channel' }, true);
  }
  if (/nvfp4|modelopt_fp4/.test(method)) {
    return { quant_method: 'modelopt', quant_algo: 'NVFP4', ignore: ['lm_head'] };
  }
  return null;
}

function speculation(row, { args }) {
  const text = row.speculative;
  if (!text) return null;
  const mtp = /^(mtp|MTP|deepseek_mtp|qwen3_next_mtp)\s*n=(\d+)/.exec(text);
  if (mtp) {
    args['speculative-config'] = { method: 'mtp', num_speculative_tokens: Number(mtp[2]) };
    return null;
  }
  return `the draft model of its speculation (${text}) is not given`;
}

function otherFlags(row, { args, env }) {
  const text = row.otherFlags ?? '';
  if (text === '') return null;
  for (const part of text.split(/[,;] *| +(?=--)/)) {
    const flag = /^--([a-z0-9-]+)(?:[ =](\S+))?$/i.exec(part.trim());
    const variable = /^([A-Z][A-Z0-9_]+)=(\S+)$/.exec(part.trim());
    if (variable) env[variable[1]] = variable[2];
    else if (flag) setFlag(args, flag[1], typedValue(flag[2]));
    else if (!HARMLESS.some((words) => words.test(part))) {
      return `its other flags are told in words: ${text}`;
    }
  }
  return null;
}

/** A flag that the row has a field for too is kept once. */
function setFlag(args, name, value) {
  const plain = name.replaceAll('_', '-');
  if (plain.startsWith('no-') && args[plain.slice(3)] !== undefined) return;
  if (args[plain] === undefined) args[plain] = value;
}

/** Descriptions that name nothing which changes the memory of a GPU. */
const HARMLESS = [
  /^KV offloading connector/,
  /^TRITON_ATTN/,
  /^vllm serve/,
  /^no other flags/,
  /^LMCacheConnectorV1/,
  /^$/,
];

function typedValue(text) {
  if (text === undefined) return true;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** `LLM()` has larger batches by default than the server (engine/arg_utils.py). */
function offlineClass(row, { args, version, gpu }) {
  if (!/offline|LLM\(|LLM class|unsloth/i.test(row.notes ?? '')) return null;
  if (args['max-num-batched-tokens'] !== undefined || minorOf(version) < 8) return null;
  args['max-num-batched-tokens'] = /h100|h200|b200/.test(gpu.id ?? '') ? 16384 : 8192;
  return null;
}

/**
 * What the log printed, in bytes, blocks, tokens and requests; null where the row does not say.
 *
 * @param {Row} row
 * @returns {Figures}
 */
export function measured(row) {
  const bytes = (gib) => (typeof gib === 'number' && gib > 0 ? gib * GIB : null);
  const count = (n) => (typeof n === 'number' && n > 0 ? n : null);
  return {
    weights: bytes(row.weights_gib),
    activation: bytes(row.activation_peak_gib),
    non_torch: bytes(row.non_torch_gib),
    graphs: bytes(row.cudagraph_gib),
    kv_pool: bytes(row.kv_cache_gib),
    blocks: count(row.kv_blocks),
    tokens: count(row.kv_tokens),
    concurrency: count(row.max_concurrency),
    needed: bytes(row.error_needed_kv_gib),
    max_len: count(row.error_max_len),
  };
}

/** @param {Row} row */
export function era(row) {
  const version = versionOf(row);
  if (!version) return 'unknown';
  const minor = minorOf(version);
  if (minor === 1) return '0.27 and later';
  if (row.v1 === false || minor < 8) return 'V0';
  if (minor < 11) return 'V1 to 0.10';
  if (minor < 21) return '0.11 to 0.20';
  return minor < 27 ? '0.21 to 0.26' : '0.27 and later';
}
