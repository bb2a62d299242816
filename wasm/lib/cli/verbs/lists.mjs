import { billions, clean, gib, short } from '../format.mjs';
import { columns } from '../layout.mjs';
import { print } from '../write.mjs';

/**
 * @import { GpuEntry, ModelEntry } from '../../../ridgepoint.d.ts'
 * @import { Context, Register } from '../context.mjs'
 */

/** @type {Register} */
export function register(program, context) {
  program
    .command('gpus [filter...]')
    .summary('list the known cards')
    .description(
      'The known cards whose text holds all words of the filter. ~ marks a derived size.',
    )
    .option('--json', 'print JSON')
    .action((filter, options) => gpus(filter, options, context));
  program
    .command('models [filter...]')
    .summary('list the models that need no network')
    .description('The built-in models whose id holds all words of the filter.')
    .option('--json', 'print JSON')
    .action((filter, options) => models(filter, options, context));
}

/**
 * The known cards.
 *
 * @param {string[]} filter words that must all occur
 * @param {{ json?: boolean }} options
 * @param {Context} context
 */
async function gpus(filter, { json }, context) {
  const found = (await context.load())
    .catalogue()
    .gpus.filter((gpu) =>
      matches(filter, [gpu.id, gpu.name, gpu.vendor, gpu.architecture, ...gpu.aliases]),
    );
  const head = ['id', 'GiB', 'GB/s', 'architecture', 'name'];
  await list(found, head, [1, 2], json, context, (gpu) => [
    gpu.id,
    gpu.total_bytes > 0 ? `${gib(gpu.total_bytes)}${gpu.total_is_measured ? '' : '~'}` : '?',
    gpu.bandwidth_bytes_per_s > 0 ? short(gpu.bandwidth_bytes_per_s / 1e9) : '?',
    gpu.architecture,
    gpu.name,
  ]);
}

/**
 * The models that need no config.
 *
 * @param {string[]} filter
 * @param {{ json?: boolean }} options
 * @param {Context} context
 */
async function models(filter, { json }, context) {
  const found = (await context.load())
    .catalogue()
    .models.filter((model) => matches(filter, [model.id]));
  await list(found, ['id', 'parameters'], [1], json, context, (model) => [
    model.id,
    model.parameters ? billions(model.parameters) : '?',
  ]);
}

/** @param {string[]} filter @param {string[]} texts */
function matches(filter, texts) {
  const text = texts.join(' ').toLowerCase();
  return filter.every((word) => text.includes(word.toLowerCase()));
}

/**
 * @template {GpuEntry | ModelEntry} Entry
 * @param {Entry[]} entries
 * @param {string[]} head
 * @param {number[]} right
 * @param {boolean | undefined} json
 * @param {Context} context
 * @param {(entry: Entry) => string[]} row
 */
async function list(entries, head, right, json, { stdout, stderr }, row) {
  if (json) {
    await print(stdout, `${JSON.stringify(entries)}\n`);
  } else if (entries.length === 0) {
    await print(stderr, 'nothing matches\n');
  } else {
    const rows = entries.map((entry) => row(entry).map(clean));
    await print(stdout, `${columns([head, ...rows], { right }).join('\n')}\n`);
  }
}
