// What the core says: every text of its answers over a set of questions that is the same each time.
import { readdirSync, readFileSync } from 'node:fs';
import { askLoads } from './core-loads.mjs';
import { askBadly } from './core-refusals.mjs';

const TESTS = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, TESTS), 'utf8');
const readJson = (path) => JSON.parse(read(path));
/** Some published configs hold Infinity and NaN. */
const readConfig = (name) =>
  JSON.parse(
    read(`fixtures/configs/${name}.json`)
      .replace(/\bInfinity\b/g, '1e30')
      .replace(/\bNaN\b/g, '0'),
  );

const CONFIGS = readdirSync(new URL('fixtures/configs/', TESTS))
  .filter((file) => file.endsWith('.json') && !file.startsWith('bad--'))
  .map((file) => file.slice(0, -'.json'.length));
const DESIGNS = [
  'meta-llama--Meta-Llama-3-8B',
  'deepseek-ai--DeepSeek-V2-Lite',
  'Qwen--Qwen3-Next-80B-A3B-Instruct',
  'google--gemma-3-27b-it',
  'nvidia--NVIDIA-Nemotron-Nano-9B-v2',
  'Qwen--Qwen2.5-7B-Instruct-GPTQ-Int4',
];
const LLAMA = 'meta-llama/Meta-Llama-3-8B';
const PROGRAMS = {
  vllm: 'vllm serve a/b',
  sglang: 'python -m sglang.launch_server --model-path a/b',
  trtllm: 'trtllm-serve a/b',
  llamacpp: 'llama-server -m x-Q4_K_M.gguf',
};
const ENGINES = Object.keys(PROGRAMS);
const FORMS = ['shell', 'docker', 'compose', 'kubernetes'];
const AXES = [
  'context',
  'concurrency',
  'count',
  'utilization',
  'batched_tokens',
  'weight_format',
  'kv_format',
];
const WAYS = {
  vllm: [
    ['0.28.0', { 'gpu-memory-utilization': 0.9 }],
    ['0.11.0', { 'max-num-seqs': 16, 'kv-cache-dtype': 'fp8' }],
    ['0.21.0', { 'enforce-eager': true, 'max-num-batched-tokens': 32768 }],
    ['0.8.5', { 'gpu-memory-utilization': 0.95 }],
    ['0.24.0', { 'num-gpu-blocks-override': 700 }],
    ['0.28.0', { 'kv-cache-memory-bytes': 4294967296, 'block-size': 32 }],
    ['0.18.0', { 'cpu-offload-gb': 4, 'gpu-memory-utilization': 0.8 }],
  ],
  sglang: [
    ['0.5.17', {}],
    ['0.4.6', { 'mem-fraction-static': 0.85 }],
    ['0.5.10', { 'max-running-requests': 24, 'page-size': 64 }],
    ['0.5.17', { 'max-total-tokens': 50000 }],
    ['0.5.5', { 'disable-radix-cache': true, 'chunked-prefill-size': 2048 }],
    ['0.5.13', { 'mem-fraction-static': 0.6, 'kv-cache-dtype': 'fp8_e4m3' }],
  ],
  trtllm: [
    ['1.2.0', {}],
    ['0.20.0', { 'free-gpu-memory-fraction': 0.7 }],
    ['1.2.0', { 'max-batch-size': 32, 'max-num-tokens': 2048 }],
    ['1.1.0', { 'kv-cache-config.max-tokens': 40000 }],
    ['1.3.0', { 'free-gpu-memory-fraction': 0.95, 'max-num-tokens': 32768 }],
  ],
  llamacpp: [
    [null, {}],
    [null, { 'ctx-size': 32768, parallel: 4 }],
    [null, { model: 'model-Q4_K_M.gguf' }],
    [null, { model: 'model-Q8_0.gguf', 'ctx-size': 16384, 'ubatch-size': 2048 }],
    [null, { fit: 'off', 'n-gpu-layers': 12 }],
    ['b4500', { 'ctx-size': 8192 }],
  ],
};

/** Members of an answer that a page shows as text. */
const SHOWN = new Set(
  (
    'text why change effect formula with_numbers rule message limiting_term reason breaks_first ' +
    'weight_title weight_format what from to problem how cost level level_reason note cause notes assumptions ' +
    'causes titles refused_why'
  ).split(' '),
);
/** What is a request or a row again, and no sentence. */
const UNSAID = new Set(
  'request settings row calibrated edit measured args set quant_config unit'.split(' '),
);

/** Asks the core and keeps what it says. */
export class Asker {
  /** Texts with the first question that gave each. @type {Map<string, string>} */
  said = new Map();

  constructor(core) {
    this.core = core;
  }

  evaluate(request) {
    const text = typeof request === 'string' ? request : JSON.stringify(request);
    return this.keep(JSON.parse(this.core.evaluateText(text)), 'evaluate');
  }

  ask(question, query) {
    return this.keep(this.core.ask(question, query), question);
  }

  async run(kind, query) {
    return this.keep(await this.core.askRun(kind, query), kind);
  }

  readLog(log, query) {
    return this.keep(this.core.askLog(log, query), 'readLog');
  }

