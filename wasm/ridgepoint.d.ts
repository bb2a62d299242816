/**
 * ridgepoint: will this model start on this engine and this card, how many requests fit, how fast
 * is it, and what should change?
 *
 * One request value goes in, one report value comes out. All sizes are bytes, all times seconds,
 * all bandwidths bytes per second and all compute rates FLOP per second, unless a name says
 * otherwise.
 *
 * @packageDocumentation
 */

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

// ---------------------------------------------------------------------------------------- request

/** What is asked. An absent field and `null` both mean the default; nothing else is ignored. */
export interface Request {
  /** Echoed back in the report, to match answers to questions. */
  id?: string;
  /** The model to serve. */
  model: ModelRequest;
  /** The card, and how many of it. */
  gpu: GpuRequest;
  /** The serving engine with its flags. */
  engine: EngineRequest;
  /** The lengths and the load asked about. */
  workload?: WorkloadRequest;
  /** Terms read from an engine's start-up log; each replaces the predicted one. */
  measured?: MeasuredRequest;
}

/** The model: a known id, or its `config.json`, or both (the config is then what counts). */
export interface ModelRequest {
  /** Hub id, `org/name`. Alone it must be one of {@link Catalogue.models}. */
  id?: string | null;
  /** The parsed `config.json` of the checkpoint. */
  config?: Record<string, unknown> | null;
  /** The parsed `hf_quant_config.json`, where quantization is described beside the config. */
  quant_config?: Record<string, unknown> | null;
  /** Exact size of the checkpoint's weight files in bytes; replaces the size worked out. */
  weight_bytes?: number | null;
  /**
   * What the weights' own files say, as {@link readCheckpoint} gives it: the size of the checkpoint
   * is then exact. A {@link GgufSummary} without a `config` is the model too.
   */
  tensors?: CheckpointTensors | null;
  /** A draft model for speculative decoding. */
  draft?: ModelRequest | null;
  /** LoRA adapters: their ranks and counts. */
  adapters?: Json;
}

/** The card. With an `id` the other numbers override it; without one they are the card. */
export interface GpuRequest {
  /** Id or alias from {@link Catalogue.gpus}, any letter case. */
  id?: string | null;
  /** Number of cards, TP x PP x DP. Default 1. */
  count?: number | null;
  /** Bytes that the driver or the engine's log reports as the size of one card. */
  total_bytes?: number | null;
  /** Bytes free on one card before the engine starts. Default: nearly all. */
  free_bytes?: number | null;
  /** Memory bandwidth of one card in bytes per second. */
  bandwidth?: number | null;
  /** Dense 16-bit compute of one card in FLOP per second. */
  flops?: number | null;
}

/** The engine and how it is started. */
export interface EngineRequest {
  /** One of {@link Catalogue.engines}, for example `"vllm"`. */
  name: string;
  /** For example `"0.28.0"`. Default: the newest version covered. */
  version?: string | null;
  /**
   * Flags by the engine's own names without the leading dashes, for example
   * `{"max-model-len": 8192, "enforce-eager": true}`. An unknown flag is an error.
   */
  args?: Record<string, Json>;
  /** Environment variables of the engine. */
  env?: Record<string, string>;
}

/** Lengths are in tokens. */
export interface WorkloadRequest {
  /**
   * Tokens of one request, prompt and answer together. Without a length flag it is also the
   * engine's maximum length; without both, the engine's own default is used. Absent, with `prompt`
   * and `output` given, it is their sum.
   */
  context?: number | null;
  /** Tokens of the prompt, for the speed. Default: the context. */
  prompt?: number | null;
  /** Tokens of the answer, for the speed. */
  output?: number | null;
  /** Requests at the same time, for the speed. Default 1. */
  concurrency?: number | null;
}

/** Bytes of one GPU as an engine's log prints them. */
export interface MeasuredRequest {
  /** Weights as loaded. */
  weights_bytes?: number | null;
  /** Peak of the activations while profiling. */
  activation_bytes?: number | null;
  /** Memory taken outside PyTorch: CUDA context, NCCL and the like. */
  non_torch_bytes?: number | null;
  /** CUDA graphs as captured. */
  cuda_graphs_bytes?: number | null;
  /** The KV cache pool. */
  kv_pool_bytes?: number | null;
}

/** A `model.safetensors.index.json`; only its metadata are used. */
export interface SafetensorsIndex {
  metadata?: { total_size?: number; [key: string]: unknown } | unknown;
  weight_map?: Record<string, string>;
}

/** The JSON header of a `.safetensors` file: its tensors by name, and `__metadata__`. */
export type SafetensorsHeader = Record<string, unknown>;

/** The header of a `.gguf` file without the tokenizer. */
export interface GgufSummary {
  version?: number;
  /** Bytes before the first tensor's data. */
  header_bytes?: number;
  /** Keys and values; a long array or one of strings is `{ array_length }`. */
  metadata: Record<string, unknown>;
  /** The type is one of ggml (`Q4_K`); the shape has the row length first. */
  tensors: { name: string; type: string | number; shape: number[] }[];
}

/** What `model.tensors` takes. */
export type CheckpointTensors =
  | SafetensorsIndex
  | SafetensorsHeader
  | { headers: SafetensorsHeader[] }
  | { gguf: GgufSummary | GgufSummary[] };

// ----------------------------------------------------------------------------------------- report

/** Parts of a report may carry more fields than are named here; what is named is fixed. */
export interface Extensible {
  [field: string]: unknown;
}

/**
 * Where a number comes from. `exact`: follows from the configuration and the engine's rule.
 * `measured`: fitted to starts, or given in the request. `literature`: published by others.
 * `assumed`: no better source.
 */
export type Basis = 'exact' | 'measured' | 'literature' | 'assumed';

/** A number with its uncertainty. `low` and `high` equal `best` where it is exact. */
export interface Estimate extends Extensible {
  /** The lowest value to expect. */
  low: number;
  /** The single value to use. */
  best: number;
  /** The highest value to expect. */
  high: number;
  /** What it rests on. */
  basis: Basis;
  /** How many measured engine starts are behind it. */
  starts: number;
}

/** The answer to a {@link Request}. */
export interface Report {
  /** Version of this shape. */
  schema: 1;
  /** The request's `id`. */
  id: string;
  /** The model as it was understood. */
  model: ModelReport;
  /** The card as it was understood. */
  gpu: GpuReport;
  /** The engine as it was understood. */
  engine: EngineReport;
  /** Whether it serves, and if not, why not. */
  verdict: Verdict;
  /** Where the memory goes. */
  memory: MemoryReport;
  /** The KV cache as the engine lays it out. */
  cache: CacheReport;
  /** How much fits. */
  capacity: CapacityReport;
  /** What the usual formula says instead. */
  naive: NaiveReport;
  /** How fast it is; `null` where the bandwidth or the compute of the card is not known. */
  speed: SpeedReport | null;
  /** Changes that help, the most useful first. */
  advice: Advice[];
  /** The working, term by term. */
  explain: Explanation[];
  /** Everything that was taken for granted, in sentences. */
  assumptions: string[];
}

/**
 * The kind of a model's attention. `hybrid`: layers of several kinds, or attention beside layers
 * that carry a state. `ssm`: a state in every layer that has one, and no attention. `encoder`: an
 * encoder alone, which caches nothing. `none`: neither attention nor state.
 */
export type AttentionLabel =
  | 'gqa'
  | 'mqa'
  | 'mha'
  | 'mla'
  | 'swa'
  | 'hybrid'
  | 'ssm'
  | 'encoder'
  | 'none';

