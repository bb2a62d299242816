import { requestText } from '../request.mjs';
import { paint } from './colour.mjs';
import { readEngineArgs } from './engine-args.mjs';
import { clean } from './format.mjs';
import { readModel } from './model-source.mjs';
import { optionBytes, optionInteger } from './numbers.mjs';
import { explainText, reportText } from './report-text.mjs';
import { UsageError } from './usage-error.mjs';
import { print } from './write.mjs';

/**
 * @import { GpuRequest, Request, WorkloadRequest } from '../../ridgepoint.d.ts'
 * @import { Context } from './main.mjs'
 * @typedef {object} FitOptions the parsed options of `fit`
 * @property {string} [gpu]
 * @property {string} [gpuTotal]
 * @property {string} [gpuFree]
 * @property {string} engine
 * @property {string} [weights]
 * @property {string} [ctx]
 * @property {string} [prompt]
 * @property {string} [output]
 * @property {string} [concurrency]
 * @property {boolean} [json]
 * @property {boolean} [explain]
 * @property {string} hub
 * @property {string} [revision]
 * @property {string} [tokenFile]
 * @property {boolean} [fetch]
 */

/**
 * @param {string[]} tokens the words that are not options of this program
 * @param {FitOptions} options
 * @param {Context} context
 * @returns {Promise<number>} exit status
 */
export async function fit(tokens, options, context) {
  const core = await context.load();
  const catalogue = core.catalogue();
  const [name, version] = options.engine.split(/@(.*)/s);
  const flags = catalogue.engines.find((engine) => engine.name === name.toLowerCase())?.flags ?? [];
  const { words, args } = readEngineArgs(tokens, flags);
  // Older command lines name the model by a flag: --model org/name.
  if (words.length === 0 && typeof args.model === 'string') {
    words.push(args.model);
    delete args.model;
  }
  if (words.length === 0) throw new UsageError('name a model: org/name, an address, a file or -');
  if (words.length > 1) throw new UsageError(`one model at a time: what is "${words[1]}"?`);

  const gpu = gpuRequest(options);
  const engine = { name, ...(version && { version }), args };
  const load = workload(options);
  const { model, notes } = await readModel(words[0], options, core, context);
  /** @type {Request} */
  const request = { model, gpu, engine, workload: load };
  for (const note of notes) await print(context.stderr, `note: ${clean(note)}\n`);
  const written = requestText(request);
  const text = 'error' in written ? JSON.stringify(written) : core.evaluateText(written.text);
  const answer = JSON.parse(text);

  if (options.json) {
    await print(context.stdout, `${text}\n`);
  } else if ('error' in answer) {
    const where = answer.error.path ? ` (${clean(answer.error.path)})` : '';
    await print(context.stderr, `error: ${clean(answer.error.message)}${where}\n`);
  } else {
    const style = {
      paint: paint(context.stdout, context.env),
      width: Math.min(context.stdout.columns || 100, 100),
    };
    const input = words[0] === '-' ? 'the given config' : words[0];
    const lines = reportText(answer, { input, workload: load }, style);
    if (options.explain) lines.push(...explainText(answer, style));
    await print(context.stdout, `${lines.join('\n')}\n`);
  }
  if ('error' in answer) return 2;
  return answer.verdict.serves ? 0 : 1;
}

/** @param {FitOptions} options @returns {GpuRequest} */
function gpuRequest({ gpu, gpuTotal, gpuFree }) {
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

/** @param {FitOptions} options @returns {WorkloadRequest} */
function workload({ ctx, prompt, output, concurrency }) {
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
