// Loads on setups of every engine, and loads that are wrong in one place, for what the core says.

/** @typedef {import('./core-sentences.mjs').Asker} Asker */

const ENGINES = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
const PRESETS = (
  'chat coding_agent rag batch reasoning sharegpt openorca mlperf_mixtral azure_code azure_chat ' +
  'mooncake_chat mooncake_agent'
).split(' ');
const copy = (value) => JSON.parse(JSON.stringify(value));
const fixed = (input, output) => ({ kind: 'fixed', input, output });
const poisson = (rate) => ({ kind: 'poisson', rate });
const AT_ONCE = { kind: 'at_once' };

/** What each of the stations that requests pass is the narrowest of. */
function limits(llama, mixture) {
  const on = (model, id, count, args = {}, name = 'vllm') => ({
    model,
    gpu: { id, count },
    engine: { name, args },
    workload: { context: 8192 },
  });
  const short = (requests) => ({ arrivals: AT_ONCE, lengths: fixed(100, 100), requests });
  return [
    [on(llama, 'l4', 1), { arrivals: poisson(0.05), lengths: fixed(500, 50), requests: 40 }],
    [on(llama, 'l4', 1), { arrivals: AT_ONCE, lengths: fixed(4000, 400), requests: 60 }],
    [
      on(llama, 'l4', 1),
      { arrivals: poisson(1), lengths: { kind: 'preset', name: 'chat' }, requests: 400 },
    ],
    [on(llama, 'h100', 1, { 'max-num-seqs': 4 }), short(100)],
    [on(llama, 'h100', 1), { arrivals: AT_ONCE, lengths: fixed(7000, 2), requests: 40 }],
    [
      on(llama, 'h100', 1),
      { arrivals: { kind: 'closed', concurrency: 8 }, lengths: fixed(10, 500), requests: 40 },
    ],
    [
      on(llama, 'h100', 1),
      { arrivals: { kind: 'closed', concurrency: 250 }, lengths: fixed(2, 2), requests: 4000 },
    ],
    [on(llama, 'l40s', 8, { 'tensor-parallel-size': 8 }), short(64)],
    [on(mixture, 'h100', 8, { 'tensor-parallel-size': 8 }), short(64)],
    ...ENGINES.map((name) => [on(llama, 'h100', 1, {}, name), short(40)]),
    [
      on(llama, 'h100', 1, { parallel: 2, 'ctx-size': 4096 }, 'llamacpp'),
      { arrivals: AT_ONCE, lengths: fixed(1000, 200), requests: 20 },
    ],
    [
      on(llama, 'l4', 1, { 'enable-chunked-prefill': false, 'max-num-batched-tokens': 8192 }),
      {
        arrivals: AT_ONCE,
        lengths: {
          kind: 'pairs',
          pairs: [
            [9000, 10],
            [8000, 100],
          ],
        },
        requests: 20,
      },
    ],
    [
      on(llama, 'l4', 1, { 'num-gpu-blocks-override': 600 }),
      {
        arrivals: AT_ONCE,
        lengths: {
          kind: 'pairs',
          pairs: [
            [100, 10],
            [8000, 100],
          ],
        },
        requests: 20,
      },
    ],
  ];
}

const TRACES = [
  '',
  ' \n',
  'a,b\n1,2\n',
  'arrival_s,input_tokens\n0,5\n',
  'arrival_s,output_tokens\n0,5\n',
  'arrival_s,input_tokens,output_tokens\n',
  'arrival_s,input_tokens,output_tokens\n0,5\n',
  'arrival_s,input_tokens,output_tokens\nsoon,5,5\n',
  'arrival_s,input_tokens,output_tokens\n0,x,5\n',
  'arrival_s,input_tokens,output_tokens\n0,5,1e9\n',
  'arrival_s,input_tokens,output_tokens\n"0,5,5\n',
  'arrival_s,input_tokens,output_tokens\n0,5,5\n1e13,5,5\n',
  'arrival_s,input_tokens,output_tokens,user\n9,50,5,a\n0,50,0,b\n3,50,5,c\n',
  'arrival_s,input_tokens,output_tokens\n5,50,5\n5,50,5\n',
  'input_tokens,output_tokens\n50,5\n',
  'arrival_s\n0\n1\n',
  '{"arrival_s":0,"input_tokens":10,"output_tokens":5}\nnonsense\n',
  '{"arrival_s":0,"input_tokens":10,"output_tokens":5}\n[3]\n',
  '{"input_tokens":10,"output_tokens":5}\n{"output_tokens":5}\n',
  '{"arrival_s":0,"input_tokens":10,"output_tokens":5}\n{"input_tokens":5,"output_tokens":5}\n',
  '{"timestamp":0,"input_length":900,"output_length":5,"hash_ids":"x"}\n',
  '{"timestamp":0,"input_length":900,"output_length":5,"hash_ids":[1]}\n' +
    '{"timestamp":9,"input_length":900,"output_length":5,"hash_ids":[1,2]}\n',
  '[{"conversations":[{"value":"How are you?"},{"value":"Well."}]},{"conversations":[]}]',
  '[1',
  'timestamp,input_tokens,output_tokens\n0,50,5\n3,50,5\n',
  'timestamp_us,input_tokens,output_tokens\n0,50,5\n3000,50,5\n',
  'timestamp,input_tokens,output_tokens\n1700000000000,50,5\n1700000000000,50,5\n',
  'timestamp,created_at,input_tokens,output_tokens\n0,0,50,5\n',
  'timestamp,input_tokens,output_tokens\n0,0,5\n',
  '{"arrival_s":0,"input_tokens":10,"output_tokens":5}\n' +
    '{"arrival_ms":9,"input_tokens":10,"output_tokens":5}\n',
];

