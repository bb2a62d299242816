// The native build and the wasm build must give the same bytes for the same request:
// `node tests/parity.mjs <evaluate_lines>`, or `--lines` to print the requests.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../wasm/node.mjs';

const inTests = (path) => fileURLToPath(new URL(path, import.meta.url));
const BATCH = [inTests('../wasm/bin/ridgepoint.mjs'), 'batch'];
const LARGEST_OUTPUT = 1 << 30;

const fixtures = readdirSync(inTests('fixtures/configs'))
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({
    id: name.replace('.json', '').replace('--', '/'),
    config: parsedOrText(readFileSync(inTests(`fixtures/configs/${name}`), 'utf8')),
  }))
  // Every fixture with every card and version would take many minutes; one in eight stands for all.
  .filter((_, index) => index % 8 === 0);

/** Some configs hold Infinity, which only the core reads: those go as text. */
function parsedOrText(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const cards = [
  { id: 'a100-sxm-80gb' },
  { id: 'H100', count: 2 },
  { id: 'l4', free_bytes: 20e9 },
  { total_bytes: 48e9, bandwidth: 1e12, flops: 1.5e14 },
];

const versions = [undefined, '0.9.1', '0.14.0', '0.28.0', '0.30.1.dev5'];

const settings = [
  { args: {} },
  { args: { 'max-model-len': 8192, 'gpu-memory-utilization': 0.85, 'kv-cache-dtype': 'fp8' } },
  {
    args: { 'enforce-eager': true, 'max-num-seqs': 37, dtype: 'float16' },
    workload: { context: 5000 },
  },
  {
    args: { 'max-num-batched-tokens': 3333 },
    workload: { context: 131072, prompt: 1000, output: 100 },
  },
];

/** Requests that are wrong, or odd, in a part of their own. */
const gguf = {
  metadata: {
    'general.architecture': 'qwen3',
    'qwen3.block_count': 36,
    'qwen3.embedding_length': 4096,
    'qwen3.feed_forward_length': 12288,
    'qwen3.attention.head_count': 32,
    'qwen3.attention.head_count_kv': 8,
    'qwen3.attention.key_length': 128,
    'qwen3.rope.freq_base': 1e6,
    'qwen3.context_length': 40960,
  },
  tensors: [
    { name: 'token_embd.weight', type: 'Q4_K', shape: [4096, 151936] },
    { name: 'output.weight', type: 'Q6_K', shape: [4096, 151936] },
  ],
};
const header = { a: { dtype: 'BF16', shape: [1000, 1000], data_offsets: [0, 2000000] } };
const weights = [
  { gguf },
  { headers: [header] },
  { metadata: { total_size: 1.7e10 }, weight_map: {} },
  { metadata: { total_size: 0 }, weight_map: {} },
  { frob: 1 },
].map((tensors) =>
  JSON.stringify({
    model: { ...('gguf' in tensors ? {} : { config: fixtures[0].config }), tensors },
    gpu: cards[0],
    engine: { name: 'vllm' },
  }),
);

const odd = [
  '{"model":',
  '[]',
  'null',
  '"text"',
  '1e999',
  '{}',
  '{"model":{"id":"no/such-model"},"gpu":{"id":"l4"}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"no such card"}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4","count":3}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"},"engine":{"version":"seven"}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"},"engine":{"version":"0.1"}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"},"engine":{"args":{"no-such-flag":1}}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"},"workload":{"context":1e300}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"},"workload":{"context":0.5}}',
  '{"id":"\\u0000\\ud83d\\ude00é","model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"id":"l4"}}',
  '{"model":{"id":"meta-llama/Meta-Llama-3-8B"},"gpu":{"total_bytes":12345678901}}',
  `${'['.repeat(100_000)}`,
  `{"model":{"config":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}}`,
];

function requests() {
  const lines = [];
  for (const { id, config } of fixtures) {
    for (const gpu of cards) {
      for (const version of versions) {
        for (const { args, workload } of settings) {
          lines.push(
            JSON.stringify({
              id: String(lines.length),
              model: { id, config },
              gpu,
              engine: { name: 'vllm', version, args },
              workload,
            }),
          );
        }
      }
    }
  }
  return [...lines, ...weights, ...odd];
}

/** The other questions, each about a few setups: what was asked, and the line it is asked with. */
function questions() {
  const setups = fixtures.filter((_, index) => index % 6 === 0).flatMap(({ id, config }, index) =>
    ['vllm', 'sglang', 'trtllm'].map((name) => ({
      model: { id, config },
      gpu: cards[index % 2],
      engine: { name },
      workload: { context: 8192, concurrency: index % 3 === 0 ? 64 : 1 },
    })),
  );
  const load = { context: 4096, concurrency: 24, tpot_s: 0.05 };
  const axes = [{ name: 'context' }, { name: 'utilization', values: [0.8, 0.9, 0.95] }];
  const lines = {
    scan: setups.map((request) => ({ request, axes })),
    advise: setups,
    explain: setups,
    compare: setups.slice(1).map((request, i) => ({
      setups: [{ request: setups[i] }, { request }],
    })),
    recommend: fixtures.slice(0, 4).map(({ id, config }) => ({
      model: { id, config },
      workload: load,
      constraints: { max_count: 4 },
    })),
    writeCommand: setups.flatMap((request) =>
      ['shell', 'docker', 'compose', 'kubernetes'].map((form) => ({ request, form })),
    ),
    readCommand: JSON.parse(readFileSync(inTests('fixtures/commands.json'), 'utf8')).map(
      ({ text }) => ({ text }),
    ),
    readLog: [
      'INFO 10-02 07:02:10 [gpu_model_runner.py:2653] Model loading took 14.9596 GiB and 20.1 seconds',
      'llama_kv_cache: size = 1024.00 MiB (8192 cells, 32 layers, 1/1 seqs), K (f16): 512.00 MiB, V (f16): 512.00 MiB',
      'no log at all',
    ],
  };
  return Object.entries(lines).flatMap(([question, list]) =>
    list.map((line) => ({
      question,
      line: typeof line === 'string' ? line : JSON.stringify(line),
    })),
  );
}

/** The first question that the two builds answer differently, or how many were asked. */
async function compareQuestions(program) {
  const core = await load();
  const asked = questions();
  for (const question of new Set(asked.map((each) => each.question))) {
    const list = asked.filter((each) => each.question === question).map(({ line }) => line);
    const native = answers(program, ['--ask', question], `${list.join('\n')}\n`);
    for (const [i, line] of list.entries()) {
      const wasm =
        question === 'readLog'
          ? JSON.stringify(core.askLog(line.replaceAll('\u001e', '\n')))
          : core.askText(question, line);
      const one = question === 'readLog' ? JSON.stringify(JSON.parse(native[i])) : native[i];
      if (one !== wasm) {
        const place = [...String(one)].findIndex((character, at) => character !== wasm[at]);
        const shown = (text) => String(text).slice(Math.max(0, place - 120), place + 120);
        return `${question} of ${line.slice(0, 2000)} differs\nnative: … ${shown(one)} …\nwasm:   … ${shown(wasm)} …`;
      }
    }
  }
  return asked.length;
}

function answers(program, args, input) {
  const { stdout, stderr, error, signal } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    maxBuffer: LARGEST_OUTPUT,
  });
  if (error) throw error;
  if (signal) throw new Error(`${program} ended by ${signal}: ${stderr}`);
  return stdout.split('\n').slice(0, -1);
}

