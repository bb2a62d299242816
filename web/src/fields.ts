import type { Words } from './words/en';

// Which input a path of the contract belongs to. Ids of inputs are those used in the views.

const exact: Record<string, string> = {
  model: 'model',
  'model.id': 'model',
  gpu: 'gpu',
  'gpu.id': 'gpu',
  'gpu.count': 'count',
  'gpu.free_bytes': 'free',
  'gpu.total_bytes': 'gpuTotal',
  'gpu.bandwidth': 'gpuBandwidth',
  'gpu.flops': 'gpuFlops',
  engine: 'engine',
  'engine.name': 'engine',
  'engine.version': 'version',
  'workload.context': 'context',
  'workload.prompt': 'prompt',
  'workload.output': 'output',
  'workload.concurrency': 'concurrency',
  workload: 'context',
  file: 'config',
  'hub.revision': 'revision',
  'hub.base': 'hub',
  'hub.token': 'token',
};

const FLAG_PATH = 'engine.args.';

export const flagField = (name: string) => `flag-${name}`;

export function fieldOf(path: string, usesConfig: boolean): string {
  if (exact[path]) return exact[path];
  if (path.startsWith(FLAG_PATH)) return flagField(path.slice(FLAG_PATH.length));
  if (path.startsWith('engine.args')) return 'flag-name';
  if (path.startsWith('engine.env')) return 'env';
  if (path.startsWith('measured')) return 'measured';
  if (path.startsWith('model.quant_config')) return 'quant';
  if (path.startsWith('model')) return usesConfig ? 'config' : 'model';
  return '';
}

export const labelOf = (field: string, words: Words) =>
  words.fields[field] ??
  words.otherFields?.[field] ??
  (field.startsWith('flag-') ? `--${field.slice(5)}` : (words.fields.request ?? ''));
