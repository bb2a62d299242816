import { parseConfig } from './config-text.mjs';
import { download, guarded } from './download.mjs';
import { headersFor, statusError } from './hub-access.mjs';
import { HubError } from './hub-error.mjs';
import { classify, DEFAULT_HUB, isHubHost, resolveUrl } from './hub-input.mjs';
import { compactIndex, isIndex } from './weights-name.mjs';

/**
 * @import { Checkpoint, CheckpointInput, CheckpointOptions, CheckpointHeader } from '../ridgepoint.d.ts'
 * @typedef {{ readCheckpointHeader: (bytes: Uint8Array) => CheckpointHeader }} HeaderReader
 * @typedef {object} Opened a file, however it is reached
 * @property {string} name for messages: its path, address or file name
 * @property {() => Promise<string>} text of the whole file
 * @property {(parse: Parse) => Promise<CheckpointHeader>} header
 * @property {(name: string) => Opened | undefined} [sibling] another file of the same folder
 * @typedef {(bytes: Uint8Array, ended: boolean) => { value: CheckpointHeader } | { need: number }} Parse
 * @typedef {(path: string) => Promise<Opened[] | undefined>} OpenPath the file, or what a folder
 *   holds: an index or the weights; nothing where there is no such path
 */

const INDEX = 'model.safetensors.index.json';
const SINGLE = 'model.safetensors';
// Most headers without a tokenizer are smaller; each further step doubles.
const FIRST_BYTES = 256 * 1024;
const MAX_HEADER = 256 * 1024 * 1024;
const MAX_INDEX = 32_000_000;
const MAX_FILES = 1000;
const AT_ONCE = 6;
const NAMED = /^(.+?)(?:@([^\s@:]+))?:([^:\s]+\.(?:gguf|safetensors|json))$/i;
const SPLIT = /-(\d{5})-of-(\d{5})\.gguf$/i;

/**
 * What the files of a checkpoint say about its weights, for `model.tensors` of a request. Headers
 * and indexes are read, never the weights.
 *
 * @param {HeaderReader} core
 * @param {CheckpointInput} source
 * @param {CheckpointOptions} [options]
 * @param {OpenPath} [openPath]
 * @returns {Promise<Checkpoint>}
 */
export async function readCheckpoint(core, source, options = {}, openPath = undefined) {
  const opened = await open(source, options, openPath);
  if (opened.length === 1) return readOne(core, opened[0]);
  const headers = await inTurn(opened, (file) => readHeader(core, file));
  return { tensors: joined(headers, opened), from: namesOf(opened), notes: [] };
}

/**
 * @param {CheckpointInput} source
 * @param {CheckpointOptions} options
 * @param {OpenPath} [openPath]
 * @returns {Promise<Opened[]>}
 */
async function open(source, options, openPath) {
  if (Array.isArray(source)) return source.map(blobFile);
  if (typeof source === 'object' && 'slice' in source) return [blobFile(source)];
  const text = String(source).trim();
  const local = source instanceof URL ? undefined : await openPath?.(text);
  if (local) return local;

  const { hub = DEFAULT_HUB, revision } = options;
  const named = NAMED.exec(text);
  if (named && !/^https?:/i.test(text) && classify(named[1], { hub }).kind === 'id') {
    const url = resolveUrl(named[1], { hub, revision: named[2] ?? revision, file: named[3] });
    return [remoteFile(url, options)];
  }
  const address = hubFile(text, hub);
  if (address) return [remoteFile(address, options)];
  const what = classify(text, { hub });
  if (what.kind === 'url') return [remoteFile(what.url, options)];
  if (what.kind === 'text') {
    throw new HubError(
      'not_found',
      `"${text.slice(0, 200)}" is no file, address or model id. Give a .gguf or .safetensors file, an index, or org/name.`,
    );
  }
  return [await weightsOf(what.id, { ...options, revision: what.revision ?? revision })];
}

/** The address of a file's own bytes, where a text is the address of its page on the hub. @param {string} text @param {string} hub */
function hubFile(text, hub) {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!isHubHost(url, hub) || !/\.(gguf|safetensors|json)$/i.test(url.pathname)) return undefined;
  url.pathname = url.pathname.replace(/^((?:\/[^/]+){1,2})\/(?:blob|raw)\//, '$1/resolve/');
  return url.href;
}

/**
 * The index of a repository, or its only file of weights where there is no index.
 *
 * @param {string} id
 * @param {CheckpointOptions} options
 * @returns {Promise<Opened>}
 */
async function weightsOf(id, options) {
  const index = remoteFile(resolveUrl(id, { ...options, file: INDEX }), options);
  const text = await index.text().catch(unlessMissing);
  if (text !== undefined) return { ...index, text: async () => text };
  const single = remoteFile(resolveUrl(id, { ...options, file: SINGLE }), options);
  return {
    ...single,
    header: (parse) =>
      single.header(parse).catch((error) => {
        unlessMissing(error);
        throw new HubError(
          'not_found',
          `${error.message} For GGUF files name one: ${id}:file.gguf.`,
          {
            url: error.url,
            status: error.status,
          },
        );
      }),
  };
}

