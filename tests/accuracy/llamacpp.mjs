// Rows of measured llama.cpp starts as requests, and what their logs say in bytes.
import { readFileSync } from 'node:fs';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** Rows that tell nothing this engine answers, and why. */
const excluded = {
  'llamacpp-ik259-a': 'ik_llama.cpp, a fork with caches and graphs of its own',
  'llamacpp-idx17584288039-a': 'ik_llama.cpp, a fork with caches and graphs of its own',
  'llamacpp-idx38968073384-a': 'ik_llama.cpp, a fork with caches and graphs of its own',
  'llamacpp-idx25383322419-a': 'ik_llama.cpp, a fork with caches and graphs of its own',
  'llamacpp-6122-a': 'of March 2024, before the first build covered',
  'llamacpp-idx14521501075-a': 'an encoder that had a cache; build not told',
  'llamacpp-idx61721049278-a': 'the model is not named',
  'llamacpp-idx61098568063-b': 'the model is not named',
  'llamacpp-idx63260729118-a': 'the model is not named; its context overhead is in the constants',
  'llamacpp-idx25362796195-a': 'the model is named by its dimensions alone',
  'llamacpp-idx69101868522-a': 'no config of this Laguna at hand',
  'llamacpp-idx70197336149-a': 'a model newer than the builds covered, on Vulkan',
  'llamacpp-idx71418391811-a': 'cells and quantisation are not told',
  'llamacpp-idx53892246174-a': '744 bytes a cell and layer: a format of a fork',
  'llamacpp-b00t1258-a': 'one figure, "about 4.8 GB", and no quantisation',
  'llamacpp-unsloth9525-a': 'an estimate of the launcher, not the log; unit uncertain',
  'llamacpp-unsloth9525-b': 'an estimate of the launcher, not the log; unit uncertain',
  'llamacpp-unsloth9525-c': 'an estimate of the launcher, not the log; unit uncertain',
  'llamacpp-unsloth9525-d': 'an estimate of the launcher, not the log; unit uncertain',
};

/** Config files of the same sizes, for rows that name none. */
const configs = [
  [/^Qwen3-4B-/, 'Qwen__Qwen3-4B.json'],
  [/^Llama-3\.2-3B/, 'meta-llama__Llama-3.2-3B.json'],
  [/Qwen3\.6-27B/, 'nvidia__Qwen3.6-27B-NVFP4.json'],
  [/Qwen3\.5-4B/, 'fixture:Qwen--Qwen3.5-4B--text.json'],
  [/Qwen3\.5\/3\.6-35B-A3B/, 'Qwen__Qwen3.5-35B-A3B.json'],
  [/^Qwen3-30B-A3B-Instruct-2507/, 'Qwen__Qwen3-30B-A3B-Instruct-2507.json'],
  [/MiniMax-M2\.1/, 'MiniMaxAI__MiniMax-M2.5.json'],
  [/R1-Distill-Qwen-32B/, 'Qwen__Qwen2.5-32B.json'],
  [/granite-4\.1-8b/, 'ibm-granite__granite-4-8b-dense.json'],
];

/** Days and builds that others wrote down; between two of them builds are inferred. */
const anchors = [
  ['2024-10-31', 4000],
  ['2025-04-01', 5000],
  ['2025-07-27', 6000],
  ['2025-11-09', 7000],
  ['2025-11-16', 7079],
  ['2026-05-11', 9106],
  ['2026-05-25', 9265],
  ['2026-06-30', 9842],
  ['2026-08-17', 10470],
];

function buildOfDate(date) {
  const day = Date.parse(date);
  for (let i = 1; i < anchors.length; i += 1) {
    const [from, low] = anchors[i - 1];
    const [to, high] = anchors[i];
    if (day >= Date.parse(from) && day <= Date.parse(to)) {
      const share = (day - Date.parse(from)) / (Date.parse(to) - Date.parse(from));
      return `b${Math.round(low + (high - low) * share)}`;
    }
  }
  return null;
}

