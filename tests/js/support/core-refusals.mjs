// Questions that are wrong in one place, for what the core says of each.

/** @typedef {import('./core-sentences.mjs').Asker} Asker */

const ENGINES = ['vllm', 'sglang', 'trtllm', 'llamacpp'];
const WRONG = [undefined, null, -1, 0, 'x', '', 1.5, true, {}, [], [1], ['x'], 1e300, 3];
const copy = (value) => JSON.parse(JSON.stringify(value));

function withValue(object, path, value) {
  const keys = path.split('.');
  const last = keys.pop();
  let at = object;
  for (const key of keys) {
    at[key] ??= {};
    at = at[key];
  }
  if (value === undefined) delete at[last];
  else at[last] = value;
  return object;
}

const FIELDS = (
  'id model gpu engine workload measured modle model.id model.config model.quant_config ' +
  'model.weight_bytes model.tensors model.draft model.adapters gpu.id gpu.count gpu.total_bytes ' +
  'gpu.free_bytes gpu.bandwidth gpu.flops engine.name engine.version engine.args engine.env ' +
  'workload.context workload.prompt workload.output workload.concurrency measured.weights_bytes ' +
  'measured.activation_bytes measured.non_torch_bytes measured.cuda_graphs_bytes ' +
  'measured.kv_pool_bytes'
).split(' ');

function askWrongFields(asker, config) {
  const request = {
    model: { config },
    gpu: { id: 'a100-sxm-80gb', count: 1 },
    engine: { name: 'vllm', version: '0.28.0', args: {} },
    workload: { context: 8192 },
  };
  for (const field of FIELDS) {
    for (const value of [...WRONG, 1e12, 1e15, 5e9, 9e10, 'latest', '0.1.0', 'no/such']) {
      asker.evaluate(withValue(copy(request), field, value));
    }
  }
  for (const name of ENGINES) {
    for (const version of ['latest', '0.1.0', '99.0.0', 'b99999', 'b100']) {
      asker.evaluate({ ...request, engine: { name, version } });
    }
    for (const count of [2, 3, 5, 12, 64]) {
      asker.evaluate({ ...request, engine: { name }, gpu: { id: 'h100', count } });
    }
  }
  for (const text of [
    '',
    '{',
    '// c\n{}',
    '<!DOCTYPE html>',
    '[]',
    '1',
    '"t"',
    'version https://git-lfs',
    '[[['.repeat(99),
  ]) {
    asker.evaluate(text);
    asker.evaluate(withValue(copy(request), 'model.config', text));
  }
}

/** Every config with every key wrong in one way, and some keys that it has not. */
function askWrongConfigs(asker, configs) {
  const foreign = (
    'sliding_window layer_types num_experts kv_lora_rank use_cla attn_type_list compress_ratios ' +
    'block_configs norm_bias share_att_key version use_bias visual norm_after mlp_bias ' +
    'attn_layer_indices use_bidirectional_attention param_sink_number sparse_config vision_config ' +
    'audio_config text_config num_kv_shared_layers'
  ).split(' ');
  for (const [number, config] of configs.entries()) {
    const keys = [...Object.keys(config), foreign[number % foreign.length]];
    for (const [at, key] of keys.entries()) {
      const wrong = { ...config, [key]: WRONG[(at + number) % WRONG.length] };
      asker.evaluate({ model: { config: wrong }, gpu: { id: 'h100' } });
    }
  }
}

