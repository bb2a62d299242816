import { DEFAULT_HUB } from '../hub.mjs';
import { readEngineArgs } from './engine-args.mjs';
import { commandText, logBytes, namedFiles } from './inputs.mjs';
import { readModel } from './model-source.mjs';
import { optionBytes, optionInteger } from './numbers.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @import { Command } from 'commander'
 * @import { CommandAnswer, EngineRequest, GpuRequest, ModelRequest, Request, WorkloadRequest } from '../../ridgepoint.d.ts'
 * @import { Ridgepoint } from '../core.mjs'
 * @import { Context } from './context.mjs'
 * @typedef {object} SetupOptions the options that say what is to be served, and where
 * @property {string} [gpu]
 * @property {string} [gpuTotal]
 * @property {string} [gpuFree]
 * @property {string} [engine]
 * @property {string} [weights]
 * @property {string} [ctx]
 * @property {string} [prompt]
 * @property {string} [output]
 * @property {string} [concurrency]
 * @property {string} [fromCommand]
 * @property {string} [fromLog]
 * @property {string} hub
 * @property {string} [revision]
 * @property {string} [tokenFile]
 * @property {boolean} [fetch]
 * @typedef {{ request: Request, input: string, notes: string[] }} Setup
 * @typedef {object} Base what a command or a log tells
 * @property {Partial<Request>} request
 * @property {string[]} notes
 * @property {(model: ModelRequest, gpu: GpuRequest) => Base} [again] the same with more known: a
 *   command is tried as a whole once its model is at hand
 */

/**
 * @param {Command} command
 * @param {Context} context
 * @param {(command: Command) => Command} [addLoad] adds the options that say what is to be served
 */
export function addSetupOptions(command, context, addLoad = addLoadOptions) {
  command
    .option('--gpu <id[:count]>', 'the card and how many of it ("ridgepoint gpus" lists them)')
    .option('--gpu-total <size>', 'size of a card that is not listed, for example 79.2GiB')
    .option('--gpu-free <size>', 'what is free on it before the engine starts')
    .option('--engine <name[@version]>', 'the engine (default: vllm, newest version)')
    .option(
      '--weights <source>',
      'a model.safetensors.index.json, .safetensors or .gguf (file, folder, address, org/name or org/name:file.gguf) that tells the exact size of the weights',
    );
  addLoad(command)
    .option('--from-command <command>', 'start from a command: its text, a file, or -')
    .option('--from-log <file>', 'start from what a start-up log measured: a file, or -');
  return takeEngineFlags(addHubOptions(command, context));
}

/** Lets the flags of an engine through, and -h with them: it is looked for by itself. @param {Command} command */
export function takeEngineFlags(command) {
  return command
    .helpOption('--help', 'show this text')
    .allowUnknownOption()
    .allowExcessArguments()
    .hook('preAction', () => {
      if (command.args.includes('-h')) command.help();
    });
}

/** @param {Command} command */
export function addLoadOptions(command) {
  return command
    .option('--ctx <tokens>', 'length of one request, prompt and answer together')
    .option('--prompt <tokens>', 'length of the prompt, for the speed')
    .option('--output <tokens>', 'length of the answer, for the speed')
    .option('--concurrency <requests>', 'requests at the same time');
}

/** @param {Command} command @param {Context} context */
export function addHubOptions(command, { env }) {
  return command
    .option('--hub <address>', 'where ids are looked up', env.HF_ENDPOINT || DEFAULT_HUB)
    .option('--revision <name>', 'branch, tag or commit on the hub')
    .option('--token-file <file>', 'file with a hub token (else the variable HF_TOKEN)')
    .option('--fetch', 'read the config from the hub even of a model that is built in');
}

/**
 * The request that a command line means: what is written there, over what a command or a log says.
 *
 * @param {string[]} tokens the words that are not options of this program
 * @param {SetupOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Setup>}
 */
export async function readSetup(tokens, options, core, context) {
  const { fromCommand, fromLog } = options;
  if (fromCommand !== undefined && fromLog !== undefined) {
    throw new UsageError('--from-command or --from-log: start from one of them');
  }
  if (fromLog !== undefined) {
    const log = await logBytes(fromLog, context);
    const setup = await setupOfLog(log, tokens, options, core, context);
    const { calibrated, measured, notes } = core.readLog(log, { request: setup.request });
    return {
      ...setup,
      request: calibrated ?? { ...setup.request, measured },
      notes: [...setup.notes, ...notes],
    };
  }
  const base =
    fromCommand === undefined
      ? { request: {}, notes: [] }
      : await readCommand(fromCommand, core, context);
  return await setupOver(base, tokens, options, core, context);
}

/**
 * The setup that a log shows, with what is written over it; without its measured terms.
 *
 * @param {Uint8Array} log
 * @param {string[]} tokens
 * @param {SetupOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 */
export async function setupOfLog(log, tokens, options, core, context) {
  const { request, settings } = core.readLog(log);
  return await setupOver(
    { request: request ?? settings, notes: [] },
    tokens,
    options,
    core,
    context,
  );
}

/**
 * @param {Base} base
 * @param {string[]} tokens
 * @param {SetupOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Setup>}
 */
