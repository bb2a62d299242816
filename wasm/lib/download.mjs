import { HubError } from './hub-error.mjs';

/**
 * @typedef {object} DownloadOptions
 * @property {typeof globalThis.fetch} [fetch]
 * @property {Record<string, string>} [headers]
 * @property {number} [timeoutMs]
 * @property {number} [maxBytes]
 * @property {AbortSignal} [signal]
 */

/**
 * The answer of an address with its whole text, or a HubError for whatever kept it from arriving.
 * A status is not judged here.
 *
 * @param {string} url
 * @param {DownloadOptions} [options]
 * @returns {Promise<{ response: Response, text: string }>}
 */
export function download(url, options = {}) {
  const { fetch = globalThis.fetch, headers, maxBytes = 5_000_000 } = options;
  return guarded(url, options, async (signal) => {
    const response = await fetch(url, { headers, signal });
    const text = response.ok ? await limitedText(response, url, maxBytes) : '';
    return { response, text };
  });
}

/**
 * Does what `work` does with an address, ends it in time, and turns whatever breaks it into a
 * HubError.
 *
 * @template T
 * @param {string} url
 * @param {DownloadOptions} options
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function guarded(url, { timeoutMs = 20_000, signal }, work) {
  signal?.throwIfAborted();
  const control = new AbortController();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    control.abort();
  }, timeoutMs);
  const stop = () => control.abort();
  signal?.addEventListener('abort', stop);
  try {
    return await work(control.signal);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    if (cause instanceof HubError) throw cause;
    if (late) {
      throw new HubError(
        'timeout',
        `${url} did not answer within ${timeoutMs / 1000} s. Try again, or paste the config.json.`,
        { url, cause },
      );
    }
    throw networkError(url, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    // Ends a body that nobody will read: one of a failed status, or one that is too large.
    control.abort();
  }
}

/** @param {Response} response @param {string} url @param {number} maxBytes */
async function limitedText(response, url, maxBytes) {
  const tooLarge = () =>
    new HubError(
      'too_large',
      `${url} is larger than ${maxBytes / 1e6} MB, which no config.json is. Give the address of the config.json itself.`,
      { url, status: response.status },
    );
  if (Number(response.headers.get('content-length')) > maxBytes) throw tooLarge();
  if (!response.body) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > maxBytes) throw tooLarge();
    text += decoder.decode(value, { stream: true });
  }
}

/** @param {string} url @param {unknown} cause */
function networkError(url, cause) {
  const { host } = new URL(url);
  const details = { url, cause };
  const paste = 'or paste the config.json';
  // Only browsers and their workers know whether they are online; Node's navigator has no such
  // field. They do not say why a fetch failed: being online leaves the missing permission.
  const online = globalThis.navigator?.onLine;
  if (online === false) {
    return new HubError('offline', `This device is offline. Connect it, ${paste}.`, details);
  }
  if (online === true) {
    return new HubError(
      'cors',
      `The browser could not read ${url}. The server may not let other sites read it (CORS), or the network blocks ${host}. Open the address in a tab and paste the config.json.`,
      details,
    );
  }
  const code = errorCode(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new HubError(
      'offline',
      `The name ${host} is not known here (no network, or no DNS). Check the connection, ${paste}.`,
      details,
    );
  }
  if (/^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(code)) {
    return new HubError(
      'offline',
      `${host} cannot be reached (${code}). Check the connection and the address, ${paste}. Behind a proxy Node 24 and later follow HTTPS_PROXY when NODE_USE_ENV_PROXY=1 is set.`,
      details,
    );
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return new HubError(
      'network',
      `The certificate of ${host} is not trusted (${code}). Behind a company proxy, name its certificate in NODE_EXTRA_CA_CERTS, ${paste}.`,
      details,
    );
  }
  return new HubError(
    'network',
    `The connection to ${host} failed${code ? ` (${code})` : ''}. Try again, ${paste}.`,
    details,
  );
}

/** The system's name of a failure, which fetch buries in causes. @param {unknown} error @returns {string} */
function errorCode(error) {
  let depth = 0;
  for (let at = /** @type {any} */ (error); at && depth < 5; at = at.cause, depth += 1) {
    if (typeof at.code === 'string') return at.code;
    if (Array.isArray(at.errors) && typeof at.errors[0]?.code === 'string')
      return at.errors[0].code;
  }
  return '';
}