const FOREIGN_FILES = [
  { peft_type: 'LORA' },
  { lora_alpha: 1 },
  { _diffusers_version: '1' },
  { weight_map: {} },
  { producer: {}, quantization: {} },
  { quant_method: 'awq', bits: 4 },
  { bits: 4, group_size: 128 },
  { dim: 1, inter_dim: 2 },
  { dim: 1, n_layers: 2 },
  { num_experts: 1, experts_per_token: 2, swiglu_limit: 1 },
  { w_bit: 4, q_group_size: 128 },
  { word_embedding_dimension: 1 },
  { tokenizer_class: 'x' },
  { bos_token: 'x' },
  { draft_vocab_size: 1 },
  { eos_token_id: 1 },
  {},
];
const FOREIGN_CLASSES = (
  'EAGLEModel MedusaModel DeepSeekMTPModel ViTModel CLIPTextModel LongT5Model Bogus ' +
  'NewLlamaForCausalLM Phi4FlashForCausalLM RecurrentGemmaForCausalLM'
).split(' ');
const METHODS = (
  'awq gptq fp8 compressed-tensors modelopt quark torchao hqq mlx mxfp4 vptq quip spqr higgs ' +
  'fp_quant quanto bitnet zz'
).split(' ');
const SCHEMES = [
  {},
  { bits: 7 },
  { nbits: 5 },
  { quant_algo: 'ZZ' },
  { quant_algo: 'MIXED_PRECISION' },
  { quant_type: 'zz' },
  { quant_type: {} },
  { config_groups: {} },
  { format: 'zz', config_groups: { a: { targets: ['Linear'], weights: { num_bits: 4 } } } },
  { config_groups: { a: { targets: ['Linear'], weights: { num_bits: 9, type: 'float' } } } },
  { config_groups: { a: { targets: [1], weights: { num_bits: 8, type: 'float' } } } },
  { mode: 'zz', bits: 4 },
  { global_quant_config: { weight: { dtype: 'zz' } } },
  { modules_to_not_convert: ['re:[('] },
  { ignored_layers: [1] },
  { weight_block_size: [0, 1] },
];

function askForeignFiles(asker, llama) {
  const ask = (config) => asker.evaluate({ model: { config }, gpu: { id: 'h100' } });
  for (const config of FOREIGN_FILES) ask(config);
  for (const name of FOREIGN_CLASSES) ask({ ...llama, architectures: [name] });
  for (const quant_method of METHODS) {
    for (const scheme of SCHEMES) {
      ask({ ...llama, quantization_config: { quant_method, ...scheme } });
    }
  }
}

const HEADERS = [
  { metadata: { total_size: 16e9 }, weight_map: {} },
  { metadata: {}, weight_map: {} },
  { metadata: 5, weight_map: {} },
  { metadata: { total_size: 0 }, weight_map: {} },
  { metadata: { total_size: 'x' }, weight_map: {} },
  { weight_map: {} },
  { architectures: ['x'] },
  { a: {} },
  { a: { dtype: 'F16' } },
  { a: { dtype: 'ZZ', shape: [1], data_offsets: [0, 2] } },
  { a: { dtype: 'F16', shape: [2], data_offsets: [0, 2] } },
  { a: { dtype: 'F16', shape: [2], data_offsets: [2, 6] } },
  { a: { dtype: 'F16', shape: [2], data_offsets: [0, 4] } },
  { gguf: {} },
  { gguf: { metadata: 5, tensors: [] } },
  { gguf: { metadata: {}, tensors: 5 } },
  { gguf: { metadata: { 'general.architecture': 'zz' }, tensors: [] } },
  { gguf: { metadata: { 'general.type': 'adapter' }, tensors: [] } },
  ...[
    ['ZZ', [32]],
    [999, [32]],
    [4, [32]],
    ['Q4_K', [5]],
    ['F16', [1, 1, 1, 1, 1]],
    ['F16', ['x']],
  ].map(([type, shape]) => ({ gguf: { metadata: {}, tensors: [{ name: 'a', type, shape }] } })),
];
const FIRST_BYTES = [
  'PK\x03\x04',
  'version https://git-lfs',
  '<html>',
  'tjgg',
  '{"a":1}',
  '\x08\0\0\0\0\0\0\0{"a":xx}',
  'GGUF\x01\0\0\0',
  'GGUF\0\0\0\x03',
  'GGUF\x09\0\0\0',
];