/**
 * What the form of a log tells of its build where neither build nor date is given: a compute buffer
 * of 512 rows of logits is older than the one row a slot of b9377, "sched_reserve" is younger than
 * b7886, a cache of its own for windows younger than b5427.
 */
const builds = {
  'llamacpp-idx54573746480-a': 'b9300',
  'llamacpp-idx55690619076-a': 'b9370', // logits of all tokens in June 2026: not the server
  'llamacpp-idx61098568063-a': 'b9000',
  'llamacpp-idx46940380535-a': 'b9000',
  'llamacpp-idx59932672849-a': 'b9000',
  'llamacpp-idx67663730134-a': 'b9200',
  'llamacpp-idx55360958071-a': 'b9200',
  'llamacpp-idx57514653434-a': 'b9500', // the 16-bit copy of a quantised cache is in the buffer
  'llamacpp-idx43121383699-a': 'b9000',
  'llamacpp-11861-a': 'b4700',
  'llamacpp-idx1131611191-a': 'b7500',
};

function versionOf(row) {
  const build = /^b(\d{4,6})$/.exec(row.engine_version ?? '');
  if (build) return row.engine_version;
  if (builds[row.id]) return builds[row.id];
  if (row.date && row.date.length === 10) return buildOfDate(row.date) ?? undefined;
  return undefined;
}

/** Several cards whose shares are not told: taken as one that holds their sum. */
const asOne = new Set(['llamacpp-idx61219781833-a', 'llamacpp-idx1131611191-a']);

/** Flags that the notes of a row tell and its fields do not. */
const flags = {
  'llamacpp-idx46940380535-a': { 'n-gpu-layers': 'all' },
  'llamacpp-idx1131611191-a': { 'ubatch-size': 128 },
  'llamacpp-idx67663730134-a': { 'ubatch-size': 2048 },
  'llamacpp-idx59932672849-a': { 'ubatch-size': 2048 },
  'llamacpp-idx55690619076-a': { 'swa-full': true },
  'llamacpp-24162-a': { 'flash-attn': 'off' },
  'llamacpp-idx57514653434-a': { 'spec-type': 'draft-mtp', 'spec-draft-n-max': 3 },
  'llamacpp-idx68399148041-a': { 'ctx-size': 32768, parallel: 1, 'ubatch-size': 128 },
  'llamacpp-idx59836060122-a': {
    'ctx-size': 262144,
    'cache-type-k': 'q4_0',
    'cache-type-v': 'q4_0',
  },
  'llamacpp-idx43121383699-a': {
    'tensor-split': '1,1,1,1',
    'batch-size': 512,
    'n-gpu-layers': 99,
    // The expressions of the row's source: experts of layers 1-10, 17-25, 33-41 and 49-57.
    'override-tensor': [
      'blk.([1-9]|10).ffn_.*_exps.weight=CPU',
      'blk.(17|18|19|2[0-5]).ffn_.*_exps.weight=CPU',
      'blk.(3[3-9]|40|41).ffn_.*_exps.weight=CPU',
      'blk.(49|5[0-7]).ffn_.*_exps.weight=CPU',
    ].join(','),
  },
  'llamacpp-rocm6227-a': { 'n-gpu-layers': 99 },
  // Nothing was taken off the card below --fit's margin.
  'llamacpp-idx55360958071-a': { 'n-gpu-layers': 99 },
  'llamacpp-11861-a': { 'flash-attn': 'on', 'batch-size': 512, 'n-gpu-layers': 99 },
  'llamacpp-idx61219781833-a': { 'cpu-moe': true },
};