async function setupOver(base, tokens, options, core, context) {
  const engine = engineOf(options, base.request.engine);
  const { words, args } = readEngineArgs(tokens, flagsOf(core, engine.name));
  const word = modelWord(words, args, base.request.model);
  const own = words.length === 0 ? base.request.model : undefined;
  const source =
    own?.config || own?.tensors
      ? { model: own, notes: [] }
      : await readModel(word, options, core, context);
  const gpu = gpuRequest(options);
  const model = { ...own, ...source.model, ...(await draftOf(own, options, core, context)) };
  const { request: known, notes } = base.again?.(model, gpu) ?? base;
  const same = engine.name === known.engine?.name;
  /** @type {Request} */
  const request = {
    model,
    gpu: { ...known.gpu, ...gpu },
    engine: { ...engine, args: { ...(same && known.engine?.args), ...args } },
    workload: { ...known.workload, ...workload(options) },
  };
  return {
    request,
    input: word === '-' ? 'the given config' : word,
    notes: [...notes, ...source.notes],
  };
}

/**
 * The draft of a command's model, which it names by an id alone.
 *
 * @param {ModelRequest | undefined} model
 * @param {SetupOptions} options
 * @param {Ridgepoint} core
 * @param {Context} context
 */
async function draftOf(model, options, core, context) {
  const draft = model?.draft;
  if (!draft?.id || draft.config) return {};
  const source = await readModel(draft.id, { ...options, weights: undefined }, core, context);
  return { draft: { ...draft, ...source.model } };
}

/** @param {Ridgepoint} core @param {string} name of an engine */
export function flagsOf(core, name) {
  return core.catalogue().engines.find((engine) => engine.name === name.toLowerCase())?.flags ?? [];
}

/**
 * @param {SetupOptions} options
 * @param {EngineRequest | undefined} base
 * @returns {EngineRequest}
 */
function engineOf({ engine }, base) {
  if (engine === undefined) return base ? { ...base, args: undefined } : { name: 'vllm' };
  const [name, version] = engine.split(/@(.*)/s);
  const same = base?.name === name.toLowerCase();
  return { ...(same && { env: base.env }), name, ...(version && { version }) };
}

/**
 * @param {string[]} words
 * @param {Record<string, unknown>} args
 * @param {ModelRequest | undefined} base
 */
function modelWord(words, args, base) {
  // Older command lines name the model by a flag: --model org/name.
  if (words.length === 0 && typeof args.model === 'string') {
    words.push(args.model);
    delete args.model;
  }
  if (words.length > 1) throw new UsageError(`one model at a time: what is "${words[1]}"?`);
  const word = words[0] ?? (base?.id || (base?.config || base?.tensors ? 'the model' : undefined));
  if (!word) throw new UsageError('name a model: org/name, an address, a file or -');
  return word;
}

/**
 * @param {string} input
 * @param {Ridgepoint} core
 * @param {Context} context
 * @returns {Promise<Base>}
 */
async function readCommand(input, core, context) {
  const text = await commandText(input, context);
  const files = await namedFiles(text);
  return {
    ...baseOf(core.readCommand({ text, files })),
    again: (model, gpu) => baseOf(core.readCommand({ text, files, model, gpu })),
  };
}

/** @param {CommandAnswer} answer @returns {Base} */
function baseOf({ request, flags, env, notes }) {
  const variables = env.map(({ name, use, note }) => ({ flag: name, use, note }));
  const left = [...flags, ...variables].filter(
    ({ use }) => use === 'unmodelled' || use === 'unknown',
  );
  return {
    request,
    notes: [
      ...notes,
      ...left.map(({ flag, use, note }) => {
        const why = use === 'unknown' ? 'not known' : 'not modelled';
        return note ? `${flag}: ${note}` : `${flag} is ${why} and was left out.`;
      }),
    ],
  };
}

/** @param {SetupOptions} options @returns {GpuRequest} */
export function gpuRequest({ gpu, gpuTotal, gpuFree }) {
  /** @type {GpuRequest} */
  const request = {};
  if (gpu !== undefined) {
    const [, id, count] = /^([^:]*)(?::(.*))?$/s.exec(gpu) ?? [];
    if (id) request.id = id;
    if (count !== undefined) request.count = optionInteger('--gpu id:count', count);
  }
  if (gpuTotal !== undefined) request.total_bytes = optionBytes('--gpu-total', gpuTotal);
  if (gpuFree !== undefined) request.free_bytes = optionBytes('--gpu-free', gpuFree);
  return request;
}

/**
 * @param {Pick<SetupOptions, 'ctx' | 'prompt' | 'output' | 'concurrency'>} options
 * @returns {WorkloadRequest}
 */
export function workload({ ctx, prompt, output, concurrency }) {
  /** @type {WorkloadRequest} */
  const request = {};
  if (ctx !== undefined) request.context = optionInteger('--ctx', ctx);
  if (prompt !== undefined) request.prompt = optionInteger('--prompt', prompt);
  if (output !== undefined) request.output = optionInteger('--output', output);
  if (concurrency !== undefined) {
    request.concurrency = optionInteger('--concurrency', concurrency);
  }
  return request;
}