function askWrongFiles(asker) {
  for (const tensors of HEADERS) {
    asker.evaluate({ model: { id: 'meta-llama/Meta-Llama-3-8B', tensors }, gpu: { id: 'h100' } });
  }
  for (const bytes of FIRST_BYTES) {
    asker.readHeader(Uint8Array.from(bytes.padEnd(40), (character) => character.charCodeAt(0)));
  }
}

const YAML = [
  'a:\n\t- b',
  'a: &x 1',
  'a: !t 1',
  '? a',
  'a: b: c',
  'a: |zz',
  'a: "x" y',
  'a: [1',
  'a: {{ x }}',
  'a: [1 2]',
  'a: {b: 1, b: 2}',
  'a: "x',
  '<<: x',
  'a: 1\na: 2',
  'a: @x',
];
const COMMANDS = [
  '',
  'ollama run x',
  'vllm serve <model>',
  'vllm serve $MODEL',
  'vllm serve x $(cat f) "$@" word',
  'docker run --gpus 4 vllm/vllm-openai:v0.9.0 --model a/b',
  'docker run --gpus 1 --env-file x vllm/vllm-openai:zz --model a/b -tp 2',
  'llama-bench -m x.gguf -p 512 -n 128',
  'vllm serve a/b\nvllm serve c/d',
  'pip install vllm==0.9.1\nvllm serve a/b "',
  'vllm serve a/b \u2014max-model-len 5',
];

function askWrongCommands(asker) {
  for (const text of COMMANDS) asker.ask('readCommand', { text, gpu: { id: 'h100', count: 2 } });
  for (const text of YAML) {
    asker.ask('readCommand', { text: 'vllm serve x --config c.yaml', files: { 'c.yaml': text } });
  }
  for (const query of [{}, { text: 5 }, { text: 'x', engine: 'zz' }, { text: 'x', files: 5 }]) {
    asker.ask('readCommand', query);
  }
}

function askWrongQuestions(asker) {
  const request = {
    model: { id: 'meta-llama/Meta-Llama-3-8B' },
    gpu: { id: 'h100' },
    engine: { name: 'vllm' },
  };
  const axis = (name, values) => ({ request, axes: [{ name, values }] });
  for (const query of [
    {},
    { request: 5 },
    { request, axes: [{}] },
    { request, axes: [] },
    axis('zz'),
    axis('context', []),
    axis('context', [-1]),
    axis('context', ['x']),
    axis('kv_format', [1]),
    axis('kv_format', ['zz']),
    axis('utilization', [2]),
    { request, axes: [{ name: 'count' }, { name: 'count' }] },
    { request: { ...request, measured: { kv_pool_bytes: 5e9 } } },
  ]) {
    asker.ask('scan', query);
  }
  const model = request.model;
  const load = { model, workload: { context: 8192 } };
  for (const query of [
    {},
    { model },
    { ...load, engines: 5 },
    { ...load, engines: [{ name: 'vllm' }, { name: 'vllm' }] },
    { ...load, prices: { zz: 1 } },
    { ...load, rank_by: 'zz' },
  ]) {
    asker.ask('recommend', query);
  }
  for (const [key, value] of Object.entries({
    gpus: [],
    vendors: ['apple'],
    counts: [0],
    interconnect: 'zz',
    weight_formats: ['zz'],
    max_card_bytes: 1e9,
  })) {
    asker.ask('recommend', { ...load, constraints: { [key]: value } });
  }
  for (const query of [{}, { setups: [] }, { setups: [1, 2] }, { setups: [{}, {}] }])
    asker.ask('compare', query);
  for (const query of [{}, { request, form: 'zz' }]) asker.ask('writeCommand', query);
  for (const log of ['', 'hello']) asker.readLog(log);
}

/** @param {Asker} asker @param {object[]} configs @param {object} llama */
export function askBadly(asker, configs, llama) {
  askWrongFields(asker, llama);
  askWrongConfigs(asker, configs);
  askForeignFiles(asker, llama);
  askWrongFiles(asker);
  askWrongCommands(asker);
  askWrongQuestions(asker);
}
