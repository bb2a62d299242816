import { HubError } from './hub-error.mjs';

/** @import { ModelInput } from '../hub.d.ts' */

export const DEFAULT_HUB = 'https://huggingface.co';

const HUB_HOSTS = ['huggingface.co', 'www.huggingface.co', 'hf.co'];
const NAME = '[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?';
const ID = new RegExp(`^(${NAME}(?:/${NAME})?)(?:@([^\\s@]+))?$`);
// First words of hub addresses that are not owners of models.
const NOT_OWNERS = new Set(
  'api blog chat collections datasets docs join learn login models new organizations papers posts pricing search settings spaces tasks welcome'.split(
    ' ',
  ),
);

/**
 * @param {string} input
 * @param {{ hub?: string }} [options]
 * @returns {ModelInput}
 */
export function classify(input, { hub = DEFAULT_HUB } = {}) {
  const text = String(input).trim();
  const address = asUrl(text, hub);
  if (address) {
    const page = isHubHost(address, hub) ? fromPage(address, hub) : undefined;
    return page ?? { kind: 'url', url: address.href };
  }
  const match = ID.exec(text);
  if (match && !text.includes('..')) return { kind: 'id', id: match[1], ...revision(match[2]) };
  return { kind: 'text', text };
}

/** @param {string} text @param {string} hub */
function asUrl(text, hub) {
  if (/\s/.test(text)) return undefined;
  const bare = HUB_HOSTS.some((host) => text.toLowerCase().startsWith(`${host}/`));
  if (!bare && !/^https?:\/\//i.test(text)) return undefined;
  try {
    return new URL(bare ? `${new URL(hub).protocol}//${text}` : text);
  } catch {
    return undefined;
  }
}

/** Whether an address belongs to the hub, so that its pages can be read as ids. @param {URL} address @param {string} hub */
export function isHubHost(address, hub) {
  if (HUB_HOSTS.includes(address.hostname)) return true;
  try {
    const base = new URL(hub);
    return address.origin === base.origin && address.pathname.startsWith(folder(base.pathname));
  } catch {
    return false;
  }
}

/** @param {string} path */
const folder = (path) => (path.endsWith('/') ? path : `${path}/`);

/**
 * The model whose page, folder or file an address of the hub is.
 *
 * @param {URL} address
 * @param {string} hub
 * @returns {ModelInput | undefined}
 */
function fromPage(address, hub) {
  const prefix = HUB_HOSTS.includes(address.hostname) ? '/' : folder(new URL(hub).pathname);
  let parts;
  try {
    parts = address.pathname
      .slice(prefix.length)
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
  if (parts[0] === 'api' && parts[1] === 'models') parts.splice(0, 2);
  if (parts.length === 0 || NOT_OWNERS.has(parts[0])) return undefined;

  const views = ['tree', 'blob', 'resolve', 'raw'];
  const idLength = views.includes(parts[1]) || parts.length === 1 ? 1 : 2;
  const id = parts.slice(0, idLength).join('/');
  if (!ID.test(id) || id.includes('..') || id.includes('@')) return undefined;

  const [view, name, ...rest] = parts.slice(idLength);
  if (!views.includes(view) || name === undefined) return { kind: 'id', id };
  // Pull requests are revisions of three parts: refs/pr/1.
  const branch = name === 'refs' ? [name, ...rest.splice(0, 2)].join('/') : name;
  return { kind: 'id', id, ...revision(branch), ...configPath(view, rest) };
}

/** @param {string | undefined} name */
function revision(name) {
  return name && name !== 'main' ? { revision: name } : {};
}

/** @param {string} view @param {string[]} rest */
function configPath(view, rest) {
  const path = rest.join('/');
  if (path === '' || path === 'config.json' || path.includes('..')) return {};
  if (path.endsWith('config.json')) return { path };
  return view === 'tree' ? { path: `${path}/config.json` } : {};
}

/**
 * @param {string} id
 * @param {{ hub?: string, revision?: string, file?: string }} [options]
 */
export function resolveUrl(
  id,
  { hub = DEFAULT_HUB, revision = 'main', file = 'config.json' } = {},
) {
  const base = hubBase(hub);
  const path = [...id.split('/'), 'resolve', revision, ...file.split('/')];
  return `${base.origin}${folder(base.pathname)}${path.map(encodeURIComponent).join('/')}`;
}

/** @param {string} hub */
export function hubBase(hub) {
  let base;
  try {
    base = new URL(hub);
  } catch {
    base = undefined;
  }
  if (base?.protocol !== 'https:' && base?.protocol !== 'http:') {
    throw new HubError(
      'bad_hub',
      `The hub address must start with https:// or http://, for example ${DEFAULT_HUB}.`,
      { url: hub },
    );
  }
  return base;
}