/** @param {unknown} error @returns {undefined} */
function unlessMissing(error) {
  if (!(error instanceof HubError && error.code === 'not_found')) throw error;
}

/**
 * @param {HeaderReader} core
 * @param {Opened} file
 * @returns {Promise<Checkpoint>}
 */
async function readOne(core, file) {
  if (/\.json(\?.*)?$/i.test(file.name)) return readIndex(core, file);
  const header = await readHeader(core, file);
  const parts = 'gguf' in header ? partsOf(header, file) : [];
  if (parts.length < 2) return { tensors: joined([header], [file]), from: file.name, notes: [] };
  const headers = await inTurn(parts, (part) =>
    part === file ? Promise.resolve(header) : readHeader(core, part),
  );
  return { tensors: joined(headers, parts), from: namesOf(parts), notes: [] };
}

/**
 * An index whose size is missing or 0 still names the files, and those tell it.
 *
 * @param {HeaderReader} core
 * @param {Opened} file
 * @returns {Promise<Checkpoint>}
 */
async function readIndex(core, file) {
  const index = parseConfig(await file.text(), file.name);
  if (!isIndex(index)) {
    throw new HubError(
      'not_a_checkpoint',
      `${file.name} is no index of safetensors files: it has no weight_map. Give a ${INDEX}.`,
    );
  }
  const whole = compactIndex(index);
  if (Number(/** @type {any} */ (index.metadata)?.total_size) > 0 || !file.sibling) {
    return { tensors: whole, from: file.name, notes: [] };
  }
  const names = [...new Set(Object.values(index.weight_map ?? {}))];
  if (names.length === 0 || names.length > MAX_FILES || names.some((name) => !isPlain(name))) {
    return { tensors: whole, from: file.name, notes: [] };
  }
  const shards = names.flatMap((name) => file.sibling?.(String(name)) ?? []);
  try {
    const headers = await inTurn(shards, (shard) => readHeader(core, shard));
    return { tensors: joined(headers, shards), from: namesOf(shards), notes: [] };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    const note = `The headers of the files of ${file.name} were not read: ${error.message}`;
    return { tensors: whole, from: file.name, notes: [note] };
  }
}

/** @param {unknown} name a file of the same folder, and nothing else */
const isPlain = (name) =>
  typeof name === 'string' && /^[\w.-]+\.safetensors$/.test(name) && !name.includes('..');

/**
 * All files of a GGUF that is split, in order.
 *
 * @param {Extract<CheckpointHeader, { gguf: unknown }>} header
 * @param {Opened} file
 * @returns {Opened[]}
 */
function partsOf({ gguf }, file) {
  const count = Number(gguf.metadata['split.count'] ?? 1);
  const [, , total] = SPLIT.exec(file.name) ?? [];
  if (!(count > 1 && count <= MAX_FILES) || Number(total) !== count || !file.sibling) return [];
  return Array.from({ length: count }, (_, index) => {
    const part = String(index + 1).padStart(5, '0');
    const name = file.name
      .slice(file.name.search(/[^/\\]*$/))
      .replace(SPLIT, `-${part}-of-${total}.gguf`);
    return file.name.endsWith(name) ? file : /** @type {Opened} */ (file.sibling?.(name));
  });
}

/**
 * @param {CheckpointHeader[]} headers
 * @param {Opened[]} files
 * @returns {Checkpoint['tensors']}
 */
function joined(headers, files) {
  const ggufs = headers.flatMap((each) => ('gguf' in each ? [each.gguf] : []));
  const others = headers.flatMap((each) => ('header' in each ? [each.header] : []));
  if (ggufs.length > 0 && others.length > 0) {
    throw new HubError(
      'not_a_checkpoint',
      `${namesOf(files)} are of two formats. Give the files of one checkpoint.`,
    );
  }
  if (ggufs.length === 1) return { gguf: ggufs[0] };
  return ggufs.length > 0 ? { gguf: ggufs } : { headers: others };
}

/** @param {Opened[]} files */
function namesOf(files) {
  const [{ name }] = files;
  return files.length === 1 ? name : `${name} and ${files.length - 1} more`;
}

/**
 * @param {HeaderReader} core
 * @param {Opened} file
 * @returns {Promise<CheckpointHeader>}
 */
function readHeader(core, file) {
  return file.header((bytes, ended) => {
    const answer = core.readCheckpointHeader(bytes);
    if ('error' in answer) {
      throw new HubError(answer.error.code, `${file.name}: ${answer.error.message}`);
    }
    if (!('need_bytes' in answer)) return { value: answer };
    if (ended) {
      throw new HubError(
        'truncated',
        `${file.name} ends inside its header. It is damaged, or not downloaded completely.`,
      );
    }
    if (answer.need_bytes > MAX_HEADER) {
      throw new HubError(
        'too_large',
        `${file.name} has a header that no model has. It is damaged.`,
      );
    }
    return { need: answer.need_bytes };
  });
}

