import type { Request as Contract } from 'ridgepoint';
import { parseConfig } from './config-text';
import { count, flagText, flagValue, scaled } from './numbers';
import { CUSTOM_GPU, type Fetched, fetchKey, flagsOf, type Inputs, type Weights } from './state';
import type { Catalogue, ModelRequest, Problem, Request } from './types';
import type { Words } from './words/en';

/** `pending`: nothing is wrong, but the model has to be fetched first, and only the reader may say so. */
export type Built = { request: Request } | { problem: Problem } | { pending: string };

const GIB = 2 ** 30;

export function builtIn(id: string, catalogue: Catalogue): string | undefined {
  const wanted = id.trim().toLowerCase();
  return catalogue.models.find((model) => model.id.toLowerCase() === wanted)?.id;
}

function pastedModel(inputs: Inputs, words: Words): { model: ModelRequest } | { problem: Problem } {
  if (inputs.config.trim() === '') {
    return {
      problem: { code: 'missing_field', message: words.asked.noConfig, path: 'model.config' },
    };
  }
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
  words: Words,
): { model: ModelRequest } | { problem: Problem } | { pending: string } {
  if (inputs.use === 'config') return pastedModel(inputs, words);
  const id = inputs.model.trim();
  if (id === '') {
    const message = weights ? words.asked.weightsAlone(weights.name) : words.asked.none;
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

function cardOf(inputs: Inputs): Record<string, unknown> {
  if (inputs.gpu !== CUSTOM_GPU) {
    return { id: inputs.gpu.trim(), total_bytes: scaled(inputs.gpuTotal, GIB) };
  }
  return {
    // Without a size the core must complain about the size, not about a card named "custom".
    total_bytes: scaled(inputs.gpuTotal, GIB) ?? 0,
    bandwidth: scaled(inputs.gpuBandwidth, 1e9),
    flops: scaled(inputs.gpuFlops, 1e12),
  };
}

function flagArgs(inputs: Inputs, catalogue: Catalogue): Record<string, unknown> {
  const facts = catalogue.engines.find((engine) => engine.name === inputs.engine);
  const typeOf = (name: string) => facts?.flags.find((flag) => flag.name === name)?.type;
  return Object.fromEntries(
    Object.entries(flagsOf(inputs))
      .filter(([, text]) => text.trim() !== '')
      .map(([name, text]) => [name, flagValue(text, typeOf(name))]),
  );
}

function quantOf({ quant }: Inputs): { quant_config?: Record<string, unknown> } {
  if (quant.trim() === '') return {};
  try {
    return { quant_config: JSON.parse(quant) };
  } catch {
    // The core says what is wrong with it.
    return { quant_config: quant as unknown as Record<string, unknown> };
  }
}

const given = <T extends object>(name: string, values: T) =>
  Object.keys(values).length > 0 ? { [name]: values } : {};

/** The inputs as a request of the contract; absent fields are left to the core's defaults. */
export function buildRequest(
  inputs: Inputs,
  catalogue: Catalogue,
  fetched: Fetched | null,
  weights: Weights | null,
  words: Words,
): Built {
  const source = weights?.alone ? { model: {} } : model(inputs, catalogue, fetched, weights, words);
  if (!('model' in source)) return source;
  const measured = Object.entries(inputs.measured).map(([term, text]) => [term, count(text)]);
  return {
    request: {
      model: {
        ...source.model,
        ...quantOf(inputs),
        ...(weights ? { tensors: weights.tensors } : {}),
      },
      gpu: drop({
        ...cardOf(inputs),
        count: count(inputs.count),
        free_bytes: scaled(inputs.free, GIB),
      }),
      engine: {
        name: inputs.engine,
        ...drop({ version: inputs.version.trim() }),
        ...given('args', flagArgs(inputs, catalogue)),
        ...given('env', inputs.env),
      },
      workload: drop({
        context: count(inputs.context),
        prompt: count(inputs.prompt),
        output: count(inputs.output),
        concurrency: count(inputs.concurrency),
      }),
      ...given('measured', Object.fromEntries(measured)),
    },
  };
}

const numberText = (value: unknown, unit = 1) =>
  typeof value === 'number' ? String(value / unit) : '';

/** What a request of the contract says; a part that it lacks stays as it is. */
export type Applied = Partial<Contract>;

function cardInputs(gpu: Contract['gpu'] | undefined, inputs: Inputs): Partial<Inputs> {
  if (!gpu) return {};
  const id = typeof gpu.id === 'string' ? gpu.id : '';
  const named = id !== '' || typeof gpu.total_bytes !== 'number';
  return {
    gpu: named ? id || inputs.gpu : CUSTOM_GPU,
    count: numberText(gpu.count) || '1',
    free: numberText(gpu.free_bytes, GIB),
    gpuTotal: numberText(gpu.total_bytes, GIB),
    gpuBandwidth: numberText(gpu.bandwidth, 1e9),
    gpuFlops: numberText(gpu.flops, 1e12),
  };
}

function engineInputs(engine: Contract['engine'] | undefined, inputs: Inputs): Partial<Inputs> {
  if (!engine) return {};
  const flags = Object.entries(engine.args ?? {}).map(([name, value]) => [name, flagText(value)]);
  return {
    engine: engine.name,
    version: engine.version ?? '',
    args: { ...inputs.args, [engine.name]: Object.fromEntries(flags) },
    env: engine.env ?? {},
  };
}

function workloadInputs(workload: Contract['workload']): Partial<Inputs> {
  if (!workload) return {};
  return {
    context: numberText(workload.context),
    prompt: numberText(workload.prompt),
    output: numberText(workload.output),
    concurrency: numberText(workload.concurrency),
  };
}

/** The same setup with what a request says, as an answer of the core or a pasted command gives it. */
export function withRequest(inputs: Inputs, request: Applied, sameModel: boolean): Inputs {
  const { model: asked, gpu, engine, workload, measured } = request;
  const quant = asked?.quant_config ? JSON.stringify(asked.quant_config) : '';
  const other: Partial<Inputs> =
    sameModel || !asked?.id ? {} : { model: asked.id, use: 'id', revision: '' };
  return {
    ...inputs,
    ...other,
    ...(asked ? { quant } : {}),
    ...cardInputs(gpu, inputs),
    ...engineInputs(engine, inputs),
    ...workloadInputs(workload),
    ...(measured ? { measured: measuredInputs(measured) } : {}),
  };
}

const measuredInputs = (measured: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(measured)
      .filter(([, value]) => typeof value === 'number')
      .map(([term, value]) => [term, String(value)]),
  );
