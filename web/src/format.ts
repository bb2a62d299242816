import type { Estimate } from './types';

// Everything the page does to a number: choose a unit and round. Sizes arrive in bytes.

const GIB = 2 ** 30;

const decimals = (digits: number) =>
  new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const fixed = [0, 1, 2, 3].map(decimals);
const fix = (value: number, digits: number) => (fixed[digits] ?? decimals(digits)).format(value);

export const whole = (value: number) => fix(value, 0);

/** Three or so significant digits, without exponents. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (size >= 100 || Number.isInteger(value)) return whole(value);
  return fix(value, size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** Millions with one digit, so that a column of them lines up. */
export const millions = (count: number) =>
  count > 0 && count < 5e4 ? '<0.1' : fix(count / 1e6, 1);

export interface Scale {
  unit: string;
  text: (value: number) => string;
}

export const gib: Scale = {
  unit: 'GiB',
  text: (bytes) => fix(bytes / GIB, Math.abs(bytes) >= 1000 * GIB ? 0 : 2),
};

const binary: [number, string][] = [
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];

/** The largest binary unit that keeps the number at one or more. */
export function sizeScale(bytes: number): Scale {
  if (Math.abs(bytes) >= GIB) return gib;
  const [step, unit] = binary.find(([least]) => Math.abs(bytes) >= least) ?? [1, 'bytes'];
  return { unit, text: (value) => short(value / step) };
}

/** Seconds for people: milliseconds below one second. */
export function timeScale(seconds: number): Scale {
  return Math.abs(seconds) < 1
    ? { unit: 'ms', text: (value) => short(value * 1000) }
    : { unit: 's', text: short };
}

export const plain = (unit: string, digits?: number): Scale => ({
  unit,
  text: (value) => (digits === undefined ? short(value) : fix(value, digits)),
});

/** The decimal size and the bytes, for the tooltip of a binary one. */
export const decimalSize = (bytes: number) => `${fix(bytes / 1e9, 2)} GB (${whole(bytes)} bytes)`;

export const size = (bytes: number) => {
  const scale = sizeScale(bytes);
  return `${scale.text(bytes)} ${scale.unit}`;
};

/** "54.10 to 55.20", or nothing where the number is exact. */
export function range(estimate: Estimate, scale: Scale): string {
  const [low, high] = [scale.text(estimate.low), scale.text(estimate.high)];
  return low === high ? '' : `${low} to ${high}`;
}

const bases: Record<string, string> = {
  exact: 'Follows from the configuration by the engine’s own rule',
  measured: 'Calibrated on measured start-ups',
  literature: 'From published figures',
  assumed: 'A stated assumption; nothing measured stands behind it',
};

export function basisTitle({ basis, starts }: Estimate): string {
  const behind = starts > 0 ? ` (${whole(starts)} measured start${starts === 1 ? '' : 's'})` : '';
  return `${bases[basis] ?? basis}${behind}`;
}

/** A name of the contract as words: kv_pool becomes "KV pool", activation.forward two of them. */
export function words(term: string): string {
  const known: Record<string, string> = {
    kv_pool: 'KV pool',
    non_torch: 'Non-torch and other',
    cuda_graphs: 'CUDA graphs',
    cuda_graphs_charged: 'CUDA graphs charged to the pool',
    free_memory: 'Free memory',
    ttft: 'Time to first token',
    tpot: 'Time per output token',
  };
  const text = known[term] ?? term.replaceAll('_', ' ').replaceAll('.', ': ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