  readHeader(bytes) {
    return this.keep(this.core.readCheckpointHeader(bytes), 'readCheckpointHeader');
  }

  keep(answer, question) {
    this.walk(answer, question, answer.kind === 'command_text');
    return answer;
  }

  walk(value, path, isCommand, shown = false) {
    if (typeof value === 'string') {
      if (shown && value !== '' && !this.said.has(value)) this.said.set(value, path);
    } else if (Array.isArray(value)) {
      for (const item of value) this.walk(item, path, false, shown);
    } else if (value !== null && typeof value === 'object') {
      for (const [key, item] of Object.entries(value)) {
        if (
          UNSAID.has(key) ||
          (key === 'what' && path.endsWith('.limit')) ||
          (isCommand && key === 'text')
        )
          continue;
        const isPool = key === 'name' && path.endsWith('.pools');
        this.walk(item, `${path}.${key}`, false, SHOWN.has(key) || isPool);
      }
    }
  }
}

function setup(engine, number, name, cards) {
  const [version, args] = WAYS[engine][number % WAYS[engine].length];
  return {
    model: { config: readConfig(name), id: name.replace('--', '/') },
    gpu: { id: cards[(number * 7) % cards.length], count: [1, 2, 1, 4, 1, 8][number % 6] },
    engine: { name: engine, version, args },
    workload: {
      ...(number % 4 === 3 ? {} : { context: [8192, 2048, 4096, 1000, 16384, 100000][number % 6] }),
      ...(number % 3 === 0 ? { concurrency: [1, 16, 64, 300][number % 4] } : {}),
    },
    measured: number % 11 === 5 ? { activation_bytes: 1500000000 } : null,
  };
}

function askSetups(asker, cards) {
  for (const [number, name] of CONFIGS.entries()) {
    const engine = ENGINES[number % ENGINES.length];
    const request = setup(engine, number >> 2, name, cards);
    asker.ask('explain', request);
    asker.evaluate(request);
    if (number % 5 === 0) asker.ask('advise', request);
    if (number % 5 === 1)
      asker.ask('writeCommand', { request, form: FORMS[number % FORMS.length] });
  }
}

function askVersions(asker, engines) {
  for (const { name, versions } of engines) {
    for (const [number, version] of versions.entries()) {
      for (const design of DESIGNS.slice(number % 2, 3)) {
        const model = { config: readConfig(design) };
        asker.evaluate({ model, gpu: { id: 'h100' }, engine: { name, version } });
      }
    }
    for (const design of DESIGNS) {
      const request = {
        model: { config: readConfig(design) },
        gpu: { id: 'l4' },
        engine: { name },
        workload: { context: 8192, concurrency: 64 },
      };
      asker.evaluate({ ...request, gpu: { id: 'gb10' } });
      asker.ask('advise', request);
      asker.ask('explain', { ...request, gpu: { id: 'rtx-4090', count: 2 } });
    }
  }
}

function valuesOf(flag) {
  if (flag.choices.length > 0) return flag.choices;
  if (flag.type === 'boolean') return [true, false];
  return { integer: [2, 1024, -1], number: [0.5, 3], json: [{ a: 1 }], text: ['abc'] }[flag.type];
}

function askFlags(asker, engines) {
  for (const { name, flags } of engines) {
    for (const flag of flags) {
      const request = (value) => ({
        model: { id: LLAMA },
        gpu: { id: 'h100' },
        engine: { name, args: { [flag.name]: value } },
        workload: { context: 8192 },
      });
      for (const value of [...valuesOf(flag).slice(0, 3), 'zz']) asker.evaluate(request(value));
      if (flag.effect === 'used')
        asker.ask('writeCommand', { request: request(valuesOf(flag)[0]) });
      asker.ask('readCommand', { text: `${PROGRAMS[name]} --${flag.name} ${valuesOf(flag)[0]}` });
    }
  }
}

function askQuestions(asker, cards) {
  const some = CONFIGS.filter((_, at) => at % 24 === 0);
  for (const [number, name] of some.entries()) {
    for (const [turn, engine] of ENGINES.entries()) {
      const at = number * 4 + turn;
      const request = setup(engine, at, name, cards);
      const others = [
        setup(engine, at + 1, name, cards),
        setup(ENGINES[at % 3], at + 2, CONFIGS[at % CONFIGS.length], cards),
      ];
      asker.ask('scan', { request, axes: [{ name: AXES[at % 7] }] });
      asker.ask('compare', { setups: [request, ...others].map((each) => ({ request: each })) });
      if (at % 8 === 0) {
        asker.ask('recommend', {
          model: request.model,
          engines: [{ name: engine }, { name: ENGINES[(turn + 1) % 4] }],
          workload: { context: 8192, concurrency: [1, 16, 200][number % 3] },
          constraints: { gpus: ['l4', 'h100', 'rtx-4090'], max_count: 4 },
          rank_by: ['cards', 'price', 'headroom'][number % 3],
        });
      }
    }
  }
}