const WRONG_ARRIVALS = [
  undefined,
  3,
  {},
  { kind: 'often' },
  { kind: 'poisson' },
  ...[0, -1, 'x', 1e300].map(poisson),
  { kind: 'poisson', rate: 1, peak: 2 },
  { kind: 'gamma', rate: 1 },
  { kind: 'gamma', rate: 1, burstiness: 0 },
  { kind: 'bursty', rate: 1, on_s: 0, off_s: 1, peak: 1 },
  { kind: 'bursty', rate: 1, on_s: 1, off_s: -1, peak: 1 },
  { kind: 'bursty', rate: 1, on_s: 1, off_s: 1, peak: 9 },
  { kind: 'closed' },
  { kind: 'closed', concurrency: 0 },
  { kind: 'closed', concurrency: 1e6 },
  { kind: 'trace' },
  { kind: 'trace', text: 'arrival_s,input_tokens,output_tokens\n0,5,5\n', speed_up: 0 },
  ...TRACES.map((text) => ({ kind: 'trace', text })),
  { kind: 'trace', text: 'time,input_tokens,output_tokens\n0,50,5\n', time_unit: 'ns' },
  { kind: 'trace', text: 'time,input_tokens,output_tokens\n0,50,5\n', time_unit: 'min' },
];

const WRONG_LENGTHS = [
  3,
  {},
  { kind: 'odd' },
  { kind: 'fixed', input: 0, output: 1 },
  { kind: 'fixed', input: 1e12, output: 1 },
  { kind: 'fixed', input: 1 },
  { kind: 'fixed', input: 1, output: 1, mean: 3 },
  { kind: 'uniform', input: 3, output: [1, 2] },
  { kind: 'uniform', input: [1], output: [1, 2] },
  { kind: 'uniform', output: [1, 2] },
  { kind: 'uniform', input: [3, 1], output: [1, 2] },
  { kind: 'lognormal', input: { mu: 1, sigma: 1, max: 9 } },
  { kind: 'lognormal', input: { mu: 1, max: 9 }, output: { mu: 1, sigma: 1, max: 9 } },
  { kind: 'lognormal', input: { mu: 99, sigma: 1, max: 9 }, output: { mu: 1, sigma: 1, max: 9 } },
  { kind: 'preset' },
  { kind: 'preset', name: 'mine' },
  { kind: 'pairs' },
  { kind: 'pairs', pairs: [] },
  { kind: 'pairs', pairs: [[1]] },
  { kind: 'pairs', pairs: [[1, 1e12]] },
];

const WRONG_REST = [
  { requests: 0 },
  { requests: 1e9 },
  { requests: 'x' },
  { seed: -1 },
  { warmup: 0.99 },
  { prefix: 3 },
  { prefix: { session_share: 2 } },
  { prefix: { shared_tokens: 1e12 } },
  { prefix: { often: 1 } },
  { colour: 'red' },
  {
    requests: 9,
    arrivals: { kind: 'trace', text: 'arrival_s,input_tokens,output_tokens\n0,5,5\n' },
    lengths: undefined,
  },
  { arrivals: { kind: 'trace', text: 'arrival_s,input_tokens,output_tokens\n0,5,5\n' } },
];

const WRONG_WISHES = [
  3,
  { ttft_s: 0 },
  { tpot_s: -1 },
  { e2e_s: 'x' },
  { percentile: 0 },
  { percentile: 2 },
  { luck: 1 },
];

