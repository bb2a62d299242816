/** @import { Estimate } from '../../ridgepoint.d.ts' */

const GIB = 2 ** 30;
const MIB = 2 ** 20;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]+/g;

/**
 * Text from configs and servers may hold control characters that would steer a terminal.
 * @param {unknown} text
 */
export function clean(text) {
  return String(text ?? '').replace(CONTROLS, ' ');
}

/** @param {number} value @param {number} [digits] */
export function fixed(value, digits = 2) {
  return value.toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** @param {number} value */
export function whole(value) {
  return Math.round(value).toLocaleString('en-US');
}

/** Three significant digits, without an exponent. @param {number} value */
export function short(value) {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}

/** A price that was given has no currency: it is in whatever the asker counts in. @param {number} value @param {string | null} [currency] */
export const money = (value, currency) => `${fixed(value)}${currency ? ` ${currency}` : ''}`;

/** @param {number} bytes */
export function gib(bytes) {
  return fixed(bytes / GIB);
}

/** A size in the unit that suits it, GiB first. @param {number} bytes */
export function size(bytes) {
  if (Math.abs(bytes) >= 0.1 * GIB) return `${gib(bytes)} GiB`;
  if (Math.abs(bytes) >= MIB) return `${fixed(bytes / MIB)} MiB`;
  if (Math.abs(bytes) >= 1024) return `${fixed(bytes / 1024, 1)} KiB`;
  return `${whole(bytes)} B`;
}

/** @param {number} count for example parameters */
export function billions(count) {
  if (count >= 1e9) return `${short(count / 1e9)} B`;
  if (count >= 1e6) return `${short(count / 1e6)} M`;
  return whole(count);
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds >= 1) return `${short(seconds)} s`;
  return `${short(seconds * 1000)} ms`;
}

/**
 * Best value with its range, `54.10 (53.80 to 54.50)`, or the value alone when both ends read the
 * same.
 *
 * @param {Estimate | null | undefined} estimate
 * @param {(value: number) => string} write
 * @param {string} [unit]
 */
export function estimate(estimate, write, unit = '') {
  if (!estimate) return 'not known';
  const range = span(estimate, write);
  return `${write(estimate.best)}${unit}${range && `  (${range})`}`;
}

/** @param {Estimate} estimate @param {(value: number) => string} write */
export function span({ low, best, high }, write) {
  const [from, to] = [write(low), write(high)];
  return from === to && from === write(best) ? '' : `${from} to ${to}`;
}

/** @param {Estimate} estimate */
export function basis({ basis, starts }) {
  return starts > 0 ? `${basis}, ${whole(starts)} start${starts === 1 ? '' : 's'}` : basis;
}
