import { readFlags } from 'ridgepoint/flags';
import { flagText } from '../numbers';
import { example, type Inputs } from '../state';
import type { Catalogue, Problem } from '../types';

// What the attributes of a calculator say, as the inputs of the page.

export const TEXTS = [
  'model',
  'gpu',
  'engine',
  'ctx',
  'prompt',
  'output',
  'concurrency',
  'flags',
] as const;

export type Setup = Record<(typeof TEXTS)[number], string> & {
  config: Record<string, unknown> | null;
};

const DEFAULT_ENGINE = 'vllm';

/** "h100:2" is two of them. */
export function cardOf(gpu: string): { id: string; count: string } {
  const at = gpu.lastIndexOf(':');
  return at < 0
    ? { id: gpu.trim(), count: '' }
    : { id: gpu.slice(0, at).trim(), count: gpu.slice(at + 1).trim() };
}

export const cardText = (id: string, count: string) => (count === '' ? id : `${id}:${count}`);

/** "vllm@0.28.0" is that version of it. */
export function engineOf(engine: string): { name: string; version: string } {
  const [name = '', version = ''] = engine.split(/@(.*)/s);
  return { name: name.trim().toLowerCase() || DEFAULT_ENGINE, version: version.trim() };
}

function argsOf(flags: string, engine: string, catalogue: Catalogue): Record<string, string> {
  if (flags.trim() === '') return {};
  const table = catalogue.engines.find(({ name }) => name === engine)?.flags ?? [];
  const args: unknown = flags.trim().startsWith('{') ? JSON.parse(flags) : readFlags(flags, table);
  return Object.fromEntries(
    Object.entries(args as object).map(([name, value]) => [
      name.replace(/^--?/, ''),
      flagText(value),
    ]),
  );
}

export function inputsOf(
  setup: Setup,
  catalogue: Catalogue,
): { inputs: Inputs } | { problem: Problem } {
  const { model, config, ctx, prompt, output, concurrency, flags } = setup;
  const { name, version } = engineOf(setup.engine);
  const { id, count } = cardOf(setup.gpu);
  const inputs: Inputs = {
    ...example,
    model,
    use: config ? 'config' : 'id',
    config: config ? JSON.stringify(config) : '',
    configName: config ? model : '',
    gpu: id,
    count,
    engine: name,
    version,
    context: ctx,
    prompt,
    output,
    concurrency,
  };
  try {
    return { inputs: { ...inputs, args: { [name]: argsOf(flags, name, catalogue) } } };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: { code: 'bad_flags', message, path: 'engine.args' } };
  }
}