/** @param {Asker} asker */
async function askWrongLoads(asker, request) {
  const load = { arrivals: poisson(1), lengths: fixed(100, 10), requests: 20 };
  const lengths = { lengths: load.lengths };
  const loads = [
    undefined,
    3,
    ...WRONG_ARRIVALS.map((arrivals) => ({
      ...load,
      ...(arrivals?.text === undefined ? lengths : { lengths: undefined }),
      requests: arrivals?.text === undefined ? 20 : undefined,
      arrivals,
    })),
    ...WRONG_LENGTHS.map((each) => ({ ...load, lengths: each })),
    { arrivals: poisson(1) },
    ...WRONG_REST.map((rest) => ({ ...load, ...rest })),
  ];
  for (const each of loads) await asker.run('simulate', { request, load: each });
  for (const slo of WRONG_WISHES) await asker.run('simulate', { request, load, slo });
  await asker.run('simulate', { load });
  await asker.run('simulate', { request, load, frob: 1 });
  await asker.run('frob', {});
  const slo = { ttft_s: 1 };
  for (const wrong of [
    { over: 'luck' },
    { seeds: 0 },
    { max: -1 },
    { changes: 3 },
    { over: 'rate', load: { ...load, arrivals: AT_ONCE } },
    { over: 'concurrency', slo: undefined },
    { load: { arrivals: { kind: 'trace', text: TRACES[13] } } },
  ]) {
    await asker.run('capacity', { request, load, slo, ...wrong });
  }
  await asker.run('recommend', { model: request.model, load });
  await asker.run('recommend', {
    model: request.model,
    constraints: { gpus: ['h100', 'l4'], max_count: 2, weight_formats: ['checkpoint'] },
    load: { arrivals: poisson(1), lengths: fixed(100, 100), requests: 20 },
    slo: { ttft_s: 2, tpot_s: 0.05 },
    limit: 1,
  });
}

/** @param {Asker} asker */
async function askUnservable(asker, request, encoder) {
  const load = { arrivals: poisson(1), lengths: fixed(100, 10), requests: 20 };
  const ask = (change) => asker.run('simulate', { request: { ...copy(request), ...change }, load });
  await ask({ gpu: { id: 'l4' }, workload: { context: 1e6 } });
  await ask({ gpu: { total_bytes: 80e9 } });
  await ask({ gpu: { id: 'h100' }, model: encoder });
  await ask({ engine: { name: 'llamacpp', args: { fit: 'off', 'n-gpu-layers': 12 } } });
  await ask({ engine: { name: 'trtllm', version: '1.2.0' }, gpu: { id: 'mi300x' } });
}

/**
 * @param {Asker} asker
 * @param {(name: string) => object} configOf
 */
export async function askLoads(asker, configOf) {
  const model = (name) => ({ id: name.replace('--', '/'), config: configOf(name) });
  const llama = model('meta-llama--Meta-Llama-3-8B');
  const mixture = model('deepseek-ai--DeepSeek-V2-Lite');
  for (const [request, load] of limits(llama, mixture)) {
    await asker.run('simulate', { request, load, slo: { ttft_s: 1, tpot_s: 0.05 } });
  }
  const setup = (name) => ({
    model: llama,
    gpu: { id: 'l4' },
    engine: { name },
    workload: { context: 8192 },
  });
  for (const [number, name] of PRESETS.entries()) {
    const load = { arrivals: poisson(2), lengths: { kind: 'preset', name }, requests: 30 };
    await asker.run('simulate', { request: setup(ENGINES[number % 4]), load });
  }
  const slo = { ttft_s: 2, tpot_s: 0.2, percentile: 0.9 };
  for (const name of ENGINES) {
    for (const id of ['l4', 'h100']) {
      const request = { ...setup(name), gpu: { id } };
      const load = { lengths: fixed(1000, 100), requests: 60 };
      await asker.run('capacity', { request, load, slo, seeds: 1 });
    }
    const load = { arrivals: { kind: 'closed' }, lengths: fixed(3000, 100), requests: 60 };
    await asker.run('capacity', { request: setup(name), load, slo, seeds: 1 });
  }
  const lengths = fixed(1000, 100);
  const request = setup('vllm');
  await asker.run('capacity', { request, load: { lengths }, slo: { ttft_s: 1e-6 }, seeds: 1 });
  const long = { lengths: fixed(9000, 10), requests: 20 };
  await asker.run('capacity', { request, load: long, slo, seeds: 1, changes: false });
  await asker.run('capacity', {
    request,
    load: { lengths, requests: 60 },
    slo,
    seeds: 1,
    max: 0.1,
  });
  for (const [ttft_s, engine] of [
    [1, 'vllm'],
    [1, 'llamacpp'],
    [1e-6, 'sglang'],
  ]) {
    await asker.run('recommend', {
      model: llama,
      engines: [{ name: engine }],
      load: { arrivals: poisson(4), lengths, requests: 60 },
      slo: { ttft_s },
      constraints: { gpus: ['l4', 'h100', 'rtx-4090'], max_count: 2 },
    });
  }
  await askWrongLoads(asker, request);
  await askUnservable(asker, request, model('google-bert--bert-base-uncased'));
}
