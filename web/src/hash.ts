import { example, type Inputs } from './state';

// The inputs live in the URL hash, which a browser never sends: `#v=1&m=…&g=…`. Names are short and
// final; a new meaning needs a new version and a step that reads the old one.

export const HASH_VERSION = 1;

const names = {
  m: 'model',
  rev: 'revision',
  hub: 'hub',
  g: 'gpu',
  n: 'count',
  free: 'free',
  gt: 'gpuTotal',
  gb: 'gpuBandwidth',
  gf: 'gpuFlops',
  e: 'engine',
  ev: 'version',
  c: 'context',
  p: 'prompt',
  o: 'output',
  u: 'concurrency',
} as const satisfies Record<string, keyof Omit<Inputs, 'use' | 'args'>>;

const FLAG = 'f.';
/** A longer config would make a link nobody can send; it stays in the tab instead. */
export const LONGEST_CONFIG = 3000;

const compact = (config: string) => {
  try {
    return JSON.stringify(JSON.parse(config));
  } catch {
    return config;
  }
};

export const configFits = (config: string) => compact(config).length <= LONGEST_CONFIG;

export function toHash(inputs: Inputs): string {
  const query = new URLSearchParams({ v: String(HASH_VERSION) });
  for (const [short, field] of Object.entries(names)) {
    // An emptied field is said to be empty where the example has a value.
    if (inputs[field] !== '' || example[field] !== '') query.set(short, inputs[field]);
  }
  if (inputs.use === 'config') query.set('use', 'config');
  for (const [flag, value] of Object.entries(inputs.args[inputs.engine] ?? {})) {
    if (value !== '') query.set(FLAG + flag, value);
  }
  if (inputs.config && configFits(inputs.config)) {
    query.set('cfg', compact(inputs.config));
    if (inputs.configName) query.set('cn', inputs.configName);
  }
  // Ids stay readable: a hash may hold a slash or a colon as it is.
  return `#${query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':')}`;
}

/** The inputs of a link, or null when the hash is none of ours. Missing names mean the example's. */
export function fromHash(hash: string): Inputs | null {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  if (!query.has('v')) return null;
  const inputs: Inputs = { ...example, args: {} };
  for (const [short, field] of Object.entries(names)) {
    const value = query.get(short);
    if (value !== null) inputs[field] = value;
  }
  if (query.has('e') && !query.has('ev')) inputs.version = '';
  inputs.use = query.get('use') === 'config' ? 'config' : 'id';
  inputs.config = query.get('cfg') ?? '';
  inputs.configName = query.get('cn') ?? '';
  const flags = [...query].filter(([name]) => name.startsWith(FLAG));
  const named = flags.map(([name, value]) => [name.slice(FLAG.length), value]);
  inputs.args = { [inputs.engine]: Object.fromEntries(named) };
  return inputs;
}
