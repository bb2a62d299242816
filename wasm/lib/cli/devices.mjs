import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { clean, gib } from './format.mjs';
import { columns } from './layout.mjs';
import { UsageError } from './usage-error.mjs';
import { print } from './write.mjs';

/**
 * @import { GpuEntry } from '../../ridgepoint.d.ts'
 * @import { Context } from './context.mjs'
 * @typedef {{ name: string, total_mib: number, free_mib: number }} LocalCard
 */

const QUERY = ['--query-gpu=name,memory.total,memory.free', '--format=csv,noheader,nounits'];
const MIB = 2 ** 20;
// A card whose size differs more than this from the catalogue's is another card of the same name.
const SIZE_TOLERANCE = 0.06;
// Below this share of free memory something else uses the card, and the estimate must know.
const IDLE_SHARE = 0.97;

/**
 * The cards of this machine and the options of `fit` that describe them.
 *
 * @param {{ json?: boolean }} options
 * @param {Context} context
 */
export async function devices({ json }, context) {
  const cards = parseCards(await query(context.env));
  const { gpus } = (await context.load()).catalogue();
  const groups = group(cards).map((same) => describe(same, gpus));
  if (json) {
    await print(context.stdout, `${JSON.stringify(groups)}\n`);
    return;
  }
  const rows = groups.map(({ name, count, total_mib, free_mib, options }) => [
    `${count} x ${clean(name)}`,
    total_mib > 0
      ? `${gib(total_mib * MIB)} GiB, ${gib(free_mib * MIB)} free`
      : 'size not reported',
    options || 'not in the catalogue: give its size with --gpu-total',
  ]);
  await print(context.stdout, `${columns(rows).join('\n')}\n`);
}

/** @param {Record<string, string | undefined>} env @returns {Promise<string>} */
async function query(env) {
  try {
    const run = promisify(execFile);
    const { stdout } = await run('nvidia-smi', QUERY, { env, timeout: 20_000 });
    return stdout;
  } catch (cause) {
    const { code, stdout, stderr } = /** @type {any} */ (cause);
    if (code === 'ENOENT') {
      throw new UsageError(
        'nvidia-smi was not found, so no NVIDIA driver is installed here or it is not on the PATH; name the card with --gpu (ridgepoint gpus lists them)',
      );
    }
    const said = clean(`${stderr ?? ''}${stdout ?? ''}`).trim() || 'no answer within 20 s';
    throw new UsageError(`nvidia-smi failed: ${said}`);
  }
}

/** @param {string} csv @returns {LocalCard[]} */
export function parseCards(csv) {
  const cards = csv
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 3)
    .map(([name, total, free]) => ({
      name,
      // Cards that share the memory of the CPU print [N/A].
      total_mib: Number(total) || 0,
      free_mib: Number(free) || 0,
    }));
  if (cards.length === 0) throw new UsageError('nvidia-smi lists no card');
  return cards;
}

/** @param {LocalCard[]} cards */
function group(cards) {
  /** @type {Map<string, LocalCard[]>} */
  const groups = new Map();
  for (const card of cards) {
    const key = `${card.name}/${card.total_mib}`;
    groups.set(key, [...(groups.get(key) ?? []), card]);
  }
  return [...groups.values()];
}

/** @param {LocalCard[]} cards equal ones @param {GpuEntry[]} gpus */
function describe(cards, gpus) {
  const { name, total_mib } = cards[0];
  const free_mib = Math.min(...cards.map((card) => card.free_mib));
  const known = match(cards[0], gpus);
  const options = [];
  if (known) options.push(`--gpu ${known.id}:${cards.length}`);
  else if (total_mib > 0) options.push(`--gpu :${cards.length}`, `--gpu-total ${total_mib}MiB`);
  if (free_mib > 0 && free_mib < IDLE_SHARE * total_mib) options.push(`--gpu-free ${free_mib}MiB`);
  return {
    id: known?.id ?? null,
    name,
    count: cards.length,
    total_mib,
    free_mib,
    options: options.join(' '),
  };
}

/**
 * The catalogue's card of a driver's name. A name can stand for several sizes (there is one name
 * for both RTX 4060 Ti), so the size must agree, and the closest counts.
 *
 * @param {LocalCard} card
 * @param {GpuEntry[]} gpus
 * @returns {GpuEntry | undefined}
 */
export function match({ name, total_mib }, gpus) {
  const names = nameForms(name);
  const gb = Math.round(total_mib / 1024);
  const wanted = new Set([...names, ...names.map((each) => `${each}-${gb}gb`)]);
  const gap = (/** @type {GpuEntry} */ gpu) => {
    const expected = gpu.driver_total_bytes || gpu.total_bytes;
    return expected > 0 && total_mib > 0 ? Math.abs((total_mib * MIB) / expected - 1) : 0;
  };
  return gpus
    .filter((gpu) => [gpu.id, gpu.name, ...gpu.aliases].some((alias) => wanted.has(plain(alias))))
    .filter((gpu) => gap(gpu) <= SIZE_TOLERANCE)
    .sort((a, b) => gap(a) - gap(b))[0];
}

/** @param {string} name */
const plain = (name) => name.toLowerCase().replace(/[\s_-]+/g, '-');

/** A driver's name with and without the maker's and the series' words. @param {string} name */
function nameForms(name) {
  const full = plain(name);
  const bare = full.replace(/^nvidia-/, '');
  const model = bare.replace(/^(geforce|tesla|quadro)-/, '');
  return [full, bare, model, `nvidia-${model}`, `tesla-${model}`];
}