/**
 * A part of a model. `state_mixer`: layers that carry a recurrent state in place of attention.
 * `encoder`: the encoder beside a decoder. `vision` and `audio`: towers with their projections.
 * `mtp`: layers that predict further tokens.
 */
export type ModelPart =
  | 'embedding'
  | 'per_layer_embedding'
  | 'lm_head'
  | 'attention'
  | 'state_mixer'
  | 'dense_ffn'
  | 'router'
  | 'experts'
  | 'shared_experts'
  | 'norms'
  | 'encoder'
  | 'vision'
  | 'audio'
  | 'mtp';

/** Parameters of one part of a model. */
export interface PartParameters {
  /** All of them. */
  total: number;
  /** Those that one token passes through; 0 for `mtp`. */
  active: number;
}

/**
 * What a checkpoint may hold besides its parameters. A published total is often a count of what is
 * stored, and then lies above `parameters` by some of these.
 */
export interface AlsoStored {
  /** Elements of an output matrix that is the embedding once more; 0 where they are not tied. */
  tied_lm_head: number;
  /** Scales, zero points and index tables of the quantization. */
  quantization_scales: number;
  /** All elements, packed ones as they are stored; 0 where nothing is quantized. */
  packed_elements: number;
  /** Frequencies of rotary embeddings, which older checkpoints hold for every layer. */
  rotary_buffers: number;
}

/** The model as it was understood. */
export interface ModelReport extends Extensible {
  /** Hub id, empty when only a config was given. */
  id: string;
  /** The kind of attention. */
  attention: AttentionLabel;
  /** Mixture of experts. */
  moe: boolean;
  /** Number of layers. */
  layers: number;
  /** All parameters. */
  parameters: number;
  /** Parameters that one token passes through. */
  active_parameters: number;
  /** Parameters of the layers that predict further tokens, which `parameters` leaves out. */
  mtp_parameters: number;
  /**
   * Parameters by part, of the parts that the model has. Without `mtp` they add up to `parameters`
   * and `active_parameters`.
   */
  parameters_by_part: Partial<Record<ModelPart, PartParameters>>;
  /** Elements that a checkpoint of this model may hold besides, and published totals may count. */
  may_also_store: AlsoStored;
  /** Bytes of the checkpoint's weights. */
  checkpoint_bytes: number;
  /** What told `checkpoint_bytes`: worked out from the config, `weight_bytes`, or the files. */
  weights_source: 'config' | 'given' | 'safetensors index' | 'safetensors headers' | 'gguf';
  /**
   * Elements stored in all tensors, where headers told them. Packed weights count as stored in
   * safetensors and one by one in GGUF.
   */
  stored_parameters?: number;
  /** The longest context in tokens that the model states; 0 where it states none. */
  max_context: number;
  /**
   * `assumed` when something had to be guessed: a part of the architecture, all of one that is not
   * known and is built like Llama by its config, or the number format. `notes` say what.
   */
  confidence: 'exact' | 'assumed';
  /** Name of the architecture in the config. */
  architecture: string;
  /** The quantization method of the config; empty when it is not quantized. */
  quantization: string;
  /** The number format of most weights, for people. */
  weight_format: string;
  /** What a reader should know about this model. */
  notes: string[];
}

/** The card as it was understood. */
export interface GpuReport extends Extensible {
  /** Id in the catalogue, empty for a card described by its size alone. */
  id: string;
  /** For people. */
  name: string;
}

/** The engine as it was understood. */
export interface EngineReport extends Extensible {
  /** Its name. */
  name: string;
  /** The version whose rules were used. */
  version: string;
  /** GPUs that share every layer. */
  tensor_parallel_size: number;
  /** Groups of layers on different GPUs. */
  pipeline_parallel_size: number;
  /** Replicas. */
  data_parallel_size: number;
  /** The longest request in tokens that the engine takes. */
  max_model_len: number;
  /** The most requests at the same time that the engine takes, per replica. */
  max_num_seqs: number;
  /** Tokens of one forward pass. */
  max_num_batched_tokens: number;
}

/** Whether it serves. A shortfall shows here and never as a negative pool. */
export interface Verdict extends Extensible {
  /** True when the engine starts and holds a request of the context asked about. */
  serves: boolean;
  /** What is short: `none`, `weights`, `kv_pool`, `context`, `free_memory` and others to come. */
  limit: string;
  /** The verdict in a sentence. */
  text: string;
  /** Bytes needed where it is tight. */
  needed_bytes: number;
  /** Bytes available there. */
  available_bytes: number;
}

/** Where the memory goes. */
export interface MemoryReport extends Extensible {
  /** The tightest GPU. */
  per_gpu: GpuMemory;
  /** Bytes of the weights on that GPU by part of the model. */
  weights_by_part: Record<string, number>;
  /** Parts of the KV pool of the tightest GPU, where the engine keeps several apart. */
  pools: { name: string; bytes: Estimate; slots: number }[];
  /** Weights and caches left in the machine's memory. */
  host_bytes: number;
}

/** Bytes on one GPU. */
export interface GpuMemory extends Extensible {
  /** The card as the engine sees it. */
  total: number;
  /** What the engine claims up front; `null` where it claims nothing. */
  requested: number | null;
  /** Weights as loaded. */
  weights: Estimate;
  /** Peak of the activations. */
  activation: Estimate;
  /** What the CUDA graphs take. */
  cuda_graphs: Estimate;
  /** What this version subtracts from the pool for them. */
  cuda_graphs_charged: Estimate;
  /** CUDA context, NCCL and whatever else is outside PyTorch. */
  non_torch: Estimate;
  /** What is left for the KV cache. */
  kv_pool: Estimate;
}

/**
 * The KV cache. Per-token sizes are of the whole model, unsharded. Where nothing is cached, as in
 * an encoder, all of them are 0.
 */
export interface CacheReport extends Extensible {
  /** Bytes of one token in all layers that cache, windowed layers too. 0: no layer has attention. */
  bytes_per_token: number;
  /** Bytes of one token in the layers whose cache grows with the context. */
  growing_bytes_per_token: number;
  /**
   * Bytes of recurrent state per request, whatever its length: the layers of a hybrid that carry a
   * state, or all of a state-space model. 0 for pure attention.
   */
  state_bytes_per_request: number;
  /** Bytes of one request at the context asked about. */
  bytes_per_request: number;
  /** Tokens of one block; 0 where nothing is cached. */
  block_tokens: number;
  /** The number format of the cache. */
  format: string;
  /** Blocks in the pool, per data-parallel replica. */
  blocks: Estimate;
  /** Tokens in the pool as the engine prints them, per data-parallel replica. */
  tokens: Estimate;
}

/** How much fits. */
export interface CapacityReport extends Extensible {
  /**
   * The concurrency that the engine prints: at its maximum length, per replica. 0 where nothing is
   * cached, for then the cache sets no limit.
   */
  max_concurrency: Estimate;
  /** Whole requests at the context asked about, in the whole deployment. */
  max_requests: Estimate;
  /** The context in tokens that `max_requests` is for. */
  context: number;
  /** The longest context in tokens of which one request fits. */
  max_context: number;
}

/** What the usual formula (card minus weights, grouped attention everywhere) says. */
export interface NaiveReport extends Extensible {
  /** Its verdict. */
  fits: boolean;
  /** Its cache bytes per token. */
  bytes_per_token: number;
  /** Its number of requests at the context asked about. */
  max_requests: number;
  /** Why it is wrong here. */
  why: string;
}