/** The logs that the core's own tests are about. */
function startLogs() {
  const escapes = { n: '\n', t: '\t', r: '\r', 0: '\0' };
  const plain = (text) =>
    text.replace(/\\(x[0-9a-f]{2}|.)/gi, (_, code) =>
      code[0] === 'x'
        ? String.fromCharCode(Number.parseInt(code.slice(1), 16))
        : (escapes[code] ?? code),
    );
  const literal = /R"\(([\s\S]*?)\)"|"((?:[^"\\]|\\.)*)"/g;
  const source = read('core/start_logs.cpp');
  return [...source.matchAll(/const char\* const k\w+\s*=\s*([\s\S]*?);\n\n/g)].map(([, value]) =>
    [...value.matchAll(literal)].map(([, raw, quoted]) => raw ?? plain(quoted)).join(''),
  );
}

const OUT_OF_MEMORY =
  'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total ' +
  'capacity of 79.19 GiB of which 1.00 GiB is free. Process 123 has 3.00 GiB memory in use. ' +
  'Including non-PyTorch memory, this process has 70 GiB memory in use. Of the allocated memory ' +
  '60 GiB is allocated by PyTorch, and 5.00 GiB is reserved by PyTorch but unallocated.\n';

function askLogs(asker) {
  const model = { id: LLAMA };
  for (const log of startLogs()) {
    asker.readLog(log);
    for (const id of ['h100', 'l4', 'gb10']) {
      asker.readLog(log, { request: { model, gpu: { id } } });
      for (const [share, flag] of ['max-model-len', 'context-length', 'ctx-size'].entries()) {
        const engine = { name: ENGINES[[0, 1, 3][share]], args: { [flag]: 4096 } };
        asker.readLog(log, { request: { model, gpu: { id, count: 2 }, engine } });
      }
      for (const engine of ENGINES) {
        asker.readLog(log, { request: { model, gpu: { id }, engine: { name: engine } } });
      }
    }
    for (const design of DESIGNS) {
      const request = { model: { config: readConfig(design) }, gpu: { id: 'h100' } };
      asker.readLog(log, { request });
      asker.readLog(
        log.replace(/(\d+\.\d+)(?= ?(?:GiB|GB|MiB))/g, (n) => `${n * 2}`),
        { request },
      );
    }
    for (const lines of [2, 4, 6, 8, 20]) {
      const cut = log.split('\n').slice(0, lines).join('\n');
      asker.readLog(`${cut}\n${OUT_OF_MEMORY}`, { request: { model, gpu: { id: 'h100' } } });
    }
    asker.readLog(log + log);
  }
}

function askCommands(asker) {
  const commands = readJson('fixtures/commands.json').map(({ text }) => text);
  for (const { engine, words } of readJson('fixtures/other_flags.json').phrases) {
    commands.push(`${PROGRAMS[engine]} ${words}`);
  }
  for (const text of commands) {
    asker.ask('readCommand', { text });
    asker.ask('readCommand', { text, gpu: { id: 'h100', count: 4 }, model: { id: LLAMA } });
  }
  const modelOf = (fixture) => ({ id: fixture.replace('--', '/'), config: readConfig(fixture) });
  for (const [number, entry] of readJson('fixtures/commands/setups.json').entries()) {
    const request = {
      model: { ...modelOf(entry.fixture), draft: entry.draft ? modelOf(entry.draft) : null },
      gpu: { id: entry.gpu, count: entry.count },
      engine: {
        name: entry.engine,
        version: entry.version,
        args: entry.args,
        env: entry.env ?? {},
      },
      workload: entry.workload ?? null,
    };
    asker.ask('writeCommand', { request, form: FORMS[number % FORMS.length] });
    if (number % 6 === 0) {
      const bare = { ...request, gpu: { total_bytes: 48e9 }, measured: { weights_bytes: 5e9 } };
      asker.ask('writeCommand', { request: bare });
    }
  }
  for (const { name, engine } of readJson('../core/data/environment.json').variables) {
    for (const each of engine === 'any' ? ENGINES : [engine]) {
      if (!(each in PROGRAMS)) continue;
      asker.ask('readCommand', { text: `${name.replace('*', 'X')}=1 ${PROGRAMS[each]}` });
    }
  }
}

/**
 * The texts with the question that gave each.
 * @returns {Promise<Map<string, string>>}
 */
export async function coreSentences(core) {
  const asker = new Asker(core);
  const { gpus, engines } = core.catalogue();
  const cards = gpus.map(({ id }) => id);
  askSetups(asker, cards);
  askVersions(asker, engines);
  askFlags(asker, engines);
  askQuestions(asker, cards);
  askLogs(asker);
  askCommands(asker);
  await askLoads(asker, readConfig);
  askBadly(asker, CONFIGS.map(readConfig), readConfig('meta-llama--Meta-Llama-3-8B'));
  for (const { default: usual, help } of engines.flatMap(({ flags }) => flags)) {
    for (const text of [usual, help]) {
      if (/[a-z] [a-z]/.test(text)) asker.said.set(text, 'catalogue.flags');
    }
  }
  for (const { total_source: source } of gpus)
    asker.said.set(source, 'catalogue.gpus.total_source');
  return asker.said;
}
