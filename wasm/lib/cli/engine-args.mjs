import { readInteger, readNumber } from './numbers.mjs';
import { UsageError } from './usage-error.mjs';

/**
 * @import { FlagEntry, Json } from '../../ridgepoint.d.ts'
 * @typedef {{ name: string, entry?: FlagEntry, below: string[], value?: Json }} Found
 */

/** Flags are written with dashes or underscores; the engines take both. @param {string} name */
const plain = (name) => name.replaceAll('_', '-');

/** @param {string} token a number such as -1 is a value and not a flag */
const isFlag = (token) => /^--?[^\d.\s-]/.test(token);

/**
 * Split words of a command line into bare words and the flags of an engine.
 *
 * A value that does not have the flag's type is passed on as text, and so is an unknown flag: what
 * is wrong with it is for the core to say, in one place and in the same words everywhere.
 *
 * @param {string[]} tokens
 * @param {readonly FlagEntry[]} flags the engine's flags from the catalogue
 * @param {number} [expectedWords] bare words that are not values of a flag
 * @returns {{ words: string[], args: Record<string, Json> }}
 */
export function readEngineArgs(tokens, flags, expectedWords = 1) {
  const table = index(flags);
  /** @type {string[]} */
  const words = [];
  /** @type {Record<string, Json>} */
  const args = {};
  /** @type {Found | undefined} the flag that further bare words belong to */
  let open;

  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!isFlag(token)) {
      // Some flags take a list: --cudagraph-capture-sizes 1 2 4.
      if (open && words.length >= expectedWords) appendWord(args, open, token);
      else words.push(token);
      continue;
    }
    const { text, attached } = split(token);
    const found = find(text, table);
    open = undefined;
    if (found.value !== undefined) {
      put(args, found, found.value);
      continue;
    }
    const next = tokens[at + 1];
    if (attached !== undefined) {
      put(args, found, typed(attached, found));
    } else if (found.entry?.type === 'boolean' && found.below.length === 0) {
      const explicit = next !== undefined && /^(true|false)$/i.test(next);
      if (explicit) at += 1;
      put(args, found, explicit ? next.toLowerCase() === 'true' : true);
    } else if (found.entry) {
      if (next === undefined || isFlag(next)) throw new UsageError(`${token} needs a value`);
      at += 1;
      put(args, found, typed(next, found));
      open = found;
    } else {
      const takesNext = next !== undefined && !isFlag(next) && words.length >= expectedWords;
      if (takesNext) at += 1;
      put(args, found, takesNext ? typed(next, found) : true);
    }
  }
  return { words, args };
}

/** @param {readonly FlagEntry[]} flags */
function index(flags) {
  /** @type {Map<string, FlagEntry>} */
  const table = new Map();
  for (const entry of flags) {
    for (const name of [entry.name, ...entry.aliases]) table.set(plain(name), entry);
  }
  return table;
}

/** @param {string} token */
function split(token) {
  const bare = token.replace(/^--?/, '');
  const equals = bare.indexOf('=');
  if (equals < 0) return { text: bare, attached: undefined };
  return { text: bare.slice(0, equals), attached: bare.slice(equals + 1) };
}

/**
 * @param {string} text a flag without dashes in front and without a value
 * @param {Map<string, FlagEntry>} table
 * @returns {Found}
 */
function find(text, table) {
  const exact = table.get(plain(text));
  if (exact) return { name: exact.name, entry: exact, below: [] };

  if (/^no[-_]/.test(text)) {
    const positive = table.get(plain(text.slice(3)));
    if (positive?.type === 'boolean') {
      return { name: positive.name, entry: positive, below: [], value: false };
    }
  }
  // --compilation-config.cudagraph_mode NONE sets one key of a JSON flag.
  const [first, ...below] = text.split('.');
  const parent = table.get(plain(first));
  if (parent?.type === 'json' && below.length > 0 && !below.includes('')) {
    return { name: parent.name, entry: parent, below };
  }
  // -O3: a one-letter flag with its number attached.
  const letter = /^([A-Za-z])(\d+)$/.exec(text);
  const short = letter && table.get(letter[1]);
  if (letter && short)
    return { name: short.name, entry: short, below: [], value: Number(letter[2]) };

  return { name: plain(text), below: [] };
}

/** @param {string} text @param {Found} found @returns {Json} */
function typed(text, { entry, below }) {
  if (below.length > 0) return json(text) ?? text;
  switch (entry?.type) {
    case 'boolean':
      return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : text;
    case 'integer':
      return readInteger(text) ?? text;
    case 'number':
      return readNumber(text) ?? text;
    case 'json':
      return json(text) ?? text;
    default:
      return text;
  }
}

/** @param {string} text @returns {Json | undefined} */
function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Record<string, Json>} args @param {Found} found @param {Json} value */
function put(args, { name, below }, value) {
  if (below.length === 0) {
    set(args, name, value);
    return;
  }
  let at = child(args, name);
  for (const key of below.slice(0, -1)) at = child(at, key);
  set(at, below[below.length - 1], value);
}

/** @param {Record<string, Json>} parent @param {string} key @returns {Record<string, Json>} */
function child(parent, key) {
  const old = Object.hasOwn(parent, key) ? parent[key] : undefined;
  if (typeof old === 'object' && old !== null && !Array.isArray(old)) return old;
  /** @type {Record<string, Json>} */
  const fresh = {};
  set(parent, key, fresh);
  return fresh;
}

/** @param {Record<string, Json>} args @param {Found} found @param {string} word */
function appendWord(args, found, word) {
  const old = args[found.name];
  set(args, found.name, [...(Array.isArray(old) ? old : [old]), typed(word, found)]);
}

/** Assignment would give "__proto__" its special meaning. @param {Record<string, Json>} to @param {string} key @param {Json} value */
function set(to, key, value) {
  Object.defineProperty(to, key, { value, enumerable: true, configurable: true, writable: true });
}