/** How fast it is. */
export interface SpeedReport extends Extensible {
  /** Seconds to the first token. */
  ttft_s: Estimate;
  /** Seconds between two tokens of one request. */
  tpot_s: Estimate;
  /** Tokens per second of all the requests of `workload.concurrency` together. */
  decode_tokens_per_s: Estimate;
  /** The batch size from which decoding is limited by compute and no longer by bandwidth. */
  ridge_batch: number;
  /** Of the peaks, what the arithmetic of one prompt reaches. */
  mfu?: number;
  /** Of the memory bandwidth, what a decode step reads at. */
  mbu?: number;
  /** The part that most of a decode step goes into. */
  dominant?: SpeedPart;
  /** … and most of a prompt. */
  prompt_dominant?: SpeedPart;
}

/** What the time of a step is spent on. */
export type SpeedPart =
  | 'host'
  | 'linear'
  | 'attention'
  | 'experts'
  | 'communication'
  | 'head'
  | 'elementwise';

/** One change to make. */
export interface Advice extends Extensible {
  /** What to change, as a flag where there is one. */
  change: string;
  /** What it brings. */
  effect: string;
}

/** The working of one term. */
export interface Explanation extends Extensible {
  /** Name of the term, for example `kv_pool`. */
  term: string;
  /** The formula in names. */
  formula: string;
  /** The formula in numbers. */
  with_numbers: string;
  /** The result. */
  value: number;
  /** Unit of the result, for example `bytes`. */
  unit: string;
  /** Where the formula or its constants come from. */
  source: string;
}

/** What is answered in place of a report when the request cannot be answered. */
export interface ErrorReport {
  /** The request's `id`, where it could be read. */
  id?: string;
  /** What is wrong. */
  error: {
    /** A stable word for programs. */
    code: string;
    /** What is wrong and what to do. */
    message: string;
    /** The request field it is about, for example `model.config.num_attention_heads`, or empty. */
    path: string;
  };
}

// -------------------------------------------------------------------------------------- questions

/** An edit of a request, so that a caller can go on from an answer. What is not changed is absent. */
export interface Change extends Extensible {
  /** Flags of the engine to set. */
  set?: Record<string, Json>;
  /** Flags of the engine to leave out. */
  unset?: string[];
  /** Another card, or another number of them. */
  gpu?: { id?: string; count?: number };
  /** Another length in tokens, or another number of requests. */
  workload?: { context?: number; concurrency?: number };
  /** A `quantization_config` in place of the model's. */
  quant_config?: Record<string, unknown>;
}

/** What a scan changes. */
export type AxisName =
  | 'context'
  | 'concurrency'
  | 'count'
  | 'utilization'
  | 'batched_tokens'
  | 'weight_format'
  | 'kv_format';

/** One setup over one or two axes. */
export interface ScanQuery {
  /** Echoed back. */
  id?: string;
  /** The setup. */
  request: Request;
  /**
   * What is changed: `context` in tokens, `concurrency` in requests, `count` in cards,
   * `utilization` as the share of a card that the engine claims, `batched_tokens` of one step, and
   * formats by name. Default: the context. Without values an axis has its usual ones.
   */
  axes?: { name: AxisName; values?: (number | string)[] }[];
}

/** The answer to a {@link ScanQuery}. */
export interface ScanAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'scan';
  /** The axes with the values that were tried. */
  axes: {
    name: AxisName;
    /** `tokens`, `requests`, `gpus` …; empty where the values are names or shares. */
    unit: string;
    values: (number | string)[];
    /** What people call the values, where those are formats. */
    titles: string[];
    /** The place of the value that the request itself has; `null` where it has none of them. */
    asked: number | null;
  }[];
  /** One point each, the last axis running fastest. */
  cells: (ScanCell | ScanFailure)[];
  notes: string[];
}

/** A point of a scan. */
export interface ScanCell extends Extensible {
  /** The place of its value on each axis. */
  at: number[];
  /** Whether it serves. */
  serves: boolean;
  /** What is short, as in {@link Verdict.limit}; `none` where it serves. */
  limit: string;
  /** What keeps it from more, as a word for programs. */
  limiting: string;
  /** The same in words. */
  limiting_term: string;
  /** Whole requests at once at that context. */
  max_requests: Estimate;
  /** Whether `workload.concurrency` is served at once; `null` where it is not given. */
  enough: boolean | null;
  /** What the usual formula says. */
  naive_requests: number;
  /** The longest context in tokens of which one request fits. */
  max_context: number;
  /** Tokens in the KV pool. */
  tokens: Estimate;
  /** Bytes of the KV pool of the tightest GPU. */
  kv_pool: Estimate;
  /** How fast it is; `null` where that is not known. */
  speed: ScanSpeed | null;
  /** The edit of the request that leads here. */
  change: Change;
  /** Only a {@link ScanFailure} has one. */
  error?: undefined;
}

/** Times in seconds, as in {@link SpeedReport}. */
export interface ScanSpeed extends Extensible {
  /** Seconds to the first token. */
  ttft_s: Estimate;
  /** Seconds between two tokens of one request. */
  tpot_s: Estimate;
  /** Tokens per second of all requests together, while they decode. */
  decode_tokens_per_s: Estimate;
}

/** A point of a scan that is no setup. */
export interface ScanFailure extends Extensible {
  /** The place of its value on each axis. */
  at: number[];
  /** Why. */
  error: ErrorReport['error'];
}

/** A load, and what must hold it. Every constraint is optional. */
export interface RecommendQuery {
  /** Echoed back. */
  id?: string;
  /** The model to serve. */
  model: ModelRequest;
  /** The engines to try with the flags that all setups of them keep. */
  engines?: EngineRequest[];
  /** The load: lengths in tokens, requests at once, and the latency goals in seconds. */
  workload?: WorkloadRequest & { ttft_s?: number | null; tpot_s?: number | null };
  /** What may be used. */
  constraints?: {
    /** Ids of cards. Default: all known ones. */
    gpus?: string[];
    /** Vendors of cards. */
    vendors?: string[];
    /** Bytes of one card at least. */
    min_card_bytes?: number;
    /** Bytes of one card at most. */
    max_card_bytes?: number;
    /** The most cards of one setup. */
    max_count?: number;
    /** Numbers of cards of one setup. */
    counts?: number[];
    /** `link`: several cards only where a direct link joins them. */
    interconnect?: 'any' | 'link';
    /** Formats of the weights to try; `checkpoint` is the model's own. */
    weight_formats?: string[];
    /** Formats of the KV cache to try. */
    kv_formats?: string[];
    /** Whether layers may be spread over groups of cards. */
    pipeline?: boolean;
    /** Whether flags that are not given may be set for the load. */
    tune?: boolean;
    /** The most that all cards of a setup cost per hour. */
    budget_per_hour?: number;
  };
  /** The traffic by which the setups are tried, with `slo`; ask with {@link run}, for it takes long. */
  load?: Load;
  /** What the setups must hold under that traffic. */
  slo?: Slo;
  /** Prices per card and hour by the id of the card, over those of the list; `null`: none. */
  prices?: Record<string, number | null>;
  /** Whether the list prices that this build knows count. Default `true`. */
  use_list_prices?: boolean;
  /** What is best: the fewest cards, the lowest price or the most room to spare. */
  rank_by?: 'cards' | 'price' | 'headroom';
  /** How many setups to give. */
  limit?: number;
}

