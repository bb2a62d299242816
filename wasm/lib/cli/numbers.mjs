import { UsageError } from './usage-error.mjs';

const DECIMAL = /** @type {Record<string, number>} */ ({ k: 1e3, m: 1e6, g: 1e9, t: 1e12 });
const BINARY = /** @type {Record<string, number>} */ ({
  K: 2 ** 10,
  M: 2 ** 20,
  G: 2 ** 30,
  T: 2 ** 40,
});

/**
 * A whole number as vLLM reads one: `8192`, `8k` = 8000, `8K` = 8192, `25.6k` = 25600. Capital
 * letters are powers of two and take no fraction.
 *
 * @param {string} text
 * @returns {number | undefined}
 */
export function readInteger(text) {
  const match = /^([+-]?\d+)$|^(\d+(?:\.\d+)?)([kmgt])$|^(\d+)([KMGT])$/.exec(text.trim());
  if (!match) return undefined;
  const [, plain, decimal, small, whole, large] = match;
  let value;
  if (plain) value = Number(plain);
  else if (small) value = Math.trunc(Number(decimal) * DECIMAL[small]);
  else value = Number(whole) * BINARY[large];
  return Number.isSafeInteger(value) ? value : undefined;
}

/** @param {string} text @returns {number | undefined} */
export function readNumber(text) {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim())) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** @param {string} name of the option @param {string} text @returns {number} */
export function optionInteger(name, text) {
  const value = readInteger(text);
  if (value === undefined) {
    if (/^\+?\d+$/.test(text.trim())) {
      const most = Number.MAX_SAFE_INTEGER.toLocaleString('en-US');
      throw new UsageError(`${name} takes a whole number up to ${most}, not "${text}"`);
    }
    throw new UsageError(`${name} takes a whole number such as 8192, 8k or 8K, not "${text}"`);
  }
  return value;
}

const UNITS = new Map([
  ['', 1],
  ['b', 1],
  ['kib', 2 ** 10],
  ['mib', 2 ** 20],
  ['gib', 2 ** 30],
  ['kb', 1e3],
  ['mb', 1e6],
  ['gb', 1e9],
]);

/** Bytes: `85899345920`, `80GiB`, `81920MiB`, `80GB`. @param {string} name @param {string} text */
export function optionBytes(name, text) {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match ? UNITS.get(match[2].toLowerCase()) : undefined;
  if (!match || unit === undefined) {
    throw new UsageError(`${name} takes a size such as 79.2GiB, 81920MiB or bytes, not "${text}"`);
  }
  return Math.round(Number(match[1]) * unit);
}

/** Seconds: `500ms`, `0.5s`, `2min`. @param {string} name @param {string} text */
export function optionSeconds(name, text) {
  const match = /^(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|min)$/i.exec(text.trim());
  if (!match) throw new UsageError(`${name} takes a time such as 500ms or 2s, not "${text}"`);
  const unit = match[2].toLowerCase();
  const value = Number(match[1]);
  if (unit === 'ms') return value / 1000;
  return unit === 'min' ? value * 60 : value;
}

/** @param {string} name @param {string} text @returns {number} */
export function optionNumber(name, text) {
  const value = readNumber(text);
  if (value === undefined)
    throw new UsageError(`${name} takes a number such as 2.5, not "${text}"`);
  return value;
}

/** Words between commas. @param {string} name @param {string} text */
export function optionList(name, text) {
  const words = text.split(',').map((word) => word.trim());
  if (words.includes('')) throw new UsageError(`${name} takes names between commas, not "${text}"`);
  return words;
}
