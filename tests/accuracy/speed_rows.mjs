// Measured speeds as requests: what a row of the corpus says of model, card, engine and load.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CORPUS = process.env.RIDGEPOINT_SHARED ?? here('../../../shared');

export function speedRows() {
  const file = `${CORPUS}/truth/speed.jsonl`;
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** Rows that are left out, each with its reason. */
const EXCLUDED = JSON.parse(readFileSync(here('speed_excluded.json'), 'utf8'));

const applies = (row) => (entry) =>
  new RegExp(entry.pattern).test(row.id) &&
  Object.entries(entry.where ?? {}).every(([key, value]) =>
    new RegExp(value).test(String(row[key] ?? '')),
  );

/** Why a row is left out; undefined: it is not. */
const whyExcluded = (row) =>
  EXCLUDED.rows.filter((entry) => !entry.figures).find(applies(row))?.reason;

/** Figures of a row that are left out. */
const figuresExcluded = (row) =>
  EXCLUDED.rows.filter((entry) => entry.figures && applies(row)(entry)).flatMap((e) => e.figures);

/** Models whose config lies under another name: the same shape. */
const SAME_SHAPE = {
  'meta-llama/Llama-2-7b': 'meta-llama/Llama-2-7b-hf',
  'meta-llama/Llama-2-70b': 'meta-llama/Llama-2-70b-hf',
  'meta-llama/Llama-2-7b-chat-hf': 'meta-llama/Llama-2-7b-hf',
  'meta-llama/Llama-2-70b-chat-hf': 'meta-llama/Llama-2-70b-hf',
  'huggyllama/llama-7b': 'meta-llama/Llama-2-7b-hf',
  'huggyllama/llama-13b': 'meta-llama/Llama-2-13b-hf',
  'Qwen/Qwen3-235B-A22B-FP8': 'Qwen/Qwen3-235B-A22B',
  'RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w4a16': 'meta-llama/Llama-3.1-8B-Instruct',
  'RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a16': 'meta-llama/Llama-3.1-8B-Instruct',
  'RedHatAI/Meta-Llama-3.1-8B-Instruct-quantized.w8a8': 'meta-llama/Llama-3.1-8B-Instruct',
  'RedHatAI/Meta-Llama-3.1-8B-Instruct-FP8': 'meta-llama/Llama-3.1-8B-Instruct',
  'nvidia/DeepSeek-R1-NVFP4': 'deepseek-ai/DeepSeek-R1',
  'nvidia/DeepSeek-V3.1-NVFP4': 'deepseek-ai/DeepSeek-V3',
  'zhipuai/GLM-5': 'zai-org/GLM-5',
  'tiiuae/falcon-180B': 'tiiuae/falcon-180B-chat',
  'meta-llama/Llama-4-Scout-17B-16E': 'meta-llama/Llama-4-Scout-17B-16E-Instruct',
  'meta-llama/Llama-4-Maverick-17B-128E': 'meta-llama/Llama-4-Maverick-17B-128E-Instruct',
  'codellama/CodeLlama-34b': 'codellama/CodeLlama-34b-Instruct-hf',
  'llama-2-7b.Q4_0': 'meta-llama/Llama-2-7b-hf',
  'gpt-oss-120b-mxfp4': 'openai/gpt-oss-120b',
  'gpt-oss-20b-mxfp4': 'openai/gpt-oss-20b',
};

const ENGINES = {
  vllm: 'vllm',
  trtllm: 'trtllm',
  'tensorrt-llm': 'trtllm',
  sglang: 'sglang',
  'llama.cpp': 'llamacpp',
};

/** Bytes a weight of llama.cpp's mixes, all tensors together. */
const GGUF_BITS = {
  Q4_0: 4.55,
  Q4_K_M: 4.89,
  Q4_K_XL: 4.9,
  Q5_K_XL: 5.7,
  Q3_K_S: 3.5,
  Q8_0: 8.5,
  Q8_K_XL: 9.3,
  F16: 16,
  BF16: 16,
  MXFP4: 4.35,
};

const fp8 = (block) =>
  block
    ? { quant_method: 'fp8', weight_block_size: [128, 128], activation_scheme: 'dynamic' }
    : { quant_method: 'modelopt', quant_algo: 'FP8', ignore: ['lm_head'] };
const nvfp4 = (ignore = []) => ({
  quant_method: 'modelopt',
  quant_algo: 'NVFP4',
  ignore: ['lm_head', ...ignore],
});
const packed = (bits) => ({
  quant_method: 'compressed-tensors',
  format: 'pack-quantized',
  config_groups: {
    group_0: {
      targets: ['Linear'],
      weights: { num_bits: bits, type: 'int', strategy: bits === 8 ? 'channel' : 'group', ...(bits === 8 ? {} : { group_size: 128 }) },
    },
  },
  ignore: ['lm_head'],
});
const int8 = {
  quant_method: 'compressed-tensors',
  format: 'int-quantized',
  config_groups: {
    group_0: {
      targets: ['Linear'],
      weights: { num_bits: 8, type: 'int', strategy: 'channel' },
      input_activations: { num_bits: 8 },
    },
  },
  ignore: ['lm_head'],
};

/** The scheme of the checkpoint; "own": what the config says; null: not at hand. */
function schemeOf(row, config) {
  const text = row.dtype_quant;
  const latent = config.kv_lora_rank !== undefined || config.text_config?.kv_lora_rank !== undefined;
  if (/gpt-oss/.test(row.model)) return 'own';
  if (/int4_wo/.test(text)) return 'own';
  if (/gemm=nvfp4|^nvfp4/.test(text)) return nvfp4(latent ? ['*self_attn*'] : []);
  if (/fp8_block/.test(text)) return fp8(true);
  if (/DeepSeek|GLM-5|MiniMax/.test(row.model) && /fp8/.test(text)) return 'own';
  if (/fp8/.test(text)) return fp8(false);
  if (/w4a16/.test(text)) return packed(4);
  if (/w8a16/.test(text)) return packed(8);
  if (/w8a8/.test(text)) return int8;
  if (/bf16|fp16|^precision=bf16/.test(text)) return 'none';
  return null;
}

const VERSIONS = { trtllm: '1.0.0', sglang: '0.5.9', vllm: '0.17.0' };

/** When vLLM's minor versions came out; a row without one ran the newest of its day, or nearly. */
const RELEASES = [
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
];

function versionOf(row, engine) {
  const told = row.engine_version ?? '';
  if (/^\d/.test(told) || !row.measured) return told;
  if (engine === 'trtllm') return row.measured < '2026' ? '1.1.0' : told;
  if (engine !== 'vllm') return told;
  return RELEASES.filter(([day]) => row.measured && day <= row.measured).at(-1)?.[1] ?? told;
}

/** What the memory rules are asked of: the nearest version they cover. */
function planVersion(engine, version) {
  if (engine === 'vllm') return /^0\.\d+/.exec(version ?? '')?.[0] ?? VERSIONS.vllm;
  if (engine === 'sglang') return VERSIONS.sglang;
  if (engine === 'trtllm') return VERSIONS.trtllm;
  return undefined;
}

/**
 * @returns {{excluded: string} | {row: object, measured: object}}
 */
export function speedRequest(row, shared) {
  const excluded = whyExcluded(row);
  if (excluded) return { excluded };
  const engine = ENGINES[row.engine];
  if (!engine) return { excluded: `the engine ${row.engine} is not modelled` };
  const gpu = shared.card(row.gpu.replaceAll('-', ' ')) ?? shared.card(row.gpu);
  if (!gpu) return { excluded: `the card ${row.gpu} is not known` };
  const name = SAME_SHAPE[row.model] ?? row.model;
  const found = shared.fixture(name);
  if (!found) return { excluded: `no config of ${row.model}` };
  const model = found.builtIn ? { id: found.builtIn } : { id: row.model, config: structuredClone(found) };
  const gguf = engine === 'llamacpp' ? GGUF_BITS[row.dtype_quant] : undefined;
  if (engine === 'llamacpp' && !gguf) return { excluded: `weights as ${row.dtype_quant}` };
  const scheme = gguf ? 'none' : schemeOf(row, model.config ?? shared.builtInConfig(model.id));
  if (scheme === null) return { excluded: `weights as ${row.dtype_quant}` };
  if (scheme === 'none' && model.config) delete model.config.quantization_config;
  if (typeof scheme === 'object') {
    if (model.config) {
      delete model.config.quantization_config;
      if (model.config.text_config) delete model.config.text_config.quantization_config;
    }
    model.quant_config = scheme;
  }
  const load = loadOf(row, engine);
  if (load.excluded) return load;
  const measured = measuredOf(row);
  for (const figure of figuresExcluded(row)) delete measured[figure];
  if (Object.keys(measured).length === 0) return { excluded: 'no figure that is compared' };

  const tensor = row.tp ?? 1;
  const pipeline = row.pp ?? 1;
  const groups = row.dp > 1 ? row.dp : 1;
  const layout = {
    tensor,
    pipeline,
    groups,
    expert_ranks: row.ep > 1 ? row.ep : 1,
    expert_split: row.ep > 1 ? Math.max(1, (tensor * groups) / row.ep) : tensor * groups,
  };
  const attentionRanks = groups > 1 && engine === 'trtllm' ? 1 : tensor;
  layout.tensor = attentionRanks;
  if (groups > 1) load.concurrency = Math.max(1, Math.round(load.concurrency / groups));
  const half = /fp8 kv|gemm=nvfp4|^nvfp4|fp8\(w|fp8;gemm=fp8;/.test(row.dtype_quant) && kvInEight(row);
  const args = argsOf(row, engine, load, half);
  return {
    row: {
      id: row.id,
      request: {
        model,
        gpu: { id: gpu, count: Math.max(1, tensor * pipeline) },
        engine: { name: engine, version: planVersion(engine, row.engine_version), args },
        workload: { context: Math.ceil(load.input + load.output) + 16 },
      },
      version: versionOf(row, engine),
      load,
      layout,
      graphs: true,
      ...(half ? { kv: 'fp8' } : {}),
      ...(gguf ? { bits: gguf } : {}),
    },
    measured,
  };
}

const kvInEight = (row) => !/gap-analysis/.test(row.source) && !/bf16/.test(row.dtype_quant);

function argsOf(row, engine, load, half) {
  const tensor = row.tp ?? 1;
  const pipeline = row.pp ?? 1;
  const length = Math.max(1024, Math.ceil(load.input + load.output) + 64);
  if (engine === 'vllm') {
    return {
      'tensor-parallel-size': tensor,
      'pipeline-parallel-size': pipeline,
      'max-model-len': length,
      ...(half ? { 'kv-cache-dtype': 'fp8' } : {}),
      ...(/InferenceX/.test(row.source) ? { 'max-num-batched-tokens': 8192 } : {}),
    };
  }
  if (engine === 'sglang') return { 'tensor-parallel-size': tensor, 'context-length': length, ...(half ? { 'kv-cache-dtype': 'fp8_e4m3' } : {}) };
  if (engine === 'trtllm') {
    return {
      'tensor-parallel-size': tensor,
      'pipeline-parallel-size': pipeline,
      'max-seq-len': length,
      ...(half ? { 'kv-cache-config': { dtype: 'fp8' } } : {}),
      ...(row.kind === 'offline_throughput' ? { 'free-gpu-memory-fraction': 0.95 } : {}),
    };
  }
  return {};
}

function loadOf(row, engine) {
  const kind = row.kind;
  const input = row.input_len ?? 0;
  const sharegpt = /ShareGPT-GPT4/.test(row.len_dist ?? '');
  const short = /short ShareGPT/.test(row.len_dist ?? '');
  const long = /28k-token/.test(row.len_dist ?? '');
  const output = row.output_len ?? (sharegpt ? 345 : short ? 180 : long ? 220 : 0);
  const load = { kind, input, output };
  if (kind === 'single_stream' || kind === 'prefill') {
    load.http = engine !== 'llamacpp' && !/AccelMark|TensorRT-LLM docs|NIM/.test(row.source);
    if (kind === 'prefill') load.http = false;
    return load;
  }
  if (input === 0 || output === 0) return { excluded: 'lengths are not told' };
  if (/uniform\[0\.8L/.test(row.len_dist ?? '')) load.least = 0.8;
  if (sharegpt || short) load.least = 0.1;
  if (sharegpt || short) {
    load.input *= 1.82; // a mean of 0.55 of the longest
    load.output *= 1.82;
  }
  load.http = kind === 'serve' && !/AccelMark/.test(row.source);
  const seqs = /max_num_seqs (\d+)/.exec(row.notes ?? '')?.[1];
  if (seqs) load.seqs = Number(seqs);
  load.scheduler = { vllm: 'mixed', sglang: 'prompts_first', trtllm: 'reserve' }[engine];
  if (engine === 'vllm' && /^0\.[0-7]\./.test(row.engine_version ?? '')) {
    load.scheduler = 'prompts_first';
    load.whole = true;
  }
  if (kind === 'serve') {
    if (row.concurrency) {
      load.concurrency = row.concurrency;
      load.prompts = Math.min(4000, 10 * row.concurrency);
      if (/gap-analysis/.test(row.source)) {
        // Equal lengths, and clients that do not keep step for ever.
        load.spread = 0.03;
      }
    } else if (typeof row.request_rate === 'number') {
      load.rate = row.request_rate;
      const runs = /3 runs pooled/.test(row.notes ?? '') ? 3 : 1;
      load.prompts = Math.min(Math.round((row.num_prompts ?? 300) / runs), 600);
    } else return { excluded: 'neither rate nor concurrency is told' };
    return load;
  }
  load.concurrency = 0;
  const batch = row.concurrency ?? 0;
  if (batch > 0) load.seqs = batch;
  load.prompts = Math.min(row.num_prompts ?? (batch ? 4 * batch : 3000), 3000);
  return load;
}

function measuredOf(row) {
  const out = {};
  const pick = (name, fields, scale) => {
    for (const field of fields) {
      if (row[field] > 0) {
        out[name] = row[field] * scale;
        out[`${name}_is`] = field;
        return;
      }
    }
  };
  if (row.kind !== 'prefill') pick('tpot', ['tpot_ms_mean', 'tpot_ms_p50'], 1e-3);
  if (row.kind === 'prefill' && !row.ttft_ms_mean && row.prefill_tok_s > 0 && row.input_len > 0) {
    out.ttft = row.input_len / row.prefill_tok_s;
    out.ttft_is = 'prefill_tok_s';
  } else if (!(row.kind === 'single_stream' && row.engine === 'llama.cpp')) {
    pick('ttft', ['ttft_ms_mean', 'ttft_ms_p50'], 1e-3);
  }
  const steady = row.kind === 'serve' && row.concurrency > 0;
  if ((row.kind === 'offline_throughput' || steady) && row.output_tok_s > 0) out.output_tok_s = row.output_tok_s;
  return out;
}