/** The answer to a {@link RecommendQuery}. */
export interface RecommendAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'recommend';
  /** How much was tried. */
  searched: {
    cards: number;
    setups: number;
    estimates: number;
    /** Of a query with a load. */
    simulations?: number;
    /** Setups that met the wishes, of which the best are the answers. */
    carriers?: number;
  };
  /** Where the prices are from; `null` where there are none. */
  prices: {
    /** `null` where all prices were given. */
    currency: string | null;
    date: string | null;
    source: string;
    per_card_and_hour: Record<string, number>;
  } | null;
  /** The setups, best first, at most one a card and engine. */
  answers: Recommendation[];
  /** Why there is none; `null` where there are some. */
  none: { text: string; limit: string } | null;
  /** Of a query with a load: what was assumed, and what it means that a setup is given. */
  notes?: string[];
}

/**
 * A setup that carries the load. Of a query with `load` and `slo`: one that keeps to the SLO on the
 * first draw of the load and on at least four of five draws.
 */
export interface Recommendation extends Extensible {
  gpu: { id: string; name: string };
  /** Number of cards. */
  count: number;
  engine: { name: string; version: string };
  parallelism: { tensor: number; pipeline: number; data: number; expert: boolean };
  /** The number format of the weights; `checkpoint` is the model's own. */
  weight_format: string;
  /** The same for people. */
  weight_title: string;
  /** The number format of the KV cache. */
  kv_format: string;
  /** The flags of the engine. */
  args: Record<string, Json>;
  /** Of all cards together; `null` where the price is not known. */
  price_per_hour: number | null;
  /** Whole requests at once at the context asked about. */
  max_requests: Estimate;
  /** Requests that it could serve beyond those asked for. */
  headroom_requests: number;
  /** The longest context in tokens of which one request fits. */
  max_context: number;
  /** Bytes of the KV pool of the tightest GPU. */
  kv_pool: Estimate;
  /** How fast it is under the load; `null` where that is not known. */
  speed: ScanSpeed | null;
  /** Why it stands where it stands. */
  reason: string;
  /** What keeps it from more. */
  limiting_term: string;
  /** What gives way first when the load grows. */
  breaks_first: string;
  /** The whole request, ready for {@link fit}. */
  request: Request;
  /** What it did with the load of the query, where there was one. */
  load?: {
    /** The share of all requests that keep to the SLO, 0 to 1; of the first draw, as what follows. */
    share_meeting: number;
    /** The same share of each draw of the load, whose seeds follow the load's own. */
    share_by_draw: { low: number; high: number; seeds: number[] };
    ttft_s: Distribution;
    tpot_s: Distribution;
    e2e_s: Distribution;
    output_tokens_per_s: number;
    kv_peak_share: number;
    cost_per_million_output_tokens: number | null;
  };
}

/** Two or more setups; all are compared with the first. */
export interface CompareQuery {
  /** Echoed back. */
  id?: string;
  setups: { label?: string; request: Request }[];
}

/** The answer to a {@link CompareQuery}. */
export interface CompareAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'compare';
  setups: {
    label: string;
    /** What becomes of the tightest GPU; the terms and the pool add up to its size. */
    split: {
      total: number;
      terms: { term: string; what: string; bytes: number }[];
      kv_pool: number;
    };
    report: Report;
  }[];
  differences: Difference[];
}

/** A setup against the first. Terms and changes add up to the difference. */
export interface Difference extends Extensible {
  /** Index of the first setup. */
  from: number;
  /** Index of the other one. */
  to: number;
  /** The KV pool of the tightest GPU, in bytes. */
  pool: PartedDifference;
  /** Requests at once. */
  requests: PartedDifference;
  /** The changes one after another, with what each does. */
  changes: {
    what: string;
    from: string;
    to: string;
    /** In bytes. */
    pool_difference: number;
    /** In requests. */
    requests_difference: number;
  }[];
  /** The difference in sentences. */
  text: string[];
}

/** A difference and what it is made of. */
export interface PartedDifference extends Extensible {
  from: number;
  to: number;
  difference: number;
  terms: {
    term: string;
    /** The term for people. */
    what: string;
    from: number;
    to: number;
    difference: number;
    why: string;
  }[];
}

/** The answer to a request by {@link advise}. */
export interface AdviseAnswer extends Extensible {
  /** The request's `id`, where it has one. */
  id?: string;
  kind: 'advise';
  /** As in the report. */
  verdict: Verdict;
  /** What is wrong, and whether anything helps; empty where all that is asked is served. */
  problem: string;
  /** The changes that mend it, the smallest first; each was tried out. */
  changes: AdvisedChange[];
  /** What is wasted. */
  waste: {
    what: string;
    bytes: number;
    text: string;
    edit: Change | null;
    request: Request | null;
  }[];
}

/** A change that mends a setup. */
export interface AdvisedChange extends Extensible {
  /** What to change. */
  change: string;
  /** The flag or the step that does it. */
  how: string;
  /** What is given up for it. */
  cost: string;
  /** What it brings. */
  effect: string;
  /** How far it goes, from settings that cost nothing to other cards. */
  level: string;
  /** The same in order, from 0. */
  level_number: number;
  /** What such changes have in common. */
  level_reason: string;
  /** Whole requests at once after it. */
  max_requests: Estimate;
  /** The context in tokens that `max_requests` are of. */
  context: number;
  /** The longest context in tokens after it. */
  max_context: number;
  /** Bytes of the KV pool after it. */
  kv_pool: Estimate;
  /** The edit of the request. */
  edit: Change;
  /** The whole request with it. */
  request: Request;
}

/** The answer to a request by {@link explain}. */
export interface ExplainAnswer extends Extensible {
  /** The request's `id`, where it has one. */
  id?: string;
  kind: 'explain';
  /** As in the report. */
  verdict: Verdict;
  steps: {
    /** From 1. */
    number: number;
    /** The groups come in the order in which the engine works. */
    group:
      | 'model'
      | 'weights'
      | 'claim'
      | 'terms'
      | 'pool'
      | 'cache'
      | 'capacity'
      | 'verdict'
      | 'speed';
    term: string;
    /** The formula in names. */
    formula: string;
    /** The formula in numbers. */
    with_numbers: string;
    value: number;
    /** Unit of the value, for example `bytes`. */
    unit: string;
    /** The engine's rule in a sentence. */
    rule: string;
    /** Where the rule or its constants come from. */
    source: string;
  }[];
  assumptions: string[];
}

/** The ways in which a command is written. */
export type CommandForm = 'shell' | 'docker' | 'compose' | 'kubernetes';

/** A pasted command, compose file or Kubernetes manifest. */
export interface ReadCommandQuery {
  /** Echoed back. */
  id?: string;
  /** The command as it was pasted. */
  text: string;
  /** The engine, where the command does not tell it. */
  engine?: string | { name: string; version?: string };
  /** The model with its config, where it is not built in: then the command is tried as a whole. */
  model?: ModelRequest;
  /** Files that the command names, such as a `--config`, by their names. */
  files?: Record<string, string>;
  /** The card, which a command does not tell. */
  gpu?: GpuRequest;
  /** The load. */
  workload?: WorkloadRequest;
}

/**
 * What a flag or variable does to the estimate. `unmodelled` and `unknown` ones are left out of the
 * request.
 */
export type FlagUse = 'used' | 'no_effect' | 'unmodelled' | 'unknown';

