import type { Change, FlagEntry } from 'ridgepoint';
import { flagText } from '../../numbers';
import { flagsOf, type Inputs } from '../../state';
import type { Gpu } from '../../types';

// Changes that people try first, as far as the catalogue or the core knows them.

/** A card counts as another size only from here on, and below it as of the same size. */
const OTHER_SIZE = 1.3;
const SAME_SIZE = 1.1;
/** What is worth a look at the same size is that much faster. */
const FASTER = 1.2;

const fastest = (gpus: readonly Gpu[]) =>
  [...gpus].sort(
    (a, b) => b.bandwidth_bytes_per_s - a.bandwidth_bytes_per_s || b.bf16_flops - a.bf16_flops,
  )[0];

/** Of the cards that suit, the nearest in size, and of those the fastest. */
function nearest(gpus: readonly Gpu[], pick: (...sizes: number[]) => number) {
  const size = pick(...gpus.map((gpu) => gpu.total_bytes));
  return fastest(gpus.filter((gpu) => Math.abs(gpu.total_bytes / size - 1) < 0.01));
}

/** Of the same vendor: a faster card of that size, the next larger one and the next smaller one. */
export function otherCards(gpus: readonly Gpu[], id: string): Gpu[] {
  const wanted = id.trim().toLowerCase();
  const now = gpus.find((gpu) => gpu.id === wanted || gpu.aliases.includes(wanted));
  if (!now) return [];
  const linked = (gpu: Gpu) => gpu.link_bytes_per_s > 0;
  const known = gpus.filter(
    (gpu) =>
      gpu.vendor === now.vendor &&
      gpu.unified_memory === now.unified_memory &&
      linked(gpu) === linked(now),
  );
  const by = (gpu: Gpu) => gpu.total_bytes / now.total_bytes;
  const faster = known.filter(
    (gpu) =>
      by(gpu) < SAME_SIZE &&
      by(gpu) > 1 / SAME_SIZE &&
      gpu.bandwidth_bytes_per_s > now.bandwidth_bytes_per_s * FASTER,
  );
  const larger = known.filter((gpu) => by(gpu) >= OTHER_SIZE);
  const smaller = known.filter((gpu) => by(gpu) <= 1 / OTHER_SIZE);
  return [fastest(faster), nearest(larger, Math.min), nearest(smaller, Math.max)].flatMap((gpu) =>
    gpu ? [gpu] : [],
  );
}

const caches: Record<string, string>[] = [
  { 'kv-cache-dtype': 'fp8' },
  { 'kv-cache-dtype': 'fp8_e4m3' },
  { 'kv-cache-config.dtype': 'fp8' },
  { 'cache-type-k': 'q8_0', 'cache-type-v': 'q8_0' },
];

/** The flags that give an engine a cache of eight bits; null where it has none, or has them set. */
export function smallCache(
  flags: readonly FlagEntry[],
  inputs: Inputs,
): Record<string, string> | null {
  const found = caches.find((set) =>
    Object.entries(set).every(([name, value]) =>
      flags.some((flag) => flag.name === name && flag.choices.includes(value)),
    ),
  );
  const now = flagsOf(inputs);
  return found && Object.entries(found).some(([name, value]) => now[name] !== value) ? found : null;
}

/** The inputs with an edit that the core names. What a log measured holds for no other setup. */
export function withEdit(inputs: Inputs, change: Change, flags: readonly FlagEntry[]): Inputs {
  const { set = {}, unset = [], gpu = {}, workload = {}, quant_config: quant } = change;
  const gone = new Set(
    [...unset, ...Object.keys(set)].flatMap((name) => {
      const flag = flags.find((one) => one.name === name || one.aliases.includes(name));
      return flag ? [flag.name, ...flag.aliases] : [name];
    }),
  );
  const kept = Object.entries(flagsOf(inputs)).filter(([name]) => !gone.has(name));
  const made = Object.entries(set).map(([name, value]) => [name, flagText(value)]);
  return {
    ...inputs,
    ...(gpu.id === undefined ? {} : { gpu: gpu.id, gpuTotal: '' }),
    ...(gpu.count === undefined ? {} : { count: String(gpu.count) }),
    ...(workload.context === undefined ? {} : { context: String(workload.context) }),
    ...(workload.concurrency === undefined ? {} : { concurrency: String(workload.concurrency) }),
    ...(quant === undefined ? {} : { quant: JSON.stringify(quant) }),
    args: { ...inputs.args, [inputs.engine]: Object.fromEntries([...kept, ...made]) },
    measured: {},
  };
}

/** The same setup on another engine, with the flags that were set for it before. */
export const onEngine = (inputs: Inputs, engine: string): Inputs => ({
  ...inputs,
  engine,
  version: '',
  env: {},
  measured: {},
});
