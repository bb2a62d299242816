// What the library says of what it cannot fetch or read: every message, by a call that brings it about.
import { evaluate, load, readCheckpoint } from 'ridgepoint';
import { AnswerCore, startAnswerCore } from 'ridgepoint/answer-core';
import { fetchModel, parseConfig, resolveUrl } from 'ridgepoint/hub';
import { vi } from 'vitest';
import { readCheckpoint as readWith } from '../../../wasm/lib/checkpoint.mjs';
import { safetensors, smallLlama } from './checkpoint-files.mjs';

const ID = 'org/name';
const INDEX = 'model.safetensors.index.json';
const answering = (status, headers) => async () => new Response('', { status, headers });
const failing = (error) => () => Promise.reject(error);
const silent = (_url, { signal }) =>
  new Promise((_done, failed) => signal.addEventListener('abort', () => failed(signal.reason)));

/** A fetch by the end of the address: an object as JSON, a status for what is not there. */
const files = (table) => async (url) => {
  const found = Object.entries(table).find(([end]) => url.endsWith(end))?.[1] ?? 404;
  return typeof found === 'number' ? new Response('', { status: found }) : Response.json(found);
};
const blob = (bytes, name) => new File([bytes], name);

class Unwritable {
  toJSON() {
    throw new Error('it is in use');
  }
}

/** Each brings about a message: as an error, as a report of one, or as notes. */
function calls() {
  const fetching = (fetch, options) => () => fetchModel(ID, { fetch, ...options });
  const status = (code, reason, options) =>
    fetching(answering(code, reason ? { 'x-error-code': reason } : {}), options);
  const system = (code) =>
    fetching(
      failing(new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) })),
    );
  const checkpoint = (source, fetch) => () => readCheckpoint(source, { fetch });
  const asking = (model) => () => evaluate({ model });
  const itself = {};
  itself.same = itself;
  return [
    () => resolveUrl(ID, { hub: 'ftp://hub' }),
    () => fetchModel('https://huggingface.co/datasets/org/name'),
    fetching(silent, { token: 'two words' }),
    status(404, 'RepoNotFound'),
    status(404, 'RevisionNotFound'),
    status(403, ''),
    status(403, '', { token: 'hf_x' }),
    status(404, ''),
    status(429, ''),
    status(503, ''),
    fetching(silent, { timeoutMs: 10 }),
    fetching(answering(200, { 'content-length': '6000000' })),
    online(true, fetching(failing(new TypeError('Failed to fetch')))),
    online(false, fetching(failing(new TypeError('Failed to fetch')))),
    ...['ENOTFOUND', 'ECONNREFUSED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ECONNRESET'].map(system),
    fetching(failing(new TypeError('fetch failed'))),
    fetching(files({ 'resolve/main/config.json': {}, 'hf_quant_config.json': 500 })),
    fetching(async (url) => new Response(url.includes('quant') ? '<html>' : '{}')),
    ...['The text', 'The config.json', 'https://example.com/config.json'].flatMap((from) =>
      [
        '',
        '[1]',
        '<html>',
        'version https://git-lfs',
        'hello there',
        '{"a": 1 // b\n}',
        '{"a": 1',
      ].map((text) => () => (from === 'The text' ? parseConfig(text) : parseConfig(text, from))),
    ),
    checkpoint('no such file'),
    checkpoint(ID, files({})),
    checkpoint(ID, files({ [INDEX]: { metadata: {}, weight_map: { a: 'a.safetensors' } } })),
    checkpoint(blob('{}', 'x.json')),
    checkpoint([blob(safetensors({ a: 1 }), 'a.safetensors'), blob(smallLlama(), 'm.gguf')]),
    ...[blob(smallLlama().subarray(0, 200), 'my model.gguf'), new Blob([])].map((file) =>
      checkpoint(file),
    ),
    ...[blob(Buffer.alloc(400, 1), 'm.gguf'), blob(Buffer.alloc(400, 1), 'm.safetensors')].map(
      (file) => checkpoint(file),
    ),
    checkpoint(new Blob([Buffer.alloc(400, 1)])),
    ...[blob(Buffer.alloc(1e6), 'm.gguf'), new Blob([Buffer.alloc(1e6)])].map(
      (file) => () => readWith({ readCheckpointHeader: () => ({ need_bytes: 1e9 }) }, file),
    ),
    () => evaluate([]),
    ...[Number.NaN, 1n, () => {}, Symbol('s'), itself, new Unwritable()].map(asking),
    () => new AnswerCore({ room: () => 0 }, 'vllm').evaluate({}),
    () => load({ wasmBinary: new Uint8Array(4) }),
    () => startAnswerCore(new Uint8Array(4), 'vllm'),
    () => startAnswerCore(missing('https://example.com/answer-vllm.wasm'), 'vllm'),
  ];
}

/** What a browser knows of its network. */
const online = (onLine, call) => async () => {
  vi.stubGlobal('navigator', { onLine });
  try {
    return await call();
  } finally {
    vi.unstubAllGlobals();
  }
};

function missing(url) {
  const response = new Response('', { status: 404 });
  Object.defineProperty(response, 'url', { value: url });
  return response;
}

async function messagesOf(call) {
  try {
    const { error, notes } = await call();
    return error ? [error.message] : notes;
  } catch (error) {
    return [error.message];
  }
}

/** @returns {Promise<string[][]>} of each call */
export async function librarySentences() {
  const said = [];
  for (const call of calls()) said.push(await messagesOf(call));
  return said;
}