/**
 * A header from a file of which any part can be read.
 *
 * @param {(from: number, to: number) => Promise<Uint8Array>} slice fewer bytes at the end
 * @param {Parse} parse
 * @returns {Promise<CheckpointHeader>}
 */
export async function headerBySlices(slice, parse) {
  let bytes = new Uint8Array(0);
  for (let want = FIRST_BYTES; ; ) {
    const more = await slice(bytes.length, want);
    const ended = more.length < want - bytes.length;
    bytes = appended(bytes, more);
    const read = parse(bytes, ended);
    if ('value' in read) return read.value;
    want = Math.max(read.need, 2 * want);
  }
}

/** @param {Uint8Array} start @param {Uint8Array} more @returns {Uint8Array<ArrayBuffer>} */
function appended(start, more) {
  const all = new Uint8Array(start.length + more.length);
  all.set(start);
  all.set(more, start.length);
  return all;
}

/** @param {Blob} blob @returns {Opened} */
function blobFile(blob) {
  const name = 'name' in blob ? String(blob.name) : 'The file';
  return {
    name,
    text: () => blob.text(),
    header: (parse) =>
      headerBySlices(
        async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
        parse,
      ),
  };
}

/**
 * @param {string} url
 * @param {CheckpointOptions} options
 * @returns {Opened}
 */
function remoteFile(url, options) {
  const { hub = DEFAULT_HUB, token } = options;
  return {
    name: url,
    text: async () => {
      const headers = headersFor(url, hub, token);
      const { response, text } = await download(url, { ...options, headers, maxBytes: MAX_INDEX });
      if (!response.ok) throw statusError(response, url, hub, headers !== undefined);
      return text;
    },
    header: (parse) => remoteHeader(url, options, parse),
    sibling: (name) => {
      const other = new URL(url);
      other.pathname = other.pathname.replace(/[^/]*$/, encodeURIComponent(name));
      return remoteFile(other.href, options);
    },
  };
}

/**
 * A header by range requests. A server that ignores the range sends the whole file: then only as
 * much of it is read as the header takes.
 *
 * @param {string} url
 * @param {CheckpointOptions} options
 * @param {Parse} parse
 * @returns {Promise<CheckpointHeader>}
 */
async function remoteHeader(url, options, parse) {
  const { hub = DEFAULT_HUB, token, fetch = globalThis.fetch } = options;
  const trusted = headersFor(url, hub, token);
  let bytes = new Uint8Array(0);
  for (let want = FIRST_BYTES; ; ) {
    const range = `bytes=${bytes.length}-${want - 1}`;
    const read = await guarded(url, options, async (signal) => {
      const response = await fetch(url, { headers: { ...trusted, range }, signal });
      if (response.status === 416) return parse(bytes, true);
      if (!response.ok) throw statusError(response, url, hub, trusted !== undefined);
      if (response.status !== 206) return { value: await streamedHeader(response, parse) };
      const more = await atMost(response, want - bytes.length);
      const ended = more.length < want - bytes.length;
      bytes = appended(bytes, more);
      return parse(bytes, ended);
    });
    if ('value' in read) return read.value;
    want = Math.max(read.need, 2 * want);
  }
}

/** @param {Response} response @param {number} most @returns {Promise<Uint8Array>} */
async function atMost(response, most) {
  let bytes = new Uint8Array(0);
  const reader = response.body?.getReader();
  while (reader && bytes.length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes = appended(bytes, value.subarray(0, most - bytes.length));
  }
  await reader?.cancel();
  return bytes;
}

/**
 * @param {Response} response of the whole file
 * @param {Parse} parse
 * @returns {Promise<CheckpointHeader>}
 */
async function streamedHeader(response, parse) {
  const reader = response.body?.getReader();
  let bytes = new Uint8Array(0);
  let size = 0;
  try {
    for (let want = FIRST_BYTES; ; ) {
      let ended = reader === undefined;
      while (reader && size < want && !ended) {
        const { done, value } = await reader.read();
        ended = done;
        if (!value) continue;
        // Room grows by doubling, or each chunk would copy all before it.
        if (size + value.length > bytes.length) {
          bytes = appended(bytes, new Uint8Array(Math.max(bytes.length, value.length)));
        }
        bytes.set(value, size);
        size += value.length;
      }
      const read = parse(bytes.subarray(0, size), ended);
      if ('value' in read) return read.value;
      want = Math.max(read.need, 2 * want);
    }
  } finally {
    await reader?.cancel();
  }
}

/**
 * @template T, R
 * @param {T[]} items
 * @param {(item: T) => Promise<R>} work
 * @returns {Promise<R[]>} in the order of the items, a few at a time
 */
async function inTurn(items, work) {
  /** @type {R[]} */
  const results = [];
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))));
  }
  return results;
}
