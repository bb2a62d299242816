import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { classify, fetchModel, HubError, parseConfig } from '../hub.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @import { Catalogue, ModelRequest } from '../../ridgepoint.d.ts'
 * @import { Context } from './main.mjs'
 * @typedef {object} SourceOptions
 * @property {string} hub
 * @property {string} [revision]
 * @property {string} [tokenFile]
 * @property {boolean} [fetch]
 */

const MAX_FILE = 5_000_000;

/**
 * The model that the first argument of `fit` means: standard input, a file or folder here, a model
 * the core knows by itself, or something on the network, in this order.
 *
 * @param {string} input
 * @param {SourceOptions} options
 * @param {Catalogue} catalogue
 * @param {Context} context
 * @returns {Promise<{ model: ModelRequest, notes: string[] }>}
 */
export async function readModel(input, options, catalogue, context) {
  if (input === '-') {
    return {
      model: { config: parseConfig(await readAll(context.stdin), 'Standard input') },
      notes: [],
    };
  }
  const local = await readLocal(input);
  if (local) return { model: local, notes: [] };

  const what = classify(input, { hub: options.hub });
  if (what.kind === 'text') throw new UsageError(textMessage(what.text));
  if (what.kind === 'id' && !what.revision && !what.path && !options.revision && !options.fetch) {
    const id = what.id.toLowerCase();
    const known = catalogue.models.find((model) => model.id.toLowerCase() === id);
    if (known) return { model: { id: known.id }, notes: [] };
  }
  try {
    return await fetchModel(input, {
      hub: options.hub,
      revision: options.revision,
      token: await readToken(options.tokenFile, context.env),
      fetch: context.fetch,
    });
  } catch (error) {
    if (error instanceof HubError && error.code === 'gated') {
      error.message += ' A token is read from HF_TOKEN or --token-file.';
    }
    throw error;
  }
}

/** @param {string} text */
function textMessage(text) {
  if (text.startsWith('{'))
    return 'a config on the command line: save it to a file, or pipe it in and give -';
  if (/[/\\]|\.json$/.test(text)) return `no such file, and no folder with a config.json: ${text}`;
  return `"${text}" is no model id (org/name), address or file`;
}

/**
 * A file, or a folder with a config.json. A folder without one is no model, so that a folder named
 * like an id does not hide the model on the hub.
 *
 * @param {string} path
 * @returns {Promise<ModelRequest | undefined>}
 */
async function readLocal(path) {
  const found = await stat(path).catch(() => undefined);
  if (!found) return undefined;
  const file = found.isDirectory() ? join(path, 'config.json') : path;
  if (found.isDirectory() && !(await exists(file))) return undefined;
  const config = parseConfig(await readFileText(file), file);
  if (config.quantization_config) return { config };
  const side = join(dirname(file), 'hf_quant_config.json');
  return (await exists(side))
    ? { config, quant_config: parseConfig(await readFileText(side), side) }
    : { config };
}

/** @param {string} file */
const exists = (file) =>
  stat(file).then(
    () => true,
    () => false,
  );

/** @param {string} file */
async function readFileText(file) {
  try {
    const { size } = await stat(file);
    if (size > MAX_FILE) {
      throw new UsageError(`${file} is larger than ${MAX_FILE / 1e6} MB, which no config.json is`);
    }
    return await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`cannot read ${file}: ${/** @type {Error} */ (error).message}`);
  }
}

/** @param {AsyncIterable<string | Uint8Array>} stream */
async function readAll(stream) {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of stream) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    if (text.length > MAX_FILE) {
      throw new UsageError(`standard input is larger than ${MAX_FILE / 1e6} MB`);
    }
  }
  return text + decoder.decode();
}

/** @param {string | undefined} file @param {Record<string, string | undefined>} env */
async function readToken(file, env) {
  const token = file ? await readFileText(file) : env.HF_TOKEN;
  return token?.trim() || undefined;
}
