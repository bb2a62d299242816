import { example, type Inputs, type Place, type RoomName, rooms } from './state';

// What is looked at lives in the URL hash, which a browser never sends: `#v=2&m=…&g=…`. Names are
// short and final; a new meaning needs a new version and a step that reads the old one.

export const HASH_VERSION = 2;

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
  qc: 'quant',
} as const satisfies Record<string, keyof Omit<Inputs, 'use' | 'args' | 'env' | 'measured'>>;

const FLAG = 'f.';
const VARIABLE = 'x.';
const MEASURED = 'k.';
/** What messengers and browsers still pass on; a config beyond it stays in the tab. */
export const LONGEST_PACKED = 30_000;

const base64url = (bytes: Uint8Array) => {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const fromBase64url = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );

async function through(bytes: Uint8Array, step: GenericTransformStream): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(step);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const compact = (config: string) => {
  try {
    return JSON.stringify(JSON.parse(config));
  } catch {
    return config;
  }
};

/** A pasted config, small enough for a link. */
export async function pack(config: string): Promise<string> {
  const bytes = new TextEncoder().encode(compact(config));
  return base64url(await through(bytes, new CompressionStream('deflate-raw')));
}

const UNPACKED_LIMIT = 8_000_000;

export async function unpack(packed: string): Promise<string> {
  try {
    const bytes = await through(fromBase64url(packed), new DecompressionStream('deflate-raw'));
    return bytes.length > UNPACKED_LIMIT ? '' : new TextDecoder().decode(bytes);
  } catch {
    // A link cut short: what is left of it still opens, without its config.
    return '';
  }
}

const spread = (query: URLSearchParams, prefix: string, values: Record<string, string>) => {
  for (const [name, value] of Object.entries(values)) {
    if (value !== '') query.set(prefix + name, value);
  }
};

const gather = (query: URLSearchParams, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...query]
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );

/** One setup as a query; its config is already packed, or left out. */
function toQuery(inputs: Inputs, packed: string): URLSearchParams {
  const query = new URLSearchParams({ v: String(HASH_VERSION) });
  for (const [short, field] of Object.entries(names)) {
    // An emptied field is said to be empty where the example has a value.
    if (inputs[field] !== '' || example[field] !== '') query.set(short, inputs[field]);
  }
  if (inputs.use === 'config') query.set('use', 'config');
  spread(query, FLAG, inputs.args[inputs.engine] ?? {});
  spread(query, VARIABLE, inputs.env);
  spread(query, MEASURED, inputs.measured);
  if (packed !== '') {
    query.set('cz', packed);
    if (inputs.configName) query.set('cn', inputs.configName);
  }
  return query;
}

// Ids stay readable: a hash may hold a slash or a colon as it is.
const readable = (query: URLSearchParams) =>
  query.toString().replaceAll('%2F', '/').replaceAll('%3A', ':');

/** A link to one setup whose model has an id. */
export const toHash = (inputs: Inputs): string => `#${readable(toQuery(inputs, ''))}`;

const packedOf = async (inputs: Inputs) => {
  const packed = inputs.config.trim() === '' ? '' : await pack(inputs.config);
  return packed.length > LONGEST_PACKED ? '' : packed;
};

export async function placeToHash({ sides, active, room, load }: Place): Promise<string> {
  const [left, right] = sides;
  const query = toQuery(left, await packedOf(left));
  if (right) query.set('b', toQuery(right, await packedOf(right)).toString());
  if (right && active === 1) query.set('at', 'b');
  if (room !== 'answer') query.set('t', room);
  if (load) query.set('l', load);
  return `#${readable(query)}`;
}

async function readInputs(query: URLSearchParams): Promise<Inputs> {
  const inputs: Inputs = { ...example };
  for (const [short, field] of Object.entries(names)) {
    const value = query.get(short);
    if (value !== null) inputs[field] = value;
  }
  if (query.has('e') && !query.has('ev')) inputs.version = '';
  inputs.use = query.get('use') === 'config' ? 'config' : 'id';
  const packed = query.get('cz');
  // Version 1 held the config as it was.
  inputs.config = packed === null ? (query.get('cfg') ?? '') : await unpack(packed);
  inputs.configName = query.get('cn') ?? '';
  inputs.args = { [inputs.engine]: gather(query, FLAG) };
  inputs.env = gather(query, VARIABLE);
  inputs.measured = gather(query, MEASURED);
  return inputs;
}

/** What a link says, or null when the hash is none of ours. Missing names mean the example's. */
export async function fromHash(hash: string): Promise<Place | null> {
  const query = new URLSearchParams(hash.replace(/^#/, ''));
  if (!query.has('v')) return null;
  const second = query.get('b');
  const right = second === null ? null : await readInputs(new URLSearchParams(second));
  const load = query.get('l');
  const room = rooms.find((name) => name === query.get('t')) as RoomName | undefined;
  return {
    sides: [await readInputs(query), right],
    active: right && query.get('at') === 'b' ? 1 : 0,
    room: room ?? 'answer',
    ...(load && { load }),
  };
}
