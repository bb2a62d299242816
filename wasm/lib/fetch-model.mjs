import { parseConfig } from './config-text.mjs';
import { download } from './download.mjs';
import { headersFor, statusError } from './hub-access.mjs';
import { HubError } from './hub-error.mjs';
import { classify, DEFAULT_HUB, isHubHost, resolveUrl } from './hub-input.mjs';

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
  const headers = headersFor(url, hub, options.token);
  const { response, text } = await download(url, { ...options, headers });
  if (!response.ok) throw statusError(response, url, hub, headers !== undefined);
  return parseConfig(text, url);
}