/** The answer to a {@link ReadCommandQuery}. */
export interface CommandAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'command';
  /** What was pasted. */
  form: CommandForm;
  /** What is used of it, as a request. */
  request: Request;
  /** Each flag as it was written, with the engine's name for it. */
  flags: { flag: string; value: Json; use: FlagUse; name: string; note: string }[];
  /** Each variable of the environment. */
  env: { name: string; value: string; use: FlagUse; note: string }[];
  notes: string[];
}

/** A setup whose command is wanted. */
export interface WriteCommandQuery {
  /** Echoed back. */
  id?: string;
  /** The setup; its model needs an id. */
  request: Request;
  /** Default `shell`. */
  form?: CommandForm;
}

/** The answer to a {@link WriteCommandQuery}. */
export interface CommandTextAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'command_text';
  form: CommandForm;
  /** The command, to be copied. */
  text: string;
  /** Why each flag is there. */
  flags: { flag: string; value: Json; why: string }[];
  notes: string[];
  /**
   * The setup as the text says it: without flags that say the version's default, and with those that
   * say what the estimate took for granted.
   */
  request: Request;
  /** The text was read back and gave the same report. */
  checked: boolean;
}

/** What goes with a log. */
export interface LogQuery {
  /** Echoed back. */
  id?: string;
  /**
   * What is known of the setup, over what the log shows of it: its model and card count before the
   * log's, and its flags where it has any.
   */
  request?: Partial<Request>;
}

/** What a start-up log says. */
export interface LogAnswer extends Extensible {
  /** The query's `id`. */
  id: string;
  kind: 'log';
  engine: string;
  /** As the log prints it; `null` where it does not. */
  version: string | null;
  outcome: 'started' | 'refused' | 'oom' | 'error' | 'unfinished';
  /** The processes that wrote the log, mostly one a GPU. */
  ranks: string[];
  /** The process whose terms are `measured`: the tightest. */
  measured_rank: string;
  /** Each figure with the line it stands in. */
  facts: {
    line: number;
    rank: string;
    term: string;
    value: number | string | null;
    unit: string;
  }[];
  /** For `measured` of a request. */
  measured: MeasuredRequest;
  /** The setup as far as the log shows it; it may lack the model and the card. */
  settings: Partial<Request>;
  /** The whole setup; `null` where too little is known. */
  request: Request | null;
  /** Measured against predicted. */
  comparison: {
    term: string;
    unit: string;
    measured: number;
    predicted: Estimate;
    /** Whether what was measured lies in the predicted range. */
    inside: boolean;
    difference: number;
    /** Why it does not; `null` where it does or nobody knows. */
    cause: string | null;
  }[];
  /** What is wrong, in sentences. */
  causes: string[];
  /** The request with the measured terms, for {@link fit}; `null` where there is no request. */
  calibrated: Request | null;
  /** The start as a row of a table of starts. */
  row: Record<string, Json>;
  notes: string[];
}

/** The queries that are JSON in and JSON out. */
export interface Queries {
  scan: ScanQuery;
  recommend: RecommendQuery;
  compare: CompareQuery;
  advise: Request;
  explain: Request;
  readCommand: ReadCommandQuery;
  writeCommand: WriteCommandQuery;
}

/** Their answers. */
export interface Answers {
  scan: ScanAnswer;
  recommend: RecommendAnswer;
  compare: CompareAnswer;
  advise: AdviseAnswer;
  explain: ExplainAnswer;
  readCommand: CommandAnswer;
  writeCommand: CommandTextAnswer;
}

/** An answer as text of another form. */
export interface ExportQuery {
  /** Echoed back with an error. */
  id?: string;
  /** The whole answer: a report, or what any question gave. */
  answer: Report | Answers[keyof Answers] | RunAnswers[RunKind] | LogAnswer;
  /**
   * `csv`: one table (RFC 4180) with numbers in bytes, tokens and seconds; text that a spreadsheet
   * would take for a formula has an apostrophe before it. `markdown`: tables and short text.
   * `text`: lines of at most `width` columns, for terminals.
   */
  format: 'csv' | 'markdown' | 'text';
  /** Columns of `text`, from 40 to 1000. Default 80. */
  width?: number;
  /** Which table `csv` gives. Default: the answer's main one. The error names those there are. */
  table?: string;
}

// ------------------------------------------------------------------------------------- under load

/** When requests come. */
export type Arrivals =
  /** Independent of each other, `rate` a second on average. */
  | { kind: 'poisson'; rate: number }
  /** Gaps of a gamma distribution whose shape is `burstiness`; their CV is `1 / sqrt(burstiness)`. */
  | { kind: 'gamma'; rate: number; burstiness: number }
  /** Times of `on_s` seconds at `peak` times the mean rate, and of `off_s` with what keeps the mean. */
  | { kind: 'bursty'; rate: number; on_s: number; off_s: number; peak: number }
  /** So many at once: the next comes when one ends. It starts with all of them together. */
  | { kind: 'closed'; concurrency: number }
  /** All at the start. */
  | { kind: 'at_once' }
  /**
   * As in a recorded trace, CSV or JSON lines; `speed_up` 2 is twice as fast. `time_unit` is of times
   * that are plain numbers; without it the name of their column says it (`timestamp_ms`), or it is
   * guessed, and `assumptions` says how.
   */
  | { kind: 'trace'; text: string; time_unit?: 's' | 'ms' | 'us' | 'ns'; speed_up?: number };

/** A log-normal distribution of tokens: `mu` and `sigma` of their logarithm, and the most there are. */
export interface LogNormal {
  mu: number;
  sigma: number;
  max: number;
}

/** How long prompts (`input`) and answers (`output`) are, in tokens. */
export type Lengths =
  | { kind: 'fixed'; input: number; output: number }
  /** Any length from the first to the second. */
  | { kind: 'uniform'; input: [number, number]; output: [number, number] }
  | { kind: 'lognormal'; input: LogNormal; output: LogNormal }
  /**
   * Lengths that were measured for such traffic. Where `prefix` says nothing of sessions, their usual
   * share counts; `assumptions` says which.
   */
  | { kind: 'preset'; name: LoadPreset }
  /** Drawn from these, with replacement. */
  | { kind: 'pairs'; pairs: [number, number][] };

/** Names of known traffic; more may be known to the core. */
export type LoadPreset =
  | 'chat'
  | 'coding_agent'
  | 'rag'
  | 'batch'
  | 'reasoning'
  | 'sharegpt'
  | (string & {});

/** The traffic on a setup. */
export interface Load {
  arrivals: Arrivals;
  /**
   * How many requests. Default: 1,000; ten times the concurrency of a closed loop, and at least 200;
   * the rows of a trace. At most 1,000,000.
   */
  requests?: number;
  /** Default: `workload.prompt` and `workload.output` of the request. A trace may have its own. */
  lengths?: Lengths;
  /** What of a prompt the cache may hold already. */
  prefix?: {
    /** Tokens with which every prompt begins. */
    shared_tokens?: number;
    /** The share of a prompt, 0 to 1, that its session has sent before. */
    session_share?: number;
  };
  /** The same seed gives the same answer. Default 1. */
  seed?: number;
  /** The share of the first requests that the figures leave out, 0 to 1. Default 0. */
  warmup?: number;
}

/** What a request is meant to keep to; every time is optional, in seconds. */
export interface Slo {
  /** To the first token. */
  ttft_s?: number;
  /** Per further token, on average over a request. */
  tpot_s?: number;
  /** Between any two tokens. */
  itl_s?: number;
  /** From the arrival to the last token. */
  e2e_s?: number;
  /** The share of requests, 0 to 1, that must keep to all of them. Default 0.99. */
  percentile?: number;
}

