import type { ModelRequest } from './types';

/** A model that was fetched: what to put into the request, and for which id or URL it stands. */
export interface Fetched {
  key: string;
  label: string;
  from: string;
  model: ModelRequest;
  notes: string[];
}

/** What files of the weights said, and which. It stays in the tab, as a fetched model does. */
export interface Weights {
  name: string;
  tensors: NonNullable<ModelRequest['tensors']>;
  /** A GGUF is a model without any config. */
  alone: boolean;
}

/** All the reader can set, as typed: text stays text, so nothing is lost when it is wrong. */
export interface Inputs {
  model: string;
  use: 'id' | 'config';
  config: string;
  configName: string;
  revision: string;
  hub: string;
  gpu: string;
  count: string;
  free: string;
  gpuTotal: string;
  gpuBandwidth: string;
  gpuFlops: string;
  engine: string;
  version: string;
  context: string;
  prompt: string;
  output: string;
  concurrency: string;
  /** A `quantization_config` in place of the model's, as JSON text. */
  quant: string;
  /** Flags by engine, so that trying another engine does not lose them. */
  args: Record<string, Record<string, string>>;
  /** Environment variables of the engine. */
  env: Record<string, string>;
  /** Terms of a start-up log in bytes, which replace the predicted ones. */
  measured: Record<string, string>;
}

export const rooms = ['answer', 'map', 'load', 'compare', 'engines', 'find', 'commands'] as const;
export type RoomName = (typeof rooms)[number];

/** All that a link says: one setup or two, which of them is at hand, and what is looked at. */
export interface Place {
  sides: [Inputs, Inputs | null];
  active: 0 | 1;
  room: RoomName;
  /** What the view of the load is set to, as that view writes it; none: as it opens. */
  load?: string;
}

export const CUSTOM_GPU = 'custom';
export const DEFAULT_HUB = 'https://huggingface.co';
export const DEFAULT_REVISION = 'main';

/** The example the page opens with; its model is built in, so it needs no network. */
export const example: Inputs = {
  model: 'meta-llama/Meta-Llama-3-8B',
  use: 'id',
  config: '',
  configName: '',
  revision: '',
  hub: '',
  gpu: 'a100-sxm-80gb',
  count: '1',
  free: '',
  gpuTotal: '',
  gpuBandwidth: '',
  gpuFlops: '',
  engine: 'vllm',
  version: '0.28.0',
  context: '8192',
  prompt: '2048',
  output: '256',
  concurrency: '16',
  quant: '',
  args: {},
  env: {},
  measured: {},
};

export const hubOf = (inputs: Inputs) => inputs.hub.trim() || DEFAULT_HUB;
export const revisionOf = (inputs: Inputs) => inputs.revision.trim() || DEFAULT_REVISION;
export const flagsOf = (inputs: Inputs) => inputs.args[inputs.engine] ?? {};

/** Which model files of weights were given with. A link holds a config's text in another layout. */
export const modelKey = (inputs: Inputs) =>
  inputs.use === 'config' ? `config ${inputs.configName}` : fetchKey(inputs);

/** What a fetch is for: another id, revision or hub needs another fetch. */
export const fetchKey = (inputs: Inputs) =>
  [inputs.model.trim(), revisionOf(inputs), hubOf(inputs)].join(' ');