const lines = requests();
if (process.argv[2] === '--lines') {
  process.stdout.write(`${lines.join('\n')}\n`);
} else {
  const input = `${lines.join('\n')}\n`;
  const native = answers(process.argv[2], [], input);
  const wasm = answers(process.execPath, BATCH, input);
  const at = lines.findIndex((_, i) => native[i] === undefined || native[i] !== wasm[i]);
  if (at >= 0) {
    const [one, other] = [String(native[at]), String(wasm[at])];
    const place = [...one].findIndex((character, i) => character !== other[i]);
    const shown = (text) => text.slice(Math.max(0, place - 120), place + 120);
    console.error(`request ${at} of ${lines.length} differs: ${lines[at].slice(0, 2000)}`);
    console.error(`native: … ${shown(one)} …`);
    console.error(`wasm:   … ${shown(other)} …`);
    process.exitCode = 1;
  } else {
    const errors = native.filter((line) => line.includes('"error":{"code"')).length;
    const served = native.filter((line) => line.includes('"serves":true')).length;
    const others = await compareQuestions(process.argv[2]);
    if (typeof others === 'string') {
      console.error(others);
      process.exitCode = 1;
    } else {
      console.log(`${others} other questions, the same bytes from both builds`);
    }
    console.log(
      `${lines.length} requests, the same bytes from both builds: ${served} serve, ${lines.length - served - errors} do not, ${errors} are refused`,
    );
  }
}
