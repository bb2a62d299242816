import { readFile } from 'node:fs/promises';
import { readNumber } from './numbers.mjs';
import { UsageError } from './usage-error.mjs';

/** @import { Command } from 'commander' */

const MOST = 1_000_000;

/** @param {Command} command */
export function addPriceOptions(command) {
  return command
    .option('--price <id=price>', 'price of a card per hour; may be repeated', collect)
    .option('--prices <file>', 'file with prices of cards')
    .option('--no-list-prices', 'count only with the prices that are given');
}

/** @param {string} value @param {string[] | undefined} all */
const collect = (value, all) => [...(all ?? []), value];

/**
 * What a query says about prices.
 *
 * @param {{ price?: string[], prices?: string, listPrices?: boolean }} options
 */
export async function pricesOf({ price, prices, listPrices }) {
  const known = await readPrices(price ?? [], prices);
  return {
    ...(Object.keys(known).length > 0 && { prices: known }),
    ...(listPrices === false && { use_list_prices: false }),
  };
}

/**
 * Prices of cards per hour from a file, with those of the command line over it.
 *
 * @param {string[]} given `id=price`
 * @param {string | undefined} file a JSON object, or lines of an id and a price
 * @returns {Promise<Record<string, number>>}
 */
export async function readPrices(given, file) {
  /** @type {Map<string, number>} */
  const prices = new Map(file === undefined ? [] : pricesIn(await readFile(file, 'utf8'), file));
  for (const each of given) {
    const [, id, price] = /^([^=]+)=(.+)$/s.exec(each) ?? [];
    const value = price === undefined ? undefined : readNumber(price);
    if (id === undefined || value === undefined) {
      throw new UsageError(
        `--price takes a card and its price per hour such as h100=2.49, not "${each}"`,
      );
    }
    prices.set(id.trim(), value);
  }
  return Object.fromEntries(prices);
}

/** @param {string} text @param {string} file @returns {[string, number][]} */
function pricesIn(text, file) {
  if (text.length > MOST) throw new UsageError(`${file} is larger than a list of prices can be`);
  if (text.trimStart().startsWith('{')) return pricesInJson(text, file);
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line, index) => {
      const [id, price] = line.split(/[\s,;=]+/);
      const value = price === undefined ? undefined : readNumber(price);
      // The first line may be heads.
      if (value === undefined && index === 0) return [];
      if (value === undefined) {
        throw new UsageError(`${file}: a line is a card and its price per hour, not "${line}"`);
      }
      return [/** @type {[string, number]} */ ([id, value])];
    });
}

/** @param {string} text @param {string} file @returns {[string, number][]} */
function pricesInJson(text, file) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON: give {"h100": 2.49} or lines of "h100,2.49"`);
  }
  return Object.entries(value).map(([id, price]) => {
    if (typeof price !== 'number') {
      throw new UsageError(`${file}: the price of ${id} must be a number`);
    }
    return [id, price];
  });
}