/** What the file is called, where the row's model is no file name. */
const files = {
  'llamacpp-idx61098568063-a': 'Qwen3-0.6B-Q8_0.gguf',
  'llamacpp-11861-a': 'DeepSeek-R1-Distill-Qwen-32B-Q4_K_M.gguf',
  'llamacpp-idx55690619076-a': 'gemma-4-E2B-Q4_K_M.gguf',
  'llamacpp-idx46940380535-a': 'gemma-2-2b-it-Q4_K_M.gguf',
  'llamacpp-24162-a': 'DeepSeek-V4-Flash-Q4_K.gguf',
  'llamacpp-idx43121383699-a': 'MiniMax-M2.1-IQ4_NL.gguf',
  'llamacpp-idx55360958071-a': 'Qwen3.6-27B-UD-Q6_K_XL.gguf',
  'llamacpp-idx56781022437-a': 'Qwen3.6-27B-UD-Q4_K_XL.gguf',
  'llamacpp-idx61219781833-a': 'GLM-5.2-UD-Q5_K_XL.gguf',
};

/** Cards by their names in the rows; a row without one is put on a card that holds it. */
const cards = [
  [/RTX 5090/, 'rtx-5090'],
  [/RTX 3090/, 'rtx-3090'],
  [/RTX PRO 6000/, 'rtx-pro-6000-blackwell'],
  [/GB10/, 'gb10'],
];

