// What measured speeds are told apart by.
import { createHash } from 'node:crypto';

export const FIGURES = ['tpot', 'ttft', 'output_tok_s'];

const SOURCES = [
  [/InferenceX/, 'ifx'],
  [/gap-analysis/, 'gap'],
  [/AccelMark/, 'accel'],
  [/TensorRT-LLM/, 'trtdoc'],
  [/Xiongjie/, 'xd'],
];
const CONFIGURATION = ['engine', 'engine_version', 'model', 'gpu', 'dtype_quant', 'tp', 'ep', 'dp'];

/** "fit" or "check", by the configuration. */
export function halfOf(row) {
  const source =
    SOURCES.find(([words]) => words.test(row.source))?.[1] ??
    row.source.split('/').at(-1).slice(0, 8);
  const text = [source, ...CONFIGURATION.map((field) => row[field] ?? 'None')].join('|');
  return createHash('md5').update(text).digest().at(-1) % 2 === 0 ? 'fit' : 'check';
}

const MIXTURE =
  /DeepSeek|gpt-oss|MiniMax|Kimi|GLM|Qwen3-235|Qwen3-30B|Qwen3\.5|Mixtral|Scout|Maverick/;
const DATA_CENTRE = /H100|H200|GH200|H20|H800|B200|A100|L40S/;

export function groupOf(row) {
  const kind = MIXTURE.test(row.model) ? 'mixtures' : 'dense';
  if (row.engine === 'llama.cpp') return 'llama.cpp';
  if (row.engine === 'sglang') return `SGLang, ${kind}`;
  const old = row.engine === 'vllm' && /^0\.[0-7]\./.test(row.engine_version ?? '');
  if (DATA_CENTRE.test(row.gpu) && !old) return `data centre, ${kind}`;
  if (/RTX/.test(row.gpu) && (row.gpus ?? 1) === 1) return `one workstation card, ${kind}`;
  return `others, ${kind}`;
}
