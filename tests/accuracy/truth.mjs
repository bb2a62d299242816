// The corpus of measured starts: where it is, and what its words mean here.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @import { Row, Shared } from './types' */

/** Models of one shape with another whose config is at hand: tuned from it, or its later edition. */
const SAME_SHAPE = {
  'Qwen/Qwen2.5-Math-1.5B': 'Qwen/Qwen2.5-1.5B',
  'RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic': 'meta-llama/Llama-3.3-70B-Instruct',
  'RedHatAI/Llama-3.3-70B-Instruct-fp8-dynamic': 'meta-llama/Llama-3.3-70B-Instruct',
  'RedHatAI/Mistral-Small-3.1-24B-Instruct-2503-quantized.w8a8':
    'mistralai/Mistral-Small-3.1-24B-Instruct-2503',
  'codellama/CodeLlama-34b-hf': 'codellama/CodeLlama-34b-Instruct-hf',
  'deepseek-ai/DeepSeek-V2.5': 'deepseek-ai/DeepSeek-V2',
  'google/gemma-2-27b-it': 'google/gemma-2-27b',
  'google/gemma-3-12b-it': 'google/gemma-3-12b-pt',
  'google/gemma-3-4b-it': 'google/gemma-3-4b-pt',
  'lingshu-medical-mllm/Lingshu-32B': 'Qwen/Qwen2.5-VL-32B-Instruct',
  'mistralai/Mistral-Small-3.2-24B-Instruct-2506': 'mistralai/Mistral-Small-3.1-24B-Instruct-2503',
  'moonshotai/Kimi-Dev-72B': 'Qwen/Qwen2.5-72B',
  'teknium/OpenHermes-2.5-Mistral-7B': 'mistralai/Mistral-7B-v0.1',
  'tokyotech-llm/Llama-3.1-Swallow-8B-Instruct-v0.1': 'meta-llama/Llama-3.1-8B-Instruct',
  'unsloth/microsoft Phi-4 (local /Phi-4)': 'microsoft/phi-4',
};

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const CORPUS = process.env.RIDGEPOINT_SHARED ?? here('../../../shared');
const FIXTURES = here('../fixtures/configs');

/** The rows of one engine; null when the corpus is not on this machine. */
export function rowsOf(engine) {
  const file = `${CORPUS}/truth/${engine}.jsonl`;
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
}

/** @returns {Shared} */
export function sharedOf() {
  const facts = (name) => JSON.parse(readFileSync(here(`../../core/data/${name}.json`), 'utf8'));
  const names = new Map();
  const nominal = new Map();
  for (const card of facts('gpus').gpus) {
    nominal.set(card.id, card.marketing_gb);
    for (const name of [card.id, card.name, ...(card.aliases ?? [])])
      names.set(plain(name), card.id);
  }
  const { models } = facts('models');
  const builtIn = new Set(models.map((model) => model.id));
  const files = existsSync(`${CORPUS}/configs`) ? readdirSync(`${CORPUS}/configs`) : [];
  const fixtures = readdirSync(FIXTURES);
  const parsed = (path) => {
    try {
      const value = JSON.parse(readFileSync(path, 'utf8'));
      return value && typeof value === 'object' ? value : null;
    } catch {
      return null;
    }
  };
  return {
    config: (file) => (file && files.includes(file) ? parsed(`${CORPUS}/configs/${file}`) : null),
    builtInConfig: (id) => models.find((model) => model.id === id)?.config ?? {},
    fixture(name) {
      const model = SAME_SHAPE[name] ?? name;
      const own = fixtures.find((file) => file === `${model.replace('/', '--')}.json`);
      if (own) return parsed(`${FIXTURES}/${own}`);
      const file = files.find((name) => name === `${model.replace('/', '__')}.json`);
      if (file) return parsed(`${CORPUS}/configs/${file}`);
      return builtIn.has(model) ? { builtIn: model } : null;
    },
    facts({ model, gpu }) {
      const config = model.config ?? models.find(({ id }) => id === model.id)?.config ?? {};
      const hidden = config.hidden_size ?? config.text_config?.hidden_size ?? config.n_embd ?? null;
      const card = gpu.id ? names.get(plain(gpu.id)) : null;
      return { hidden, nominal: nominal.get(card) ?? null };
    },
    /** Bytes a second and 16-bit operations a second of a card. */
    rates(id) {
      const card = facts('gpus').gpus.find((one) => one.id === id);
      const flops = Math.max(card?.bf16_flops ?? 0, card?.fp16_flops ?? 0);
      const bandwidth = card?.bandwidth_bytes_per_s ?? 0;
      return flops > 0 && bandwidth > 0 ? { bandwidth, flops } : null;
    },
    standIns: (config) =>
      models.filter((model) => ofOneSize(config ?? {}, model.config)).map((model) => model.id),
    card(words) {
      for (const text of shorterAndShorter(words)) {
        const id = names.get(plain(text));
        if (id) return id;
      }
      return null;
    },
  };
}

const ofOneSize = (one, other) =>
  ['hidden_size', 'num_hidden_layers', 'vocab_size'].every((key) => one[key] === other[key]);

const plain = (text) =>
  text
    .toLowerCase()
    .replace(/nvidia|geforce|tesla/g, '')
    .replace(/[^a-z0-9]/g, '');

/** "RTX 5070 Ti 16GB (WSL)" is looked for whole, then without what may be in brackets, and so on. */
function* shorterAndShorter(words) {
  yield words;
  const inside = /\(([^)]*)\)/.exec(words)?.[1];
  if (inside) yield inside.replace(/ class$/, '');
  const named = /\b(GB200|B200|B300|H200|H100|A100)\b/.exec(words)?.[1];
  for (const end of [/\s*\(.*$/, /\s*\/.*$/, /[ -](class|laptop).*$/, /[ -]\d+ ?GB.*$/i]) {
    words = words.replace(end, '');
    yield words;
  }
  if (named) yield named;
}