function configOf(row, shared) {
  const name = row.config ?? configs.find(([pattern]) => pattern.test(row.model ?? ''))?.[1];
  if (!name) return null;
  if (!name.startsWith('fixture:')) return shared.config(name);
  const file = new URL(`../fixtures/configs/${name.slice(8)}`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function gpuOf(row) {
  if (asOne.has(row.id)) return { total_bytes: 400 * GIB, count: 1 };
  const count = Math.max(row.tp ?? 1, row.pp ?? 1);
  if (row.gpu_total_gib) return { total_bytes: Math.round(row.gpu_total_gib * GIB), count };
  const known = cards.find(([pattern]) => pattern.test(row.gpu ?? ''));
  return known ? { id: known[1], count } : { id: 'b200', count };
}

function cacheTypes(row) {
  const types = /^[a-z0-9_]+$/.exec(row.kv_cache_dtype ?? '');
  if (!types || row.kv_cache_dtype === 'f16') return {};
  return { 'cache-type-k': row.kv_cache_dtype, 'cache-type-v': row.kv_cache_dtype };
}

function argsOf(row) {
  const args = { ...cacheTypes(row) };
  // A context that --fit found is not one that was asked for.
  const fitted = row.id === 'llamacpp-rocm6227-a';
  if (row.context_len && !fitted) args['ctx-size'] = row.context_len;
  if (row.max_running_requests === 1) args.parallel = 1;
  if (row.id === 'llamacpp-idx59982087301-a') args.parallel = 4;
  const file = files[row.id] ?? (/\.gguf|GGUF/.test(row.model ?? '') ? row.model : null);
  if (file && !/\(GGUF\)/.test(file)) args.model = file.replaceAll(' ', '-');
  return { ...args, ...flags[row.id] };
}

/**
 * @param {object} row of truth/llamacpp.jsonl
 * @param {{config: (name: string) => object | null}} shared
 * @returns {import('./types').Conversion}
 */
export function requestOf(row, shared) {
  if (excluded[row.id]) return { excluded: excluded[row.id] };
  const config = configOf(row, shared);
  if (!config) return { excluded: 'no config of the model at hand' };
  const version = versionOf(row);
  const request = {
    id: row.id,
    model: { id: row.model, config },
    gpu: gpuOf(row),
    engine: { name: 'llamacpp', ...(version ? { version } : {}), args: argsOf(row) },
  };
  const given = givenOf(row, request);
  // Where the row does not tell the quantisation, the weights are the log's from the start.
  return given && !names(row)
    ? { request: given, given: null }
    : { request, given: given && [given] };
}

/** Whether the row names the quantisation of its file. */
function names(row) {
  const named = files[row.id] ?? row.model ?? '';
  return row.quantization != null || files[row.id] !== undefined || /Q\d_K|Q8_0/.test(named);
}

/** The same with what the log says of free memory, which is after the driver's context. */
function givenOf(row, request) {
  const one = request.gpu.count === 1;
  if (asOne.has(row.id)) return null;
  if (!row.avail_before_gib && !(row.weights_gib && one)) return null;
  const given = structuredClone(request);
  given.measured = {};
  if (row.weights_gib && one) given.measured.weights_bytes = Math.round(row.weights_gib * GIB);
  if (row.avail_before_gib) {
    given.gpu.free_bytes = Math.round(row.avail_before_gib * GIB);
    given.measured.non_torch_bytes = 0;
  }
  return given;
}

/** Caches and cells follow from the flags. */
export const follows = ['kv_pool', 'tokens'];

/** Some logs print GiB with two decimals. */
export const tolerance = 0.001;

/** Why the worst are off. */
export const causes = {
  'llamacpp-rocm6227-a':
    "--fit's length without the publisher's own mix of formats; given it, exact",
};

/** What a row's notes tell of its caches beyond its fields, in MiB: keys, values and states. */
const caches = {
  'llamacpp-idx57514653434-a': 2176 + 201 + 512, // main, states, the drafting layer's
  'llamacpp-idx68399148041-a': 2048 + 149.625,
  'llamacpp-idx56781022437-a': 4352 + 598.5,
  'llamacpp-idx59836060122-a': 5206,
  'llamacpp-idx55360958071-a': 6293,
  'llamacpp-idx61219781833-a': 65812.5 + 3937.5,
  'llamacpp-idx55690619076-a': 72,
  'llamacpp-idx54573746480-a': 224,
  'llamacpp-idx46940380535-a': 832,
  'llamacpp-idx61098568063-a': 448,
  'llamacpp-idx59982087301-a': 1632,
  'llamacpp-idx59932672849-a': 3126,
  'llamacpp-idx43121383699-a': 7504, // of the tightest of four cards
  'llamacpp-idx1131611191-a': 102 + 3.1875,
};

/** Compute buffers that say nothing of the rules, and why. */
const otherGraphs = {
  'llamacpp-idx61219781833-a': 'of four cards whose shares are not told',
  'llamacpp-24162-a': 'a reservation that failed, before single experts were moved',
};

/** Of two contexts: the drafting layer's is printed with its cache, 682.02 MiB less 512. */
const graphs = {
  'llamacpp-idx57514653434-a': 690.28 + 170.02,
  'llamacpp-idx43121383699-a': 202, // of the tightest of four cards
};
/** Model buffers of the tightest of several cards, in MiB. */
const buffers = { 'llamacpp-idx43121383699-a': 14040 };

const mib = (value) => (value == null ? null : Math.round(value * MIB));
const gib = (value) => (value == null ? null : Math.round(value * GIB));

export function measured(row) {
  const told = Object.hasOwn(caches, row.id);
  const weights = names(row) && (row.pp ?? 1) === 1 ? gib(row.weights_gib) : null;
  return {
    weights: mib(buffers[row.id]) ?? weights,
    activation: otherGraphs[row.id] ? null : mib(graphs[row.id] ?? row.compute_buffer_mib),
    kv_pool: told ? mib(caches[row.id]) : gib(row.kv_cache_gib),
    tokens: row.kv_tokens ?? null,
  };
}

export function era(row) {
  const version = versionOf(row);
  if (!version) return 'build not told';
  const build = Number(version.slice(1));
  if (build < 7412) return 'before --fit';
  return build < 9377 ? 'with --fit' : 'logits by slot';
}

export function kind(row, report) {
  const attention = report?.model?.attention ?? 'unknown';
  const cards = Math.max(row.tp ?? 1, row.pp ?? 1) > 1 ? ', several cards' : '';
  return `${attention}${report?.model?.moe ? ', mixture' : ''}${cards}`;
}
