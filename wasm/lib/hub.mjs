import { parseConfig } from './config-text.mjs';
import { download } from './download.mjs';
import { HubError } from './hub-error.mjs';
import { classify, DEFAULT_HUB, hubBase, isHubHost, resolveUrl } from './hub-input.mjs';

export { classify, DEFAULT_HUB, HubError, parseConfig, resolveUrl };

/**
 * @import { FetchedModel, FetchOptions, ModelInput } from '../hub.d.ts'
 */

/**
 * @param {string} input
 * @param {FetchOptions} [options]
 * @returns {Promise<FetchedModel>}
 */
export async function fetchModel(input, options = {}) {
  const hub = options.hub ?? DEFAULT_HUB;
  const what = classify(input, { hub });
  if (what.kind === 'text') return { model: { config: parseConfig(what.text) }, notes: [] };

  const url = configUrl(what, hub, options.revision);
  const config = await readJson(url, hub, options);
  const model = what.kind === 'id' ? { id: what.id, config } : { config };
  if (describesQuantization(config) || !url.endsWith('/config.json')) {
    return { model, url, notes: [] };
  }
  const side = await readQuantization(url, hub, options);
  return {
    model: side.quant_config ? { ...model, quant_config: side.quant_config } : model,
    url,
    notes: side.notes,
  };
}

/**
 * @param {Exclude<ModelInput, { kind: 'text' }>} what
 * @param {string} hub
 * @param {string | undefined} revision
 */
function configUrl(what, hub, revision) {
  if (what.kind === 'id') {
    return resolveUrl(what.id, { hub, revision: what.revision ?? revision, file: what.path });
  }
  if (isHubHost(new URL(what.url), hub)) {
    throw new HubError(
      'not_a_model',
      `${what.url} is not the page of a model. Give a model's id (org/name) or the address of its page.`,
      { url: what.url },
    );
  }
  return what.url;
}

/** @param {Record<string, any>} config */
function describesQuantization(config) {
  return [config, config.text_config, config.llm_config, config.language_config].some(
    (part) => part?.quantization_config ?? part?.compression_config,
  );
}

/**
 * ModelOpt checkpoints describe their quantization in a file of their own. Most have none, so its
 * absence is no news; any other failure is said, because the weights may then be smaller than
 * the config alone tells.
 *
 * @param {string} url address of the config.json
 * @param {string} hub
 * @param {FetchOptions} options
 */
async function readQuantization(url, hub, options) {
  const side = url.replace(/config\.json$/, 'hf_quant_config.json');
  try {
    return { quant_config: await readJson(side, hub, options), notes: [] };
  } catch (error) {
    if (!(error instanceof HubError)) throw error;
    if (error.code === 'not_found') return { notes: [] };
    return { notes: [`hf_quant_config.json was not read: ${error.message}`] };
  }
}

/**
 * @param {string} url
 * @param {string} hub
 * @param {FetchOptions} options
 */
async function readJson(url, hub, options) {
  // Only the hub's own origin sees the token. On a redirect to another origin fetch drops the
  // header itself, and nothing here sets it again.
  const trusted = new URL(url).origin === hubBase(hub).origin;
  const headers = trusted && options.token ? authorization(options.token) : undefined;
  const { response, text } = await download(url, { ...options, headers });
  if (!response.ok) throw statusError(response, url, hub, headers !== undefined);
  return parseConfig(text, url);
}

/** @param {string} token */
function authorization(token) {
  // fetch would quote a malformed header, token and all, in its error.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new HubError(
      'bad_token',
      'The token holds blanks or characters that no token has. Copy it again, on one line.',
    );
  }
  return { authorization: `Bearer ${token}` };
}

/**
 * @param {Response} response
 * @param {string} url
 * @param {string} hub
 * @param {boolean} withToken
 */
function statusError({ status, headers }, url, hub, withToken) {
  const details = { url, status };
  // The hub answers 401 for a model that does not exist to whoever shows no token, and names the
  // real reason in a header.
  const reason = headers.get('x-error-code') ?? '';
  const page = pageOf(url, hub);
  if (reason === 'RepoNotFound') {
    return new HubError(
      'not_found',
      `There is no public model at ${page}. Check the spelling of the id; a private model needs a token.`,
      details,
    );
  }
  if (reason === 'RevisionNotFound') {
    return new HubError('not_found', `${page} has no such revision. Check its name.`, details);
  }
  if (status === 401 || status === 403) {
    const why = withToken
      ? 'and this token does not open it. Accept its licence there with the account of the token, and check that the token may read it'
      : 'and needs a token. Accept its licence there, then give a read token';
    return new HubError('gated', `${page} is gated, ${why}; or paste the config.json.`, details);
  }
  if (status === 404 || status === 410) {
    return new HubError(
      'not_found',
      `There is no ${url.slice(url.lastIndexOf('/') + 1)} at ${page}. Check the id. A repository of GGUF files or of an adapter has none: give the model it was made from, or paste the config.json.`,
      details,
    );
  }
  if (status === 429) {
    return new HubError(
      'rate_limited',
      `${new URL(url).host} takes no more requests for now (429). Wait a minute, give a token, or paste the config.json.`,
      details,
    );
  }
  return new HubError(
    'http',
    `${url} answered ${status}. Try again later, or paste the config.json.`,
    details,
  );
}

/** The page that a person can open for a file of the hub. @param {string} url @param {string} hub */
function pageOf(url, hub) {
  return isHubHost(new URL(url), hub) ? url.replace(/\/resolve\/.*$/, '') : url;
}
