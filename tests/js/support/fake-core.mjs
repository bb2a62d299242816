/** A report with every field of the contract, to test what people and programs are shown. */
export function fakeReport(changes = {}) {
  const gib = 2 ** 30;
  const exact = (best) => ({ low: best, best, high: best, basis: 'exact', starts: 0 });
  const all = (total) => ({ total, active: total });
  const near = (best, share = 0.02) => ({
    low: best * (1 - share),
    best,
    high: best * (1 + share),
    basis: 'measured',
    starts: 12,
  });
  return {
    schema: 1,
    id: '',
    model: {
      id: 'org/known',
      attention: 'gqa',
      moe: false,
      layers: 32,
      parameters: 8030261248,
      active_parameters: 8030261248,
      mtp_parameters: 0,
      parameters_by_part: {
        embedding: all(525336576),
        lm_head: all(525336576),
        attention: all(1342177280),
        dense_ffn: all(5637144576),
        norms: all(266240),
      },
      may_also_store: { tied_lm_head: 0, quantization_scales: 0, rotary_buffers: 2048 },
      checkpoint_bytes: 16060522496,
      weights_source: 'config',
      max_context: 8192,
      confidence: 'exact',
      architecture: 'LlamaForCausalLM',
      quantization: '',
      weight_format: 'bfloat16',
      notes: [],
    },
    gpu: { id: 'a100-sxm-80gb', name: 'A100 SXM4 80GB' },
    engine: {
      name: 'vllm',
      version: '0.28.0',
      tensor_parallel_size: 1,
      pipeline_parallel_size: 1,
      data_parallel_size: 1,
      max_model_len: 8192,
      max_num_seqs: 256,
      max_num_batched_tokens: 8192,
    },
    verdict: {
      serves: true,
      limit: 'none',
      text: 'It starts and holds 54 requests.',
      needed_bytes: 20 * gib,
      available_bytes: 72 * gib,
    },
    memory: {
      per_gpu: {
        total: 80 * gib,
        requested: 72 * gib,
        weights: exact(16 * gib),
        activation: near(1.25 * gib),
        cuda_graphs: near(0.5 * gib),
        cuda_graphs_charged: exact(0),
        non_torch: near(0.25 * gib),
        kv_pool: near(54.5 * gib, 0.01),
      },
    },
    cache: {
      bytes_per_token: 131072,
      growing_bytes_per_token: 131072,
      state_bytes_per_request: 0,
      bytes_per_request: gib,
      block_tokens: 16,
      blocks: near(27904),
      tokens: near(446464),
    },
    capacity: {
      max_concurrency: near(54.5),
      max_requests: near(54, 0),
      context: 8192,
      max_context: 446464,
    },
    naive: {
      fits: true,
      bytes_per_token: 131072,
      max_requests: 64,
      why: 'It gives the whole card to the cache.',
    },
    speed: {
      ttft_s: near(0.12),
      tpot_s: near(0.011),
      decode_tokens_per_s: near(2400),
      ridge_batch: 156,
    },
    advice: [{ change: '--kv-cache-dtype fp8', effect: 'twice the requests' }],
    explain: [
      {
        term: 'kv_pool',
        formula: 'util x total - weights - activation',
        with_numbers: '0.9 x 80 - 16 - 1.5',
        value: 54.5 * gib,
        unit: 'bytes',
        source: 'the engine, gpu_worker.py',
      },
    ],
    assumptions: ['Nothing else uses the card.'],
    ...changes,
  };
}

const flag = (name, type, aliases = []) => ({
  name,
  aliases,
  type,
  effect: 'used',
  choices: [],
  default: '',
  help: '',
});

export const FLAGS = [
  flag('max-model-len', 'integer'),
  flag('gpu-memory-utilization', 'number'),
  flag('enforce-eager', 'boolean'),
  flag('enable-prefix-caching', 'boolean'),
  flag('tensor-parallel-size', 'integer', ['tp']),
  flag('kv-cache-dtype', 'text'),
  flag('compilation-config', 'json', ['cc']),
  flag('optimization-level', 'integer', ['O']),
  flag('cudagraph-capture-sizes', 'integer'),
  flag('no-mmap', 'boolean'),
];

const gpu = (id, name, driver_gib, aliases, total_is_measured = true) => ({
  id,
  name,
  vendor: 'nvidia',
  architecture: 'ampere',
  marketing_gb: Math.round(driver_gib),
  total_bytes: Math.round(driver_gib * 0.99 * 2 ** 30),
  total_is_measured,
  driver_total_bytes: driver_gib * 2 ** 30,
  bandwidth_bytes_per_s: 2.039e12,
  fp16_flops: 312e12,
  bf16_flops: 312e12,
  fp8_flops: 0,
  link_bytes_per_s: 600e9,
  unified_memory: false,
  total_source: 'a log',
  aliases,
});

export const CATALOGUE = {
  version: '0.1.0',
  gpus: [
    gpu('a100-sxm-80gb', 'A100 SXM4 80GB', 80, ['a100', 'a100-sxm4-80gb']),
    gpu('rtx-3080-10gb', 'GeForce RTX 3080 10GB', 10, ['rtx-3080']),
    gpu('rtx-3080-12gb', 'GeForce RTX 3080 12GB', 12, [], false),
  ],
  models: [{ id: 'org/known', parameters: 8030261248, source: 'its config' }],
  engines: [{ name: 'vllm', versions: ['0.27.0', '0.28.0'], flags: FLAGS }],
};

/**
 * A module that stands in for the compiled one. `answer` gets the parsed request.
 *
 * @param {(request: any) => unknown} [answer]
 */
const QUESTIONS = [
  'scan',
  'recommend',
  'compare',
  'advise',
  'explain',
  'readCommand',
  'writeCommand',
];

/**
 * A module that keeps what it is asked.
 *
 * @param {(request: any) => any} [answer] to a request
 * @param {Record<string, (query: any, log?: any) => any>} [answers] to the other questions
 */
export function fakeModule(answer = () => fakeReport(), answers = {}) {
  const requests = [];
  const queries = [];
  const ask = (question) => (text) => {
    const query = JSON.parse(text);
    queries.push([question, query]);
    return JSON.stringify(answers[question]?.(query) ?? { kind: question });
  };
  return {
    requests,
    queries,
    ...Object.fromEntries(QUESTIONS.map((question) => [question, ask(question)])),
    readLog(log, text) {
      const query = JSON.parse(text);
      queries.push(['readLog', query, log]);
      const read = answers.readLog?.(query, log) ?? { outcome: 'started' };
      return JSON.stringify({ kind: 'log', settings: {}, measured: {}, ...read });
    },
    exportAnswer(text) {
      const query = JSON.parse(text);
      queries.push(['exportAnswer', query]);
      return answers.exportAnswer?.(query) ?? `${query.format} of ${query.answer.kind}\n`;
    },
    evaluate(text) {
      let request;
      try {
        request = JSON.parse(text);
      } catch {
        return '{"error":{"code":"bad_json","message":"not JSON","path":""}}';
      }
      requests.push(request);
      return JSON.stringify(answer(request));
    },
    catalogue: () => JSON.stringify(CATALOGUE),
    version: () => '0.1.0',
  };
}