/** One setup under a load, step by step of the engine's scheduler. */
export interface SimulateQuery {
  /** Echoed back. */
  id?: string;
  request: Request;
  load: Load;
  slo?: Slo;
  /** Prices per card and hour by the id of the card, over those of the list. */
  prices?: Record<string, number | null>;
  /** Whether the list prices that this build knows count. Default `true`. */
  use_list_prices?: boolean;
}

/** A time in seconds over all requests, or of `itl_s` over all gaps between tokens. */
export interface Distribution extends Extensible {
  mean: number;
  p50: number;
  p90: number;
  p95: number;
  p99: number;
  max: number;
  count: number;
}

/** What keeps a setup from more, as a word for programs and in a sentence. */
export interface LoadLimit extends Extensible {
  /**
   * `load`: nothing of the setup does, more requests would be served. `latency`: some requests take too
   * long though the cards are idle at times. `length`: the engine refuses requests that are too long.
   */
  what:
    | 'load'
    | 'latency'
    | 'length'
    | 'compute'
    | 'bandwidth'
    | 'kv_pool'
    | 'requests'
    | 'front_end'
    | 'link'
    | 'host'
    | (string & {});
  text: string;
}

/** The answer to a {@link SimulateQuery}. */
export interface SimulationAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'simulation';
  engine: { name: string; version: string };
  /** The scheduler that was followed, for example `vllm_v1`. */
  scheduler: string;
  gpu: { id: string; count: number };
  requests: {
    asked: number;
    finished: number;
    /** Those that the engine does not take, such as prompts that are too long. */
    refused: number;
    /** Empty where none was refused. */
    refused_why: string;
    /** Tokens of the longest request that the load may have, prompt and output. */
    longest: number;
  };
  /** Whether it was stopped before its end: the answer is of what ran so far. */
  stopped: boolean;
  /** From the first arrival to the last token. */
  duration_s: number;
  latency: {
    /** To the first token. */
    ttft_s: Distribution;
    /** Per further token, on average over a request. */
    tpot_s: Distribution;
    /** Between two tokens, over all tokens. */
    itl_s: Distribution;
    /** From the arrival to the last token. */
    e2e_s: Distribution;
    /** Waiting before the engine took it up. */
    queue_s: Distribution;
  };
  /** How far off the times may be: the lowest and the highest factor. */
  bands: { ttft: [number, number]; tpot: [number, number]; basis: Basis };
  throughput: { requests_per_s: number; output_tokens_per_s: number; total_tokens_per_s: number };
  /** The requests that kept to the SLO; `null` without one. */
  goodput: { requests_per_s: number; share: number; meets: boolean } | null;
  /** The KV pool in tokens, and how full it was, 0 to 1. */
  kv: { tokens: number; mean_share: number; peak_share: number };
  /** Requests in the batch. */
  running: { mean: number; peak: number };
  /** Requests in the queue. */
  waiting: { mean: number; peak: number };
  /** How often a request lost its cache to others, and had to begin again. */
  preemptions: number;
  /** Tokens that were computed again for that. */
  recomputed_tokens: number;
  /** Prompt tokens that the cache held already. */
  prefix_hit_tokens: number;
  /** Forward passes. */
  steps: number;
  /** Where the time went, in seconds. */
  step_time: {
    total_s: number;
    host_s: number;
    linear_s: number;
    attention_s: number;
    experts_s: number;
    communication_s: number;
    head_s: number;
    elementwise_s: number;
    idle_s: number;
  };
  /** The share of the peak compute that was used, 0 to 1; `null` where the peak is not known. */
  mfu: number | null;
  /** The share of the bandwidth that was used, 0 to 1. */
  mbu: number | null;
  /** The course of it, in up to 240 points. */
  series: {
    t_s: number[];
    kv_share: number[];
    running: number[];
    waiting: number[];
    output_tokens_per_s: number[];
    preemptions: number[];
  };
  limit: LoadLimit;
  /** `null` where the price is not known. */
  cost_per_million_output_tokens: number | null;
  /** Of all cards together; `null` where it is not known. */
  price_per_hour: number | null;
  /** Of the prices, where they are the list's; `null` where they were given, or are not known. */
  currency: string | null;
  assumptions: string[];
  /** What follows without a simulation for the mean request; `null` while none is over. */
  closed_forms?: {
    /** Tokens of the mean request. */
    input: number;
    output: number;
    /** Of one prompt on an idle replica. */
    ttft_s: Estimate;
    /** Of as many requests as ran on average. */
    tpot_s: Estimate;
    /** Output of a steady load that fills the cache, all replicas together. */
    steady_tokens_per_s: Estimate;
    ridge_batch: number;
    mfu: number;
    mbu: number;
    dominant: SpeedPart;
  } | null;
}

/** How much a setup carries within an SLO. */
export interface CapacityQuery extends Omit<SimulateQuery, 'load'> {
  /** Arrivals need no rate and no concurrency, which are what is found; `poisson` unless said. */
  load: Omit<Load, 'arrivals'> & { arrivals?: Arrivals | { kind: 'poisson' | 'closed' } };
  /**
   * What is raised until the SLO is missed: requests a second (of a trace, its speed), or requests at
   * once. Without an SLO, until requests pile up. Default: `rate`, of a closed loop `concurrency`.
   */
  over?: 'rate' | 'concurrency';
  /** How often the load is drawn anew, 1 to 20. Default 5. */
  seeds?: number;
  /** Where the search ends. */
  max?: number;
  /** Whether changes of the setup are tried out, too. */
  changes?: boolean;
}

/** A point of the curve of a {@link CapacityAnswer}. */
export interface CapacityPoint extends Extensible {
  /** Requests a second, or requests at once. */
  value: number;
  ttft_s: Distribution;
  tpot_s: Distribution;
  e2e_s: Distribution;
  output_tokens_per_s: number;
  /** The share of all requests, those refused with them, that keep to the SLO, 0 to 1. */
  share_meeting: number;
  kv_peak_share: number;
  meets: boolean;
  /**
   * More requests come than are answered: the queue grows as long as the load lasts, so that the point
   * misses whatever its share is.
   */
  piles_up: boolean;
}

/** The answer to a {@link CapacityQuery}. */
export interface CapacityAnswer extends Extensible {
  /** The query's `id`, where it has one. */
  id?: string;
  kind: 'capacity';
  /** With the version that was computed. */
  engine: { name: string; version: string };
  over: 'rate' | 'concurrency';
  /** The most that keeps to the SLO, over the seeds; `null`: not even the least does. */
  best: { value: number; low: number; high: number; seeds: number[] } | null;
  /** What it looks like there. */
  at_best: {
    ttft_p50: number;
    ttft_p99: number;
    tpot_p50: number;
    tpot_p99: number;
    goodput: number;
    kv_peak_share: number;
    output_tokens_per_s: number;
  } | null;
  curve: CapacityPoint[];
  /** From where on more load brings waiting and hardly more throughput; `null` where it is not seen. */
  knee: number | null;
  limit: LoadLimit;
  /**
   * Changes that were tried out, with the number of cards and the most that the setup then carries;
   * those of the fewest cards first.
   */
  changes: {
    change: string;
    how: string;
    cards: number;
    edit: Change;
    request: Request;
    best: number;
  }[];
  /** At the most that it carries; `null` where the price is not known. */
  cost_per_million_output_tokens: number | null;
  /** Of all cards together; `null` where it is not known. */
  price_per_hour: number | null;
  /** Of the prices, where they are the list's; `null` where they were given, or are not known. */
  currency: string | null;
  /** How far off the times may be: the lowest and the highest factor. */
  bands: { ttft: [number, number]; tpot: [number, number]; basis: Basis };
  /** How many simulations it took. */
  runs: number;
  assumptions: string[];
}

