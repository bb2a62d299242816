import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readCheckpoint } from '../checkpoint.mjs';
import { classify, fetchModel, HubError, isWeightsName, parseConfig } from '../hub.mjs';
import { openPath } from '../local-files.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @import { ModelRequest } from '../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../core.mjs'
 * @import { Context } from './context.mjs'
 * @typedef {object} SourceOptions
 * @property {string} hub
 * @property {string} [revision]
 * @property {string} [tokenFile]
 * @property {boolean} [fetch]
 * @property {string} [weights]
 * @typedef {{ model: ModelRequest, notes: string[] }} Source
 */

const INDEX = 'model.safetensors.index.json';
const MAX_FILE = 5_000_000;

/**
 * The model that the first argument of `fit` means, with what --weights tells of its size.
 *
 * @param {string} input
 * @param {SourceOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Source>}
 */
export async function readModel(input, options, core, context) {
  /** @param {string} source @returns {Promise<Source>} */
  const weightsOf = async (source) => {
    const fetching = await fetchOptions(options, context);
    const { tensors, notes } = await readCheckpoint(core, source, fetching, openPath);
    return { model: { tensors }, notes };
  };
  const source =
    (await modelInFile(input, weightsOf)) ?? (await readConfig(input, options, core, context));
  if (options.weights === undefined) return source;
  const weights = await weightsOf(options.weights);
  return {
    model: { ...source.model, ...weights.model },
    notes: [...source.notes, ...weights.notes],
  };
}

/**
 * A model that is named by files of its weights: a GGUF holds its config, and beside an index or a
 * .safetensors file lies one.
 *
 * @param {string} input
 * @param {(source: string) => Promise<Source>} weightsOf
 * @returns {Promise<Source | undefined>}
 */
async function modelInFile(input, weightsOf) {
  if (/\.gguf(\?.*)?$/i.test(input)) return weightsOf(input);
  const found = await stat(input).catch(() => undefined);
  if (found?.isDirectory()) return modelInFolder(input, weightsOf);
  if (!found || !(isWeightsName(input) || basename(input) === INDEX)) return undefined;
  const local = await readLocal(dirname(input));
  if (!local) {
    throw new UsageError(
      `no config.json lies beside ${input}; name the config, and --weights ${input}`,
    );
  }
  const { model, notes } = await weightsOf(input);
  return { model: { ...local, ...model }, notes };
}

/**
 * @param {string} folder
 * @param {(source: string) => Promise<Source>} weightsOf
 * @returns {Promise<Source | undefined>}
 */
async function modelInFolder(folder, weightsOf) {
  const config = await readLocal(folder);
  if (!config) return undefined;
  for (const name of [INDEX, 'model.safetensors']) {
    const file = join(folder, name);
    if (!(await exists(file))) continue;
    try {
      const { model, notes } = await weightsOf(file);
      return { model: { ...config, ...model }, notes };
    } catch (error) {
      // Nobody asked for this file: without it the config still gives an answer.
      if (!(error instanceof HubError)) throw error;
      return { model: config, notes: [`${error.message} The config alone was used.`] };
    }
  }
  return undefined;
}

/**
 * The model that the first argument of `fit` means: standard input, a file or folder here, a model
 * the core knows by itself, or something on the network, in this order.
 *
 * @param {string} input
 * @param {SourceOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Source>}
 */
async function readConfig(input, options, core, context) {
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
    const known = core.catalogue().models.find((model) => model.id.toLowerCase() === id);
    if (known) return { model: { id: known.id }, notes: [] };
  }
  try {
    return await fetchModel(input, await fetchOptions(options, context));
  } catch (error) {
    if (error instanceof HubError && error.code === 'gated') {
      error.message += ' A token is read from HF_TOKEN or --token-file.';
    }
    throw error;
  }
}

/** @param {SourceOptions} options @param {Context} context */
async function fetchOptions({ hub, revision, tokenFile }, context) {
  const token = await readToken(tokenFile, context.env);
  return { hub, revision, token, fetch: context.fetch };
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
