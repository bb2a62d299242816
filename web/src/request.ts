import { parseConfig } from 'ridgepoint/hub';
import { count, flagValue, scaled } from './numbers';
import { CUSTOM_GPU, type Fetched, fetchKey, flagsOf, type Inputs, type Weights } from './state';
import type { Catalogue, ModelRequest, Problem, Request } from './types';

/** `pending`: nothing is wrong, but the model has to be fetched first, and only the reader may say so. */
export type Built = { request: Request } | { problem: Problem } | { pending: string };

const GIB = 2 ** 30;

export function builtIn(id: string, catalogue: Catalogue): string | undefined {
  const wanted = id.trim().toLowerCase();
  return catalogue.models.find((model) => model.id.toLowerCase() === wanted)?.id;
}

function pastedModel(inputs: Inputs): { model: ModelRequest } | { problem: Problem } {
  try {
    return { model: { config: parseConfig(inputs.config, 'The config.json') } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: { code: 'not_json', message, path: 'model.config' } };
  }
}

function model(
  inputs: Inputs,
  catalogue: Catalogue,
  fetched: Fetched | null,
  weights: Weights | null,
): { model: ModelRequest } | { problem: Problem } | { pending: string } {
  if (inputs.use === 'config') return pastedModel(inputs);
  const id = inputs.model.trim();
  if (id === '') {
    const message = weights
      ? `${weights.name} tells the size of the weights and not the model: give it together with a config.json, a Hub id or a URL.`
      : 'Give a model: a Hub id such as Qwen/Qwen3-8B, a URL, or paste a config.json.';
    return { problem: { code: 'missing_field', message, path: 'model.id' } };
  }
  const known = builtIn(id, catalogue);
  if (known) return { model: { id: known } };
  if (fetched && fetched.key === fetchKey(inputs)) return { model: fetched.model };
  return { pending: id };
}

function drop<T extends Record<string, unknown>>(values: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ''),
  ) as Partial<T>;
}

/** The inputs as a request of the contract; absent fields are left to the core's defaults. */
export function buildRequest(
  inputs: Inputs,
  catalogue: Catalogue,
  fetched: Fetched | null,
  weights: Weights | null,
): Built {
  const source = weights?.alone ? { model: {} } : model(inputs, catalogue, fetched, weights);
  if (!('model' in source)) return source;
  const facts = catalogue.engines.find((engine) => engine.name === inputs.engine);
  const typeOf = (name: string) => facts?.flags.find((flag) => flag.name === name)?.type;
  const args = Object.fromEntries(
    Object.entries(flagsOf(inputs))
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, flagValue(text, typeOf(name))]),
  );
  const card =
    inputs.gpu === CUSTOM_GPU
      ? {
          // Without a size the core must complain about the size, not about a card named "custom".
          total_bytes: scaled(inputs.gpuTotal, GIB) ?? 0,
          bandwidth: scaled(inputs.gpuBandwidth, 1e9),
          flops: scaled(inputs.gpuFlops, 1e12),
        }
      : { id: inputs.gpu.trim() };
  return {
    request: {
      model: { ...source.model, ...(weights ? { tensors: weights.tensors } : {}) },
      gpu: drop({ ...card, count: count(inputs.count), free_bytes: scaled(inputs.free, GIB) }),
      engine: {
        name: inputs.engine,
        ...drop({ version: inputs.version.trim() }),
        ...(Object.keys(args).length > 0 ? { args } : {}),
      },
      workload: drop({
        context: count(inputs.context),
        prompt: count(inputs.prompt),
        output: count(inputs.output),
        concurrency: count(inputs.concurrency),
      }),
    },
  };
}