/** The queries that take long, for {@link run}. */
export interface RunQueries {
  simulate: SimulateQuery;
  capacity: CapacityQuery;
  recommend: RecommendQuery;
}

/** Their answers. */
export interface RunAnswers {
  simulate: SimulationAnswer;
  capacity: CapacityAnswer;
  recommend: RecommendAnswer;
}

export type RunKind = keyof RunQueries;

/** How far a run has come. */
export interface Progress extends Extensible {
  done: boolean;
  /** Of the whole, 0 to 1. */
  share: number;
  /** Requests that ended; where several simulations are made, those that are done. */
  finished: number;
  /** Requests in all; 0 where several simulations are made. */
  asked: number;
  /** The time inside the simulation. */
  time_s: number;
  /** Forward passes so far. */
  steps: number;
  running: number;
  waiting: number;
  kv_share: number;
  /** What several simulations are made for; empty where there is one. */
  note: 'seed' | 'curve' | 'change' | 'setup' | '' | (string & {});
}

/** How to follow a run, and how to stop it. */
export interface RunOptions {
  /** Is told at most every 50 ms, and at the end. */
  onProgress?: (progress: Progress) => void;
  /** Stops the run; the promise then rejects with the signal's reason, an `AbortError`. */
  signal?: AbortSignal;
}

// -------------------------------------------------------------------------------------- catalogue

/** What this build knows. */
export interface Catalogue {
  /** Version of the library. */
  version: string;
  /** Known cards. */
  gpus: GpuEntry[];
  /** Models whose id alone is enough. */
  models: ModelEntry[];
  /** Engines with the versions and flags covered. */
  engines: EngineEntry[];
}

/** A known card. Zero means "not known" for every number. */
export interface GpuEntry extends Extensible {
  /** Lower case, for example `a100-sxm-80gb`. */
  id: string;
  /** For people. */
  name: string;
  /** `nvidia`, `amd`, `intel`, `apple`, `google` or `aws`. */
  vendor: string;
  /** For example `hopper` or `cdna3`. */
  architecture: string;
  /** The figure on the box in GB, for search and display. */
  marketing_gb: number;
  /** Bytes that the CUDA or HIP runtime reports to an engine. */
  total_bytes: number;
  /** False when `total_bytes` is derived from another figure. */
  total_is_measured: boolean;
  /** Bytes that the driver (`nvidia-smi`) reports. */
  driver_total_bytes: number;
  /** Memory bandwidth in bytes per second. */
  bandwidth_bytes_per_s: number;
  /** Dense FP16 peak in FLOP per second. */
  fp16_flops: number;
  /** Dense BF16 peak in FLOP per second. */
  bf16_flops: number;
  /** Dense FP8 peak in FLOP per second. */
  fp8_flops: number;
  /** Direct link between cards, both directions summed, in bytes per second; 0: PCIe only. */
  link_bytes_per_s: number;
  /** Shares its memory with the CPU. */
  unified_memory: boolean;
  /** Where `total_bytes` comes from. */
  total_source: string;
  /** Lower-case names that also mean this card. */
  aliases: string[];
}

/** A model that is known without its config. */
export interface ModelEntry extends Extensible {
  /** Hub id, `org/name`. */
  id: string;
  /** The published number of parameters; `null` where there is none to trust. */
  parameters: number | null;
  /** Where its facts come from. */
  source: string;
}

/** An engine. */
export interface EngineEntry extends Extensible {
  /** The name to use in a request. */
  name: string;
  /** Versions covered. */
  versions: string[];
  /** Flags known. */
  flags: FlagEntry[];
}

/** A flag of an engine. */
export interface FlagEntry extends Extensible {
  /** Its own name without leading dashes. */
  name: string;
  /** Other spellings without leading dashes. */
  aliases: string[];
  /** What it takes. */
  type: 'boolean' | 'integer' | 'number' | 'text' | 'json';
  /**
   * `used`: the estimate follows it. `no_effect`: it changes neither memory nor capacity.
   * `unmodelled`: it changes memory in a way this build does not compute, and is an error.
   */
  effect: 'used' | 'no_effect' | 'unmodelled';
  /** The only values accepted; empty when there is no such list. */
  choices: string[];
  /** The default for people; empty when it depends. */
  default: string;
  /** One plain sentence. */
  help: string;
}

// -------------------------------------------------------------------------------------- functions

/** How to load the module. Without options the package finds its own file. */
export interface LoadOptions {
  /** The bytes of `ridgepoint.wasm`. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Where `ridgepoint.wasm` is: an address, or in Node also a file. */
  wasmUrl?: string | URL;
  /** Another module factory with the same exports, for tests. */
  createModule?: (moduleOptions: object) => Promise<CoreModule>;
}

/** The functions that the WebAssembly module exports: text in, text out. */
export interface CoreModule {
  evaluate(request: string): string;
  kvPlan?(line: string): string;
  scan?(query: string): string;
  recommend?(query: string): string;
  compare?(query: string): string;
  advise?(query: string): string;
  explain?(query: string): string;
  readCommand?(query: string): string;
  writeCommand?(query: string): string;
  exportAnswer?(query: string): string;
  readLog?(log: string | Uint8Array, query: string): string;
  catalogue(): string;
  version(): string;
  readCheckpointHeader?(bytes: Uint8Array): string;
  /** A question that takes long: `advance` gives a {@link Progress}, `result` the answer. */
  Run?: {
    create(
      kind: string,
      query: string,
    ): { advance(steps: number): string; result(): string; delete(): void };
  };
}

/**
 * What the first bytes of a file say. With `need_bytes` the header is longer: call again with at
 * least that many bytes from the start of the file.
 */
export type CheckpointHeader =
  | { header: SafetensorsHeader }
  | { gguf: GgufSummary }
  | { need_bytes: number }
  | { error: { code: string; message: string; path: string } };

/**
 * Where a checkpoint is: a `.safetensors`, `.gguf` or `model.safetensors.index.json` as an address,
 * a file of a browser, or in Node a path, also of a folder; `org/name` (its index, else its
 * `model.safetensors`) or `org/name:file.gguf` on the hub. Several files are the parts of one
 * checkpoint; the other parts of a split GGUF are found beside the first.
 */
export type CheckpointInput = string | URL | Blob | Blob[];

/** How to read a checkpoint from the network. */
export interface CheckpointOptions {
  /** Base address of the hub. Default `https://huggingface.co`. */
  hub?: string;
  /** Branch, tag or commit. Default `main`. */
  revision?: string;
  /** A read token. It is sent to the origin of `hub` and to no other. */
  token?: string;
  /** Default `globalThis.fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds for each request. Default 20000. */
  timeoutMs?: number;
  /** Ends the requests; the promise then rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** A checkpoint ready to be put into a request. */
export interface Checkpoint {
  /** For `model.tensors`. */
  tensors: CheckpointTensors;
  /** The file or address that was read, for people. */
  from: string;
  /** What a user should know. */
  notes: string[];
}

/** The error of {@link fit}: an {@link ErrorReport} as an exception. */
export declare class RidgepointError extends Error {
  constructor(
    error: {
      /** A stable word for programs. */
      code: string;
      /** What is wrong and what to do. */
      message: string;
      /** The request field it is about. */
      path?: string;
    },
    options?: ErrorOptions,
  );
  readonly name: 'RidgepointError';
  /** A stable word for programs; `load_failed` when the module itself did not load. */
  readonly code: string;
  /** The request field it is about, or empty. */
  readonly path: string;
}

/** A loaded module. Its functions answer at once, for pages that recalculate on every input. */
export declare class Ridgepoint {
  constructor(module: CoreModule);
  /** False once the module has stopped by a defect; then load another. */
  get usable(): boolean;
  /**
   * The report of a request.
   * @throws {@link RidgepointError} when the request cannot be answered
   */
  fit(request: Request): Report;
  /** The report of a request, or what is wrong with it. Never throws. */
  evaluate(request: Request): Report | ErrorReport;
  /** The same as JSON text in, JSON text out. Never throws. */
  evaluateText(text: string): string;
  /**
   * One setup over one or two axes.
   * @throws {@link RidgepointError}, as all the following, when it cannot be answered
   */
  scan(query: ScanQuery): ScanAnswer;
  /** The setups that carry a load, best first. */
  recommend(query: RecommendQuery): RecommendAnswer;
  /** Two or more setups, and what makes the difference. */
  compare(query: CompareQuery): CompareAnswer;
  /** The smallest changes that mend a setup; `workload.concurrency` is what it must serve at once. */
  advise(request: Request): AdviseAnswer;
  /** How each number of a report comes about. */
  explain(request: Request): ExplainAnswer;
  /** A pasted command as a request. */
  readCommand(query: ReadCommandQuery): CommandAnswer;
  /** The command that starts a setup. */
  writeCommand(query: WriteCommandQuery): CommandTextAnswer;
  /** A start-up log, as text or as the bytes of a file. */
  readLog(log: string | Uint8Array, query?: LogQuery): LogAnswer;
  /** An answer as CSV, Markdown or text. */
  exportAnswer(query: ExportQuery): string;
  /** The answer to any of these questions, or what is wrong with it. Never throws. */
  ask<Q extends keyof Queries>(question: Q, query: Queries[Q]): Answers[Q] | ErrorReport;
  /** The same as JSON text in, JSON text out; of `exportAnswer` the text itself. Never throws. */
  askText(question: keyof Queries | 'exportAnswer', query: string): string;
  /**
   * The answer to a question that takes long. It is worked out in slices of some 10 ms, between which
   * everything else goes on.
   * @throws {@link RidgepointError} when it cannot be answered, or the reason of the signal
   */
  run<K extends RunKind>(
    kind: K,
    query: RunQueries[K],
    options?: RunOptions,
  ): Promise<RunAnswers[K]>;
  /** The same, or what is wrong with the query; rejects only when it is stopped. */
  askRun<K extends RunKind>(
    kind: K,
    query: RunQueries[K],
    options?: RunOptions,
  ): Promise<RunAnswers[K] | ErrorReport>;
  /** The same as JSON text in, JSON text out. */
  runText(kind: RunKind, query: string, options?: RunOptions): Promise<string>;
  /** What a log says, or what is wrong with it. Never throws. */
  askLog(log: string | Uint8Array, query?: LogQuery): LogAnswer | ErrorReport;
  /** The same with the query as JSON text and the answer as JSON text. Never throws. */
  readLogText(log: string | Uint8Array, query: string): string;
  /**
   * vLLM's KV-cache planner by itself: one JSON line of layer specs in, one line with its plan, its
   * refusal or what is wrong out. Never throws.
   */
  kvPlanText(line: string): string;
  /** What this build knows. */
  catalogue(): Catalogue;
  /** Version of the library, for example `0.1.0`. */
  version(): string;
  /**
   * The header at the front of a `.safetensors` or `.gguf` file, from its first bytes. Never throws
   * for what the bytes hold.
   */
  readCheckpointHeader(bytes: Uint8Array): CheckpointHeader;
}

/**
 * Load the module. Without options every call gives the same instance, and a failed start is
 * tried again by the next call.
 *
 * @throws {@link RidgepointError} with code `load_failed`
 */
export declare function load(options?: LoadOptions): Promise<Ridgepoint>;

/**
 * The report of a request.
 * @throws {@link RidgepointError} when the request cannot be answered
 */
export declare function fit(request: Request): Promise<Report>;

/** The report of a request, or what is wrong with it. Never rejects for a bad request. */
export declare function evaluate(request: Request): Promise<Report | ErrorReport>;

/** The same as JSON text in, JSON text out. */
export declare function evaluateText(text: string): Promise<string>;

/**
 * One setup over one or two axes.
 * @throws {@link RidgepointError}, as all the following, when it cannot be answered
 */
export declare function scan(query: ScanQuery): Promise<ScanAnswer>;

/** The setups that carry a load, best first. */
export declare function recommend(query: RecommendQuery): Promise<RecommendAnswer>;

/** Two or more setups, and what makes the difference. */
export declare function compare(query: CompareQuery): Promise<CompareAnswer>;

/** The smallest changes that mend a setup; `workload.concurrency` is what it must serve at once. */
export declare function advise(request: Request): Promise<AdviseAnswer>;

/** How each number of a report comes about. */
export declare function explain(request: Request): Promise<ExplainAnswer>;

/** A pasted command as a request. */
export declare function readCommand(query: ReadCommandQuery): Promise<CommandAnswer>;

/** The command that starts a setup. */
export declare function writeCommand(query: WriteCommandQuery): Promise<CommandTextAnswer>;

/** A start-up log, as text or as the bytes of a file. */
export declare function readLog(log: string | Uint8Array, query?: LogQuery): Promise<LogAnswer>;

/** An answer as CSV, Markdown or text. */
export declare function exportAnswer(query: ExportQuery): Promise<string>;

/** The answer to any of these questions, or what is wrong with it. Never rejects for a bad query. */
export declare function ask<Q extends keyof Queries>(
  question: Q,
  query: Queries[Q],
): Promise<Answers[Q] | ErrorReport>;

/**
 * The answer to a question that takes long, such as a setup under a load. It is worked out in slices
 * of some 10 ms, between which everything else goes on.
 *
 * @throws {@link RidgepointError} when it cannot be answered, or the reason of the signal
 */
export declare function run<K extends RunKind>(
  kind: K,
  query: RunQueries[K],
  options?: RunOptions,
): Promise<RunAnswers[K]>;

/** The same, or what is wrong with the query; rejects only when it is stopped. */
export declare function askRun<K extends RunKind>(
  kind: K,
  query: RunQueries[K],
  options?: RunOptions,
): Promise<RunAnswers[K] | ErrorReport>;

/** What a log says, or what is wrong with it. Never rejects for a bad query. */
export declare function askLog(
  log: string | Uint8Array,
  query?: LogQuery,
): Promise<LogAnswer | ErrorReport>;

/** What this build knows. */
export declare function catalogue(): Promise<Catalogue>;

/** Version of the library, for example `0.1.0`. */
export declare function version(): Promise<string>;

/**
 * What the files of a checkpoint say about its weights, for `model.tensors`. Of a file on the
 * network the header is read by range requests, of a local one its first bytes; never the weights.
 *
 * @throws `HubError` of `ridgepoint/hub`, whose message says what to do next
 */
export declare function readCheckpoint(
  source: CheckpointInput,
  options?: CheckpointOptions,
): Promise<Checkpoint>;
